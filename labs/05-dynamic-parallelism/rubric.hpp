#pragma once
/// What the rubrics of lab 05's tasks share: inputs, the sums of parts and the shapes of wrong ones, and
/// judgements of who launched what.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explain.hpp"
#include "grader/grader.hpp"
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

// ---- inputs and results --------------------------------------------------------------------------------

/// No sum of 256 of them leaves the range of an int.
constexpr int most = (1 << 23) - 1;

inline Integers random_input(std::size_t n) {
  return {"random values", random_integers<int>(n, -most, most)};
}

/// One value everywhere, sorted values, and values that cancel.
inline std::vector<Integers> special_inputs(std::size_t n) {
  std::vector<int> sorted = random_integers<int>(n, -most, most), cancelling(n);
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < n; ++i) cancelling[i] = i % part_size == 77 ? 1 : i % 2 == 0 ? most : -most;
  return {{"the largest value everywhere", std::vector<int>(n, most)},
          {"sorted values", std::move(sorted)},
          {"values that cancel, and one that is left", std::move(cancelling)}};
}

/// A wrong result and the right one; recognises mistakes by the shape of the result.
class WrongSums : Sums {
public:
  WrongSums(const Reply& reply, const Integers& input, const std::vector<int>& right)
      : Sums{reply.function(), input.values, reply.values<int>(0), right}, reply_(reply), input_(input) {}

  /// Fails the item if the shape is known; returns if it is not.
  void recognise() const {
    const Rule about = about_wrong(reply_, 0, [this](std::size_t k) { return found[k] == wanted[k]; });
    unwritten();
    too_many_launches();
    const auto is_in = [](const auto& sums) {
      return [&sums](std::size_t k, int value) { return sums[k] == value; };
    };
    fail_if_made(mistakes(), found.size(), is_in(found), is_in(wanted), where(), Several::first);
    blocks_missing();
    // A float rounds to 24 bits, at most 255 times, at sums of at most 2^31.
    if (in.size() >= part_size && all_hold(found.size(), [&](std::size_t k) {
          return near(static_cast<double>(found[k]), wanted[k], 255 * 128.0);
        }))
      fail(message("low-precision"), where());
  }

  /// The number of sums if none is wrong.
  std::size_t first_wrong() const {
    return static_cast<std::size_t>(std::ranges::mismatch(found, wanted).in1 - found.begin());
  }
  /// The first wrong sum, behind other lines, and the call.
  Details where(Details lines = {}) const {
    const std::size_t k = first_wrong();
    lines.push_back(
        say("sums[{part}] is {is_unwritten?not written|{actual}}, and {right} is expected ({what})", k,
            reply_.unwritten(0, k), to_text(found[k]), to_text(wanted[k]), input_.what));
    return details_of(reply_, std::move(lines));
  }

private:
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
      fail(message("sums-not-written"), details_of(reply_));
    }
    const std::string some = say("{count} of {all} sums were never written", count, all);
    const Details details = details_of(reply_, {some});
    if (launches_may_be_refused()) {
      const std::uint64_t refused = reply_.counters().failed_device_launches; // of the simulator; else 0
      fail(message("launches-refused/sums", all, count, refused > 0, refused, pending_limit), details);
    }
    if (count == 1 && first == all - 1 && in.size() % part_size != 0)
      fail(message("last-part-missing"), details);
    fail(is_by_level() ? message("sums-missing/by-level", some, first) : message("sums-missing", some, first),
         details);
  }

  /// On the simulator, which counts: the same work was launched more than once.
  void too_many_launches() const {
    const std::size_t needed = child_grids_of(is_by_level(), found.size());
    const std::uint64_t grids = reply_.counters().child_grids;
    if (!by_launches() || grids <= needed) return;
    fail(is_by_level() ? message("too-many-child-grids/wrong-sums-by-level")
                       : message("too-many-child-grids/wrong-sums"),
         where({say("{grids:child grid} ran for {parts:part}, and {needed} are needed", grids, found.size(),
                    needed)}));
  }

  /// From some part on, all are wrong.
  void blocks_missing() const {
    const std::size_t all = found.size(), first = first_wrong();
    std::size_t right = 0;
    for (std::size_t k = 0; k < all; ++k) right += found[k] == wanted[k] ? 1 : 0;
    const std::size_t wrong = all - right;
    // The simulator refuses all but the first, a GPU a large part of them, scattered; a race on a GPU spoils a few.
    const bool as_if_refused =
        submission().backend() == Backend::sim ? right >= pending_limit : right > first && wrong > all / 8;
    if (launches_may_be_refused() && as_if_refused)
      fail(message("refused-part-wrong/sums", right, all), where());
    if (first == 0 || wrong < 2 || right > first) return;
    fail(is_by_level() ? message("blocks-missing/by-level", right == 1, right, wrong)
                       : message("blocks-missing", right == 1, right, wrong),
         where());
  }

  const Reply& reply_;
  const Integers& input_;
};

