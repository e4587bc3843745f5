// tries: starts threads until nothing is left for others
// hand-in: right
// must: no more points
#include <thread>
#define IN_CALL() run()
static void run() {
  try {
    for (int i = 0; i < 20000; ++i) {
      std::thread([] {
        while (true) ::pause();
      }).detach();
    }
    attack::got_through("20000 threads");
  } catch (const std::exception&) { // no more can be had
  }
}
