// The rubric of TODO(6) and TODO(7): gather_strided with words of 4, 8 and 16 bytes.

#include <algorithm>
#include <numeric>

#include "rubric.hpp"

using namespace shared_memory;

namespace gather_rubric {

namespace {

const RunsThrough parts_of_gather({"gather_strided_f32", "gather_strided_f64", "gather_strided_f32x4"},
                                  {6, 7});

const std::string gather_section = "TODO(6): gather records";

/// Several blocks of any usual size, and a tail.
constexpr std::size_t typical = 1301;

/// Words that begin with their own number, so that each differs from every other: exact in every type, and values
/// of a sequence.
template <typename T>
T word(std::size_t number) {
  if constexpr (std::is_same_v<T, Four>) {
    const auto first = static_cast<float>(number);
    return {first, first + 0.25F, first + 0.5F, first + 0.75F};
  } else {
    return static_cast<T>(number);
  }
}

template <typename T>
std::string text(const T& value) {
  if constexpr (std::is_same_v<T, Four>)
    return say("{value} (and three more)", to_text(value.x));
  else
    return to_text(value);
}

constexpr std::size_t block_records = 64; ///< of the starter's launch

struct Shape {
  std::size_t n, stride;

  std::size_t words() const { return n * stride; }
  /// Where element j of the result comes from.
  Origin origin(std::size_t j) const { return j % n * stride + j / n; }
};

std::string in_words(const Shape& shape) {
  return say("n = {n} records, stride = {stride}", shape.n, shape.stride);
}

/// One of the three functions.
template <typename T>
using Gather = Function<void(T*, const T*, std::size_t, std::size_t)>;

/// Fails the item if the shape of a wrong result is known; returns if it is not.
template <typename T>
void recognise(const Moved<T>& moved, const Shape& shape) {
  const std::size_t n = shape.n, stride = shape.stride;
  if (n > 1 && stride > 1) {
    moved.fail_if_made({{message("order-kept"), [](std::size_t j) { return j; }},
                        {message("scattered"), [=](std::size_t j) { return j % stride * n + j / stride; }},
                        {message("first-word-only"), [=](std::size_t j) { return j % n * stride; }},
                        {message("taken-from-another-place"),
                         [=](std::size_t j) { // of the elements that a block has brought
                           const std::size_t i = j % n, k = j / n, first = i / block_records * block_records;
                           const std::size_t records = std::min(block_records, n - first);
                           return first * stride + k * records + i % block_records;
                         }}},
                       {in_words(shape)});
  }
  const auto all_words = [&](std::size_t i, auto holds) {
    return all_hold(stride, [&](std::size_t k) { return holds(k * n + i); });
  };
  const std::optional<LeftOut> left = left_out(
      n,
      [&](std::size_t i) { return all_words(i, [&](std::size_t j) { return moved.reply.unwritten(0, j); }); },
      [&](std::size_t i) { return all_words(i, [&](std::size_t j) { return moved.is_right(j); }); });
  if (left && left->first + left->count == n)
    fail(message("tail-skipped/records", left->count), {in_words(shape)});
}

/// Of a word that is read and that no thread has brought: by a thread behind the last record, or from another place
/// than it was brought to.
void explain_unbrought(Failure& why, const Shape& shape, std::size_t size) {
  const std::size_t rest = shape.n % block_records;
  const std::optional<simt::ThreadId>& reader = first_finding(why)->participants.front().thread;
  if (rest != 0 && reader && reader->block[0] == shape.n / block_records && reader->thread[0] >= rest)
    retell(why, message("thread-without-record", rest, shape.n, block_records - 1));
  else
    retell(why, message("place-forgotten"));
  if (size < 16)
    why.findings.front().lessons.push_back("  " + message("/words-of-16-bytes", 16 / size).sentence);
}

/// Calls one of the three functions with these buffer arguments.
template <typename T>
Reply call_gather(Gather<T> function, const Shape& shape, Schedule schedule, const auto& out,
                  const auto& in) {
  const std::size_t least = block_records * shape.stride * sizeof(T); // of a block, without gaps
  const auto explain = [&](Failure& why) {
    const simt::Finding *finding = first_finding(why), *leaving = left_shared_memory(why);
    const simt::Refused* refused = refused_memory(why);
    if (is_about(why, "uninitialised-read") && finding->space == simt::Space::shared) {
      explain_unbrought(why, shape, sizeof(T));
    } else if (is_about(why, "global-race") && finding->variable == "out") {
      advise(why, message("index-of-out"));
    } else if (refused != nullptr && refused->asked > least) {
      retell(why, message("too-many-gaps", (refused->asked - least) / sizeof(T), shape.stride, sizeof(T),
                          least, refused->asked));
    } else if (leaving != nullptr) { // the buffer ends with the place of the block's last element
      const auto* outside = leaving->get<simt::Outside>();
      const std::size_t end = outside ? outside->array_bytes : least;
      add_instead(why, message("buffer-left/place", end < least, end, least));
      if (end < least) point_to(why, 7);
    }
  };
  return call_explained(
      {.section = gather_section, .schedule = schedule, .shape = in_words(shape), .explain = explain},
      function, out, in, shape.n, shape.stride);
}

/// Gathers and checks, for one of the three functions.
template <typename T>
Reply gather_and_check(Gather<T> function, const Shape& shape, Schedule schedule,
                       const std::vector<T>& values) {
  Reply reply = call_gather(function, shape, schedule, out<T>(shape.words()), in(values));
  const Moved<T> moved{reply, values, [=](std::size_t j) { return shape.origin(j); }, same_bits<T>, text<T>};
  const std::size_t wrong = moved.first_wrong();
  if (wrong == shape.words()) return reply;
  const Rule about = about_wrong(moved);
  if (shape.words() >= 64) require_solved(reply);
  recognise(moved, shape);
  reading_on(gather_section, [&] {
    moved.fail_wrong(wrong, say("word {word} of record {record}, ", wrong / shape.n, wrong % shape.n), {});
  });
  return reply;
}
template <typename T>
Reply gather_and_check(Gather<T> function, const Shape& shape, Schedule schedule) {
  std::vector<T> values(shape.words());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = word<T>(i);
  return gather_and_check(function, shape, schedule, values);
}

/// Arrays beyond a GPU's caches, of words that the runner makes.
template <typename T>
void check_real_size(Gather<T> function, const Shape& shape) {
  using Value = std::conditional_t<std::is_same_v<T, Four>, float, T>;
  constexpr double step = static_cast<double>(sizeof(Value)) / sizeof(T);
  const auto words = [&](const Distribution& values) {
    return generated<T, Value>(shape.words(), values, 0).returned();
  };
  const Schedule schedule = schedules().front();
  const auto nothing = words(constant(-0x1.badp+90)); // what no word is
  const Reply reply = call_gather(function, shape, schedule, nothing, words(sequence(0, step)));
  const std::span<const T> after = reply.values<T>(0);
  const auto is_right = [&](std::size_t i) { return same_bits(after[i], word<T>(shape.origin(i))); };
  if (all_hold(after.size(), is_right)) return;
  gather_and_check(function, shape, schedule);
  fail(message("wrong-result/not-every-time", function.name), {reply.in_call()});
}

/// Places in both arrays that need more than 32 bits; so does where the last word of all records begins. The last block has one
/// record, whatever power of two the others have.
void check_far_records() {
  constexpr Shape shape{(std::size_t{1} << 27) + (std::size_t{1} << 23) + 1, 32};
  static_assert((shape.stride - 1) * shape.n > std::size_t{1} << 32);
  constexpr std::size_t last = shape.n - 1;
  check_far_elements(
      CONTRACT(gather_strided_f32), shape.words(), {last, shape.n, shape.stride},
      {last * shape.stride, 1, shape.stride}, [&](std::size_t j) { return shape.origin(j); },
      "i * stride + k or k * n + i", shape.n, shape.stride);
}

template <typename T>
void check_everywhere(Gather<T> function) {
  check_and_shrink(typical, {1, 2, 3, 31, 32, 33, 63, 64, 65, 255, 256, 257}, [&](std::size_t n) {
    gather_and_check(function, {n, 3}, schedules().front());
  });
  for (const std::size_t stride : {1, 8, 32}) gather_and_check(function, {300, stride}, schedules().front());
  for (const Schedule schedule : schedules()) {
    for (const std::size_t n : sizes(499)) {
      for (const std::size_t stride : {1, 2, 7}) gather_and_check(function, {n, stride}, schedule);
    }
  }
  for (std::size_t stride = 1; stride <= 32; ++stride)
    gather_and_check(function, {77, stride}, schedules().back());
  gather_and_check(function, {large() / 8, 3}, schedules().back());
  if (at_real_size()) {
    for (const std::size_t stride : {4, 24, 31, 32})
      check_real_size(function, {real / sizeof(T) / stride + 5, stride});
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
      judge_it(gather_and_check(CONTRACT(gather_strided_f32), shape, schedule), shape, sizeof(float));
      judge_it(gather_and_check(CONTRACT(gather_strided_f64), shape, schedule), shape, sizeof(double));
      judge_it(gather_and_check(CONTRACT(gather_strided_f32x4), shape, schedule), shape, sizeof(Four));
    }
  }
}

/// How many words of the buffer stay free, where that can be known: every block has as many records as the others.
std::optional<std::size_t> free_words(const Reply& reply, const Shape& shape, std::size_t size) {
  if (reply.kernels().size() != 1) return {};
  const simt::KernelRecord& kernel = reply.kernels().front();
  const std::size_t blocks = volume(kernel.grid);
  const std::size_t least = blocks == 0 ? 0 : shape.n / blocks * shape.stride * size;
  if (least == 0 || shape.n % blocks != 0 || kernel.shared_bytes < least) return {};
  return (kernel.shared_bytes - least) / size;
}

/// How many elements there are until the banks repeat, and how many gaps come before the last element of a block.
struct Repeat {
  std::size_t elements, gaps;
};
Repeat repeat_of(const Shape& shape, std::size_t size) {
  const std::size_t elements = std::lcm(shape.stride, 128 / size);
  return {elements, (block_records * shape.stride - 1) / elements};
}

/// Whether place() leaves a word free now and then, and not each time the banks repeat.
bool has_too_few(const std::optional<std::size_t>& free, const Repeat& repeat) {
  return free.value_or(0) != 0 && *free < repeat.gaps;
}

bool lanes_meet(const Reply& reply) {
  return reply.counters().shared_load_wavefronts > reply.counters().shared_load_ideal_wavefronts;
}

/// Whether all lanes meet at a stride of 32 floats when they read, and none when they write, although there are free
/// words: a gap now and then would keep some of the readers apart, gaps everywhere would bring writers together.
bool place_has_no_effect() {
  constexpr Shape widest{128, 32};
  const Reply reply = gather_and_check(CONTRACT(gather_strided_f32), widest, schedules().front());
  const simt::Counters& c = reply.counters();
  return free_words(reply, widest, sizeof(float)).value_or(0) != 0 &&
         c.shared_load_wavefronts == 32 * c.shared_load_requests &&
         c.shared_store_wavefronts == c.shared_store_ideal_wavefronts;
}

/// Which lanes meet in a bank when they read: two of them, where no word is free.
LabMessage why_readers_meet(const Shape& shape, std::size_t size, const std::optional<std::size_t>& free) {
  const std::size_t together = 128 / size;                               // lanes that are served at a time
  const std::size_t again = together / std::gcd(shape.stride, together); // lanes until the banks repeat
  if (const Repeat repeat = repeat_of(shape, size); has_too_few(free, repeat))
    return message("gaps-too-rare", shape.stride, size, 128 / size, repeat.elements, repeat.gaps,
                   block_records * shape.stride, *free);
  if (shape.stride % 2 == 1 && free.value_or(1) != 0) return message("gap-not-needed", shape.stride, size);
  if (shape.stride % 2 == 1 || free != std::size_t{0})
    return message("bank-conflict-reading/which", shape.stride, size, together);
  return message("bank-conflict-reading", shape.stride, size, again * shape.stride, again, size > 4,
                 size / 4 - 1);
}

} // namespace

