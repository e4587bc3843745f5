// The driver API as the simulator provides it: contexts, memory, streams, events, launches, virtual memory, and code that is
// loaded at run time.
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#include "simt_shim/driver_types_api.h"

#define CUDA_VERSION CUDART_VERSION
#define CUDA_CB
#define CUDAAPI

// As in NVIDIA's header, names stand for the latest form of a function.
#define cuDeviceTotalMem cuDeviceTotalMem_v2
#define cuDeviceGetUuid cuDeviceGetUuid_v2
#define cuDevicePrimaryCtxRelease cuDevicePrimaryCtxRelease_v2
#define cuDevicePrimaryCtxReset cuDevicePrimaryCtxReset_v2
#define cuDevicePrimaryCtxSetFlags cuDevicePrimaryCtxSetFlags_v2
#define cuCtxCreate cuCtxCreate_v4
#define cuCtxDestroy cuCtxDestroy_v2
#define cuCtxPopCurrent cuCtxPopCurrent_v2
#define cuCtxPushCurrent cuCtxPushCurrent_v2
#define cuMemGetInfo cuMemGetInfo_v2
#define cuMemAlloc cuMemAlloc_v2
#define cuMemAllocPitch cuMemAllocPitch_v2
#define cuMemFree cuMemFree_v2
#define cuMemGetAddressRange cuMemGetAddressRange_v2
#define cuMemAllocHost cuMemAllocHost_v2
#define cuMemHostGetDevicePointer cuMemHostGetDevicePointer_v2
#define cuMemHostRegister cuMemHostRegister_v2
#define cuMemPrefetchAsync cuMemPrefetchAsync_v2
#define cuMemAdvise cuMemAdvise_v2
#define cuMemcpyHtoD cuMemcpyHtoD_v2
#define cuMemcpyDtoH cuMemcpyDtoH_v2
#define cuMemcpyDtoD cuMemcpyDtoD_v2
#define cuMemcpyHtoDAsync cuMemcpyHtoDAsync_v2
#define cuMemcpyDtoHAsync cuMemcpyDtoHAsync_v2
#define cuMemcpyDtoDAsync cuMemcpyDtoDAsync_v2
#define cuMemcpy2D cuMemcpy2D_v2
#define cuMemcpy2DUnaligned cuMemcpy2DUnaligned_v2
#define cuMemcpy2DAsync cuMemcpy2DAsync_v2
#define cuMemcpy3D cuMemcpy3D_v2
#define cuMemcpy3DAsync cuMemcpy3DAsync_v2
#define cuMemsetD8 cuMemsetD8_v2
#define cuMemsetD16 cuMemsetD16_v2
#define cuMemsetD32 cuMemsetD32_v2
#define cuMemsetD2D8 cuMemsetD2D8_v2
#define cuMemsetD2D16 cuMemsetD2D16_v2
#define cuMemsetD2D32 cuMemsetD2D32_v2
#define cuStreamDestroy cuStreamDestroy_v2
#define cuEventDestroy cuEventDestroy_v2
#define cuEventElapsedTime cuEventElapsedTime_v2
#define cuGetProcAddress cuGetProcAddress_v2
#define cuLinkCreate cuLinkCreate_v2
#define cuLinkAddData cuLinkAddData_v2
#define cuLinkAddFile cuLinkAddFile_v2

extern "C" {

CUresult cuGetErrorString(CUresult error, const char** text);
CUresult cuGetErrorName(CUresult error, const char** name);
CUresult cuInit(unsigned int flags);
CUresult cuDriverGetVersion(int* version);
/// The address of a function by its name, in its latest form.
CUresult cuGetProcAddress(const char* name, void** function, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult* status);

CUresult cuDeviceGet(CUdevice* device, int ordinal);
CUresult cuDeviceGetCount(int* count);
CUresult cuDeviceGetName(char* name, int length, CUdevice device);
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device);
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device);
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device);
CUresult cuDeviceGetProperties(CUdevprop* properties, CUdevice device);
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device);
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer);
CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text);
CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device);
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device);
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device);
CUresult cuDevicePrimaryCtxRelease(CUdevice device);
CUresult cuDevicePrimaryCtxReset(CUdevice device);
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags);
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int* flags, int* active);

CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams* params, unsigned int flags, CUdevice device);
CUresult cuCtxDestroy(CUcontext context);
CUresult cuCtxPushCurrent(CUcontext context);
CUresult cuCtxPopCurrent(CUcontext* context);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxGetCurrent(CUcontext* context);
CUresult cuCtxGetDevice(CUdevice* device);
CUresult cuCtxGetFlags(unsigned int* flags);
CUresult cuCtxSynchronize(void);
CUresult cuCtxSetLimit(CUlimit limit, size_t value);
CUresult cuCtxGetLimit(size_t* value, CUlimit limit);
CUresult cuCtxGetCacheConfig(CUfunc_cache* config);
CUresult cuCtxSetCacheConfig(CUfunc_cache config);
CUresult cuCtxGetApiVersion(CUcontext context, unsigned int* version);
CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest);
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags);

CUresult cuMemGetInfo(size_t* free_bytes, size_t* total_bytes);
CUresult cuMemAlloc(CUdeviceptr* pointer, size_t bytes);
CUresult cuMemAllocPitch(CUdeviceptr* pointer, size_t* pitch, size_t width, size_t height,
                         unsigned int element_bytes);
CUresult cuMemFree(CUdeviceptr pointer);
CUresult cuMemAllocAsync(CUdeviceptr* pointer, size_t bytes, CUstream stream);
CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream);
CUresult cuMemAllocHost(void** pointer, size_t bytes);
CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned int flags);
CUresult cuMemFreeHost(void* pointer);
CUresult cuMemHostGetDevicePointer(CUdeviceptr* device, void* host, unsigned int flags);
CUresult cuMemHostGetFlags(unsigned int* flags, void* host);
CUresult cuMemHostRegister(void* pointer, size_t bytes, unsigned int flags);
CUresult cuMemHostUnregister(void* pointer);
CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t bytes, unsigned int flags);
CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, CUmemLocation where, unsigned int flags,
                            CUstream stream);
CUresult cuMemAdvise(CUdeviceptr pointer, size_t bytes, CUmem_advise advice, CUmemLocation where);
CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* bytes, CUdeviceptr pointer);
CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer);
CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute* attributes, void** values,
                                CUdeviceptr pointer);

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes);
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuMemcpy2D(const CUDA_MEMCPY2D* copy);
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* copy);
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* copy, CUstream stream);
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* copy);
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* copy, CUstream stream);
CUresult cuMemsetD8(CUdeviceptr pointer, unsigned char value, size_t count);
CUresult cuMemsetD16(CUdeviceptr pointer, unsigned short value, size_t count);
CUresult cuMemsetD32(CUdeviceptr pointer, unsigned int value, size_t count);
CUresult cuMemsetD2D8(CUdeviceptr pointer, size_t pitch, unsigned char value, size_t width, size_t height);
CUresult cuMemsetD2D16(CUdeviceptr pointer, size_t pitch, unsigned short value, size_t width, size_t height);
CUresult cuMemsetD2D32(CUdeviceptr pointer, size_t pitch, unsigned int value, size_t width, size_t height);
CUresult cuMemsetD8Async(CUdeviceptr pointer, unsigned char value, size_t count, CUstream stream);
CUresult cuMemsetD16Async(CUdeviceptr pointer, unsigned short value, size_t count, CUstream stream);
CUresult cuMemsetD32Async(CUdeviceptr pointer, unsigned int value, size_t count, CUstream stream);
CUresult cuMemsetD2D8Async(CUdeviceptr pointer, size_t pitch, unsigned char value, size_t width,
                           size_t height, CUstream stream);
CUresult cuMemsetD2D16Async(CUdeviceptr pointer, size_t pitch, unsigned short value, size_t width,
                            size_t height, CUstream stream);
CUresult cuMemsetD2D32Async(CUdeviceptr pointer, size_t pitch, unsigned int value, size_t width,
                            size_t height, CUstream stream);

/// Virtual memory: ranges of addresses, memory, and which memory is at which addresses. Sizes are multiples of the granularity.
CUresult cuMemGetAllocationGranularity(size_t* bytes, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags option);
CUresult cuMemAddressReserve(CUdeviceptr* pointer, size_t bytes, size_t alignment, CUdeviceptr wish,
                             unsigned long long flags);
