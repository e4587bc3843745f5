// The driver API's functions for memory.
#include "simt/runtime/api/copies.hpp"
#include "simt/runtime/driver/calls.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/memory/global_memory.hpp"

using namespace simt;

namespace {

CUresult copy(const CUstream* stream, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
              const ApiCall& call) {
  return driver_call([&] { return issue_copy(stream, linear_box(to, from, bytes, kind), call); });
}

CUresult set(const CUstream* stream, CUdeviceptr pointer, std::size_t pitch, unsigned value,
             unsigned element_bytes, std::size_t width, std::size_t height, const ApiCall& call) {
  return driver_call([&] {
    return issue_set(stream, {to_pointer(pointer), pitch, value, element_bytes, width, height}, call);
  });
}

/// A side of a copy of rows: memory, whichever of the two addresses counts, or an array.
struct Side {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  CUarray array;
  std::size_t x, y, z, pitch, height;
};

/// Puts one side into a box. Positions in an array are in texels there.
bool put_side(const Side& side, std::size_t width, cudaArray_t& array, cudaPos& at, cudaPitchedPtr& memory,
              std::size_t& texel_bytes) {
  at = {side.x, side.y, side.z};
  if (side.type == CU_MEMORYTYPE_ARRAY) {
    cudaChannelFormatDesc desc;
    if (cudaGetChannelDesc(&desc, side.array) != cudaSuccess) return false;
    const auto bytes = static_cast<std::size_t>(desc.x + desc.y + desc.z + desc.w) / 8;
    if (side.x % bytes != 0 || (texel_bytes != 1 && texel_bytes != bytes)) return false;
    array = side.array;
    at.x /= bytes;
    texel_bytes = bytes;
    return true;
  }
  if (side.type < CU_MEMORYTYPE_HOST || side.type > CU_MEMORYTYPE_UNIFIED) return false;
  void* const pointer =
      side.type == CU_MEMORYTYPE_HOST ? const_cast<void*>(side.host) : to_pointer(side.device);
  // Without a pitch, rows follow each other.
  memory = {pointer, side.pitch != 0 ? side.pitch : side.x + width, width, side.height};
  return true;
}

cudaMemcpyKind kind_of(CUmemorytype from, CUmemorytype to) {
  if (from == CU_MEMORYTYPE_UNIFIED || to == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
  const bool from_host = from == CU_MEMORYTYPE_HOST, to_host = to == CU_MEMORYTYPE_HOST;
  return from_host ? (to_host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice)
                   : (to_host ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice);
}

CUresult copy_box(const CUstream* stream, const CUDA_MEMCPY3D* copy, const ApiCall& call) {
  return driver_call([&] {
    if (!copy || copy->srcLOD != 0 || copy->dstLOD != 0) return cudaErrorInvalidValue;
    const CUDA_MEMCPY3D& c = *copy;
    cudaMemcpy3DParms box = {};
    std::size_t texel_bytes = 1;
    const std::size_t source_height = c.srcHeight != 0 ? c.srcHeight : c.srcY + c.Height;
    const std::size_t target_height = c.dstHeight != 0 ? c.dstHeight : c.dstY + c.Height;
    const bool fits = put_side({c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, c.srcXInBytes, c.srcY,
                                c.srcZ, c.srcPitch, source_height},
                               c.WidthInBytes, box.srcArray, box.srcPos, box.srcPtr, texel_bytes) &&
                      put_side({c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstXInBytes, c.dstY,
                                c.dstZ, c.dstPitch, target_height},
                               c.WidthInBytes, box.dstArray, box.dstPos, box.dstPtr, texel_bytes);
    if (!fits || c.WidthInBytes % texel_bytes != 0) return cudaErrorInvalidValue;
    box.extent = {c.WidthInBytes / texel_bytes, c.Height, c.Depth};
    box.kind = kind_of(c.srcMemoryType, c.dstMemoryType);
    return issue_copy(stream, box, call);
  });
}

CUresult copy_rows(const CUstream* stream, const CUDA_MEMCPY2D* copy, const ApiCall& call) {
  if (!copy) return CUDA_ERROR_INVALID_VALUE;
  CUDA_MEMCPY3D box = {};
  box.srcXInBytes = copy->srcXInBytes, box.srcY = copy->srcY, box.srcMemoryType = copy->srcMemoryType;
  box.srcHost = copy->srcHost, box.srcDevice = copy->srcDevice, box.srcArray = copy->srcArray;
  box.srcPitch = copy->srcPitch;
  box.dstXInBytes = copy->dstXInBytes, box.dstY = copy->dstY, box.dstMemoryType = copy->dstMemoryType;
  box.dstHost = copy->dstHost, box.dstDevice = copy->dstDevice, box.dstArray = copy->dstArray;
  box.dstPitch = copy->dstPitch;
  box.WidthInBytes = copy->WidthInBytes, box.Height = copy->Height, box.Depth = 1;
  return copy_box(stream, &box, call);
}

/// A function of the runtime API that gives a pointer, as one that gives an address.
template <class Call>
CUresult give_address(CUdeviceptr* address, const Call& call) {
  if (!address) return CUDA_ERROR_INVALID_VALUE;
  void* pointer = nullptr;
  const CUresult result = driver_call([&] { return call(&pointer); });
  if (result == CUDA_SUCCESS) *address = address_of_pointer(pointer);
  return result;
}

} // namespace

extern "C" {

CUresult cuMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  const HostCall turn;
  return driver_call([&] { return cudaMemGetInfo(free_bytes, total_bytes); });
}
CUresult cuMemAlloc(CUdeviceptr* pointer, size_t bytes) {
  const HostCall turn;
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  const std::uintptr_t site = SIMT_SITE;
  return give_address(pointer, [&](void** p) { return allocate_device(p, bytes, site); });
}
CUresult cuMemAllocPitch(CUdeviceptr* pointer, size_t* pitch, size_t width, size_t height,
                         unsigned element_bytes) {
  const HostCall turn;
  if (width == 0 || height == 0 || (element_bytes != 4 && element_bytes != 8 && element_bytes != 16))
    return CUDA_ERROR_INVALID_VALUE;
  return give_address(pointer, [&](void** p) { return cudaMallocPitch(p, pitch, width, height); });
}
CUresult cuMemFree(CUdeviceptr pointer) {
  const HostCall turn;
  const std::uintptr_t site = SIMT_SITE;
  return driver_call([&] { return free_device(to_pointer(pointer), site); });
}
CUresult cuMemAllocAsync(CUdeviceptr* pointer, size_t bytes, CUstream stream) {
  const HostCall turn;
  return give_address(pointer, [&](void** p) { return cudaMallocAsync(p, bytes, stream); });
}
CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
  const HostCall turn;
  return driver_call([&] { return cudaFreeAsync(to_pointer(pointer), stream); });
}
CUresult cuMemAllocHost(void** pointer, size_t bytes) {
  const HostCall turn;
  return driver_call([&] { return bytes == 0 ? cudaErrorInvalidValue : cudaMallocHost(pointer, bytes); });
}
CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  const HostCall turn;
  return driver_call(
      [&] { return bytes == 0 ? cudaErrorInvalidValue : cudaHostAlloc(pointer, bytes, flags); });
}
CUresult cuMemFreeHost(void* pointer) {
  const HostCall turn;
  return driver_call([&] { return cudaFreeHost(pointer); });
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr* device, void* host, unsigned flags) {
  const HostCall turn;
  return give_address(device, [&](void** p) { return cudaHostGetDevicePointer(p, host, flags); });
}
CUresult cuMemHostGetFlags(unsigned* flags, void* host) {
  const HostCall turn;
  return driver_call([&] { return cudaHostGetFlags(flags, host); });
}
CUresult cuMemHostRegister(void* pointer, size_t bytes, unsigned flags) {
  const HostCall turn;
  return driver_call([&] { return cudaHostRegister(pointer, bytes, flags); });
}
CUresult cuMemHostUnregister(void* pointer) {
  const HostCall turn;
  return driver_call([&] { return cudaHostUnregister(pointer); });
}
CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t bytes, unsigned flags) {
  const HostCall turn;
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST) return CUDA_ERROR_INVALID_VALUE;
  return give_address(pointer, [&](void** p) { return cudaMallocManaged(p, bytes, flags); });
}
CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, CUmemLocation where, unsigned flags,
                            CUstream stream) {
  const HostCall turn;
  const cudaMemLocation place = {static_cast<cudaMemLocationType>(where.type), where.id};
  return driver_call([&] { return cudaMemPrefetchAsync(to_pointer(pointer), bytes, place, flags, stream); });
}
CUresult cuMemAdvise(CUdeviceptr pointer, size_t bytes, CUmem_advise advice, CUmemLocation where) {
  const HostCall turn;
  const cudaMemLocation place = {static_cast<cudaMemLocationType>(where.type), where.id};
  return driver_call([&] {
    return cudaMemAdvise(to_pointer(pointer), bytes, static_cast<cudaMemoryAdvise>(advice), place);
  });
}
CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* bytes, CUdeviceptr pointer) {
  const HostCall turn;
  if (const CUresult missing = missing_state(true); missing != CUDA_SUCCESS) return missing;
  const Allocation* allocation = in_global(pointer) ? find_allocation(pointer) : nullptr;
  if (const std::size_t text = bytes_of_literal(to_pointer(pointer)); !allocation && text != 0) {
    // A literal in device code, of which only the end is known.
    if (base) *base = pointer;
    if (bytes) *bytes = text;
    return CUDA_SUCCESS;
  }
  if (!allocation) return CUDA_ERROR_NOT_FOUND;
  if (base) *base = allocation->base;
  if (bytes) *bytes = allocation->bytes;
  return CUDA_SUCCESS;
}

CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer) {
  const HostCall turn;
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  cudaPointerAttributes known;
  const CUresult result = driver_call([&] { return cudaPointerGetAttributes(&known, to_pointer(pointer)); });
  if (result != CUDA_SUCCESS) return result;
  if (known.type == cudaMemoryTypeUnregistered) return CUDA_ERROR_INVALID_VALUE;
  const Allocation* allocation = in_global(pointer) ? find_allocation(pointer) : nullptr;
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
    return cuCtxGetCurrent(static_cast<CUcontext*>(value));
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    *static_cast<unsigned*>(value) =
        known.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    *static_cast<CUdeviceptr*>(value) = address_of_pointer(known.devicePointer);
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    *static_cast<void**>(value) = known.hostPointer;
    return known.hostPointer ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    *static_cast<unsigned*>(value) = known.type == cudaMemoryTypeManaged;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    *static_cast<int*>(value) = 0;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_MAPPED:
    *static_cast<unsigned*>(value) = 1;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    *static_cast<unsigned*>(value) = 0;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    *static_cast<unsigned long long*>(value) = allocation ? allocation->base : pointer;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    if (!allocation) return CUDA_ERROR_INVALID_VALUE;
    *static_cast<CUdeviceptr*>(value) = allocation->base;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    if (!allocation) return CUDA_ERROR_INVALID_VALUE;
    *static_cast<size_t*>(value) = allocation->bytes;
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** values,
                                CUdeviceptr pointer) {
  const HostCall turn;
  if (const CUresult missing = missing_state(true); missing != CUDA_SUCCESS) return missing;
  if (!attributes || !values || count == 0) return CUDA_ERROR_INVALID_VALUE;
  // What there is no answer to is 0, and no error. All of these begin with four bytes.
  for (unsigned i = 0; i < count; ++i)
    if (cuPointerGetAttribute(values[i], attributes[i], pointer) != CUDA_SUCCESS)
      *static_cast<unsigned*>(values[i]) = 0;
  return CUDA_SUCCESS;
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  const HostCall turn;
  return copy(nullptr, to_pointer(to), to_pointer(from), bytes, cudaMemcpyDefault,
              ApiCall{"cuMemcpy", SIMT_SITE});
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  const HostCall turn;
  return copy(nullptr, to_pointer(to), from, bytes, cudaMemcpyHostToDevice,
              ApiCall{"cuMemcpyHtoD", SIMT_SITE});
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
  const HostCall turn;
  return copy(nullptr, to, to_pointer(from), bytes, cudaMemcpyDeviceToHost,
              ApiCall{"cuMemcpyDtoH", SIMT_SITE});
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  const HostCall turn;
  return copy(nullptr, to_pointer(to), to_pointer(from), bytes, cudaMemcpyDeviceToDevice,
              ApiCall{"cuMemcpyDtoD", SIMT_SITE});
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  const HostCall turn;
  return copy(&stream, to_pointer(to), to_pointer(from), bytes, cudaMemcpyDefault,
              ApiCall{"cuMemcpyAsync", SIMT_SITE});
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  const HostCall turn;
  return copy(&stream, to_pointer(to), from, bytes, cudaMemcpyHostToDevice,
              ApiCall{"cuMemcpyHtoDAsync", SIMT_SITE});
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  const HostCall turn;
  return copy(&stream, to, to_pointer(from), bytes, cudaMemcpyDeviceToHost,
              ApiCall{"cuMemcpyDtoHAsync", SIMT_SITE});
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  const HostCall turn;
  return copy(&stream, to_pointer(to), to_pointer(from), bytes, cudaMemcpyDeviceToDevice,
              ApiCall{"cuMemcpyDtoDAsync", SIMT_SITE});
}
CUresult cuMemcpy2D(const CUDA_MEMCPY2D* c) {
  const HostCall turn;
  return copy_rows(nullptr, c, {"cuMemcpy2D", SIMT_SITE});
}
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* c) {
  const HostCall turn;
  return copy_rows(nullptr, c, {"cuMemcpy2DUnaligned", SIMT_SITE});
}
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* c, CUstream stream) {
  const HostCall turn;
  return copy_rows(&stream, c, {"cuMemcpy2DAsync", SIMT_SITE});
}
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* c) {
  const HostCall turn;
  return copy_box(nullptr, c, {"cuMemcpy3D", SIMT_SITE});
}
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* c, CUstream stream) {
  const HostCall turn;
  return copy_box(&stream, c, {"cuMemcpy3DAsync", SIMT_SITE});
}

