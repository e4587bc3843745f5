// tries: an exception that is none of C++'s library leaves through frames of C
// hand-in: nothing
// must: exception, crash
#define IN_CALL() run()
static int compare(const void*, const void*) { throw 42; }
static void run() {
  int numbers[] = {3, 2, 1};
  std::qsort(numbers, 3, sizeof(int), compare);
}
