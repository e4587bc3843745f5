// The rubric of TODO(4) and TODO(5): two arrays of different types in one dynamic buffer.

#include "rubric.hpp"

using namespace shared_memory;

namespace arrays_rubric {

namespace {

const std::string arrays_section = "Two arrays in one buffer";
const std::string launch_section = "A buffer sized at the launch";
const std::string size_section = "More than 48 KiB";

struct Shape {
  std::size_t rows, numbers, letters; ///< numbers and letters: in a row

  std::size_t row_bytes() const { return numbers * sizeof(double) + letters; }
};

std::string in_words(const Shape& shape) {
  return counted(shape.rows, "row") + " of " + counted(shape.numbers, "double") + " and " +
         counted(shape.letters, "char");
}

/// Both arrays.
struct Contents {
  std::vector<double> numbers;
  std::vector<char> letters;
};

Contents random_contents(const Shape& shape) {
  return {random_doubles(shape.rows * shape.numbers, -100, 100),
          random_integers<char>(shape.rows * shape.letters, char{-128}, char{127})};
}

template <typename T>
std::vector<T> rows_reversed(const std::vector<T>& values, std::size_t row) {
  std::vector<T> reversed(values.size());
  if (row == 0) return reversed;
  const auto reverse_rows = [&](std::size_t, std::size_t first, std::size_t last) {
    for (const T* begin = values.data() + first * row; first < last; ++first, begin += row)
      std::reverse_copy(begin, begin + row, reversed.data() + first * row);
  };
  for_each_piece(values.size() / row, reverse_rows, parallel_piece / row + 1);
  return reversed;
}

template <typename T>
bool same(std::span<const T> actual, const std::vector<T>& wanted) {
  return same_bytes(std::as_bytes(actual), std::as_bytes(std::span(wanted)));
}

/// Fails the item if the shape of a wrong result is known; returns if it is not.
void recognise(const Reply& reply, const Contents& before, const Contents& wanted, const Shape& shape) {
  const std::span<const double> numbers = reply.values<double>(0);
  const std::span<const char> letters = reply.values<char>(1);
  const bool numbers_right = same(numbers, wanted.numbers), letters_right = same(letters, wanted.letters);
  const std::vector<std::string> where = {in_words(shape), handout(arrays_section)};
  const bool has_numbers = shape.numbers != 0, has_letters = shape.letters != 0;
  const bool numbers_left = letters_right && has_numbers && same(numbers, before.numbers);
  if (numbers_left || (numbers_right && has_letters && same(letters, before.letters))) {
    const std::string left = numbers_left ? "numbers" : "letters",
                      right = numbers_left ? "letters" : "numbers";
    fail("one-array-left", "The " + right + " are right, but the " + left + " were left as they were.",
         where);
  }
  const bool all_numbers = has_numbers && same(numbers, rows_reversed(before.numbers, before.numbers.size()));
  if (shape.rows > 1 &&
      (all_numbers || (has_letters && same(letters, rows_reversed(before.letters, before.letters.size()))))) {
    fail("whole-array-reversed",
         std::string("All ") + (all_numbers ? "numbers" : "letters") +
             " were reversed as one array. Every row is to be reversed within itself.",
         where);
  }
  // The first rows are right, and all after them as they were.
  const auto row_is = [&](std::size_t row, const Contents& values) {
    const auto same_row = [row](const auto& actual, const auto& expected, std::size_t length) {
      return length == 0 ||
             std::memcmp(&actual[row * length], &expected[row * length], length * sizeof(expected[0])) == 0;
    };
    return same_row(numbers, values.numbers, shape.numbers) &&
           same_row(letters, values.letters, shape.letters);
  };
  std::size_t done = 0, untouched = 0;
  while (done < shape.rows && row_is(done, wanted)) ++done;
  while (done + untouched < shape.rows && row_is(done + untouched, before)) ++untouched;
  if (done > 0 && done + untouched == shape.rows) {
    fail("later-rows-left",
         "The first " + counted(done, "row") + " of " + number(shape.rows) +
             " came out right, and those after were left as they were. Where there are fewer blocks than "
             "rows, a block takes several: rows blockIdx.x, blockIdx.x + gridDim.x and so on.",
         {in_words(shape), handout("The next one, into the same buffer")});
  }
  // One array lies on the other: the numbers kept first are damaged by letters, or the other way round.
  if (numbers_right == letters_right || !has_numbers || !has_letters) return;
  const std::size_t row = numbers_right ? shape.letters : shape.numbers;
  const std::size_t reach = numbers_right ? shape.numbers * sizeof(double) : (shape.letters + 7) / 8;
  if (reach >= row) return; // all of it may be damaged: nothing to tell it by
  for (std::size_t i = 0; i < shape.rows * row; ++i) {
    const bool right = numbers_right ? letters[i] == wanted.letters[i] : numbers[i] == wanted.numbers[i];
    if (!right && row - 1 - i % row >= reach) return;
  }
  fail("arrays-overlap",
       std::string("The ") + (numbers_right ? "numbers" : "letters") + " are right, but those " +
           (numbers_right ? "letters" : "numbers") +
           " of a row are wrong that were kept at the beginning of the buffer: both arrays lie in the same "
           "place. Every `extern __shared__` array begins where the dynamic buffer begins.",
       where);
}

/// Threads that bring different elements write to different places, unless the arrays lie on each other.
void explain_overlap(Failure& why) {
  const simt::Diagnostic* race = first_finding(why);
  const auto writes = [](const simt::Participant& party) { return party.access != simt::Access::read; };
  if (race == nullptr || race->id != "shared-race" || !std::ranges::all_of(race->participants, writes) ||
      (why.places.size() == 2 && why.places[0] == why.places[1]))
    return;
  retell(why, "arrays-overlap",
         "two_arrays: Two lines of yours write to the same place of the buffer: do the two arrays lie on "
         "each other? Every `extern __shared__` array begins where the dynamic buffer begins, and `pointer + "
         "k` is k elements further, of the type that it points to.");
}

Reply reverse_and_check(const Contents& before, const Shape& shape, Schedule schedule) {
  const Buffer buffer = {
      .diagnosis = "buffer-left",
      .bytes = shape.row_bytes(),
      .need = "Both arrays of a row have 8 * " + number(shape.numbers) + " + " + number(shape.letters) +
              " = " + number(shape.row_bytes()) + " bytes.",
      .kernel = 4,
      .launch = 5,
      .straddle =
          "The launch asks for no fewer, and the last double ends behind them. If the letters come first, "
          "the first double lies at the next multiple of 8: the gap needs up to 7 bytes more (TODO(5))."};
  const Sources mirrored = [shape](BufferElement e) {
    const std::size_t length = e.buffer == 0 ? shape.numbers : shape.letters, place = e.index % length;
    return std::vector<BufferElement>{{e.buffer, e.index - place + (length - 1 - place)}};
  };
  const auto call = [&] {
    return submission().call(CallOptions{.schedule = schedule, .sites = true, .sources = mirrored},
                             CONTRACT(two_arrays), inout(before.numbers), inout(before.letters), shape.rows,
                             shape.numbers, shape.letters);
  };
  Reply reply = with_detail(in_words(shape), [&] {
    return read_in(arrays_section,
                   [&] { return within_buffer(buffer, [&] { return changing(call, explain_overlap); }); });
  });
  const Contents wanted = {rows_reversed(before.numbers, shape.numbers),
                           rows_reversed(before.letters, shape.letters)};
  if (same(reply.values<double>(0), wanted.numbers) && same(reply.values<char>(1), wanted.letters))
    return reply;
  if (shape.rows > 1 && shape.numbers > 1 && shape.letters > 1) require_solved(reply);
  recognise(reply, before, wanted, shape);
  read_in(arrays_section, [&] {
    expect_equal(reply, 0, wanted.numbers);
    expect_equal(reply, 1, wanted.letters);
  });
  return reply;
}
Reply reverse_and_check(const Shape& shape, Schedule schedule) {
  return reverse_and_check(random_contents(shape), shape, schedule);
}

/// The bits of these must arrive as they are: NaN aside, which equals nothing.
std::vector<double> delicate_numbers() {
  return {-0.0, std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::infinity(),
          std::numeric_limits<double>::max(), 1 + 0x1p-52};
}

constexpr Shape counted_shape{24, 320, 1024};

Reply counted_call(Schedule schedule) { return reverse_and_check(counted_shape, schedule); }

/// Where traffic is counted: fails unless the rows of a large shape went through shared memory, as those of a small
/// one (`small`) do or should do. A row need not be there all at once, and the middle of an odd one may stay in place.
void expect_rows_shared(const Reply& small, const Shape& small_shape, const Reply& large,
                        const Shape& shape) {
  if (!on_sim()) return;
  const auto shared = [](const Reply& reply) {
    return std::min(reply.counters().shared_store_bytes, reply.counters().shared_load_bytes);
  };
  const auto needed = [](const Shape& of) {
    return of.rows * (of.numbers / 2 * 2 * sizeof(double) + of.letters / 2 * 2);
  };
  if (shared(large) >= needed(shape)) return;
  const bool small_shared = shared(small) >= needed(small_shape);
  Failure why{
      {"shared-memory-not-used"},
      "The result is right, but of " + number(shape.rows * shape.row_bytes()) + " bytes only " +
          number(large.counters().shared_store_bytes) + " were written to shared memory, and " +
          number(large.counters().shared_load_bytes) + " read out of it. A row is to go through it" +
          (small_shared ? ", as shorter ones do: a block can have more than 48 KiB." : ", however long."),
      {in_words(shape), handout(small_shared ? size_section : arrays_section)}};
  if (small_shared) why.diagnoses.insert(why.diagnoses.begin(), "only-short-rows-shared");
  point_to(why, small_shared ? 5 : 4);
  fail(std::move(why));
}

} // namespace

TEST_CASE("two_arrays reverses rows of numbers and letters of any length" * points(3) * tests("two_arrays") *
          todo(4)) {
  check_and_shrink(301, {1, 2, 3, 7, 8, 9, 31, 32, 33, 255, 256, 257}, [](std::size_t length) {
    reverse_and_check({3, length, length + 2}, schedules().front());
  });
  for (const Schedule schedule : schedules()) {
    for (const std::size_t length : sizes(499)) {
      reverse_and_check({2, length, 37}, schedule); // an odd number of letters, whichever array comes first
      reverse_and_check({2, 21, length}, schedule);
    }
    reverse_and_check({5, 3, 2001}, schedule);
    reverse_and_check({0, 3, 5}, schedule);
    reverse_and_check({3, 0, 0}, schedule);
  }
  // More rows than blocks, if a block takes several. First rows of which no warp takes out what it brought in:
  // there all races are between warps, and __syncwarp() is no help.
  changing(
      [] {
        for (const Shape& shape : {Shape{1100, 64, 256}, Shape{700, 5, 3}}) {
          for (const Schedule schedule : schedules()) reverse_and_check(shape, schedule);
        }
      },
      [](Failure& why) {
        if (has_diagnosis(why, "later-rows-left")) return; // nobody has brought the next one in
        why.diagnoses.push_back("row-after-row");
        add_cause(why, "Fewer rows come out right. With more rows than blocks, a block takes several, one "
                       "after the other: may it bring the next one in while others still take this one out?");
      });
  const Shape some{4, 50, 83};
  for (const std::vector<double>& input :
       special_inputs(random_doubles(some.rows * some.numbers), delicate_numbers())) {
    const std::vector<char> letters(some.rows * some.letters, 'x');
    reverse_and_check({input, letters}, some, schedules().front());
  }
  const Shape big = at_real_size() ? Shape{2003, 1501, 8009} : Shape{20, 501, 1003};
  reverse_and_check(big, schedules().back());
  if (at_real_size()) {
    reverse_and_check({1 << 16, 64, 256}, schedules().front());
    reverse_and_check({1 << 20, 3, 5}, schedules().front());
  }
}

TEST_CASE("two_arrays keeps both arrays of a row in one buffer at once" * points(1) * tests("two_arrays") *
          todo(4) * sim_only()) {
  const std::size_t bytes = counted_shape.row_bytes();
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_call(schedule);
    expect_banks_apart(reply, counted_shape.rows * bytes,
                       "Neighbouring lanes on neighbouring elements have none.", arrays_section);
    const std::size_t most = shared_bytes_of(reply);
    if (most < bytes || most > bytes + 16) {
      const bool too_large = most > bytes;
      Failure why{{too_large ? "buffer-too-large" : "buffer-too-small"},
                  "The result is right, but a block has " + number(most) +
                      " bytes of shared memory, and both arrays of a row have " + number(bytes) + " (" +
                      number(bytes + 16) + " with room for an alignment).",
                  {in_words(counted_shape), handout(too_large ? launch_section : arrays_section)}};
      if (too_large) point_to(why, 5);
      fail(std::move(why));
    }
    if (grid_of(reply).blocks <
        2) { // each has room for one row: there is no other way to take several at once
      fail("one-block",
           "The result is right, but one block has reversed all " + number(counted_shape.rows) +
               " rows, one after the other. All other multiprocessors of the GPU have had nothing to do. As "
               "given, the launch has a block for every row, up to most_blocks.",
           {in_words(counted_shape), handout("The next one, into the same buffer")});
    }
    if (reply.counters().barriers > 2 * counted_shape.rows) {
      fail("too-many-barriers",
           "The result is right, but blocks have waited " + number(reply.counters().barriers) +
               " times for " + number(counted_shape.rows) +
               " rows. Two barriers a row are enough for both arrays: one when both are there, one before "
               "the next row comes.",
           {handout(arrays_section)});
    }
  }
}

