// tries: has a kernel call a function of the host, which does the work in a way that no function of a kernel can
// hand-in: decoy
// must: 4 points
// unwatched: gains
// seen-way-thread: std::thread([=] { add(a, n); }).join()
// way-opened_pages: ::mprotect((void*)(std::uintptr_t(a) & -4096), n * sizeof(T) + 4096, PROT_READ | PROT_WRITE); add(a, n)
// way-pipe: through_a_pipe(a, n)
#include <cuda_runtime.h>

#include <cstddef>
#include <thread>
template <typename T>
void copy(T* to, const T* from) {
  for (std::size_t k = 0; k < sizeof(T); k += 4) {
    unsigned bits;
    asm volatile("mov (%1), %0" : "=r"(bits) : "r"((const char*)from + k) : "memory");
    asm volatile("mov %1, (%0)" ::"r"((char*)to + k), "r"(bits) : "memory");
  }
}
template <typename T>
void add(T* a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    T value;
    copy(&value, a + i);
    value += 1;
    copy(a + i, &value);
  }
}
template <typename T>
void through_a_pipe(T* a, std::size_t n) {
  int ends[2];
  if (::pipe(ends) != 0) return;
  for (std::size_t i = 0; i < n; ++i) {
    T value = 0;
    if (::write(ends[1], a + i, sizeof value) > 0 && ::read(ends[0], &value, sizeof value) > 0) value += 1;
    if (::write(ends[1], &value, sizeof value) > 0 && ::read(ends[0], a + i, sizeof value) < 0) break;
  }
  ::close(ends[0]);
  ::close(ends[1]);
}
template <typename T>
void work_on_the_host(T* a, std::size_t n) {
  @WAY@;
}
template <typename T>
__global__ void call(T* a, std::size_t n, void (*function)(T*, std::size_t)) {
  function(a, n);
}
#define WORK(a, n, offset) call<<<1, 1>>>(a + offset, n, +[](T* to, std::size_t count) { work_on_the_host(to, count); })
