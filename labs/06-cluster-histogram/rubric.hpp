#pragma once
/// What the rubrics of lab 06's tasks share: a call that must count right, and what was moved. The calls themselves are
/// in cases.hpp, and what wrong counts tell in wrong_counts.hpp.

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cases.hpp"
#include "explain.hpp"
#include "grader/grader.hpp"
#include "lab.hpp"
#include "text/pattern.hpp"
#include "wrong_counts.hpp"

namespace cluster_histogram {

/// Counters of a kernel that has asked for no more than it has anyhow.
constexpr unsigned counters_unasked = 48 * 1024 / 4;

/// Fails with the id `refused` if the function said that it cannot.
inline void expect_taken(const Reply& reply, const Counter& counter, unsigned nbins) {
  if (!counter.says_whether || reply.returned<bool>()) return;
  const unsigned size = std::max(counter.cluster_size, 1u), share = even_share(nbins, size);
  const bool is_unasked = share <= counters_unasked;
  std::string causes; // those that this call can have
  if (size > 8)
    causes += " A kernel with clusters of more than 8 blocks has to allow that they are not portable.";
  if (!std::has_single_bit(size)) causes += " The size of a cluster need not be a power of two.";
  Failure failure{{"refused"},
                  reply.function() + " said that it cannot count here." + causes + " " + number(nbins) +
                      " counters of 4 bytes in " + counted(size, "block") + " are " + number(share * 4) +
                      " bytes a block, and a block may have " +
                      (is_unasked
                           ? "48 KiB without asking."
                           : number(fitting_counters() * 4) + ", if the kernel asks for more than 48 KiB."),
                  {"In the call " + reply.call_text() + "."}};
  if (counter.cluster_size != 0) {
    failure.causes.push_back(
        "cudaOccupancyMaxActiveClusters judges the kernel as it is when it is asked: are its attributes "
        "set before that?");
  }
  read_on(failure, !causes.empty()                           ? "Launching clusters"
                   : is_unasked && counter.cluster_size != 0 ? "How many clusters?"
                                                             : "How much shared memory?");
  if (counter.cluster_size != 0) point_to(failure, 4);
  fail(std::move(failure));
}

/// Bytes of shared memory that a block had with so many bins; none if that is not known.
inline std::optional<std::size_t> bytes_of_a_block(const Counter& counter, unsigned nbins) {
  const std::optional<Reply> reply =
      reply_if_any([&] { return counter.call(CallOptions{}, {0}, std::vector<unsigned>(nbins), nbins); });
  if (!reply) return std::nullopt; // then that is not what this failure is about
  for (const simt::KernelRecord& kernel : reply->kernels()) {
    if (kernel.shared_bytes != 0 && volume(kernel.cluster) == std::max(counter.cluster_size, 1u))
      return kernel.shared_bytes;
  }
  return std::nullopt;
}

/// Bytes of shared memory that a block has besides its counters, however many these are. Small launches tell, of bins
/// that a cluster of 2 shares out evenly and not; 0 if they do not agree.
inline std::size_t bytes_beside_counters(const Counter& counter) {
  const Counter small = counter.cluster_size > 1 ? cluster(2) : counter;
  std::optional<std::size_t> beside;
  for (const unsigned nbins : {500u, 1000u, 1001u}) {
    const std::optional<std::size_t> bytes = bytes_of_a_block(small, nbins);
    const std::size_t counters = std::size_t{even_share(nbins, small.cluster_size)} * 4;
    if (!bytes || *bytes < counters || (beside && *beside != *bytes - counters)) return 0;
    beside = *bytes - counters;
  }
  return *beside;
}

inline bool is_about_a_launch(const Failure& failure) {
  static const std::vector<std::string> of_launches = {"refused", "invalid-launch", "unchecked-launch",
                                                       "cuda-error"};
  return std::ranges::find(of_launches, failure.diagnoses.front()) != of_launches.end();
}

/// Tells a call that was refused or could not be launched by what is known of this launch, and not of any.
inline void retell_launch(Failure& failure, const char* id, std::string sentence, std::string section,
                          int todo) {
  failure.diagnoses.insert(failure.diagnoses.begin(), id);
  failure.sentence = std::move(sentence);
  drop_advice(failure);
  failure.causes.clear();
  failure.sections = {std::move(section)};
  point_to(failure, todo);
}

/// Of a call that was refused or could not be launched: whether the counters of a block fit, and what its kernel has
/// besides them does not.
inline bool blame_memory_beside_counters(Failure& failure, const Counter& counter, unsigned nbins) {
  if (!on_sim() || !counter.says_whether || !is_about_a_launch(failure)) return false;
  const std::size_t counters = std::size_t{even_share(nbins, counter.cluster_size)} * 4;
  const std::size_t beside = bytes_beside_counters(counter);
  const auto exceeds = [&](std::size_t limit) { return counters <= limit && counters + beside > limit; };
  const bool is_unasked = exceeds(counters_unasked * 4);
  if (!is_unasked && !exceeds(std::size_t{fitting_counters()} * 4)) return false;
  retell_launch(
      failure, "memory-beside-counters",
      (counter.cluster_size != 0 ? "histogram_cluster" : "histogram_shared") + std::string(" cannot count ") +
          number(nbins) + " bins in " + counted(std::max(counter.cluster_size, 1u), "block") +
          ", because its kernel has " + counted(beside, "byte") + " of shared memory besides the " +
          number(counters) + " of the counters, and " +
          (is_unasked ? number(counters_unasked * 4) + " is what a block has without asking."
                      : number(fitting_counters() * 4) + " is all that a block may have.") +
          " Static __shared__ variables count, too: keep such values in registers, or have a kernel without "
          "them for where the counters take everything.",
      "How much shared memory?", counter.cluster_size != 0 ? 3 : 2);
  return true;
}

/// Of a call of histogram_cluster that was refused or could not be launched: whether its blocks have counters for
/// more bins than their share, and could not have been launched for that. Small launches tell.
inline void blame_shares(Failure& failure, unsigned nbins, unsigned size) {
  if (size < 2 || !is_about_a_launch(failure)) return;
  const unsigned share = even_share(nbins, size);
  const bool all_are_too_many =
      nbins > fitting_counters() || (share <= counters_unasked && nbins > counters_unasked && size <= 8);
  const bool one_is_too_many = share == fitting_counters() || share == counters_unasked;
  if (!all_are_too_many && !one_is_too_many) return;
  if (!on_sim()) { // nothing tells what was launched
    if (share > counters_unasked || !all_are_too_many) return;
    failure.details.push_back(
        "Shared out, the counters are " + number(share * 4) +
        " bytes a block: does bins_per_block say how many bins a block owns, or how many there are?");
    return;
  }
  const std::optional<std::size_t> small = bytes_of_a_block(cluster(2), 1000),
                                   twice = bytes_of_a_block(cluster(2), 2000);
  if (!small || !twice) return;
  const std::string cannot =
      "histogram_cluster cannot count " + number(nbins) + " bins in " + counted(size, "block");
  if (all_are_too_many && *twice - *small == 4000) {
    retell_launch(failure, "bins-not-shared-out",
                  cannot + ", because each block has counters for all of them, " +
                      number(std::size_t{nbins} * 4) + " bytes. Shared out they are " + number(share * 4) +
                      " bytes a block. bins_per_block says how many bins a block owns.",
                  section_of_clusters, 3);
  } else if (one_is_too_many && *small == 2004 && *twice == 4004) {
    retell_launch(failure, "more-counters-than-bins",
                  cannot + ", which have room for exactly so many: a block has 4 bytes more than its share "
                           "of the counters takes. Does bins_per_block give one too many where the cluster "
                           "size divides the number of bins?",
                  section_of_clusters, 3);
  } else {
    return;
  }
  add_cause(failure, "With 2,000 bins and clusters of 2 a block has " + number(*twice) +
                         " bytes of shared memory; 4,000 are enough.");
}

inline bool has_counts(const Reply& reply, const std::vector<unsigned>& wanted) {
  return std::ranges::equal(reply.values<unsigned>(1), wanted);
}

/// Where a function may say that it cannot: either it does, and has changed nothing, or the counts are right.
/// Of more than largest_cluster blocks no device makes a cluster.
inline void expect_left_alone(const Reply& reply, const Counter& counter, const Integers& input,
                              unsigned nbins, const std::vector<unsigned>& before) {
  if (reply.returned<bool>()) {
    const std::vector<unsigned> wanted = histogram_of(input.values, nbins);
    if (has_counts(reply, wanted)) return;
    fail("claims-too-much",
         reply.function() +
             " returned true and has not counted. Where the device cannot do what was asked for, a launch "
             "fails, and nobody counts: find out before it, and return false.",
         told({reply, counter, input, nbins, before, wanted}, "How much shared memory?"));
  }
  if (!reply.untouched()) {
    fail("changed-and-refused",
         reply.function() + " returned false, and has changed `bins` all the same. Decide first, then clear.",
         details_of(reply, "How much shared memory?"));
  }
}

inline Reply count_and_check(const Counter& counter, const Integers& input, unsigned nbins,
                             Schedule schedule);

/// The function that histogram() says it has called, and its TODO.
struct Called {
  Counter counter;
  std::string name;
  int todo;
};

/// The smallest power of two of blocks that hold the counters, if 16 do.
inline unsigned enough_blocks(unsigned nbins) {
  unsigned size = 2;
  while (size < largest_cluster && even_share(nbins, size) > fitting_counters()) size *= 2;
  return size;
}

inline Called called_by_histogram(const Reply& reply, unsigned nbins) {
  const Regime said = reply.returned<Regime>();
  if (said == Regime::shared) return {shared(), "histogram_shared", 2};
  if (said != Regime::distributed) return {global(), "histogram_global", 1};
  std::size_t size = enough_blocks(nbins);
  for (const simt::KernelRecord& kernel : reply.kernels()) size = std::max(size, volume(kernel.cluster));
  return {cluster(static_cast<unsigned>(size)), "histogram_cluster", 3};
}

/// Fails the item if it is not histogram() that is wrong, but what it says it has called.
inline void blame_what_was_called(const Reply& reply, const Integers& input, unsigned nbins,
                                  Schedule schedule) {
  const Called called = called_by_histogram(reply, nbins);
  try {
    count_and_check(called.counter, input, nbins, schedule);
  } catch (ItemFailed& failed) {
    if (has_diagnosis(failed.failure, "missing-function") || has_diagnosis(failed.failure, "refused"))
      return; // then it has called something else
    failed.failure.sentence = "histogram counts wrong, because " + called.name +
                              " does. Mend that first: " + failed.failure.sentence;
    if (failed.failure.places.empty() && failed.failure.todos.empty()) point_to(failed.failure, called.todo);
    throw;
  }
}

/// The reply of `call`, a call of `counter`, which must not be refused, nor its launch.
template <typename Call>
Reply take(const Counter& counter, unsigned nbins, const Call& call) {
  try {
    Reply reply = call();
    expect_taken(reply, counter, nbins);
    return reply;
  } catch (ItemFailed& failed) {
    if (!blame_memory_beside_counters(failed.failure, counter, nbins))
      blame_shares(failed.failure, nbins, counter.cluster_size);
    throw;
  }
}

/// Counts, and requires the exact counts.
inline Reply count_and_check(const Counter& counter, const Integers& input, unsigned nbins,
                             Schedule schedule) {
  // Not zero, and small enough for sums of old and new to be known as such.
  const std::vector<unsigned> before = random_integers<unsigned>(nbins, 1'000'000, 2'000'000'000);
  const std::vector<unsigned> wanted = histogram_of(input.values, nbins);
  Reply reply = take(counter, nbins, [&] {
    return counter.call(CallOptions{.schedule = schedule, .sites = true}, input.values, before, nbins);
  });
  if (has_counts(reply, wanted)) return reply;
  if (counter.says_regime && !reply.untouched()) blame_what_was_called(reply, input, nbins, schedule);
  try {
    fail_counts({reply, counter, input, nbins, before, wanted});
  } catch (ItemFailed& failed) { // values have arrived: it is the kernel that loses some, not the launch
    const std::string& id = failed.failure.diagnoses.front();
    if (counter.cluster_size != 0 && id != "unsolved" && id != "nothing-counted" &&
        id != "bins-not-overwritten")
      point_to(failed.failure, 3);
    throw;
  }
}

/// The same for the sizes up to `most`, after `typical`, with values of all bins.
inline void check_sizes(const Counter& counter, unsigned nbins, Schedule schedule, std::size_t most = 4999) {
  const auto check = [&](std::size_t n) { count_and_check(counter, in_range(n, nbins), nbins, schedule); };
  check_and_shrink(typical, sizes(257), check);
  for (const std::size_t n : sizes(most)) check(n);
}

/// On a GPU: more values than fit its caches, which the runner makes.
inline void check_real_size(const Counter& counter, unsigned nbins) {
  const Distribution values = uniform(0, last_bin(nbins));
  const std::uint64_t seed = next_seed();
  const Reply reply = take(counter, nbins, [&] {
    return counter.generated(CallOptions{}, generated<int>(real, values, seed).returned(), nbins);
  });
  const std::vector<unsigned> wanted = histogram_of(values, seed, real, nbins);
  expect_everywhere<unsigned>(
      reply, 1, [&](std::size_t b) { return wanted[b]; },
      [&] {
        const Integers input{"values of all bins", generated_values<int>(real, values, seed)};
        count_and_check(counter, input, nbins, Schedule::forward);
      });
}

/// On a GPU: more values than an int can count, spread over the bins, and then all in one of them. Those that are spread
/// repeat after some millions, so that their counts follow from those of a period. It is a prime: an index that is too
/// short is off by a power of two, and meets other values. `in_one_bin` values are all in one: fewer will do where no
/// counter stands between a value and its bin, for a GPU adds up one word one by one.
inline void check_beyond_int(const Counter& counter, unsigned nbins, std::size_t in_one_bin = beyond_int) {
  if (!has_room_for(beyond_int * sizeof(int))) return;
  bool is_spread = true;
  constexpr std::uint64_t period = 8'388'593;
  for (const Distribution values : {repeating(whole_numbers(-5, nbins + 5.0), period), constant(nbins / 2)}) {
    const std::size_t n = is_spread ? beyond_int : in_one_bin;
    const std::uint64_t seed = next_seed();
    const CallOptions options{.timeout = std::chrono::seconds(60)};
    const Reply reply = counter.generated(options, generated<int>(n, values, seed), nbins);
    expect_taken(reply, counter, nbins);
    const std::vector<unsigned> wanted = histogram_of(values, seed, n, nbins);
    const std::span<const unsigned> bins = reply.values<unsigned>(1);
    const std::uint64_t total = std::accumulate(bins.begin(), bins.end(), std::uint64_t{0});
    const bool is_wrong = !has_counts(reply, wanted);
    expect_none("",
                {{is_wrong && is_spread && total < n, "index-in-32-bits",
                  "Values are missing. Smaller arrays come out right: does every index, every product "
                  "and every number of values have more than 32 bits?"},
                 {is_wrong && !is_spread, "counter-overflow",
                  "As many values spread over all bins come out right, and all in one bin do not: some "
                  "counter on the way is too short for them."}},
                [&] {
                  return details_of(
                      reply, "",
                      {number(n) + " values, and the counts of all bins together are " + number(total)});
                });
    expect_equal(reply, 1, wanted);
    is_spread = false;
  }
}

// ---- what was moved ------------------------------------------------------------------------------------

/// Every value is read once, by lanes on neighbouring ones.
inline void expect_read_once(const Reply& reply, std::size_t n, unsigned nbins) {
  const simt::Counters& c = reply.counters();
  const std::size_t bytes = n * sizeof(int);
  // What blocks tell each other, also if they leave their counters to a second kernel.
  const std::size_t further = bytes / 16 + counting_grid(reply).blocks * nbins * sizeof(unsigned);
  expect_none(
      "The counts are right, but ",
      {{c.global_load_bytes > bytes + further, "read-again",
        number(c.global_load_bytes) + " bytes were read where the values have " + number(bytes) +
            ". Does more than one thread read the same value?"},
       {c.global_load_sectors > (bytes + further) / 32 + 1, "uncoalesced",
        "the lanes of a warp are not on neighbouring values at the same time: " +
            number(c.global_load_sectors) + " sectors were read where " + number((bytes + 31) / 32) +
            " are enough."}},
      [&] {
        return details_of(
            reply, "An atomic for every value",
            followed_by({number(c.global_load_requests) + " requests, " + number(c.global_load_sectors) +
                         " sectors of 32 bytes and " + number(c.global_load_bytes) +
                         " bytes read; the values have " + number(bytes) + " bytes"},
                        costly_lines(reply, &simt::Counters::global_load_sectors,
                                     &simt::Counters::global_load_requests, "sectors")));
      });
  expect_between("bytes read", static_cast<double>(c.global_load_bytes), static_cast<double>(bytes),
                 static_cast<double>(bytes + further), "too-few-bytes",
                 "Fewer bytes were read than the values have.");
}

/// The block that reads a value first in some schedule. Found out by a call without values: the first read fails
/// it, and the simulator says whose it was. None if nobody in a kernel reads.
inline std::optional<std::array<unsigned, 3>> first_reader(const Counter& counter, std::size_t n,
                                                           unsigned nbins, Schedule schedule) {
  try {
    counter.without_values(CallOptions{.schedule = schedule}, n, nbins);
  } catch (const ItemFailed& failed) {
    const simt::Diagnostic* read = first_finding(failed.failure);
    if (read && is_about(failed.failure, "out-of-bounds") && read->participants.front().thread)
      return read->participants.front().thread->block;
  }
  return {};
}

/// Whether the same block or cluster of this shape reads first in all schedules; false where nobody knows.
inline bool all_but_one_idle(const std::array<unsigned, 3>& shape, const Counter& counter, std::size_t n,
                             unsigned nbins) {
  std::optional<std::array<unsigned, 3>> first;
  for (const Schedule schedule : schedules()) {
    std::optional<std::array<unsigned, 3>> part = first_reader(counter, n, nbins, schedule);
    if (!part) return false;
    for (std::size_t k = 0; k < 3; ++k) (*part)[k] /= shape[k];
    if (first && first != part) return false;
    first = part;
  }
  return true;
}

/// More than one block must count so many values, and more than one cluster where there are several. Counters
/// of the simulator do not tell blocks apart. But one schedule lets the first block begin and another one the
/// last: if both count, it is not the same one that reads first.
inline void expect_several_count(const Reply& reply, const Counter& counter, std::size_t n, unsigned nbins) {
  const auto kernel = std::ranges::find_if(
      reply.kernels(), [&](const simt::KernelRecord& k) { return k.counters.global_load_bytes != 0; });
  if (kernel == reply.kernels().end()) return;
  // Who does a few values in a kernel before the large one may have one block for them.
  if (2 * kernel->counters.global_load_bytes < n * sizeof(int)) return;
  const bool in_clusters = counter.cluster_size != 0;
  const std::string part = in_clusters ? "cluster" : "block";
  const std::array<unsigned, 3> shape = in_clusters ? kernel->cluster : std::array{1u, 1u, 1u};
  const std::size_t parts = volume(kernel->grid) / volume(shape);
  if (in_clusters && parts == 1) return; // as the starter launches it: TODO(4) has an item for that
  if (parts > 1) {
    // Fewer values take less time, and a good launch may have one block for them.
    if (!all_but_one_idle(shape, counter, n / 8, nbins)) return;
    if (!all_but_one_idle(shape, counter, n, nbins)) return;
  }
  fail("one-" + part + "-counts",
       "The counts are right, but " +
           (parts == 1 ? "the grid has one block"
                       : "one " + part + " of " + number(parts) + " does all the work") +
           ", and " + number(n) + " values are enough for every multiprocessor. Let every " + part +
           " of a large grid count a part of them.",
       details_of(reply, "An atomic for every value"));
}

/// The same in all schedules, and of a call in which threads have more than one value: only then it shows who
/// has neighbouring ones, and who has none.
inline void check_reading(const Counter& counter, std::size_t n, unsigned nbins) {
  for (const Schedule schedule : schedules())
    expect_read_once(count_and_check(counter, in_range(n, nbins), nbins, schedule), n, nbins);
  const Reply reply = count_and_check(counter, in_range(large_on_sim, nbins), nbins, Schedule::forward);
  expect_read_once(reply, large_on_sim, nbins);
  expect_several_count(reply, counter, large_on_sim, nbins);
}

/// Atomics in shared and in global memory, in words.
inline std::vector<std::string> atomics(const Reply& reply, const std::string& section) {
  const simt::Counters& c = reply.counters();
  const Launched grid = counting_grid(reply);
  return details_of(reply, section,
                    {number(c.shared_atomic_lanes) + " atomics in the block's own shared memory, " +
                         number(c.remote_shared_atomics) + " in another block's, " +
                         number(c.global_atomic_lanes) + " in global memory",
                     grid.threads == 0
                         ? "no kernel has used shared memory"
                         : (grid.clusters == grid.blocks ? "" : counted(grid.clusters, "cluster") + ", ") +
                               counted(grid.blocks, "block") + ", " + number(grid.threads) + " threads"});
}

/// The instructions of a call at which every request was of one lane, and how many requests those were.
inline std::map<std::pair<std::string, std::uint64_t>, std::size_t>
requests_of_one_lane(const Reply& reply, std::uint64_t simt::Counters::*requests,
                     std::uint64_t simt::Counters::*lanes) {
  std::map<std::pair<std::string, std::uint64_t>, simt::Counters> sites;
  for (const simt::KernelRecord& kernel : reply.kernels()) {
    for (const simt::SiteCounters& site : kernel.sites)
      sites[{site.where.module, site.where.offset}] += site.counters;
  }
  std::map<std::pair<std::string, std::uint64_t>, std::size_t> found;
  for (const auto& [where, c] : sites) {
    if (c.*requests != 0 && c.*requests == c.*lanes) found[where] = c.*requests;
  }
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
  const C& c = reply.counters();
  Additions added{c.global_atomic_lanes, c.global_atomic_requests};
  const std::size_t most_tickets = (n + counting_grid(reply).threads) / 32;
  const unsigned fewer = nbins / 2;
  const std::optional<Reply> other = reply_if_any([&] {
    return counter.call(CallOptions{.schedule = schedule, .sites = true}, in_range(n, fewer).values,
                        std::vector<unsigned>(fewer), fewer);
  });
  if (!other) return added; // then nobody knows
  const auto others = requests_of_one_lane(*other, &C::global_atomic_requests, &C::global_atomic_lanes);
  for (const auto& [where, count] :
       requests_of_one_lane(reply, &C::global_atomic_requests, &C::global_atomic_lanes)) {
    const auto there = others.find(where);
    if (there == others.end() || there->second != count || count > most_tickets) continue;
    added.lanes -= count;
    added.requests -= count;
  }
  std::size_t alone = 0; // reads by one lane, the more the more bins there are
  for (const auto& [requests, lanes] : {std::pair{&C::shared_load_requests, &C::shared_load_lanes},
                                        std::pair{&C::global_load_requests, &C::global_load_lanes}}) {
    const auto fewer_reads = requests_of_one_lane(*other, requests, lanes);
    for (const auto& [where, count] : requests_of_one_lane(reply, requests, lanes)) {
      const auto there = fewer_reads.find(where);
      if (there != fewer_reads.end() && there->second < count) alone += count;
    }
  }
  added.are_by_one_thread = alone >= nbins;
  return added;
}

/// Values are counted in shared memory, and global memory is added to at most once for every bin of a copy,
/// which every cluster has, or every block where there are no clusters.
inline void expect_few_global_atomics(const Reply& reply, const Counter& counter, std::size_t n,
                                      unsigned nbins, Schedule schedule) {
  const simt::Counters& c = reply.counters();
  const Launched grid = counting_grid(reply);
  const std::string copy = counter.cluster_size != 0 ? "cluster" : "block";
  const std::size_t copies = counter.cluster_size != 0 ? grid.clusters : grid.blocks;
  const std::size_t in_shared = c.shared_atomic_lanes + c.remote_shared_atomics;
  const std::size_t most = nbins * copies;
  // A block may count at home first, and then hand each sum to the block that owns the bin.
  const std::size_t most_in_shared = n + nbins * grid.blocks;
  const auto lines = [&] { return atomics(reply, counter.section); };
  const std::string right_but = "The counts are right, but ";
  expect_none(right_but,
              {{in_shared == 0, "nothing-in-shared-memory", "no atomic in shared memory has counted them."},
               {in_shared > most_in_shared, "shared-atomics",
                number(in_shared) + " atomics in shared memory were made for " + number(n) +
                    " values. One for each value is enough, and one for each bin of a block that hands over "
                    "its sums, " +
                    number(most_in_shared) +
                    " in all. Does a value cost a second one? An atomic also returns what the counter was "
                    "before."}},
              lines);
  Additions added{c.global_atomic_lanes, c.global_atomic_requests};
  if (added.lanes < 2 * added.requests || added.lanes > most)
    added = additions_to_bins(reply, counter, n, nbins, schedule);
  for (const bool clears : {true, false}) { // requests of one lane each
    const std::size_t lanes = clears ? c.shared_store_lanes : added.lanes;
    const std::size_t requests = clears ? c.shared_store_requests : added.requests;
    expect_none(right_but,
                {{lanes < 2 * requests || (!clears && added.are_by_one_thread), "one-thread-of-a-block",
                  std::string("one thread of a block ") + (clears ? "clears" : "adds up") +
                      " all its counters, one after the other, and the others wait. Let all threads of the "
                      "block go through them."}},
                [&] {
                  std::vector<std::string> one_lane_each;
                  if (requests != 0)
                    one_lane_each = {counted(requests, "request") + " with " + counted(lanes, "lane") +
                                     " altogether"};
                  return followed_by(one_lane_each, atomics(reply, counter.section));
                });
  }
  expect_none(right_but,
              {{added.lanes > most, "global-atomics",
                number(added.lanes) + " atomics went to global memory. " + counted(copies, copy) + " with " +
                    counted(nbins, "bin") + " need " + number(most) + " at most: one for every bin of a " +
                    copy + ", once all values are counted."}},
              [&] {
                return followed_by(lines(), costly_lines(reply, &simt::Counters::global_atomic_lanes,
                                                         &simt::Counters::global_atomic_requests, "lanes"));
              });
}

} // namespace cluster_histogram
