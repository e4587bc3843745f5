// The rubric of TODO(2) to TODO(4), which make dot_f32 and dot_f64 together: a thread's sum, a warp's, and one
// addition a block.

#include "rubric.hpp"

using namespace dot_product;

namespace {

/// For a function that wrote nothing.
std::string parts() {
  return "It is made of three parts, TODO(2), TODO(3) and TODO(4). The one that writes the result is "
         "TODO(4), which is still to be written: begin there, for before that nothing can be said about the "
         "others.";
}

template <typename T, typename F>
Reply call(F function, const Vectors<T>& v, Schedule schedule) {
  return dot_and_check<T>(function, v, {.schedule = schedule}, parts());
}

/// Technique items ask the first question first, so that a wrong sum is the same failure there, and told once.
template <typename T, typename F>
void check_reads(F function) {
  check_typical<T>(function, parts());
  for (const Schedule schedule : schedules()) {
    const Reply reply = call(function, random_vectors<T>(counted_n), schedule);
    expect_read_once(reply, counted_n * sizeof(T));
  }
}

/// Products that all are the same: rounding errors do not even out, as they do with random numbers. Beyond 2^18 a float
/// is a multiple of 2^-5: of every product added there alone 2^-6 is lost, less a little.
Vectors<float> equal_products() {
  const float product = 1 + 0x1p-6F - 0x1p-14F - 0x1p-20F;
  return {"equal products", std::vector<float>(beyond_threads, product),
          std::vector<float>(beyond_threads, 1)};
}

} // namespace

TEST_CASE("dot_f32 gives the dot product at any length" * points(4) * tests("dot_f32") * todo(4)) {
  check_everywhere<float>(CONTRACT(dot_f32), parts());
  check_far_elements<float>(CONTRACT(dot_f32));
}

TEST_CASE("dot_f64 gives the dot product at any length" * points(3) * tests("dot_f64") * todo(4)) {
  check_everywhere<double>(CONTRACT(dot_f64), parts());
}

TEST_CASE("dot_f32 reads every byte of both arrays once" * points(2) * tests("dot_f32") * todo(2) *
          sim_only()) {
  check_reads<float>(CONTRACT(dot_f32));
}

TEST_CASE("dot_f64 reads every byte of both arrays once" * points(1) * tests("dot_f64") * todo(2) *
          sim_only()) {
  check_reads<double>(CONTRACT(dot_f64));
}

TEST_CASE("dot_f32 takes many threads and gives each of them many products" * points(2) * tests("dot_f32") *
          todo(2) * sim_only()) {
  check_typical<float>(CONTRACT(dot_f32), parts());
  const Reply reply = call(CONTRACT(dot_f32), random_vectors<float>(beyond_threads), schedules().front());
  const Grid grid = grid_of(reply);
  const std::vector<std::string> lines = {number(grid.blocks) + " blocks, " + number(grid.threads) +
                                              " threads, for " + number(beyond_threads) + " products",
                                          handout("One thread, many products")};
  if (grid.threads > resident_threads) {
    fail("thread-for-every-element",
         "The sum is right, but " + number(grid.threads) + " threads were started for it, and a GPU of " +
             number(multiprocessors) + " multiprocessors holds " + number(resident_threads) +
             " at once. Let fewer threads go through the array in steps of the whole grid: what a thread "
             "adds up by itself needs no barrier, no shuffle and no atomic.",
         lines);
  }
  expect_between("threads", static_cast<double>(grid.threads), busy_threads, resident_threads,
                 "too-few-threads",
                 "The sum is right, but so few threads leave most of a large GPU idle: each of its 132 "
                 "multiprocessors issues instructions of 4 warps at a time.");
}

