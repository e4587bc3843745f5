#include "confine/confine.hpp"

#include <fcntl.h>
#include <link.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <span>

#include "confine/filter.hpp"
#include "confine/landlock.hpp"
#include "confine/limits.hpp"

namespace warpbook {
namespace {

bool is_switched_off() { return is_sanitized_build || std::getenv("WARPBOOK_UNCONFINED") != nullptr; }

// Where memory runs out all the same, the kernel is to end the submission, not a user's editor.
void be_the_first_to_go() {
  const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  static_cast<void>(!::write(file, "1000", 4));
  ::close(file);
}

/// Bytes of private writable memory of this process, reserved address space included; 0 if that cannot be read.
std::size_t data_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t pages = 0;
  for (int field = 0; field < 6; ++field) statm >> pages;
  return statm ? pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

bool apply_limits(const Confinement& confinement) {
  bool all = lower_limit(RLIMIT_CORE, 0) && lower_limit(RLIMIT_MSGQUEUE, 0) && lower_limit(RLIMIT_RTPRIO, 0);
  rlimit stack = {};
  // Compilers raise theirs.
  if (!confinement.processes && ::getrlimit(RLIMIT_STACK, &stack) == 0)
    all = lower_limit(RLIMIT_STACK, stack.rlim_cur) && all;
  if (confinement.file_bytes) {
    ::signal(SIGXFSZ, SIG_DFL);
    all = lower_limit(RLIMIT_FSIZE, *confinement.file_bytes) && all;
  }
  if (confinement.open_files) all = lower_limit(RLIMIT_NOFILE, *confinement.open_files) && all;
  if (const auto seconds = confinement.processor_seconds)
    all = lower_limit(RLIMIT_CPU, *seconds, *seconds + 1) && all;
  if (confinement.data_bytes) {
    const std::size_t held = data_bytes();
    all = held > 0 && lower_limit(RLIMIT_DATA, held + *confinement.data_bytes) && all;
  }
  return all;
}

// What makes root more than an owner of files. Threads that run already keep it.
void drop_capabilities() {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2] = {};
  if (::syscall(__NR_capget, &header, data) != 0) return;
  constexpr std::uint32_t kept = 1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH;
  for (auto& half : data) {
    const std::uint32_t mask = &half == data ? kept : 0;
    half.effective &= mask;
    half.permitted &= mask;
    half.inheritable = 0;
  }
  ::syscall(__NR_capset, &header, data);
}

} // namespace

Confined confine(const Confinement& confinement) {
  if (is_switched_off()) return {};
  Confined confined;
  be_the_first_to_go();
  confined.limits = apply_limits(confinement);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return confined;
  drop_capabilities();
  if (!confinement.traceable) ::prctl(PR_SET_DUMPABLE, 0);
  confined.landlock = apply_landlock(confinement);
  confined.filter = apply_filter(confinement, confined.landlock);
  return confined;
}

Confined confinement_offered() {
  if (is_switched_off()) return {};
  const bool filter = ::prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
  return {landlock_version(), filter, true};
}

namespace {

/// So that nothing is mapped between the libraries later, where it could not be given back.
void fill_holes(std::uintptr_t from) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> maps(std::fopen("/proc/self/maps", "re"),
                                                             std::fclose);
  std::uintptr_t begin = 0, next = 0, end = 0;
  char name[16];
  char line[512];
  while (maps && std::fgets(line, sizeof line, maps.get()) != nullptr) {
    const int fields =
        std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %*s %*s %*s %15s", &begin, &next, name);
    if (fields < 2 || (fields == 3 && std::strcmp(name, "[stack]") == 0)) break;
    if (end >= from && end < begin)
      ::mmap(reinterpret_cast<void*>(end), begin - end, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    end = next;
  }
}

} // namespace

std::optional<LoadedCode> loaded_code() {
  if (is_switched_off()) return std::nullopt;
  LoadedCode code;
  code.libraries_begin = std::numeric_limits<std::uintptr_t>::max();
  struct Range {
    std::uintptr_t begin, end;
  };
  ::dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* data) {
        auto& found = *static_cast<LoadedCode*>(data);
        Range range = {std::numeric_limits<std::uintptr_t>::max(), 0};
        for (const auto& segment : std::span(object->dlpi_phdr, object->dlpi_phnum)) {
          if (segment.p_type != PT_LOAD) continue;
          range.begin = std::min<std::uintptr_t>(range.begin, object->dlpi_addr + segment.p_vaddr);
          range.end =
              std::max<std::uintptr_t>(range.end, object->dlpi_addr + segment.p_vaddr + segment.p_memsz);
        }
        if (found.program_end == 0) // the program comes first
          found = {range.begin, range.end, found.libraries_begin, 0};
        else
          found.libraries_begin = std::min(found.libraries_begin, range.begin);
        return 0;
      },
      &code);
  if (code.program_end > code.libraries_begin) return std::nullopt; // started by the loader's name
  code.gap = std::size_t{64} << 30;
  void* gap = ::mmap(nullptr, code.gap, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (gap == MAP_FAILED) return std::nullopt;
  const auto begin = reinterpret_cast<std::uintptr_t>(gap);
  if (begin + code.gap > code.libraries_begin || begin < code.program_end) {
    ::munmap(gap, code.gap);
    return std::nullopt;
  }
  code.libraries_begin = begin;
  fill_holes(begin);
  return code;
}

namespace {

std::vector<std::string> with_loaded_libraries(std::vector<std::string> folders) {
  ::dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* list) {
        const std::filesystem::path path = object->dlpi_name;
        if (path.is_absolute()) static_cast<std::vector<std::string>*>(list)->push_back(path.parent_path());
        return 0;
      },
      &folders);
  std::ranges::sort(folders);
  folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
  return folders;
}

} // namespace

std::vector<std::string> system_folders() {
  return with_loaded_libraries(
      {"/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/etc/ld.so.cache", "/nix/store", "/gnu/store"});
}

std::vector<std::string> library_folders() {
  return with_loaded_libraries(
      {"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64", "/etc/ld.so.cache"});
}

std::string to_text(const Confined& confined) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (confined.landlock > 0) add("Landlock " + std::to_string(confined.landlock));
  if (confined.filter) add("system-call filter");
  if (confined.limits) add("hard limits");
  return text.empty() ? "nothing" : text;
}

} // namespace warpbook
