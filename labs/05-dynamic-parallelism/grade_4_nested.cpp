// The rubric of TODO(4): reduce_nested, in which every block launches the next half of its own part.

#include "rubric.hpp"

using namespace dynamic_parallelism;

namespace {

constexpr std::size_t nested_parts = 5;

/// One part, on a device where child grids have no room for launches of their own: this counts what one block
/// launches. Other things that go wrong in this call are left to other calls.
void check_who_launches() {
  if (submission().backend() != Backend::sim) return;
  constexpr std::uint64_t enough = 8; // for any way to divide one block's work
  const CallOptions how{.allow = {"global-race", "unchecked-launch", "uninitialised-read"},
                        .launch_room = LaunchRoom{.launches = 0, .from_depth = 1}};
  const std::optional<Reply> reply =
      reply_if_any([&] { return call_reduce(CONTRACT(reduce_nested), random_input(part_size), how); });
  if (!reply) return; // for example because a thread trapped when its launch was refused
  const std::uint64_t grids = reply->counters().child_grids;
  if (grids > enough)
    fail(message("too-many-child-grids/first-block", grids),
         launch_lines(
             *reply, {say("To keep this short, the check refuses what the child grids launch themselves.")}));
  check_recursion_ends(CONTRACT(reduce_nested), "A block launches its next half");
  std::optional<Failure> failed = failure_in([] { // two parts show quickly what many show slowly
    reduce(CONTRACT(reduce_nested), random_input(2 * part_size),
           CallOptions{.schedule = schedules().front()});
  });
  if (failed && has_diagnosis(*failed, "child-has-many-blocks")) pass_on(std::move(*failed));
}

/// The sums are right; all threads of a block must have come to its barrier.
void check_all_wait() {
  const Reply reply = call_reduce(CONTRACT(reduce_nested), random_input(part_size),
                                  CallOptions{.schedule = schedules().front(), .trace = true});
  if (!reply.trace() || !reply.trace()->complete || reply.trace()->left_out != 0) return;
  const EndedEarly early = ended_before_barrier(*reply.trace());
  expect_none({{early.threads != 0, message("ended-before-the-barrier", early.threads, early.of)}},
              [&] { return launch_lines(reply); });
}

Reply counted_recursion(Schedule schedule) {
  if (schedule == schedules().front()) check_who_launches();
  return reduce_and_check(CONTRACT(reduce_nested), random_input(nested_parts * part_size), schedule);
}

/// A launch further down may be refused as well as a first one. There are so many parts that a program which
/// raises the limit does so here.
void check_refused_children() {
  constexpr unsigned from_depth = 2; // those blocks have 32 threads, and 32 elements left
  const Integers input = random_input((pending_limit + 3) * part_size);
  const Reply reply = reduce(CONTRACT(reduce_nested), input,
                             CallOptions{.launch_room = LaunchRoom{.launches = 0, .from_depth = from_depth}});
  const std::vector<int> wanted = part_sums(input.values);
  const WrongSums sums(reply, input, wanted);
  if (sums.first_wrong() < wanted.size()) fail(message("refused-part-wrong/further-down"), sums.where());
}

} // namespace

TEST_CASE("reduce_nested adds up every part" * points(3) * tests("reduce_nested") * todo(4)) {
  check_who_launches();
  check_everywhere(CONTRACT(reduce_nested));
}

TEST_CASE("reduce_nested launches the next half from every block" * points(2) * tests("reduce_nested") *
          todo(4) * sim_only()) {
  const std::string section = "A block launches its next half";
  constexpr std::size_t wanted = child_grids_of(false, nested_parts);
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_recursion(schedule);
    const simt::Counters& c = reply.counters();
    const std::uint64_t grids = c.child_grids, refused = c.failed_device_launches, tails = c.tail_launches;
    expect_launched_by_device(reply, section);
    expect_none({{grids > wanted, message("too-many-child-grids/halves", grids, nested_parts, wanted)},
                 {grids < wanted, message("too-few-child-grids/halves", grids, nested_parts, child_levels)},
                 {refused != 0, message("launch-of-nothing", refused)},
                 {tails != 0, message("tail-launches-wait/parts", tails)}},
                [&] { return launch_lines(reply); });
    expect_count("depth of the launches", static_cast<double>(depth_of(reply)), child_levels,
                 message("wrong-depth/halves"));
    expect_children_read(reply, nested_parts, section);
    tell_measured(say("child grids"),
                  say("{grids} for {parts:part}, as many as needed", grids, nested_parts));
  }
}

TEST_CASE("reduce_nested waits only before it launches" * points(1) * tests("reduce_nested") * todo(4) *
          sim_only()) {
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_recursion(schedule);
    expect_launched_by_device(reply, "Which barriers are needed?");
    const simt::Counters& c = reply.counters();
    // One in each block, whether it has one warp or four.
    const std::uint64_t waits = c.barriers + c.warp_syncs, wanted = (1 + child_levels) * nested_parts;
    expect_none({{waits > wanted, message("barrier-not-needed", waits, wanted)}}, [&] {
      return launch_lines(reply, {say("{barriers} barriers in {blocks} blocks", waits, wanted)});
    });
    tell_measured(say("barriers"), say("{barriers} in {blocks:block}", waits, wanted));
  }
  check_all_wait();
}

TEST_CASE("reduce_nested asks whether its launches succeeded" * points(1) * tests("reduce_nested") * todo(4) *
          sim_only()) {
  for (const Schedule schedule : schedules()) expect_checked_launches(counted_recursion(schedule));
}

TEST_CASE("reduce_nested adds up more parts than launches may be pending" * points(2) *
          tests("reduce_nested") * todo(4)) {
  check_who_launches();
  reduce_and_check(CONTRACT(reduce_nested), random_input(typical), schedules().front()); // a few parts first
  // memcheck of CUDA 13.0 reports an invalid write for every launch that is refused, in any program.
  if (submission().options().is_sanitized()) return;
  // A GPU may make room again while blocks are still launching; with a hundred thousand parts it cannot
  // keep up.
  const std::size_t n = takes_real_sizes() ? real : (pending_limit + 3) * part_size + 77;
  check_and_shrink(n, {typical, 20'011}, [](std::size_t size) {
    if (size == real)
      check_real_size(CONTRACT(reduce_nested));
    else
      reduce_and_check(CONTRACT(reduce_nested), random_input(size), schedules().front());
  });
  if (submission().backend() != Backend::sim) return;
  // A guessed limit: twice the usual number is not enough for any number of parts, either.
  reduce_and_check(CONTRACT(reduce_nested), random_input((2 * pending_limit + 5) * part_size),
                   Schedule::reverse);
  check_refused_children();
}
