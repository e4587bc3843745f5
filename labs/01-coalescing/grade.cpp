// The rubric of lab 01: offset_add for float and double. One item tests one thing; technique items ask for
// the right result first and then count.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "grader/grader.hpp"
#include "lab.hpp"

using namespace warpbook;

namespace {

/// One input: what it is, for messages, and the whole array of offset + n elements.
template <typename T>
struct Input {
  std::string what;
  std::vector<T> values;
};

template <typename T>
std::vector<T> random_values(std::size_t count) {
  if constexpr (sizeof(T) == sizeof(float))
    return random_floats(count, -100, 100);
  else
    return random_doubles(count, -100, 100);
}

template <typename T>
std::vector<Input<T>> inputs(std::size_t count) {
  std::vector<Input<T>> list;
  list.push_back({"random values", random_values<T>(count)});
  list.push_back({"one value everywhere", std::vector<T>(count, random_values<T>(1)[0])});
  std::vector<T> sorted = random_values<T>(count);
  std::sort(sorted.begin(), sorted.end());
  list.push_back({"sorted values", std::move(sorted)});
  // Values around which adding one rounds, vanishes or changes the sign.
  const T ulp_is_two = std::ldexp(T{1}, std::numeric_limits<T>::digits + 1);
  const T edges[] = {T{-1},
                     -T{0},
                     ulp_is_two,
                     -ulp_is_two,
                     std::numeric_limits<T>::min(),
                     std::numeric_limits<T>::max(),
                     std::numeric_limits<T>::infinity(),
                     T{1} / T{3}};
  std::vector<T> adversarial(count);
  for (std::size_t i = 0; i < count; ++i) adversarial[i] = edges[i % std::size(edges)];
  list.push_back({"extreme values", std::move(adversarial)});
  return list;
}

template <typename T>
std::vector<T> plus_one(std::vector<T> a, std::size_t offset) {
  for (std::size_t i = offset; i < a.size(); ++i) a[i] += T{1};
  return a;
}

std::string number(std::size_t value) { return std::to_string(value); }

/// Why a wrong result is wrong, where its shape gives the misconception away; returns if it does not.
template <typename T>
void recognise(std::span<const T> before, std::span<const T> after, std::span<const T> wanted,
               std::size_t offset) {
  const std::size_t n = before.size() - offset;
  const auto same = [](T a, T b) { return a == b; };
  const auto wrong = [&](std::size_t i) { return !same(after[i], wanted[i]); };
  const auto unchanged = [&](std::size_t i) { return same(after[i], before[i]); };

  if (offset > 0) {
    bool shifted = true; // a[0 .. n) has the sums that a[offset .. offset + n) should have
    for (std::size_t i = 0; i < before.size() && shifted; ++i) {
      shifted = same(after[i], i < n ? before[i] + T{1} : before[i]);
    }
    if (shifted) {
      fail("offset-ignored",
           "The elements a[0] to a[n-1] were changed; a[offset] to a[offset + n - 1] should be. Where does "
           "the "
           "offset enter your index?",
           {"offset = " + number(offset) + ", n = " + number(n)});
    }
  }

  std::size_t first_wrong = before.size(), wrong_count = 0, unchanged_and_wrong = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!wrong(i)) continue;
    first_wrong = std::min(first_wrong, i);
    ++wrong_count;
    if (unchanged(i)) ++unchanged_and_wrong;
  }
  // On a GPU the blocks may all read the old value before one of them writes, and the first block's elements
  // come out right by luck. A division that rounds down leaves fewer elements than one block out, and never
  // that many.
  const std::size_t largest_block = 1024;
  bool one_block_changed = n > 2 * largest_block && !unchanged(offset);
  for (std::size_t i = offset + largest_block; i < before.size() && one_block_changed; ++i) {
    one_block_changed = unchanged(i);
  }
  if (one_block_changed) {
    fail("block-index-missing",
         "Only elements at the beginning were changed, no more than one block has threads, although the "
         "launch has "
         "many blocks. threadIdx.x counts inside one block: which number makes the blocks different?",
         {"a[" + number(offset) + "] was " + to_text(before[offset]) + " and became " +
          to_text(after[offset])});
  }

  if (unchanged_and_wrong == wrong_count && first_wrong + wrong_count == before.size()) {
    fail("tail-skipped",
         "Of " + number(n) + " elements the last " + number(wrong_count) +
             " were left as they were. Is there a thread for every element? A division of n by the block's "
             "size "
             "rounds down.",
         {"first element without its sum: a[" + number(first_wrong) +
          "], that is i = " + number(first_wrong - offset)});
  }

  if (n > 1) {
    bool one_value = true; // whatever was there before
    for (std::size_t i = offset; i < before.size() && one_value; ++i)
      one_value = same(after[i], after[offset]);
    const auto [low, high] =
        std::minmax_element(before.begin() + static_cast<std::ptrdiff_t>(offset), before.end());
    if (one_value && *low < *high) {
      fail("answer-hard-coded",
           "Every element became " + to_text(after[offset]) +
               ", although the elements were different before. The new value is the old value plus one.");
    }
  }

  if constexpr (sizeof(T) == sizeof(double)) {
    bool single = wrong_count > 0;
    for (std::size_t i = offset; i < before.size() && single; ++i) {
      // Both roundings, of the element and of the sum, are relative to the larger of the two.
      const double scale = std::max(std::abs(before[i]), std::abs(wanted[i]));
      single = !wrong(i) || std::abs(after[i] - wanted[i]) <= scale * 0x1p-22;
    }
    if (single) {
      fail("single-precision",
           "The results are right to about 7 digits and wrong after them: somewhere the double became a "
           "float.",
           {"a[" + number(first_wrong) + "] is " + to_text(after[first_wrong]) + ", and " +
            to_text(wanted[first_wrong]) + " is expected"});
    }
  }
}