/// A call that may go wrong in ways that other calls report.
inline CallOptions lenient(int seconds, std::optional<LaunchRoom> room = {}) {
  return {.timeout = std::chrono::seconds(seconds),
          .allow = {"global-race", "out-of-bounds", "uninitialised-read", "unchecked-launch"},
          .launch_room = room};
}

template <typename F>
Reply call_reduce(F function, const Integers& input, CallOptions how) {
  const std::size_t n = input.size(), parts = parts_of(n);
  how.sources = [n](BufferElement e) {
    const bool is_sum = e.buffer == 0; // what is left in `work` is free
    return !is_sum ? std::vector<BufferElement>()
                   : range_of(
                         {2}, [](std::size_t k) { return k * part_size; },
                         [n](std::size_t k) { return std::min(n, (k + 1) * part_size); })(e);
  };
  return submission().call(how, function, out<int>(parts), out<int>(parts * part_size), in(input.values), n);
}

/// Findings of the simulator are reported in the words of the task.
template <typename F>
Reply reduce(F function, const Integers& input, const CallOptions& how) {
  const auto again = [&] {
    CallOptions options = lenient(3, how.launch_room);
    options.schedule = how.schedule, options.sites = how.sites;
    return reply_if_any([&] { return call_reduce(function, input, options); });
  };
  const auto is_right_alone = [&] {
    const Integers one = random_input(part_size);
    const std::optional<Reply> reply =
        reply_if_any([&] { return call_reduce(function, one, {.schedule = how.schedule}); });
    return reply && std::ranges::equal(reply->values<int>(0), part_sums(one.values));
  };
  return changing([&] { return call_reduce(function, input, how); },
                  [&](Failure& failure) {
                    if (failure.findings.empty()) return;
                    const std::string name = function.name;
                    tell(failure,
                         name == "reduce_nested"            ? nested_lessons
                         : name == "reduce_nested_by_level" ? level_lessons
                                                            : flat_lessons,
                         Found{.failure = failure,
                               .parts = parts_of(input.size()),
                               .launches_failed = submission().last_counters().failed_device_launches > 0,
                               .again = again,
                               .is_right_alone = is_right_alone});
                  });
}

/// Asks for the sums of all parts, and requires them exactly.
template <typename F>
Reply reduce_and_check(F function, const Integers& input, Schedule schedule) {
  Reply reply = reduce(function, input, CallOptions{.schedule = schedule, .sites = true});
  const std::vector<int> wanted = part_sums(input.values);
  if (std::ranges::equal(reply.values<int>(0), wanted)) return reply;
  WrongSums(reply, input, wanted).recognise();
  expect_equal(reply, 0, wanted);
  return reply;
}

