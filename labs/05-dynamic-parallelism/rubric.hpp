#pragma once
/// What the rubrics of lab 05's tasks share: inputs, the sums of parts and the shapes of wrong ones, and
/// judgements of who launched what.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explain.hpp"
#include "grader/grader.hpp"
#include "lab.hpp"
#include "wrong_sums.hpp"

namespace dynamic_parallelism {

using namespace warpbook;

/// A size at which a function that changes nothing is taken for an unsolved task, and at which the usual
/// mistakes show their shape: many parts, and a last one that is not whole.
constexpr std::size_t typical = 5003;
/// Large sizes that no power of two divides: primes, and on a GPU also more than fits its caches.
constexpr std::size_t large = 999'983;
constexpr std::size_t large_on_sim = 49'999;
constexpr std::size_t real = (std::size_t{1} << 25) + 77;

/// Whether there is a GPU, and no tool in front of the runner, which would take minutes over so much.
inline bool takes_real_sizes() {
  return submission().backend() == Backend::cuda && submission().options().prefix.empty();
}

/// Launches that device code can have pending at a time, as long as the host asks for no more.
constexpr std::size_t pending_limit = 2048;
/// Child grids of a part, and so the depth of the launches: halves of 64, 32, 16, 8, 4, 2 and 1 threads.
constexpr std::size_t child_levels = 7;

// ---- inputs and results --------------------------------------------------------------------------------

/// No sum of 256 of them leaves the range of an int.
constexpr int most = (1 << 23) - 1;

inline Integers random_input(std::size_t n) {
  return {"random values", random_integers<int>(n, -most, most)};
}

/// One value everywhere, sorted values, and values that cancel.
inline std::vector<Integers> special_inputs(std::size_t n) {
  std::vector<Integers> list;
  list.push_back({"the largest value everywhere", std::vector<int>(n, most)});
  Integers sorted{"sorted values", random_integers<int>(n, -most, most)};
  std::sort(sorted.values.begin(), sorted.values.end());
  list.push_back(std::move(sorted));
  Integers cancelling{"values that cancel, and one that is left", std::vector<int>(n)};
  for (std::size_t i = 0; i < n; ++i)
    cancelling.values[i] = i % part_size == 77 ? 1 : i % 2 == 0 ? most : -most;
  list.push_back(std::move(cancelling));
  return list;
}

/// A wrong result and the right one, and what is wrong with it where its shape gives that away.
class WrongSums : Sums {
public:
  WrongSums(const Reply& reply, const Integers& input, const std::vector<int>& right)
      : Sums{reply.function(), input.values, reply.values<int>(0), right}, reply_(reply) {
    const auto k = static_cast<std::size_t>(std::ranges::mismatch(found, wanted).in1 - found.begin());
    where_ = "sums[" + number(k) + "] is " + to_text(found[k]) + ", and " + to_text(wanted[k]) +
             " is expected (" + input.what + ")";
  }

  /// Fails the item if the shape is known; returns if it is not.
  void recognise() const {
    unwritten();
    too_many_launches();
    if (const std::optional<WrongResult<int>> mistake = mistake_behind(mistakes(), found, wanted))
      fail(mistake->id, mistake->sentence, with(mistake->section));
    blocks_missing();
    low_precision();
  }

private:
  std::vector<std::string> with(const std::string& section) const {
    return details_of(reply_, section, {where_});
  }

  /// Whether `work` has at most the part's elements, which the starter's load_part copies.
  bool nothing_added() const {
    const std::span<const int> work = reply_.values<int>(1);
    return all_hold(work.size(), [&](std::size_t i) {
      return reply_.unwritten(1, i) || work[i] == (i < in.size() ? in[i] : 0);
    });
  }

  /// Whether device code launches for each part, and there are more parts than launches may be pending.
  bool launches_may_be_refused() const { return by_launches() && found.size() > pending_limit; }

