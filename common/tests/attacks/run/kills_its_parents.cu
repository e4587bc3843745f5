// tries: kills and stops the grader, its parents and all others
// hand-in: right
// must: as without it
__attribute__((constructor)) static void run() {
  siginfo_t information = {};
  information.si_code = SI_QUEUE;
  attack::Others targets = attack::others();
  for (const pid_t group : {-1, 0, -::getppid()}) targets.all[targets.count++] = group;
  for (const pid_t process : targets) {
    for (const int signal : {SIGKILL, SIGSTOP, SIGTERM, SIGINT}) {
      attack::must_fail(::kill(process, signal) == 0, "kill");
      if (process <= 0) continue;
      attack::must_fail(::syscall(SYS_tkill, process, signal) == 0, "tkill");
      attack::must_fail(::syscall(SYS_tgkill, process, process, signal) == 0, "tgkill");
      attack::must_fail(::syscall(SYS_rt_sigqueueinfo, process, signal, &information) == 0, "rt_sigqueueinfo");
      attack::must_fail(::syscall(SYS_rt_tgsigqueueinfo, process, process, signal, &information) == 0,
                        "rt_tgsigqueueinfo");
    }
    if (process <= 0) continue;
    const long file = ::syscall(SYS_pidfd_open, process, 0);
    attack::must_fail(file >= 0 && ::syscall(SYS_pidfd_send_signal, file, SIGKILL, nullptr, 0) == 0,
                      "pidfd_send_signal");
  }
}
