#include "confine/filter.hpp"

#include "confine/limits.hpp"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>

namespace warpbook {
namespace {

/// A filter of system calls, put together call by call.
class Filter {
public:
  explicit Filter(std::uint32_t answer_to_others)
      : others_(answer_to_others), context_(::seccomp_init(answer_to_others), ::seccomp_release) {
    ::seccomp_attr_set(context_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    ::seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_TSYNC, 1);
    ::seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2);
  }

  /// The calls end with `answer`, if all `conditions` on their arguments hold.
  void answer(std::initializer_list<int> calls, std::uint32_t answer,
              std::initializer_list<scmp_arg_cmp> conditions = {}) {
    if (answer == others_) return;
    for (const int call : calls)
      ::seccomp_rule_add_array(context_.get(), answer, call, static_cast<unsigned>(conditions.size()),
                               conditions.begin());
  }

  bool load() { return ::seccomp_load(context_.get()) == 0; }

private:
  std::uint32_t others_;
  std::unique_ptr<void, void (*)(scmp_filter_ctx)> context_;
};

constexpr std::uint32_t refused = SCMP_ACT_ERRNO(EPERM);
constexpr std::uint32_t no_access = SCMP_ACT_ERRNO(EACCES);
constexpr std::uint32_t unknown = SCMP_ACT_ERRNO(ENOSYS);
constexpr std::uint32_t no_memory = SCMP_ACT_ERRNO(ENOMEM);

scmp_arg_cmp is(unsigned argument, std::uint64_t value) { return {argument, SCMP_CMP_EQ, value, 0}; }
scmp_arg_cmp is_not(unsigned argument, std::uint64_t value) { return {argument, SCMP_CMP_NE, value, 0}; }
scmp_arg_cmp at_least(unsigned argument, std::uint64_t value) { return {argument, SCMP_CMP_GE, value, 0}; }
scmp_arg_cmp below(unsigned argument, std::uint64_t value) { return {argument, SCMP_CMP_LT, value, 0}; }
scmp_arg_cmp has(unsigned argument, std::uint64_t bits, std::uint64_t values) {
  return {argument, SCMP_CMP_MASKED_EQ, bits, values};
}

/// For a process that starts others: what leads out of the confinement.
void refuse_ways_out(Filter& filter) {
  filter.answer(
      {// other processes
       SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(process_madvise),
       SCMP_SYS(pidfd_getfd), SCMP_SYS(kcmp), SCMP_SYS(pidfd_send_signal),
       // other namespaces, mounts and roots, and files without their paths
       SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(open_tree),
       SCMP_SYS(move_mount), SCMP_SYS(fsopen), SCMP_SYS(fsconfig), SCMP_SYS(fsmount), SCMP_SYS(fspick),
       SCMP_SYS(mount_setattr), SCMP_SYS(pivot_root), SCMP_SYS(chroot), SCMP_SYS(open_by_handle_at),
       SCMP_SYS(name_to_handle_at),
       // the kernel's insides
       SCMP_SYS(bpf), SCMP_SYS(userfaultfd), SCMP_SYS(perf_event_open), SCMP_SYS(keyctl), SCMP_SYS(add_key),
       SCMP_SYS(request_key), SCMP_SYS(init_module), SCMP_SYS(finit_module), SCMP_SYS(delete_module),
       SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load), SCMP_SYS(reboot), SCMP_SYS(swapon), SCMP_SYS(swapoff),
       SCMP_SYS(acct), SCMP_SYS(quotactl), SCMP_SYS(settimeofday), SCMP_SYS(clock_settime),
       SCMP_SYS(adjtimex), SCMP_SYS(clock_adjtime), SCMP_SYS(sethostname), SCMP_SYS(setdomainname),
       SCMP_SYS(iopl), SCMP_SYS(ioperm), SCMP_SYS(modify_ldt), SCMP_SYS(syslog), SCMP_SYS(vhangup),
       SCMP_SYS(fanotify_init), SCMP_SYS(lookup_dcookie)},
      refused);
  filter.answer({SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register)}, unknown);
  filter.answer({SCMP_SYS(ioctl)}, refused, {has(1, 0xFFFFFFFF, 0x5412)}); // TIOCSTI types into a terminal
}

void refuse_sockets(Filter& filter, bool local_ones) {
  if (!local_ones) {
    filter.answer({SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(connect), SCMP_SYS(bind),
                   SCMP_SYS(listen), SCMP_SYS(accept), SCMP_SYS(accept4)},
                  no_access);
    return;
  }
  filter.answer({SCMP_SYS(socket)}, no_access, {at_least(0, AF_UNIX + 1)});
  filter.answer({SCMP_SYS(socket)}, no_access, {below(0, AF_UNIX)});
}

