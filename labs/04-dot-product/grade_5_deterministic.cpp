// The rubric of TODO(5): dot_deterministic_f32, the same bits on every run.

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rubric.hpp"

using namespace dot_product;

namespace {

std::string parts_of_repetition() {
  return "TODO(5), which writes the result, is still to be written; it adds up what TODO(2) and TODO(3) "
         "give.";
}

Reply call(const Vectors<float>& v, const How& how) {
  return dot_and_check<float>(CONTRACT(dot_deterministic_f32), v, how, parts_of_repetition());
}

/// Which of the parts that it has in common with dot_deterministic_f32, TODO(2) and TODO(3), make dot_f32 wrong: none if
/// it is right, and nothing if it tells nothing about them.
std::optional<std::vector<int>> wrong_parts() {
  try {
    for (const Vectors<float>& v : {random_vectors<float>(typical), small_vectors<float>(typical)})
      dot_and_check<float>(CONTRACT(dot_f32), v, {}, "");
    return std::vector<int>{};
  } catch (const ItemFailed& failed) {
    const std::vector<int>& todos = failed.failure.todos;
    if (todos.empty() || std::ranges::find(todos, 4) != todos.end()) return {};
    return todos;
  }
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
      add_cause(why, "dot_f32 is right with n = " + number(typical) +
                         ": TODO(2) and TODO(3) do their part, and it is TODO(5) that this comes from.");
    } else {
      why.todos = *wrong;
      add_cause(why, "dot_f32 is wrong as well: mend that first, then see what is left.");
    }
  });
}

/// The first question, of every item: a wrong sum is the same failure there, and told once.
void check_typical_repetition() {
  ask_for_parts([] { check_typical<float>(CONTRACT(dot_deterministic_f32), parts_of_repetition()); });
}

Reply counted_repetition(Schedule schedule) {
  return call(random_vectors<float>(counted_n),
              {.schedule = schedule, .was_right = schedule != schedules().front()});
}

/// The same call again and again: all schedules, and on a GPU often enough for blocks to end in another order. All sums
/// are compared with the first, bit by bit; whether that is right, `ask` may find out.
template <typename Ask>
void expect_same_bits(const Vectors<float>& v, Ask ask, const std::vector<std::string>& further = {}) {
  std::optional<float> first;
  std::string first_call;
  const int rounds = submission().backend() == Backend::sim ? 2 : 60;
  for (int round = 0; round < rounds; ++round) {
    for (const Schedule schedule : schedules()) {
      const Reply reply = ask(schedule);
      recognise_unwritten(Outcome<float>{reply, v, {}, first.has_value()}, parts_of_repetition());
      const float value = reply.template values<float>(0)[0];
      if (!first) {
        first = value;
        first_call = reply.call_text();
      }
      if (std::bit_cast<std::uint32_t>(value) == std::bit_cast<std::uint32_t>(*first)) continue;
      std::vector<std::string> lines = {"First: " + first_call + ".", "Then: " + reply.call_text() + "."};
      lines.insert(lines.end(), further.begin(), further.end());
      lines.push_back(handout("The last block"));
      fail("bits-differ",
           "The same call gave " + to_text(*first) + " and then " + to_text(value) +
               ": the order of the additions depends on which block is faster. Who adds the blocks' sums, "
               "and in which order?",
           lines);
    }
  }
}

/// Of random values. The first sum is compared with the reference.
void check_bits(std::size_t n) {
  const Drawn<float> a, b;
  const Vectors<float> v{"random values", a.values(n), b.values(n)};
  bool is_first = true;
  expect_same_bits(v, [&](Schedule schedule) {
    if (std::exchange(is_first, false)) return call(v, {.schedule = schedule});
    // The runner makes the same values, so that none need travel.
    return submission().call(CallOptions{.schedule = schedule}, CONTRACT(dot_deterministic_f32),
                             out<float>(1), a.buffer(n), b.buffer(n), n);
  });
}

