#pragma once
/// JSON from a process that a submission shares.

#include <cstddef>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

namespace warpbook {

/// `text` as JSON, unless it is longer than `most_bytes`, or unfolds to many times its length in memory: deep brackets, or
/// very many of them. Throws std::runtime_error, of JSON that cannot be read too.
inline nlohmann::json foreign_json(const std::string& text, std::size_t most_bytes) {
  constexpr std::size_t deepest = 64;
  constexpr std::size_t most_brackets = 8'000'000;
  if (text.size() > most_bytes) throw std::runtime_error("a message is too long");
  std::size_t depth = 0, brackets = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (in_string && letter == '\\')
      ++i;
    else if (letter == '"')
      in_string = !in_string;
    else if (!in_string && (letter == '[' || letter == '{')) {
      if (++depth > deepest || ++brackets > most_brackets)
        throw std::runtime_error("a message is made to fill the memory");
    } else if (!in_string && (letter == ']' || letter == '}') && depth > 0)
      --depth;
  }
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(std::string("unreadable message: ") + error.what());
  }
}

} // namespace warpbook
