// tries: starts a program from a file in memory, and the runner's own program again
// hand-in: nothing
// must: process-started
#define IN_CALL() run()
static void run() {
  char name[] = "runner", option[] = "--probe";
  char* arguments[] = {name, option, nullptr};
  attack::must_fail(::memfd_create("program", 0) >= 0, "memfd_create");
  ::syscall(SYS_execveat, ::open("/proc/self/exe", O_PATH), "", arguments, environ, AT_EMPTY_PATH);
  attack::got_through("execveat");
}
