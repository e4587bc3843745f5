// Lab 05: which findings of the simulator are told in the lesson's words, and which are left as they are. Mutants
// hold the rest to that.
#include <doctest/doctest.h>

#include "explain_picture.hpp"

using namespace dynamic_parallelism;

namespace {

constexpr const char* race =
    " and nothing orders them: one writes while the other reads, so the value read depends on "
    "which comes first.";

Failure found(const std::string& id, const std::string& sentence, const std::vector<std::string>& lines) {
  Failure failure{{id}, "the_function: " + sentence, {"error: " + id + " in kernel some_kernel"}};
  failure.details.insert(failure.details.end(), lines.begin(), lines.end());
  failure.details.emplace_back("  try: something that is good for any kernel.");
  failure.details.emplace_back("In the call the_function(n = 5003), schedule forward.");
  return failure;
}

std::string side(unsigned block_x, unsigned block_y, unsigned thread, const std::string& action) {
  return "  - thread (" + number(thread) + ",0,0) of block (" + number(block_x) + "," + number(block_y) +
         ",0), warp 0 lane 0 " + action;
}

/// The lesson's sentence comes first; the simulator's stays, without its advice.
void expect_told(const Failure& failure, const std::string& id, const std::string& says) {
  REQUIRE(failure.diagnoses.size() == 2);
  CHECK(failure.diagnoses.front() == id);
  CHECK(failure.sentence.find(says) != std::string::npos);
  CHECK(failure.details.at(0).starts_with("error: "));
  CHECK(failure.details.at(1).starts_with("  "));
  CHECK(failure.details.back().starts_with("Handout: "));
  for (const std::string& line : failure.details) CHECK_FALSE(line.starts_with("  try: "));
}

void expect_left(const Failure& failure, const Failure& before) {
  CHECK(failure.diagnoses == before.diagnoses);
  CHECK(failure.sentence == before.sentence);
  CHECK(failure.details == before.details);
}

std::optional<Reply> nothing_counted() { return {}; }
std::optional<Reply> no_barriers_counted() { return Reply(); }

/// The starter is the submission for as long as this lives: its lines tell the tasks.
struct Starter {
  Starter() { set_submission(&starter_); }
  ~Starter() { set_submission(nullptr); }
  Starter(const Starter&) = delete;
  Starter& operator=(const Starter&) = delete;
  unsigned line_of(int todo) const { return todo_line(read_text(starter_.options().source_path), todo) + 1; }

private:
  static SubmissionOptions options() {
    SubmissionOptions options;
    options.source_path = STARTER;
    return options;
  }
  Submission starter_{options()};
};

} // namespace

TEST_CASE("a part's number is asked for where sums end") {
  Failure failure =
      found("out-of-bounds", "A thread writes: it lies past the end of sums (as an index: sums[256]).",
            {side(0, 0, 1, "writes 4 bytes there")});
  explain_level(failure, nothing_counted);
  expect_told(failure, "sum-beyond-the-end", "sums[256]");
}

TEST_CASE("a block that reads the next part is told so, and one that reads an earlier part is not") {
  const auto race_at = [](unsigned index) {
    return found("global-race", "Two threads of different blocks use work[" + number(index) + "]" + race,
                 {side(0, 0, 0, "reads 4 bytes of it"), side(1, 0, 0, "writes 4 bytes of it")});
  };
  Failure beyond = race_at(300);
  explain_flat(beyond, 20, nothing_counted);
  expect_told(beyond, "beyond-the-part", "Block 0 reads work[300], element 44 of part 1");
  Failure before = race_at(10);
  explain_flat(before, 20, nothing_counted);
  expect_left(before, race_at(10));
}

TEST_CASE("pairs are said to overlap only where one statement is on both sides and barriers were counted") {
  Failure race_in_block =
      found("global-race", std::string("Two threads of one block use work[2]") + race,
            {side(0, 0, 2, "writes 4 bytes of it"), side(0, 0, 0, "reads 4 bytes of it")});
  const auto expect_left_alone = [&](std::size_t parts, const Again& again) {
    Failure failure = race_in_block;
    explain_flat(failure, parts, again);
    expect_left(failure, race_in_block);
  };
  const std::size_t none = 0; // of which any count of barriers is enough
  race_in_block.places = {{"file.cu", 33}, {"file.cu", 34}};
  expect_left_alone(none, no_barriers_counted);
  race_in_block.places = {{"file.cu", 33}, {"file.cu", 33}};
  expect_left_alone(20, no_barriers_counted);
  expect_left_alone(20, nothing_counted);
  Failure failure = race_in_block;
  explain_flat(failure, none, no_barriers_counted);
  expect_told(failure, "pairs-overlap", "thread 0 reads work[2], which thread 2 writes");
}

TEST_CASE("a child grid of several blocks is told by its second block") {
  const auto race_of = [](unsigned block) {
    return found("global-race", std::string("The grid k and its child grid k use work[256]") + race,
                 {side(block, 0, 0, "reads 4 bytes of it, in its child grid (depth 7)"),
                  side(1, 0, 0, "writes 4 bytes of it, in the parent (depth 0)")});
  };
  Failure many = race_of(1);
  explain_nested(many);
  expect_told(many, "child-has-many-blocks", "block 1 of one of depth 7 uses work[256]");
  Failure one = race_of(0);
  explain_nested(one);
  expect_left(one, race_of(0));
}

