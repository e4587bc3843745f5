// The rubric of TODO(1) and TODO(2): offset_add and stride_add, for float and double. One item tests one
// thing. Technique items require the right result first, and then count.

#include "rubric.hpp"

using namespace coalescing;

namespace {

/// Values around which adding one rounds, vanishes or changes the sign.
template <typename T>
std::vector<T> extreme_values() {
  const T ulp_is_two = std::ldexp(T{1}, std::numeric_limits<T>::digits + 1);
  return {T{-1},
          -T{0},
          ulp_is_two,
          -ulp_is_two,
          std::numeric_limits<T>::min(),
          std::numeric_limits<T>::max(),
          std::numeric_limits<T>::infinity(),
          T{1} / T{3}};
}

/// Mistakes that change other elements; of a[offset + i], and of a[i * stride].
template <typename T>
std::vector<Mistake<T>> mistakes_of(const Pattern& pattern, std::span<const T> before) {
  const std::size_t n = pattern.n, offset = pattern.offset, stride = pattern.stride;
  const auto where = [before](auto is_changed) {
    return [=](std::size_t j) { return is_changed(j) ? before[j] + T{1} : before[j]; };
  };
  const auto first_n = where([=](std::size_t j) { return j < n; });
  const Mistake<T> index_added{message("index-added"), [=](std::size_t j) {
                                 const auto i = static_cast<T>((j - offset) / stride);
                                 return pattern.has(j) ? before[j] + i : before[j];
                               }};
  if (stride == 1) {
    return {
        index_added,
        {message("offset-ignored"), first_n},
        // No rounded division leaves exactly `offset` elements out at all sizes; the first one asked for leaves so
        // many with no block of more than 4 threads (check_offsets).
        {message("offset-in-bound"), where([=](std::size_t j) { return j >= offset && j < n; })},
    };
  }
  // The handout's launch has blocks of 256 threads.
  constexpr std::size_t block = 256;
  const auto in_steps = [=](std::size_t j) { // j = b * block + t * stride
    for (std::size_t b = j / block + 1; b-- > 0 && j - b * block <= (block - 1) * stride;)
      if ((j - b * block) % stride == 0 && b <= (n - 1) / block) return true;
    return false;
  };
  return {
      index_added,
      {message("stride-of-the-thread-alone"), where(in_steps)},
      {message("stride-of-the-thread-alone"), where([=](std::size_t j) { return j < n && in_steps(j); })},
      {message("stride-ignored"), first_n},
      {message("stride-added"), where([=](std::size_t j) { return j >= stride && j < stride + n; })},
      {message("between-changed"), where([](std::size_t) { return true; })},
      {message("stride-in-bound"), where([=](std::size_t j) { return j % stride == 0 && j < n; })},
      {message("stride-in-bound/divided"),
       where([=](std::size_t j) { return j % stride == 0 && j < n / stride * stride; })},
  };
}

/// Fails the item if the shape of a wrong result gives away what is wrong; returns if it does not.
template <typename T>
void recognise(const Pattern& pattern, std::span<const T> before, std::span<const T> after,
               std::span<const T> wanted) {
  const std::size_t n = pattern.n;
  const auto unchanged = [&](std::size_t i) {
    return after[pattern.position(i)] == before[pattern.position(i)];
  };
  const auto wrong = [&](std::size_t i) {
    return !(after[pattern.position(i)] == wanted[pattern.position(i)]);
  };
  const std::string which =
      pattern.stride > 1 ? "stride = " + number(pattern.stride) : "offset = " + number(pattern.offset);
  fail_if_made(
      mistakes_of(pattern, before), before.size(), [&](std::size_t j, T value) { return after[j] == value; },
      [&](std::size_t j, T value) { return wanted[j] == value; }, {which + ", n = " + number(n)});

  // On a GPU the blocks may all read the old value before one of them writes, and the first block's elements
  // come out right by luck. A division that rounds down leaves fewer elements than one block out, and never
  // that many.
  std::size_t done = n; // elements before those at the end that have no sum
  while (done > 0 && wrong(done - 1) && unchanged(done - 1)) --done;
  const std::size_t largest_block = 1024, first = pattern.position(0);
  if (n > 2 * largest_block && done > 0 && done <= largest_block && !unchanged(0)) {
    fail(message("block-index-missing"), {say("a[{index}] was {before} and became {after}", first,
                                              to_text(before[first]), to_text(after[first]))});
  }
  // A thread for every place of the array, where the launch has one for every element to change.
  const std::size_t places = pattern.position(done);
  if (pattern.stride > 1 && n > 2 * largest_block && places >= n && places <= n + largest_block &&
      all_hold(done, [&](std::size_t i) { return !wrong(i); }))
    fail(message("array-scanned", places), {which + ", n = " + number(n)});
  if (const std::optional<LeftOut> left = left_out(
          n, [&](std::size_t i) { return wrong(i) && unchanged(i); },
          [&](std::size_t i) { return !wrong(i); });
      left && left->first == done) {
    fail(left->count == 1 ? message("tail-skipped/one", n, done) : message("tail-skipped", n, left->count),
         {say("first element without its sum: a[{index}], that is i = {i}", pattern.position(done), done)});
  }
  if (all_hold(n, [&](std::size_t i) { return after[pattern.position(i)] == after[first]; }) &&
      !all_hold(n, [&](std::size_t i) { return before[pattern.position(i)] == before[first]; })) {
    fail(message("answer-hard-coded", to_text(after[first])));
  }
  // Both roundings to a float, of the element and of the sum, are relative to the larger of the two.
  const auto is_rounded = [&](std::size_t i) {
    const std::size_t j = pattern.position(i);
    return std::abs(after[j] - wanted[j]) <= std::max(std::abs(before[j]), std::abs(wanted[j])) * T{0x1p-22};
  };
  std::size_t odd = 0;
  while (odd < n && !wrong(odd)) ++odd;
  if (sizeof(T) == sizeof(double) && odd < n &&
      all_hold(n, [&](std::size_t i) { return !wrong(i) || is_rounded(i); })) {
    const std::size_t j = pattern.position(odd);
    fail(message("single-precision"),
         {say("a[{index}] is {actual}, and {right} is right", j, to_text(after[j]), to_text(wanted[j]))});
  }
}

/// One of the functions. `by` is the member of a pattern that it takes; `section` of the handout says which thread takes
/// which element.
template <typename F>
struct Add {
  F function;
  std::size_t Pattern::*by;
  const char* section;

