#include "grader/message.hpp"

namespace warpbook {

LabMessage filled(const MessageText& message, const std::vector<MessageValue>& values,
                  std::string_view context) {
  LabMessage result{
      std::string(message.key.substr(0, message.key.find('/'))), {}, std::string(message.section)};
  result.facts = result.key = message.key;
  result.sentence = said(spoken(), context, message.text, message.parameters, values, &result.facts);
  for (const int todo : message.todos)
    if (todo != 0) result.todos.push_back(todo);
  return result;
}

} // namespace warpbook
