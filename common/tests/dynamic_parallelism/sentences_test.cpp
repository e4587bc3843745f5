// Lab 05: which findings of the simulator are put in the lesson's words, and which are left as they are. Mutants
// hold the rest to that.
#include <doctest/doctest.h>

#include "../lessons.hpp"
#include "explain.hpp"
#include "wrong_sums.hpp"

using namespace dynamic_parallelism;

namespace {

/// Ids of lessons that a case here has shown.
std::set<std::string> shown;

/// The lesson's sentence comes first; the simulator's stays, without its advice.
void expect_told(const Failure& failure, const std::string& id, const std::string& says) {
  REQUIRE(failure.diagnoses.size() == 2);
  CHECK(failure.diagnoses.front() == id);
  shown.insert(id);
  CHECK(failure.sentence.to_print().find(says) != std::string::npos);
  const std::vector<std::string> lines = texts_of(told_lines(failure));
  CHECK(lines.at(0).starts_with("error: "));
  CHECK(lines.at(1) == "  " + message_of(*first_finding(failure)));
  CHECK(failure.sections.size() == 1);
  for (const std::string& line : lines) CHECK_FALSE(line.starts_with("  try: "));
}

void expect_left(const Failure& failure, const Failure& before) {
  CHECK(failure.diagnoses == before.diagnoses);
  CHECK(failure.sentence.to_print() == before.sentence.to_print());
  CHECK(texts_of(told_lines(failure)) == texts_of(told_lines(before)));
}

constexpr auto reads = simt::Access::read, writes = simt::Access::write, updates = simt::Access::atomic;

/// Tells a failed call by these lessons, of `parts` parts.
bool explain(Failure& failure, const Lessons& lessons, const Again& again = {}, std::size_t parts = 0) {
  return tell(failure, lessons, Found{.failure = failure, .parts = parts, .again = again});
}

std::optional<Reply> nothing_counted() { return {}; }
std::optional<Reply> no_barriers_counted() { return Reply(); }

void explain_nested(Failure& failure, bool launches_failed) {
  tell(failure, nested_lessons, Found{.failure = failure, .launches_failed = launches_failed});
}

/// The first fault that is there.
std::optional<LabMessage> first_of(const std::vector<Fault>& faults) {
  for (const Fault& fault : faults)
    if (fault.is_there) return fault.message;
  return {};
}

/// The message of the mistake that led to these sums, instead of the ones that are wanted.
std::optional<LabMessage> behind(const std::vector<Mistake<int>>& mistakes, const std::vector<int>& result,
                                 const std::vector<int>& wanted) {
  const auto is_in = [](const std::vector<int>& sums) {
    return [&sums](std::size_t k, int value) { return sums[k] == value; };
  };
  const Mistake<int>* made =
      mistake_made(mistakes, result.size(), is_in(result), is_in(wanted), Several::first);
  return made == nullptr ? std::nullopt : std::optional(made->message);
}

} // namespace

TEST_CASE("a part's number is asked for where sums end") {
  Failure failure = found("out-of-bounds", "sums", 256, {party(0, 0, 1, writes)});
  explain(failure, level_lessons, nothing_counted);
  expect_told(failure, "sum-beyond-the-end", "sums[256]");
  Failure before_them = found("out-of-bounds", "sums", -1, {party(0, 0, 1, writes)});
  const Failure untold = before_them;
  explain(before_them, level_lessons, nothing_counted);
  expect_left(before_them, untold);
}

TEST_CASE("a block that reads the next part gets that message, and one that reads an earlier part does not") {
  const auto race_at = [](unsigned index) {
    return found("global-race", "work", index, {party(0, 0, 0, reads), party(1, 0, 0, writes)});
  };
  Failure beyond = race_at(300);
  explain(beyond, flat_lessons, nothing_counted, 20);
  expect_told(beyond, "beyond-the-part", "Block 0 reads work[300], element 44 of part 1");
  Failure before = race_at(10);
  explain(before, flat_lessons, nothing_counted, 20);
  expect_left(before, race_at(10));
}

