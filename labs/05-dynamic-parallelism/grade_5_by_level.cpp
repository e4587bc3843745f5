// The rubric of TODO(5): reduce_nested_by_level, one launch for the same half of all parts.

#include "rubric.hpp"

using namespace dynamic_parallelism;

namespace {

constexpr std::size_t level_parts = 21; // several blocks at the first levels, one at the last
constexpr std::size_t additions = level_parts * (part_size - 1);

/// More than all levels need, each in blocks of any size, even with a thread for every element in place of one for every
/// addition; but fewer than seven more levels as large as the first have.
constexpr std::size_t enough_threads = 2 * additions + (child_levels + 1) * 1024;
static_assert(enough_threads < (child_levels + 1) * parts_of(level_parts * part_size / 2) * part_size);

/// A chain has no level behind the seventh, and one launch pending at a time. One part shows both quickly: first with a
/// bounded depth, then with a bounded number of launches.
void check_chain() {
  constexpr std::size_t room = 8; // more than any chain needs
  check_recursion_ends(CONTRACT(reduce_nested_by_level), "Level by level");
  check_one_part(CONTRACT(reduce_nested_by_level), lenient(1, LaunchRoom{.launches = room, .from_depth = 0}),
                 message("too-many-child-grids/one-part", room),
                 [](const Reply& reply) { return reply.counters().child_grids > child_levels; });
}

Reply counted_levels(Schedule schedule) {
  if (schedule == schedules().front()) check_chain();
  return reduce_and_check(CONTRACT(reduce_nested_by_level), random_input(level_parts * part_size), schedule);
}

/// The level that grids of depth `depth` launch is refused. The sums must be right all the same, or the call
/// must end with an error.
void check_refused_level(unsigned depth) {
  const Integers input = random_input(level_parts * part_size);
  const CallOptions how{.launch_room = LaunchRoom{.launches = 0, .from_depth = depth}};
  std::optional<Reply> reply;
  std::optional<Failure> failed =
      failure_in([&] { reply = call_reduce(CONTRACT(reduce_nested_by_level), input, how); });
  if (failed) {
    const bool on_purpose =
        is_about(*failed, "trap") || is_about(*failed, "assertion-failed") || is_about(*failed, "cuda-error");
    if (on_purpose && has_diagnosis(*failed, "cuda-error")) return;
    // Without a refusal nothing went wrong, so this is what the program does after one.
    if (is_about(*failed, "global-race") || is_about(*failed, "uninitialised-read")) {
      drop_advice(*failed);
      retell(*failed, message("refused-level-done-alone"));
    }
    pass_on(std::move(*failed));
  }
  const std::vector<int> wanted = part_sums(input.values);
  const std::span<const int> sums = reply->values<int>(0);
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < sums.size(); ++k) wrong += sums[k] != wanted[k] ? 1 : 0;
  if (wrong == 0) return;
  fail(message("refused-level-unnoticed"),
       details_of(*reply, {say("{wrong} of {all} sums are missing or wrong, and there was no CUDA error",
                               wrong, sums.size())}));
}

} // namespace

TEST_CASE("reduce_nested_by_level adds up every part" * points(3) * tests("reduce_nested_by_level") *
          todo(5)) {
  check_chain();
  check_everywhere(CONTRACT(reduce_nested_by_level));
  if (takes_real_sizes()) check_real_size(CONTRACT(reduce_nested_by_level));
}

TEST_CASE("reduce_nested_by_level is a chain of tail launches" * points(2) * tests("reduce_nested_by_level") *
          todo(5) * sim_only()) {
  const std::string section = "Level by level";
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_levels(schedule);
    expect_launched_by_device(reply, section);
    const std::uint64_t grids = reply.counters().child_grids;
    const auto details = [&] { return launch_lines(reply); };
    expect_none({{grids > child_levels, message("too-many-child-grids/levels", grids, child_levels)}},
                details);
    expect_count("tail launches", static_cast<double>(reply.counters().tail_launches),
                 static_cast<double>(grids), message("not-a-tail-launch"));
    expect_none({{grids < child_levels, message("too-few-child-grids/levels", grids, child_levels)}},
                details);
    expect_count("depth of the launches", static_cast<double>(depth_of(reply)), child_levels,
                 message("wrong-depth/levels"));
    expect_children_read(reply, level_parts, section);
    const std::uint64_t threads = reply.counters().threads;
    expect_none({{threads > enough_threads, message("levels-do-not-shrink", threads, additions)}}, details);
    tell_measured(say("tail launches"), say("{launches}, as many as needed", grids));
    tell_measured(say("threads"), say("{threads} for {additions:addition}", threads, additions));
  }
}

TEST_CASE("reduce_nested_by_level asks whether its launches succeeded" * points(1) *
          tests("reduce_nested_by_level") * todo(5) * sim_only()) {
  for (const Schedule schedule : schedules()) expect_checked_launches(counted_levels(schedule), false);
  for (const unsigned depth : {0, 2}) check_refused_level(depth);
}
