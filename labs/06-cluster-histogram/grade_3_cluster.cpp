// The rubric of TODO(3): the blocks of a cluster share out the bins, and count in one another's memory.

#include "rubric.hpp"

using namespace cluster_histogram;

namespace {

const RunsThrough parts_of_cluster({"histogram_cluster"}, {1, 3, 4});

/// The calls that the technique items look at: several clusters of any size of block.
constexpr std::size_t looked_at_n = 10'007;
constexpr unsigned looked_at_bins = 96;
const Counter looked_at = cluster(4);

} // namespace

TEST_CASE("histogram_cluster counts every value in its bin" * points(3) *
          tests("histogram_cluster", "histogram_global") * todo(3) * needs_capability(9)) {
  check_sizes(cluster(2), 1000, 257);
  for (const unsigned size : {1u, 4u, 8u}) count_and_check(cluster(size), in_range(4999, 1000));
  for (const Input& input : special_inputs(few, 300)) count_and_check(cluster(4), input, Schedule::reverse);
  for (const Input& input : out_of_range_inputs(few, 100))
    count_and_check(cluster(2), input, Schedule::random);
  count_and_check(cluster(2), in_range(on_sim() ? large_on_sim : large, 800), Schedule::random);
  check_real_size(cluster(8), 65'536);
  check_beyond_int(cluster(4), 131'072);
}

TEST_CASE("histogram_cluster shares out bins that the cluster size does not divide" * points(2) *
          tests("histogram_cluster") * todo(3) * needs_capability(9)) {
  count_and_check(cluster(2), in_range(typical, 1001));
  for (const auto& [size, nbins] : std::initializer_list<std::pair<unsigned, unsigned>>{
           {4, 1003}, {3, 1000}, {7, 4999}, {8, 5}, {5, 1}, {8, 511}})
    // Blocks without bins have values all the same.
    count_and_check(cluster(size), in_range(nbins < size ? looked_at_n : few, nbins), schedules().back());
  // A share fits into the 48 KiB that a kernel has unasked, and all bins together into no block.
  count_and_check(cluster(8), in_range(few, 90'001));
}

TEST_CASE("histogram_cluster counts in the shared memory of other blocks" * points(2) *
          tests("histogram_cluster") * todo(3) * sim_only()) {
  for (const Schedule schedule : schedules()) {
    const Reply reply = count_and_check(looked_at, in_range(looked_at_n, looked_at_bins), schedule);
    const simt::Counters& c = reply.counters();
    if (c.remote_shared_atomics == 0) looked_at.fail(message("no-remote-atomics"), atomics(reply));
    if (c.shared_atomic_lanes == 0) looked_at.fail(message("no-local-atomics"), atomics(reply));
    tell_measured(say("counted"),
                  say("{other} times in another block's shared memory, {own} times in the block's own",
                      c.remote_shared_atomics, c.shared_atomic_lanes));
  }
}

TEST_CASE("histogram_cluster adds to global memory once for every bin and cluster" * points(2) *
          tests("histogram_cluster") * todo(3) * sim_only()) {
  check_atomics(looked_at, looked_at_n, looked_at_bins);
}

TEST_CASE("histogram_cluster waits for its cluster before and after it counts" * points(2) *
          tests("histogram_cluster") * todo(3) * sim_only()) {
  for (const Schedule schedule : schedules()) {
    const Reply reply = count_and_check(looked_at, in_range(looked_at_n, looked_at_bins), schedule);
    const std::size_t clusters = counting_grid(reply).clusters;
    const std::size_t barriers = reply.counters().cluster_barriers;
    if (clusters == 0 || barriers < 2 * clusters)
      fail(message("cluster-barriers"),
           followed_by(
               {say("{barriers} cluster barriers were passed by {clusters} clusters", barriers, clusters)},
               atomics(reply)));
    tell_measured(say("cluster barriers"), say("{barriers} for {clusters:cluster}", barriers, clusters));
  }
}

TEST_CASE("histogram_cluster reads every value once and coalesced" * points(1) * tests("histogram_cluster") *
          todo(3) * sim_only()) {
  check_reading(looked_at, looked_at_n, looked_at_bins);
}
