// The rubric of TODO(4): which clusters a device can run, and how many.

#include "rubric.hpp"

using namespace cluster_histogram;

namespace {

/// Four loads under way of 16 bytes each. Who has more for a thread has work for a further cluster.
constexpr std::size_t most_values_of_a_thread = 16;

/// More counters than a block may have if a multiprocessor is to hold two of its kind.
constexpr unsigned filling_counters = 29'000;

/// Clusters of this kernel that run at the same time: found from the answers of an H200. A cluster lies within
/// one of the groups of multiprocessors.
std::size_t clusters_at_once(const simt::KernelRecord& kernel) {
  constexpr std::size_t groups[] = {18, 18, 18, 18, 18, 18, 16, 8};
  const std::size_t warps = (volume(kernel.block) + 31) / 32;
  const std::size_t on_each =
      std::min({std::size_t{32}, 2048 / (warps * 32), std::size_t{233'472} / (kernel.shared_bytes + 1024)});
  std::size_t clusters = 0;
  for (const std::size_t group : groups) clusters += group / std::bit_ceil(volume(kernel.cluster));
  return clusters * on_each;
}

/// Fails if no kernel of the call counted in clusters. Only the simulator sees what was launched.
void expect_clusters(const Reply& reply, unsigned size) {
  if (!on_sim()) return;
  const bool are_there = std::ranges::any_of(reply.kernels(), [](const simt::KernelRecord& kernel) {
    return used_shared_memory(kernel) && volume(kernel.cluster) > 1;
  });
  if (are_there) return;
  fail("no-clusters",
       "The counts are right, but no cluster has counted: histogram_cluster was asked for clusters of " +
           counted(size, "block") + ", and " +
           (reply.kernels().empty() ? "launched no kernel at all."
                                    : "no kernel that it launched has clusters and used shared memory.") +
           " cudaLaunchKernelEx launches the kernel with the configuration.",
       atomics(reply, "Launching clusters"));
}

/// Fails if more clusters were launched than run at the same time, or fewer although there is work for more.
void check_clusters(unsigned size, unsigned nbins) {
  constexpr std::size_t n = large_on_sim;
  const Reply reply = count_and_check(cluster(size), in_range(n, nbins), nbins, Schedule::forward);
  expect_clusters(reply, size);
  const auto blocks = [](std::size_t clusters, std::size_t of) {
    return counted(clusters, "cluster") + " of " + counted(of, "block");
  };
  for (const simt::KernelRecord& kernel : reply.kernels()) {
    if (!used_shared_memory(kernel)) continue;
    const std::size_t of = volume(kernel.cluster), launched = volume(kernel.grid) / of;
    const std::size_t at_once = clusters_at_once(kernel);
    expect_none(
        "The counts are right, but " + blocks(launched, of),
        {{launched > at_once, "more-than-the-device-holds",
          " were started, with " + number(kernel.shared_bytes) +
              " bytes of shared memory a block, and of these the device runs " + number(at_once) +
              " at the same time. Every cluster clears its counters and adds them to `bins`: let those that "
              "run at once go through the values in steps of the whole grid."},
         {launched < at_once && volume(kernel.grid) * volume(kernel.block) * most_values_of_a_thread < n,
          "too-few-clusters",
          " counted " + number(n) + " values, and the device runs " + number(at_once) +
              " such clusters at the same time. cudaOccupancyMaxActiveClusters says how many; it counts "
              "clusters, not blocks."}},
        [&] { return atomics(reply, "How many clusters?"); });
  }
}

} // namespace

TEST_CASE("histogram_cluster runs clusters of up to 16 blocks" * points(1) * tests("histogram_cluster") *
          todo(4) * needs_capability(9)) {
  count_and_check(cluster(2), in_range(typical, 1000), 1000, Schedule::forward); // first, the kernel itself
  if (!has_large_clusters()) return;
  for (const unsigned size : {16u, 9u})
    expect_clusters(count_and_check(cluster(size), in_range(1009, 4097), 4097, schedules().back()), size);
}

TEST_CASE("histogram_cluster takes as many bins as fit into the shared memory of all its blocks" * points(1) *
          tests("histogram_cluster") * todo(4) * needs_capability(9)) {
  count_and_check(cluster(2), in_range(typical, 1000), 1000, Schedule::forward); // first, the kernel itself
  const unsigned each = fitting_counters();
  for (const unsigned nbins : {2 * 12'289u, 2 * each}) {
    Integers input = in_range(1009, nbins);
    for (std::size_t i = 0; i < 500; ++i) input.values[i] = last_bin(nbins) - static_cast<int>(i);
    expect_clusters(count_and_check(cluster(2), input, nbins, Schedule::forward), 2);
  }
  // On the simulator histogram() comes to clusters of 16 large blocks, too.
  if (!has_room_for(real * sizeof(int)) || !has_large_clusters()) return;
  for (const unsigned nbins : {524'288u, 16 * each}) check_real_size(cluster(16), nbins);
}

TEST_CASE("histogram_cluster leaves bins alone where it says that it cannot" * points(1) *
          tests("histogram_cluster") * todo(4) * needs_capability(9)) {
  count_and_check(cluster(2), in_range(typical, 100), 100, Schedule::forward); // first, where it can
  struct Shape {
    unsigned size, nbins;
  };
  for (const Shape shape : {Shape{17, 1700}, Shape{32, 1024}, Shape{2, 1'000'003}, Shape{1, 262'144}}) {
    const Integers input = in_range(1009, shape.nbins);
    const std::vector<unsigned> before = random_integers<unsigned>(shape.nbins, 1, 2'000'000'000);
    const Counter counter = cluster(shape.size);
    const Reply reply = counter.call(CallOptions{}, input.values, before, shape.nbins);
    expect_left_alone(reply, counter, input, shape.nbins, before);
  }
}

TEST_CASE("histogram_cluster launches as many clusters as the device holds at once" * points(1) *
          tests("histogram_cluster") * todo(4) * sim_only()) {
  check_clusters(8, 72);
  try {
    // As many of these run as of 16 blocks, and fewer counters are cleared.
    check_clusters(9, 9 * filling_counters);
  } catch (const ItemFailed& failed) { // who cannot run these has lost the point of another item for it
    if (!has_diagnosis(failed.failure, "refused")) throw;
  }
}
