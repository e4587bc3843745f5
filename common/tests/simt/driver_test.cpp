// The driver API: start, contexts, memory, launches and virtual memory. Codes are those of CUDA 13.
#include "simulation.hpp"

#include "cuda.h"

#include <cstdint>
#include <cstring>
#include <doctest/doctest.h>
#include <set>
#include <utility>

using namespace simt;

namespace {

/// Memory of 4 MiB that is mapped; its contents outlive the mapping.
struct Pool {
  static constexpr std::size_t bytes = std::size_t{4} << 20;
  CUmemAllocationProp properties{
      CU_MEM_ALLOCATION_TYPE_PINNED, CU_MEM_HANDLE_TYPE_NONE, {CU_MEM_LOCATION_TYPE_DEVICE, 0}, nullptr, {}};
  CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CUmemGenericAllocationHandle handle = 0;
};

CUfunction function(const char* name) {
  cudaFunction_t found = nullptr;
  REQUIRE(cudaGetFuncBySymbol(&found, kernel(name)) == cudaSuccess);
  return found;
}

struct FreshContext {
  FreshContext() {
    cudaDeviceReset();
    REQUIRE(cuInit(0) == CUDA_SUCCESS);
    REQUIRE(cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS);
    REQUIRE(cuCtxPushCurrent(context) == CUDA_SUCCESS);
  }
  ~FreshContext() {
    cuCtxPopCurrent(nullptr);
    cuDevicePrimaryCtxRelease(0);
    cudaDeviceReset();
    take_report();
  }
  CUcontext context = nullptr;
};

} // namespace

TEST_CASE("before cuInit nothing can be called, and before there is a context no memory is given") {
  // The first case of the program: nothing has been called.
  int count = 0;
  CUdeviceptr pointer = 0;
  CHECK(cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED);
  CHECK(cuInit(1) == CUDA_ERROR_INVALID_VALUE);
  REQUIRE(cuInit(0) == CUDA_SUCCESS);
  CHECK(cuDeviceGetCount(&count) == CUDA_SUCCESS);
  CHECK(count == 1);
  CHECK(cuMemAlloc(&pointer, 4) == CUDA_ERROR_INVALID_CONTEXT);
  CUcontext context = nullptr, found = nullptr;
  REQUIRE(cuCtxCreate(&context, nullptr, 0, 0) == CUDA_SUCCESS);
  CHECK(cuCtxGetCurrent(&found) == CUDA_SUCCESS);
  CHECK(found == context);
  CHECK(cuMemAlloc(&pointer, 4) == CUDA_SUCCESS);
  CHECK(cuMemFree(pointer) == CUDA_SUCCESS);
  CHECK(cuCtxDestroy(context) == CUDA_SUCCESS);
  CHECK(cuCtxDestroy(context) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuCtxGetCurrent(&found) == CUDA_SUCCESS);
  CHECK(found == nullptr);
  REQUIRE(cudaFree(nullptr) == cudaSuccess); // the runtime API makes the primary context current
  CHECK(cuCtxGetCurrent(&found) == CUDA_SUCCESS);
  CHECK(found != nullptr);
}

TEST_CASE("each error code has a name and a sentence") {
  std::set<std::string> names;
  const CUresult codes[] = {
#define SIMT_DRIVER_ERROR(name, value, sentence) name,
#include "simt_shim/driver_error_codes.inc"
#undef SIMT_DRIVER_ERROR
  };
  for (const CUresult code : codes) {
    const char *name = nullptr, *text = nullptr;
    CHECK(cuGetErrorName(code, &name) == CUDA_SUCCESS);
    CHECK(cuGetErrorString(code, &text) == CUDA_SUCCESS);
    CHECK(std::strlen(text) > 5);
    names.insert(name);
  }
  CHECK(names.size() == std::size(codes));
  CHECK(names.contains("CUDA_ERROR_STREAM_CAPTURE_IMPLICIT"));
  const char* name = "";
  CHECK(cuGetErrorName(static_cast<CUresult>(12345), &name) == CUDA_ERROR_INVALID_VALUE);
  CHECK(name == nullptr);
}

