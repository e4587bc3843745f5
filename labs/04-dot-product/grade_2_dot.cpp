// The rubric of TODO(2) to TODO(4), which make dot_f32 and dot_f64 together: a thread's sum, a warp's, and one
// addition per block.

#include <bit>
#include <chrono>
#include <cstdlib>
#include <map>
#include <tuple>

#include "rubric.hpp"

using namespace dot_product;

namespace {

const RunsThrough parts_of_dot({"dot_f32", "dot_f64"}, {2, 3, 4});

/// More elements than 32 bits count: ones, times small whole numbers of both signs. These repeat, so that their sum is
/// known, and whoever leaves out or repeats a part sees another one: the period is a prime, which is not 0 modulo any
/// power of two. And its sum is so small, but not 0, that no sum of a part needs rounding either.
void check_far_elements() {
  constexpr std::size_t n = (std::size_t{1} << 32) + (std::size_t{1} << 20) + 5;
  constexpr std::size_t period = 65'521;
  constexpr std::int64_t most = 100; // times n / period, that is below 2^23
  if (!has_room_for(2 * n * sizeof(float))) return;
  const Drawn<float> ones{constant(1), 1};
  Drawn<float> values{repeating(whole_numbers(-4, 4), period)};
  const auto sum_of = [&](std::size_t count) { return whole_dot(ones, values, 0, count); };
  while (sum_of(period) == 0 || std::abs(sum_of(period)) > most) // one of eight is
    values.seed = next_seed();
  const Reply reply = submission().call(CallOptions{.timeout = std::chrono::seconds(60)}, CONTRACT(dot_f32),
                                        poisoned<float>(1).returned(), ones.buffer(n), values.buffer(n), n);
  const auto value = static_cast<double>(reply.values<float>(0)[0]);
  const auto periods = static_cast<std::int64_t>(n / period);
  const auto wanted = static_cast<double>(periods * sum_of(period) + sum_of(n % period));
  if (value != wanted) fail(message("index-overflow", n, to_text(value), to_text(wanted)), {reply.in_call()});
}

/// Products that all are the same: rounding errors do not even out, as they do with random numbers. Beyond 2^18 a float
/// is a multiple of 2^-5: of every product added there alone 2^-6 is lost, less a little.
Vectors<float> equal_products() {
  const float product = 1 + 0x1p-6F - 0x1p-14F - 0x1p-20F;
  return {"equal products", std::vector<float>(beyond_threads, product),
          std::vector<float>(beyond_threads, 1)};
}

/// The threads that have read of `a` or `b`; 0 if the trace does not tell.
std::size_t threads_with_products(const Reply& reply) {
  if (!reply.trace() || !reply.trace()->complete || reply.trace()->left_out != 0) return 0;
  const simt::Trace& trace = *reply.trace();
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> lanes; // of each warp
  for (const simt::TracedStep& step : trace.steps) {
    if (!step.is_inside() || step.access != simt::Access::read || step.array == simt::TracedStep::no_array)
      continue;
    const std::string& name = trace.arrays[step.array].name;
    if (name == "a" || name == "b") lanes[{step.launch, step.block, step.first_thread}] |= step.lanes;
  }
  std::size_t threads = 0;
  for (const auto& [warp, bits] : lanes) threads += static_cast<std::size_t>(std::popcount(bits));
  return threads;
}

} // namespace

TEST_CASE("dot_f32 gives the dot product at any length" * points(4) * tests("dot_f32") * todo(4)) {
  check_everywhere(CONTRACT(dot_f32));
  check_far_elements();
}

TEST_CASE("dot_f64 gives the dot product at any length" * points(3) * tests("dot_f64") * todo(4)) {
  check_everywhere(CONTRACT(dot_f64));
}

TEST_CASE("dot_f32 reads every byte of both arrays once" * points(2) * tests("dot_f32") * todo(2) *
          sim_only()) {
  check_reads(CONTRACT(dot_f32));
}

TEST_CASE("dot_f64 reads every byte of both arrays once" * points(1) * tests("dot_f64") * todo(2) *
          sim_only()) {
  check_reads(CONTRACT(dot_f64));
}