TEST_CASE("gather_strided_f32 makes an array of each word of the records" * points(2) *
          tests("gather_strided_f32") * todo(6)) {
  check_everywhere(CONTRACT(gather_strided_f32));
  const std::vector<float> delicate = {-0.0F, std::numeric_limits<float>::denorm_min(),
                                       std::numeric_limits<float>::infinity(), std::nextafter(1.0F, 2.0F)};
  for (const std::vector<float>& input : special_inputs(random_floats(257 * 5), delicate))
    gather_and_check(CONTRACT(gather_strided_f32), {257, 5}, schedules().front(), input);
  check_far_records();
}

TEST_CASE("gather_strided_f64 makes an array of each word of the records" * points(1) *
          tests("gather_strided_f64") * todo(6)) {
  check_everywhere(CONTRACT(gather_strided_f64));
  gather_and_check(CONTRACT(gather_strided_f64), {257, 5}, schedules().front(), random_doubles(257 * 5));
}

TEST_CASE("gather_strided_f32x4 makes an array of each word of the records" * points(1) *
          tests("gather_strided_f32x4") * todo(6)) {
  check_everywhere(CONTRACT(gather_strided_f32x4));
}

TEST_CASE("gather_strided is coalesced on both sides of shared memory" * points(1) *
          tests("gather_strided_f32", "gather_strided_f64", "gather_strided_f32x4") * todo(6) * sim_only()) {
  at_every_stride(256, [](const Reply& reply, const Shape& shape, std::size_t size) {
    judge_both(reply, need_once(shape.words() * size, message("/record-once")));
  });
}