/// Signals reach this process alone.
void refuse_signals_out(Filter& filter) {
  const auto self = static_cast<std::uint64_t>(::getpid());
  filter.answer({SCMP_SYS(kill), SCMP_SYS(tgkill), SCMP_SYS(rt_sigqueueinfo), SCMP_SYS(rt_tgsigqueueinfo)},
                refused, {is_not(0, self)});
  filter.answer({SCMP_SYS(tkill)}, refused);
  for (const std::uint64_t sends_when_readable : {F_SETOWN, F_SETOWN_EX, F_SETSIG})
    filter.answer({SCMP_SYS(fcntl)}, refused, {is(1, sends_when_readable)});
  for (const std::uint64_t sends_when_readable : {FIOSETOWN, SIOCSPGRP})
    filter.answer({SCMP_SYS(ioctl)}, refused, {is(1, sends_when_readable)});
}

constexpr std::uint64_t new_namespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

/// For a process that starts others.
void refuse_new_namespaces(Filter& filter) {
  for (std::uint64_t bit = 1; bit <= new_namespaces; bit <<= 1) {
    if (bit & new_namespaces) filter.answer({SCMP_SYS(clone)}, refused, {has(0, bit, bit)});
  }
}

/// For a process that starts none and writes nothing. What allow_computing() does not allow needs no rule here, but for
/// an error that says more.
void refuse_starts_and_changes(Filter& filter) {
  filter.answer({SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(execve), SCMP_SYS(execveat)},
                SCMP_ACT_KILL_PROCESS);
  filter.answer({SCMP_SYS(clone)}, SCMP_ACT_KILL_PROCESS, {has(0, CLONE_THREAD, 0)});
  for (const auto& [call, argument] : {std::pair(SCMP_SYS(open), 1u), std::pair(SCMP_SYS(openat), 2u)}) {
    for (const std::uint64_t bit : {O_WRONLY, O_RDWR, O_CREAT, O_TRUNC})
      filter.answer({call}, no_access, {has(argument, bit, bit)});
  }
  filter.answer({SCMP_SYS(creat), SCMP_SYS(mkdir), SCMP_SYS(rename), SCMP_SYS(unlink), SCMP_SYS(chmod),
                 SCMP_SYS(socket)},
                no_access);
  filter.answer({SCMP_SYS(prlimit64)}, refused, {is_not(2, 0)});
  // Memory that no limit counts.
  filter.answer({SCMP_SYS(mmap)}, no_memory, {has(3, MAP_TYPE | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS)});
  filter.answer({SCMP_SYS(mmap)}, no_memory, {has(3, MAP_GROWSDOWN, MAP_GROWSDOWN)});
}

/// What is mapped around the program, and from the libraries on, stays as it is.
void keep(Filter& filter, const LoadedCode& code) {
  const auto changes = {SCMP_SYS(mprotect), SCMP_SYS(pkey_mprotect), SCMP_SYS(munmap), SCMP_SYS(mremap)};
  filter.answer(changes, refused, {at_least(0, code.libraries_begin)});
  filter.answer(changes, refused, {at_least(1, code.gap + 1)});
  const scmp_arg_cmp fixed = has(3, MAP_FIXED, MAP_FIXED), moved = has(3, MREMAP_FIXED, MREMAP_FIXED);
  filter.answer({SCMP_SYS(mmap)}, refused, {fixed, at_least(0, code.libraries_begin)});
  filter.answer({SCMP_SYS(mmap)}, refused, {fixed, at_least(1, code.gap + 1)});
  filter.answer({SCMP_SYS(mremap)}, refused, {moved, at_least(4, code.libraries_begin)});
  filter.answer({SCMP_SYS(mremap)}, refused, {at_least(2, code.gap + 1)});
  // A rule can compare an argument once, so that whole regions go with the program, and with the room before it from
  // which a change could reach over it.
  constexpr std::uint64_t region = std::uint64_t{1} << 40;
  for (std::uint64_t begin = (code.program_begin - std::min(code.program_begin, code.gap)) / region * region;
       begin < code.program_end; begin += region) {
    const scmp_arg_cmp there = has(0, ~(region - 1), begin);
    filter.answer(changes, refused, {there});
    filter.answer({SCMP_SYS(mmap)}, refused, {fixed, there});
    filter.answer({SCMP_SYS(mremap)}, refused, {moved, has(4, ~(region - 1), begin)});
  }
}