TEST_CASE("two threads of a block that write one sum are named") {
  Failure failure = found("global-race", "sums", 3, {party(3, 0, 0, writes), party(3, 0, 7, writes)});
  explain(failure, flat_lessons, nothing_counted, 20);
  expect_told(failure, "sum-by-several-threads",
              "Threads 0 and 7 of one block write different values to sums[3]");
}

TEST_CASE("pairs are said to overlap only where one statement is on both sides and barriers were counted") {
  Failure race_in_block = found("global-race", "work", 2, {party(0, 0, 2, writes), party(0, 0, 0, reads)});
  const auto expect_left_alone = [&](std::size_t parts, const Again& again) {
    Failure failure = race_in_block;
    explain(failure, flat_lessons, again, parts);
    expect_left(failure, race_in_block);
  };
  const std::size_t none = 0; // of which any count of barriers is enough
  race_in_block.places = {{"file.cu", 33}, {"file.cu", 34}};
  expect_left_alone(none, no_barriers_counted);
  race_in_block.places = {{"file.cu", 33}, {"file.cu", 33}};
  expect_left_alone(20, nothing_counted);
  Failure too_few = race_in_block;
  explain(too_few, flat_lessons, no_barriers_counted, 20);
  expect_told(too_few, "round-without-barrier",
              "Thread 0 reads work[2] in one round, and thread 2 writes it");
  Failure failure = race_in_block;
  explain(failure, flat_lessons, no_barriers_counted, none);
  expect_told(failure, "pairs-overlap", "Thread 0 reads work[2] in the round in which thread 2 writes it");
}

TEST_CASE("a call with one part tells a child grid in another part from one that begins too early") {
  const Failure race =
      found("global-race", "work", 64, {party(0, 0, 64, writes, 0), party(0, 0, 0, reads, 1)});
  for (const bool is_right_alone : {true, false}) {
    Failure failure = race;
    failure.findings.front().finding.participants.front().kin = simt::Kin::parent;
    tell(failure, nested_lessons,
         Found{.failure = failure, .parts = 2, .again = nothing_counted, .is_right_alone = [&] {
                 return is_right_alone;
               }});
    if (is_right_alone)
      expect_told(failure, "child-in-another-part", "uses work[64], which is of part 0");
    else
      expect_told(failure, "child-before-barrier", "Thread 64 of a block writes work[64]");
  }
}

TEST_CASE("a child grid of several blocks is recognised by its second block") {
  const auto race_of = [](unsigned block) {
    return found("global-race", "work", 256, {party(block, 0, 0, reads, 7), party(1, 0, 0, writes, 0)});
  };
  Failure many = race_of(1);
  explain_nested(many, false);
  expect_told(many, "child-has-many-blocks", "block 1 of one of depth 7 uses work[256]");
  Failure one = race_of(0);
  explain_nested(one, false);
  expect_left(one, race_of(0));
}

TEST_CASE("what is left of a refused part is asked for outside of the tasks, when a launch has failed") {
  const Submitted starter(STARTER);
  const auto read_at = [](unsigned line) {
    Failure failure = found("uninitialised-read", "work", 128, {party(0, 0, 0, reads)});
    failure.places = {{"dynamic_parallelism.cu", line}};
    return failure;
  };
  const unsigned given = 1; // the file's first line
  Failure alone = read_at(given);
  explain_nested(alone, true);
  expect_told(alone, "refused-part-wrong", "finish_alone adds up work[128]");
  for (const auto& [line, launches_failed] : {std::pair{given, false}, {starter.line_of(4), true}}) {
    Failure other = read_at(line);
    explain_nested(other, launches_failed);
    expect_left(other, read_at(line));
  }
}

