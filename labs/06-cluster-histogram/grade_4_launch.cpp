// The rubric of TODO(4): which clusters a device can run, and how many.

#include "rubric.hpp"

using namespace cluster_histogram;

namespace {

/// A few loads under way, of 16 bytes each, are as much as anybody takes at once.
constexpr std::size_t most_values_of_a_thread = 64;

} // namespace

TEST_CASE("histogram_cluster runs clusters of up to 16 blocks" * points(1) * tests("histogram_cluster") *
          todo(4) * needs_capability(9)) {
  count_and_check(cluster(2), in_range(typical, 1000), 1000, Schedule::forward); // first, the kernel itself
  if (!has_large_clusters()) return;
  for (const unsigned size : {16u, 9u})
    count_and_check(cluster(size), in_range(1009, 4097), 4097, schedules().back());
}

TEST_CASE("histogram_cluster takes as many bins as fit into the shared memory of all its blocks" * points(1) *
          tests("histogram_cluster") * todo(4) * needs_capability(9)) {
  count_and_check(cluster(2), in_range(typical, 1000), 1000, Schedule::forward); // first, the kernel itself
  const unsigned each = fitting_counters();
  for (const unsigned nbins : {2 * 12'289u, 2 * each}) {
    Input input = in_range(1009, nbins);
    for (std::size_t i = 0; i < 500; ++i) input.values[i] = last_bin(nbins) - static_cast<int>(i);
    count_and_check(cluster(2), input, nbins, Schedule::forward);
  }
  // On the simulator histogram() comes to clusters of 16 large blocks, too.
  if (!has_room_for(real * sizeof(int)) || !has_large_clusters()) return;
  for (const unsigned nbins : {524'288u, 16 * each})
    count_and_check(cluster(16), in_range(real, nbins), nbins, Schedule::forward);
}

TEST_CASE("histogram_cluster leaves bins alone where it says that it cannot" * points(1) *
          tests("histogram_cluster") * todo(4) * needs_capability(9)) {
  count_and_check(cluster(2), in_range(typical, 100), 100, Schedule::forward); // first, where it can
  struct Shape {
    unsigned size, nbins;
  };
  for (const Shape shape : {Shape{17, 1700}, Shape{32, 1024}, Shape{2, 1'000'003}, Shape{1, 262'144}}) {
    const Input input = in_range(1009, shape.nbins);
    const std::vector<unsigned> before = random_integers<unsigned>(shape.nbins, 1, 2'000'000'000);
    const Counter counter = cluster(shape.size);
    const Reply reply = counter.call(CallOptions{}, input.values, before, shape.nbins);
    expect_left_alone(reply, counter, input, shape.nbins, before);
  }
}

TEST_CASE("histogram_cluster launches as many clusters as the device holds at once" * points(1) *
          tests("histogram_cluster") * todo(4) * sim_only()) {
  constexpr std::size_t n = 280'009; // more than one for every thread that the device holds
  constexpr unsigned nbins = 64;
  const Reply reply = count_and_check(cluster(2), in_range(n, nbins), nbins, Schedule::forward);
  const Launched grid = counting_grid(reply);
  const std::vector<std::string> lines = atomics(reply, "How many clusters?");
  if (grid.threads > resident_threads) {
    fail("more-than-the-device-holds",
         "The counts are right, but " + number(grid.threads) + " threads were started, and a GPU of " +
             number(multiprocessors) + " multiprocessors holds " + number(resident_threads) +
             " at once. Every cluster clears its counters and adds them to `bins`: let fewer of them go "
             "through the "
             "values in steps of the whole grid.",
         lines);
  }
  if (grid.threads * most_values_of_a_thread < n) {
    fail("too-few-clusters",
         "The counts are right, but " + number(grid.threads) + " threads in " +
             counted(grid.clusters, "cluster") + " counted " + number(n) +
             " values, and most of the multiprocessors have nothing to do. cudaOccupancyMaxActiveClusters "
             "says how many "
             "clusters run at once.",
         lines);
  }
}
