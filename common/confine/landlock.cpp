#include "confine/landlock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace warpbook {
namespace {

// The kernel's interface. Its header may be older than the kernel, so that the names stand here.
namespace landlock {
struct Rules {
  std::uint64_t file_access;
  std::uint64_t network_access;
  std::uint64_t scoped;
};
struct __attribute__((packed)) Beneath {
  std::uint64_t allowed;
  std::int32_t path;
};
constexpr int path_beneath = 1;
constexpr unsigned ask_for_version = 1;

constexpr std::uint64_t execute = 1 << 0;
constexpr std::uint64_t write_file = 1 << 1;
constexpr std::uint64_t read_file = 1 << 2;
constexpr std::uint64_t read_folder = 1 << 3;
constexpr std::uint64_t change_folder = 0x1FF0;   // bits 4 to 12: removing, and making of every kind
constexpr std::uint64_t move = 1 << 13;           // from version 2 on
constexpr std::uint64_t truncate = 1 << 14;       // from version 3 on
constexpr std::uint64_t tcp = 3;                  // bind and connect, from version 4 on
constexpr std::uint64_t control_device = 1 << 15; // from version 5 on
constexpr std::uint64_t sockets_and_signals = 3;  // abstract sockets, and signals, from version 6 on

constexpr std::uint64_t of_a_file = execute | write_file | read_file | truncate | control_device;
} // namespace landlock

std::uint64_t writing(int version) {
  std::uint64_t access = landlock::write_file | landlock::change_folder;
  if (version >= 2) access |= landlock::move;
  if (version >= 3) access |= landlock::truncate;
  if (version >= 5) access |= landlock::control_device;
  return access;
}

void allow(int ruleset, const std::vector<std::string>& paths, std::uint64_t access) {
  for (const std::string& path : paths) {
    const int file = ::open(path.c_str(), O_PATH | O_CLOEXEC);
    struct stat status = {};
    if (file < 0) continue;
    if (::fstat(file, &status) == 0) {
      const landlock::Beneath rule = {S_ISDIR(status.st_mode) ? access : access & landlock::of_a_file, file};
      ::syscall(__NR_landlock_add_rule, ruleset, landlock::path_beneath, &rule, 0u);
    }
    ::close(file);
  }
}

} // namespace

int landlock_version() {
  const long version = ::syscall(__NR_landlock_create_ruleset, nullptr, 0, landlock::ask_for_version);
  return version > 0 ? static_cast<int>(version) : 0;
}

int apply_landlock(const Confinement& confinement) {
  const int version = landlock_version();
  if (version == 0) return 0;
  constexpr std::uint64_t reading = landlock::read_file | landlock::read_folder;
  landlock::Rules rules = {};
  if (!confinement.reads_anywhere) rules.file_access |= reading | landlock::execute;
  if (!confinement.writes_anywhere) rules.file_access |= writing(version);
  if (version >= 4 && !confinement.network) rules.network_access = landlock::tcp;
  if (version >= 6 && !confinement.network) rules.scoped = landlock::sockets_and_signals;
  // An older kernel takes a longer structure as long as the rest is zero.
  const int ruleset = static_cast<int>(::syscall(__NR_landlock_create_ruleset, &rules, sizeof rules, 0u));
  if (ruleset < 0) return 0;
  allow(ruleset, confinement.readable, rules.file_access & reading);
  allow(ruleset, confinement.runnable, rules.file_access & (reading | landlock::execute));
  allow(ruleset, confinement.writable, rules.file_access & (reading | writing(version)));
  const bool applied = ::syscall(__NR_landlock_restrict_self, ruleset, 0u) == 0;
  ::close(ruleset);
  return applied ? version : 0;
}

} // namespace warpbook
