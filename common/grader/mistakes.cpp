#include "grader/mistakes.hpp"

namespace warpbook {

void fail_misplaced(const Reply& reply, const std::string& actual, const std::string& right,
                    std::vector<std::string> details, const std::vector<WrongElement>& wrong,
                    const Sources& sources) {
  const std::size_t i = wrong.front().index;
  const bool unwritten = reply.unwritten(0, i);
  const std::string element = reply.buffer_name(0) + "[" + number(i) + "]";
  details.insert(details.begin(), reply.in_call());
  Failure failure{{"wrong-result"},
                  reply.function() +
                      (unwritten ? " never wrote " + element : " wrote " + element + " = " + actual) +
                      "; right is " + right + ".",
                  std::move(details)};
  if (unwritten) failure.diagnoses.push_back("output-unwritten");
  explain_wrong(failure, reply, 0, wrong, sources);
  fail(std::move(failure));
}

} // namespace warpbook
