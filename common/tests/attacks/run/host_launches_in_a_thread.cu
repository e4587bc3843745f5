// tries: nothing that is forbidden: a thread of the host launches, and the call waits for it
// hand-in: right
// must: as without it
#include <cstddef>
#include <thread>

void launched_f32(float* a, std::size_t n, std::size_t offset);
void launched_f64(double* a, std::size_t n, std::size_t offset);

void offset_add_f32(float* a, std::size_t n, std::size_t offset) {
  std::thread([=] { launched_f32(a, n, offset); }).join();
}
void offset_add_f64(double* a, std::size_t n, std::size_t offset) {
  std::thread([=] { launched_f64(a, n, offset); }).join();
}

#define offset_add_f32 launched_f32
#define offset_add_f64 launched_f64