TEST_CASE("what is left of a refused part is asked for in finish_alone only") {
  const auto read_at = [](const std::string& line) {
    return found("uninitialised-read", "A thread reads 4 bytes of work[128], which nobody has written.",
                 {side(0, 0, 0, "reads it"), "      file.cu:1 | " + line});
  };
  Failure alone = read_at("for (unsigned i = 0; i < count; ++i) total += part[i];");
  explain_nested(alone);
  expect_told(alone, "refused-part-wrong", "how many elements are left?");
  Failure elsewhere = read_at("part[t] += part[t + half];");
  explain_nested(elsewhere);
  expect_left(elsewhere, read_at("part[t] += part[t + half];"));
}

TEST_CASE("only a refusal for want of room is told as one") {
  const auto trap = [](const std::string& error) {
    return found("trap", "A thread ended the kernel: it executed __trap().",
                 {side(0, 0, 0, "crashes"), "  note: a launch by this thread failed before, with " + error});
  };
  Failure full = trap("cudaErrorLaunchPendingCountExceeded: 2048 are pending already");
  explain_level(full, nothing_counted);
  expect_told(full, "too-many-child-grids", "which threads of the whole grid come to it?");
  const Failure nothing = trap("cudaErrorInvalidConfiguration: grid (0,1,1) has a zero in it");
  Failure failure = nothing;
  explain_level(failure, nothing_counted);
  explain_nested(failure);
  expect_left(failure, nothing);
}

TEST_CASE("atomics are asked for where TODO(6) looks and then writes, and not for a missing barrier") {
  const Starter starter;
  const auto race_of = [&](int todo_of_reader, const std::string& writes) {
    Failure failure = found("shared-race", std::string("Two threads use lowest") + race,
                            {side(0, 0, 1, writes), side(0, 0, 0, "reads 4 bytes of it")});
    failure.places = {{"dynamic_parallelism.cu", starter.line_of(6)},
                      {"dynamic_parallelism.cu", starter.line_of(todo_of_reader)}};
    return failure;
  };
  Failure plain = race_of(6, "writes 4 bytes of it");
  REQUIRE(explain_lowest(plain, finding_of(plain)));
  expect_told(plain, "lowest-without-atomics", "atomicMin and atomicMax");
  for (const Failure& other :
       {race_of(7, "writes 4 bytes of it"), race_of(6, "atomically updates 4 bytes of it")}) {
    Failure failure = other;
    CHECK_FALSE(explain_lowest(failure, finding_of(failure)));
    expect_left(failure, other);
  }
}

TEST_CASE("a pixel that two blocks draw is named by column and row") {
  const auto twice = [](const std::string& one, const std::string& other) {
    return found(
        "global-race", "Two grids use dwells[773] and nothing orders them: both write.",
        {side(1, 1, 34, "writes 4 bytes of it" + one), side(0, 1, 10, "writes 4 bytes of it" + other)});
  };
  Failure grids = twice(", in its child grid (depth 3)", ", in the parent (depth 2)");
  REQUIRE(explain_pixel_drawn_twice(grids, finding_of(grids), 128, [] { return false; }));
  expect_told(
      grids, "pixel-drawn-twice",
      "Pixel (5, 6) is drawn by block (1, 1) of a grid of depth 3 and by block (0, 1) of a grid of depth 2");
  Failure parent = twice(", in its child grid (depth 3)", ", in the parent (depth 2)");
  REQUIRE(explain_pixel_drawn_twice(parent, finding_of(parent), 128, [] { return true; }));
  expect_told(parent, "divided-and-drawn", "only the thread that launched knows");
  Failure blocks = twice("", "");
  REQUIRE(explain_pixel_drawn_twice(blocks, finding_of(blocks), 128, [] { return true; }));
  expect_told(blocks, "pixel-drawn-twice", "block (1, 1) and by block (0, 1)");
}

TEST_CASE("borders are judged by updates and barriers, where atomics were counted") {
  constexpr std::uint64_t squares = 4, updates = squares * 252 * 2;
  simt::Counters right;
  right.shared_atomic_lanes = updates;
  right.barriers = 2 * squares;
  CHECK_FALSE(judge_borders(right, squares));
  simt::Counters every_thread = right;
  every_thread.shared_atomic_lanes = 64 * updates;
  CHECK(judge_borders(every_thread, squares).value().diagnoses.front() == "border-by-every-thread");
  simt::Counters not_awaited = right;
  not_awaited.barriers = squares;
  CHECK(judge_borders(not_awaited, squares).value().diagnoses.front() == "border-not-awaited");
  not_awaited.warp_syncs = squares; // one warp a block, which waits for itself
  CHECK_FALSE(judge_borders(not_awaited, squares));
  CHECK_FALSE(judge_borders(simt::Counters(), squares)); // by votes of the warps, say
}

TEST_CASE("divisions are judged by depth, grids and blocks") {
  CHECK_FALSE(judge_divisions(72, 4 * 72, 3, 72));
  const Failure deep = judge_divisions(208, 4 * 208, 4, 72).value();
  CHECK(deep.diagnoses.front() == "wrong-depth");
  CHECK(deep.sentence.find("squares of 8 were divided, too") != std::string::npos);
  const Failure one_by_one = judge_divisions(288, 288, 3, 72).value();
  CHECK(one_by_one.diagnoses.front() == "too-many-child-grids");
  CHECK(one_by_one.sentence.find("four blocks of one grid") != std::string::npos);
  const Failure uniform = judge_divisions(84, 4 * 84, 3, 72).value();
  CHECK(uniform.sentence.find("filled, not divided") != std::string::npos);
}