  void unwritten() const {
    const std::size_t all = found.size();
    std::size_t count = 0, first = all;
    for (std::size_t k = all; k-- > 0;) {
      if (reply_.unwritten(0, k)) ++count, first = k;
    }
    if (count == 0) return;
    if (count == all) {
      if (in.size() >= 4 * part_size && nothing_added()) unsolved(reply_);
      fail("sums-not-written",
           "Elements were added, but no sum was ever written: who writes sums[k], and does the program get "
           "there?",
           details_of(reply_, ""));
    }
    const std::string some = number(count) + " of " + number(all) + " sums were never written";
    if (launches_may_be_refused()) {
      const std::uint64_t refused = reply_.counters().failed_device_launches; // of the simulator; else 0
      fail("launches-refused",
           "There are " + number(all) + " parts, and " + number(count) + " of their sums were never written" +
               (refused > 0 // the simulator would have said if nobody had asked
                    ? ": " + number(refused) +
                          " launches were refused. The program has asked for the error, and then nothing "
                          "comes of the answer: who adds up those parts?"
                    : ". Device code can have " + number(pending_limit) +
                          " launches pending; one more is refused, and only whoever asks for the error "
                          "knows."),
           details_of(reply_, "Two thousand and forty-eight", {some}));
    }
    if (count == 1 && first == all - 1 && in.size() % part_size != 0) {
      fail("last-part-missing", "The last part, which is not whole, has no sum.",
           details_of(reply_, "Parts and blocks", {some}));
    }
    fail("sums-missing",
         some + ", the first of them sums[" + number(first) +
             "]. Which thread writes the sum of a part, and is there one for every part" +
             (is_by_level() ? ", also at the last level?" : "?"),
         details_of(reply_, section_of_parts()));
  }

  /// On the simulator, which counts: the same work was launched more than once.
  void too_many_launches() const {
    const std::size_t needed = child_levels * (is_by_level() ? 1 : found.size());
    const std::uint64_t grids = reply_.counters().child_grids;
    if (!by_launches() || grids <= needed) return;
    fail("too-many-child-grids",
         std::string("The sums are wrong, and more child grids ran than there are ") +
             (is_by_level() ? "levels. A grid has many blocks and many threads: which one of them launches?"
                            : "halves. A block has many threads: which one of them launches, and how often?"),
         details_of(reply_, section_of_launches(),
                    {counted(grids, "child grid") + " ran for " + counted(found.size(), "part") + ", and " +
                         number(needed) + " are needed",
                     where_}));
  }

  /// From some part on, all are wrong.
  void blocks_missing() const {
    const std::size_t all = found.size();
    std::size_t first_wrong = all, wrong = 0, last_right = 0; // one behind the last
    for (std::size_t k = 0; k < all; ++k) {
      if (found[k] == wanted[k]) {
        last_right = k + 1;
      } else {
        ++wrong;
        first_wrong = std::min(first_wrong, k);
      }
    }
    const std::size_t right = all - wrong;
    // The simulator refuses all but the first, a GPU a large part, here and there; a race on a GPU spoils a few.
    const bool as_if_refused = submission().backend() == Backend::sim
                                   ? right >= pending_limit
                                   : right > first_wrong && wrong > all / 8;
    if (launches_may_be_refused() && as_if_refused) {
      fail("refused-part-wrong",
           number(right) + " of " + number(all) +
               " sums are right. The others are those of parts whose launch was refused: what is done for "
               "them instead adds up something else than the child would.",
           with("Two thousand and forty-eight"));
    }
    if (first_wrong == 0 || wrong < 2 || last_right > first_wrong) return;
    fail("blocks-missing",
         (right == 1 ? "The first sum is right" : "The first " + number(right) + " sums are right") +
             ", and all of the " + number(wrong) +
             " behind them are wrong. Does every launch have as many blocks as its parts need? A division "
             "rounds down." +
             (is_by_level() ? " And is n, which each level is told, the number of elements of its `from`, "
                              "gaps included?"
                            : ""),
         with(section_of_parts()));
  }