TEST_CASE("only a refusal for want of room is reported as one") {
  const auto trap = [](const char* rule) {
    Failure failure = found("trap", "", -1, {party(0, 0, 0, reads)});
    failure.findings.front().finding.facts = {simt::Refused{rule, "cudaErrorInvalidValue"}};
    return failure;
  };
  Failure full = trap("pending-launches");
  explain(full, level_lessons, nothing_counted);
  expect_told(full, "too-many-child-grids", "one thread of the whole grid");
  const Failure nothing = trap("empty-grid");
  Failure failure = nothing;
  explain_nested(failure, true);
  expect_left(failure, nothing);
  explain(failure, level_lessons, nothing_counted);
  expect_told(failure, "launch-of-nothing", "A level without blocks was launched and refused with cuda");
}

TEST_CASE("messages about pairs name the section of the function's own task") {
  const std::string handout = read_text(HANDOUT);
  std::set<std::string> sections;
  for (const char* function : {"reduce_neighbored", "reduce_neighbored_less", "reduce_interleaved",
                               "reduce_nested", "reduce_nested_by_level"}) {
    const std::string section = section_of_pairs(function);
    CHECK_MESSAGE(handout.find("\n### " + section + "\n") != std::string::npos, section);
    sections.insert(section);
    Failure failure = found("global-race", "sums", 3, {party(3, 0, 0, writes), party(3, 0, 7, writes)});
    failure.function = function;
    explain(failure, flat_lessons, nothing_counted, 20);
    CHECK(failure.sections == std::vector{section});
  }
  CHECK(sections.size() == 5);
}

TEST_CASE("a child that reads what its launcher's block writes gets the order of the three steps") {
  const auto race_of = [](unsigned writer, simt::Access child_does, unsigned child_depth) {
    Failure failure = found("global-race", "work", 5,
                            {party(0, 0, writer, writes, 2), party(0, 0, 9, child_does, child_depth)});
    failure.findings.front().finding.participants.front().kin = simt::Kin::parent;
    return failure;
  };
  Failure failure = race_of(5, reads, 3);
  explain_nested(failure, false);
  expect_told(failure, "child-before-barrier",
              "Thread 5 of a block writes work[5], thread 9 of its child grid reads it");
  // The launching thread itself, a child that writes, and a grandchild.
  for (const Failure& other : {race_of(0, reads, 3), race_of(5, writes, 3), race_of(5, reads, 4)}) {
    Failure left = other;
    explain_nested(left, false);
    expect_left(left, other);
  }
}

TEST_CASE("a line below the launch shows what the launching thread uses behind it") {
  if (!std::filesystem::exists(MUTANTS)) return; // the students' tree
  // TODO(4) of this mutant launches, and uses the part below that.
  const Submitted mutant(MUTANTS "/written_after_the_launch.cu");
  const std::string source = read_text(MUTANTS "/written_after_the_launch.cu");
  const auto line_with = [&](const char* code) {
    return static_cast<unsigned>(std::count(
               source.begin(), source.begin() + static_cast<std::ptrdiff_t>(source.find(code)), '\n')) +
           1;
  };
  const unsigned above = line_with("part[t] = element"), below = line_with("part[i] = 0");
  const auto race_at = [](unsigned thread, unsigned line) {
    Failure failure =
        found("global-race", "work", 64, {party(0, 0, thread, writes, 0), party(0, 0, 0, reads, 1)});
    failure.findings.front().finding.participants.front().kin = simt::Kin::parent;
    failure.places = {{"dynamic_parallelism.cu", line}};
    return failure;
  };
  Failure failure = race_at(0, below);
  explain_nested(failure, false);
  expect_told(failure, "used-behind-the-launch", "A block writes work[64] behind its launch");
  Failure before = race_at(0, above);
  explain_nested(before, false);
  expect_left(before, race_at(0, above));
}

TEST_CASE(
    "a block that is refused and adds up another block's part is named, at lines outside of the tasks") {
  const Submitted starter(STARTER);
  const auto race_of = [&](unsigned block, const char* array, unsigned line) {
    Failure failure =
        found("global-race", array, 0, {party(0, 0, 0, writes, 7), party(block, 0, 0, reads, 0)});
    failure.places = {{"dynamic_parallelism.cu", line}};
    return failure;
  };
  for (const char* array : {"work", "sums"}) {
    Failure failure = race_of(2048, array, 1);
    explain_nested(failure, true);
    expect_told(failure, "part-of-another-block", "A launch by block 2048 was refused");
    CHECK(failure.sentence.to_print().find(std::string(array) + "[0], which belongs to part 0") !=
          std::string::npos);
  }
  for (const auto& [block, line, refused] :
       {std::tuple{2048U, 1U, false}, {0U, 1U, true}, {2048U, starter.line_of(4), true}}) {
    Failure failure = race_of(block, "work", line);
    explain_nested(failure, refused);
    CHECK(failure.diagnoses.front() != "part-of-another-block");
  }
}

