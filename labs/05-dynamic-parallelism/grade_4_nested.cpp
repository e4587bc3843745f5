// The rubric of TODO(4): reduce_nested, in which every block launches the next half of its own part.

#include "rubric.hpp"

using namespace dynamic_parallelism;

namespace {

constexpr std::size_t nested_parts = 5;

void check_who_launches();

Reply counted_recursion(Schedule schedule) {
  if (schedule == schedules().front()) check_who_launches();
  return reduce_and_check(CONTRACT(reduce_nested), random_input(nested_parts * part_size), schedule);
}

/// One part, on a device where child grids have no room for launches of their own: so it counts what one block
/// launches, whatever becomes of it. What else goes wrong in this call is for the others.
void check_who_launches() {
  if (submission().backend() != Backend::sim) return;
  const std::string section = "A block launches its next half";
  constexpr std::uint64_t enough = 8; // for any way to share out one block's work
  const CallOptions how{.allow = {"global-race", "unchecked-launch", "uninitialised-read"},
                        .launch_room = LaunchRoom{.launches = 0, .from_depth = 1}};
  const std::optional<Reply> reply =
      reply_if_any([&] { return call_reduce(CONTRACT(reduce_nested), random_input(part_size), how); });
  if (!reply) return; // also that a thread traps because its launch was refused
  const std::uint64_t grids = reply->counters().child_grids;
  expect_none(
      "The host's grid has one block here, and that block has launched ",
      {{grids > enough, "too-many-child-grids",
        number(grids) + " child grids. It has one next half. A launch is a statement like any other: which "
                        "threads come to it?"}},
      [&] {
        return launch_lines(*reply, section,
                            {"In this call the launches of child grids are refused, so that those of "
                             "the first block are all there is to count."});
      });
  check_recursion_ends(CONTRACT(reduce_nested), section);
  try { // two parts show soon what many take long to show
    reduce(CONTRACT(reduce_nested), random_input(2 * part_size),
           CallOptions{.schedule = schedules().front()});
  } catch (const ItemFailed& failed) {
    if (has_diagnosis(failed.failure, "child-has-many-blocks")) throw;
  }
}

/// A launch further down may be refused as well as a first one. So many parts that whoever asks the host for
/// more room does so here.
void check_refused_children() {
  constexpr unsigned from_depth = 2; // those blocks have 32 threads, and 32 elements left
  const Integers input = random_input((pending_limit + 3) * part_size);
  const Reply reply = reduce(CONTRACT(reduce_nested), input,
                             CallOptions{.launch_room = LaunchRoom{.launches = 0, .from_depth = from_depth}});
  const std::vector<int> wanted = part_sums(input.values);
  if (has_sums(reply, wanted)) return;
  const std::span<const int> sums = reply.values<int>(0);
  const auto k = static_cast<std::size_t>(std::ranges::mismatch(sums, wanted).in1 - sums.begin());
  fail(
      "refused-part-wrong",
      "Not only the first launch of a part may be refused. Here it was that of the child grids of depth "
      "2, which have added up to half = 32 elements; what was done instead gives wrong sums. How many "
      "elements are left to add at that place? It is another number at each depth.",
      details_of(reply, "Two thousand and forty-eight",
                 {"sums[" + number(k) + "] is " + (reply.unwritten(0, k) ? "not written" : to_text(sums[k])) +
                  ", and " + to_text(wanted[k]) + " is expected"}));
}

} // namespace

TEST_CASE("reduce_nested adds up every part" * points(3) * tests("reduce_nested") * todo(4)) {
  check_who_launches();
  check_everywhere(CONTRACT(reduce_nested));
}

TEST_CASE("reduce_nested launches the next half from every block" * points(2) * tests("reduce_nested") *
          todo(4) * sim_only()) {
  const std::string section = "A block launches its next half";
  constexpr std::size_t wanted = child_levels * nested_parts;
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_recursion(schedule);
    const simt::Counters& c = reply.counters();
    expect_launched_by_device(reply, section);
    const std::string for_parts = " child grids ran for " + number(nested_parts) + " parts";
    expect_none(
        "The sums are right, but ",
        {{c.child_grids > wanted, "too-many-child-grids",
          number(c.child_grids) + for_parts + ", and " + number(wanted) +
              " are enough. Which threads of a block launch, and which level is the last?"},
         {c.child_grids < wanted, "too-few-child-grids",
          "only " + number(c.child_grids) + for_parts + ". Each part has " + number(child_levels) +
              ", down to one thread: half of the threads each time."},
         {c.failed_device_launches != 0, "launch-of-nothing",
          number(c.failed_device_launches) +
              " launches were refused although hardly any were pending. A block of no threads is no launch: "
              "which level is the last?"},
         {c.tail_launches != 0, "tail-launches-wait", tail_launches_wait(c, "the parts")}},
        [&] { return launch_lines(reply, section); });
    expect_count("depth of the launches", static_cast<double>(depth_of(reply)), child_levels, "wrong-depth",
                 "The sums are right, but the halves are not launched one by the other: each block "
                 "launches the next half of its part.");
    expect_children_read(reply, nested_parts, section);
  }
}

TEST_CASE("reduce_nested waits only before it launches" * points(1) * tests("reduce_nested") * todo(4) *
          sim_only()) {
  const std::string section = "Which barriers are needed?";
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_recursion(schedule);
    expect_launched_by_device(reply, section);
    const simt::Counters& c = reply.counters();
    // One in each block, whether it has one warp or four.
    const std::uint64_t waits = c.barriers + c.warp_syncs, wanted = (1 + child_levels) * nested_parts;
    expect_none("The sums are right, but ",
                {{waits > wanted, "barrier-not-needed",
                  number(waits) + " barriers were passed by " + number(wanted) +
                      " blocks. One is needed, before the launch. What would a block wait for after it? Not "
                      "for its child: no barrier does that."}},
                [&] {
                  return launch_lines(reply, section,
                                      {number(waits) + " barriers in " + number(wanted) + " blocks"});
                });
  }
}

TEST_CASE("reduce_nested asks whether its launches succeeded" * points(1) * tests("reduce_nested") * todo(4) *
          sim_only()) {
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_recursion(schedule);
    expect_checked_launches(reply, device_launches(reply.counters()));
  }
}

TEST_CASE("reduce_nested adds up more parts than launches may be pending" * points(2) *
          tests("reduce_nested") * todo(4)) {
  check_who_launches();
  reduce_and_check(CONTRACT(reduce_nested), random_input(typical), schedules().front()); // a few parts first
  // memcheck of CUDA 13.0 reports an invalid write for every launch that is refused, in whatever program.
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
  // A limit that somebody has guessed: twice as much as usual is not for ever, either.
  reduce_and_check(CONTRACT(reduce_nested), random_input((2 * pending_limit + 5) * part_size),
                   Schedule::reverse);
  check_refused_children();
}