TEST_CASE("devices, limits and contexts answer") {
  FreshContext fresh;
  CUdevice device = 7;
  CHECK(cuDeviceGet(&device, 1) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(cuDeviceGet(&device, 0) == CUDA_SUCCESS);
  char name[8];
  CHECK(cuDeviceGetName(name, sizeof name, device) == CUDA_SUCCESS);
  CHECK(std::strlen(name) == 7);
  std::size_t bytes = 0, free_bytes = 0, total = 0;
  CHECK(cuDeviceTotalMem(&bytes, device) == CUDA_SUCCESS);
  CHECK(cuMemGetInfo(&free_bytes, &total) == CUDA_SUCCESS);
  CHECK(total == bytes);
  int major = 0, minor = 9, value = 0;
  CHECK(cuDeviceComputeCapability(&major, &minor, device) == CUDA_SUCCESS);
  CHECK(major == 9);
  CHECK(minor == 0);
  CHECK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device) == CUDA_SUCCESS);
  CHECK(value == 32);
  CHECK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, device) == CUDA_SUCCESS);
  CHECK(value == 0);
  CHECK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 3) == CUDA_ERROR_INVALID_DEVICE);
  CUdevprop properties;
  CHECK(cuDeviceGetProperties(nullptr, device) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuDeviceGetProperties(&properties, 3) == CUDA_ERROR_INVALID_DEVICE);
  REQUIRE(cuDeviceGetProperties(&properties, device) == CUDA_SUCCESS);
  const std::pair<int, CUdevice_attribute> told[] = {
      {properties.maxThreadsPerBlock, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
      {properties.maxThreadsDim[0], CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X},
      {properties.maxThreadsDim[2], CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z},
      {properties.maxGridSize[0], CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X},
      {properties.maxGridSize[1], CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y},
      {properties.sharedMemPerBlock, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK},
      {properties.totalConstantMemory, CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY},
      {properties.SIMDWidth, CU_DEVICE_ATTRIBUTE_WARP_SIZE},
      {properties.memPitch, CU_DEVICE_ATTRIBUTE_MAX_PITCH},
      {properties.regsPerBlock, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK},
      {properties.clockRate, CU_DEVICE_ATTRIBUTE_CLOCK_RATE},
      {properties.textureAlign, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT}};
  for (const auto& [property, attribute] : told) {
    CHECK(cuDeviceGetAttribute(&value, attribute, device) == CUDA_SUCCESS);
    CHECK(property == value);
  }
  std::size_t limit = 0;
  CHECK(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 1 << 20) == CUDA_SUCCESS);
  CHECK(cuCtxGetLimit(&limit, CU_LIMIT_MALLOC_HEAP_SIZE) == CUDA_SUCCESS);
  CHECK(limit == 1 << 20);
  unsigned flags = 9;
  int active = 0;
  CHECK(cuDevicePrimaryCtxGetState(device, &flags, &active) == CUDA_SUCCESS);
  CHECK(active == 1);
  CUcontext context = nullptr;
  CHECK(cuCtxSetCurrent(reinterpret_cast<CUcontext>(&value)) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuCtxPopCurrent(&context) == CUDA_SUCCESS);
  CHECK(context == fresh.context);
  CHECK(cuCtxPopCurrent(&context) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuCtxSetCurrent(fresh.context) == CUDA_SUCCESS);
  CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
}