TEST_CASE("gather_strided reads shared memory without conflicts at every stride" * points(2) *
          tests("gather_strided_f32", "gather_strided_f64", "gather_strided_f32x4") * todo(7) * sim_only()) {
  builds_on(6, 7, [] {
    at_every_stride(128, [](const Reply& reply, const Shape& shape, std::size_t size) {
      const std::optional<std::size_t> free = free_words(reply, shape, size);
      if (free.value_or(0) != 0 && !has_too_few(free, repeat_of(shape, size)) && lanes_meet(reply) &&
          place_has_no_effect()) {
        fail_also(message("place-not-used", *free), "bank-conflict-reading", costs(reply, shared_reading));
      }
      expect_no_conflicts(reply, shared_reading, shape.words() * size,
                          conflict_of(why_readers_meet(shape, size, free), gather_section, 6));
    });
  });
}

TEST_CASE("gather_strided writes shared memory without conflicts at every stride" * points(1) *
          tests("gather_strided_f32", "gather_strided_f64", "gather_strided_f32x4") * todo(7) * sim_only()) {
  builds_on(6, 7, [] {
    at_every_stride(128, [](const Reply& reply, const Shape& shape, std::size_t size) {
      const bool without_gaps = free_words(reply, shape, size) == std::size_t{0};
      const LabMessage why_meet = without_gaps ? message("bank-conflict-writing/without-gaps")
                                               : message("bank-conflict-writing", shape.stride, size);
      const Conflict conflict = conflict_of(why_meet, gather_section, 6);
      changing([&] { expect_no_conflicts(reply, shared_writing, shape.words() * size, conflict); },
               [&](Failure& why) {
                 if (without_gaps) point_to(why, conflict.kernel);
               });
    });
  });
}

} // namespace gather_rubric
