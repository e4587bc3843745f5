#pragma once
/// What the rubrics of lab 06's tasks share: a call that must count right, and what was moved. The calls themselves are
/// in cases.hpp, and what wrong counts tell in wrong_counts.hpp.

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wrong_counts.hpp"

namespace cluster_histogram {

using Extent = std::array<unsigned, 3>;

/// Counters of a kernel that has asked for no more than it has anyhow.
constexpr unsigned counters_unasked = 48 * 1024 / 4;

/// Fails with the id `refused` if the function said that it cannot.
inline void expect_taken(const Reply& reply, const Counter& counter, unsigned nbins) {
  if (!counter.says_whether() || reply.returned<bool>()) return;
  const bool in_clusters = counter.cluster_size != 0;
  const unsigned size = std::max(counter.cluster_size, 1u), share = even_share(nbins, size);
  const bool is_large = size > 8, is_odd = !std::has_single_bit(size), is_unasked = share <= counters_unasked;
  LabMessage refused = message("refused", reply.function(), is_large, is_odd, nbins, size, share * 4,
                               is_unasked, fitting_counters() * 4);
  refused.section = is_large || is_odd          ? "Launching clusters"
                    : is_unasked && in_clusters ? "How many clusters?"
                                                : "How much shared memory?";
  Failure failure = failure_of(refused, {reply.in_call()});
  if (in_clusters) {
    failure.causes.push_back(message("/judged-as-it-is").sentence);
    point_to(failure, 4);
  }
  fail(std::move(failure));
}

/// Bytes of shared memory that a block had with so many bins; 0 if that is not known.
inline std::size_t bytes_of_a_block(const Counter& counter, unsigned nbins) {
  const std::optional<Reply> reply =
      reply_if_any([&] { return counter.count({}, {0}, std::vector<unsigned>(nbins)); });
  if (!reply) return 0; // then that is not what this failure is about
  for (const simt::KernelRecord& kernel : reply->kernels())
    if (kernel.shared_bytes != 0 && volume(kernel.cluster) == std::max(counter.cluster_size, 1u))
      return kernel.shared_bytes;
  return 0;
}

/// Bytes of shared memory that a block has besides its counters, however many these are. Small launches tell, of bins
/// that a cluster of 2 shares out evenly and not; 0 if they do not agree.
inline std::size_t bytes_beside_counters(const Counter& counter) {
  const Counter small = counter.cluster_size > 1 ? cluster(2) : counter;
  std::optional<std::size_t> beside;
  for (const unsigned nbins : {500u, 1000u, 1001u}) {
    const std::size_t bytes = bytes_of_a_block(small, nbins);
    const std::size_t counters = std::size_t{even_share(nbins, small.cluster_size)} * 4;
    if (bytes < counters || (beside && *beside != bytes - counters)) return 0;
    beside = bytes - counters;
  }
  return *beside;
}

inline bool is_about_a_launch(const Failure& failure) {
  for (const char* id : {"refused", "invalid-launch", "unchecked-launch", "cuda-error"})
    if (is_about(failure, id)) return true;
  return false;
}

/// Tells a call that was refused or could not be launched by what is known of this launch, and not of any.
inline void retell_launch(Failure& failure, LabMessage says) {
  failure.diagnoses.insert(failure.diagnoses.begin(), says.id);
  reword(failure, says);
  drop_advice(failure);
  failure.causes.clear();
  failure.sections = {std::move(says.section)};
  point_to(failure, says.todos.front());
}

/// Of a call that was refused or could not be launched: whether the counters of a block fit, and what its kernel has
/// besides them does not.
inline bool blame_memory_beside_counters(Failure& failure, const Counter& counter, unsigned nbins) {
  if (!on_sim() || !counter.says_whether()) return false;
  const std::size_t counters = std::size_t{even_share(nbins, counter.cluster_size)} * 4;
  const std::size_t beside = bytes_beside_counters(counter);
  for (const std::size_t limit : {counters_unasked * 4, fitting_counters() * 4}) {
    if (counters > limit || counters + beside <= limit) continue;
    LabMessage says =
        message("memory-beside-counters", counter.name, nbins, std::max(counter.cluster_size, 1u), beside,
                counters, limit, limit == counters_unasked * 4);
    says.todos = {counter.todo};
    retell_launch(failure, std::move(says));
    return true;
  }
  return false;
}

/// Of a call of histogram_cluster that was refused or could not be launched: whether its blocks have counters for
/// more bins than their share, and could not have been launched for that. Small launches tell.
inline void blame_shares(Failure& failure, unsigned nbins, unsigned size) {
  if (size < 2) return;
  const unsigned share = even_share(nbins, size);
  const bool all_are_too_many =
      nbins > fitting_counters() || (share <= counters_unasked && nbins > counters_unasked && size <= 8);
  const bool one_is_too_many = share == fitting_counters() || share == counters_unasked;
  if (!all_are_too_many && !one_is_too_many) return;
  if (!on_sim()) { // nothing tells what was launched
    if (share <= counters_unasked && all_are_too_many)
      failure.details.push_back(message("/shared-out", share * 4).sentence);
    return;
  }
  const std::size_t small = bytes_of_a_block(cluster(2), 1000), twice = bytes_of_a_block(cluster(2), 2000);
  if (all_are_too_many && small != 0 && twice == small + 4000)
    retell_launch(failure, message("bins-not-shared-out", nbins, size, std::size_t{nbins} * 4, share * 4));
  else if (one_is_too_many && small == 2004 && twice == 4004)
    retell_launch(failure, message("more-counters-than-bins", nbins, size));
  else
    return;
  add_cause(failure, message("/bytes-of-2000-bins", twice).sentence);
}

/// The reply of `call`, a call of `counter`, which must not be refused, nor its launch.
template <typename Call>
Reply take(const Counter& counter, unsigned nbins, const Call& call) {
  return changing(
      [&] {
        Reply reply = call();
        expect_taken(reply, counter, nbins);
        return reply;
      },
      [&](Failure& failure) {
        if (is_about_a_launch(failure) && !blame_memory_beside_counters(failure, counter, nbins))
          blame_shares(failure, nbins, counter.cluster_size);
      });
}

/// Where a function may say that it cannot: either it does, and has changed nothing, or the counts are right.
/// Of more than largest_cluster blocks no device makes a cluster.
inline void check_left_alone(const Counter& counter, unsigned nbins) {
  const Input input = in_range(few, nbins);
  const std::vector<unsigned> before = random_integers<unsigned>(nbins, 1, 2'000'000'000);
  const Reply reply = counter.count({}, input.values, before);
  if (reply.returned<bool>()) {
    const std::vector<unsigned> wanted = histogram_of(input.values, nbins);
    const Outcome outcome{reply, counter, input, before, wanted};
    if (!outcome.is_right()) outcome.fail(message("claims-too-much", reply.function()));
  } else if (!reply.untouched()) {
    fail(message("changed-and-refused", reply.function()), {reply.in_call()});
  }
}

inline Reply count_and_check(const Counter& counter, const Input& input,
                             Schedule schedule = Schedule::forward);

/// The smallest power of two of blocks that hold the counters, if 16 do.
inline unsigned enough_blocks(unsigned nbins) {
  unsigned size = 2;
  while (size < largest_cluster && even_share(nbins, size) > fitting_counters()) size *= 2;
  return size;
}

/// The blocks of the call's largest cluster.
inline unsigned largest_cluster_of(const Reply& reply) {
  std::size_t size = 0;
  for (const simt::KernelRecord& kernel : reply.kernels()) size = std::max(size, volume(kernel.cluster));
  return static_cast<unsigned>(size);
}

/// The function that histogram() says it has called.
inline Counter called_by_histogram(const Reply& reply, unsigned nbins) {
  const Regime said = reply.returned<Regime>();
  if (said == Regime::shared) return shared();
  if (said != Regime::distributed) return global();
  return cluster(std::max(enough_blocks(nbins), largest_cluster_of(reply)));
}

/// Fails the item if it is not histogram() that is wrong, but what it says it has called.
inline void blame_what_was_called(const Reply& reply, const Input& input, Schedule schedule) {
  const Counter called = called_by_histogram(reply, input.nbins);
  std::optional<Failure> failed = failure_in([&] { count_and_check(called, input, schedule); });
  if (!failed || has_diagnosis(*failed, "missing-function") || has_diagnosis(*failed, "refused"))
    return; // then it has called something else
  reword(*failed, message("/histogram-is-wrong", called.name, failed->sentence));
  if (failed->places.empty() && failed->todos.empty()) point_to(*failed, called.todo);
  pass_on(std::move(*failed));
}

/// Whether histogram_global comes to the same wrong counts: then the mistake is in what both use.
inline bool is_as_global(const Outcome& outcome, Schedule schedule) {
  if (outcome.counter.todo == 1 || outcome.counter.says_regime() || outcome.reply.untouched()) return false;
  const std::optional<Reply> reply = reply_if_any(
      [&] { return global().count({.schedule = schedule}, outcome.input.values, outcome.before); });
  return reply && !reply->untouched() && std::ranges::equal(reply->values<unsigned>(1), outcome.bins());
}

/// Counts, and requires the exact counts.
inline Reply count_and_check(const Counter& counter, const Input& input, Schedule schedule) {
  // Not zero, and small enough for sums of old and new to be known as such.
  const std::vector<unsigned> before = random_integers<unsigned>(input.nbins, 1'000'000, 2'000'000'000);
  const std::vector<unsigned> wanted = histogram_of(input.values, input.nbins);
  Reply reply = take(counter, input.nbins, [&] {
    return counter.count({.schedule = schedule, .sites = true}, input.values, before);
  });
  const Outcome outcome{reply, counter, input, before, wanted};
  if (outcome.is_right()) return reply;
  if (counter.says_regime() && !reply.untouched()) blame_what_was_called(reply, input, schedule);
  const Rule rule([&](Failure& failure) { // values have arrived: it is the kernel that loses some, not the launch
    const std::string& id = failure.diagnoses.front();
    if (counter.cluster_size != 0 && id != "unsolved" && id != "nothing-counted" &&
        id != "bins-not-overwritten")
      point_to(failure, 3);
    if (is_as_global(outcome, schedule)) {
      const LabMessage shared = message("/as-global", counter.name, failure.sentence);
      reword(failure, shared);
      point_to(failure, shared.todos.front());
    }
  });
  fail_counts(outcome);
}

/// The same for the sizes up to `most`, after `typical`, with values of all bins, in all schedules.
inline void check_sizes(const Counter& counter, unsigned nbins, std::size_t most = 4999) {
  for (const Schedule schedule : schedules()) {
    const auto check = [&](std::size_t n) { count_and_check(counter, in_range(n, nbins), schedule); };
    check_and_shrink(typical, sizes(257), check);
    for (const std::size_t n : sizes(most)) check(n);
  }
}

/// On a GPU with room for them: more values than fit its caches, which the runner makes.
inline void check_real_size(const Counter& counter, unsigned nbins) {
  if (!has_room_for(real * sizeof(int))) return;
  const Drawn<int> values{uniform(0, last_bin(nbins))};
  const Reply reply = take(counter, nbins, [&] {
    return counter.call({}, values.buffer(real).returned(), real, out<unsigned>(nbins), nbins);
  });
  const std::vector<unsigned> wanted = histogram_of(values.distribution, values.seed, real, nbins);
  expect_everywhere<unsigned>(
      reply, 1, [&](std::size_t b) { return wanted[b]; },
      [&] {
        count_and_check(counter, Input{"values of all bins", values.values(real), nbins});
      });
}

/// On a GPU with room for them: more values than an int can count, spread over the bins, and then all in one of them. Those
/// that are spread repeat after some millions, so that their counts follow from those of a period. It is a prime: an index
/// that is too short is off by a power of two, and meets other values. `in_one_bin` values are all in one: fewer will do
/// where no counter stands between a value and its bin, for a GPU adds up one word one by one.
inline void check_beyond_int(const Counter& counter, unsigned nbins, std::size_t in_one_bin = beyond_int) {
  if (!has_room_for(beyond_int * sizeof(int))) return;
  for (const bool is_spread : {true, false}) {
    const Drawn<int> values{is_spread ? repeating(whole_numbers(-5, nbins + 5.0), 8'388'593)
                                      : constant(nbins / 2)};
    const std::size_t n = is_spread ? beyond_int : in_one_bin;
    const Reply reply = counter.call(CallOptions{.timeout = std::chrono::seconds(60)}, values.buffer(n), n,
                                     out<unsigned>(nbins), nbins);
    expect_taken(reply, counter, nbins);
    const std::vector<unsigned> wanted = histogram_of(values.distribution, values.seed, n, nbins);
    const std::span<const unsigned> bins = reply.values<unsigned>(1);
    if (std::ranges::equal(bins, wanted)) continue;
    const std::size_t total = std::accumulate(bins.begin(), bins.end(), std::size_t{0});
    const Details lines = {say("{values} values, and the counts of all bins together are {total}", n, total),
                           reply.in_call()};
    if (!is_spread) fail(message("counter-overflow/one-bin"), lines);
    if (total < n) fail(message("index-in-32-bits"), lines);
    expect_equal(reply, 1, wanted);
  }
}

// ---- what was moved ------------------------------------------------------------------------------------

/// Every value is read once, by lanes on neighbouring ones.
inline void expect_read_once(const Reply& reply, std::size_t n, unsigned nbins) {
  const simt::Counters& c = reply.counters();
  const std::size_t bytes = bytes_to_read(n);
  // What blocks tell each other, also if they leave their counters to a second kernel.
  const std::size_t most = bytes + bytes / 16 + counting_grid(reply).blocks * nbins * sizeof(unsigned);
  const auto lines = [&] {
    return details_of(
        reply,
        followed_by(
            {say("{requests} requests, {sectors} sectors of 32 bytes and {read} bytes read; the values have "
                 "{bytes} bytes",
                 c.global_load_requests, c.global_load_sectors, c.global_load_bytes, bytes)},
            costly_lines(reply, reading.cost, reading.requests, say("sectors"))));
  };
  if (c.global_load_bytes > most) fail(message("read-again", c.global_load_bytes, bytes), lines());
  if (c.global_load_sectors > most / 32 + 1)
    fail(message("uncoalesced", c.global_load_sectors, (bytes + 31) / 32), lines());
  const LabMessage too_few = message("too-few-bytes");
  expect_between("bytes read", static_cast<double>(c.global_load_bytes), static_cast<double>(bytes),
                 static_cast<double>(most), {too_few.id, too_few.sentence});
  tell_measured(say("read"), say("{read} bytes in {sectors} sectors; the values have {bytes}",
                                 c.global_load_bytes, c.global_load_sectors, bytes));
}

/// Which block or cluster of this shape reads a value first in some schedule. Found out by a call of an array with a
/// single value, said to have n: the first read fails it, and the simulator says whose it was. None if no thread of a kernel
/// reads.
inline std::optional<Extent> first_reader(const Extent& shape, const Counter& counter, std::size_t n,
                                          unsigned nbins, Schedule schedule) {
  const std::optional<Failure> failed = failure_in([&] {
    const std::vector<unsigned> bins(nbins);
    counter.call({.schedule = schedule}, in(std::vector<int>(1)), n, inout(bins), nbins);
  });
  const simt::Finding* read = failed ? first_finding(*failed) : nullptr;
  if (!read || !is_about(*failed, "out-of-bounds") || !read->participants.front().thread) return {};
  Extent part = read->participants.front().thread->block;
  for (std::size_t k = 0; k < 3; ++k) part[k] /= shape[k];
  return part;
}

/// Whether the same block or cluster of this shape reads first in all schedules; false where that is not known.
inline bool all_but_one_idle(const Extent& shape, const Counter& counter, std::size_t n, unsigned nbins) {
  std::optional<Extent> first;
  for (const Schedule schedule : schedules()) {
    const std::optional<Extent> part = first_reader(shape, counter, n, nbins, schedule);
    if (!part || (first && first != part)) return false;
    first = part;
  }
  return true;
}

/// More than one block must count so many values, and more than one cluster where there are several. Counters
/// of the simulator do not tell blocks apart. But one schedule lets the first block begin and another one the
/// last: if both count, it is not the same one that reads first.
inline void expect_several_count(const Reply& reply, const Counter& counter, std::size_t n, unsigned nbins) {
  const auto kernel = std::ranges::find_if(
      reply.kernels(), [](const simt::KernelRecord& k) { return k.counters.global_load_bytes != 0; });
  if (kernel == reply.kernels().end()) return;
  // Who does a few values in a kernel before the large one may have one block for them.
  if (2 * kernel->counters.global_load_bytes < n * sizeof(int)) return;
  const bool in_clusters = counter.cluster_size != 0;
  const Extent shape = in_clusters ? kernel->cluster : Extent{1, 1, 1};
  const std::size_t parts = volume(kernel->grid) / volume(shape);
  if (in_clusters && parts == 1) return; // as the starter launches it: TODO(4) has an item for that
  // Fewer values take less time, and a good launch may have one block for them.
  for (const std::size_t size : {n / 8, n})
    if (parts > 1 && !all_but_one_idle(shape, counter, size, nbins)) return;
  fail(in_clusters ? message("one-cluster-counts", parts, n)
                   : message("one-block-counts", parts == 1, parts, n),
       {reply.in_call()});
}

/// The same in all schedules, and of a call in which threads have more than one value: only then it shows who
/// has neighbouring ones, and who has none.
inline void check_reading(const Counter& counter, std::size_t n, unsigned nbins) {
  // A loop with too many turns fails here at once, and would take seconds with more values.
  if (n > typical) count_and_check(counter, in_range(typical, nbins));
  for (const Schedule schedule : schedules())
    expect_read_once(count_and_check(counter, in_range(n, nbins), schedule), n, nbins);
  const Reply reply = count_and_check(counter, in_range(large_on_sim, nbins));
  expect_read_once(reply, large_on_sim, nbins);
  expect_several_count(reply, counter, large_on_sim, nbins);
}

/// Atomics in shared and in global memory, in words, and the call.
inline Details atomics(const Reply& reply) {
  const simt::Counters& c = reply.counters();
  const Launched grid = counting_grid(reply);
  return {say("{own} atomics in the block's own shared memory, {other} in another block's, {global} in "
              "global memory",
              c.shared_atomic_lanes, c.remote_shared_atomics, c.global_atomic_lanes),
          grid.threads == 0 ? say("no kernel has used shared memory")
                            : say("{has_clusters?{clusters:cluster}, }{blocks:block}, {threads} threads",
                                  grid.clusters != grid.blocks, grid.clusters, grid.blocks, grid.threads),
          reply.in_call()};
}

/// How many requests were made at each instruction of a call at which every request was of one lane.
using Sites = std::map<std::pair<std::string, std::uint64_t>, std::size_t>;
inline Sites requests_of_one_lane(const Reply& reply, Way::Counter requests, Way::Counter lanes) {
  std::map<Sites::key_type, simt::Counters> sites;
  for (const simt::KernelRecord& kernel : reply.kernels())
    for (const simt::SiteCounters& site : kernel.sites)
      sites[{site.where.module, site.where.offset}] += site.counters;
  Sites found;
  for (const auto& [where, c] : sites)
    if (c.*requests != 0 && c.*requests == c.*lanes) found[where] = c.*requests;
  return found;
}

/// Atomics on global memory that add to `bins`, and whether one thread of a block hands over all its counters in
/// another way.
struct Additions {
  std::size_t lanes = 0, requests = 0;
  bool are_by_one_thread = false;
};

/// The other atomics are of one lane each, on a ticket, or on the head of a queue: no more than one for each warp of
/// values and one for each warp of threads, and as many with half as many bins. A call with these tells, and it tells
/// who goes through the counters alone.
inline Additions additions_to_bins(const Reply& reply, const Counter& counter, std::size_t n, unsigned nbins,
                                   Schedule schedule) {
  using C = simt::Counters;
  Additions added{reply.counters().global_atomic_lanes, reply.counters().global_atomic_requests};
  const std::size_t most_tickets = (n + counting_grid(reply).threads) / 32;
  const unsigned fewer = nbins / 2;
  const std::optional<Reply> other = reply_if_any([&] {
    return counter.count({.schedule = schedule, .sites = true}, in_range(n, fewer).values,
                         std::vector<unsigned>(fewer));
  });
  if (!other) return added; // then that is not known
  std::size_t tickets = 0, alone = 0;
  const auto for_each_site = [&](Way::Counter requests, Way::Counter lanes, const auto& visit) {
    const Sites with_fewer = requests_of_one_lane(*other, requests, lanes);
    for (const auto& [where, count] : requests_of_one_lane(reply, requests, lanes))
      if (const auto there = with_fewer.find(where); there != with_fewer.end()) visit(count, there->second);
  };
  for_each_site(&C::global_atomic_requests, &C::global_atomic_lanes,
                [&](std::size_t count, std::size_t there) {
                  if (there == count && count <= most_tickets) tickets += count;
                });
  for (const Way& way : {shared_reading, reading}) { // the more reads the more bins there are
    for_each_site(way.requests, way.lanes, [&](std::size_t count, std::size_t there) {
      if (there < count) alone += count;
    });
  }
  return {added.lanes - tickets, added.requests - tickets, alone >= nbins};
}

/// Values are counted in shared memory, and global memory is added to at most once for every bin of a copy,
/// which every cluster has, or every block where there are no clusters. The same in all schedules.
inline void check_atomics(const Counter& counter, std::size_t n, unsigned nbins) {
  for (const Schedule schedule : schedules()) {
    const Reply reply = count_and_check(counter, in_range(n, nbins), schedule);
    const simt::Counters& c = reply.counters();
    const Launched grid = counting_grid(reply);
    const bool by_cluster = counter.cluster_size != 0;
    const std::size_t copies = by_cluster ? grid.clusters : grid.blocks, most = nbins * copies;
    const std::size_t in_shared = shared_atomics(reply);
    // A block may count at home first, and then hand each sum to the block that owns the bin.
    const std::size_t most_in_shared = n + nbins * grid.blocks;
    if (in_shared == 0) counter.fail(message("nothing-in-shared-memory"), atomics(reply));
    if (in_shared > most_in_shared)
      counter.fail(message("shared-atomics", in_shared, n, most_in_shared), atomics(reply));
    Additions added{c.global_atomic_lanes, c.global_atomic_requests};
    if (added.lanes < 2 * added.requests || added.lanes > most)
      added = additions_to_bins(reply, counter, n, nbins, schedule);
    for (const bool clears : {true, false}) { // requests of one lane each
      const std::size_t lanes = clears ? c.shared_store_lanes : added.lanes;
      const std::size_t requests = clears ? c.shared_store_requests : added.requests;
      if (lanes >= 2 * requests && (clears || !added.are_by_one_thread)) continue;
      Details lines = atomics(reply);
      if (requests != 0)
        lines.insert(lines.begin(),
                     counted(requests, "request") + " with " + counted(lanes, "lane") + " altogether");
      counter.fail(message("one-thread-of-a-block", clears), lines);
    }
    if (added.lanes > most) {
      counter.fail(
          message("global-atomics", added.lanes, by_cluster, copies, nbins, most),
          followed_by(atomics(reply), costly_lines(reply, &simt::Counters::global_atomic_lanes,
                                                   &simt::Counters::global_atomic_requests, say("lanes"))));
    }
    tell_measured(say("added to global memory"), say("{lanes} times, {most} at most", added.lanes, most));
    tell_measured(say("counted in shared memory"),
                  say("{lanes} times, {most} at most", in_shared, most_in_shared));
  }
}

} // namespace cluster_histogram
