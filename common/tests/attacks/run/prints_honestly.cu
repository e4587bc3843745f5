// tries: prints in kernels, by what the C library keeps of host code, as honest files may: that costs nothing
// hand-in: none
// must: 8 points
// way-in_a_language: std::setlocale(LC_ALL, "C.UTF-8")
// way-into_a_buffer: std::setvbuf(stdout, buffer, _IOFBF, sizeof buffer)
// way-into_a_buffer_of_the_usual_size: std::setbuf(stdout, buffer)
// way-into_a_buffer_from_the_heap: static char* const own = new char[1 << 16]; setbuffer(stdout, own, 1 << 16)
// way-beside_a_thread: text = std::string(1000, 'a'); host.emplace([&] { for (int i = 0; i < 100; ++i) std::printf("%.1s", text.c_str()); })
#include <cuda_runtime.h>

#include <clocale>
#include <cstddef>
#include <optional>
#include <string>
#include <thread>
static char buffer[1 << 16];
template <typename T>
__global__ void add(T* a, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * 256 + threadIdx.x;
  if (i >= n) return;
  a[i] += 1;
  if (i == 0) printf("%.1f", 0.5);
}
template <typename T>
void offset_add(T* a, std::size_t n) {
  if (n == 0) return;
  std::string text;
  std::optional<std::thread> host;
  @WAY@;
  add<<<(n + 255) / 256, 256>>>(a, n);
  cudaDeviceSynchronize();
  if (host) host->join();
}
void offset_add_f32(float* a, std::size_t n, std::size_t offset) { offset_add(a + offset, n); }
void offset_add_f64(double* a, std::size_t n, std::size_t offset) { offset_add(a + offset, n); }
