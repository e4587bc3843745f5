// Streams, events and asynchronous work on the host. The codes are those of CUDA 13 on an H200.
#include "simulation.hpp"

#include <cstdint>
#include <doctest/doctest.h>
#include <initializer_list>

using namespace simt;

namespace {

void count_up(void* data) { ++*static_cast<int*>(data); }
void count_up_if_fine(cudaStream_t, cudaError_t status, void* data) {
  if (status == cudaSuccess) ++*static_cast<int*>(data);
}

} // namespace

TEST_CASE("streams are created with flags and priorities and know them") {
  FreshDevice fresh;
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaStreamCreateWithFlags(&stream, 2) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  int least = 1, greatest = 1, priority = 9;
  unsigned flags = 9;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess);
  CHECK(least == 0);
  CHECK(greatest == -5);
  CHECK(cudaStreamCreateWithPriority(&stream, 7, 0) == cudaErrorInvalidValue);
  CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -99) == cudaSuccess);
  CHECK(cudaStreamGetPriority(stream, &priority) == cudaSuccess);
  CHECK(priority == -5);
  CHECK(cudaStreamGetFlags(stream, &flags) == cudaSuccess);
  CHECK(flags == cudaStreamNonBlocking);
  CHECK(cudaStreamGetPriority(nullptr, &priority) == cudaSuccess);
  CHECK(priority == 0);
  CHECK(cudaStreamGetFlags(stream, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaStreamQuery(stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(nullptr) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  for (cudaStream_t fixed : {cudaStream_t{}, cudaStreamLegacy, cudaStreamPerThread})
    CHECK(cudaStreamDestroy(fixed) == cudaErrorInvalidResourceHandle);
}

TEST_CASE("events are recorded, waited for and measured, or say why not") {
  FreshDevice fresh;
  cudaStream_t stream = nullptr;
  cudaEvent_t start = nullptr, end = nullptr, untimed = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cudaEventCreate(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaEventCreateWithFlags(&start, 99) == cudaErrorInvalidValue);
  CHECK(cudaEventCreateWithFlags(&start, cudaEventInterprocess) == cudaErrorInvalidValue);
  REQUIRE(cudaEventCreate(&start) == cudaSuccess);
  REQUIRE(cudaEventCreateWithFlags(&end, cudaEventBlockingSync) == cudaSuccess);
  REQUIRE(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming) == cudaSuccess);
  // An event that was never recorded has come.
  CHECK(cudaEventQuery(start) == cudaSuccess);
  CHECK(cudaEventSynchronize(start) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(stream, start, 0) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(stream, start, 7) == cudaErrorInvalidValue);
  CHECK(cudaStreamWaitEvent(stream, nullptr, 0) == cudaErrorInvalidResourceHandle);
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, start, end) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(start, stream) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&milliseconds, start, end) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecordWithFlags(end, stream, 5) == cudaErrorInvalidValue);
  CHECK(cudaEventRecordWithFlags(end, stream, cudaEventRecordDefault) == cudaSuccess);
  CHECK(cudaEventElapsedTime(nullptr, start, end) == cudaErrorInvalidValue);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&milliseconds, start, end) == cudaSuccess);
  CHECK(milliseconds >= 0);
  CHECK(cudaEventRecord(untimed, stream) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&milliseconds, start, untimed) == cudaErrorInvalidResourceHandle);
  for (cudaEvent_t event : {start, end, untimed}) CHECK(cudaEventDestroy(event) == cudaSuccess);
  CHECK(cudaEventDestroy(nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(nullptr, stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventQuery(nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("host functions run in their place in the stream") {
  FreshDevice fresh;
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  int calls = 0;
  CHECK(cudaLaunchHostFunc(stream, count_up, &calls) == cudaSuccess);
  CHECK(cudaStreamAddCallback(stream, count_up_if_fine, &calls, 0) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(calls == 2);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("asynchronous copies and fills check what the others check") {
  FreshDevice fresh;
  int host[16] = {1, 2, 3, 4, 5, 6, 7, 8};
  void* device = nullptr;
  REQUIRE(cudaMalloc(&device, sizeof host) == cudaSuccess);
  CHECK(cudaMemcpyAsync(device, host, 64, cudaMemcpyHostToDevice, nullptr) == cudaSuccess);
  CHECK(cudaMemcpyAsync(device, host, 68, cudaMemcpyHostToDevice, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemsetAsync(device, 0, 68, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemset(nullptr, 0, 4) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(nullptr, host, 0, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy2D(device, 4, host, 8, 8, 1, cudaMemcpyHostToDevice) == cudaErrorInvalidPitchValue);
  // Two rows of 8 bytes out of rows of 16.
  CHECK(cudaMemset2D(device, 16, 0xff, 8, 2) == cudaSuccess);
  int back[16] = {};
  CHECK(cudaMemcpy2DAsync(back, 8, device, 16, 8, 2, cudaMemcpyDeviceToHost, nullptr) == cudaSuccess);
  for (int i = 0; i < 4; ++i) CHECK(back[i] == -1);
  CHECK(cudaMemcpy(back, device, 64, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(back[2] == 3);
  CHECK(back[6] == 7);
  CHECK(cudaMemset2D(device, 4, 0, 8, 3) == cudaErrorInvalidValue);
  CHECK(cudaMemset2DAsync(device, 16, 0, 16, 5, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaFree(device) == cudaSuccess);
}
