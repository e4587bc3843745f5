#pragma once
/// Where numbers come from. Plain C++17.

#include <ctime>
#include <string>
#include <utility>
#include <vector>

namespace warpbook {

/// Keys and values in their order: device, driver, toolkit, date, command, ...
using Provenance = std::vector<std::pair<std::string, std::string>>;

/// "2026-01-31 17:05 UTC".
inline std::string utc_text(std::time_t time) {
  std::tm parts = {};
  gmtime_r(&time, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts);
  return text;
}
inline std::string now_utc() { return utc_text(std::time(nullptr)); }

/// The command as it was typed; of the program's path only the name, since folders tell of one machine only.
inline std::string command_text(int argc, const char* const* argv) {
  std::string text;
  for (int i = 0; i < argc; ++i) {
    std::string word = argv[i];
    if (i == 0) word.erase(0, word.rfind('/') + 1); // npos + 1 is 0
    text += (i == 0 ? "" : " ") + word;
  }
  return text;
}

} // namespace warpbook
