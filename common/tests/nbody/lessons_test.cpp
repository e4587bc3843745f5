// What lab 03 adds to the simulator's findings: words of the lesson, and the task where the lines tell none.
#include <doctest/doctest.h>

#include "rubric.hpp"

using namespace nbody;

namespace {

/// A failure as the grader makes it of one finding.
Failure failure_of(const std::string& id, const std::string& kernel, const std::string& message) {
  return {{id},
          "accelerations: " + message,
          {"error: " + id + " in kernel " + kernel + " (127 times; this is the first)",
           "  - thread (1,0,0) does it",
           "In the call accelerations(acc[257], bodies[257], n = 257), schedule forward."},
          {}};
}

std::string taught(const std::string& id, const std::string& kernel, const std::string& message) {
  Failure failure = failure_of(id, kernel, message);
  add_lessons(failure);
  std::string text;
  for (const std::string& line : failure.details) text += line + "\n";
  return text;
}

bool says(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }

std::string outside(const std::string& what) { return "A thread " + what + "."; }
const std::string behind_bodies = outside("reads 16 bytes of global memory that belongs to no variable or "
                                          "buffer: it lies just past the end of bodies");

/// Of a failure that names this line of the starter: the task that it is told as.
int task(const std::string& id, const char* line_with) {
  const std::string file = NBODY_STARTER;
  context().source_path = file;
  const std::string text = read_text(file);
  Failure failure = failure_of(id, "accelerations_kernel", behind_bodies);
  const auto line =
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find(line_with)), '\n');
  failure.places = {{file, static_cast<unsigned>(line)}};
  teach(failure);
  int found = 0;
  for (const auto& [name, at] : failure.places) {
    if (found == 0) found = todo_around(text, at);
  }
  return found;
}

} // namespace

TEST_CASE("only a read of bodies by accelerations is asked whether it is the fetch") {
  const char* const fetch = "Is it the fetch of a tile?";
  CHECK(says(taught("out-of-bounds", "accelerations_kernel", behind_bodies), fetch));
  CHECK_FALSE(says(taught("out-of-bounds", "kick_and_drift_kernel", behind_bodies), fetch));
  const std::string behind_acc =
      taught("out-of-bounds", "accelerations_kernel",
             outside("writes 16 bytes of global memory: it lies just past the end of acc"));
  CHECK_FALSE(says(behind_acc, fetch));
  CHECK(says(behind_acc, "Threads without a body"));
}

TEST_CASE("an access beside the tile is told its places, and one without bytes the launch") {
  const std::string beside = "reads 16 bytes of shared memory: it lies just past the end of tile, which has ";
  CHECK(says(taught("out-of-bounds", "accelerations_kernel", outside(beside + "2048 bytes")),
             "the places 0 to 127"));
  CHECK(says(taught("out-of-bounds", "accelerations_kernel", outside(beside + "0 bytes")),
             "<<<blocks, threads, bytes>>>"));
}

TEST_CASE("a lesson comes once, below the first finding that it is about") {
  Failure failure = failure_of("out-of-bounds", "kick_kernel", behind_bodies);
  const std::vector<std::string> once = failure.details;
  failure.details.insert(failure.details.begin() + 2, {once[0], "  " + behind_bodies, once[1]});
  add_lessons(failure);
  CHECK(std::ranges::count(failure.details, handout("Threads without a body")) == 1);
  CHECK(failure.details[3] == handout("Threads without a body"));
}

TEST_CASE("a finding outside of every task, and a loop without end, are about the loop over the tiles") {
  CHECK(task("out-of-bounds", "if (i < n) acc[i]") == 2);
  CHECK(task("out-of-bounds", "rsqrtf(x) is") == 1);
  CHECK(task("step-budget", "rsqrtf(x) is") == 2);
}
