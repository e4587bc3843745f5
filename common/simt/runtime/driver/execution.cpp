// The driver API's streams, events, launches and occupancy.
#include "simt/runtime/api/launching.hpp"
#include "simt/runtime/api/stream.hpp"
#include "simt/runtime/driver/calls.hpp"
#include "simt/runtime/graph/capture.hpp"
#include "simt/runtime/graph/work.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/schedule/unfinished.hpp"

#include <algorithm>

using namespace simt;

namespace simt {

cudaError_t launch_entry(const void* kernel, const simt_launch_config& config, cudaStream_t stream,
                         void** arguments, void** extra, const void* caller) {
  if (sticky_error() != cudaSuccess) return sticky_error();
  if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
  const simt_kernel_entry* entry = find_entry(kernel);
  const dim3 grid(config.grid.x, config.grid.y, config.grid.z);
  const dim3 block(config.block.x, config.block.y, config.block.z);
  void* none[1];
  const bool has_arguments = !entry || entry->count > 0 || extra;
  const cudaKernelNodeParams params = {
      const_cast<void*>(kernel),        grid, block, static_cast<unsigned>(config.shared_bytes),
      has_arguments ? arguments : none, extra};
  KernelWork work;
  if (const cudaError_t error = fill_kernel_work(work, &params, nullptr, caller); error != cudaSuccess)
    return error;
  work.config = config;
  const Issued issued = issue_into(stream);
  if (issued.error != cudaSuccess) return issued.error;
  if (issued.how == Issue::run) {
    const IntoStream into(number_of(stream));
    return run_kernel_work(work);
  }
  const cudaError_t error = check_kernel_work(work);
  if (error == cudaSuccess) record_work(stream, std::move(work));
  return error;
}

} // namespace simt

namespace {

/// A launch of a kernel that is known by its address; `caller` is where the program calls the API.
CUresult launch(CUfunction function, const simt_launch_config& config, CUstream stream, void** arguments,
                void** extra, const void* caller) {
  if (arguments && extra) return CUDA_ERROR_INVALID_VALUE;
  return driver_call([&]() -> cudaError_t {
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (!find_entry(function)) return cudaErrorInvalidResourceHandle;
    return launch_entry(function, config, stream, arguments, extra, caller);
  });
}

simt_launch_config config_of(unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                             unsigned block_y, unsigned block_z, unsigned shared_bytes) {
  simt_launch_config config{};
  config.grid = {grid_x, grid_y, grid_z};
  config.block = {block_x, block_y, block_z};
  config.shared_bytes = shared_bytes;
  config.returns_error = true;
  return config;
}

/// A question about a kernel.
template <class Ask>
CUresult ask(CUfunction function, const Ask& question) {
  if (!find_entry(function)) return CUDA_ERROR_INVALID_HANDLE;
  return driver_call(question);
}

} // namespace