TEST_CASE("functions are found by their names") {
  FreshContext fresh;
  void* found = nullptr;
  CUdriverProcAddressQueryResult status;
  CHECK(cuGetProcAddress("cuMemAlloc", &found, 13000, 0, &status) == CUDA_SUCCESS);
  CHECK(status == CU_GET_PROC_ADDRESS_SUCCESS);
  CHECK(found == reinterpret_cast<void*>(&cuMemAlloc));
  CHECK(cuGetProcAddress("cuNoSuchFunction", &found, 13000, 0, &status) == CUDA_SUCCESS);
  CHECK(status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  CHECK(found == nullptr);
  CHECK(cuGetProcAddress("cuMemAlloc", &found, 99999, 0, &status) == CUDA_SUCCESS);
  CHECK(status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
}

TEST_CASE("memory is given, copied, set and described") {
  FreshContext fresh;
  CUdeviceptr a = 0, b = 0;
  CHECK(cuMemAlloc(&a, 0) == CUDA_ERROR_INVALID_VALUE);
  REQUIRE(cuMemAlloc(&a, 64) == CUDA_SUCCESS);
  REQUIRE(cuMemAlloc(&b, 64) == CUDA_SUCCESS);
  unsigned char host[64] = {}, back[64] = {};
  for (int i = 0; i < 64; ++i) host[i] = static_cast<unsigned char>(i);
  CHECK(cuMemcpyHtoD(a, host, 64) == CUDA_SUCCESS);
  CHECK(cuMemcpyDtoD(b, a, 64) == CUDA_SUCCESS);
  CHECK(cuMemsetD16(b, 0x0102, 2) == CUDA_SUCCESS);
  CHECK(cuMemsetD8(b + 5, 9, 1) == CUDA_SUCCESS);
  CHECK(cuMemsetD2D32(b + 8, 16, 0x0a0b0c0d, 1, 2) == CUDA_SUCCESS);
  CHECK(cuMemsetD32(b + 2, 0, 1) == CUDA_ERROR_INVALID_VALUE); // not where an element may lie
  CHECK(cuMemcpyDtoH(back, b, 64) == CUDA_SUCCESS);
  CHECK(back[0] == 2);
  CHECK(back[3] == 1);
  CHECK(back[4] == 4);
  CHECK(back[5] == 9);
  CHECK(back[8] == 0x0d);
  CHECK(back[24] == 0x0d);
  CHECK(back[28] == 28);
  CHECK(cuMemcpyHtoD(a, host, 65) == CUDA_ERROR_INVALID_VALUE);
  CUDA_MEMCPY2D rows = {};
  rows.srcMemoryType = CU_MEMORYTYPE_DEVICE, rows.srcDevice = a, rows.srcPitch = 16, rows.srcXInBytes = 4;
  rows.dstMemoryType = CU_MEMORYTYPE_HOST, rows.dstHost = back, rows.dstPitch = 4;
  rows.WidthInBytes = 4, rows.Height = 3, rows.srcY = 1;
  CHECK(cuMemcpy2D(&rows) == CUDA_SUCCESS);
  CHECK(back[0] == 20);
  CHECK(back[4] == 36);
  CHECK(back[11] == 55);
  rows.Height = 4;
  CHECK(cuMemcpy2D(&rows) == CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr base = 0;
  std::size_t bytes = 0;
  CHECK(cuMemGetAddressRange(&base, &bytes, a + 10) == CUDA_SUCCESS);
  CHECK(base == a);
  CHECK(bytes == 64);
  unsigned type = 0, managed = 7;
  CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED};
  void* values[] = {&type, &managed};
  CHECK(cuPointerGetAttributes(2, attributes, values, a) == CUDA_SUCCESS);
  CHECK(type == CU_MEMORYTYPE_DEVICE);
  CHECK(managed == 0);
  CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CUdeviceptr(host)) ==
        CUDA_ERROR_INVALID_VALUE);
  CHECK(cudaPeekAtLastError() == cudaSuccess); // the runtime API has heard of none of these errors
  CHECK(cuMemFree(a) == CUDA_SUCCESS);
  CHECK(cuMemFree(a) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemFree(b) == CUDA_SUCCESS);
  void* locked = nullptr;
  CHECK(cuMemAllocHost(&locked, 16) == CUDA_SUCCESS);
  CHECK(cuMemHostGetDevicePointer(&a, locked, 0) == CUDA_SUCCESS);
  CHECK(a == CUdeviceptr(locked));
  CHECK(cuMemFreeHost(locked) == CUDA_SUCCESS);
}