TEST_CASE("atomics are asked for where TODO(6) looks and then writes, and a barrier where it updates and "
          "others look") {
  const Submitted starter(STARTER);
  const auto race_of = [&](int todo_of_reader, simt::Access access, std::int64_t element) {
    Failure failure =
        found("shared-race", "lowest", element, {party(0, 0, 1, access), party(0, 0, 0, reads)});
    failure.places = {{"dynamic_parallelism.cu", starter.line_of(6)},
                      {"dynamic_parallelism.cu", starter.line_of(todo_of_reader)}};
    return failure;
  };
  Failure plain = race_of(6, writes, -1);
  REQUIRE(explain(plain, picture_lessons));
  expect_told(plain, "lowest-without-atomics", "atomicMin and atomicMax");
  Failure not_awaited = race_of(7, updates, -1);
  REQUIRE(explain(not_awaited, picture_lessons));
  expect_told(not_awaited, "border-not-awaited", "A thread reads lowest while others may still update it");
  Failure elsewhere = race_of(7, updates, -1);
  elsewhere.places.erase(elsewhere.places.begin());
  CHECK_FALSE(explain(elsewhere, picture_lessons));
  for (const Failure& other : {race_of(7, writes, -1), race_of(6, writes, 3)}) {
    Failure failure = other;
    CHECK_FALSE(explain(failure, picture_lessons));
    expect_left(failure, other);
  }
}

TEST_CASE("a barrier in TODO(6) that some threads miss is put down to TODO(6)") {
  const Submitted starter(STARTER);
  const auto divergence_in = [&](int todo) {
    Failure failure = found("barrier-divergence", "", -1, {party(0, 0, 0, reads), party(0, 0, 60, reads)});
    failure.places = {{"dynamic_parallelism.cu", starter.line_of(todo)}};
    return failure;
  };
  Failure failure = divergence_in(6);
  REQUIRE(explain(failure, picture_lessons));
  CHECK(failure.diagnoses.front() == "border-awaited-by-some");
  Failure other = divergence_in(7);
  CHECK_FALSE(explain(other, picture_lessons));
}

TEST_CASE("a pixel that two blocks draw is named by column and row") {
  const auto twice = [](std::optional<unsigned> one, std::optional<unsigned> other) {
    return found("global-race", "dwells", 773,
                 {party(1, 1, 34, writes, one), party(0, 1, 10, writes, other)});
  };
  const auto explain_drawn = [](Failure& failure, bool divides_and_draws) {
    return tell(failure, picture_lessons, Found{.failure = failure, .size = 128, .divides_and_draws = [=] {
                                                  return divides_and_draws;
                                                }});
  };
  Failure grids = twice(3, 2);
  REQUIRE(explain_drawn(grids, false));
  expect_told(
      grids, "pixel-drawn-twice",
      "Pixel (5, 6) is drawn by block (1, 1) of a grid of depth 3 and by block (0, 1) of a grid of depth 2");
  Failure parent = twice(3, 2);
  REQUIRE(explain_drawn(parent, true));
  expect_told(parent, "divided-and-drawn", "Only the launching thread knows");
  Failure blocks = twice({}, {});
  REQUIRE(explain_drawn(blocks, true));
  expect_told(blocks, "pixel-drawn-twice", "block (1, 1) and by block (0, 1)");
}