/// On a GPU: more values than fit its caches, which the runner makes. `work` is not copied back; only its guard
/// zones are.
template <typename F>
void check_real_size(F function) {
  const Drawn<int> drawn{uniform(-most, most)};
  const std::size_t parts = parts_of(real);
  const Reply reply =
      submission().call(CallOptions{}, function, out<int>(parts), poisoned<int>(parts * part_size),
                        drawn.buffer(real).returned(), real);
  expect_everywhere<int>(
      reply, 0, [&](std::size_t k) { return part_sum(drawn, real, k); },
      [&] {
        reduce_and_check(function, {"random values", drawn.values(real)}, schedules().front());
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
inline std::uint64_t device_launches(const Reply& reply) {
  const simt::Counters& c = reply.counters();
  return c.default_stream_launches + c.named_stream_launches + c.fire_and_forget_launches + c.tail_launches;
}

/// The child grids of one depth.
struct Level {
  std::uint64_t grids = 0, blocks = 0, threads = 0, bytes_read = 0;
};

/// By depth; at 0 there are none. The last has some, if device code launched anything.
inline std::vector<Level> levels_of(const Reply& reply) {
  std::vector<Level> levels(1);
  for (const simt::KernelRecord& kernel : reply.kernels()) {
    const simt::Counters& c = kernel.counters;
    if (kernel.depth == 0) continue;
    if (kernel.depth >= levels.size()) levels.resize(kernel.depth + 1);
    Level& level = levels[kernel.depth];
    level.grids += c.child_grids;
    level.blocks += c.child_grids * volume(kernel.grid);
    level.threads += c.threads;
    level.bytes_read += c.global_load_bytes + c.global_atomic_bytes;
  }
  return levels;
}

/// How deep the launches went; 0 if device code launched nothing.
inline std::size_t depth_of(const Reply& reply) { return levels_of(reply).size() - 1; }

/// `lines`, the launches in words, and the call.
inline Details launch_lines(const Reply& reply, Details lines = {}) {
  const simt::Counters& c = reply.counters();
  lines.push_back(say("{count} {is_one?launch|launches} by the host, {grids:child grid}", c.launches,
                      c.launches == 1, c.child_grids));
  const std::vector<Level> levels = levels_of(reply);
  for (std::size_t depth = 1; depth < levels.size() && depth <= 10; ++depth) {
    lines.push_back("  " + say("depth {depth}: {grids:grid} of {blocks:block}, {threads:thread} in all",
                               depth, levels[depth].grids, levels[depth].blocks, levels[depth].threads));
  }
  for (const auto& [count, stream] : {std::pair{c.default_stream_launches, say("the block's own stream")},
                                      {c.named_stream_launches, say("streams created on the device")},
                                      {c.fire_and_forget_launches, "cudaStreamFireAndForget"},
                                      {c.tail_launches, "cudaStreamTailLaunch"}}) {
    if (count != 0) lines.push_back("  " + say("{count} by {stream}", count, stream));
  }
  return details_of(reply, std::move(lines));
}

/// Calls with one part on a device with so little room that a refused launch, if too_many() holds of the reply, means
/// the mistake of the message `says`. Other things that go wrong in this call are left to other calls.
template <typename F, typename TooMany>
void check_one_part(F function, const CallOptions& how, const LabMessage& says, const TooMany& too_many) {
  if (submission().backend() != Backend::sim) return;
  std::optional<Reply> reply;
  std::optional<Failure> failed =
      failure_in([&] { reply = call_reduce(function, random_input(part_size), how); });
  if (failed) {
    if (!trapped_when_refused(*failed)) return;
    retell(*failed, says);
    pass_on(std::move(*failed));
  }
  if (reply->counters().failed_device_launches != 0 && too_many(*reply)) fail(says, launch_lines(*reply));
}

/// Grids of depth 16 have no room for launches: a launch that is refused there is far beyond the last level. (Without
/// this limit the simulator would take half a minute.)
template <typename F>
void check_recursion_ends(F function, const std::string& section) {
  constexpr unsigned deep = 16;
  LabMessage says = message("recursion-without-end", deep, child_levels);
  says.section = section;
  check_one_part(function, lenient(3, LaunchRoom{.launches = 0, .from_depth = deep}), says,
                 [](const Reply& reply) { return depth_of(reply) >= deep; });
}

/// The result is right; the host must have launched once, and device code the rest.
inline void expect_launched_by_device(const Reply& reply, const std::string& section) {
  const std::uint64_t launches = reply.counters().launches;
  reading_on(section, [&] {
    expect_none({{device_launches(reply) == 0, message("no-child-grids", launches > 1, launches)},
                 {launches != 1, message("host-launches", launches)}},
                [&] { return launch_lines(reply); });
  });
}

/// The result is right, and there is a child grid for every half of `parts` parts; each of them must also
/// have read the elements that it is to add up.
inline void expect_children_read(const Reply& reply, std::size_t parts, const std::string& section) {
  const std::vector<Level> levels = levels_of(reply);
  for (std::size_t depth = 1; depth <= child_levels; ++depth) {
    const std::uint64_t elements = parts * (part_size >> depth); // that the level before has left
    const std::uint64_t read = levels.at(depth).bytes_read / sizeof(int);
    if (read >= elements) continue;
    reading_on(section, [&] {
      fail(message("child-adds-nothing", depth),
           launch_lines(
               reply, {say("At depth {depth} {read:element} of {elements} that are left to add up were read",
                           depth, read, elements)}));
    });
  }
}

/// The result is right; every thread that has launched must also have asked whether the launch succeeded. `alone`: a block
/// whose launch is refused can do the child's work itself.
inline void expect_checked_launches(const Reply& reply, bool alone = true) {
  const std::uint64_t launched = device_launches(reply), unchecked = reply.counters().unchecked_launches;
  if (launched == 0) expect_launched_by_device(reply, "Did it start?");
  expect_none({{unchecked != 0, message("launch-not-checked", launched, unchecked, alone)}},
              [&] { return launch_lines(reply); });
  tell_measured(say("launches by the device"), say("{launched}, all of them checked", launched));
}

} // namespace dynamic_parallelism
