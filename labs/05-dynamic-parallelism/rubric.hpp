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

constexpr std::size_t parts_of(std::size_t n) { return (n + part_size - 1) / part_size; }

// ---- inputs and results --------------------------------------------------------------------------------

/// No sum of 256 of them leaves the range of an int.
constexpr int most = (1 << 23) - 1;

struct Input {
  std::string what;
  std::vector<int> values;
  std::size_t size() const { return values.size(); }
};

inline Input random_input(std::size_t n) { return {"random values", random_integers<int>(n, -most, most)}; }

/// One value everywhere, sorted values, and values that cancel.
inline std::vector<Input> special_inputs(std::size_t n) {
  std::vector<Input> list;
  list.push_back({"the largest value everywhere", std::vector<int>(n, most)});
  Input sorted{"sorted values", random_integers<int>(n, -most, most)};
  std::sort(sorted.values.begin(), sorted.values.end());
  list.push_back(std::move(sorted));
  Input cancelling{"values that cancel, and one that is left", std::vector<int>(n)};
  for (std::size_t i = 0; i < n; ++i)
    cancelling.values[i] = i % part_size == 77 ? 1 : i % 2 == 0 ? most : -most;
  list.push_back(std::move(cancelling));
  return list;
}

/// The sum of each part's elements for which is_in(place in the part).
template <typename IsIn>
std::vector<int> part_sums_where(const std::vector<int>& in, IsIn is_in) {
  std::vector<int> sums(parts_of(in.size()));
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (is_in(i % part_size)) sums[i / part_size] += in[i];
  }
  return sums;
}
inline std::vector<int> part_sums(const std::vector<int>& in) {
  return part_sums_where(in, [](std::size_t) { return true; });
}

/// A wrong result and the right one, and what is wrong with it where its shape gives that away.
class WrongSums {
public:
  WrongSums(const Reply& reply, const Input& input, const std::vector<int>& wanted)
      : reply_(reply), in_(input.values), sums_(reply.values<int>(0)), wanted_(wanted) {
    const std::size_t k = static_cast<std::size_t>(
        std::mismatch(sums_.begin(), sums_.end(), wanted_.begin()).first - sums_.begin());
    where_ = {"sums[" + number(k) + "] is " + to_text(sums_[k]) + ", and " + to_text(wanted_[k]) +
                  " is expected (" + input.what + ")",
              "In the call " + reply.call_text() + "."};
  }

  /// Fails the item if the shape is known; returns if it is not.
  void recognise() const {
    unwritten();
    too_many_launches();
    other_elements();
    gaps_forgotten();
    blocks_missing();
    low_precision();
  }

private:
  std::vector<std::string> with(const std::string& section) const {
    std::vector<std::string> lines = where_;
    lines.push_back(handout(section));
    return lines;
  }
  bool are(const std::vector<int>& other) const {
    return other != wanted_ && std::equal(sums_.begin(), sums_.end(), other.begin(), other.end());
  }

  /// Whether `work` has at most the part's elements, which the starter's load_part copies.
  bool nothing_added() const {
    const std::span<const int> work = reply_.values<int>(1);
    for (std::size_t i = 0; i < work.size(); ++i) {
      if (!reply_.unwritten(1, i) && work[i] != (i < in_.size() ? in_[i] : 0)) return false;
    }
    return true;
  }

  bool by_launches() const { return reply_.function().starts_with("reduce_nested"); }
  bool is_by_level() const { return reply_.function() == "reduce_nested_by_level"; }

  [[noreturn]] void not_handed_on() const {
    fail("levels-not-handed-on",
         "Only the last level's addition has reached the sums: in[0] + in[1] of a part and nothing else. "
         "Does each level read what the one before has written, or still `in`?",
         with(is_by_level() ? "Level by level" : "A block launches its next half"));
  }

  /// Whether device code launches for each part, and there are more parts than launches may be pending.
  bool launches_may_be_refused() const {
    return reply_.function().starts_with("reduce_nested") && sums_.size() > pending_limit;
  }