TEST_CASE("dot_f32 keeps its digits over many equal products" * points(1) * tests("dot_f32") * todo(2)) {
  check_typical<float>(CONTRACT(dot_f32), parts()); // a sum that is wrong anyway has no digits to keep
  const Vectors<float> v = equal_products();
  const Reply reply = submission().call(CallOptions{.schedule = schedules().back()}, CONTRACT(dot_f32),
                                        out<float>(1), in(v.a), in(v.b), v.size());
  const Exact wanted = exact_dot(v, 0, v.size());
  const auto value = static_cast<double>(reply.values<float>(0)[0]);
  const double allowed = tolerance<float>(wanted), off = std::abs(value - wanted.sum);
  if (off <= allowed) return;
  const Outcome<float> call{reply, v, wanted};
  recognise_unwritten(call, parts());
  if (off <= 0x1p-4 * wanted.magnitude) {
    fail("too-many-roundings",
         "The sum of " + number(beyond_threads) + " equal products is off by " + rounded(off / allowed) +
             " times what the contract allows. A float that has grown large loses the last digits of what is "
             "added to it: how many additions in a row, one after the other, go to the same place?",
         call.lines({handout("How far the sum may be off")}));
  }
  recognise(call);
  fail_unknown(call);
}

TEST_CASE("dot_f32 adds the lanes of a warp without shared memory" * points(2) * tests("dot_f32") * todo(3) *
          sim_only()) {
  // Five for a warp of 32, and five more for the warps' sums. As many again for whoever exchanges two values.
  constexpr std::uint64_t most_exchanges = 20;
  check_typical<float>(CONTRACT(dot_f32), parts());
  for (const Schedule schedule : schedules()) {
    const Reply reply = call(CONTRACT(dot_f32), random_vectors<float>(counted_n), schedule);
    const simt::Counters& c = reply.counters();
    // A tree writes a place for every thread and more. Reads do not tell: a flag for the block is read by all.
    const std::uint64_t written = c.shared_store_lanes + c.shared_atomic_lanes;
    const std::size_t threads = grid_of(reply).threads;
    const std::vector<std::string> lines = {number(written) + " values written to shared memory and " +
                                                number(c.shuffles) + " exchanges by shuffles, for " +
                                                number(threads) + " threads",
                                            reply.in_call(), handout("Lanes tell each other")};
    if (2 * written > threads) {
      fail("lanes-through-shared-memory",
           "The sum is right, but " + number(written) + " values written to shared memory were made for " +
               number(threads) +
               " threads. The lanes of a warp can add up by shuffles; then one value of each warp goes "
               "through shared memory.",
           lines);
    }
    wavefronts_of(c).expect_no_conflicts("", lines);
    if (const std::size_t warps = std::max<std::size_t>(1, threads / warp_size);
        c.shuffles > most_exchanges * warps) {
      fail("too-many-exchanges",
           "The sum is right, but a warp makes " + number(c.shuffles / warps) +
               " exchanges on average, where five are enough: after one over a distance of 16 the lower half "
               "of the lanes has everything, after one over 8 a quarter of them.",
           lines);
    }
    if (c.shuffles == 0)
      fail("no-shuffles", "The lanes' sums came together neither in shared memory nor by shuffles.", lines);
  }
}

TEST_CASE("dot_f32 makes at most one atomic addition a block" * points(2) * tests("dot_f32") * todo(4) *
          sim_only()) {
  check_typical<float>(CONTRACT(dot_f32), parts());
  for (const Schedule schedule : schedules()) {
    const Reply reply = call(CONTRACT(dot_f32), random_vectors<float>(counted_n), schedule);
    const simt::Counters& c = reply.counters();
    const Grid grid = grid_of(reply);
    if (c.global_atomic_lanes > grid.blocks) {
      std::vector<std::string> lines = costly_lines(reply, &simt::Counters::global_atomic_lanes,
                                                    &simt::Counters::global_atomic_requests, "lanes");
      lines.push_back(handout("One addition a block"));
      fail("atomics-not-needed",
           "The sum is right, but " + number(c.global_atomic_lanes) + " atomic additions were made by " +
               number(grid.blocks) +
               " blocks. They all go to one address, and wait for one another. Let the block add up first, "
               "and one of its threads tell.",
           lines);
    }
    expect_between("blocks", static_cast<double>(grid.blocks), 1, static_cast<double>(counted_n),
                   "nothing-counted", "No block was counted.");
  }
}
