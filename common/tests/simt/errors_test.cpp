#include "simulation.hpp"

#include <cstdint>
#include <cstring>
#include <doctest/doctest.h>

using namespace simt;

namespace {

/// The error is what CUDA 13 answers on an H200.
void check_refused(Report report, cudaError_t error = cudaErrorInvalidValue) {
  CHECK(report.kernels.empty());
  // The modules' functions do not ask for the error.
  CHECK(std::erase_if(report.diagnostics, [](const Finding& d) { return d.id == "unchecked-launch"; }) == 1);
  the_only(report, "invalid-launch");
  CHECK(cudaPeekAtLastError() == error);
  CHECK(cudaGetLastError() == error);
  CHECK(cudaGetLastError() == cudaSuccess);
}

/// The one diagnostic of that id; there may be others beside it.
Finding with_id(const Report& report, const std::string& id) {
  std::vector<Finding> found;
  for (const Finding& diagnostic : report.diagnostics)
    if (diagnostic.id == id) found.push_back(diagnostic);
  REQUIRE(found.size() == 1);
  return found.front();
}

} // namespace

TEST_CASE("launches outside the device's limits fail with the device's error and do not run") {
  FreshDevice fresh;
  check_refused(SIMT_RUN("launch_nothing", 1, 1025));
  check_refused(SIMT_RUN("launch_nothing", 0, 32));
  check_refused(SIMT_RUN("launch_nothing", 1, 0));
  check_refused(SIMT_RUN("launch_grid_y", 65536));
  check_refused(SIMT_RUN("launch_block_z", 65));
  CHECK(SIMT_RUN("launch_nothing", 2, 1024).kernels[0].counters.threads == 2048);
  CHECK(SIMT_RUN("launch_block_z", 64).kernels.size() == 1);
}

TEST_CASE("more than 48 KiB of dynamic shared memory needs the attribute") {
  FreshDevice fresh;
  Buffer<int> out(1);
  CHECK(SIMT_RUN("launch_shared", out.get(), 48 * 1024).diagnostics.empty());
  check_refused(SIMT_RUN("launch_shared", out.get(), 48 * 1024 + 4));
  auto opt_in = reinterpret_cast<int (*)(int)>(find_function("opt_in"));
  CHECK(opt_in(227 * 1024 + 1) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(opt_in(227 * 1024) == cudaSuccess);
  CHECK(SIMT_RUN("launch_shared", out.get(), 227 * 1024).diagnostics.empty());
  CHECK(SIMT_RUN("launch_shared_deduced", out.get(), 227 * 1024).diagnostics.empty());
  CHECK(opt_in(48 * 1024) == cudaSuccess);
}

TEST_CASE("without the attribute static arrays and dynamic memory share 48 KiB") {
  FreshDevice fresh;
  Buffer<int> out(1);
  constexpr int table = 8 * 1024; // bytes of the kernel's static array
  CHECK(SIMT_RUN("launch_both_kinds", out.get(), 48 * 1024 - table).diagnostics.empty());
  const Report report = SIMT_RUN("launch_both_kinds", out.get(), 48 * 1024 - table + 4);
  CHECK(message_of(with_id(report, "invalid-launch")).find("49152 in all for this kernel") !=
        std::string::npos);
}

TEST_CASE("static arrays come on top of the dynamic memory opted in to, up to what a block may have") {
  FreshDevice fresh;
  Buffer<int> out(1);
  constexpr int table = 8 * 1024;
  const auto opt_in = reinterpret_cast<int (*)(int)>(find_function("opt_in_both_kinds"));
  CHECK(opt_in(128 * 1024) == cudaSuccess);
  CHECK(SIMT_RUN("launch_both_kinds", out.get(), 128 * 1024).diagnostics.empty());
  check_refused(SIMT_RUN("launch_both_kinds", out.get(), 128 * 1024 + 4));
  CHECK(opt_in(227 * 1024) == cudaSuccess);
  CHECK(SIMT_RUN("launch_both_kinds", out.get(), 227 * 1024 - table).diagnostics.empty());
  const Report report = SIMT_RUN("launch_both_kinds", out.get(), 227 * 1024 - table + 4);
  CHECK(message_of(with_id(report, "invalid-launch")).find("232448 in all for this kernel") !=
        std::string::npos);
}

TEST_CASE("__launch_bounds__ limits launches and is reported as an attribute") {
  FreshDevice fresh;
  CHECK(SIMT_RUN("launch_bounded", 128).diagnostics.empty());
  check_refused(SIMT_RUN("launch_bounded", 129));
  CHECK(call<int>("max_threads_of_bounded") == 128);
}

TEST_CASE("occupancy is limited by threads, blocks and shared memory") {
  auto occupancy = reinterpret_cast<int (*)(int, int)>(find_function("occupancy"));
  CHECK(occupancy(1024, 0) == 2);
  CHECK(occupancy(32, 0) == 32);
  CHECK(occupancy(128, 48 * 1024) == 4);
  // Not allowed without the attribute, so not resident.
  CHECK(occupancy(32, 100 * 1024) == 0);
}

TEST_CASE("a failed assertion in a kernel ends it with its own error") {
  FreshDevice fresh;
  Buffer<int> out(4);
  Finding d = the_only(SIMT_RUN("launch_failing_assertion", out.get()), "assertion-failed");
  CHECK(message_of(d).find("threadIdx.x") != std::string::npos);
  CHECK(d.participants[0].thread->thread[0] == 3);
  CHECK(cudaDeviceSynchronize() == cudaErrorAssert);
}

TEST_CASE("a sticky error stays until the device is reset") {
  FreshDevice fresh;
  Buffer<int> out(4);
  SIMT_RUN("launch_failing_assertion", out.get());
  int value = 0;
  CHECK(cudaMemcpy(&value, out.get(), 4, cudaMemcpyDeviceToHost) == cudaErrorAssert);
  CHECK(cudaGetLastError() == cudaErrorAssert);
  CHECK(cudaGetLastError() == cudaErrorAssert);
  CHECK(SIMT_RUN("launch_nothing", 1, 1).kernels.empty());
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(SIMT_RUN("launch_nothing", 1, 1).kernels.size() == 1);
}

TEST_CASE("copies check the device's ranges and the direction") {
  FreshDevice fresh;
  int host[4] = {1, 2, 3, 4};
  int* device = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&device), sizeof host) == cudaSuccess);
  CHECK(reinterpret_cast<std::uintptr_t>(device) % 256 == 0);
  CHECK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(device, host, sizeof host + 1, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host, device + 1, sizeof host, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host, device, 4, static_cast<cudaMemcpyKind>(9)) == cudaErrorInvalidMemcpyDirection);
  host[0] = 0;
  CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDefault) == cudaSuccess);
  CHECK(host[0] == 1);
  CHECK(cudaMemset(device, 0, sizeof host + 1) == cudaErrorInvalidValue);
  CHECK(cudaFree(device + 1) == cudaErrorInvalidValue);
  CHECK(cudaFree(device) == cudaSuccess);
  CHECK(cudaFree(device) == cudaErrorInvalidValue);
  CHECK(cudaFree(nullptr) == cudaSuccess);
}

