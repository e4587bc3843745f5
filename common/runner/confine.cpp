#include "runner/confine.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>

namespace warpbook {
namespace {

// The address sanitizer's shadow memory and helpers would be in the way.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

// Where memory runs out all the same, the kernel is to end the submission, not somebody's editor.
void be_the_first_to_go() {
  const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  static_cast<void>(!::write(file, "1000", 4));
  ::close(file);
}

/// Bytes of private writable memory of this process, reserved address space included.
std::size_t data_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t pages = 0;
  for (int field = 0; field < 6; ++field) statm >> pages;
  return statm ? pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

void limit(__rlimit_resource resource, std::size_t most) {
  rlimit now = {};
  if (::getrlimit(resource, &now) != 0) return;
  now.rlim_cur = std::min<rlim_t>(now.rlim_max, most);
  ::setrlimit(resource, &now);
}

/// A system-call filter under which threads can be started, and nothing else that runs.
void refuse_processes() {
  constexpr std::uint32_t other_abi = 0x40000000; // the x32 numbers
  const auto offset_of_number = static_cast<std::uint32_t>(offsetof(seccomp_data, nr));
  const auto offset_of_abi = static_cast<std::uint32_t>(offsetof(seccomp_data, arch));
  const auto offset_of_flags = static_cast<std::uint32_t>(offsetof(seccomp_data, args[0]));
  // Jumps count the instructions that they leave out; the last three are: kill, no such call, allow. After
  // "no such call" for clone3, glibc falls back to clone, whose flags can be seen here.
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset_of_abi),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, 10),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset_of_number),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, other_abi, 8, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_fork, 7, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_vfork, 6, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_execve, 5, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_execveat, 4, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 4, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset_of_flags),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 2, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter = {sizeof(program) / sizeof(program[0]), program};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

} // namespace

void confine(const Allowance& allowance) {
  if (sanitized || std::getenv("WARPBOOK_UNCONFINED") != nullptr) return;
  be_the_first_to_go();
  ::signal(SIGXFSZ, SIG_DFL);
  limit(RLIMIT_FSIZE, allowance.file_bytes);
  if (const std::size_t held = data_bytes(); held > 0) limit(RLIMIT_DATA, held + allowance.host_bytes);
  if (!allowance.processes) refuse_processes();
}

} // namespace warpbook
