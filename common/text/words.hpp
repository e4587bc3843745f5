#pragma once
/// Words of code.

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook {

inline bool is_part_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Where `word` stands at or behind `from` as a word of its own; npos if it does not.
inline std::size_t find_word(std::string_view text, std::string_view word, std::size_t from = 0) {
  for (std::size_t at = text.find(word, from); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part_of_word(text[at - 1])) && (end == text.size() || !is_part_of_word(text[end])))
      return at;
  }
  return text.npos;
}

/// Names and keywords in their order, without numbers.
inline std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_part_of_word(text[end])) ++end;
    if (end > i && std::isdigit(static_cast<unsigned char>(text[i])) == 0)
      words.emplace_back(text.substr(i, end - i));
    i = std::max(end, i + 1);
  }
  return words;
}

} // namespace warpbook