TEST_CASE("dot_f32 takes many threads and gives each of them many products" * points(2) * tests("dot_f32") *
          todo(2) * sim_only()) {
  check_typical(CONTRACT(dot_f32));
  const Grid grid = grid_of(dot_and_check(CONTRACT(dot_f32), random_vectors<float>(beyond_threads),
                                          {.schedule = schedules().front()}));
  if (grid.threads > resident_threads) {
    fail(message("thread-for-every-element", grid.threads, multiprocessors, resident_threads),
         {number(grid.blocks) + " blocks, " + number(grid.threads) + " threads, for " +
          number(beyond_threads) + " products"});
  }
  expect_between("threads", static_cast<double>(grid.threads), busy_threads, resident_threads,
                 message("too-few-threads"));
  const Reply reply = submission().call(CallOptions{.trace = true}, CONTRACT(dot_f32), out<float>(1),
                                        in(std::vector<float>(counted_n, 1)),
                                        in(std::vector<float>(counted_n, 1)), counted_n);
  const std::size_t started = grid_of(reply).threads, working = threads_with_products(reply);
  // Each of them may take many products at once.
  if (const std::size_t most = std::min(started, counted_n / 32); working != 0 && 3 * working < 2 * most)
    fail(message("idle-threads", started, working), {reply.in_call()});
  tell_measured(say("threads"), say("{threads} for {products} products; {most} at most", grid.threads,
                                    beyond_threads, resident_threads));
}

TEST_CASE("dot_f32 keeps its digits over many equal products" * points(1) * tests("dot_f32") * todo(2)) {
  check_typical(CONTRACT(dot_f32)); // a sum that is wrong anyway has no digits to keep
  const Vectors<float> v = equal_products();
  const Reply reply = submission().call(CallOptions{.schedule = schedules().back()}, CONTRACT(dot_f32),
                                        out<float>(1), in(v.a), in(v.b), v.size());
  const Outcome call(reply, v, exact_dot(v), {});
  const double off = std::abs(call.value - call.wanted.sum);
  if (off <= call.allowed()) return;
  recognise_unwritten(call);
  if (const std::optional<LabMessage> made = call.made_by(whole_products(call))) call.fail(*made);
  if (off <= 0x1p-4 * call.wanted.magnitude) {
    LabMessage says = message("too-many-roundings", beyond_threads, rounded(off / call.allowed()));
    if (call.has_too_many_additions()) says = call.at_writer(says);
    call.fail(says);
  }
  recognise(call);
  fail_unknown(call);
}

TEST_CASE("dot_f32 adds the lanes of a warp without shared memory" * points(2) * tests("dot_f32") * todo(3) *
          sim_only()) {
  for_each_counted(CONTRACT(dot_f32), [](const Reply& reply) {
    // Five for a warp of 32, and five more for the warps' sums. As many again for whoever exchanges two values.
    constexpr std::uint64_t most_exchanges = 20;
    const simt::Counters& c = reply.counters();
    // A tree writes a place for every thread and more. Reads do not tell: a flag for the block is read by all.
    const std::uint64_t written = c.shared_store_lanes + c.shared_atomic_lanes;
    const std::size_t threads = grid_of(reply).threads, warps = std::max<std::size_t>(1, threads / warp_size);
    const Details lines = {say("{written} values written to shared memory and {exchanges} exchanges by "
                               "shuffles, for {threads} threads",
                               written, c.shuffles, threads),
                           reply.in_call()};
    if (2 * written > threads) fail(message("lanes-through-shared-memory", written, threads), lines);
    const Wavefronts shared = wavefronts_of(c);
    expect_no_conflicts(shared, message("bank-conflicts/warps", shared.all, shared.ideal), lines);
    if (c.shuffles > most_exchanges * warps) fail(message("too-many-exchanges", c.shuffles / warps), lines);
    if (c.shuffles == 0) {
      LabMessage says = message("no-shuffles");
      if (c.global_atomic_lanes > grid_of(reply).blocks)
        says.todos = {4}; // every thread has added what it had
      fail(says, lines);
    }
    tell_measured(say("exchanges by shuffles"),
                  say("{exchanges} per warp, {most} at most", c.shuffles / warps, most_exchanges));
  });
}

TEST_CASE("dot_f32 makes at most one atomic addition per block" * points(2) * tests("dot_f32") * todo(4) *
          sim_only()) {
  for_each_counted(CONTRACT(dot_f32), [](const Reply& reply) {
    const std::size_t additions = reply.counters().global_atomic_lanes, blocks = grid_of(reply).blocks;
    if (additions > blocks) {
      fail(message("atomics-not-needed/additions", additions, blocks),
           costly_lines(reply, &simt::Counters::global_atomic_lanes, &simt::Counters::global_atomic_requests,
                        say("lanes")));
    }
    expect_between("blocks", static_cast<double>(blocks), 1, static_cast<double>(counted_n),
                   message("nothing-counted"));
    tell_measured(say("atomic additions"), say("{additions} by {blocks:block}", additions, blocks));
  });
}
