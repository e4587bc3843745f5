// tries: reads by structures that are passed by value, and writes by those that are returned
// hand-in: decoy
// must: 4 points
// unwatched: gains
// way-function: return open_box(*box)
// way-function_without_effects: return look(*box)
// way-function_that_stays_alone: return open_alone(*box)
// way-function_pointer: T (*volatile f)(Box<T>) = &open_box<T>; return f(*box)
// way-member_pointer: Opener<T> opener; T (Opener<T>::*volatile f)(Box<T>) const = &Opener<T>::get; return (opener.*f)(*box)
// way-virtual_function: Opener<T> opener; const Opener<T>* volatile o = &opener; return o->get(*box)
// way-variable_arguments: return open_any<T>(1, *box)
// way-lambda: const auto f = [](Box<T> b) __attribute__((noinline)) { return b.value; }; return f(*box)
// way-array: return open_array(*reinterpret_cast<const Array<T>*>(p))
// beyond-way-large_structure: return open_large(*reinterpret_cast<const Large<T>*>(p))
#include <cuda_runtime.h>

#include <cstdarg>
#define PEEK
template <typename T>
struct Box {
  T value;
};
template <typename T>
struct Array {
  T values[1];
};
template <typename T>
struct Large {
  T values[64];
};
template <typename T>
[[gnu::noinline]] __device__ T open_box(const Box<T> box) {
  return box.value;
}
template <typename T>
[[gnu::const, gnu::noinline]] __device__ T look(const Box<T> box) {
  return box.value;
}
template <typename T>
[[gnu::noipa]] __device__ T open_alone(const Box<T> box) {
  return box.value;
}
template <typename T>
[[gnu::noipa]] __device__ T open_array(const Array<T> array) {
  return array.values[0];
}
template <typename T>
[[gnu::noipa]] __device__ T open_large(const Large<T> large) {
  return large.values[0];
}
template <typename T>
[[gnu::noipa]] __device__ T open_any(int n, ...) {
  va_list rest;
  va_start(rest, n);
  const Box<T> box = va_arg(rest, Box<T>);
  va_end(rest);
  return box.value;
}
template <typename T>
struct Opener {
  [[gnu::noinline]] __device__ virtual T get(Box<T> box) const { return box.value; }
};
template <typename T>
[[gnu::noinline]] __device__ Box<T> make_box(T value) {
  return Box<T>{value};
}
template <typename T>
__device__ T peek(const T* p) {
  const auto* box = reinterpret_cast<const Box<T>*>(p);
  @WAY@;
}
template <typename T>
__device__ void poke(T* p, T value) {
  *reinterpret_cast<Box<T>*>(p) = make_box(value);
}
