#include "simt/program/computer_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace simt::program {

namespace {

constexpr std::uint64_t gib = std::uint64_t{1} << 30;
static_assert(is_used_up({10 * gib, gib, 16 * gib}));
static_assert(!is_used_up({10 * gib, 5 * gib, 16 * gib}));
static_assert(!is_used_up({2 * gib, gib, 16 * gib}), "others have used it");
static_assert(is_used_up({2 * gib, gib / 2, 4 * gib}));

/// The beginning of a file, as text; empty if it cannot be read.
struct FileStart {
  char text[4096] = {};
  explicit FileStart(const char* path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
    close(file);
  }
  /// The number behind `name`; 0 if there is none.
  std::uint64_t number_behind(const char* name) const {
    const char* const found = std::strstr(text, name);
    return found ? std::strtoull(found + std::strlen(name), nullptr, 10) : 0;
  }
};

} // namespace

std::optional<MemoryUse> memory_use() {
  const FileStart meminfo("/proc/meminfo"), statm("/proc/self/statm"), most("/sys/fs/cgroup/memory.max");
  MemoryUse use;
  use.total = meminfo.number_behind("MemTotal:") * 1024;
  use.left = meminfo.number_behind("MemAvailable:") * 1024;
  use.held = statm.number_behind(" ") * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  if (use.total == 0 || use.held == 0) return std::nullopt;
  // "max" is no number: the container has no limit.
  if (const std::uint64_t limit = most.number_behind(""); limit != 0 && limit < use.total) {
    use.total = limit;
    use.left = std::min(use.left, limit - std::min(limit, use.held));
  }
  return use;
}

} // namespace simt::program
