// The rubric of TODO(5): the nearest memory that holds all counters.

#include "rubric.hpp"

using namespace cluster_histogram;

namespace {

const RunsThrough parts_of_histogram({"histogram"}, {1, 2, 3, 4, 5});

std::string in_words(Regime regime) {
  return regime == Regime::global        ? "Regime::global"
         : regime == Regime::shared      ? "Regime::shared"
         : regime == Regime::distributed ? "Regime::distributed"
                                         : say("no Regime at all");
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
void blame_another_memory(const Reply& reply, unsigned nbins, std::size_t n, const Details& lines) {
  const Counter called = called_by_histogram(reply, nbins);
  const std::optional<Reply> own =
      reply_if_any([&] { return count_and_check(called, in_range(n, nbins), schedules().front()); });
  // If there is none, it does not take so many bins, or is wrong: has another item to say.
  if (!own || seen(*own) == reply.returned<Regime>()) return;
  Failure failure = failure_of(message("regime-untrue/elsewhere", in_words(reply.returned<Regime>()),
                                       called.name, in_words(seen(*own))),
                               lines);
  point_to(failure, called.todo);
  fail(std::move(failure));
}

/// Fails the item if the function of the nearer memory says that it cannot: histogram() is right to go on then.
void blame_who_refused(const Reply& reply, unsigned nbins, Regime nearer) {
  const Counter counter = nearer == Regime::shared ? shared() : cluster(enough_blocks(nbins));
  std::optional<Failure> failed =
      failure_in([&] { count_and_check(counter, in_range(few, nbins), schedules().front()); });
  if (!failed || !has_diagnosis(*failed, "refused")) return;
  const LabMessage says =
      message("farther-than-needed/refused", in_words(reply.returned<Regime>()), failed->sentence);
  reword(*failed, says);
  failed->diagnoses.push_back(says.id);
  if (nearer == Regime::shared) point_to(*failed, 2);
  pass_on(std::move(*failed));
}

void check_regime(unsigned nbins, Regime farthest, std::size_t n = few) {
  const Reply reply = count_and_check(any(), in_range(n, nbins), schedules().front());
  const Regime said = reply.returned<Regime>();
  const unsigned blocks = even_share(nbins, fitting_counters());
  const Details lines = {say("{bins} bins are {bytes} bytes of counters; a block may have "
                             "{most}{fits_cluster?, and a cluster of "
                             "{blocks:block} holds them}",
                             nbins, std::size_t{nbins} * 4, fitting_counters() * 4,
                             blocks > 1 && blocks <= largest_cluster, blocks),
                         reply.in_call()};
  if (on_sim() && said != seen(reply)) {
    blame_another_memory(reply, nbins, n, lines);
    fail(message("regime-untrue", in_words(said), in_words(seen(reply))), lines);
  }
  if (distance(said) > distance(farthest)) {
    blame_who_refused(reply, nbins, farthest);
    fail(message("farther-than-needed", in_words(said), in_words(farthest)), lines);
  }
  // The smallest cluster that holds the counters, or one of twice as many blocks: who goes from 2 to 4, to 8 and to 16
  // does not find the smallest every time.
  if (const unsigned taken = largest_cluster_of(reply);
      on_sim() && said == Regime::distributed && taken > 2 * blocks)
    fail(message("larger-cluster-than-needed", taken, blocks), lines);
}

} // namespace

TEST_CASE("histogram counts every value for any number of bins" * points(3) * tests("histogram") * todo(5)) {
  check_sizes(any(), 1000, 257);
  const unsigned each = fitting_counters();
  for (const unsigned nbins : {1u, 2u, 255u, 12'289u, each, each + 1, 131'071u, 1'000'003u})
    count_and_check(any(), in_range(few, nbins));
  count_and_check(any(), around_range(few, each + 3), schedules().back());
  count_and_check(any(), crowded(3511, 262'144), schedules().back());
  count_and_check(any(), crowded(few, 524'288), schedules().back());
  count_and_check(any(), crowded_words(3511, 524'288), schedules().back());
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
