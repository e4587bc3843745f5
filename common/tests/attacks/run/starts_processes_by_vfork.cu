// tries: starts a program by vfork, in a folder and with an environment of its own
// hand-in: nothing
// must: process-started
#define IN_CALL() run()
static void run() {
  ::setenv("LD_PRELOAD", "@FOLDER@/neighbour.so", 1);
  if (::vfork() == 0) {
    ::execl("/bin/sh", "sh", "-c", "sleep 1000", nullptr);
    ::_exit(1);
  }
}