  Reply call(const CallOptions& options, const auto& a, const Pattern& p) const {
    return submission().call(options, function, a, p.n, p.*by);
  }
  /// n elements at this offset, or of this stride.
  Pattern pattern(std::size_t n, std::size_t value) const {
    Pattern made{.n = n};
    made.*by = value;
    return made;
  }
};
template <typename F>
Add<F> offset_add(F function) {
  return {function, &Pattern::offset, "More threads than elements"};
}
template <typename F>
Add<F> stride_add(F function) {
  return {function, &Pattern::stride, "What a stride costs"};
}

/// Calls `f` on the array `a`, a buffer argument.
template <typename F>
Reply call_explained(F f, const CallOptions& options, const auto& a, const Pattern& pattern) {
  return explaining([&] { return f.call(options, a, pattern); },
                    [&](Failure& why) {
                      if (!explain_same_element(why)) read_on(why, f.section);
                    });
}

/// Adds by `f` to the pattern's elements of `before`, and requires the right sums to the last bit: one
/// addition rounds one way.
template <typename T, typename F>
Reply add_and_check(F f, const Pattern& pattern, const std::vector<T>& before, Schedule schedule) {
  std::vector<T> wanted = before;
  for (std::size_t i = 0; i < pattern.n; ++i) wanted[pattern.position(i)] += T{1};
  return checked(
      pattern.n,
      [&] {
        return call_explained(f, {.schedule = schedule, .sites = true, .sources = same_element_of(0)},
                              inout(before), pattern);
      },
      [&](const Reply& reply) { return std::ranges::equal(reply.values<T>(0), wanted); },
      [&](const Reply& reply) {
        const std::span<const T> after = reply.values<T>(0);
        const Rule about = about_wrong(reply, 0, [&](std::size_t i) { return after[i] == wanted[i]; });
        if (pattern.n > 1) recognise<T>(pattern, before, after, wanted);
        expect_equal(reply, 0, wanted);
      });
}
template <typename T, typename F>
Reply add_and_check(F f, const Pattern& pattern, Schedule schedule) {
  return add_and_check<T>(f, pattern, random_values<T>(pattern.length()), schedule);
}

/// On a GPU: an array beyond its caches, of values that the runner makes.
template <typename T, typename F>
void check_real_size(F f, const Pattern& pattern) {
  const Drawn<T> values;
  const std::size_t length = pattern.length();
  const Reply reply = call_explained(f, {}, values.buffer(length).returned(), pattern);
  expect_everywhere<T>(
      reply, 0, [&](std::size_t j) { return values[j] + (pattern.has(j) ? T{1} : T{0}); },
      [&] { add_and_check<T>(f, pattern, values.values(length), schedules().front()); });
}

/// Elements whose places need more than 32 bits: on a GPU in an array that stays there and of which some thousand elements
/// come back; on the simulator in one that has the pattern's elements alone.
template <typename T, typename F>
void check_far_elements(F f, const Pattern& pattern) {
  const bool is_sparse = submission().backend() == Backend::sim;
  if (!is_sparse && !has_room_for(pattern.length() * sizeof(T))) return;
  const Drawn<T> values;
  const auto array = values.buffer(pattern.length());
  const char* place = pattern.stride == 1 ? "offset + i" : "i * stride";
  const auto change = [&](Failure& why) {
    if (is_about(why, "out-of-bounds") || is_about(why, "global-race"))
      retell(why, message("index-overflow/wrapped", place));
  };
  std::optional<Reply> reply;
  std::optional<Failure> failed = failure_in([&] {
    reply = changing(
        [&] {
          return f.call({.timeout = std::chrono::seconds(60)},
                        is_sparse ? array.sparse(pattern.offset, pattern.stride, pattern.n) : array.sampled(),
                        pattern);
        },
        change);
  });
  // A thread for every element of the array may be too much, and is not wrong.
  if (failed && is_sparse && (is_about(*failed, "too-much-work") || is_about(*failed, "step-budget"))) return;
  if (failed) pass_on(std::move(*failed));
  const auto wanted = [&](std::size_t i) {
    return pattern.has(i) ? values[i] + T{1} : is_sparse ? T{0} : values[i];
  };
  const std::span<const T> after = reply->values<T>(0);
  for (std::size_t k = 0; k < after.size(); ++k) {
    const std::size_t i = reply->indices(0)[k];
    if (after[k] != wanted(i) && (i >> 31 != 0 || after[k] == wanted(i) + 1))
      fail(message("index-overflow", i, to_text(after[k]), to_text(wanted(i)), place), {reply->in_call()});
  }
  expect_samples<T>(*reply, 0, wanted);
}

/// Offsets or strides that are asked for.
struct Asked {
  std::size_t first; ///< at a size at which the usual mistakes show their shape
  std::vector<std::size_t> sizes, at_each_size;
  Pattern some, large, real, far;
};

template <typename T, typename F>
void check_patterns(const Add<F>& f, const Asked& asked) {
  check_and_shrink(typical, sizes(), [&](std::size_t n) {
    add_and_check<T>(f, f.pattern(n, asked.first), schedules().front());
  });
  for (const Schedule schedule : schedules()) {
    for (const std::size_t n : asked.sizes) {
      for (const std::size_t value : asked.at_each_size) add_and_check<T>(f, f.pattern(n, value), schedule);
    }
  }
  for (std::size_t value = asked.at_each_size.front(); value <= 32; ++value)
    add_and_check<T>(f, f.pattern(asked.some.n, value), schedules().back());
  const std::vector<T> random = random_values<T>(asked.some.length());
  for (const std::vector<T>& input : special_inputs(random, extreme_values<T>()))
    add_and_check<T>(f, asked.some, input, schedules().front());
  add_and_check<T>(f, asked.large, schedules().back());
  if (submission().backend() == Backend::cuda) check_real_size<T>(f, asked.real);
  if constexpr (sizeof(T) == sizeof(float)) check_far_elements<T>(f, asked.far);
}

template <typename T, typename F>
void check_offsets(const Add<F>& f) {
  // 5003 less the offset 7 is 4 times a prime: who forgets the end of a division leaves another number of elements out. The
  // offsets share a block's and a sector's phase with none, one or all of the sizes.
  check_patterns<T>(f, {.first = 7,
                        .sizes = sizes(),
                        .at_each_size = {0, 1, 7, 31, 32},
                        .some = {.n = 1000, .offset = 3},
                        .large = {.n = large, .offset = 5},
                        .real = {.n = real, .offset = 9},
                        .far = {.n = 600, .offset = (std::size_t{1} << 32) + 77}});
}

template <typename T, typename F>
void check_strides(const Add<F>& f) {
  // On a GPU so many elements that an int cannot count the array.
  const Pattern far = submission().backend() == Backend::sim
                          ? Pattern{.n = 600, .stride = std::size_t{1} << 23}
                          : Pattern{.n = (std::size_t{1} << 27) + 11, .stride = 32};
  check_patterns<T>(f, {.first = 3,
                        .sizes = sizes(997),
                        .at_each_size = {1, 2, 7, 32},
                        .some = {.n = 500, .stride = 5},
                        .large = {.n = large / 7, .stride = 13},
                        .real = {.n = real / 32, .stride = 31},
                        .far = far});
}

/// Whether the bytes that `reply` asked for are more than n elements', and the elements before the offset, or between
/// those of a stride, account for that: at another offset or stride, with the same n, as many bytes more as those are.
template <typename T, typename F>
bool asks_for_others(F f, const Pattern& pattern, const Way& way, const Reply& reply) {
  const auto further = [&](const Reply& asked) {
    return static_cast<std::ptrdiff_t>(asked.counters().*way.bytes) -
           static_cast<std::ptrdiff_t>(pattern.n * sizeof(T));
  };
  if (further(reply) <= 0) return false;
  Pattern other = pattern;
  if (pattern.stride == 1) {
    other.offset += 5; // the elements before a boundary are others, and not 5 more
    const auto before = [](const Pattern& p) { return static_cast<std::ptrdiff_t>(p.offset * sizeof(T)); };
    return further(reply) == before(pattern) &&
           further(add_and_check<T>(f, other, schedules().front())) == before(other);
  }
  ++other.stride;
  return further(add_and_check<T>(f, other, schedules().front())) > further(reply);
}

/// Judges both directions of a call that gave the right result.
template <typename T, typename F>
void judge_both(F f, const Pattern& pattern, const Reply& reply, const Need& need) {
  expect_no_atomics(reply, "One thread, one element");
  for (const Way& way : {reading, writing}) {
    Need told = need;
    if (asks_for_others<T>(f, pattern, way, reply))
      told.others = pattern.stride == 1 ? say("elements before a[offset]")
                                        : say("elements between a[i * stride] and the next");
    judge(reply, way, told);
  }
}

constexpr std::size_t whole_blocks = 1 << 14;

/// Counts with these patterns, of whole blocks, and then with an odd number of elements, which may take `further` sectors
/// more.
template <typename T, typename F, typename NeedOf>
void check_traffic(F f, const std::vector<Pattern>& patterns, Pattern odd, const NeedOf& need_of,
                   std::size_t further) {
  for (const Pattern& pattern : patterns) {
    for (const Schedule schedule : schedules())
      judge_both<T>(f, pattern, add_and_check<T>(f, pattern, schedule), need_of(pattern));
  }
  const std::size_t whole = odd.n;
  odd.n = with_odd_end(whole);
  judge_both<T>(f, odd, add_and_check<T>(f, odd, schedules().front()),
                with_tail(need_of(odd), odd.n, whole, further));
}

/// Counts at offset 0: no sector more than ideal.
template <typename T, typename F>
void check_aligned(F f) {
  const Pattern whole{.n = whole_blocks};
  check_traffic<T>(f, {whole}, whole, offset_need<T>, warps_for(whole.n));
}

/// Counts at other offsets: at most one sector more than ideal for every 32 elements.
template <typename T, typename F>
void check_misaligned(F f) {
  const auto need_at = [](const Pattern& pattern) {
    Need need = offset_need<T>(pattern);
    need.most_sectors += warps_for(pattern.n);
    need.most_requests += 2;
    return need;
  };
  std::vector<Pattern>
      patterns; // at offset 1, who forgets the last element and who compares offset + i leave the same
  for (const std::size_t offset : {2, 1, 3, 5, 7, 9, 31})
    patterns.push_back({.n = whole_blocks, .offset = offset});
  check_traffic<T>(f, patterns, {.n = whole_blocks, .offset = 3}, need_at, 0);
}

/// Counts at several strides, exactly, and with a tail at one of them.
template <typename T, typename F>
void check_stride_traffic(F f) {
  constexpr std::size_t n = 1 << 13;
  std::vector<Pattern> patterns;
  for (const std::size_t stride : {1, 2, 3, 4, 7, 8, 16, 32}) patterns.push_back({.n = n, .stride = stride});
  check_traffic<T>(f, patterns, {.n = n, .stride = 2}, stride_need<T>, warps_for(n));
}

} // namespace

