// The rubric of TODO(5): dot_deterministic_f32, the same bits on every run.

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rubric.hpp"

using namespace dot_product;

namespace {

const RunsThrough parts_of_deterministic({"dot_deterministic_f32"}, {2, 3, 5});

constexpr auto deterministic = CONTRACT(dot_deterministic_f32);

/// Which of the parts that it has in common with dot_deterministic_f32, TODO(2) and TODO(3), make dot_f32 wrong: none if
/// it is right, and nothing if it tells nothing about them.
std::optional<std::vector<int>> wrong_parts() {
  const std::optional<Failure> failed = failure_in([] {
    for (const Vectors<float>& v : {random_vectors<float>(typical), small_vectors<float>(typical)})
      dot_and_check(CONTRACT(dot_f32), v, {});
  });
  if (!failed) return std::vector<int>{};
  const std::vector<int>& todos = failed->todos;
  if (todos.empty() || std::ranges::find(todos, 4) != todos.end()) return {};
  return todos;
}

/// Runs check(). If it finds a sum that is wrong, dot_f32 tells whether that comes from the parts of both.
void ask_for_parts(const std::function<void()>& check) {
  changing(check, [](Failure& why) {
    if (why.todos.empty() || why.todos == std::vector{5}) return;
    const std::optional<std::vector<int>> wrong = wrong_parts();
    if (!wrong) {
      std::erase(why.todos, 5);
      why.todos.push_back(5);
    } else if (wrong->empty()) {
      why.todos = {5};
      add_cause(why, message("/parts-are-right", typical).sentence);
    } else {
      why.todos = *wrong;
      add_cause(why, message("/parts-are-wrong").sentence);
    }
  });
}

/// A further call, with arrays that hold the numbers of `v`. Whether its sum is right, others find out.
Reply ask_again(const Vectors<float>& v, const auto& a, const auto& b, Schedule schedule) {
  Reply reply =
      submission().call(CallOptions{.schedule = schedule}, deterministic, out<float>(1), a, b, v.size());
  recognise_unwritten(Outcome(reply, v, {}, {.was_right = true}));
  return reply;
}

/// The call that gave `first` again and again: all schedules, and on a GPU often enough for blocks to end in another
/// order. All sums are compared with the first, bit by bit.
void expect_same_bits(const Reply& first, const Vectors<float>& v, const auto& a, const auto& b,
                      const Details& further = {}) {
  const float wanted = first.values<float>(0)[0];
  const std::vector<Schedule> each = schedules();
  const std::size_t calls = each.size() * (is_on_sim() ? 2 : 60);
  for (std::size_t k = 1; k < calls; ++k) {
    const Reply then = ask_again(v, a, b, each[k % each.size()]);
    const float value = then.values<float>(0)[0];
    if (same_bits(value, wanted)) continue;
    fail(message("bits-differ", to_text(wanted), to_text(value)),
         followed_by({"First: " + first.call_text() + ".", "Then: " + then.call_text() + "."}, further));
  }
}

/// Of random values. The first sum is compared with the reference. Then the runner makes them, so that none travel.
void check_bits(std::size_t n) {
  const Drawn<float> a, b;
  const Vectors<float> v{"random values", a.values(n), b.values(n)};
  const Reply first = dot_and_check(deterministic, v, {.schedule = schedules().front()});
  expect_same_bits(first, v, a.buffer(n), b.buffer(n));
}

/// Of values so different in size that a wider type does not hide the order. The value of such a sum does not matter: all
/// its digits are roundings'.
void check_bits_of_spanning(std::size_t n) {
  const Vectors<float> v = spanning_vectors(n);
  const Reply first = ask_again(v, in(v.a), in(v.b), schedules().front());
  expect_same_bits(first, v, in(v.a), in(v.b), {message("/products-that-cancel").sentence});
}

/// Whether all blocks of the only launch met: at a barrier of the grid, or of a cluster that is the whole grid.
bool blocks_met(const Reply& reply) {
  return std::ranges::all_of(reply.kernels(), [](const simt::KernelRecord& kernel) {
    return kernel.counters.grid_barriers > 0 ||
           (kernel.counters.cluster_barriers > 0 && volume(kernel.cluster) == volume(kernel.grid));
  });
}

/// Values that went from one block to another without atomics, at most: those that were written besides the result and
/// read besides the arrays, and those in another block's shared memory.
std::uint64_t passed_on(const simt::Counters& c, std::uint64_t bytes_of_arrays) {
  const std::uint64_t written = c.global_store_lanes - std::min<std::uint64_t>(c.global_store_lanes, 1);
  const std::uint64_t read =
      (c.global_load_bytes - std::min(c.global_load_bytes, bytes_of_arrays)) / sizeof(float);
  return std::min(written, read) + c.remote_shared_loads + c.remote_shared_stores + c.remote_shared_atomics;
}

/// Without a count no block knows that it is the last. None need if all but one have passed a sum on, and all have met.
void expect_met(const Reply& reply, std::size_t blocks, Details lines) {
  const std::uint64_t passed = passed_on(reply.counters(), 2 * counted_n * sizeof(float));
  lines.insert(lines.begin() + 1, say("{count:value} passed on from block to block", passed));
  if (passed + 1 < blocks) fail(message("idle-blocks", blocks, passed == 0, passed), std::move(lines));
  if (!blocks_met(reply)) fail(message("nobody-counted/barrier"), std::move(lines));
}

} // namespace

TEST_CASE("dot_deterministic_f32 gives the dot product at any length" * points(3) *
          tests("dot_deterministic_f32") * todo(5)) {
  ask_for_parts([] {
    check_everywhere(deterministic);
    dot_and_check(deterministic, whole_vectors<float>(beyond_partials), {.schedule = schedules().back()});
  });
}

TEST_CASE("dot_deterministic_f32 gives the same bits on every run" * points(3) *
          tests("dot_deterministic_f32") * todo(5)) {
  ask_for_parts([] { check_typical(deterministic); });
  check_bits(20'011);
  check_bits(is_on_sim() ? 70'001 : real + 3);
  if (is_on_sim()) check_bits_of_spanning(70'001);
}

TEST_CASE("dot_deterministic_f32 reads every byte of both arrays once" * points(1) *
          tests("dot_deterministic_f32") * todo(5) * sim_only()) {
  ask_for_parts([] { check_reads(deterministic); });
}

TEST_CASE("dot_deterministic_f32 needs one launch of many blocks and counts each of them once" * points(2) *
          tests("dot_deterministic_f32") * todo(5) * sim_only()) {
  ask_for_parts([] {
    for_each_counted(deterministic, [](const Reply& reply) {
      const simt::Counters& c = reply.counters();
      const std::size_t blocks = grid_of(reply).blocks, launches = c.launches + c.child_grids;
      const Details lines = {
          say("{launches} {is_one?launch|launches}, {blocks:block}, {count:atomic operation}", c.launches,
              c.launches == 1, blocks, c.global_atomic_lanes),
          reply.in_call()};
      if (launches != 1) fail(message("further-launch", launches), lines);
      if (blocks < 2) fail(message("one-block"), lines);
      tell_measured(say("launched"),
                    say("{blocks:block} at once; {count:atomic operation}", blocks, c.global_atomic_lanes));
      if (c.global_atomic_lanes == 0) return expect_met(reply, blocks, lines);
      // One for the count; whoever leaves the sum by another, and sets the counter back by one, may.
      expect_between("atomic operations", static_cast<double>(c.global_atomic_lanes), 1,
                     static_cast<double>(2 * blocks + 1), message("atomics-not-needed/count"));
    });
  });
}
