#pragma once
/// What a rubric says: messages by key from the lab's messages.md, with values in their places. docs/adding-a-lab.md
/// describes the file; messages.py makes a header of it, which each rubric includes as "messages.hpp".

#include "text/say.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace warpbook {

/// A message with its values: what a failure says, and where the student reads on.
struct LabMessage {
  std::string id; ///< of the diagnosis
  Sentence sentence;
  std::string section = {};    ///< of the handout; none if empty
  std::vector<int> todos = {}; ///< where the cause is, if the message knows that better than the item
  std::string key = {};        ///< in the lab's file
  std::string facts = {};      ///< its key and the values in it: two messages that have the same say the same
};

/// A message as it stands in the file.
struct MessageText {
  std::string_view key;        ///< the id, and behind a / what tells messages of one id from each other
  std::string_view parameters; ///< "count:,name,is_last?": a number of something, anything, a condition
  std::string_view text, section;
  std::array<int, 4> todos = {}; ///< zeros are none
};

/// The value of a parameter.
using MessageValue = SaidValue;

/// Whether a value of this type fits a parameter.
template <typename T>
constexpr bool fits(std::string_view parameter) {
  if (std::same_as<T, bool> || parameter.ends_with('?'))
    return std::same_as<T, bool> && parameter.ends_with('?');
  return parameter.ends_with(':') ? std::integral<T> : std::integral<T> || std::convertible_to<T, Sentence>;
}

/// The key of one of a lab's messages, which has to take values of these types; a compile error if not.
template <const auto& messages, typename... Values>
struct MessageKey {
  consteval MessageKey(const char* key) {
    bool is_there = false; // a sanitizer's compiler compares no address with null at compile time
    for (const MessageText& candidate : messages) {
      if (candidate.key != key) continue;
      text = &candidate;
      is_there = true;
    }
    if (!is_there) throw std::invalid_argument("messages.md has no message of this key");
    std::string_view rest = text->parameters;
    [[maybe_unused]] const auto next_fits = [&]<typename T>(std::type_identity<T>) {
      const std::size_t end = rest.find(',');
      const std::string_view parameter = rest.substr(0, end);
      rest = end == rest.npos ? std::string_view() : rest.substr(end + 1);
      return !parameter.empty() && fits<T>(parameter);
    };
    if (!(next_fits(std::type_identity<Values>()) && ...) || !rest.empty())
      throw std::invalid_argument("the values do not fit the parameters of this message in messages.md");
  }
  const MessageText* text = nullptr;
};

/// The message with its values in place (text/say.hpp), in the reader's language. The context is "lab 01" for what lab 01
/// says; without one it is in English.
LabMessage filled(const MessageText& message, const std::vector<MessageValue>& values,
                  std::string_view context = {});

} // namespace warpbook
