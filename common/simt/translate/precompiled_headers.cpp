#include "simt/translate/precompiled_headers.hpp"

#include <cstdio>
#include <functional>

namespace simt::compiler {

SplitText split_behind_headers(std::string_view translated, std::size_t count) {
  constexpr std::string_view back_in_command_line =
      " \"<command-line>\" 2\n";                           // behind "# 0", of older g++ "# 1"
  const std::size_t name = translated.find('\n') + 1;      // 0 if there is none
  std::size_t end = translated.find(back_in_command_line); // of g++'s own first header
  for (; count > 0 && end != translated.npos; --count) end = translated.find(back_in_command_line, end + 1);
  if (name == 0 || !translated.starts_with("# ") || end == translated.npos || end < name)
    return {{}, {}, translated};
  end += back_in_command_line.size();
  return {translated.substr(0, name), translated.substr(name, end - name), translated.substr(end)};
}

std::string with_precompiled(const SplitText& text, const std::string& precompiled) {
  std::string joined(text.name);
  joined += "#pragma GCC pch_preprocess \"" + precompiled + "\"\n# 0 \"<command-line>\"\n";
  return joined += text.rest;
}

std::string hashed(std::string_view text) {
  char digits[2 * sizeof(std::size_t) + 1];
  std::snprintf(digits, sizeof digits, "%016zx", std::hash<std::string_view>()(text));
  return digits;
}

std::string precompiled_name(const std::string& folder, std::string_view headers, std::string_view command) {
  return folder + "/headers-" + hashed(headers) + hashed(command) + ".gch";
}

} // namespace simt::compiler
