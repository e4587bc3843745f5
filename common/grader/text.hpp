#pragma once
/// Values and places as a student reads them.

#include <charconv>
#include <cstddef>
#include <cstring>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace warpbook {

/// A value in decimal; anything that is no number as its bytes in hexadecimal.
template <typename T>
std::string to_text(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_enum_v<T>) {
    return to_text(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_integral_v<T>) {
    if constexpr (sizeof(T) == 1)
      return std::to_string(static_cast<int>(value));
    else
      return std::to_string(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    if (value != value) return "NaN"; // "-nan" says nothing more
    char digits[64];                  // as few as give the same value back
    return {digits, std::to_chars(digits, digits + sizeof(digits), value).ptr};
  } else {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    std::ostringstream text;
    text << "bytes" << std::hex;
    for (const unsigned char byte : bytes) text << (byte < 16 ? " 0" : " ") << static_cast<int>(byte);
    return text.str();
  }
}

/// The same for a value that is only known as bytes.
template <typename T>
std::string bytes_to_text(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return to_text(value);
}

/// A text's lines, without their ends.
std::vector<std::string> lines_of(const std::string& text);

/// "1 byte", "4 bytes".
std::string counted(std::size_t count, const std::string& noun);

inline std::string number(std::size_t value) { return std::to_string(value); }

/// Two decimals: "3.50".
std::string rounded(double value);

/// At most so many significant digits: "0.0123", "1.5e-07".
std::string significant(double value, int digits = 3);

/// `path` as seen from the workbook's root if it lies below it, else as it is.
std::string shown_path(const std::string& path);

/// Whether two paths lead to one file.
bool is_same_file(const std::string& one, const std::string& other);

/// "SIGSEGV (it touched memory that is not its own)".
std::string signal_text(int signal);

} // namespace warpbook
