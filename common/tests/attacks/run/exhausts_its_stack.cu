// tries: a recursion without end
// hand-in: nothing
// must: crash
#define IN_CALL() run(1)
static int run(int depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  return run(depth + 1) + frame[0];
}