  void low_precision() const {
    // A float rounds to 24 bits, at most 255 times, at sums of at most 2^31.
    const bool nearly_right = all_hold(found.size(), [&](std::size_t k) {
      return std::abs(static_cast<double>(found[k]) - wanted[k]) <= 255 * 128.0;
    });
    if (nearly_right && in.size() >= part_size)
      fail("low-precision",
           "The sums are right to some digits only: somewhere the int became a float. A sum of ints is "
           "exact.",
           with(""));
  }

  const Reply& reply_;
  std::string where_;
};

/// A call that may go wrong in ways that are for other calls to tell.
inline CallOptions lenient(int seconds, std::optional<LaunchRoom> room = {}) {
  return {.timeout = std::chrono::seconds(seconds),
          .allow = {"global-race", "out-of-bounds", "uninitialised-read", "unchecked-launch"},
          .launch_room = room};
}

template <typename F>
Reply call_reduce(F function, const Integers& input, const CallOptions& how) {
  const std::size_t parts = parts_of(input.size());
  CallOptions options = how;
  options.sources = [n = input.size()](BufferElement e) {
    const bool is_sum = e.buffer == 0; // what is left in `work` is free
    return !is_sum ? std::vector<BufferElement>()
                   : range_of(
                         {2}, [](std::size_t k) { return k * part_size; },
                         [n](std::size_t k) { return std::min(n, (k + 1) * part_size); })(e);
  };
  return submission().call(options, function, out<int>(parts), out<int>(parts * part_size), in(input.values),
                           input.size());
}

/// A call that the simulator objects to is told in the words of its task.
template <typename F>
Reply reduce(F function, const Integers& input, const CallOptions& how) {
  try {
    return call_reduce(function, input, how);
  } catch (ItemFailed& failed) {
    if (submission().backend() != Backend::sim || failed.failure.findings.empty()) throw;
    const std::string name = function.name;
    const Found found{.failure = failed.failure,
                      .parts = parts_of(input.size()),
                      .launches_failed = submission().last_counters().failed_device_launches > 0,
                      .again = [&] {
                        return reply_if_any([&] {
                          CallOptions again = lenient(3);
                          again.schedule = how.schedule, again.sites = how.sites;
                          again.launch_room = how.launch_room;
                          return call_reduce(function, input, again);
                        });
                      }};
    tell(failed.failure,
         name == "reduce_nested"            ? nested_lessons
         : name == "reduce_nested_by_level" ? level_lessons
                                            : flat_lessons,
         found);
    throw;
  }
}

/// Whether the reply has these sums.
inline bool has_sums(const Reply& reply, const std::vector<int>& wanted) {
  return std::ranges::equal(reply.values<int>(0), wanted);
}

/// Asks for the sums of all parts, and requires them exactly.
template <typename F>
Reply reduce_and_check(F function, const Integers& input, Schedule schedule) {
  Reply reply = reduce(function, input, CallOptions{.schedule = schedule, .sites = true});
  const std::vector<int> wanted = part_sums(input.values);
  if (has_sums(reply, wanted)) return reply;
  WrongSums(reply, input, wanted).recognise();
  expect_equal(reply, 0, wanted);
  return reply;
}

/// On a GPU: more values than fit its caches, which the runner makes. What is left in `work` concerns nobody, and stays
/// there; its guard zones come back.
template <typename F>
void check_real_size(F function) {
  const Distribution values = uniform(-most, most);
  const std::uint64_t seed = next_seed();
  const std::size_t parts = parts_of(real);
  const Reply reply =
      submission().call(CallOptions{}, function, out<int>(parts), poisoned<int>(parts * part_size),
                        generated<int>(real, values, seed).returned(), real);
  expect_everywhere<int>(
      reply, 0,
      [&](std::size_t k) {
        int sum = 0;
        for (std::size_t i = k * part_size; i < std::min(real, (k + 1) * part_size); ++i)
          sum += generated_element<int>(values, seed, i);
        return sum;
      },
      [&] {
        reduce_and_check(function, {"random values", generated_values<int>(real, values, seed)},
                         schedules().front());
      });
}

/// Every size, input and schedule.
template <typename F>
void check_everywhere(F function) {
  // First a size at which the usual mistakes show their shape; the small ones after it.
  check_and_shrink(typical, sizes(),
                   [&](std::size_t n) { reduce_and_check(function, random_input(n), schedules().front()); });
  for (const Schedule schedule : schedules()) {
    for (const std::size_t n : sizes()) reduce_and_check(function, random_input(n), schedule);
  }
  for (const Integers& input : special_inputs(1000)) reduce_and_check(function, input, schedules().front());
  reduce_and_check(function, random_input(takes_real_sizes() ? large : large_on_sim), schedules().back());
}

// ---- who launched what ---------------------------------------------------------------------------------

/// Launches that device code made.
inline std::uint64_t device_launches(const simt::Counters& c) {
  return c.default_stream_launches + c.named_stream_launches + c.fire_and_forget_launches + c.tail_launches;
}

/// How deep the launches went; 0 if device code launched nothing.
inline std::size_t depth_of(const Reply& reply) {
  std::size_t depth = 0;
  for (const simt::KernelRecord& kernel : reply.kernels()) depth = std::max<std::size_t>(depth, kernel.depth);
  return depth;
}

/// The launches of a call as details: one line for each depth.
inline std::vector<std::string> launch_lines(const Reply& reply, const std::string& section,
                                             std::vector<std::string> lines = {}) {
  const simt::Counters& c = reply.counters();
  lines.push_back((c.launches == 1 ? "1 launch" : number(c.launches) + " launches") + " by the host, " +
                  counted(c.child_grids, "child grid"));
  struct Level {
    std::uint64_t grids = 0, blocks = 0, threads = 0;
  };
  std::vector<Level> levels(depth_of(reply) + 1);
  for (const simt::KernelRecord& kernel : reply.kernels()) {
    Level& level = levels[kernel.depth];
    const std::uint64_t grids = kernel.depth == 0 ? kernel.counters.launches : kernel.counters.child_grids;
    level.grids += grids;
    level.blocks += grids * volume(kernel.grid);
    level.threads += kernel.counters.threads;
  }
  for (std::size_t depth = 1; depth < levels.size() && depth <= 10; ++depth) {
    lines.push_back("  depth " + number(depth) + ": " + counted(levels[depth].grids, "grid") + " of " +
                    counted(levels[depth].blocks, "block") + ", " + counted(levels[depth].threads, "thread") +
                    " in all");
  }
  for (const auto& [count, stream] : {std::pair{c.default_stream_launches, "the block's own stream"},
                                      {c.named_stream_launches, "streams created on the device"},
                                      {c.fire_and_forget_launches, "cudaStreamFireAndForget"},
                                      {c.tail_launches, "cudaStreamTailLaunch"}}) {
    if (count != 0) lines.push_back("  " + number(count) + " by " + stream);
  }
  return details_of(reply, section, std::move(lines));
}

/// Launches one part on a device where grids of depth 16 have no room for launches: who is refused there has come
/// far beyond the last level. (On and on, it would take the simulator half a minute.)
template <typename F>
void check_recursion_ends(F function, const std::string& section) {
  if (submission().backend() != Backend::sim) return;
  constexpr unsigned deep = 16;
  const std::string sentence = "The recursion does not end by itself: here a grid of depth " + number(deep) +
                               " launches a further one, and was stopped. A part has " +
                               number(child_levels) +
                               " levels of child grids, each with half as many additions as the one "
                               "before: which half is the next level told, and who asks whether there is a "
                               "next one?";
  std::optional<Reply> reply;
  try {
    reply = call_reduce(function, random_input(part_size),
                        lenient(3, LaunchRoom{.launches = 0, .from_depth = deep}));
  } catch (ItemFailed& failed) {
    if (!trapped_when_refused(failed.failure)) return; // for the other calls
    retell(failed.failure, "recursion-without-end", sentence, section);
    throw;
  }
  if (reply->counters().failed_device_launches == 0 || depth_of(*reply) < deep) return;
  std::vector<std::string> blocks;
  for (const simt::KernelRecord& kernel : reply->kernels()) {
    if (kernel.depth != deep) continue;
    blocks.insert(blocks.begin(),
                  "At depth " + number(deep) + " a block has " + counted(kernel.block[0], "thread"));
  }
  fail("recursion-without-end", sentence, launch_lines(*reply, section, std::move(blocks)));
}

/// The result is right; the host must have launched once, and device code the rest.
inline void expect_launched_by_device(const Reply& reply, const std::string& section) {
  const simt::Counters& c = reply.counters();
  expect_none("The result is right, but ",
              {{device_launches(c) == 0, "no-child-grids",
                "no kernel has launched another one: " +
                    (c.launches > 1 ? "the host made all " + number(c.launches) + " launches."
                                    : "one grid has done it all.") +
                    " This task is about launches by device code."},
               {c.launches != 1, "host-launches",
                "the host has launched " + number(c.launches) +
                    " kernels, and one is enough: device code launches the others."}},
              [&] { return launch_lines(reply, section); });
}

/// Of launches that need not wait for each other, as those of `whose` do here.
inline std::string tail_launches_wait(const simt::Counters& c, const std::string& whose) {
  return number(c.tail_launches) +
         " of the launches are tail launches. Those of a grid run one after the other, and only when all of "
         "its blocks have finished: " +
         whose + " wait for each other, and need not.";
}

/// The result is right, and there is a child grid for every half of `parts` parts; each of them must also
/// have read the elements that it is to add up.
inline void expect_children_read(const Reply& reply, std::size_t parts, const std::string& section) {
  std::vector<std::uint64_t> bytes(child_levels + 1);
  for (const simt::KernelRecord& kernel : reply.kernels()) {
    const simt::Counters& c = kernel.counters;
    if (kernel.depth < bytes.size()) bytes[kernel.depth] += c.global_load_bytes + c.global_atomic_bytes;
  }
  for (std::size_t depth = 1; depth <= child_levels; ++depth) {
    const std::uint64_t elements = parts * (part_size >> depth); // that the level before has left
    const std::uint64_t read = bytes[depth] / sizeof(int);
    if (read >= elements) continue;
    fail("child-adds-nothing",
         "The sums are right, but not by the child grids: those of depth " + number(depth) +
             " read less than there is to add up at this level. Somebody else has done it for them, or done "
             "all of it at once: what is left for each launch to do?",
         launch_lines(reply, section,
                      {"At depth " + number(depth) + " so many elements were read: " + number(read) +
                       "; to add up there are " + number(elements)}));
  }
}

/// The result is right; every thread that has launched must also have asked whether that succeeded.
inline void expect_checked_launches(const Reply& reply, std::uint64_t launched) {
  const simt::Counters& c = reply.counters();
  const std::string section = "Did it start?";
  if (launched == 0) expect_launched_by_device(reply, section);
  expect_none("The result is right, but ",
              {{c.unchecked_launches != 0, "launch-not-checked",
                "of " + number(launched) + " launches by device code " + number(c.unchecked_launches) +
                    " were made by threads that never asked whether they succeeded. Where a launch is "
                    "refused, nothing else tells: the child's work is just not done."}},
              [&] { return launch_lines(reply, section); });
}

} // namespace dynamic_parallelism
