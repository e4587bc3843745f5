#include "grader/mistakes.hpp"

namespace warpbook {

void fail_misplaced(const Reply& reply, const std::string& actual, const std::string& right, Details details,
                    const std::vector<WrongElement>& wrong, const Sources& sources) {
  Failure failure = wrong_element(reply, 0, wrong.front().index, Did::wrote, actual, right);
  details.insert(details.begin(), reply.in_call());
  failure.details = std::move(details);
  explain_wrong(failure, reply, 0, wrong, sources);
  fail(std::move(failure));
}

} // namespace warpbook
