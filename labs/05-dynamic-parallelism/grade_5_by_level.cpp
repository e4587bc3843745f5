// The rubric of TODO(5): reduce_nested_by_level, one launch for the same half of all parts.

#include "rubric.hpp"

using namespace dynamic_parallelism;

namespace {

constexpr std::size_t level_parts = 21; // several blocks at the first levels, one at the last

/// A chain has one launch pending at a time, and no level behind the seventh. One part tells both soon, and lets
/// nothing get out of hand: what else goes wrong in these calls is for the others.
void check_chain() {
  if (submission().backend() != Backend::sim) return;
  constexpr std::size_t room = 8; // more than any chain needs
  const std::string section = "Level by level";
  const std::string which_threads = "One part, and more than " + number(room) +
                                    " launches by device code are pending, where a chain of levels has one "
                                    "at a time. A launch is a statement like any other: which threads of "
                                    "the whole grid come to it?";
  std::optional<Reply> reply;
  try {
    reply = call_reduce(CONTRACT(reduce_nested_by_level), random_input(part_size),
                        lenient(1, LaunchRoom{.launches = room, .from_depth = 0}));
  } catch (ItemFailed& failed) {
    if (trapped_when_refused(failed.failure)) {
      retell(failed.failure, "too-many-child-grids", which_threads, section);
      throw;
    }
  }
  if (reply && reply->counters().failed_device_launches > 0 && reply->counters().child_grids > child_levels)
    fail("too-many-child-grids", which_threads, launch_lines(*reply, section));
  check_recursion_ends(CONTRACT(reduce_nested_by_level), section);
}

Reply counted_levels(Schedule schedule) {
  if (schedule == schedules().front()) check_chain();
  return reduce_and_check(CONTRACT(reduce_nested_by_level), random_input(level_parts * part_size), schedule);
}

/// The level that grids of depth `depth` launch is refused. The sums are right all the same, or the host is
/// told.
void check_refused_level(unsigned depth) {
  const Integers input = random_input(level_parts * part_size);
  const CallOptions how{.launch_room = LaunchRoom{.launches = 0, .from_depth = depth}};
  std::optional<Reply> reply;
  try {
    reply = call_reduce(CONTRACT(reduce_nested_by_level), input, how);
  } catch (const ItemFailed& failed) {
    const std::string& first = failed.failure.diagnoses.front();
    const bool on_purpose = first == "trap" || first == "assertion-failed" || first == "cuda-error";
    if (on_purpose && has_diagnosis(failed.failure, "cuda-error")) return;
    throw;
  }
  const std::vector<int> wanted = part_sums(input.values);
  if (has_sums(*reply, wanted)) return;
  const std::span<const int> sums = reply->values<int>(0);
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < sums.size(); ++k) wrong += sums[k] != wanted[k] ? 1 : 0;
  fail("refused-level-unnoticed",
       "A level was refused, because the device had no room for one more launch. The program has asked for "
       "the error, and then nothing comes of the answer: the sums are wrong, and the host is told that all "
       "is well. No thread can do a whole level alone; how can it at least end the kernel with an error?",
       details_of(*reply, "Did it start?",
                  {number(wrong) + " of " + number(sums.size()) +
                   " sums are missing or wrong, and there was no CUDA error"}));
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
    const simt::Counters& c = reply.counters();
    expect_none("The sums are right, but ",
                {{c.child_grids > child_levels, "too-many-child-grids",
                  number(c.child_grids) + " child grids ran, and " + number(child_levels) +
                      " are enough: one for each level, for all parts together. Which thread of the whole "
                      "grid launches, and when is there nothing left to launch?"}},
                [&] { return launch_lines(reply, section); });
    expect_count(
        "tail launches", static_cast<double>(c.tail_launches), static_cast<double>(c.child_grids),
        "not-a-tail-launch",
        "The sums are right, but not every level is a tail launch. Only a tail launch begins when all "
        "blocks of the level before have finished.");
    expect_none("The sums are right, but ",
                {{c.child_grids < child_levels, "too-few-child-grids",
                  "only " + number(c.child_grids) + " levels were launched by device code; " +
                      number(child_levels) + " follow the first, down to one addition a part."}},
                [&] { return launch_lines(reply, section); });
    expect_count("depth of the launches", static_cast<double>(depth_of(reply)), child_levels, "wrong-depth",
                 "The sums are right, but the levels are not launched one by the other.");
    expect_children_read(reply, level_parts, section);
  }
}

TEST_CASE("reduce_nested_by_level asks whether its launches succeeded" * points(1) *
          tests("reduce_nested_by_level") * todo(5) * sim_only()) {
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_levels(schedule);
    expect_checked_launches(reply, device_launches(reply.counters()));
  }
  for (const unsigned depth : {0, 2}) check_refused_level(depth);
}
