#include "process/proc.hpp"

#include <cstdlib>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace warpbook {

ProcessStat read_stat(const std::filesystem::path& process) {
  std::ifstream file(process / "stat");
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(')'); // the name in front may hold anything
  if (name_end == text.npos || name_end + 2 >= text.size()) return {};
  ProcessStat found;
  found.state = text[name_end + 2];
  const char* next = text.c_str() + name_end + 3;
  constexpr int fields_before_times = 10, session_field = 2, times = 4;
  char* end = nullptr;
  for (int field = 0; field < fields_before_times; ++field, next = end) {
    const long long value = std::strtoll(next, &end, 10);
    if (field == session_field) found.session = static_cast<pid_t>(value);
  }
  for (int field = 0; field < times; ++field, next = end)
    found.seconds += static_cast<double>(std::strtoll(next, &end, 10));
  found.seconds /= static_cast<double>(::sysconf(_SC_CLK_TCK));
  return found;
}

std::size_t data_bytes_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
  std::size_t pages = 0;
  for (int field = 0; field < 6; ++field) file >> pages; // size, resident, shared, text, 0, data
  return file ? pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

std::vector<pid_t> children_of(const std::string& pid) {
  std::vector<pid_t> found;
  std::error_code gone;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/" + pid + "/task", gone)) {
    std::ifstream children(thread.path() / "children");
    for (pid_t child; children >> child;) found.push_back(child);
  }
  return found;
}

} // namespace warpbook