/// Of values so different in size that a wider type does not hide the order. What such a sum should be nobody asks: all
/// its digits are roundings'.
void check_bits_of_spanning(std::size_t n) {
  const Vectors<float> v = spanning_vectors(n);
  expect_same_bits(v,
                   [&](Schedule schedule) {
                     return submission().call(CallOptions{.schedule = schedule},
                                              CONTRACT(dot_deterministic_f32), out<float>(1), in(v.a),
                                              in(v.b), n);
                   },
                   {"Some products of these are +-2^100 and cancel: a sum that holds one loses what is added "
                    "to it, in a double as in a float, and the order decides what."});
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
void expect_met(const Reply& reply, std::size_t blocks, std::vector<std::string> lines) {
  const std::uint64_t passed = passed_on(reply.counters(), 2 * counted_n * sizeof(float));
  lines.insert(lines.begin() + 1, counted(passed, "value") + " passed on from block to block");
  if (passed + 1 < blocks) {
    fail("idle-blocks",
         "The sum is right, but its " + number(blocks) + " blocks passed " +
             (passed == 0 ? "no value" : "only " + counted(passed, "value")) +
             " on to each other. So not all of them had a part in it: who has one passes it on, but for the "
             "block that writes the result.",
         std::move(lines));
  }
  if (!blocks_met(reply)) {
    fail("nobody-counted",
         "The sum is right, but no block counted itself, and they did not meet at a barrier of the whole "
         "grid. Who adds up the others' sums must know that they are there; memory that is looked at again "
         "and again, volatile or not, does not promise it.",
         std::move(lines));
  }
}

} // namespace

TEST_CASE("dot_deterministic_f32 gives the dot product at any length" * points(3) *
          tests("dot_deterministic_f32") * todo(5)) {
  ask_for_parts([] {
    check_everywhere<float>(CONTRACT(dot_deterministic_f32), parts_of_repetition());
    call(whole_vectors<float>(beyond_partials), {.schedule = schedules().back()});
  });
}

TEST_CASE("dot_deterministic_f32 gives the same bits on every run" * points(3) *
          tests("dot_deterministic_f32") * todo(5)) {
  check_typical_repetition();
  check_bits(20'011);
  check_bits(submission().backend() == Backend::cuda ? real + 3 : 70'001);
  if (submission().backend() == Backend::sim) check_bits_of_spanning(70'001);
}

TEST_CASE("dot_deterministic_f32 reads every byte of both arrays once" * points(1) *
          tests("dot_deterministic_f32") * todo(5) * sim_only()) {
  check_typical_repetition();
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_repetition(schedule);
    expect_read_once(reply, counted_n * sizeof(float));
  }
}

TEST_CASE("dot_deterministic_f32 needs one launch of many blocks and counts each of them once" * points(2) *
          tests("dot_deterministic_f32") * todo(5) * sim_only()) {
  check_typical_repetition();
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_repetition(schedule);
    const simt::Counters& c = reply.counters();
    const Grid grid = grid_of(reply);
    const std::vector<std::string> lines = {
        (c.launches == 1 ? "1 launch" : number(c.launches) + " launches") + ", " +
            counted(grid.blocks, "block") + ", " + counted(c.global_atomic_lanes, "atomic operation"),
        reply.in_call(), handout("The last block")};
    if (c.launches + c.child_grids != 1) {
      fail("further-launch",
           "The sum is right, but it took " + number(c.launches + c.child_grids) +
               " launches. The block that ends last can do what the second kernel does, and knows that it is "
               "the last if the blocks are counted.",
           lines);
    }
    if (grid.blocks < 2) {
      fail("one-block",
           "The sum is right, and has the same bits every time, because one block does all the work. A GPU "
           "has " +
               std::string("a hundred multiprocessors and more; the others have nothing to do."),
           lines);
    }
    if (c.global_atomic_lanes == 0) {
      expect_met(reply, grid.blocks, lines);
      continue;
    }
    // One for the count; whoever leaves the sum by another, and sets the counter back by one, may.
    expect_between("atomic operations", static_cast<double>(c.global_atomic_lanes), 1,
                   static_cast<double>(2 * grid.blocks + 1), "atomics-not-needed",
                   "The sum is right, but there are more atomic operations than blocks. One thread of a "
                   "block counts it, once.");
  }
}
