// What lab 03 adds to the simulator's findings: words of the lesson, and the task where the lines tell none.
#include <doctest/doctest.h>

#include "rubric.hpp"

using namespace nbody;

namespace {

/// The starter is the source for as long as this lives: its lines tell the tasks.
struct Starter {
  Starter() { context().source_path = NBODY_STARTER; }
  ~Starter() { context().source_path = before_; }
  Starter(const Starter&) = delete;
  Starter& operator=(const Starter&) = delete;
  /// The line on which this stands.
  unsigned line_with(const char* words) const {
    const std::string text = read_text(NBODY_STARTER);
    const auto at = static_cast<std::ptrdiff_t>(text.find(words));
    return static_cast<unsigned>(1 + std::count(text.begin(), text.begin() + at, '\n'));
  }

private:
  std::string before_ = context().source_path;
};

/// A read of 16 bytes just past the end of an array, on a line of the starter.
simt::Finding read_past(const char* array, unsigned line) {
  simt::Finding finding;
  finding.id = "out-of-bounds";
  finding.kernel = "some_kernel";
  finding.variable = array;
  finding.space = simt::Space::global;
  finding.facts = {simt::Outside{simt::Outside::Side::past, 0, 4112}};
  simt::Participant party;
  party.access = simt::Access::read;
  party.bytes = 16;
  party.file = NBODY_STARTER;
  party.line = line;
  finding.participants = {party};
  return finding;
}

/// A failure as the grader makes it of findings.
Failure failure_of(const std::vector<simt::Finding>& findings) {
  Failure failure{{findings.front().id}, "accelerations: what was found.", {"In the call accelerations(…)."}};
  for (const simt::Finding& finding : findings) failure.findings.push_back({finding});
  for (const simt::Participant& party : findings.front().participants)
    failure.places.emplace_back(party.file, party.line);
  return failure;
}

std::string taught(const simt::Finding& finding) {
  Failure failure = failure_of({finding});
  teach(failure);
  std::string text;
  for (const std::string& line : texts_of(told_lines(failure))) text += line + "\n";
  for (const std::string& section : failure.sections) text += section + "\n";
  return text;
}

bool says(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }

/// The task that a finding is reported as.
int task_of(const simt::Finding& finding) {
  Failure failure = failure_of({finding});
  teach(failure);
  if (!failure.todos.empty()) return failure.todos.front();
  const std::string text = read_text(NBODY_STARTER);
  for (const auto& [name, line] : failure.places)
    if (const int todo = todo_around(text, line); todo != 0) return todo;
  return 0;
}

constexpr const char* store = "if (i < n) acc[i]"; // behind TODO(2)
constexpr const char* kick = "// TODO(3): move";

} // namespace

TEST_CASE("only a read of bodies by accelerations is asked whether it is the fetch") {
  const Starter starter;
  const char* const fetch = "If this is the fetch of a tile";
  CHECK(says(taught(read_past("bodies", starter.line_with(store))), fetch));
  CHECK_FALSE(says(taught(read_past("bodies", starter.line_with(kick))), fetch));
  simt::Finding write = read_past("bodies", starter.line_with(store));
  write.participants.front().access = simt::Access::write;
  CHECK_FALSE(says(taught(write), fetch));
  const std::string behind_acc = taught(read_past("acc", starter.line_with(store)));
  CHECK_FALSE(says(behind_acc, fetch));
  CHECK(says(behind_acc, "Threads without a body"));
}

TEST_CASE(
    "a message about an access beside the tile has its places, and one about missing bytes the launch") {
  const Starter starter;
  simt::Finding beside = read_past("tile", starter.line_with(store));
  beside.space = simt::Space::shared;
  beside.facts = {simt::Outside{.array_bytes = 2048}};
  CHECK(says(taught(beside), "the places 0 to 127"));
  beside.facts = {simt::Outside{.array_bytes = 0}};
  CHECK(says(taught(beside), "<<<blocks, threads, bytes>>>"));
}

TEST_CASE("a lesson comes once, below the first finding that it is about") {
  const Starter starter;
  const simt::Finding finding = read_past("acc", starter.line_with(kick));
  Failure failure = failure_of({finding, finding});
  teach(failure);
  CHECK(failure.findings[0].lessons.size() == 1);
  CHECK(failure.findings[1].lessons.empty());
  CHECK(failure.sections == std::vector<std::string>{"Threads without a body"});
}

TEST_CASE("a finding outside of every task, and a loop without end, are about the loop over the tiles") {
  const Starter starter;
  CHECK(task_of(read_past("bodies", starter.line_with(store))) == 2);
  CHECK(task_of(read_past("bodies", starter.line_with("rsqrtf(x) is"))) == 1);
  CHECK(task_of(read_past("bodies", starter.line_with(kick) - 1)) == 0); // the item's
  simt::Finding endless = read_past("bodies", starter.line_with("rsqrtf(x) is"));
  endless.id = "step-budget";
  CHECK(task_of(endless) == 2);
}