  void unwritten() const {
    std::size_t count = 0;
    for (std::size_t k = 0; k < sums_.size(); ++k) count += reply_.unwritten(0, k) ? 1 : 0;
    if (count == 0) return;
    if (count == sums_.size()) {
      if (in_.size() >= 4 * part_size && nothing_added()) unsolved(reply_);
      fail("sums-not-written",
           "Elements were added, but no sum was ever written: who writes sums[k], and does the program get "
           "there?",
           {"In the call " + reply_.call_text() + "."});
    }
    const std::vector<std::string> lines = {number(count) + " of " + number(sums_.size()) +
                                                " sums were never written",
                                            "In the call " + reply_.call_text() + "."};
    if (launches_may_be_refused() && submission().backend() == Backend::sim &&
        reply_.counters().failed_device_launches > 0) {
      // The simulator would have said if nobody had asked.
      fail("launches-refused",
           "There are " + number(sums_.size()) + " parts, and " + number(count) +
               " of their sums were never written: " + number(reply_.counters().failed_device_launches) +
               " launches were refused. The program has asked for the error, and then nothing comes of the "
               "answer: who adds up those parts?",
           {lines[0], lines[1], handout("Two thousand and forty-eight")});
    }
    if (launches_may_be_refused()) {
      fail("launches-refused",
           "There are " + number(sums_.size()) + " parts, and " + number(count) +
               " of their sums were never written. Device code can have " + number(pending_limit) +
               " launches pending; one more is refused, and only whoever asks for the error knows.",
           {lines[0], lines[1], handout("Two thousand and forty-eight")});
    }
    if (count == 1 && reply_.unwritten(0, sums_.size() - 1) && in_.size() % part_size != 0) {
      fail("last-part-missing", "The last part, which is not whole, has no sum.",
           {lines[0], lines[1], handout("Parts and blocks")});
    }
    std::size_t first = 0;
    while (!reply_.unwritten(0, first)) ++first;
    fail("sums-missing",
         lines[0] + ", the first of them sums[" + number(first) +
             "]. Which thread writes the sum of a part, and is there one for every part" +
             (is_by_level() ? ", also at the last level?" : "?"),
         {lines[1], handout(is_by_level() ? "Level by level" : "Parts and blocks")});
  }

  void other_elements() const {
    const std::size_t n = in_.size();
    // Element j reaches the sum by the additions over those distances that j is made of, 1, 2, 4 … 128.
    for (std::size_t made = 0; made < part_size && n >= part_size; ++made) {
      if (!are(part_sums_where(in_, [made](std::size_t j) { return (j & ~made) == 0; }))) continue;
      if (made == 0) {
        fail("nothing-added", "Every sum is the first element of its part: nothing was added to it.",
             with("Three ways to pair up"));
      }
      if (made == part_size / 2 && reply_.function() == "reduce_nested") {
        fail("child-array-too-short",
             "Only the first level has added anything: in every child grid the element `half` further on "
             "was taken for 0. That is what happens beyond the end of `from`: how many elements has the "
             "child's array, and is that the n it was given?",
             with("A block launches its next half"));
      }
      if (made == 1 && by_launches()) not_handed_on();
      std::string missing;
      for (std::size_t distance = part_size / 2; distance > 0; distance /= 2) {
        if ((made & distance) == 0) missing += (missing.empty() ? "" : ", ") + number(distance);
      }
      fail("round-left-out",
           "Elements are missing in every sum: what lies a distance of " + missing +
               " further on was never added. Eight additions in a row halve 256 elements to one, over 128, "
               "64, 32 and so on down to 1, in one order or the other. Which one gets lost, and where?",
           with("Three ways to pair up"));
    }
    if (by_launches() && n > part_size && sums_.size() > 1 &&
        are(std::vector<int>(sums_.size(), in_[0] + in_[1]))) {
      not_handed_on();
    }
    if (n > part_size && sums_.size() > 1) {
      if (std::equal(sums_.begin() + 1, sums_.end(), sums_.begin()) && sums_[0] == wanted_[0]) {
        fail("block-index-missing",
             "Every part has the sum of the first one. Which number tells the blocks apart?",
             with("Parts and blocks"));
      }
      const bool all_but_last =
          std::equal(sums_.begin(), sums_.end() - 1, wanted_.begin(), wanted_.end() - 1);
      if (all_but_last && n % part_size != 0) {
        fail("last-part-wrong",
             "Only the last part's sum is wrong. It has " + counted(n % part_size, "element") +
                 "; what is added for the others?",
             with("Parts and blocks"));
      }
    }
    for (const int factor : {2, 4, 8, 128, 256}) {
      std::vector<int> multiple = wanted_;
      for (int& value : multiple) value = static_cast<int>(static_cast<unsigned>(value) * factor);
      if (are(multiple)) {
        fail("added-more-than-once", "Every sum is " + std::to_string(factor) + " times the right one.",
             where_);
      }
    }
  }

