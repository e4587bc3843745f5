#include "grader/mistakes.hpp"

#include "grader/failure.hpp"

namespace warpbook {

void fail_for(const std::string& id, const std::string& sentence, std::vector<std::string> details,
              const std::string& section, const std::vector<int>& todos) {
  if (!section.empty()) details.push_back(handout(section));
  fail_at(todos, id, sentence, std::move(details));
}

void fail_misplaced(const Reply& reply, std::size_t i, const std::string& actual, const std::string& right,
                    std::vector<std::string> details) {
  const bool unwritten = reply.unwritten(0, i);
  const std::string element = reply.buffer_name(0) + "[" + number(i) + "]";
  details.insert(details.begin(), reply.in_call());
  Failure failure{{"wrong-result"},
                  reply.function() +
                      (unwritten ? " never wrote " + element : " wrote " + element + " = " + actual) +
                      "; right is " + right + ".",
                  std::move(details)};
  if (unwritten) failure.diagnoses.push_back("output-unwritten");
  fail(std::move(failure));
}

} // namespace warpbook
