// tries: says that its lines come from a private file, so that the report of a crash quotes that
// hand-in: nothing
// must: crash
#define IN_CALL() crash_here()
#line 1 "@FOLDER@/private.txt"
static void crash_here() { static volatile int* volatile nowhere = nullptr; *nowhere = 1; }
#line 7 "quotes_private_files.cu"
