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
#include <initializer_list>
#include <string>
#include <vector>

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

/// A system-call filter, put together call by call. Calls that it does not name are allowed.
class Filter {
public:
  Filter() {
    constexpr std::uint32_t other_abi = 0x40000000; // the x32 numbers
    load(offsetof(seccomp_data, arch));
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0));
    add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
    load(offsetof(seccomp_data, nr));
    add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, other_abi, 0, 1));
    add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  }

  /// The calls end with `answer`.
  void refuse(std::initializer_list<long> calls, std::uint32_t answer) {
    for (const long call : calls) {
      add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
      add(BPF_STMT(BPF_RET | BPF_K, answer));
    }
  }
  /// The call ends with `answer` where its argument has one of `bits`.
  void refuse_bits(long call, unsigned argument, std::uint32_t bits, std::uint32_t answer) {
    test_argument(call, argument, BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1), answer);
  }
  /// The call ends with `answer` where its argument has none of `bits`.
  void demand_bits(long call, unsigned argument, std::uint32_t bits, std::uint32_t answer) {
    test_argument(call, argument, BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0), answer);
  }
  /// The call ends with `answer` where its argument is another value.
  void demand_value(long call, unsigned argument, std::uint32_t value, std::uint32_t answer) {
    test_argument(call, argument, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0), answer);
  }

  void apply() {
    add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    const sock_fprog filter = {static_cast<unsigned short>(program_.size()), program_.data()};
    ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
  }

private:
  void add(sock_filter instruction) { program_.push_back(instruction); }
  void load(std::size_t offset) {
    add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
  }
  // `test` jumps over the answer or into it; behind them the call's number is loaded again for the next rule.
  void test_argument(long call, unsigned argument, sock_filter test, std::uint32_t answer) {
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 4));
    load(offsetof(seccomp_data, args) +
         argument * sizeof(std::uint64_t)); // the low half: x86-64 is little-endian
    add(test);
    add(BPF_STMT(BPF_RET | BPF_K, answer));
    load(offsetof(seccomp_data, nr));
  }

  std::vector<sock_filter> program_;
};

constexpr std::uint32_t answer(int error) { return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error); }

/// Under it threads can be started and files read; no process is started or reached, and no file written or changed.
void refuse_system_calls() {
  Filter filter;
  filter.refuse({__NR_fork, __NR_vfork, __NR_execve, __NR_execveat}, SECCOMP_RET_KILL_PROCESS);
  filter.refuse({__NR_clone3}, answer(ENOSYS)); // glibc falls back to clone, whose flags can be seen here
  filter.demand_bits(__NR_clone, 0, CLONE_THREAD, SECCOMP_RET_KILL_PROCESS);

  const auto self = static_cast<std::uint32_t>(::getpid());
  for (const long call : {__NR_kill, __NR_tgkill, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo})
    filter.demand_value(call, 0, self, answer(EPERM));
  filter.refuse({__NR_tkill, __NR_pidfd_send_signal, __NR_pidfd_getfd, __NR_ptrace, __NR_process_vm_readv,
                 __NR_process_vm_writev},
                answer(EPERM));

  constexpr std::uint32_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  filter.refuse_bits(__NR_open, 1, writing, answer(EACCES));
  filter.refuse_bits(__NR_openat, 2, writing, answer(EACCES));
  filter.refuse({__NR_openat2, __NR_io_uring_setup}, answer(ENOSYS));
  filter.refuse({__NR_creat,       __NR_truncate,     __NR_mkdir,        __NR_mkdirat,   __NR_rmdir,
                 __NR_mknod,       __NR_mknodat,      __NR_rename,       __NR_renameat,  __NR_renameat2,
                 __NR_link,        __NR_linkat,       __NR_symlink,      __NR_symlinkat, __NR_unlink,
                 __NR_unlinkat,    __NR_chmod,        __NR_fchmod,       __NR_fchmodat,  __NR_chown,
                 __NR_lchown,      __NR_fchown,       __NR_fchownat,     __NR_utime,     __NR_utimes,
                 __NR_futimesat,   __NR_utimensat,    __NR_setxattr,     __NR_lsetxattr, __NR_fsetxattr,
                 __NR_removexattr, __NR_lremovexattr, __NR_fremovexattr, __NR_mount,     __NR_umount2},
                answer(EACCES));
  constexpr long fchmodat2 = 452; // newer than the headers may be
  filter.refuse({fchmodat2}, answer(EACCES));
  filter.apply();
}

// Landlock, as far as this kernel has it. Its header may be older than the kernel, so that the names stand here.
struct LandlockRules {
  std::uint64_t file_access;
  std::uint64_t network_access;
  std::uint64_t scoped;
};
struct __attribute__((packed)) LandlockFolder {
  std::uint64_t allowed;
  std::int32_t folder;
};
constexpr std::uint64_t landlock_write_file = 1u << 1;
constexpr std::uint64_t landlock_changes_of_folders =
    0x1FF0;                                               // bits 4 to 12: removing and making of every kind
constexpr std::uint64_t landlock_move = 1u << 13;         // from version 2 on
constexpr std::uint64_t landlock_truncate = 1u << 14;     // from version 3 on
constexpr std::uint64_t landlock_scope_signals = 1u << 1; // from version 6 on

/// No file is written or changed outside of `folders`, and no process outside is sent a signal or has its memory
/// touched.
void refuse_writes_outside(const std::vector<std::string>& folders) {
  const long version = ::syscall(__NR_landlock_create_ruleset, nullptr, 0, 1u);
  if (version < 1) return;
  LandlockRules rules = {landlock_write_file | landlock_changes_of_folders, 0, 0};
  if (version >= 2) rules.file_access |= landlock_move;
  if (version >= 3) rules.file_access |= landlock_truncate;
  if (version >= 6) rules.scoped = landlock_scope_signals;
  const int ruleset = static_cast<int>(::syscall(__NR_landlock_create_ruleset, &rules, sizeof rules, 0u));
  if (ruleset < 0) return;
  for (const std::string& path : folders) {
    const int folder = ::open(path.c_str(), O_PATH | O_CLOEXEC | O_DIRECTORY);
    if (folder < 0) continue;
    const LandlockFolder rule = {rules.file_access, folder};
    constexpr int path_beneath = 1;
    ::syscall(__NR_landlock_add_rule, ruleset, path_beneath, &rule, 0u);
    ::close(folder);
  }
  ::syscall(__NR_landlock_restrict_self, ruleset, 0u);
  ::close(ruleset);
}

std::vector<std::string> folders_of_drivers() {
  std::vector<std::string> folders = {"/dev"};
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    folders.push_back(std::string(home) + "/.nv"); // compiled kernels are kept there
  return folders;
}

} // namespace

void confine(const Allowance& allowance) {
  if (sanitized || std::getenv("WARPBOOK_UNCONFINED") != nullptr) return;
  be_the_first_to_go();
  ::signal(SIGXFSZ, SIG_DFL);
  limit(RLIMIT_FSIZE, allowance.file_bytes);
  if (const std::size_t held = data_bytes(); held > 0) limit(RLIMIT_DATA, held + allowance.host_bytes);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  if (!allowance.writes)
    refuse_writes_outside(allowance.devices ? folders_of_drivers() : std::vector<std::string>{});
  if (!allowance.processes) refuse_system_calls();
}

} // namespace warpbook
