#include "grader/failure.hpp"

#include "grader/context.hpp"
#include "grader/contract_text.hpp"
#include "grader/reply.hpp"
#include "grader/text.hpp"

#include <algorithm>

namespace warpbook {

Context& context() {
  static Context the_context;
  return the_context;
}

bool ItemFailed::is_missing_function() const {
  return has_diagnosis(failure, "missing-function");
}

void fail(Failure failure) { throw ItemFailed(std::move(failure)); }

void fail(std::string diagnosis, std::string sentence, std::vector<std::string> details) {
  fail(Failure{{std::move(diagnosis)}, std::move(sentence), std::move(details)});
}

bool has_diagnosis(const Failure& failure, const std::string& id) {
  return std::ranges::find(failure.diagnoses, id) != failure.diagnoses.end();
}

void point_to(Failure& failure, int todo) {
  if (todo_line(read_text(context().source_path), todo) == 0) return;
  failure.places.clear();
  failure.todos = {todo};
}

void drop_advice(Failure& failure) {
  std::erase_if(failure.details, [](const std::string& line) { return line.starts_with("  try: "); });
}

void unsolved(const Reply& reply) {
  const Context& run = context();
  const std::string left = reply.function() + " left its output exactly as it was";
  if (run.todo == 0) fail("output-unwritten", left + ".");
  const std::string marker = "TODO(" + std::to_string(run.todo) + ")";
  const unsigned line = todo_line(read_text(run.source_path), run.todo);
  const std::string place =
      line == 0 ? "" : " at " + shown_path(run.source_path) + ":" + std::to_string(line);
  fail(Failure{
      {"unsolved", "output-unwritten"}, left + ": " + marker + place + " is still to be written.", {}});
}

void require_solved(const Reply& reply) {
  if (reply.untouched()) unsolved(reply);
}

} // namespace warpbook