  /// On the simulator, which counts: the same work was launched more than once.
  void too_many_launches() const {
    const bool by_level = reply_.function() == "reduce_nested_by_level";
    if (!by_level && reply_.function() != "reduce_nested") return;
    const std::size_t needed = child_levels * (by_level ? 1 : sums_.size());
    if (reply_.counters().child_grids <= needed) return;
    std::vector<std::string> lines = with(by_level ? "Level by level" : "A block launches its next half");
    lines.insert(lines.begin(), counted(reply_.counters().child_grids, "child grid") + " ran for " +
                                    counted(sums_.size(), "part") + ", and " + number(needed) +
                                    " are needed");
    fail("too-many-child-grids",
         std::string("The sums are wrong, and more child grids ran than there are ") +
             (by_level ? "levels. A grid has many blocks and many threads: which one of them launches?"
                       : "halves. A block has many threads: which one of them launches, and how often?"),
         lines);
  }

  /// The sums of a chain of levels in which `from` is said to have n_of(half) elements, and really has gaps.
  template <typename NOf>
  std::vector<int> level_sums(NOf n_of) const {
    const std::size_t parts = sums_.size();
    std::vector<int> from = in_, work(parts * part_size), sums(parts);
    from.resize(parts * part_size);
    for (std::size_t half = part_size / 2; half > 0; half /= 2) {
      const std::size_t n =
          half == part_size / 2 ? from.size() : std::min<std::size_t>(n_of(half), from.size());
      for (std::size_t i = 0; i < parts * half; ++i) {
        const std::size_t first = i / half * part_size + i % half;
        work[first] = static_cast<int>((first < n ? static_cast<unsigned>(from[first]) : 0U) +
                                       (first + half < n ? static_cast<unsigned>(from[first + half]) : 0U));
      }
      from = work;
    }
    for (std::size_t k = 0; k < parts; ++k) sums[k] = work[k * part_size];
    return sums;
  }

  /// `work` has gaps, and the next level was told how many elements it would have without them.
  void gaps_forgotten() const {
    if (reply_.function() != "reduce_nested_by_level") return;
    const std::size_t parts = sums_.size();
    for (const std::size_t a_half : {2, 1}) {
      if (!are(level_sums([=](std::size_t half) { return parts * a_half * half; }))) continue;
      fail("gaps-forgotten",
           "The next level was told that `work` has " +
               std::string(a_half == 2 ? "parts * 2 * half" : "parts * half") +
               " elements, and so takes what lies behind for 0. That is how many are of use; but they do "
               "not lie side by side: each part still begins part_size elements after the one before. How "
               "long is `work`, gaps included?",
           with("Level by level"));
    }
  }