extern "C" {

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  const HostCall turn;
  return driver_call([&] { return cudaStreamCreateWithFlags(stream, flags); });
}
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  const HostCall turn;
  return driver_call([&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}
CUresult cuStreamDestroy(CUstream stream) {
  const HostCall turn;
  return driver_call([&] { return cudaStreamDestroy(stream); });
}
CUresult cuStreamSynchronize(CUstream stream) {
  const HostCall turn;
  return driver_call([&] { return cudaStreamSynchronize(stream); });
}
CUresult cuStreamQuery(CUstream stream) {
  const HostCall turn;
  return driver_call([&] { return cudaStreamQuery(stream); });
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  const HostCall turn;
  return driver_call([&] { return cudaStreamWaitEvent(stream, event, flags); });
}
CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  const HostCall turn;
  return driver_call([&] { return cudaStreamGetPriority(stream, priority); });
}
CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  const HostCall turn;
  return driver_call([&] { return cudaStreamGetFlags(stream, flags); });
}
CUresult cuStreamGetId(CUstream stream, unsigned long long* number) {
  const HostCall turn;
  return driver_call([&] { return cudaStreamGetId(stream, number); });
}
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data, unsigned flags) {
  const HostCall turn;
  if (!callback || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult missing = missing_state(true); missing != CUDA_SUCCESS) return missing;
  struct Call {
    CUstreamCallback callback;
    void* data;
  } call{callback, data};
  return driver_call([&] {
    return cudaStreamAddCallback(
        stream,
        [](cudaStream_t of, cudaError_t status, void* passed) {
          const auto& wanted = *static_cast<const Call*>(passed);
          wanted.callback(of, as_driver_result(status), wanted.data);
        },
        &call, 0);
  });
}
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  const HostCall turn;
  return driver_call([&] { return cudaLaunchHostFunc(stream, function, data); });
}
CUresult cuEventCreate(CUevent* event, unsigned flags) {
  const HostCall turn;
  return driver_call([&] { return cudaEventCreateWithFlags(event, flags); });
}
CUresult cuEventDestroy(CUevent event) {
  const HostCall turn;
  return driver_call([&] { return cudaEventDestroy(event); });
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  const HostCall turn;
  return driver_call([&] { return cudaEventRecord(event, stream); });
}
CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  const HostCall turn;
  return driver_call([&] { return cudaEventRecordWithFlags(event, stream, flags); });
}
CUresult cuEventSynchronize(CUevent event) {
  const HostCall turn;
  return driver_call([&] { return cudaEventSynchronize(event); });
}
CUresult cuEventQuery(CUevent event) {
  const HostCall turn;
  return driver_call([&] { return cudaEventQuery(event); });
}
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  const HostCall turn;
  return driver_call([&] { return cudaEventElapsedTime(milliseconds, start, end); });
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUstream stream, void** arguments, void** extra) {
  const HostCall turn;
  return launch(function, config_of(grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes), stream,
                arguments, extra, __builtin_return_address(0));
}
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z,
                                   unsigned shared_bytes, CUstream stream, void** arguments) {
  const HostCall turn;
  simt_launch_config config = config_of(grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes);
  config.cooperative = true;
  return launch(function, config, stream, arguments, nullptr, __builtin_return_address(0));
}
CUresult cuLaunchKernelEx(const CUlaunchConfig* wanted, CUfunction function, void** arguments, void** extra) {
  const HostCall turn;
  if (!wanted || (wanted->numAttrs > 0 && !wanted->attrs)) return CUDA_ERROR_INVALID_VALUE;
  const CUlaunchConfig& w = *wanted;
  simt_launch_config config =
      config_of(w.gridDimX, w.gridDimY, w.gridDimZ, w.blockDimX, w.blockDimY, w.blockDimZ, w.sharedMemBytes);
  for (unsigned i = 0; i < w.numAttrs; ++i) {
    const CUlaunchAttributeValue& value = w.attrs[i].value;
    if (w.attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) config.cooperative = value.cooperative != 0;
    if (w.attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      config.cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
    if (w.attrs[i].id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT)
      config.unknown_attribute = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT;
  }
  return launch(function, config, w.hStream, arguments, extra, __builtin_return_address(0));
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  const HostCall turn;
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  cudaFuncAttributes a;
  const CUresult result = ask(function, [&] { return cudaFuncGetAttributes(&a, function); });
  if (result != CUDA_SUCCESS) return result;
  const std::pair<CUfunction_attribute, int> values[] = {
      {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, a.maxThreadsPerBlock},
      {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, static_cast<int>(a.sharedSizeBytes)},
      {CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, static_cast<int>(a.constSizeBytes)},
      {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, static_cast<int>(a.localSizeBytes)},
      {CU_FUNC_ATTRIBUTE_NUM_REGS, a.numRegs},
      {CU_FUNC_ATTRIBUTE_PTX_VERSION, a.ptxVersion},
      {CU_FUNC_ATTRIBUTE_BINARY_VERSION, a.binaryVersion},
      {CU_FUNC_ATTRIBUTE_CACHE_MODE_CA, a.cacheModeCA},
      {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, a.maxDynamicSharedSizeBytes},
      {CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, a.preferredShmemCarveout},
      {CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET, a.clusterDimMustBeSet},
      {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, a.requiredClusterWidth},
      {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, a.requiredClusterHeight},
      {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, a.requiredClusterDepth},
      {CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, a.nonPortableClusterSizeAllowed},
      {CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, a.clusterSchedulingPolicyPreference}};
  for (const auto& [known, number] : values)
    if (known == attribute) {
      *value = number;
      return CUDA_SUCCESS;
    }
  return CUDA_ERROR_INVALID_VALUE;
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  const HostCall turn;
  // The numbers are those of the runtime API.
  return ask(function, [&] {
    return cudaFuncSetAttribute(function, static_cast<cudaFuncAttribute>(attribute), value);
  });
}
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  const HostCall turn;
  return ask(function, [&] { return cudaFuncSetCacheConfig(function, static_cast<cudaFuncCache>(config)); });
}
CUresult cuFuncGetName(const char** name, CUfunction function) {
  const HostCall turn;
  return ask(function, [&] { return cudaFuncGetName(name, static_cast<const void*>(function)); });
}
CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset, size_t* size) {
  const HostCall turn;
  return ask(function, [&] { return cudaFuncGetParamInfo(function, index, offset, size); });
}
CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  const HostCall turn;
  if (!function) return CUDA_ERROR_INVALID_VALUE;
  return driver_call([&] { return cudaGetFuncBySymbol(function, kernel); });
}
CUresult cuKernelGetName(const char** name, CUkernel kernel) {
  const HostCall turn;
  return driver_call([&] { return cudaFuncGetName(name, static_cast<const void*>(kernel)); });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int block_size,
                                                     size_t shared_bytes) {
  const HostCall turn;
  return ask(function, [&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size, shared_bytes);
  });
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function,
                                                              int block_size, size_t shared_bytes,
                                                              unsigned flags) {
  const HostCall turn;
  return ask(function, [&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size, shared_bytes,
                                                                  flags);
  });
}
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, CUfunction function, int blocks,
                                                 int block_size) {
  const HostCall turn;
  return ask(function,
             [&] { return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, block_size); });
}
CUresult cuOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, CUfunction function,
                                          CUoccupancyB2DSize shared_bytes_of, size_t shared_bytes,
                                          int limit) {
  const HostCall turn;
  if (!grid_size || !block_size) return CUDA_ERROR_INVALID_VALUE;
  cudaFuncAttributes attributes;
  CUresult result = ask(function, [&] { return cudaFuncGetAttributes(&attributes, function); });
  int most_threads = 0, multiprocessors = 0;
  const int largest =
      limit > 0 ? std::min(limit, attributes.maxThreadsPerBlock) : attributes.maxThreadsPerBlock;
  for (int size = (largest + 31) / 32 * 32; size > 0 && result == CUDA_SUCCESS; size -= 32) {
    const int threads = std::min(size, largest);
    const std::size_t bytes = shared_bytes_of ? shared_bytes_of(threads) : shared_bytes;
    int blocks = 0;
    result = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, bytes);
    if (blocks * threads <= most_threads) continue;
    most_threads = blocks * threads;
    *block_size = threads;
    *grid_size = blocks;
  }
  if (result != CUDA_SUCCESS) return result;
  result = cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0);
  if (most_threads == 0) *grid_size = *block_size = 0;
  *grid_size *= multiprocessors;
  return result;
}
}
