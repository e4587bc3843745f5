#pragma once
/// What a measurement ran on, asked of CUDA, and the clock measured. For .cu files (C++17).

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>

#include "timing/cuda_error.hpp"
#include "timing/provenance.hpp"

namespace warpbook {

namespace detail {

inline __device__ unsigned long long global_nanoseconds() {
  unsigned long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

/// Keeps every lane multiplying for `nanoseconds`; block 0 says how many cycles the second half of that took,
/// and how long it was. The first half is there for the clock to settle.
static __global__ void count_cycles(unsigned long long nanoseconds, unsigned long long* cycles_and_time,
                                    float* sink) {
  const unsigned long long begin = global_nanoseconds();
  float value = 1.0f + static_cast<float>(threadIdx.x);
  const auto work_until = [&](unsigned long long end) {
    unsigned long long now;
    do {
      for (int i = 0; i < 256; ++i) value = value * 0.999f + 0.001f;
      now = global_nanoseconds();
    } while (now < end);
    return now;
  };
  const unsigned long long middle = work_until(begin + nanoseconds / 2);
  const long long middle_cycle = clock64();
  const unsigned long long end = work_until(begin + nanoseconds);
  const long long end_cycle = clock64();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    cycles_and_time[0] = static_cast<unsigned long long>(end_cycle - middle_cycle);
    cycles_and_time[1] = end - middle;
  }
  if (value == -1.0f) *sink = value; // never; without a use the loop would be removed
}

} // namespace detail

/// The clock of the multiprocessors in MHz while all of them work, from cycles over time (40 ms). Device
/// properties gave a nominal clock until CUDA 12; CUDA 13 gives none, and the real one depends on load and
/// temperature anyway.
inline double measured_sm_clock_mhz() {
  int device = 0;
  int multiprocessors = 0;
  WARPBOOK_CUDA(cudaGetDevice(&device));
  WARPBOOK_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  unsigned long long* counts = nullptr;
  WARPBOOK_CUDA(cudaMalloc(&counts, 3 * sizeof *counts));
  detail::count_cycles<<<2 * multiprocessors, 512>>>(40'000'000, counts,
                                                     reinterpret_cast<float*>(counts + 2));
  unsigned long long found[2] = {0, 0};
  cudaError_t status = cudaGetLastError();
  if (status == cudaSuccess) status = cudaMemcpy(found, counts, sizeof found, cudaMemcpyDeviceToHost);
  static_cast<void>(cudaFree(counts));
  WARPBOOK_CUDA(status);
  return found[1] == 0 ? 0 : 1e3 * static_cast<double>(found[0]) / static_cast<double>(found[1]);
}

namespace detail {

inline std::string cuda_version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// "580.65.06", which only the kernel module says; "" where it cannot be read, as on WSL2.
inline std::string driver_release() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string word;
  while (file >> word) {
    const bool is_release = word.size() > 3 && word.find('.') != std::string::npos &&
                            word.find_first_not_of("0123456789.") == std::string::npos;
    if (is_release) return word;
  }
  return {};
}

} // namespace detail

/// Device, multiprocessors, caches, measured clock, driver, toolkit and date of this run. Add the command:
/// `table.provenance("command", command_text(argc, argv))`.
inline Provenance device_provenance() {
  int device = 0;
  int driver = 0;
  int runtime = 0;
  cudaDeviceProp properties = {};
  WARPBOOK_CUDA(cudaGetDevice(&device));
  WARPBOOK_CUDA(cudaGetDeviceProperties(&properties, device));
  WARPBOOK_CUDA(cudaDriverGetVersion(&driver));
  WARPBOOK_CUDA(cudaRuntimeGetVersion(&runtime));
  const auto mebibytes = [](std::size_t bytes) { return std::to_string(bytes >> 20) + " MiB"; };
  char clock[32];
  std::snprintf(clock, sizeof clock, "%.0f MHz measured", measured_sm_clock_mhz());
  const std::string release = detail::driver_release();
  return {
      {"device", properties.name},
      {"compute capability", std::to_string(properties.major) + "." + std::to_string(properties.minor)},
      {"multiprocessors", std::to_string(properties.multiProcessorCount)},
      {"L2", mebibytes(static_cast<std::size_t>(properties.l2CacheSize))},
      {"memory", mebibytes(properties.totalGlobalMem)},
      {"SM clock", clock},
      {"driver", (release.empty() ? "" : release + " ") + "(CUDA " + detail::cuda_version_text(driver) + ")"},
      {"toolkit", "nvcc " + std::to_string(__CUDACC_VER_MAJOR__) + "." +
                      std::to_string(__CUDACC_VER_MINOR__) + ", runtime " +
                      detail::cuda_version_text(runtime)},
      {"date", now_utc()}};
}

} // namespace warpbook