// Sets of elements of 1, 2 and 4 bytes: in a row, in rows, and both in a stream.
#define SIMT_SETS(bits, type)                                                                                \
  CUresult cuMemsetD##bits##_v2(CUdeviceptr pointer, type value, size_t count) {                             \
    const HostCall turn;                                                                                     \
    return set(nullptr, pointer, count * sizeof value, value, sizeof value, count, 1,                        \
               {"cuMemsetD" #bits, SIMT_SITE});                                                              \
  }                                                                                                          \
  CUresult cuMemsetD##bits##Async(CUdeviceptr pointer, type value, size_t count, CUstream stream) {          \
    const HostCall turn;                                                                                     \
    return set(&stream, pointer, count * sizeof value, value, sizeof value, count, 1,                        \
               {"cuMemsetD" #bits "Async", SIMT_SITE});                                                      \
  }                                                                                                          \
  CUresult cuMemsetD2D##bits##_v2(CUdeviceptr pointer, size_t pitch, type value, size_t width,               \
                                  size_t height) {                                                           \
    const HostCall turn;                                                                                     \
    return set(nullptr, pointer, pitch, value, sizeof value, width, height,                                  \
               {"cuMemsetD2D" #bits, SIMT_SITE});                                                            \
  }                                                                                                          \
  CUresult cuMemsetD2D##bits##Async(CUdeviceptr pointer, size_t pitch, type value, size_t width,             \
                                    size_t height, CUstream stream) {                                        \
    const HostCall turn;                                                                                     \
    return set(&stream, pointer, pitch, value, sizeof value, width, height,                                  \
               {"cuMemsetD2D" #bits "Async", SIMT_SITE});                                                    \
  }
SIMT_SETS(8, unsigned char)
SIMT_SETS(16, unsigned short)
SIMT_SETS(32, unsigned int)
#undef SIMT_SETS
}