CUresult cuMemAddressFree(CUdeviceptr pointer, size_t bytes);
CUresult cuMemCreate(CUmemGenericAllocationHandle* memory, size_t bytes,
                     const CUmemAllocationProp* properties, unsigned long long flags);
CUresult cuMemRelease(CUmemGenericAllocationHandle memory);
CUresult cuMemMap(CUdeviceptr pointer, size_t bytes, size_t offset, CUmemGenericAllocationHandle memory,
                  unsigned long long flags);
CUresult cuMemUnmap(CUdeviceptr pointer, size_t bytes);
CUresult cuMemSetAccess(CUdeviceptr pointer, size_t bytes, const CUmemAccessDesc* wanted, size_t count);
CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr pointer);
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle memory);
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* memory, void* pointer);

// What processes share.
typedef struct CUipcMemHandle_st {
  char reserved[64];
} CUipcMemHandle;
typedef struct CUipcEventHandle_st {
  char reserved[64];
} CUipcEventHandle;
#define SIMT_OTHER_PROCESS                                                                                   \
  __attribute__((error("memory of other processes is not simulated; use one process")))
CUresult cuMemExportToShareableHandle(void* shared, CUmemGenericAllocationHandle memory,
                                      CUmemAllocationHandleType type,
                                      unsigned long long flags) SIMT_OTHER_PROCESS;
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* memory, void* shared,
                                        CUmemAllocationHandleType type) SIMT_OTHER_PROCESS;
CUresult cuIpcGetMemHandle(CUipcMemHandle* shared, CUdeviceptr pointer) SIMT_OTHER_PROCESS;
CUresult cuIpcOpenMemHandle(CUdeviceptr* pointer, CUipcMemHandle shared,
                            unsigned int flags) SIMT_OTHER_PROCESS;
CUresult cuIpcCloseMemHandle(CUdeviceptr pointer) SIMT_OTHER_PROCESS;
CUresult cuIpcGetEventHandle(CUipcEventHandle* shared, CUevent event) SIMT_OTHER_PROCESS;
CUresult cuIpcOpenEventHandle(CUevent* event, CUipcEventHandle shared) SIMT_OTHER_PROCESS;
#undef SIMT_OTHER_PROCESS

CUresult cuStreamCreate(CUstream* stream, unsigned int flags);
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned int flags, int priority);
CUresult cuStreamDestroy(CUstream stream);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuStreamQuery(CUstream stream);
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags);
CUresult cuStreamGetPriority(CUstream stream, int* priority);
CUresult cuStreamGetFlags(CUstream stream, unsigned int* flags);
CUresult cuStreamGetId(CUstream stream, unsigned long long* number);
CUresult cuStreamGetCtx(CUstream stream, CUcontext* context);
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data, unsigned int flags);
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data);
CUresult cuEventCreate(CUevent* event, unsigned int flags);
CUresult cuEventDestroy(CUevent event);
CUresult cuEventRecord(CUevent event, CUstream stream);
CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags);
CUresult cuEventSynchronize(CUevent event);
CUresult cuEventQuery(CUevent event);
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end);

/// Of kernels that cudaGetFuncBySymbol or cuModuleGetFunction has given.
CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                        unsigned int block_x, unsigned int block_y, unsigned int block_z,
                        unsigned int shared_bytes, CUstream stream, void** arguments, void** extra);
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** arguments, void** extra);
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                   void** arguments);
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function);
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value);
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config);
CUresult cuFuncGetName(const char** name, CUfunction function);
CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset, size_t* size);
CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel);
CUresult cuKernelGetName(const char** name, CUkernel kernel);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int block_size,
                                                     size_t shared_bytes);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function,
                                                              int block_size, size_t shared_bytes,
                                                              unsigned int flags);
CUresult cuOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, CUfunction function,
                                          CUoccupancyB2DSize shared_bytes_of, size_t shared_bytes, int limit);
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, CUfunction function, int blocks,
                                                 int block_size);
}

// As it was before CUDA 13.
inline CUresult cuCtxCreate(CUcontext* context, unsigned int flags, CUdevice device) {
  return cuCtxCreate(context, nullptr, flags, device);
}

#include "simt_shim/driver_texture_api.h"
#include "simt_shim/module_api.h"

#endif