TEST_CASE("kernels are launched by their functions, and captured too") {
  FreshContext fresh;
  Buffer<int> values(32);
  const CUfunction increase = function("kernel_increase");
  int* pointer = values.get();
  int by = 4, n = 32;
  void* arguments[] = {&pointer, &by, &n};
  CHECK(cuLaunchKernel(increase, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS);
  CHECK(values.values() == std::vector<int>(32, 4));
  CHECK(cuLaunchKernel(increase, 1, 1, 1, 2048, 1, 1, 0, nullptr, arguments, nullptr) ==
        CUDA_ERROR_INVALID_VALUE);
  CHECK(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) ==
        CUDA_ERROR_INVALID_HANDLE);
  CHECK(cudaPeekAtLastError() == cudaSuccess);
  int value = 0;
  CHECK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, increase) == CUDA_SUCCESS);
  CHECK(value == 1024);
  CHECK(cuFuncSetAttribute(increase, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 16) ==
        CUDA_SUCCESS);
  CHECK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, increase) ==
        CUDA_SUCCESS);
  CHECK(value == 1 << 16);
  const char* name = nullptr;
  CHECK(cuFuncGetName(&name, increase) == CUDA_SUCCESS);
  CHECK(std::string(name) == "increase");
  int blocks = 0, grid = 0, block = 0;
  CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, increase, 256, 0) == CUDA_SUCCESS);
  CHECK(blocks == 8);
  CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, increase, nullptr, 0, 0) == CUDA_SUCCESS);
  CHECK(block == 1024);
  CHECK(grid == 2 * 132);

  CUstream stream = nullptr;
  REQUIRE(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  CHECK(cuLaunchKernel(increase, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr) == CUDA_SUCCESS);
  CHECK(cuMemsetD32Async(CUdeviceptr(pointer), 1, 1, stream) == CUDA_SUCCESS);
  CHECK(cuStreamSynchronize(stream) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated);
  CHECK(cuStreamDestroy(stream) == CUDA_SUCCESS);
  CHECK(cuStreamDestroy(stream) == CUDA_ERROR_INVALID_HANDLE);
}

