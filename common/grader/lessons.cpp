#include "grader/lessons.hpp"

#include "grader/text.hpp"

namespace warpbook {

std::vector<std::string> details_of(const Reply& reply, const std::string& section,
                                    std::vector<std::string> lines) {
  lines.push_back(reply.in_call());
  if (!section.empty()) lines.push_back(handout(section));
  return lines;
}

std::optional<Reply> reply_if_any(const std::function<Reply()>& call) {
  try {
    return call();
  } catch (const ItemFailed&) {
    return {};
  }
}

void expect_none(const std::vector<Fault>& faults,
                 const std::function<std::vector<std::string>()>& details) {
  expect_none("", faults, details);
}

void expect_none(const std::string& right_but, const std::vector<Fault>& faults,
                 const std::function<std::vector<std::string>()>& details) {
  for (const Fault& fault : faults)
    if (fault.is_there && fault.id.empty()) fail(fault.message, details());
    else if (fault.is_there) fail(fault.id, right_but + fault.sentence, details());
}

} // namespace warpbook
