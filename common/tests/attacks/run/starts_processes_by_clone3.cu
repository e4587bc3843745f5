// tries: starts a process by the system call clone3, whose flags no filter can see
// hand-in: right
// must: as without it
#define IN_CALL() run()
static void run() {
  std::uint64_t arguments[11] = {};
  arguments[4] = SIGCHLD;
  attack::must_fail(::syscall(SYS_clone3, arguments, sizeof arguments) >= 0, "clone3");
}