TEST_CASE("a range of addresses can be used where memory is mapped and open, and memory keeps its contents") {
  FreshContext fresh;
  Pool pool;
  std::size_t granularity = 0, before = 0, after = 0, total = 0;
  CHECK(cuMemGetAllocationGranularity(&granularity, &pool.properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM) ==
        CUDA_SUCCESS);
  REQUIRE(pool.bytes % granularity == 0);
  CUdeviceptr base = 0, elsewhere = 0;
  CHECK(cuMemAddressReserve(&base, 100, 0, 0, 0) == CUDA_ERROR_INVALID_VALUE);
  REQUIRE(cuMemAddressReserve(&base, 4 * pool.bytes, 0, 0, 0) == CUDA_SUCCESS);
  REQUIRE(cuMemAddressReserve(&elsewhere, pool.bytes, 0, 0, 0) == CUDA_SUCCESS);
  REQUIRE(cuMemGetInfo(&before, &total) == CUDA_SUCCESS);
  REQUIRE(cuMemCreate(&pool.handle, pool.bytes, &pool.properties, 0) == CUDA_SUCCESS);
  REQUIRE(cuMemGetInfo(&after, &total) == CUDA_SUCCESS);
  CHECK(before - after == pool.bytes);
  CHECK(cuMemsetD8(base, 1, 4) == CUDA_ERROR_INVALID_VALUE); // nothing is there
  CHECK(cuMemSetAccess(base, pool.bytes, &pool.access, 1) == CUDA_ERROR_INVALID_VALUE);
  REQUIRE(cuMemMap(base, pool.bytes, 0, pool.handle, 0) == CUDA_SUCCESS);
  CHECK(cuMemMap(base, pool.bytes, 0, pool.handle, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemsetD8(base, 1, 4) == CUDA_ERROR_INVALID_VALUE); // not open yet
  REQUIRE(cuMemSetAccess(base, pool.bytes, &pool.access, 1) == CUDA_SUCCESS);
  CHECK(cuMemsetD8(base, 7, pool.bytes) == CUDA_SUCCESS);
  CHECK(cuMemsetD8(base + pool.bytes, 7, 1) == CUDA_ERROR_INVALID_VALUE); // behind it
  unsigned long long flags = 0;
  CHECK(cuMemGetAccess(&flags, &pool.access.location, base) == CUDA_SUCCESS);
  CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  CHECK(cuMemAddressFree(base, 4 * pool.bytes) == CUDA_ERROR_INVALID_VALUE); // still mapped
  CHECK(cudaFree(reinterpret_cast<void*>(base)) == cudaErrorInvalidValue);
  cudaGetLastError();

  // The range grows by a second piece; a copy goes over both.
  CUmemGenericAllocationHandle more = 0;
  REQUIRE(cuMemCreate(&more, pool.bytes, &pool.properties, 0) == CUDA_SUCCESS);
  REQUIRE(cuMemMap(base + pool.bytes, pool.bytes, 0, more, 0) == CUDA_SUCCESS);
  REQUIRE(cuMemSetAccess(base, 2 * pool.bytes, &pool.access, 1) == CUDA_SUCCESS);
  CHECK(cuMemsetD8(base + pool.bytes - 4, 8, 8) == CUDA_SUCCESS);

  REQUIRE(cuMemUnmap(base, pool.bytes) == CUDA_SUCCESS);
  REQUIRE(cuMemMap(elsewhere, pool.bytes, 0, pool.handle, 0) == CUDA_SUCCESS);
  REQUIRE(cuMemSetAccess(elsewhere, pool.bytes, &pool.access, 1) == CUDA_SUCCESS);
  unsigned char ends[2] = {};
  CHECK(cuMemcpyDtoH(&ends[0], elsewhere, 1) == CUDA_SUCCESS);
  CHECK(cuMemcpyDtoH(&ends[1], elsewhere + pool.bytes - 1, 1) == CUDA_SUCCESS);
  CHECK(ends[0] == 7);
  CHECK(ends[1] == 8);
  take_report();
  const CUfunction increase = function("kernel_increase");
  int by = 1, n = 1;
  void* arguments[] = {&elsewhere, &by, &n};
  CHECK(cuLaunchKernel(increase, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS);
  CHECK(take_report().diagnostics.empty()); // what was written before counts as written
  CHECK(cuMemRelease(pool.handle) == CUDA_SUCCESS);
  CHECK(cuMemRelease(more) == CUDA_SUCCESS);
  CHECK(cuMemUnmap(elsewhere, pool.bytes) == CUDA_SUCCESS);
  CHECK(cuMemUnmap(base + pool.bytes, pool.bytes) == CUDA_SUCCESS);
  REQUIRE(cuMemGetInfo(&after, &total) == CUDA_SUCCESS);
  CHECK(after == before);
  CHECK(cuMemAddressFree(base, 4 * pool.bytes) == CUDA_SUCCESS);
  CHECK(cuMemAddressFree(elsewhere, pool.bytes) == CUDA_SUCCESS);
  CHECK(cuMemsetD8(elsewhere, 0, 1) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a kernel that uses addresses without memory gets a finding") {
  FreshContext fresh;
  CUdeviceptr base = 0;
  REQUIRE(cuMemAddressReserve(&base, Pool::bytes, 0, 0, 0) == CUDA_SUCCESS);
  int by = 1, n = 1;
  void* arguments[] = {&base, &by, &n};
  CHECK(cuLaunchKernel(function("kernel_increase"), 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr) ==
        CUDA_SUCCESS);
  const Report report = take_report();
  REQUIRE(!report.diagnostics.empty());
  CHECK(report.diagnostics.front().id == "use-after-free");
  CHECK(report.diagnostics.front().kind == "not-mapped");
}
