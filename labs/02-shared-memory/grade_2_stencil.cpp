// The rubric of TODO(2) and TODO(3): stencil, its halo, its traffic, and windows above 48 KiB.

#include <bit>
#include <functional>
#include <numeric>

#include "rubric.hpp"

using namespace shared_memory;

namespace stencil_rubric {

namespace {

const RunsThrough parts_of_stencil({"stencil"}, {2, 3});

const std::string halo_section = "TODO(2) and TODO(3): a window with a halo";

/// Several blocks of any size, and a tail.
constexpr std::size_t typical = 2311;

/// How a mistaken stencil reads the array: which elements, and what it takes for those beyond the ends.
struct Reading {
  std::ptrdiff_t from, to; ///< offsets, both included
  enum class Ends { zero, nearest, wrapped } ends = Ends::zero;
  std::size_t block = 0; ///< not 0: only elements of the same block of so many
};

double sum_by(const Reading& reading, std::span<const float> in, std::size_t i) {
  const auto n = static_cast<std::ptrdiff_t>(in.size());
  double sum = 0;
  for (std::ptrdiff_t offset = reading.from; offset <= reading.to; ++offset) {
    std::ptrdiff_t j = static_cast<std::ptrdiff_t>(i) + offset;
    if (reading.block != 0 && (j < 0 || static_cast<std::size_t>(j) / reading.block != i / reading.block))
      continue;
    if (reading.ends == Reading::Ends::nearest) j = std::clamp<std::ptrdiff_t>(j, 0, n - 1);
    if (reading.ends == Reading::Ends::wrapped) j = ((j % n) + n) % n;
    if (j >= 0 && j < n) sum += static_cast<double>(in[static_cast<std::size_t>(j)]);
  }
  return sum;
}

/// The sums of blocks of so many, where each thread takes the window from radius places before its own element, and not
/// the block's.
double sum_of_own_window(std::size_t block, std::span<const float> in, std::size_t i, std::size_t radius) {
  const std::size_t first = i / block * block;
  double sum = 0;
  for (std::size_t k = i - first; k <= i - first + 2 * radius; ++k) {
    const std::size_t after = first + k % block + k;
    if (after >= radius && after - radius < in.size()) sum += static_cast<double>(in[after - radius]);
  }
  return sum;
}

/// Fails the item if the shape of wrong sums is known; returns if it is not. The values are whole numbers, so
/// that all sums are exact.
void recognise(std::span<const float> out, const std::vector<float>& in, unsigned radius) {
  const auto r = static_cast<std::ptrdiff_t>(radius);
  const auto right = [&](std::size_t i) { return sum_by({-r, r}, in, i); };
  std::vector<Mistake<double>> by_reading, by_window;
  const auto tell = [&](const LabMessage& says, std::initializer_list<Reading> readings) {
    for (const Reading& reading : readings)
      by_reading.push_back({says, [&, reading](std::size_t i) { return sum_by(reading, in, i); }});
  };
  for (const std::size_t block : {32, 64, 128, 256, 512, 1024}) {
    tell(message("halo-missing", block), {{-r, r, Reading::Ends::zero, block}});
    if (in.size() <= block) continue;
    by_window.push_back({message("sum-of-a-block"), [=](std::size_t i) { return right(i / block * block); }});
    by_window.push_back({message("window-of-a-thread"),
                         [&, block](std::size_t i) { return sum_of_own_window(block, in, i, radius); }});
  }
  const auto value = [&in](std::size_t j) { return static_cast<double>(in[j]); };
  by_reading.push_back({message("end-left-out/first"),
                        [=](std::size_t i) { return right(i) - (i <= radius ? value(0) : 0); }});
  by_reading.push_back({message("end-left-out/last", radius), [=, n = in.size()](std::size_t i) {
                          double sum = right(i);
                          for (std::size_t j = n - std::min<std::size_t>(n, radius); j <= i + radius && j < n;
                               ++j)
                            if (j + radius >= i) sum -= value(j);
                          return sum;
                        }});
  tell(message("window-too-short"), {{-r, r - 1}, {-r + 1, r}});
  tell(message("window-too-long"), {{-r, r + 1}, {-r - 1, r}});
  tell(message("one-side-only"), {{-r, 0}, {0, r}, {0, 2 * r}, {-2 * r, 0}});
  tell(message("ends-repeated"), {{-r, r, Reading::Ends::nearest}});
  tell(message("ends-wrapped"), {{-r, r, Reading::Ends::wrapped}});
  const Details where = {"n = " + number(in.size()) + ", radius = " + number(radius)};
  for (const auto& mistakes : {by_reading, by_window}) { // of a few sums the latter may look like the former
    fail_if_made(
        mistakes, in.size(), [&](std::size_t i, double sum) { return static_cast<double>(out[i]) == sum; },
        [&](std::size_t i, double sum) { return sum == right(i); }, where);
  }
  const std::size_t ends = 2 * std::size_t{radius};
  if (radius > 0 && in.size() > ends && all_hold(in.size() - ends, [&](std::size_t i) {
        return static_cast<double>(out[radius + i]) == right(radius + i);
      }))
    fail(message("ends-wrong"), where);
}

/// Fails the item if all sums are 0 because no thread adds: the window was filled, and no word of it was ever read.
/// Only counts tell that; an index out of place would read words as well.
void recognise_no_sum(const Reply& reply, std::span<const float> sums) {
  const simt::Counters& c = reply.counters();
  if (!on_sim() || c.shared_store_lanes == 0 || c.shared_load_lanes != 0 || c.shared_atomic_lanes != 0)
    return;
  if (!std::ranges::all_of(sums, [](float sum) { return sum == 0; })) return;
  fail(message("nothing-summed"), {reply.in_call()});
}

/// Threads of a block as the starter launches it.
constexpr std::size_t block_threads = 256;

/// Of a place of the window that is read and that no thread has filled: what belongs there, and whose turn it was to
/// bring it. `why` is a finding of the simulator; it stays as it is where that cannot be known.
void explain_unfilled(Failure& why, std::size_t n, std::size_t radius) {
  const simt::Finding* read = first_finding(why);
  if (read == nullptr || read->space != simt::Space::shared || read->element.size() != 1) return;
  const std::size_t place = static_cast<std::size_t>(read->element.front());
  if (place >= block_threads + 2 * radius || radius >= block_threads) return;
  const std::size_t block = read->participants.front().thread->block[0];
  const std::size_t first = block * block_threads, after = first + place;
  if (first >= n) return;
  const bool inside = after >= radius && after - radius < n;
  const std::size_t bringer = place % block_threads;
  const bool without_sum = bringer >= n - first;
  const bool has_returned = std::ranges::any_of(
      read->participants, [](const simt::Participant& party) { return !party.access.has_value(); });
  if (!inside && !(without_sum && has_returned)) {
    retell(why, message("window-not-filled/zero", place, block, after < radius, without_sum));
  } else if (without_sum) {
    retell(why, message("window-not-filled/share", place, block, bringer, n));
    why.diagnoses.push_back("share-not-brought");
  } else if (place >= block_threads) {
    retell(why, message("window-not-filled/several", place, block, block_threads + 2 * radius));
  }
}

/// The elements within a radius of element i of n.
struct Range {
  std::size_t first, end;
};
Range range_around(std::size_t i, std::size_t n, std::size_t radius) {
  return {i < radius ? 0 : i - radius, std::min(n, i + radius + 1)};
}

Reply call_stencil(const std::vector<float>& values, unsigned radius, Schedule schedule) {
  const std::size_t n = values.size(), bytes = (block_threads + 2 * std::size_t{radius}) * sizeof(float);
  const Buffer window = {
      .need = message("window-left", radius, bytes), .bytes = bytes, .kernel = 2, .launch = 3};
  const auto explain = [&](Failure& why) {
    if (is_about(why, "uninitialised-read")) explain_unfilled(why, n, radius);
    const simt::Finding* race = first_finding(why);
    if (race && is_about(why, "global-race") && race->variable == "out")
      advise(why, message("sum-written-twice", between_blocks(*race)));
    explain_buffer(why, window);
  };
  const Sources near = range_of(
      {1}, [=](std::size_t i) { return range_around(i, n, radius).first; },
      [=](std::size_t i) { return range_around(i, n, radius).end; });
  return call_explained({.section = halo_section, .schedule = schedule, .sources = near, .explain = explain},
                        CONTRACT(stencil), out<float>(n), in(values), n, radius);
}

/// Sums whole numbers, which every order of addition sums exactly (40,001 of at most 100 are below 2^24).
Reply sum_and_check(std::size_t n, unsigned radius, Schedule schedule) {
  const std::vector<float> values = generated_values<float>(n, whole_numbers(-100, 100), next_seed());
  std::vector<double> before(n + 1); // the sum of all elements before i; exact, as all are below 2^53
  std::inclusive_scan(values.begin(), values.end(), before.begin() + 1, std::plus<>(), 0.0);
  std::vector<float> wanted(n);
  for_each_index(n, [&](std::size_t i) {
    const auto [first, end] = range_around(i, n, radius);
    wanted[i] = static_cast<float>(before[end] - before[first]);
  });
  Reply reply = call_stencil(values, radius, schedule);
  const std::span<const float> sums = reply.values<float>(0);
  if (std::ranges::equal(sums, wanted)) return reply;
  const Rule about = about_wrong(reply, 0, [&](std::size_t i) { return sums[i] == wanted[i]; });
  if (n >= typical) require_solved(reply);
  recognise_no_sum(reply, sums);
  if (n <= 2 * typical && radius <= 300) recognise(sums, values, radius);
  read_in(halo_section, [&] { expect_equal(reply, 0, wanted); });
  return reply;
}

/// Sums any numbers. k additions of floats in any order err by at most gamma times the sum of absolute values,
/// where gamma = k u / (1 - k u), u = 2^-24 (Higham, Accuracy and Stability of Numerical Algorithms, chapter 4).
/// `one_scale`: the values are random ones, most of them of the same size.
void sum_floats_and_check(const std::vector<float>& values, unsigned radius, Schedule schedule,
                          bool one_scale = false) {
  const std::size_t n = values.size();
  std::vector<double> wanted(n), tolerances(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto [first, end] = range_around(i, n, radius);
    for (std::size_t j = first; j < end; ++j) {
      wanted[i] += static_cast<double>(values[j]);
      tolerances[i] += std::abs(static_cast<double>(values[j]));
    }
    const double ku = static_cast<double>(end - first - 1) * 0x1p-24;
    // 2^-50: the error of the sum in double, which has at most 2^3 ulps of it for these few terms.
    tolerances[i] *= ku == 0 ? 0 : ku / (1 - ku) + 0x1p-50;
  }
  const Reply reply = call_stencil(values, radius, schedule);
  const std::span<const float> sums = reply.values<float>(0);
  bool right = true, low_precision = true; // wrong, but right to the 11 bits of half precision
  // At radius 0 a sum is one element. If it came out of a shorter type, its last bits are zero. If it is the difference
  // of two larger sums, they are not, and it is wrong by a rounding of those.
  bool short_numbers = radius == 0, rounded_elsewhere = radius == 0;
  double all = 0;
  for (const float value : values) all += std::abs(static_cast<double>(value));
  for (std::size_t i = 0; i < n; ++i) {
    const double error = std::abs(static_cast<double>(sums[i]) - wanted[i]);
    const double terms = std::max(1.0, 2.0 * radius);
    right = right && error <= tolerances[i];
    low_precision =
        low_precision && error <= (tolerances[i] / (terms * 0x1p-24) + std::abs(wanted[i])) * terms * 0x1p-10;
    short_numbers = short_numbers && (std::bit_cast<std::uint32_t>(sums[i]) & 0xfff) == 0;
    rounded_elsewhere = rounded_elsewhere && error <= all * 0x1p-22;
  }
  if (right) return;
  const Rule about = about_wrong(reply, 0, [&](std::size_t i) {
    return std::abs(static_cast<double>(sums[i]) - wanted[i]) <= tolerances[i];
  });
  if (short_numbers && low_precision) fail(message("low-precision"), {reply.in_call()});
  if (one_scale && rounded_elsewhere && !short_numbers) fail(message("digits-cancelled"), {reply.in_call()});
  if (low_precision) fail(message("low-precision/or-cancelled"), {reply.in_call()});
  expect_near<float>(reply, 0, wanted, [&](std::size_t i) { return tolerances[i]; });
}

constexpr std::size_t counted_elements = 8192;
constexpr unsigned counted_radius = 16;

Reply counted_call(Schedule schedule) { return sum_and_check(counted_elements, counted_radius, schedule); }

/// Fails where a block has far more shared memory than a window of the counted call needs, whatever its block's size:
/// twice the window of a block with 1024 sums, or with as many as there are sums for each block.
void expect_no_spare_memory(const Reply& reply) {
  const std::size_t most = shared_bytes_of(reply);
  const std::size_t sums =
      std::max<std::size_t>(1024, counted_elements / std::max<std::size_t>(1, grid_of(reply).blocks));
  const std::size_t enough = (sums + 2 * counted_radius) * 2 * sizeof(float);
  const std::size_t needed = (block_threads + 2 * counted_radius) * sizeof(float);
  if (most > enough)
    fail(message("window-buffer-too-large", most, counted_radius, needed), {reply.in_call()});
}

/// Where traffic is counted: fails unless the sums of a large window came out of shared memory, as those of a small
/// one (`small`) do or should do. A window need not be there all at once; but whatever came from global memory is read
/// out of it at least once.
void expect_window_shared(const Reply& small, const Reply& large, std::size_t n, unsigned radius) {
  if (!on_sim()) return;
  const std::size_t shared = large.counters().shared_load_bytes, global = large.counters().global_load_bytes;
  if (shared >= n * sizeof(float) && shared >= global) return;
  const Details where = {large.in_call()};
  if (small.counters().shared_load_bytes < small.counters().global_load_bytes)
    fail(message("shared-memory-not-used/windows", radius, global, shared), where);
  fail_also(message("only-small-windows-shared", radius, global, shared), "shared-memory-not-used", where);
}

} // namespace

TEST_CASE("stencil sums all elements within a radius" * points(3) * tests("stencil") * todo(2)) {
  check_and_shrink(typical, {1, 2, 3, 31, 32, 33, 255, 256, 257},
                   [](std::size_t n) { sum_and_check(n, 3, schedules().front()); });
  for (const Schedule schedule : schedules()) {
    for (const std::size_t n : sizes(997)) {
      for (const unsigned radius : {0u, 1u, 2u, 33u}) sum_and_check(n, radius, schedule);
    }
  }
  knowing(message("halo-larger-than-block"), [] {
    sum_and_check(typical / 2, 300, schedules().front());
    sum_and_check(typical / 4, 1100, schedules().back());
  });
  sum_and_check(40, 5000, schedules().back());
  for (const unsigned radius : {0u, 1u, 5u}) {
    sum_floats_and_check(random_floats(600, -100, 100), radius, schedules().front(), true);
    for (const std::vector<float>& input :
         special_inputs(random_floats(300), {1e6F, -1e6F, 1 / 3.0F, 1e-3F, -1e6F, 1e6F, 65536.5F}))
      sum_floats_and_check(input, radius, schedules().front());
  }
  sum_and_check(large(), 1, schedules().back());
  if (at_real_size()) {
    sum_and_check(real + 3, 7, schedules().front());
    sum_and_check(large(), 4000, schedules().front());
  }
}

TEST_CASE("stencil reads each element once per block and halo" * points(2) * tests("stencil") * todo(2) *
          sim_only()) {
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_call(schedule);
    const std::size_t blocks = grid_of(reply).blocks;
    constexpr std::size_t bytes = counted_elements * sizeof(float);
    const std::size_t halos = std::min(blocks, counted_elements / 64) * 2 * counted_radius * sizeof(float);
    expect_no_atomics(reply, halo_section);
    Need need = need_once(bytes, message("/sum-once"));
    need.repeated_id = "";
    judge(reply, writing, need);
    need.most_bytes = bytes + halos;
    need.most_sectors = (bytes + halos) / 32 * 9 / 8;
    need.repeated = message("/window-once", blocks, counted_radius).sentence;
    judge(reply, reading, need);
  }
}

