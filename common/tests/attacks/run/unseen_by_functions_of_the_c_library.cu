// tries: reads and writes by functions of the C library, some of which the simulator does not know
// hand-in: decoy
// must: 4 points
// unwatched: gains
// way-strncpy: for (std::size_t k = 0; k < bytes; ++k) __builtin_strncpy(to + k, from + k, one)
// way-stpncpy: for (std::size_t k = 0; k < bytes; ++k) __builtin_stpncpy(to + k, from + k, one)
// seen-way-memmove: __builtin_memmove(to, from, bytes * one)
// seen-way-mempcpy: __builtin_mempcpy(to, from, bytes * one)
// way-wmemcpy: std::wmemcpy((wchar_t*)to, (const wchar_t*)from, bytes / 4 * one)
// way-wmemmove: std::wmemmove((wchar_t*)to, (const wchar_t*)from, bytes / 4 * one)
// seen-way-bcopy: __builtin_bcopy(from, to, bytes * one)
// seen-way-char_traits: std::char_traits<char>::copy(to, from, bytes * one)
// way-char_traits_of_wide_characters: std::char_traits<wchar_t>::move((wchar_t*)to, (const wchar_t*)from, bytes / 4 * one)
// seen-way-algorithm: std::copy_n(from, bytes * one, to)
#include <cuda_runtime.h>

#include <algorithm>
#include <cwchar>
#include <string>
#define PEEK
__device__ void copy(char* to, const char* from, std::size_t bytes) {
  volatile std::size_t one = 1;
  @WAY@;
}
template <typename T>
__device__ T peek(const T* p) {
  T value;
  copy((char*)&value, (const char*)p, sizeof value);
  return value;
}
template <typename T>
__device__ void poke(T* p, T value) {
  copy((char*)p, (const char*)&value, sizeof value);
}