TEST_CASE("two_arrays reads and writes each byte of global memory once" * points(1) * tests("two_arrays") *
          todo(4) * sim_only()) {
  const std::size_t bytes = counted_shape.rows * counted_shape.row_bytes();
  for (const Schedule schedule : schedules())
    expect_each_once(counted_call(schedule), bytes, arrays_section,
                     "Every element comes into the buffer once and leaves it once.");
}

TEST_CASE("two_arrays takes rows of more than 48 KiB" * points(1) * tests("two_arrays") * todo(5)) {
  constexpr Shape small_shape{3, 301, 603}; // longer than a block
  Reply small, large;
  const auto far = [&](const Shape& shape, Schedule schedule) {
    knowing("row-too-large",
            "A row has " + number(shape.row_bytes()) +
                " bytes, more than 48 KiB. A kernel gets that much only if it has been allowed to.",
            [&] { read_in(size_section, [&] { large = reverse_and_check(shape, schedule); }); });
    expect_rows_shared(small, small_shape, large, shape);
  };
  builds_on(4, 5, [&] {
    small_first("Rows", 4, [&] {
      reverse_and_check({3, 40, 60}, schedules().front());
      small = reverse_and_check(small_shape, schedules().front());
    });
  });
  for (const Schedule schedule : schedules()) far({1, 6001, 2003}, schedule);
  far({1, 301, 60'001}, schedules().front());
  const std::size_t most = std::min(most_row_bytes, most_shared_bytes());
  far({1, most / 8 - 1, 7}, schedules().back());
  if (at_real_size()) far({700, most / 16 + 1, most / 3 + 1}, schedules().front());
}

} // namespace arrays_rubric
