// The rubric of TODO(4) and TODO(5): two arrays of different types in one dynamic buffer.

#include "rubric.hpp"

using namespace shared_memory;

namespace arrays_rubric {

namespace {

const RunsThrough parts_of_arrays({"two_arrays"}, {4, 5});

const std::string arrays_section = "TODO(4) and TODO(5): two arrays in one buffer";

struct Shape {
  std::size_t rows, numbers, letters; ///< numbers and letters: in a row

  std::size_t row_bytes() const { return numbers * sizeof(double) + letters; }
};

std::string in_words(const Shape& shape) {
  return say("{rows:row} of {numbers:double} and {letters:char}", shape.rows, shape.numbers, shape.letters);
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

/// The place from which element i of an array comes whose rows have so many elements.
Origin mirrored(std::size_t i, std::size_t row) { return i / row * row + row - 1 - i % row; }

template <typename T>
bool is_right(const Moved<T>& moved) {
  return all_hold(moved.after.size(), [&](std::size_t i) { return moved.is_right(i); });
}

/// Whether a row of so many elements came out reversed; if not `is_reversed`, whether it is as it was.
template <typename T>
bool row_is(bool is_reversed, const Moved<T>& moved, std::size_t length, std::size_t row = 0) {
  return all_hold(length, [&](std::size_t k) {
    const std::size_t i = row * length + k;
    return moved.comes_from(i, is_reversed ? mirrored(i, length) : i);
  });
}
/// The same of an array as one row.
template <typename T>
bool array_is(bool is_reversed, const Moved<T>& moved) {
  return !moved.after.empty() && row_is(is_reversed, moved, moved.after.size());
}

/// Fails the item if the shape of a wrong result is known; returns if it is not.
void recognise(const Moved<double>& numbers, const Moved<char>& letters, const Shape& shape) {
  const Details where = {in_words(shape)};
  const bool numbers_right = is_right(numbers), letters_right = is_right(letters);
  const bool numbers_left = letters_right && array_is(false, numbers);
  if (numbers_left || (numbers_right && array_is(false, letters)))
    fail(message("one-array-left", numbers_left), where);
  const bool all_numbers = array_is(true, numbers);
  if (shape.rows > 1 && (all_numbers || array_is(true, letters)))
    fail(message("whole-array-reversed/rows", all_numbers), where);
  const auto rows_are = [&](bool is_reversed) {
    return [&, is_reversed](std::size_t row) {
      return row_is(is_reversed, numbers, shape.numbers, row) &&
             row_is(is_reversed, letters, shape.letters, row);
    };
  };
  const std::optional<LeftOut> left = left_out(shape.rows, rows_are(false), rows_are(true));
  if (left && left->first > 0 && left->first + left->count == shape.rows)
    fail(message("later-rows-left", left->first, shape.rows), where);
  // One array lies on the other: what was kept first, up to `reach` elements of a row, is damaged by the other's.
  const auto is_damaged = [](const auto& moved, std::size_t row, std::size_t reach) {
    return reach < row && all_hold(moved.after.size(), [&](std::size_t i) { // else nothing to tell it by
             return moved.is_right(i) || row - 1 - i % row < reach;
           });
  };
  if (numbers_right == letters_right || shape.numbers == 0 || shape.letters == 0) return;
  if (numbers_right ? is_damaged(letters, shape.letters, shape.numbers * sizeof(double))
                    : is_damaged(numbers, shape.numbers, (shape.letters + 7) / 8))
    fail(message("arrays-overlap", numbers_right), where);
}

constexpr std::size_t block_threads = 256; ///< of the starter's launch

/// Of places that are read and that no thread has filled: of which array they are, and how many elements of a row were not
/// brought. A barrier that is missing leaves places unfilled, too, and the simulator finds races then.
void explain_unbrought(Failure& why, const Shape& shape) {
  const simt::Finding* read = first_finding(why);
  if (read == nullptr || !is_about(why, "uninitialised-read") || read->space != simt::Space::shared ||
      has_diagnosis(why, "shared-race"))
    return;
  const std::size_t bytes = read->participants.front().bytes;
  if (bytes != sizeof(char) && bytes != sizeof(double)) return;
  const bool numbers = bytes == sizeof(double);
  const std::size_t length = numbers ? shape.numbers : shape.letters, missing = read->count / shape.rows;
  if (missing * shape.rows != read->count || missing == 0 || missing >= length) return;
  if (numbers && read->element.size() == 1 && static_cast<std::size_t>(read->element.front()) >= length)
    return; // an index beyond the row
  if (length > block_threads && missing == length - block_threads)
    retell(why, message("row-not-brought/several", numbers, length, block_threads));
  else
    retell(why, message("row-not-brought/some", numbers, length, missing));
}

Reply reverse_and_check(const Contents& before, const Shape& shape, Schedule schedule) {
  const Buffer buffer = {.need = message("buffer-left/rows", shape.numbers, shape.letters, shape.row_bytes()),
                         .bytes = shape.row_bytes(),
                         .kernel = 4,
                         .launch = 5,
                         .straddle = message("/gap-not-asked-for")};
  const auto origin_in = [](std::size_t row) { return [row](std::size_t i) { return mirrored(i, row); }; };
  const std::function<Origin(std::size_t)> origins[] = {origin_in(shape.numbers), origin_in(shape.letters)};
  const Sources sources = [origins](BufferElement e) {
    return std::vector<BufferElement>{{e.buffer, origins[e.buffer](e.index)}};
  };
  const auto explain = [&](Failure& why) {
    explain_unbrought(why, shape);
    const simt::Finding* finding = first_finding(why);
    if (finding != nullptr && is_about(why, "misaligned-access") && finding->space == simt::Space::shared)
      advise(why, message("/doubles-first"));
    explain_buffer(why, buffer);
  };
  const Asked asked = {arrays_section, schedule, in_words(shape), sources, explain};
  Reply reply = call_explained(asked, CONTRACT(two_arrays), inout(before.numbers), inout(before.letters),
                               shape.rows, shape.numbers, shape.letters);
  const Moved<double> numbers{.reply = reply, .before = before.numbers, .origin = origins[0]};
  const Moved<char> letters{
      .reply = reply, .before = before.letters, .origin = origins[1], .after = reply.values<char>(1)};
  if (is_right(numbers) && is_right(letters)) return reply;
  const Rule about_letters = about_wrong(letters, 1), about_numbers = about_wrong(numbers);
  if (shape.rows > 1 && shape.numbers > 1 && shape.letters > 1) require_solved(reply);
  recognise(numbers, letters, shape);
  expect_moved(numbers, 0, arrays_section);
  expect_moved(letters, 1, arrays_section);
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
  const std::size_t bytes = shape.rows * shape.row_bytes();
  const std::size_t written = large.counters().shared_store_bytes, read = large.counters().shared_load_bytes;
  if (shared(small) < needed(small_shape))
    fail(message("shared-memory-not-used/rows", bytes, written, read), {in_words(shape)});
  fail_also(message("only-short-rows-shared", bytes, written, read), "shared-memory-not-used",
            {in_words(shape)});
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
        if (has_diagnosis(why, "later-rows-left")) return; // no thread has brought the next one in
        if (refused_memory(why) != nullptr) return;        // nor any other
        add_known(why, message("row-after-row"));
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
                       conflict_of(message("/banks-of-a-row"), arrays_section));
    const std::size_t most = shared_bytes_of(reply), enough = bytes + 16; // with room for an alignment
    if (most < bytes) fail(message("buffer-too-small", most, bytes, enough), {in_words(counted_shape)});
    if (most > enough) fail(message("buffer-too-large", most, bytes, enough), {in_words(counted_shape)});
    // Each block has room for one row: there is no other way to take several at once.
    if (grid_of(reply).blocks < 2) fail(message("one-block", counted_shape.rows), {in_words(counted_shape)});
    if (reply.counters().barriers > 2 * counted_shape.rows)
      fail(message("too-many-barriers", reply.counters().barriers, counted_shape.rows));
  }
}

TEST_CASE("two_arrays reads and writes each byte of global memory once" * points(1) * tests("two_arrays") *
          todo(4) * sim_only()) {
  const std::size_t bytes = counted_shape.rows * counted_shape.row_bytes();
  for (const Schedule schedule : schedules())
    judge_both(counted_call(schedule), need_once(bytes, message("/row-once")));
}

TEST_CASE("two_arrays takes rows of more than 48 KiB" * points(1) * tests("two_arrays") * todo(5)) {
  constexpr Shape small_shape{3, 301, 603}; // longer than a block
  Reply small, large;
  const auto far = [&](const Shape& shape, Schedule schedule) {
    knowing_limit(message("row-too-large", shape.row_bytes()),
                  [&] { large = reverse_and_check(shape, schedule); });
    expect_rows_shared(small, small_shape, large, shape);
  };
  builds_on(4, 5, [&] {
    small_first("Rows", 4, 5, [&] {
      reverse_and_check({3, 40, 60}, schedules().front());
      small = reverse_and_check(small_shape, schedules().front());
    });
  });
  far({5, 6001, 2003}, schedules().front()); // a block has room for one row, and not for all
  for (const Schedule schedule : schedules()) far({1, 6001, 2003}, schedule);
  far({1, 301, 60'001}, schedules().front());
  const std::size_t most = std::min(most_row_bytes, most_shared_bytes());
  far({1, most / 8 - 1, 7}, schedules().back());
  if (at_real_size()) far({700, most / 16 + 1, most / 3 + 1}, schedules().front());
}

} // namespace arrays_rubric
