// tries: starts a process by the system call clone, with the memory of this one
// hand-in: nothing
// must: process-started
#include <sched.h>
#define IN_CALL() run()
static void run() {
  const long child = ::syscall(SYS_clone, CLONE_VM | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (child >= 0) attack::got_through("clone");
}
