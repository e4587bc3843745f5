// What hand-ins that do all their work in one thread share. An attack says how that reads and writes (PEEK, POKE) and how it is done (DO),
// and has a kernel beside it for the counters (DECOY).
#include <cuda_runtime.h>

#include <cstddef>

#ifndef PEEK
#define PEEK(p) *(p)
#define POKE(p, value) *(p) = value
#endif

#ifdef DO
#ifndef DECOY
#define DECOY(...) __VA_ARGS__
#endif
#else
template <typename Work>
__global__ void do_it(Work work) {
  work();
}
#define DO(work) do_it<<<1, 1>>>(work)
#define DECOY(...)
#endif
