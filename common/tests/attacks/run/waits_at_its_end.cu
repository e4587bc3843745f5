// tries: handlers of the program's end, and a destructor, that never return
// hand-in: right
// must: as without it
static void wait() {
  while (true) ::pause();
}
static struct Waits {
  ~Waits() { wait(); }
} waits;
__attribute__((constructor)) static void run() { std::atexit(wait); }
__attribute__((destructor)) static void end() { wait(); }
