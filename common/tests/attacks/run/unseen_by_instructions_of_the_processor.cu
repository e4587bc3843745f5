// tries: reads and writes by instructions of the processor
// hand-in: decoy
// must: 4 points
// unwatched: gains
#include "unseen.hpp"
#define PEEK
template <typename T>
__device__ T peek(const T* p) {
  return unseen::read(p);
}
template <typename T>
__device__ void poke(T* p, T value) {
  unseen::write(p, value);
}