/// A size at which a function that changes nothing is taken for an unsolved task: several
/// blocks of any size, and a tail.
constexpr std::size_t typical = 5003;

/// Calls f on `before` and requires a[offset + i] + 1 everywhere, to the last bit: one addition rounds one
/// way.
template <typename T, typename F>
Reply add_and_check(F f, const std::vector<T>& before, std::size_t offset, Schedule schedule) {
  const std::vector<T> wanted = plus_one(before, offset);
  Reply reply = submission().call(CallOptions{.schedule = schedule, .sites = true}, f, inout(before),
                                  before.size() - offset, offset);
  const std::span<const T> after = reply.values<T>(0);
  if (std::equal(after.begin(), after.end(), wanted.begin(), wanted.end())) return reply;
  if (before.size() - offset >= typical) require_solved(reply);
  recognise<T>(before, after, wanted, offset);
  expect_equal(reply, 0, wanted);
  return reply;
}

/// The largest prime below a million: divisible by no block and no vector width.
constexpr std::size_t large = 999'983;
/// On a GPU also more elements than fit its caches.
constexpr std::size_t real = std::size_t{1} << 26;

template <typename T, typename F>
void check_results(F f) {
  // First a size at which the usual mistakes show their shape; the small ones after it.
  add_and_check<T>(f, random_values<T>(3 + typical), 3, schedules().front());
  for (const Schedule schedule : schedules()) {
    // Offsets that share a block's and a sector's phase with none, one or all of the sizes.
    for (const std::size_t n : sizes(4999)) {
      for (const std::size_t offset : {0, 1, 7, 31, 32}) {
        add_and_check<T>(f, random_values<T>(offset + n), offset, schedule);
      }
    }
  }
  for (std::size_t offset = 0; offset <= 32; ++offset) {
    add_and_check<T>(f, random_values<T>(offset + 1000), offset, schedules().back());
  }
  for (const Input<T>& input : inputs<T>(3 + 1000)) add_and_check<T>(f, input.values, 3, schedules().front());
  add_and_check<T>(f, random_values<T>(5 + large), 5, schedules().back());
  if (submission().backend() == Backend::cuda)
    add_and_check<T>(f, random_values<T>(9 + real), 9, schedules().front());
}

std::string rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

/// One direction of global memory traffic: how it is called, and its counters.
struct Way {
  const char* done; ///< "read" or "written"
  std::uint64_t simt::Counters::*requests;
  std::uint64_t simt::Counters::*sectors;
  std::uint64_t simt::Counters::*bytes;
};
constexpr Way reading = {"read", &simt::Counters::global_load_requests,
                               &simt::Counters::global_load_sectors, &simt::Counters::global_load_bytes};
constexpr Way writing = {"written", &simt::Counters::global_store_requests,
                               &simt::Counters::global_store_sectors, &simt::Counters::global_store_bytes};

/// What the warps asked for, in total and on the dearest source lines.
template <typename T>
std::vector<std::string> traffic(const Reply& reply, const Way& way, std::size_t n) {
  const std::uint64_t requests = reply.counters().*way.requests, sectors = reply.counters().*way.sectors;
  std::vector<std::string> lines;
  lines.push_back(number(requests) + " requests, " + number(sectors) + " sectors of 32 bytes " + way.done +
                  ", for " + number(n * sizeof(T)) + " bytes that the task needs");
  if (requests != 0) {
    lines.push_back(rounded(static_cast<double>(sectors) / static_cast<double>(requests)) +
                    " sectors a request; " + number(sizeof(T)) +
                    " when 32 neighbouring lanes are on 32 neighbouring elements");
  }
  for (std::string& line : costly_lines(reply, way.sectors, way.requests, "sectors"))
    lines.push_back(std::move(line));
  lines.push_back("Handout: 'What a warp asks for'");
  return lines;
}