TEST_CASE("borders are judged by updates and barriers, where atomics were counted") {
  constexpr std::uint64_t squares = 4, updates = squares * 252 * 2;
  simt::Counters right;
  right.shared_atomic_lanes = updates;
  right.barriers = 2 * squares;
  CHECK_FALSE(first_of(faults_of_borders(right, squares)));
  simt::Counters every_thread = right;
  every_thread.shared_atomic_lanes = 64 * updates;
  CHECK(first_of(faults_of_borders(every_thread, squares)).value().id == "border-by-every-thread");
  simt::Counters not_awaited = right;
  not_awaited.barriers = squares;
  CHECK(first_of(faults_of_borders(not_awaited, squares)).value().id == "border-not-awaited");
  not_awaited.warp_syncs = squares; // one warp a block, which waits for itself
  CHECK_FALSE(first_of(faults_of_borders(not_awaited, squares)));
  CHECK_FALSE(first_of(faults_of_borders(simt::Counters(), squares))); // by votes of the warps, say
}

TEST_CASE("lowest and highest are asked for where a trace shows that nothing else can have told them") {
  constexpr std::uint32_t lowest = 0, highest = 1, refused = 2, pixels = 3, coordinates = 4;
  const auto step = [](std::uint32_t array, simt::Access access, std::uint32_t lanes,
                       std::uint32_t block = 0) {
    simt::TracedStep made;
    made.array = array;
    made.access = access;
    made.lanes = lanes;
    made.block = block;
    return made;
  };
  simt::Trace given; // what the given code does, in two blocks
  given.arrays = {{"lowest", simt::Space::shared, 4},
                  {"highest", simt::Space::shared, 4},
                  {"refused", simt::Space::shared, 1},
                  {"dwells", simt::Space::global, 4},
                  {"re", simt::Space::global, 4}};
  for (const std::uint32_t block : {0, 1}) {
    given.steps.push_back(step(lowest, writes, 1, block));
    given.steps.push_back(step(highest, writes, 1, block));
    given.steps.push_back(step(coordinates, reads, 0xff, block));
    given.steps.push_back(step(pixels, writes, 0xff, block));
  }
  const auto after = [&](const std::vector<simt::TracedStep>& steps) {
    simt::Trace trace = given;
    trace.steps.insert(trace.steps.end(), steps.begin(), steps.end());
    const NeverUpdated never = never_updated(trace);
    return std::pair(never.lowest, never.highest);
  };
  CHECK(after({}) == std::pair(true, true));
  CHECK(after({step(refused, writes, 1), step(refused, writes, 1)}) == std::pair(true, true)); // one thread's
  CHECK(after({step(lowest, updates, 0xff)}) == std::pair(false, true));
  CHECK(after({step(highest, updates, 0xff)}) == std::pair(true, false));
  CHECK(after({step(lowest, writes, 1), step(highest, writes, 1)}) == std::pair(false, false));
  simt::TracedStep vote = step(0, reads, 0xff);
  vote.kind = simt::TracedStep::Kind::exchange;
  const std::pair unknown(false, false);
  CHECK(after({vote}) == unknown);
  CHECK(after({step(refused, updates, 3)}) == unknown);
  CHECK(after({step(pixels, reads, 1)}) == unknown);
  CHECK(after({step(pixels, updates, 1)}) == unknown);
  simt::Trace counting = given;
  counting.carried = true;
  CHECK_FALSE(never_updated(counting).lowest);
  CHECK_FALSE(never_updated({}).lowest); // no such variables
}

TEST_CASE("lowest and highest are updated, and each in its own direction") {
  const auto fault = [](const NeverUpdated& never, const char* code) {
    const auto told = first_of(faults_of_updates(never, code));
    return told ? told->sentence.to_print() : "";
  };
  const char* right = "atomicMin(&lowest,value);atomicMax(&highest,value);";
  CHECK(fault({}, right).empty());
  CHECK(fault({}, "").empty());
  CHECK(fault({true, true}, "").find("lowest and highest keep the values") != std::string::npos);
  CHECK(fault({false, true}, right).find("highest keeps the value") != std::string::npos);
  CHECK(fault({}, "atomicMax(&lowest,value);").find("lowest stays at p.max_dwell") != std::string::npos);
  CHECK(fault({}, "atomicMin(&highest,value);").find("highest stays at 0") != std::string::npos);
}