TEST_CASE("offset_add_f32 adds one to n elements from the offset on" * points(2) * tests("offset_add_f32") *
          todo(1)) {
  check_offsets<float>(offset_add(CONTRACT(offset_add_f32)));
}

TEST_CASE("offset_add_f64 adds one to n elements from the offset on" * points(2) * tests("offset_add_f64") *
          todo(1)) {
  check_offsets<double>(offset_add(CONTRACT(offset_add_f64)));
}

TEST_CASE("offset_add_f32 touches no sector twice when aligned" * points(1) * tests("offset_add_f32") *
          todo(1) * sim_only()) {
  check_aligned<float>(offset_add(CONTRACT(offset_add_f32)));
}

TEST_CASE("offset_add_f64 touches no sector twice when aligned" * points(1) * tests("offset_add_f64") *
          todo(1) * sim_only()) {
  check_aligned<double>(offset_add(CONTRACT(offset_add_f64)));
}

TEST_CASE("offset_add_f32 pays at most one more sector per request when misaligned" * points(1) *
          tests("offset_add_f32") * todo(1) * sim_only()) {
  check_misaligned<float>(offset_add(CONTRACT(offset_add_f32)));
}

TEST_CASE("offset_add_f64 pays at most one more sector per request when misaligned" * points(1) *
          tests("offset_add_f64") * todo(1) * sim_only()) {
  check_misaligned<double>(offset_add(CONTRACT(offset_add_f64)));
}

TEST_CASE("stride_add_f32 adds one to every stride-th element" * points(2) * tests("stride_add_f32") *
          todo(2)) {
  check_strides<float>(stride_add(CONTRACT(stride_add_f32)));
}

TEST_CASE("stride_add_f64 adds one to every stride-th element" * points(2) * tests("stride_add_f64") *
          todo(2)) {
  check_strides<double>(stride_add(CONTRACT(stride_add_f64)));
}

TEST_CASE("stride_add_f32 touches only the sectors of its elements" * points(1) * tests("stride_add_f32") *
          todo(2) * sim_only()) {
  check_stride_traffic<float>(stride_add(CONTRACT(stride_add_f32)));
}

TEST_CASE("stride_add_f64 touches only the sectors of its elements" * points(1) * tests("stride_add_f64") *
          todo(2) * sim_only()) {
  check_stride_traffic<double>(stride_add(CONTRACT(stride_add_f64)));
}
