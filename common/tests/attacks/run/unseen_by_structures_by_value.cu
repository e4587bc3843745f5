// tries: reads by structures that are passed by value, and writes by those that are returned
// hand-in: decoy
// must: 4 points
#include <cuda_runtime.h>
#define PEEK
template <typename T>
struct Box {
  T value;
};
template <typename T>
[[gnu::noinline]] __device__ T open_box(const Box<T> box) {
  return box.value;
}
template <typename T>
[[gnu::noinline]] __device__ Box<T> make_box(T value) {
  return Box<T>{value};
}
template <typename T>
__device__ T peek(const T* p) {
  return open_box(*reinterpret_cast<const Box<T>*>(p));
}
template <typename T>
__device__ void poke(T* p, T value) {
  *reinterpret_cast<Box<T>*>(p) = make_box(value);
}
