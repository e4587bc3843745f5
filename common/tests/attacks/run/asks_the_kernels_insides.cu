// tries: system calls that reach into the kernel, or watch other programs
// hand-in: right
// must: as without it
#include <vector>
__attribute__((constructor)) static void run() {
  std::vector<char> zeros(4096);
  struct {
    int number;
    const char* name;
  } const calls[] = {{SYS_bpf, "bpf"}, {SYS_userfaultfd, "userfaultfd"}, {SYS_perf_event_open, "perf_event_open"},
                     {SYS_keyctl, "keyctl"}, {SYS_add_key, "add_key"}, {SYS_request_key, "request_key"},
                     {SYS_init_module, "init_module"}, {SYS_finit_module, "finit_module"}, {SYS_kexec_load, "kexec_load"},
                     {SYS_iopl, "iopl"}, {SYS_ioperm, "ioperm"}, {SYS_modify_ldt, "modify_ldt"}, {SYS_syslog, "syslog"},
                     {SYS_fanotify_init, "fanotify_init"}, {SYS_inotify_init, "inotify_init"}, {SYS_swapon, "swapon"},
                     {SYS_acct, "acct"}, {SYS_personality, "personality"}, {SYS_quotactl, "quotactl"},
                     {SYS_sethostname, "sethostname"}, {SYS_seccomp, "seccomp"}, {SYS_landlock_create_ruleset, "landlock"},
                     {SYS_io_uring_register, "io_uring_register"}, {SYS_process_madvise, "process_madvise"},
                     {SYS_move_pages, "move_pages"}, {SYS_lookup_dcookie, "lookup_dcookie"}};
  for (const auto& call : calls)
    attack::must_fail(::syscall(call.number, 0, zeros.data(), 0, 0, 0, 0) >= 0, call.name);
  for (int number = 425; number < 1024; ++number) { // what is newer than these files, too
    if (number == SYS_faccessat2 || number == SYS_close_range) continue;
    attack::must_fail(::syscall(number, 0, zeros.data(), 0, 0, 0, 0) >= 0, "a new system call");
  }
}
