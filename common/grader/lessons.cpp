#include "grader/lessons.hpp"

namespace warpbook {

Details details_of(const Reply& reply, Details lines) {
  lines.push_back(reply.in_call());
  return lines;
}

std::optional<Reply> reply_if_any(const std::function<Reply()>& call) {
  std::optional<Reply> reply;
  failure_in([&] { reply = call(); });
  return reply;
}

void expect_none(const std::vector<Fault>& faults, const std::function<Details()>& details) {
  for (const Fault& fault : faults)
    if (fault.is_there) fail(fault.message, details());
}

} // namespace warpbook
