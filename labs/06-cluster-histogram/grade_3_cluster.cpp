// The rubric of TODO(3): the blocks of a cluster share out the bins, and count in one another's memory.

#include "rubric.hpp"

using namespace cluster_histogram;

namespace {

constexpr std::size_t counted_n = 10'007;
constexpr unsigned counted_bins = 96;
constexpr unsigned counted_size = 4;

/// The call that the technique items look at: several clusters of any size of block.
Reply count_in_clusters(Schedule schedule) {
  return count_and_check(cluster(counted_size), in_range(counted_n, counted_bins), counted_bins, schedule);
}

} // namespace

TEST_CASE("histogram_cluster counts every value in its bin" * points(3) * tests("histogram_cluster") *
          todo(3) * needs_capability(9)) {
  for (const Schedule schedule : schedules()) check_sizes(cluster(2), 1000, schedule, 257);
  for (const unsigned size : {1u, 4u, 8u})
    count_and_check(cluster(size), in_range(4999, 1000), 1000, Schedule::forward);
  for (const Integers& input : special_inputs(1009, 300))
    count_and_check(cluster(4), input, 300, Schedule::reverse);
  for (const Integers& input : out_of_range_inputs(1009, 100))
    count_and_check(cluster(2), input, 100, Schedule::random);
  count_and_check(cluster(2), in_range(on_sim() ? large_on_sim : large, 800), 800, Schedule::random);
  if (!has_room_for(real * sizeof(int))) return;
  check_real_size(cluster(8), 65'536);
  check_beyond_int(cluster(4), 131'072);
}

TEST_CASE("histogram_cluster shares out bins that the cluster size does not divide" * points(2) *
          tests("histogram_cluster") * todo(3) * needs_capability(9)) {
  struct Shape {
    unsigned size, nbins;
  };
  count_and_check(cluster(2), in_range(typical, 1001), 1001, Schedule::forward);
  for (const Shape shape :
       {Shape{4, 1003}, Shape{3, 1000}, Shape{7, 4999}, Shape{8, 5}, Shape{5, 1}, Shape{8, 511}})
    count_and_check(cluster(shape.size), in_range(1009, shape.nbins), shape.nbins, schedules().back());
  // A share fits into the 48 KiB that a kernel has unasked, and all bins together into no block.
  count_and_check(cluster(8), in_range(1009, 90'001), 90'001, Schedule::forward);
}

TEST_CASE("histogram_cluster counts in the shared memory of other blocks" * points(2) *
          tests("histogram_cluster") * todo(3) * sim_only()) {
  for (const Schedule schedule : schedules()) {
    const Reply reply = count_in_clusters(schedule);
    const simt::Counters& c = reply.counters();
    expect_none(
        "The counts are right, but ",
        {{c.remote_shared_atomics == 0, "no-remote-atomics",
          "no block counted in another one's shared memory. With the bins shared out over the cluster, most "
          "values of a block belong to others: map_shared_rank() leads to their counters."},
         {c.shared_atomic_lanes == 0, "no-local-atomics", "no block counted in its own shared memory."}},
        [&] { return atomics(reply, cluster(counted_size).section); });
  }
}

TEST_CASE("histogram_cluster adds to global memory once for every bin and cluster" * points(2) *
          tests("histogram_cluster") * todo(3) * sim_only()) {
  for (const Schedule schedule : schedules()) {
    const Reply reply = count_in_clusters(schedule);
    expect_few_global_atomics(reply, cluster(counted_size), counted_n, counted_bins, schedule);
  }
}

TEST_CASE("histogram_cluster waits for its cluster before and after it counts" * points(2) *
          tests("histogram_cluster") * todo(3) * sim_only()) {
  for (const Schedule schedule : schedules()) {
    const Reply reply = count_in_clusters(schedule);
    const std::size_t clusters = counting_grid(reply).clusters;
    const std::size_t barriers = reply.counters().cluster_barriers;
    expect_none("The counts are right, but ",
                {{clusters == 0 || barriers < 2 * clusters, "cluster-barriers",
                  "a cluster has to wait for all its blocks twice: before the first of them counts, and "
                  "before the first of them ends."}},
                [&] {
                  return followed_by({number(barriers) + " cluster barriers were passed by " +
                                      number(clusters) + " clusters"},
                                     atomics(reply, "Twice all together"));
                });
  }
}

TEST_CASE("histogram_cluster reads every value once and coalesced" * points(1) * tests("histogram_cluster") *
          todo(3) * sim_only()) {
  check_reading(cluster(counted_size), counted_n, counted_bins);
}
