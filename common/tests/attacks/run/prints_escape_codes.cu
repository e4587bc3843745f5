// tries: printed lines clear the terminal before the program crashes
// hand-in: nothing
// must: crash
#define IN_CALL() run()
static void run() {
  std::printf("\x1b[2J\x1b[H34 of 34 points\x9b\n\u202edessap\n");
  std::fflush(stdout);
  std::abort();
}
