// tries: jumps out of the call into a frame that is gone
// hand-in: nothing
// must: crash, hang, early-exit, protocol-error, exception
#include <csetjmp>
static std::jmp_buf place;
__attribute__((constructor, noinline)) static void run() { setjmp(place); }
#define IN_CALL() std::longjmp(place, 1)
