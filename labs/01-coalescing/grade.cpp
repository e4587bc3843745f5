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
  if (unchanged_and_wrong == wrong_count && first_wrong + wrong_count == before.size()) {
    fail("tail-skipped",
         "Of " + number(n) + " elements the last " + number(wrong_count) +
             " were left as they were. Is there a thread for every element? A division of n by the block's "
             "size "
             "rounds down.",
         {"first element without its sum: a[" + number(first_wrong) +
          "], that is i = " + number(first_wrong - offset)});
  }

  const std::size_t block = 1024; // no block is larger
  bool beyond_a_block_unchanged = n > block;
  for (std::size_t i = offset + block; i < before.size() && beyond_a_block_unchanged; ++i) {
    beyond_a_block_unchanged = unchanged(i);
  }
  if (beyond_a_block_unchanged && !unchanged(offset)) {
    fail("block-index-missing",
         "Only elements at the beginning were changed, no more than one block has threads, although the "
         "launch has "
         "many blocks. threadIdx.x counts inside one block: which number makes the blocks different?",
         {"a[" + number(offset) + "] was " + detail::to_text(before[offset]) + " and became " +
          detail::to_text(after[offset])});
  }

  if (n > 1) {
    bool one_value = true; // whatever was there before
    for (std::size_t i = offset; i < before.size() && one_value; ++i)
      one_value = same(after[i], after[offset]);
    const auto [low, high] =
        std::minmax_element(before.begin() + static_cast<std::ptrdiff_t>(offset), before.end());
    if (one_value && *low < *high) {
      fail("answer-hard-coded",
           "Every element became " + detail::to_text(after[offset]) +
               ", although the elements were different before. The new value is the old value plus one.");
    }
  }

  if constexpr (sizeof(T) == sizeof(double)) {
    bool single = wrong_count > 0;
    for (std::size_t i = offset; i < before.size() && single; ++i) {
      const double error = std::abs(after[i] - wanted[i]);
      single = !wrong(i) || error <= std::abs(wanted[i]) * 0x1p-22 || std::abs(before[i]) > 0x1p52;
    }
    if (single) {
      fail("single-precision",
           "The results are right to about 7 digits and wrong after them: somewhere the double became a "
           "float.",
           {"a[" + number(first_wrong) + "] is " + detail::to_text(after[first_wrong]) + ", and " +
            detail::to_text(wanted[first_wrong]) + " is expected"});
    }
  }
}

/// A size at which a function that changes nothing is taken for an unsolved task: several blocks, and a tail.
constexpr std::size_t typical = 1100;

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

/// One direction's counters of a call.
struct Traffic {
  const char* verb; ///< "read" or "written"
  std::uint64_t requests, sectors, bytes;
};

/// The lines of a message that says what the warps asked for.
std::vector<std::string> traffic_details(const Traffic& t, std::size_t useful_bytes,
                                         double ideal_per_request) {
  std::vector<std::string> lines;
  lines.push_back(number(t.requests) + " requests, " + number(t.sectors) + " sectors of 32 bytes " + t.verb +
                  ", for " + number(useful_bytes) + " bytes that the task needs");
  if (t.requests != 0) {
    lines.push_back(rounded(static_cast<double>(t.sectors) / static_cast<double>(t.requests)) +
                    " sectors a request; neighbouring lanes on neighbouring elements make it " +
                    rounded(ideal_per_request));
  }
  lines.push_back("Handout: 'What a warp asks for'");
  return lines;
}

/// Judges what a kernel moved in one direction: every byte once, and between `least` and `most` sectors.
template <typename T>
void judge(const Traffic& t, std::size_t n, std::size_t least, std::size_t most) {
  const std::size_t useful = n * sizeof(T);
  const double ideal = 32.0 * sizeof(T) / 32.0;
  const std::vector<std::string> details = traffic_details(t, useful, ideal);
  if (t.bytes > useful) {
    fail("read-more-than-once",
         "Every element need be " + std::string(t.verb) + " only once, but " +
             rounded(static_cast<double>(t.bytes) / static_cast<double>(useful)) +
             " times as many bytes were asked for. Keep the value in a variable.",
         details);
  }
  if (t.bytes < useful) {
    fail("bytes-missing",
         "Fewer bytes were " + std::string(t.verb) + " by loads and stores than the array has.", details);
  }
  if (t.sectors > most) {
    fail("uncoalesced",
         "The result is right, but the lanes of a warp are not on neighbouring elements at the same time: " +
             number(t.sectors) + " sectors were " + t.verb + " where at most " + number(most) +
             " are needed.",
         details);
  }
  expect_between(std::string("sectors ") + t.verb, static_cast<double>(t.sectors), static_cast<double>(least),
                 static_cast<double>(most), "too-few-sectors",
                 "Fewer sectors than the array lies in were counted.");
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
           "an "
           "element, so an ordinary addition does, at a fraction of the cost.",
           {number(c.global_atomic_requests) + " atomic requests, " + number(c.global_atomic_sectors) +
                " sectors",
            "Handout: 'One thread, one element'"});
    }
    const std::size_t first = offset * sizeof(T) / 32;
    const std::size_t last = ((offset + n) * sizeof(T) - 1) / 32;
    const std::size_t least = last - first + 1; // every sector that the piece lies in
    const std::size_t most = slack ? least + n / 32 : least;
    judge<T>({"read", c.global_load_requests, c.global_load_sectors, c.global_load_bytes}, n, least, most);
    judge<T>({"written", c.global_store_requests, c.global_store_sectors, c.global_store_bytes}, n, least,
             most);
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
