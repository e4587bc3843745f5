// The driver API's start, devices and contexts. There is one device, and all contexts share its memory.
#include "simt/runtime/driver/calls.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/machine.hpp"
#include "simt/runtime/machine/reset.hpp"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <string>
#include <vector>

struct CUctx_st {
  unsigned flags = 0;
};

namespace simt {

namespace {

bool is_initialised = false;
CUctx_st primary;
unsigned primary_users = 0;
std::vector<std::unique_ptr<CUctx_st>> made_contexts;
thread_local std::vector<CUcontext> pushed_contexts; ///< the last one counts

bool is_context(CUcontext context) {
  return context == &primary ||
         std::ranges::any_of(made_contexts, [&](const auto& known) { return known.get() == context; });
}

/// The runtime API makes the primary one current by itself.
CUcontext current_context() {
  if (!pushed_contexts.empty()) return is_context(pushed_contexts.back()) ? pushed_contexts.back() : nullptr;
  return runtime_was_used() ? &primary : nullptr;
}

} // namespace

CUresult as_driver_result(cudaError_t error) {
  switch (error) {
  case cudaErrorInvalidConfiguration:
  case cudaErrorInvalidPitchValue:
  case cudaErrorInvalidHostPointer:
  case cudaErrorInvalidDevicePointer:
  case cudaErrorInvalidMemcpyDirection:
  case cudaErrorInvalidChannelDescriptor:
    return CUDA_ERROR_INVALID_VALUE;
  case cudaErrorInvalidSymbol:
    return CUDA_ERROR_NOT_FOUND;
  case cudaErrorInvalidDeviceFunction:
    return CUDA_ERROR_INVALID_HANDLE;
  default:
    return static_cast<CUresult>(error);
  }
}

CUresult missing_state(bool needs_context) {
  if (!is_initialised && !runtime_was_used()) return CUDA_ERROR_NOT_INITIALIZED;
  return needs_context && !current_context() ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

} // namespace simt

using namespace simt;

extern "C" {

CUresult cuGetErrorString(CUresult error, const char** text) {
  const HostCall turn;
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  *text = nullptr;
  switch (error) {
#define SIMT_DRIVER_ERROR(name, value, sentence)                                                             \
  case name:                                                                                                 \
    *text = sentence;                                                                                        \
    return CUDA_SUCCESS;
#include "simt_shim/driver_error_codes.inc"
#undef SIMT_DRIVER_ERROR
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorName(CUresult error, const char** text) {
  const HostCall turn;
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  *text = nullptr;
  switch (error) {
#define SIMT_DRIVER_ERROR(name, value, sentence)                                                             \
  case name:                                                                                                 \
    *text = #name;                                                                                           \
    return CUDA_SUCCESS;
#include "simt_shim/driver_error_codes.inc"
#undef SIMT_DRIVER_ERROR
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuInit(unsigned flags) {
  const HostCall turn;
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  initialise_machine();
  is_initialised = true;
  return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int* version) {
  const HostCall turn;
  if (!version) return CUDA_ERROR_INVALID_VALUE;
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

CUresult cuGetProcAddress(const char* name, void** function, int version, cuuint64_t,
                          CUdriverProcAddressQueryResult* status) {
  const HostCall turn;
  if (!name || !function) return CUDA_ERROR_INVALID_VALUE;
  *function = nullptr;
  const std::string text = name;
  const bool is_name = text.starts_with("cu") && !text.starts_with("cuda");
  for (const char* form : {"_v4", "_v2", ""})
    if (is_name && !*function) *function = dlsym(RTLD_DEFAULT, (text + form).c_str());
  const bool is_new_enough = version >= 2000 && version <= CUDA_VERSION;
  if (!is_new_enough) *function = nullptr;
  if (status)
    *status = *function       ? CU_GET_PROC_ADDRESS_SUCCESS
              : is_new_enough ? CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND
                              : CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
  return *function || status ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  if (ordinal != 0) return CUDA_ERROR_INVALID_DEVICE;
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* count) {
  const HostCall turn;
  return driver_call([&] { return cudaGetDeviceCount(count); }, false);
}
CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  const HostCall turn;
  cudaDeviceProp properties;
  const CUresult result = driver_call(
      [&] {
        return name && length > 0 ? cudaGetDeviceProperties(&properties, device) : cudaErrorInvalidValue;
      },
      false);
  if (result != CUDA_SUCCESS) return result;
  std::strncpy(name, properties.name, static_cast<std::size_t>(length));
  name[length - 1] = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  const HostCall turn;
  cudaDeviceProp properties;
  const CUresult result = driver_call(
      [&] { return uuid ? cudaGetDeviceProperties(&properties, device) : cudaErrorInvalidValue; }, false);
  if (result == CUDA_SUCCESS) *uuid = properties.uuid;
  return result;
}
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  const HostCall turn;
  cudaDeviceProp properties;
  const CUresult result = driver_call(
      [&] { return bytes ? cudaGetDeviceProperties(&properties, device) : cudaErrorInvalidValue; }, false);
  if (result == CUDA_SUCCESS) *bytes = properties.totalGlobalMem;
  return result;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  const HostCall turn;
  // What the runtime API does not tell.
  switch (attribute) {
  case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED:
    if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
    if (!value) return CUDA_ERROR_INVALID_VALUE;
    if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
    *value = attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED ||
             attribute == CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED; // which nothing shows
    return CUDA_SUCCESS;
  default:
    return driver_call(
        [&] { return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device); }, false);
  }
}
CUresult cuDeviceGetProperties(CUdevprop* found, CUdevice device) {
  const HostCall turn;
  cudaDeviceProp properties;
  const CUresult result = driver_call(
      [&] { return found ? cudaGetDeviceProperties(&properties, device) : cudaErrorInvalidValue; }, false);
  if (result != CUDA_SUCCESS) return result;
  *found = {};
  found->maxThreadsPerBlock = properties.maxThreadsPerBlock;
  std::ranges::copy(properties.maxThreadsDim, found->maxThreadsDim);
  std::ranges::copy(properties.maxGridSize, found->maxGridSize);
  found->sharedMemPerBlock = static_cast<int>(properties.sharedMemPerBlock);
  found->totalConstantMemory = static_cast<int>(properties.totalConstMem);
  found->SIMDWidth = properties.warpSize;
  found->memPitch = static_cast<int>(properties.memPitch);
  found->regsPerBlock = properties.regsPerBlock;
  found->clockRate = properties.clockRate;
  found->textureAlign = static_cast<int>(properties.textureAlignment);
  return CUDA_SUCCESS;
}
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  const HostCall turn;
  const CUresult result = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  return result == CUDA_SUCCESS
             ? cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device)
             : result;
}
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  const HostCall turn;
  return driver_call([&] { return cudaDeviceCanAccessPeer(can, device, peer); }, false);
}
CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
  const HostCall turn;
  return driver_call([&] { return cudaDeviceGetByPCIBusId(device, text); }, false);
}
CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device) {
  const HostCall turn;
  return driver_call([&] { return cudaDeviceGetPCIBusId(text, length, device); }, false);
}
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  const HostCall turn;
  return driver_call([&] { return cudaDeviceGetDefaultMemPool(pool, device); }, false);
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  ++primary_users;
  *context = &primary;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  if (primary_users == 0) return CUDA_ERROR_INVALID_CONTEXT;
  --primary_users;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  reset_device();
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  if ((flags & ~static_cast<unsigned>(CU_CTX_FLAGS_MASK)) != 0) return CUDA_ERROR_INVALID_VALUE;
  primary.flags = flags;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  if (!flags || !active) return CUDA_ERROR_INVALID_VALUE;
  *flags = primary.flags;
  *active = primary_users > 0 || runtime_was_used();
  return CUDA_SUCCESS;
}

CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams*, unsigned flags, CUdevice device) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  if (!context || (flags & ~static_cast<unsigned>(CU_CTX_FLAGS_MASK)) != 0) return CUDA_ERROR_INVALID_VALUE;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  *context = made_contexts.emplace_back(new CUctx_st{flags}).get();
  pushed_contexts.push_back(*context);
  return CUDA_SUCCESS;
}
CUresult cuCtxDestroy(CUcontext context) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  if (!is_context(context) || context == &primary) return CUDA_ERROR_INVALID_CONTEXT;
  if (!pushed_contexts.empty() && pushed_contexts.back() == context) pushed_contexts.pop_back();
  std::erase_if(made_contexts, [&](const auto& known) { return known.get() == context; });
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent(CUcontext context) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  if (!is_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
  pushed_contexts.push_back(context);
  return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent(CUcontext* context) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  if (pushed_contexts.empty()) return CUDA_ERROR_INVALID_CONTEXT;
  if (context) *context = pushed_contexts.back();
  pushed_contexts.pop_back();
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  if (context && !is_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
  if (!pushed_contexts.empty()) pushed_contexts.pop_back();
  if (context) pushed_contexts.push_back(context);
  return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  *context = current_context();
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* device) {
  const HostCall turn;
  return driver_call([&] { return cudaGetDevice(device); });
}
CUresult cuCtxGetFlags(unsigned* flags) {
  const HostCall turn;
  if (const CUresult missing = missing_state(true); missing != CUDA_SUCCESS) return missing;
  if (!flags) return CUDA_ERROR_INVALID_VALUE;
  *flags = current_context()->flags;
  return CUDA_SUCCESS;
}
CUresult cuCtxSynchronize(void) {
  const HostCall turn;
  return driver_call([] { return cudaDeviceSynchronize(); });
}
CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  const HostCall turn;
  return driver_call([&] { return cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value); });
}
CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  const HostCall turn;
  return driver_call([&] { return cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)); });
}
CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  const HostCall turn;
  if (const CUresult missing = missing_state(true); missing != CUDA_SUCCESS) return missing;
  if (!config) return CUDA_ERROR_INVALID_VALUE;
  *config = CU_FUNC_CACHE_PREFER_NONE;
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCacheConfig(CUfunc_cache) {
  const HostCall turn;
  return missing_state(true);
}
CUresult cuCtxGetApiVersion(CUcontext context, unsigned* version) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  if (context && !is_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
  if (!version) return CUDA_ERROR_INVALID_VALUE;
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  const HostCall turn;
  return driver_call([&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned) {
  const HostCall turn;
  if (const CUresult missing = missing_state(true); missing != CUDA_SUCCESS) return missing;
  return is_context(peer) ? CUDA_ERROR_PEER_ACCESS_UNSUPPORTED : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
  const HostCall turn;
  unsigned flags;
  const CUresult result =
      driver_call([&] { return context ? cudaStreamGetFlags(stream, &flags) : cudaErrorInvalidValue; });
  if (result == CUDA_SUCCESS) *context = current_context();
  return result;
}
}
