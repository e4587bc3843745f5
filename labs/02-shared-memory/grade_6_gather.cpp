// The rubric of TODO(6) and TODO(7): gather_strided with words of 4, 8 and 16 bytes.

#include <numeric>

#include "rubric.hpp"

using namespace shared_memory;

namespace gather_rubric {

namespace {

const std::string gather_section = "Gather through shared memory";
const std::string place_section = "A stride and its banks";

/// Several blocks of any usual size, and a tail.
constexpr std::size_t typical = 1301;

/// Words made of their own number, so that each can be told from any other: exact in every type.
template <typename T>
T word(std::size_t number) {
  if constexpr (std::is_same_v<T, Four>) {
    const auto value = static_cast<float>(number);
    return {value, -value, 0.5F, value + 1};
  } else {
    return static_cast<T>(number);
  }
}

template <typename T>
std::string text(const T& value) {
  if constexpr (std::is_same_v<T, Four>)
    return to_text(value.x) + " (and three more)";
  else
    return to_text(value);
}

struct Shape {
  std::size_t n, stride;
};

/// Fails the item if the shape of a wrong result is known; returns if it is not.
template <typename T>
void recognise(const Moved<T>& moved, const Shape& shape) {
  const std::size_t n = shape.n, stride = shape.stride;
  const std::vector<std::string> where = {"n = " + number(n) + " records, stride = " + number(stride),
                                          handout(gather_section)};
  if (n > 1 && stride > 1) {
    moved.fail_if_made(
        {
            {"order-kept",
             "The words arrive in the order in which they were. Word k of record i, in[i * stride + k], goes "
             "to out[k * n + i].",
             [](std::size_t j) { return j; }},
            {"scattered",
             "That is the way back: out[i * stride + k] = in[k * n + i]. Word k of record i, in[i * stride + "
             "k], goes to out[k * n + i].",
             [=](std::size_t j) { return j % stride * n + j / stride; }},
            {"first-word-only",
             "Every array has the first word of the records. Array k has word number k of each.",
             [=](std::size_t j) { return j % n * stride; }},
        },
        where);
  }
  const auto all_words = [&](std::size_t i, auto holds) {
    std::size_t k = 0;
    while (k < stride && holds(k * n + i)) ++k;
    return k == stride;
  };
  const std::optional<LeftOut> left = left_out(
      n,
      [&](std::size_t i) { return all_words(i, [&](std::size_t j) { return moved.reply.unwritten(0, j); }); },
      [&](std::size_t i) { return all_words(i, [&](std::size_t j) { return moved.is_right(j); }); });
  if (!left || left->first + left->count != n) return;
  fail("tail-skipped",
       "The words of the last " + number(left->count) +
           " records are missing in all arrays. The last block has fewer records than the others; that is no "
           "reason to leave them out.",
       where);
}

constexpr std::size_t block_records = 64; ///< of the starter's launch

/// Of a word that is read and that nobody has brought: by a thread behind the last record, or from another place
/// than it was brought to.
void explain_unbrought(Failure& why, const Shape& shape, std::size_t size) {
  const std::size_t rest = shape.n % block_records;
  const std::optional<simt::ThreadId>& reader = first_finding(why)->participants.front().thread;
  if (rest != 0 && reader && reader->block[0] == shape.n / block_records && reader->thread[0] >= rest) {
    retell(why, "thread-without-record",
           "A thread without a record takes words out of the buffer. The last of the blocks of " +
               number(block_records) + " threads has " + counted(rest, "record") + ", as n is " +
               number(shape.n) + ": threads " + number(rest) + " to " + number(block_records - 1) +
               " have nothing to write.");
  } else {
    retell(
        why, "place-forgotten",
        "A word is taken from a place in which none was put. Has every access to `kept` its place() around "
        "the index, in the second phase, too? And does the first phase bring all records * stride words?");
  }
  if (size < 16) {
    why.findings.front().lessons.push_back(
        "  (`gather_buffer` counts in words of 16 bytes: one of its places is " + number(16 / size) +
        " of `kept`.)");
  }
}

/// Of a launch that asks for too much: with as many words as 64 records have, none does.
void explain_size(Failure& why, const Shape& shape, std::size_t size) {
  const simt::Refused* refused = refused_memory(why);
  const std::size_t least = block_records * shape.stride * size;
  if (refused == nullptr || refused->asked <= least) return;
  retell(why, "too-many-gaps",
         "place() leaves " + counted((refused->asked - least) / size, "word") + " free at stride " +
             number(shape.stride) + ", so that the buffer becomes too large: " + number(block_records) +
             " records of words of " + number(size) + " bytes have " + number(least) + " bytes, and " +
             number(refused->asked) + " are asked for. After how many words do the banks come round?");
  point_to(why, 7);
}

/// Of a thread that leaves the buffer, which ends with the place of the block's last element.
void explain_buffer(Failure& why, const Shape& shape, std::size_t size) {
  const std::size_t least = block_records * shape.stride * size;
  const std::optional<simt::Outside>& outside = first_finding(why)->outside;
  std::string cause = "The buffer ends with the place of the block's last element. `place` must grow with j: "
                      "no element may lie behind those that follow it.";
  if (outside && outside->array_bytes < least)
    cause += " Here the last of " + number(block_records) + " records ends at byte " +
             number(outside->array_bytes) + ", and without any gap they have " + number(least) + ".";
  explain_leaving(why, "buffer-left", cause);
  if (outside && outside->array_bytes < least) point_to(why, 7);
}

/// Calls one of the three functions with these buffer arguments.
template <typename T, typename F>
Reply call_gather(F function, const Shape& shape, Schedule schedule, const auto& out, const auto& in) {
  const auto call = [&] {
    return submission().call(CallOptions{.schedule = schedule, .sites = true}, function, out, in, shape.n,
                             shape.stride);
  };
  const auto explain = [&](Failure& why) {
    const simt::Diagnostic* finding = first_finding(why);
    if (is_about(why, "uninitialised-read") && finding->space == simt::Space::shared)
      explain_unbrought(why, shape, sizeof(T));
    else if (is_about(why, "invalid-launch"))
      explain_size(why, shape, sizeof(T));
    else if (left_shared_memory(why) != nullptr)
      explain_buffer(why, shape, sizeof(T));
  };
  return with_detail("n = " + number(shape.n) + " records, stride = " + number(shape.stride),
                     [&] { return read_in(gather_section, [&] { return changing(call, explain); }); });
}

/// Gathers and checks, for one of the three functions.
template <typename T, typename F>
Reply gather_and_check(F function, const Shape& shape, Schedule schedule, const std::vector<T>& values) {
  const std::size_t n = shape.n, stride = shape.stride;
  Reply reply = call_gather<T>(function, shape, schedule, out<T>(n * stride), in(values));
  const Moved<T> moved{reply, values, [=](std::size_t j) { return j % n * stride + j / n; }, same_bits<T>,
                       text<T>};
  const std::size_t wrong = moved.first_wrong();
  if (wrong == n * stride) return reply;
  if (n * stride >= 64) require_solved(reply);
  recognise(moved, shape);
  moved.fail_wrong(wrong, "word " + number(wrong / n) + " of record " + number(wrong % n) + ", ",
                   {handout(gather_section)});
}
template <typename T, typename F>
Reply gather_and_check(F function, const Shape& shape, Schedule schedule) {
  std::vector<T> values(shape.n * shape.stride);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = word<T>(i);
  return gather_and_check(function, shape, schedule, values);
}

/// Arrays beyond a GPU's caches, of words that the runner makes: word i has the numbers from i times its own on.
template <typename T, typename F>
void check_real_size(F function, const Shape& shape) {
  const std::size_t n = shape.n, stride = shape.stride;
  constexpr bool is_four = std::is_same_v<T, Four>;
  using Value = std::conditional_t<is_four, float, T>;
  const auto word_at = [](std::size_t i) {
    if constexpr (is_four) {
      const auto first = static_cast<float>(4 * i);
      return Four{first, first + 1, first + 2, first + 3};
    } else {
      return static_cast<T>(i);
    }
  };
  const Schedule schedule = schedules().front();
  const Reply reply =
      call_gather<T>(function, shape, schedule,
                     generated<T, Value>(n * stride, constant(-0x1.badp+90), 0).returned(), // what no word is
                     generated<T, Value>(n * stride, sequence(0, 1), 0).returned());
  const std::span<const T> after = reply.values<T>(0);
  const auto is_right = [&](std::size_t i) { return same_bits(after[i], word_at(i % n * stride + i / n)); };
  if (all_hold(after.size(), is_right)) return;
  std::vector<T> words(n * stride);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = word_at(i);
  gather_and_check<T>(function, shape, schedule, words);
  fail("wrong-result",
       std::string(function.name) + " put words into other places than theirs, and not every time.",
       {reply.in_call(), handout(gather_section)});
}

/// `strides`: those that go through all sizes; the others through one.
template <typename T, typename F>
void check_everywhere(F function) {
  check_and_shrink(typical, {1, 2, 3, 31, 32, 33, 63, 64, 65, 255, 256, 257}, [&](std::size_t n) {
    gather_and_check<T>(function, {n, 3}, schedules().front());
  });
  for (const std::size_t stride : {1, 8, 32})
    gather_and_check<T>(function, {300, stride}, schedules().front());
  for (const Schedule schedule : schedules()) {
    for (const std::size_t n : sizes(499)) {
      for (const std::size_t stride : {1, 2, 7}) gather_and_check<T>(function, {n, stride}, schedule);
    }
  }
  for (std::size_t stride = 1; stride <= 32; ++stride)
    gather_and_check<T>(function, {77, stride}, schedules().back());
  gather_and_check<T>(function, {large() / 8, 3}, schedules().back());
  if (at_real_size()) {
    for (const std::size_t stride : {4, 24, 31, 32})
      check_real_size<T>(function, {real / sizeof(T) / stride + 5, stride});
  }
}

/// Calls each of the three functions at every stride, with `n` records, and judges the reply.
void at_every_stride(std::size_t n,
                     const std::function<void(const Reply&, const Shape&, std::size_t)>& judge_it) {
  for (const Schedule schedule : schedules()) {
    for (std::size_t stride = 1; stride <= 32; ++stride) {
      // All strides in one order of the lanes, a few in the others: counts do not depend on the order.
      if (schedule != schedules().front() && stride % 8 != 6) continue;
      const Shape shape{n, stride};
      judge_it(gather_and_check<float>(CONTRACT(gather_strided_f32), shape, schedule), shape, sizeof(float));
      judge_it(gather_and_check<double>(CONTRACT(gather_strided_f64), shape, schedule), shape,
               sizeof(double));
      judge_it(gather_and_check<Four>(CONTRACT(gather_strided_f32x4), shape, schedule), shape, sizeof(Four));
    }
  }
}

/// How many words of the buffer stay free, where that can be told: every block has as many records as the others.
std::optional<std::size_t> free_words(const Reply& reply, const Shape& shape, std::size_t size) {
  if (reply.kernels().size() != 1) return {};
  const simt::KernelRecord& kernel = reply.kernels().front();
  const std::size_t blocks = volume(kernel.grid);
  const std::size_t least = blocks == 0 ? 0 : shape.n / blocks * shape.stride * size;
  if (least == 0 || shape.n % blocks != 0 || kernel.shared_bytes < least) return {};
  return (kernel.shared_bytes - least) / size;
}

bool lanes_meet(const Reply& reply) {
  return reply.counters().shared_load_wavefronts > reply.counters().shared_load_ideal_wavefronts;
}

/// Whether all lanes meet at a stride of 32 floats when they read, and none when they write, although there are free
/// words: a gap now and then would keep some of the readers apart, gaps everywhere would bring writers together.
bool place_has_no_effect() {
  constexpr Shape widest{128, 32};
  const Reply reply = gather_and_check<float>(CONTRACT(gather_strided_f32), widest, schedules().front());
  const simt::Counters& c = reply.counters();
  return free_words(reply, widest, sizeof(float)).value_or(0) != 0 &&
         c.shared_load_wavefronts == 32 * c.shared_load_requests &&
         c.shared_store_wavefronts == c.shared_store_ideal_wavefronts;
}

[[noreturn]] void fail_for_place(const Reply& reply, std::size_t free) {
  Failure why{{"place-not-used", "bank-conflict-reading"},
              "The result is right, but lanes meet in the same banks as if place(j) were j. The buffer has "
              "room for " +
                  counted(free, "free word") +
                  ", and none of them comes between the words of a request: is `kept` indexed with "
                  "place<T>(…, stride), both times?",
              costs(reply, shared_reading, place_section)};
  point_to(why, 6);
  fail(std::move(why));
}

/// Which lanes meet in a bank: two of them, where no word is free.
std::string which_lanes_meet(const Shape& shape, std::size_t size, const std::optional<std::size_t>& free) {
  const std::size_t together = 128 / size; // lanes that are served at a time
  const std::string words = "At stride " + number(shape.stride) + ", words of " + number(size) + " bytes";
  if (free != std::size_t{0} || shape.stride % 2 == 1) {
    return words + ", of which " + number(together) +
           " lanes are served at a time: which of their words lie in the same bank?";
  }
  const std::size_t again = together / std::gcd(shape.stride, together); // lanes until the banks come round
  return words + ", lane i on word " + number(shape.stride) + " * i: word 0 (lane 0) and word " +
         number(again * shape.stride) + " (lane " + number(again) + ") both lie in bank 0" +
         (size == 4 ? "" : " to " + number(size / 4 - 1)) + ". No word is free in between.";
}

} // namespace

TEST_CASE("gather_strided_f32 makes an array of each word of the records" * points(2) *
          tests("gather_strided_f32") * todo(6)) {
  check_everywhere<float>(CONTRACT(gather_strided_f32));
  const std::vector<float> delicate = {-0.0F, std::numeric_limits<float>::denorm_min(),
                                       std::numeric_limits<float>::infinity(), std::nextafter(1.0F, 2.0F)};
  for (const std::vector<float>& input : special_inputs(random_floats(257 * 5), delicate))
    gather_and_check(CONTRACT(gather_strided_f32), {257, 5}, schedules().front(), input);
}

TEST_CASE("gather_strided_f64 makes an array of each word of the records" * points(1) *
          tests("gather_strided_f64") * todo(6)) {
  check_everywhere<double>(CONTRACT(gather_strided_f64));
  gather_and_check(CONTRACT(gather_strided_f64), {257, 5}, schedules().front(), random_doubles(257 * 5));
}

TEST_CASE("gather_strided_f32x4 makes an array of each word of the records" * points(1) *
          tests("gather_strided_f32x4") * todo(6)) {
  check_everywhere<Four>(CONTRACT(gather_strided_f32x4));
}

TEST_CASE("gather_strided is coalesced on both sides of shared memory" * points(1) *
          tests("gather_strided_f32", "gather_strided_f64", "gather_strided_f32x4") * todo(6) * sim_only()) {
  at_every_stride(256, [](const Reply& reply, const Shape& shape, std::size_t size) {
    expect_each_once(reply, shape.n * shape.stride * size, gather_section,
                     "Every word comes into the buffer once and leaves it once.");
  });
}

TEST_CASE("gather_strided reads shared memory without conflicts at every stride" * points(2) *
          tests("gather_strided_f32", "gather_strided_f64", "gather_strided_f32x4") * todo(7) * sim_only()) {
  builds_on(6, 7, [] {
    at_every_stride(128, [](const Reply& reply, const Shape& shape, std::size_t size) {
      const std::optional<std::size_t> free = free_words(reply, shape, size);
      if (free.value_or(0) != 0 && lanes_meet(reply) && place_has_no_effect()) fail_for_place(reply, *free);
      Conflict conflict = {.id = "bank-conflict-reading",
                           .why = which_lanes_meet(shape, size, free),
                           .section = place_section,
                           .task = gather_section,
                           .kernel = 6};
      if (shape.stride % 2 == 1 && free.value_or(1) != 0) {
        conflict.id = "gap-not-needed";
        conflict.why = "Without any gap, a stride of " + number(shape.stride) + " with words of " +
                       number(size) +
                       " bytes has no conflict: now a gap lies between the lanes of one request. Gaps may "
                       "come no more often than the banks come round.";
      }
      expect_no_conflicts(reply, shared_reading, shape.n * shape.stride * size, conflict);
    });
  });
}

TEST_CASE("gather_strided writes shared memory without conflicts at every stride" * points(1) *
          tests("gather_strided_f32", "gather_strided_f64", "gather_strided_f32x4") * todo(7) * sim_only()) {
  builds_on(6, 7, [] {
    at_every_stride(128, [](const Reply& reply, const Shape& shape, std::size_t size) {
      Conflict conflict = {.id = "bank-conflict-writing",
                           .why = "At stride " + number(shape.stride) + ", words of " + number(size) +
                                  " bytes: neighbours stay neighbours, unless a gap comes between lanes of "
                                  "one request; where may it come?",
                           .section = place_section,
                           .task = gather_section,
                           .kernel = 6};
      const bool without_gaps = free_words(reply, shape, size) == std::size_t{0};
      if (without_gaps)
        conflict.why = "There are no gaps in the buffer: when it is filled, are neighbouring lanes on "
                       "neighbouring elements?";
      const auto check = [&] {
        expect_no_conflicts(reply, shared_writing, shape.n * shape.stride * size, conflict);
      };
      changing(check, [&](Failure& why) {
        if (without_gaps) point_to(why, conflict.kernel);
      });
    });
  });
}

} // namespace gather_rubric