  /// From some part on, all are wrong.
  void blocks_missing() const {
    std::size_t right = 0;
    while (right < sums_.size() && sums_[right] == wanted_[right]) ++right;
    std::size_t wrong = 0;
    for (std::size_t k = 0; k < sums_.size(); ++k) wrong += sums_[k] != wanted_[k] ? 1 : 0;
    const std::size_t right_ones = sums_.size() - wrong;
    // The simulator refuses all but the first, a GPU a large part, here and there; a race on a GPU spoils a few.
    const bool as_if_refused = submission().backend() == Backend::sim
                                   ? right_ones >= pending_limit
                                   : right_ones > right && wrong > sums_.size() / 8;
    if (launches_may_be_refused() && as_if_refused) {
      fail("refused-part-wrong",
           number(right_ones) + " of " + number(sums_.size()) +
               " sums are right. The others are those of parts whose launch was refused: what is done for "
               "them instead adds up something else than the child would.",
           with("Two thousand and forty-eight"));
    }
    if (right == 0 || sums_.size() - right < 2) return;
    for (std::size_t k = right; k < sums_.size(); ++k) {
      if (sums_[k] == wanted_[k]) return;
    }
    fail(
        "blocks-missing",
        (right == 1 ? "The first sum is right" : "The first " + number(right) + " sums are right") +
            ", and all of the " + number(sums_.size() - right) +
            " behind them are wrong. Does every launch have as many blocks as its parts need? A division "
            "rounds down." +
            (reply_.function() == "reduce_nested_by_level"
                 ? " And is n, which each level is told, the number of elements of its `from`, gaps included?"
                 : ""),
        with(reply_.function() == "reduce_nested_by_level" ? "Level by level" : "Parts and blocks"));
  }

  void low_precision() const {
    bool differs = false;
    for (std::size_t k = 0; k < sums_.size(); ++k) {
      const double off = std::abs(static_cast<double>(sums_[k]) - wanted_[k]);
      // A float rounds to 24 bits, at most 255 times, at sums of at most 2^31.
      if (off > 255 * 128.0) return;
      differs = differs || off > 0;
    }
    if (differs && in_.size() >= part_size)
      fail(
          "low-precision",
          "The sums are right to some digits only: somewhere the int became a float. A sum of ints is exact.",
          where_);
  }

  const Reply& reply_;
  const std::vector<int>& in_;
  std::span<const int> sums_;
  const std::vector<int>& wanted_;
  std::vector<std::string> where_;
};

template <typename F>
Reply call_reduce(F function, const Input& input, const CallOptions& how) {
  const std::size_t parts = parts_of(input.size());
  return submission().call(how, function, out<int>(parts), out<int>(parts * part_size), in(input.values),
                           input.size());
}

/// A call that the simulator objects to is told in the words of its task.
template <typename F>
Reply reduce(F function, const Input& input, const CallOptions& how) {
  try {
    return call_reduce(function, input, how);
  } catch (ItemFailed& failed) {
    if (submission().backend() != Backend::sim) throw;
    const Again again = [&]() -> std::optional<Reply> {
      CallOptions lenient = how;
      lenient.timeout = std::chrono::seconds(3);
      lenient.allow = {"global-race", "out-of-bounds", "uninitialised-read", "unchecked-launch"};
      try {
        return call_reduce(function, input, lenient);
      } catch (const ItemFailed&) {
        return {};
      }
    };
    const std::string name = function.name;
    if (name == "reduce_nested")
      explain_nested(failed.failure, submission().last_counters().failed_device_launches > 0);
    else if (name == "reduce_nested_by_level")
      explain_level(failed.failure, again);
    else
      explain_flat(failed.failure, parts_of(input.size()), again);
    throw;
  }
}

