#include "grader/message.hpp"

namespace warpbook {

LabMessage filled(const MessageText& message, const std::vector<MessageValue>& values,
                  std::string_view context) {
  LabMessage result{std::string(message.key.substr(0, message.key.find('/'))),
                    said(spoken(), context, message.text, message.parameters, values),
                    std::string(message.section)};
  for (const int todo : message.todos)
    if (todo != 0) result.todos.push_back(todo);
  return result;
}

} // namespace warpbook