TEST_CASE("threads that write and end before the launching thread's barrier are counted") {
  using Kind = simt::TracedStep::Kind;
  const auto step = [](Kind kind, simt::Access access, std::uint32_t lanes) {
    simt::TracedStep made;
    made.kind = kind;
    made.access = access;
    made.lanes = lanes;
    return made;
  };
  const simt::TracedStep all_write = step(Kind::access, writes, 0xff),
                         all_wait = step(Kind::barrier, reads, 0xff),
                         one_waits = step(Kind::barrier, reads, 1),
                         others_tell = step(Kind::access, updates, 0xfe);
  const auto early = [](const std::vector<simt::TracedStep>& steps, const char* array = "work") {
    simt::Trace trace;
    trace.arrays = {{array, simt::Space::global, 32}};
    trace.launches = {{.kernel = "k"}, {.kernel = "k", .depth = 1}};
    trace.steps = steps;
    return ended_before_barrier(trace);
  };
  CHECK(early({all_write, one_waits}).threads == 7);
  CHECK(early({all_write, one_waits}).of == 8);
  CHECK(early({all_write, all_wait}).threads == 0);
  CHECK(early({all_write}).threads == 0); // without a barrier it is a race, which the simulator reports
  CHECK(early({all_write, others_tell, one_waits}).threads == 0);
  CHECK(early({all_write, one_waits}, "sums").threads == 0);
}

TEST_CASE("divisions are judged by depth, grids and blocks") {
  CHECK_FALSE(first_of(faults_of_divisions(72, 4 * 72, 3, 72)));
  const LabMessage deep = first_of(faults_of_divisions(208, 4 * 208, 4, 72)).value();
  CHECK(deep.id == "wrong-depth");
  CHECK(deep.sentence.to_print().find("squares of 8 were divided, too") != std::string::npos);
  const LabMessage one_by_one = first_of(faults_of_divisions(288, 288, 3, 72)).value();
  CHECK(one_by_one.id == "too-many-child-grids");
  CHECK(one_by_one.sentence.to_print().find("four blocks of one grid") != std::string::npos);
  const LabMessage uniform = first_of(faults_of_divisions(84, 4 * 84, 3, 72)).value();
  CHECK(uniform.sentence.to_print().find("instead of dividing it") != std::string::npos);
}

TEST_CASE("every mistake with the sums of parts is known by what it leads to") {
  std::vector<int> in(2 * part_size + 7);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * i % 1009) + 1;
  const std::vector<int> wanted = part_sums(in);
  std::vector<int> last_wrong = wanted;
  ++last_wrong.back();
  for (const char* function : {"reduce_interleaved", "reduce_nested", "reduce_nested_by_level"}) {
    const Sums sums{function, in, last_wrong, wanted};
    const std::vector<Mistake<int>> mistakes = sums.mistakes();
    for (const Mistake<int>& mistake : mistakes) {
      std::vector<int> result;
      for (std::size_t k = 0; k < wanted.size(); ++k) result.push_back(mistake.predicts(k));
      if (result == wanted) continue; // all of the rounds
      const auto told = behind(mistakes, result, wanted);
      REQUIRE(told.has_value());
      CHECK(told->id == mistake.message.id);
      shown.insert(told->id);
    }
    CHECK_FALSE(behind(mistakes, wanted, wanted));
  }
}

TEST_CASE("every mistake is shown by a mutant or by the case above") {
  if (!std::filesystem::exists(MUTANTS)) return; // the students' tree
  shown.merge(promised_by_mutants(MUTANTS));
  const std::vector<int> in(5 * part_size + 7), wanted = part_sums(in);
  for (const char* function : {"reduce_interleaved", "reduce_nested", "reduce_nested_by_level"})
    for (const Mistake<int>& mistake : Sums{function, in, wanted, wanted}.mistakes())
      CHECK_MESSAGE(shown.contains(mistake.message.id), mistake.message.id);
}
