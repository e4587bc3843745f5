// tries: fills the grader's memory with what it prints
// hand-in: right
// must: as without it
#include <string>
#define IN_CALL() run()
static void run() {
  static const std::string much(1 << 20, 'x');
  static int pieces = 0;
  for (; pieces < 200; ++pieces) static_cast<void>(!::write(1, much.data(), much.size()));
}
