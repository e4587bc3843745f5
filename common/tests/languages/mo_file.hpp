#pragma once
/// The bytes of a .mo file, for tests.

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace warpbook {

inline std::string mo_file(const std::vector<std::pair<std::string, std::string>>& messages) {
  const auto count = static_cast<std::uint32_t>(messages.size());
  std::vector<std::uint32_t> words = {0x950412de, 0, count, 28, 28 + 8 * count, 0, 28 + 16 * count};
  std::string texts;
  for (const bool is_translation : {false, true})
    for (const auto& [english, translation] : messages) {
      const std::string& text = is_translation ? translation : english;
      words.push_back(static_cast<std::uint32_t>(text.size()));
      words.push_back(28 + 16 * count + static_cast<std::uint32_t>(texts.size()));
      texts += text + '\0';
    }
  std::string bytes(words.size() * 4, '\0');
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes + texts;
}

} // namespace warpbook
