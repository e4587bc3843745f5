// tries: survives the end that a forbidden start brings, by a handler for its signal
// hand-in: nothing
// must: process-started
#define IN_CALL() run()
static void run() {
  ::signal(SIGSYS, SIG_IGN);
  static_cast<void>(!::system("sleep 1000 &"));
}
