// Runs one piece of work on the simulator and prints what it cost, as one line of JSON. benchmark.py does the
// rest.
//
//   simt-benchmark MODULE transpose N        an N x N transpose, checked
//   simt-benchmark MODULE increment THREADS  one load and one store by each thread
//   simt-benchmark MODULE rotate BLOCKS      64 rounds in shared memory, two barriers each

#include "simt/runtime/machine/simt.hpp"

#include "cuda_runtime_api.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace {

void check(bool right, const char* what) {
  if (!right) throw std::runtime_error(what);
}

float* allocate(std::size_t count) {
  void* pointer = nullptr;
  check(cudaMalloc(&pointer, count * sizeof(float)) == cudaSuccess, "out of device memory");
  return static_cast<float*>(pointer);
}

/// An array of 0, 1, 2, ... on the device.
float* count_up(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i);
  float* device = allocate(count);
  check(cudaMemcpy(device, values.data(), count * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess,
        "copy");
  return device;
}

float element(const float* device, std::size_t i) {
  float value = 0;
  check(cudaMemcpy(&value, device + i, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess, "copy");
  return value;
}

template <class... Arguments>
void call(void* module, const char* name, Arguments... arguments) {
  void* function = dlsym(module, name);
  check(function, name);
  reinterpret_cast<void (*)(Arguments...)>(function)(arguments...);
}

} // namespace

int main(int argc, char** argv) try {
  check(argc == 4, "usage: simt-benchmark MODULE transpose|increment|rotate SIZE");
  void* module = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!module) throw std::runtime_error(dlerror());
  const std::string work = argv[2];
  const unsigned size = static_cast<unsigned>(std::stoul(argv[3]));
  simt::Options options;
  options.step_budget = 1'000'000'000;
  simt::configure(options);

  const float* in = nullptr;
  float* out = nullptr;
  std::size_t elements = work == "transpose" ? std::size_t{size} * size : size;
  if (work != "rotate") in = count_up(elements);
  out = allocate(elements);
  auto start = std::chrono::steady_clock::now();
  if (work == "transpose")
    call(module, "run_transpose", in, out, size);
  else if (work == "increment")
    call(module, "run_increment", in, out, size);
  else if (work == "rotate")
    call(module, "run_rotate", out, size, 64u);
  else
    throw std::runtime_error("no such work: " + work);
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

  const simt::Report report = simt::take_report();
  check(report.diagnostics.empty(), "the work is correct, and the simulator says that it is not");
  check(cudaGetLastError() == cudaSuccess, "the kernel failed");
  if (work == "transpose") check(element(out, 1) == static_cast<float>(size), "wrong transpose");
  if (work == "increment") check(element(out, size - 1) == static_cast<float>(size), "wrong sum");
  if (work == "rotate") check(element(out, 0) == 64, "wrong rotation");
  const simt::Counters counters = total(report);
  const unsigned long long accesses = counters.global_load_lanes + counters.global_store_lanes +
                                      counters.shared_load_lanes + counters.shared_store_lanes;
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("{\"seconds\": %.6f, \"accesses\": %llu, \"threads\": %llu, \"peak_mib\": %.1f}\n",
              seconds.count(), accesses, static_cast<unsigned long long>(counters.threads),
              static_cast<double>(usage.ru_maxrss) / 1024);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "simt-benchmark: %s\n", error.what());
  return 1;
}