TEST_CASE("memory runs out at the device's size and comes back when freed") {
  FreshDevice fresh;
  std::size_t free_bytes = 0, total = 0;
  REQUIRE(cudaMemGetInfo(&free_bytes, &total) == cudaSuccess);
  void *big = nullptr, *more = nullptr;
  CHECK(cudaMalloc(&big, free_bytes) == cudaSuccess);
  CHECK(cudaMalloc(&more, 1) == cudaErrorMemoryAllocation);
  CHECK(more == nullptr);
  CHECK(cudaFree(big) == cudaSuccess);
  CHECK(cudaMalloc(&more, 1) == cudaSuccess);
  cudaFree(more);
}

TEST_CASE("the device presents itself as sm_90 with its limits") {
  cudaDeviceProp properties;
  REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  CHECK(properties.major == 9);
  CHECK(properties.multiProcessorCount == 132);
  CHECK(properties.sharedMemPerBlockOptin == 227 * 1024);
  CHECK(cudaGetDeviceProperties(&properties, 1) == cudaErrorInvalidDevice);
  int value = 0;
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0) == cudaSuccess);
  CHECK(value == 1024);
}

TEST_CASE("error codes have the names and numbers of the runtime API") {
  CHECK(static_cast<int>(cudaErrorInvalidConfiguration) == 9);
  CHECK(static_cast<int>(cudaErrorIllegalAddress) == 700);
  CHECK(std::strcmp(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation") == 0);
  CHECK(std::strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
}

TEST_CASE("events measure time in the order in which they were recorded") {
  cudaEvent_t start, end;
  REQUIRE(cudaEventCreate(&start) == cudaSuccess);
  REQUIRE(cudaEventCreate(&end) == cudaSuccess);
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, start, end) == cudaErrorInvalidResourceHandle);
  cudaEventRecord(start, nullptr);
  cudaEventRecord(end, nullptr);
  cudaEventSynchronize(end);
  CHECK(cudaEventElapsedTime(&milliseconds, start, end) == cudaSuccess);
  CHECK(milliseconds >= 0);
  cudaEventDestroy(start);
  cudaEventDestroy(end);
  cudaGetLastError();
}