TEST_CASE("stencil sums out of shared memory without conflicts" * points(1) * tests("stencil") * todo(2) *
          sim_only()) {
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_call(schedule);
    expect_banks_apart(reply, counted_elements * sizeof(float),
                       conflict_of(message("/banks-of-a-window"), halo_section));
    expect_no_spare_memory(reply);
  }
}

TEST_CASE("stencil takes radii whose window is larger than 48 KiB" * points(2) * tests("stencil") * todo(3)) {
  Reply small, large;
  const auto far = [&](std::size_t n, unsigned radius, Schedule schedule) {
    knowing_limit(message("window-too-large", 2 * std::size_t{radius}),
                  [&] { large = sum_and_check(n, radius, schedule); });
    expect_window_shared(small, large, n, radius);
  };
  builds_on(2, 3, [&] {
    small_first("Windows", 2, 3, [&] {
      small = sum_and_check(typical, 3, schedules().front());
      sum_and_check(typical / 2, 300, schedules().front());
    });
  });
  // 6200 is beyond 48 KiB for a block of any size; the largest leaves room for a block of 1024; then a small window,
  // and again a large one.
  const unsigned largest =
      std::min(20'000u, static_cast<unsigned>((most_shared_bytes() / sizeof(float) - 1024) / 2));
  // Once with several blocks of the usual sizes, of which each needs the others' elements.
  for (const Schedule schedule : schedules())
    far(schedule == schedules().front() ? 600 : 200, 6200, schedule);
  far(40, largest, schedules().front());
  sum_and_check(40, 2, schedules().front()); // after a large one
  far(40, largest / 8 * 7, schedules().back());
  if (at_real_size()) {
    far(100'003, largest, schedules().front());
    far(100'003, 6500, schedules().front());
  }
}

} // namespace stencil_rubric
