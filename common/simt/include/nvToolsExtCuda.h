// Names for the driver API's objects, which no profiler here reads. A handle of any kind is a pointer.
#ifndef SIMT_INCLUDE_NVTOOLSEXTCUDA_H
#define SIMT_INCLUDE_NVTOOLSEXTCUDA_H

#include "cuda.h"
#include "nvToolsExt.h"

static inline void nvtxNameCuDeviceA(CUdevice, const char*) {}
static inline void nvtxNameCuDeviceW(CUdevice, const wchar_t*) {}
static inline void nvtxNameCuContextA(const void*, const char*) {}
static inline void nvtxNameCuContextW(const void*, const wchar_t*) {}
static inline void nvtxNameCuStreamA(const void*, const char*) {}
static inline void nvtxNameCuStreamW(const void*, const wchar_t*) {}
static inline void nvtxNameCuEventA(const void*, const char*) {}
static inline void nvtxNameCuEventW(const void*, const wchar_t*) {}

#ifdef UNICODE
#define nvtxNameCuDevice nvtxNameCuDeviceW
#define nvtxNameCuContext nvtxNameCuContextW
#define nvtxNameCuStream nvtxNameCuStreamW
#define nvtxNameCuEvent nvtxNameCuEventW
#else
#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA
#endif

#endif
