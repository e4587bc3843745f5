#include "grader/failure.hpp"

#include "grader/context.hpp"
#include "grader/contract_text.hpp"
#include "grader/reply.hpp"
#include "grader/text.hpp"

namespace warpbook {

Context& context() {
  static Context the_context;
  return the_context;
}

void fail(Failure failure) { throw ItemFailed(std::move(failure)); }

void fail(std::string diagnosis, std::string sentence, std::vector<std::string> details) {
  fail(Failure{{std::move(diagnosis)}, std::move(sentence), std::move(details)});
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
