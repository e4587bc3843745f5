#include "confine/filter.hpp"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <memory>

namespace warpbook {
namespace {

// Of calls newer than the headers may be.
constexpr int nr_fchmodat2 = 452;
constexpr int nr_map_shadow_stack = 453;
constexpr int nr_mseal = 462;

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

/// What leads to other processes' memory, to the kernel's insides, or out of the confinement.
void refuse_ways_out(Filter& filter) {
  filter.answer({SCMP_SYS(ptrace),
                 SCMP_SYS(process_vm_readv),
                 SCMP_SYS(process_vm_writev),
                 SCMP_SYS(process_madvise),
                 SCMP_SYS(pidfd_getfd),
                 SCMP_SYS(kcmp),
                 SCMP_SYS(pidfd_send_signal),
                 SCMP_SYS(bpf),
                 SCMP_SYS(userfaultfd),
                 SCMP_SYS(perf_event_open),
                 SCMP_SYS(keyctl),
                 SCMP_SYS(add_key),
                 SCMP_SYS(request_key),
                 SCMP_SYS(unshare),
                 SCMP_SYS(setns),
                 SCMP_SYS(mount),
                 SCMP_SYS(umount2),
                 SCMP_SYS(open_tree),
                 SCMP_SYS(move_mount),
                 SCMP_SYS(fsopen),
                 SCMP_SYS(fsconfig),
                 SCMP_SYS(fsmount),
                 SCMP_SYS(fspick),
                 SCMP_SYS(mount_setattr),
                 SCMP_SYS(pivot_root),
                 SCMP_SYS(chroot),
                 SCMP_SYS(open_by_handle_at),
                 SCMP_SYS(name_to_handle_at),
                 SCMP_SYS(init_module),
                 SCMP_SYS(finit_module),
                 SCMP_SYS(delete_module),
                 SCMP_SYS(kexec_load),
                 SCMP_SYS(kexec_file_load),
                 SCMP_SYS(reboot),
                 SCMP_SYS(swapon),
                 SCMP_SYS(swapoff),
                 SCMP_SYS(acct),
                 SCMP_SYS(quotactl),
                 SCMP_SYS(settimeofday),
                 SCMP_SYS(clock_settime),
                 SCMP_SYS(adjtimex),
                 SCMP_SYS(clock_adjtime),
                 SCMP_SYS(sethostname),
                 SCMP_SYS(setdomainname),
                 SCMP_SYS(iopl),
                 SCMP_SYS(ioperm),
                 SCMP_SYS(modify_ldt),
                 SCMP_SYS(syslog),
                 SCMP_SYS(vhangup),
                 SCMP_SYS(fanotify_init),
                 SCMP_SYS(lookup_dcookie)},
                refused);
  filter.answer({SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register)}, unknown);
  filter.answer({SCMP_SYS(ioctl)}, refused, {has(1, 0xFFFFFFFF, 0x5412)}); // TIOCSTI types into a terminal
  filter.answer({SCMP_SYS(prlimit64)}, refused, {is_not(2, 0)});
  filter.answer({SCMP_SYS(setrlimit)}, refused);
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
}

constexpr std::uint64_t new_namespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

/// For a process that starts others: all but what leads out.
Filter filter_of_many(const Confinement& confinement, int landlock) {
  Filter filter(SCMP_ACT_ALLOW);
  refuse_ways_out(filter);
  refuse_sockets(filter, confinement.local_sockets);
  constexpr int scopes_signals = 6;
  if (landlock < scopes_signals) refuse_signals_out(filter);
  filter.answer({SCMP_SYS(clone3)}, unknown); // glibc falls back to clone, whose flags can be seen here
  for (std::uint64_t bit = 1; bit <= new_namespaces; bit <<= 1) {
    if (bit & new_namespaces) filter.answer({SCMP_SYS(clone)}, refused, {has(0, bit, bit)});
  }
  return filter;
}

} // namespace

bool apply_filter(const Confinement& confinement, int landlock) {
  return filter_of_many(confinement, landlock).load();
}

} // namespace warpbook
