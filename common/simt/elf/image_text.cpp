#include "simt/elf/image_text.hpp"

#include <array>
#include <cstdint>

namespace simt {

namespace {

constexpr std::string_view first_line = "// A module for the Warpbook simulator, in place of PTX\n";
constexpr std::string_view last_line = "// end\n";
constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t bytes_per_line = 57; // 76 digits

/// Four digits for three bytes, the first six bits first; a missing byte is 0 and gives '='.
void append_digits(std::string& text, std::string_view bytes) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 3; ++i)
    bits = bits << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0);
  for (std::size_t i = 0; i < 4; ++i) text += i <= bytes.size() ? digits[bits >> (18 - 6 * i) & 63] : '=';
}

} // namespace

std::string text_of_image(std::string_view image) {
  std::string text(first_line);
  for (std::size_t begin = 0; begin < image.size(); begin += 3) {
    append_digits(text, image.substr(begin, 3));
    if ((begin + 3) % bytes_per_line == 0) text += '\n';
  }
  return text + '\n' + std::string(last_line);
}

std::optional<std::string> image_of_text(std::string_view text) {
  if (!text.starts_with(first_line)) return std::nullopt;
  text.remove_prefix(first_line.size());
  const std::size_t end = text.find(last_line);
  if (end == text.npos) return std::nullopt;
  std::array<int, 256> values;
  values.fill(-1);
  for (std::size_t i = 0; i < digits.size(); ++i)
    values[static_cast<unsigned char>(digits[i])] = static_cast<int>(i);
  std::string image;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text.substr(0, end)) {
    const int value = values[static_cast<unsigned char>(c)];
    if (value < 0) continue; // ends of lines and of the last digits
    bits = bits << 6 | static_cast<unsigned>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    image += static_cast<char>(bits >> count & 255);
  }
  return image;
}

} // namespace simt
