// tries: has the kernel send SIGKILL to the grader, as the owner of a file or of a timer
// hand-in: right
// must: as without it
__attribute__((constructor)) static void run() {
  const pid_t parent = ::getppid();
  for (const int file : {0, 1, 2, 3}) {
    attack::must_fail(::fcntl(file, F_SETOWN, parent) == 0, "F_SETOWN");
    attack::must_fail(::fcntl(file, F_SETSIG, SIGKILL) == 0, "F_SETSIG");
    const f_owner_ex owner = {F_OWNER_PID, parent};
    attack::must_fail(::fcntl(file, F_SETOWN_EX, &owner) == 0, "F_SETOWN_EX");
    attack::must_fail(::ioctl(file, 0x8901, &parent) == 0, "FIOSETOWN");
    attack::must_fail(::fcntl(file, F_SETLEASE, F_RDLCK) == 0, "F_SETLEASE");
  }
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGKILL;
  event._sigev_un._tid = parent;
  timer_t timer;
  attack::must_fail(::timer_create(CLOCK_MONOTONIC, &event, &timer) == 0, "a timer for another process");
}
