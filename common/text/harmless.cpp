#include "text/harmless.hpp"

#include <cstdint>
#include <cstdio>

namespace warpbook {
namespace {

struct Letter {
  std::uint32_t point = 0;
  std::size_t bytes = 0; ///< 0: the first byte is no UTF-8
};

Letter first_letter(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t bytes = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < bytes) return {};
  std::uint32_t point = byte(0) & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    point = point << 6 | (byte(i) & 0x3F);
  }
  constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = point >= 0xD800 && point < 0xE000;
  if (point < smallest[bytes] || point > 0x10FFFF || is_surrogate) return {};
  return {point, bytes};
}

bool steers_terminal(std::uint32_t point) {
  return (point < 0x20 && point != '\t' && point != '\n') || (point >= 0x7F && point < 0xA0);
}

/// Marks of direction, and ends of lines that are none everywhere.
bool turns_order(std::uint32_t point) {
  return point == 0x061C || (point >= 0x200E && point <= 0x200F) || (point >= 0x2028 && point <= 0x202E) ||
         (point >= 0x2066 && point <= 0x2069);
}

} // namespace

std::string harmless(std::string_view text) {
  std::string result;
  char written[16];
  for (std::size_t i = 0; i < text.size();) {
    const Letter letter = first_letter(text.substr(i));
    const std::size_t bytes = letter.bytes == 0 ? 1 : letter.bytes;
    if (letter.bytes == 0 || steers_terminal(letter.point)) {
      const unsigned value = letter.bytes == 0 ? static_cast<unsigned char>(text[i]) : letter.point;
      std::snprintf(written, sizeof written, "\\x%02x", value);
      if (text.substr(i, 2) != "\r\n") result += written;
    } else if (turns_order(letter.point)) {
      std::snprintf(written, sizeof written, "<U+%04X>", static_cast<unsigned>(letter.point));
      result += written;
    } else {
      result += text.substr(i, bytes);
    }
    i += bytes;
  }
  return result;
}

} // namespace warpbook
