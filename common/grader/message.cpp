#include "grader/message.hpp"

#include <algorithm>

namespace warpbook {

namespace {

/// The values of one message by the names of its parameters.
class Values {
public:
  Values(std::string_view parameters, const std::vector<MessageValue>& values)
      : parameters_(parameters), values_(values) {}

  std::string fill(std::string_view text) const {
    std::string filled;
    for (std::size_t open = text.find('{'); open != text.npos; open = text.find('{')) {
      const std::size_t close = end_of(text, open + 1, '}');
      filled += text.substr(0, open);
      filled += told(text.substr(open + 1, close - open - 1));
      text.remove_prefix(close + 1);
    }
    return filled += text;
  }

private:
  /// Where `end` stands first outside of inner places; the end of the text if it does not.
  static std::size_t end_of(std::string_view text, std::size_t from, char end) {
    int depth = 0;
    for (std::size_t i = from; i < text.size(); ++i) {
      if (depth == 0 && text[i] == end) return i;
      depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
    }
    return text.size();
  }

  std::string told(std::string_view place) const {
    const std::size_t mark = std::min(place.find_first_of(":?"), place.size());
    const MessageValue& value = of(place.substr(0, mark));
    if (mark == place.size()) return value.text;
    const std::string_view rest = place.substr(mark + 1);
    if (place[mark] == ':') return value.text + ' ' + std::string(rest) + (value.is_one ? "" : "s");
    const std::size_t bar = end_of(rest, 0, '|');
    return value.holds ? fill(rest.substr(0, bar)) : bar < rest.size() ? fill(rest.substr(bar + 1)) : "";
  }

  const MessageValue& of(std::string_view name) const {
    std::string_view rest = parameters_;
    for (const MessageValue& value : values_) {
      const std::size_t end = std::min(rest.find(','), rest.size());
      if (rest.substr(0, std::min(rest.find_first_of(":?"), end)) == name) return value;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    throw std::logic_error("a message has no value " + std::string(name));
  }

  std::string_view parameters_;
  const std::vector<MessageValue>& values_;
};

} // namespace

LabMessage filled(const MessageText& message, const std::vector<MessageValue>& values) {
  LabMessage result{std::string(message.key.substr(0, message.key.find('/'))),
                 Values(message.parameters, values).fill(message.text), std::string(message.section)};
  for (const int todo : message.todos)
    if (todo != 0) result.todos.push_back(todo);
  return result;
}

} // namespace warpbook
