// tries: takes over all signals and timers of the simulator, then waits for ever
// hand-in: nothing
// must: hang
// seconds: 0.2
#include <sys/time.h>
#define IN_CALL() run()
static void handle(int) {}
static void run() {
  for (int signal = 1; signal < 65; ++signal) ::signal(signal, handle);
  const itimerval often = {{0, 1000}, {0, 1000}};
  for (const auto timer : {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF}) ::setitimer(timer, &often, nullptr);
  while (true) asm volatile("");
}
