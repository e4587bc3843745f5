// The rubric of TODO(5): the nearest memory that holds all counters.

#include "rubric.hpp"

using namespace cluster_histogram;

namespace {

const char* in_words(Regime regime) {
  return regime == Regime::global        ? "Regime::global"
         : regime == Regime::shared      ? "Regime::shared"
         : regime == Regime::distributed ? "Regime::distributed"
                                         : "no Regime at all";
}

/// What the counters of the simulator say about where a call counted.
Regime seen(const Reply& reply) {
  const simt::Counters& c = reply.counters();
  if (c.remote_shared_atomics + c.remote_shared_loads + c.remote_shared_stores + c.cluster_barriers != 0)
    return Regime::distributed;
  return c.shared_atomic_lanes != 0 ? Regime::shared : Regime::global;
}

/// How far away the memory is.
int distance(Regime regime) { return regime == Regime::shared ? 0 : regime == Regime::distributed ? 1 : 2; }

/// Fails the item if histogram() has called the function that it says, and this one counts elsewhere.
void blame_another_memory(const Reply& reply, unsigned nbins, std::size_t n,
                          const std::vector<std::string>& lines) {
  const Called called = called_by_histogram(reply, nbins);
  Regime below{};
  try {
    below = seen(count_and_check(called.counter, in_range(n, nbins), nbins, schedules().front()));
  } catch (const ItemFailed&) { // it does not take so many bins, or is wrong: has another item to say
    return;
  }
  if (below == reply.returned<Regime>()) return;
  Failure failure{{"regime-untrue"},
                  "The counts are right, but histogram said that it took " +
                      std::string(in_words(reply.returned<Regime>())) + ", and " + called.name +
                      " itself counts elsewhere: what was seen is " + in_words(below) + ". Mend that first.",
                  lines};
  point_to(failure, called.todo);
  fail(std::move(failure));
}

/// Fails the item if the function of the nearer memory says that it cannot: histogram() is right to go on then.
void blame_who_refused(const Reply& reply, unsigned nbins, Regime nearer) {
  const Counter counter = nearer == Regime::shared ? shared() : cluster(enough_blocks(nbins));
  try {
    count_and_check(counter, in_range(1009, nbins), nbins, schedules().front());
  } catch (ItemFailed& failed) {
    if (!has_diagnosis(failed.failure, "refused")) return;
    failed.failure.sentence =
        std::string("histogram took ") + in_words(reply.returned<Regime>()) +
        ", because nearer memory was refused. Mend that first: " + failed.failure.sentence;
    failed.failure.diagnoses.push_back("farther-than-needed");
    if (nearer == Regime::shared) point_to(failed.failure, 2);
    throw;
  }
}

/// The smallest cluster that holds the counters, or one of twice as many blocks: who goes from 2 to 4, to 8 and
/// to 16 does not find the smallest every time.
void check_cluster_size(const Reply& reply, unsigned nbins, std::vector<std::string> lines) {
  std::size_t taken = 0;
  for (const simt::KernelRecord& kernel : reply.kernels()) taken = std::max(taken, volume(kernel.cluster));
  const std::size_t enough = (nbins + counters_of_a_block - 1) / counters_of_a_block;
  if (taken <= 2 * enough) return;
  fail("larger-cluster-than-needed",
       "The counts are right, but histogram took clusters of " + number(taken) + " blocks, and " +
           number(enough) + " hold the counters. In a larger cluster more atomics leave the block.",
       std::move(lines));
}

void check_regime(unsigned nbins, Regime farthest, std::size_t n = 1009) {
  const Reply reply = count_and_check(any(), in_range(n, nbins), nbins, schedules().front());
  const Regime said = reply.returned<Regime>();
  const unsigned blocks = (nbins + fitting_counters() - 1) / fitting_counters();
  const std::vector<std::string> lines = {
      number(nbins) + " bins are " + number(std::size_t{nbins} * 4) +
          " bytes of counters; a block may have " + number(fitting_counters() * 4) +
          (blocks > 1 && blocks <= largest_cluster
               ? ", and a cluster of " + counted(blocks, "block") + " holds them"
               : ""),
      "In the call " + reply.call_text() + ".", handout(any().section)};
  if (on_sim() && said != seen(reply)) {
    blame_another_memory(reply, nbins, n, lines);
    fail("regime-untrue",
         std::string("The counts are right, but histogram said that it took ") + in_words(said) +
             ", and what was seen is " + in_words(seen(reply)) + ".",
         lines);
  }
  if (distance(said) > distance(farthest)) {
    blame_who_refused(reply, nbins, farthest);
    fail("farther-than-needed",
         std::string("The counts are right, but histogram took ") + in_words(said) +
             ", where the counters fit into nearer memory: " + in_words(farthest) + ".",
         lines);
  }
  if (on_sim() && said == Regime::distributed) check_cluster_size(reply, nbins, lines);
}

} // namespace

TEST_CASE("histogram counts every value for any number of bins" * points(3) * tests("histogram") * todo(5)) {
  for (const Schedule schedule : schedules()) check_sizes(any(), 1000, schedule, 257);
  const unsigned each = fitting_counters();
  for (const unsigned nbins : {1u, 2u, 255u, 12'289u, each, each + 1, 131'071u, 1'000'003u})
    count_and_check(any(), in_range(1009, nbins), nbins, Schedule::forward);
  count_and_check(any(), around_range(1009, each + 3), each + 3, schedules().back());
  count_and_check(any(), crowded(3511, 262'144), 262'144, schedules().back());
  count_and_check(any(), crowded(1009, 524'288), 524'288, schedules().back());
  if (!has_room_for(real * sizeof(int))) return;
  for (const unsigned nbins : {256u, 32'768u, 65'536u, 131'072u, 524'288u}) check_real_size(any(), nbins);
  for (const unsigned nbins : {2048u, 65'536u, 524'288u}) check_beyond_int(any(), nbins);
}

TEST_CASE("histogram takes the nearest memory that holds the counters and says which" * points(3) *
          tests("histogram") * todo(5) * needs_capability(9)) {
  check_regime(256, Regime::shared, typical);
  check_regime(12'289, Regime::shared);
  check_regime(fitting_counters(), Regime::shared);
  check_regime(fitting_counters() + 1, Regime::distributed);
  check_regime(4 * fitting_counters() - 9, Regime::distributed);
  if (has_large_clusters()) check_regime(16 * fitting_counters(), Regime::distributed);
  check_regime(1'000'003, Regime::global);
}
