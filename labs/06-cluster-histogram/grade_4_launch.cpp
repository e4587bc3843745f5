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
  const auto counts_in_clusters = [](const simt::KernelRecord& kernel) {
    return used_shared_memory(kernel) && volume(kernel.cluster) > 1;
  };
  if (on_sim() && std::ranges::none_of(reply.kernels(), counts_in_clusters))
    fail(message("no-clusters", size, !reply.kernels().empty()), atomics(reply));
}

/// Fails if more clusters were launched than run at the same time, or fewer although there is work for more.
void check_clusters(unsigned size, unsigned nbins) {
  constexpr std::size_t n = large_on_sim;
  const Reply reply = count_and_check(cluster(size), in_range(n, nbins));
  expect_clusters(reply, size);
  for (const simt::KernelRecord& kernel : reply.kernels()) {
    if (!used_shared_memory(kernel)) continue;
    const std::size_t of = volume(kernel.cluster), launched = volume(kernel.grid) / of;
    const std::size_t at_once = clusters_at_once(kernel);
    if (launched > at_once)
      fail(message("more-than-the-device-holds", launched, of, kernel.shared_bytes, at_once), atomics(reply));
    if (launched < at_once && volume(kernel.grid) * volume(kernel.block) * most_values_of_a_thread < n)
      fail(message("too-few-clusters", launched, of, n, at_once), atomics(reply));
    tell_measured(say("launched"),
                  say("{launched:cluster} of {blocks} blocks; {at_once} run at once", launched, of, at_once));
  }
}

} // namespace

TEST_CASE("histogram_cluster runs clusters of up to 16 blocks" * points(1) * tests("histogram_cluster") *
          todo(4) * needs_capability(9)) {
  count_and_check(cluster(2), in_range(typical, 1000)); // first, the kernel itself
  if (!has_large_clusters()) return;
  for (const unsigned size : {16u, 9u})
    expect_clusters(count_and_check(cluster(size), in_range(few, 4097), schedules().back()), size);
}

TEST_CASE("histogram_cluster takes as many bins as fit into the shared memory of all its blocks" * points(1) *
          tests("histogram_cluster") * todo(4) * needs_capability(9)) {
  count_and_check(cluster(2), in_range(typical, 1000)); // first, the kernel itself
  const unsigned each = fitting_counters();
  for (const unsigned nbins : {2 * 12'289u, 2 * each})
    expect_clusters(count_and_check(cluster(2), up_to_the_last_bin(few, nbins)), 2);
  // On the simulator histogram() comes to clusters of 16 large blocks, too.
  if (!has_large_clusters()) return;
  for (const unsigned nbins : {524'288u, 16 * each}) check_real_size(cluster(16), nbins);
}

TEST_CASE("histogram_cluster leaves bins alone where it says that it cannot" * points(1) *
          tests("histogram_cluster") * todo(4) * needs_capability(9)) {
  count_and_check(cluster(2), in_range(typical, 100)); // first, where it can
  for (const auto& [size, nbins] : std::initializer_list<std::pair<unsigned, unsigned>>{
           {17, 1700}, {32, 1024}, {2, 1'000'003}, {1, 262'144}})
    check_left_alone(cluster(size), nbins);
}

TEST_CASE("histogram_cluster launches as many clusters as the device holds at once" * points(1) *
          tests("histogram_cluster") * todo(4) * sim_only()) {
  check_clusters(8, 72);
  // As many of these run as of 16 blocks, and fewer counters are cleared.
  std::optional<Failure> failed = failure_in([] { check_clusters(9, 9 * filling_counters); });
  // Who cannot run these has lost the point of another item for it.
  if (failed && !has_diagnosis(*failed, "refused")) pass_on(std::move(*failed));
}