/// Asks for the sums of all parts, and requires them exactly.
template <typename F>
Reply reduce_and_check(F function, const Input& input, Schedule schedule) {
  Reply reply = reduce(function, input, CallOptions{.schedule = schedule, .sites = true});
  const std::vector<int> wanted = part_sums(input.values);
  const std::span<const int> sums = reply.values<int>(0);
  if (std::equal(sums.begin(), sums.end(), wanted.begin(), wanted.end())) return reply;
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
  for (const Input& input : special_inputs(1000)) reduce_and_check(function, input, schedules().front());
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
inline std::vector<std::string> launch_lines(const Reply& reply, const std::string& section) {
  const simt::Counters& c = reply.counters();
  std::vector<std::string> lines = {counted(c.launches, "launch") + " by the host, " +
                                    counted(c.child_grids, "child grid")};
  if (c.launches != 1)
    lines[0] = number(c.launches) + " launches by the host, " + counted(c.child_grids, "child grid");
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
  const auto kind = [&](std::uint64_t count, const char* stream) {
    if (count != 0) lines.push_back("  " + number(count) + " by " + stream);
  };
  kind(c.default_stream_launches, "the block's own stream");
  kind(c.named_stream_launches, "streams created on the device");
  kind(c.fire_and_forget_launches, "cudaStreamFireAndForget");
  kind(c.tail_launches, "cudaStreamTailLaunch");
  lines.push_back("In the call " + reply.call_text() + ".");
  lines.push_back(handout(section));
  return lines;
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
  const CallOptions how{.timeout = std::chrono::seconds(3),
                        .allow = {"global-race", "unchecked-launch", "uninitialised-read", "out-of-bounds"},
                        .launch_room = LaunchRoom{.launches = 0, .from_depth = deep}};
  std::optional<Reply> reply;
  try {
    reply = call_reduce(function, random_input(part_size), how);
  } catch (ItemFailed& failed) {
    if (!trapped_when_refused(failed.failure)) return; // for the other calls
    retell(failed.failure, "recursion-without-end", sentence, section);
    throw;
  }
  if (reply->counters().failed_device_launches == 0 || depth_of(*reply) < deep) return;
  std::vector<std::string> lines = launch_lines(*reply, section);
  for (const simt::KernelRecord& kernel : reply->kernels()) {
    if (kernel.depth == deep) {
      lines.insert(lines.begin(),
                   "At depth " + number(deep) + " a block has " + counted(kernel.block[0], "thread"));
    }
  }
  fail("recursion-without-end", sentence, lines);
}

/// The result is right; the host must have launched once, and device code the rest.
inline void expect_launched_by_device(const Reply& reply, const std::string& section) {
  const simt::Counters& c = reply.counters();
  if (device_launches(c) == 0) {
    fail("no-child-grids",
         "The result is right, but no kernel has launched another one: " +
             (c.launches > 1 ? "the host made all " + number(c.launches) + " launches."
                             : "one grid has done it all.") +
             " This task is about launches by device code.",
         launch_lines(reply, section));
  }
  if (c.launches != 1) {
    fail("host-launches",
         "The result is right, but the host has launched " + number(c.launches) +
             " kernels, and one is enough: device code launches the others.",
         launch_lines(reply, section));
  }
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
    std::vector<std::string> lines = launch_lines(reply, section);
    lines.insert(lines.begin(), "At depth " + number(depth) + " so many elements were read: " + number(read) +
                                    "; to add up there are " + number(elements));
    fail("child-adds-nothing",
         "The sums are right, but not by the child grids: those of depth " + number(depth) +
             " read less than there is to add up at this level. Somebody else has done it for them, or done "
             "all of it at once: what is left for each launch to do?",
         lines);
  }
}

/// The result is right; every thread that has launched must also have asked whether that succeeded.
inline void expect_checked_launches(const Reply& reply, std::uint64_t launched) {
  const simt::Counters& c = reply.counters();
  const std::string section = "Did it start?";
  if (launched == 0) expect_launched_by_device(reply, section);
  if (c.unchecked_launches == 0) return;
  fail("launch-not-checked",
       "The result is right, but of " + number(launched) + " launches by device code " +
           number(c.unchecked_launches) +
           " were made by threads that never asked whether they succeeded. Where a launch is refused, "
           "nothing else tells: the child's work is just not done.",
       launch_lines(reply, section));
}

} // namespace dynamic_parallelism