/// Judges what a kernel moved in one direction: every byte once, and between `least` and `most` sectors.
template <typename T>
void judge(const Reply& reply, const Way& way, std::size_t n, std::size_t least, std::size_t most) {
  const std::uint64_t bytes = reply.counters().*way.bytes, sectors = reply.counters().*way.sectors;
  const std::size_t useful = n * sizeof(T);
  if (bytes > useful) {
    fail(std::string(way.done) + "-more-than-once",
         "Every element need be " + std::string(way.done) + " only once, but " +
             rounded(static_cast<double>(bytes) / static_cast<double>(useful)) +
             " times as many bytes were asked for. Keep the value in a variable.",
         traffic<T>(reply, way, n));
  }
  if (bytes < useful) {
    fail("bytes-missing", "Fewer bytes were " + std::string(way.done) + " by kernels than the array has.",
         traffic<T>(reply, way, n));
  }
  if (sectors > most) {
    fail("uncoalesced",
         "The result is right, but the lanes of a warp are not on neighbouring elements at the same time: " +
             number(sectors) + " sectors were " + way.done + " where at most " + number(most) +
             " are needed.",
         traffic<T>(reply, way, n));
  }
  expect_between(std::string("sectors ") + way.done, static_cast<double>(sectors), static_cast<double>(least),
                 static_cast<double>(most), "too-few-sectors",
                 "Fewer sectors were counted than the array lies in.");
}

/// Counts at `offset`: with one sector more than ideal for every 32 elements if `slack`, exact otherwise.
template <typename T, typename F>
void check_traffic(F f, std::size_t offset, bool slack) {
  constexpr std::size_t n = 1 << 16;
  for (const Schedule schedule : schedules()) {
    const Reply reply = add_and_check<T>(f, random_values<T>(offset + n), offset, schedule);
    const simt::Counters& c = reply.counters();
    if (c.global_atomic_requests != 0) {
      fail("atomics-not-needed",
           "The result is right, but every element was changed by an atomic operation. No two threads share "
           "an element, so an ordinary addition does, at a fraction of the cost.",
           {number(c.global_atomic_requests) + " atomic requests, " + number(c.global_atomic_sectors) +
                " sectors",
            "Handout: 'One thread, one element'"});
    }
    const std::size_t first = offset * sizeof(T) / 32;
    const std::size_t last = ((offset + n) * sizeof(T) - 1) / 32;
    const std::size_t least = last - first + 1; // every sector that the piece lies in
    const std::size_t most = slack ? least + n / 32 : least;
    judge<T>(reply, reading, n, least, most);
    judge<T>(reply, writing, n, least, most);
  }
}

template <typename T, typename F>
void check_misaligned(F f) {
  for (const std::size_t offset : {1, 2, 3, 5, 7, 9, 31}) check_traffic<T>(f, offset, true);
}

} // namespace

TEST_CASE("offset_add_f32 adds one to n elements from the offset on" * points(3) * tests("offset_add_f32") *
          todo(1)) {
  check_results<float>(CONTRACT(offset_add_f32));
}

TEST_CASE("offset_add_f64 adds one to n elements from the offset on" * points(3) * tests("offset_add_f64") *
          todo(1)) {
  check_results<double>(CONTRACT(offset_add_f64));
}

TEST_CASE("offset_add_f32 touches no sector twice when aligned" * points(2) * tests("offset_add_f32") *
          todo(1) * sim_only()) {
  check_traffic<float>(CONTRACT(offset_add_f32), 0, false);
}

TEST_CASE("offset_add_f64 touches no sector twice when aligned" * points(2) * tests("offset_add_f64") *
          todo(1) * sim_only()) {
  check_traffic<double>(CONTRACT(offset_add_f64), 0, false);
}

TEST_CASE("offset_add_f32 pays at most one more sector a request when misaligned" * points(1) *
          tests("offset_add_f32") * todo(1) * sim_only()) {
  check_misaligned<float>(CONTRACT(offset_add_f32));
}

TEST_CASE("offset_add_f64 pays at most one more sector a request when misaligned" * points(1) *
          tests("offset_add_f64") * todo(1) * sim_only()) {
  check_misaligned<double>(CONTRACT(offset_add_f64));
}
