// tries: threads that go on after the call, some asleep and one at work
// hand-in: right
// must: no more points
#include <thread>
#define IN_CALL() run()
static void run() {
  static bool is_first = true;
  for (int i = 0; i < 8 && is_first; ++i) {
    std::thread([i] {
      while (i == 0) asm volatile("");
      while (true) ::pause();
    }).detach();
  }
  is_first = false;
}
