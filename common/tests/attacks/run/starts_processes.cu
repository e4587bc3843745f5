// tries: starts a process that outlives the call
// hand-in: nothing
// must: process-started
#define IN_CALL() run()
static void run() {
  if (::fork() == 0) {
    ::setsid();
    ::sleep(1000);
  }
}