/// What a program that computes, with threads, and answers over sockets that it has, may ask of the kernel.
void allow_computing(Filter& filter) {
  filter.answer(
      {// files that are open, or to be read
       SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(readv), SCMP_SYS(writev), SCMP_SYS(pread64),
       SCMP_SYS(pwrite64), SCMP_SYS(preadv), SCMP_SYS(pwritev), SCMP_SYS(lseek), SCMP_SYS(close),
       SCMP_SYS(close_range), SCMP_SYS(dup), SCMP_SYS(dup2), SCMP_SYS(dup3), SCMP_SYS(fstat),
       SCMP_SYS(newfstatat), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(statx), SCMP_SYS(access),
       SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(getcwd),
       SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(getdents), SCMP_SYS(getdents64), SCMP_SYS(ftruncate),
       SCMP_SYS(pipe), SCMP_SYS(pipe2), SCMP_SYS(eventfd2), SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(select),
       SCMP_SYS(pselect6), SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_wait),
       SCMP_SYS(epoll_pwait), SCMP_SYS(recvmsg), SCMP_SYS(recvfrom), SCMP_SYS(sendmsg), SCMP_SYS(sendto),
       SCMP_SYS(getsockopt),
       // memory
       SCMP_SYS(mmap), SCMP_SYS(munmap), SCMP_SYS(mprotect), SCMP_SYS(mremap), SCMP_SYS(madvise),
       SCMP_SYS(brk), SCMP_SYS(mincore), SCMP_SYS(msync), SCMP_SYS(membarrier),
       // threads
       SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(get_robust_list), SCMP_SYS(rseq),
       SCMP_SYS(set_tid_address), SCMP_SYS(clone), SCMP_SYS(exit), SCMP_SYS(exit_group),
       SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_getparam),
       SCMP_SYS(sched_getscheduler), SCMP_SYS(sched_get_priority_max), SCMP_SYS(sched_get_priority_min),
       SCMP_SYS(arch_prctl), SCMP_SYS(getcpu),
       // itself
       SCMP_SYS(getpid), SCMP_SYS(getppid), SCMP_SYS(gettid), SCMP_SYS(getpgrp), SCMP_SYS(getpgid),
       SCMP_SYS(getsid), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid),
       SCMP_SYS(getresuid), SCMP_SYS(getresgid), SCMP_SYS(getgroups), SCMP_SYS(getrlimit),
       SCMP_SYS(prlimit64), SCMP_SYS(getrusage), SCMP_SYS(getpriority), SCMP_SYS(times), SCMP_SYS(uname),
       SCMP_SYS(sysinfo), SCMP_SYS(wait4), SCMP_SYS(waitid), SCMP_SYS(capget),
       // signals
       SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigpending),
       SCMP_SYS(rt_sigsuspend), SCMP_SYS(rt_sigtimedwait), SCMP_SYS(rt_sigqueueinfo),
       SCMP_SYS(rt_tgsigqueueinfo), SCMP_SYS(sigaltstack), SCMP_SYS(kill), SCMP_SYS(tgkill), SCMP_SYS(pause),
       SCMP_SYS(restart_syscall),
       // time
       SCMP_SYS(nanosleep), SCMP_SYS(clock_nanosleep), SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres),
       SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(alarm), SCMP_SYS(setitimer), SCMP_SYS(getitimer),
       SCMP_SYS(timer_create), SCMP_SYS(timer_settime), SCMP_SYS(timer_gettime), SCMP_SYS(timer_getoverrun),
       SCMP_SYS(timer_delete), SCMP_SYS(timerfd_create), SCMP_SYS(timerfd_settime), SCMP_SYS(timerfd_gettime),
       SCMP_SYS(getrandom)},
      SCMP_ACT_ALLOW);
  constexpr std::uint64_t name_of_mapping = 0x53564d41; // PR_SET_VMA, which newer C libraries use
  for (const std::uint64_t option : {std::uint64_t{PR_SET_NAME}, std::uint64_t{PR_GET_NAME},
                                     std::uint64_t{PR_GET_DUMPABLE}, name_of_mapping})
    filter.answer({SCMP_SYS(prctl)}, SCMP_ACT_ALLOW, {is(0, option)});
  for (const std::uint64_t command :
       {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GET_SEALS})
    filter.answer({SCMP_SYS(fcntl)}, SCMP_ACT_ALLOW, {is(1, command)});
  for (const std::uint64_t request : {TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO})
    filter.answer({SCMP_SYS(ioctl)}, SCMP_ACT_ALLOW, {is(1, request)});
}

} // namespace

bool apply_filter(const Confinement& confinement, int landlock) {
  Filter refusals(SCMP_ACT_ALLOW);
  refusals.answer({SCMP_SYS(clone3)}, unknown); // glibc falls back to clone, whose flags can be seen here
  refusals.answer({SCMP_SYS(prlimit64)}, refused, {is_not(0, 0)}); // of another process
  constexpr int scopes_signals = 6;
  if (!confinement.processes || landlock < scopes_signals) refuse_signals_out(refusals);
  if (confinement.processes) {
    refuse_ways_out(refusals);
    refuse_new_namespaces(refusals);
    if (!confinement.network) refuse_sockets(refusals, confinement.local_sockets);
    return refusals.load();
  }
  refuse_starts_and_changes(refusals);
  if (confinement.code) keep(refusals, *confinement.code);
  // Of two filters the kernel takes the stricter answer. This one knows what is allowed, and so nothing newer than it.
  Filter computing(unknown);
  allow_computing(computing);
  return refusals.load() && computing.load();
}

bool end_at_requests_of(std::uint64_t bytes) {
  Filter filter(SCMP_ACT_ALLOW);
  filter.answer({SCMP_SYS(mmap)}, SCMP_ACT_KILL_PROCESS,
                {at_least(1, bytes), is_not(2, PROT_NONE), has(3, MAP_ANONYMOUS, MAP_ANONYMOUS)});
  filter.answer({SCMP_SYS(mremap)}, SCMP_ACT_KILL_PROCESS, {at_least(2, bytes)});
  return filter.load();
}

} // namespace warpbook
