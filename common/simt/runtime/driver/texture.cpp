// The driver API's arrays, texture objects and surface objects: those of the runtime API, with descriptions of its own.
#include "simt/runtime/driver/calls.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/texture/cuda_array.hpp"

using namespace simt;

namespace {

struct Format {
  CUarray_format format;
  cudaChannelFormatKind kind;
  int bits;
};
constexpr Format formats[] = {{CU_AD_FORMAT_UNSIGNED_INT8, cudaChannelFormatKindUnsigned, 8},
                              {CU_AD_FORMAT_UNSIGNED_INT16, cudaChannelFormatKindUnsigned, 16},
                              {CU_AD_FORMAT_UNSIGNED_INT32, cudaChannelFormatKindUnsigned, 32},
                              {CU_AD_FORMAT_SIGNED_INT8, cudaChannelFormatKindSigned, 8},
                              {CU_AD_FORMAT_SIGNED_INT16, cudaChannelFormatKindSigned, 16},
                              {CU_AD_FORMAT_SIGNED_INT32, cudaChannelFormatKindSigned, 32},
                              {CU_AD_FORMAT_HALF, cudaChannelFormatKindFloat, 16},
                              {CU_AD_FORMAT_FLOAT, cudaChannelFormatKindFloat, 32}};

/// A description that no device has, where there is no such format.
cudaChannelFormatDesc channels_of(CUarray_format format, unsigned channels) {
  for (const Format& known : formats)
    if (known.format == format)
      return {channels > 0 ? known.bits : 0, channels > 1 ? known.bits : 0, channels > 2 ? known.bits : 0,
              channels > 3 ? known.bits : 0, known.kind};
  return {0, 0, 0, 0, cudaChannelFormatKindNone};
}
CUarray_format format_of_channels(const cudaChannelFormatDesc& desc) {
  for (const Format& known : formats)
    if (known.kind == desc.f && known.bits == desc.x) return known.format;
  return {};
}
unsigned channel_count(const cudaChannelFormatDesc& desc) {
  return (desc.x != 0) + (desc.y != 0) + (desc.z != 0) + (desc.w != 0);
}

cudaResourceDesc as_runtime(const CUDA_RESOURCE_DESC& resource) {
  cudaResourceDesc result{};
  result.resType = static_cast<cudaResourceType>(resource.resType);
  result.flags = resource.flags;
  switch (resource.resType) {
  case CU_RESOURCE_TYPE_ARRAY:
    result.res.array.array = resource.res.array.hArray;
    break;
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
    result.res.mipmap.mipmap = resource.res.mipmap.hMipmappedArray;
    break;
  case CU_RESOURCE_TYPE_LINEAR: {
    const auto& linear = resource.res.linear;
    result.res.linear = {to_pointer(linear.devPtr), channels_of(linear.format, linear.numChannels),
                         linear.sizeInBytes};
    break;
  }
  case CU_RESOURCE_TYPE_PITCH2D: {
    const auto& rows = resource.res.pitch2D;
    result.res.pitch2D = {to_pointer(rows.devPtr), channels_of(rows.format, rows.numChannels), rows.width,
                          rows.height, rows.pitchInBytes};
    break;
  }
  }
  return result;
}
CUDA_RESOURCE_DESC as_driver(const cudaResourceDesc& resource) {
  CUDA_RESOURCE_DESC result{};
  result.resType = static_cast<CUresourcetype>(resource.resType);
  result.flags = resource.flags;
  switch (resource.resType) {
  case cudaResourceTypeArray:
    result.res.array.hArray = resource.res.array.array;
    break;
  case cudaResourceTypeMipmappedArray:
    result.res.mipmap.hMipmappedArray = resource.res.mipmap.mipmap;
    break;
  case cudaResourceTypeLinear: {
    const auto& linear = resource.res.linear;
    result.res.linear = {address_of_pointer(linear.devPtr), format_of_channels(linear.desc),
                         channel_count(linear.desc), linear.sizeInBytes};
    break;
  }
  case cudaResourceTypePitch2D: {
    const auto& rows = resource.res.pitch2D;
    result.res.pitch2D = {address_of_pointer(rows.devPtr),
                          format_of_channels(rows.desc),
                          channel_count(rows.desc),
                          rows.width,
                          rows.height,
                          rows.pitchInBytes};
    break;
  }
  }
  return result;
}

/// The channels of what a resource holds; of an array it knows them itself.
cudaChannelFormatDesc channels_in(const cudaResourceDesc& resource) {
  switch (resource.resType) {
  case cudaResourceTypeArray: {
    const cudaArray* array = find_array(resource.res.array.array);
    return array ? array->desc : cudaChannelFormatDesc{};
  }
  case cudaResourceTypeLinear:
    return resource.res.linear.desc;
  case cudaResourceTypePitch2D:
    return resource.res.pitch2D.desc;
  default:
    return {};
  }
}

/// The driver API reads integers of 8 and 16 bits as fractions unless a flag says otherwise; others are what they are.
cudaTextureReadMode read_mode(const CUDA_TEXTURE_DESC& texture, const cudaChannelFormatDesc& channels) {
  const bool could_be_fractions = channels.f != cudaChannelFormatKindFloat && channels.x < 32;
  return could_be_fractions && (texture.flags & CU_TRSF_READ_AS_INTEGER) == 0 ? cudaReadModeNormalizedFloat
                                                                              : cudaReadModeElementType;
}

cudaTextureDesc as_runtime(const CUDA_TEXTURE_DESC& texture, const cudaChannelFormatDesc& channels) {
  cudaTextureDesc result{};
  for (int i = 0; i < 3; ++i)
    result.addressMode[i] = static_cast<cudaTextureAddressMode>(texture.addressMode[i]);
  for (int i = 0; i < 4; ++i) result.borderColor[i] = texture.borderColor[i];
  result.filterMode = static_cast<cudaTextureFilterMode>(texture.filterMode);
  result.readMode = read_mode(texture, channels);
  result.sRGB = (texture.flags & CU_TRSF_SRGB) != 0;
  result.normalizedCoords = (texture.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  result.maxAnisotropy = texture.maxAnisotropy;
  result.mipmapFilterMode = static_cast<cudaTextureFilterMode>(texture.mipmapFilterMode);
  result.mipmapLevelBias = texture.mipmapLevelBias;
  result.minMipmapLevelClamp = texture.minMipmapLevelClamp;
  result.maxMipmapLevelClamp = texture.maxMipmapLevelClamp;
  result.disableTrilinearOptimization = (texture.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
  result.seamlessCubemap = (texture.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
  return result;
}
CUDA_TEXTURE_DESC as_driver(const cudaTextureDesc& texture, const cudaChannelFormatDesc& channels) {
  CUDA_TEXTURE_DESC result{};
  for (int i = 0; i < 3; ++i) result.addressMode[i] = static_cast<CUaddress_mode>(texture.addressMode[i]);
  for (int i = 0; i < 4; ++i) result.borderColor[i] = texture.borderColor[i];
  result.filterMode = static_cast<CUfilter_mode>(texture.filterMode);
  const bool is_integer =
      channels.f != cudaChannelFormatKindFloat && texture.readMode == cudaReadModeElementType;
  result.flags = (is_integer ? CU_TRSF_READ_AS_INTEGER : 0u) | (texture.sRGB ? CU_TRSF_SRGB : 0u) |
                 (texture.normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0u) |
                 (texture.disableTrilinearOptimization ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0u) |
                 (texture.seamlessCubemap ? CU_TRSF_SEAMLESS_CUBEMAP : 0u);
  result.maxAnisotropy = texture.maxAnisotropy;
  result.mipmapFilterMode = static_cast<CUfilter_mode>(texture.mipmapFilterMode);
  result.mipmapLevelBias = texture.mipmapLevelBias;
  result.minMipmapLevelClamp = texture.minMipmapLevelClamp;
  result.maxMipmapLevelClamp = texture.maxMipmapLevelClamp;
  return result;
}

/// The column, in bytes, and the row of an array where `offset` bytes of it lie before.
struct ArrayPlace {
  std::size_t x, y;
};
ArrayPlace place_in(CUarray handle, std::size_t offset) {
  const cudaArray* array = find_array(handle);
  return array ? ArrayPlace{offset % array->row_bytes(), offset / array->row_bytes()} : ArrayPlace{};
}

} // namespace

extern "C" {

CUresult cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* wanted) {
  const HostCall turn;
  if (!wanted) return CUDA_ERROR_INVALID_VALUE;
  const cudaChannelFormatDesc desc = channels_of(wanted->Format, wanted->NumChannels);
  return driver_call(
      [&] { return cudaMallocArray(array, &desc, wanted->Width, wanted->Height, cudaArrayDefault); });
}
CUresult cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* wanted) {
  const HostCall turn;
  if (!wanted) return CUDA_ERROR_INVALID_VALUE;
  const cudaChannelFormatDesc desc = channels_of(wanted->Format, wanted->NumChannels);
  const cudaExtent extent = {wanted->Width, wanted->Height, wanted->Depth};
  return driver_call(
      [&] { return cudaMalloc3DArray(array, &desc, extent, wanted->Flags); }); // flags have the same numbers
}
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* found, CUarray array) {
  const HostCall turn;
  if (!found) return CUDA_ERROR_INVALID_VALUE;
  return driver_call([&] {
    cudaChannelFormatDesc desc;
    cudaExtent extent;
    unsigned flags = 0;
    const cudaError_t error = cudaArrayGetInfo(&desc, &extent, &flags, array);
    if (error == cudaSuccess)
      *found = {extent.width,        extent.height, extent.depth, format_of_channels(desc),
                channel_count(desc), flags};
    return error;
  });
}
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* found, CUarray array) {
  const HostCall turn;
  if (!found) return CUDA_ERROR_INVALID_VALUE;
  CUDA_ARRAY3D_DESCRIPTOR whole;
  const CUresult result = cuArray3DGetDescriptor(&whole, array);
  if (result == CUDA_SUCCESS) *found = {whole.Width, whole.Height, whole.Format, whole.NumChannels};
  return result;
}
CUresult cuArrayDestroy(CUarray array) {
  const HostCall turn;
  if (!array) return CUDA_ERROR_INVALID_HANDLE;
  return driver_call([&] { return cudaFreeArray(array); });
}

CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void* from, size_t bytes) {
  const HostCall turn;
  const ArrayPlace place = place_in(to, offset);
  return driver_call(
      [&] { return cudaMemcpyToArray(to, place.x, place.y, from, bytes, cudaMemcpyHostToDevice); });
}
CUresult cuMemcpyAtoH(void* to, CUarray from, size_t offset, size_t bytes) {
  const HostCall turn;
  const ArrayPlace place = place_in(from, offset);
  return driver_call(
      [&] { return cudaMemcpyFromArray(to, from, place.x, place.y, bytes, cudaMemcpyDeviceToHost); });
}
CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t bytes) {
  const HostCall turn;
  const ArrayPlace place = place_in(to, offset);
  return driver_call([&] {
    return cudaMemcpyToArray(to, place.x, place.y, to_pointer(from), bytes, cudaMemcpyDeviceToDevice);
  });
}
CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t bytes) {
  const HostCall turn;
  const ArrayPlace place = place_in(from, offset);
  return driver_call([&] {
    return cudaMemcpyFromArray(to_pointer(to), from, place.x, place.y, bytes, cudaMemcpyDeviceToDevice);
  });
}

CUresult cuTexObjectCreate(CUtexObject* object, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* texture, const CUDA_RESOURCE_VIEW_DESC* view) {
  const HostCall turn;
  if (!object || !resource || !texture) return CUDA_ERROR_INVALID_VALUE;
  if (view) return CUDA_ERROR_NOT_SUPPORTED;
  const cudaResourceDesc ours = as_runtime(*resource);
  const cudaTextureDesc how = as_runtime(*texture, channels_in(ours));
  return driver_call([&] { return cudaCreateTextureObject(object, &ours, &how, nullptr); });
}
CUresult cuTexObjectDestroy(CUtexObject object) {
  const HostCall turn;
  return driver_call([&] { return cudaDestroyTextureObject(object); });
}
CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUtexObject object) {
  const HostCall turn;
  if (!resource) return CUDA_ERROR_INVALID_VALUE;
  return driver_call([&] {
    cudaResourceDesc ours;
    const cudaError_t error = cudaGetTextureObjectResourceDesc(&ours, object);
    if (error == cudaSuccess) *resource = as_driver(ours);
    return error;
  });
}
CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* texture, CUtexObject object) {
  const HostCall turn;
  if (!texture) return CUDA_ERROR_INVALID_VALUE;
  return driver_call([&] {
    cudaResourceDesc ours;
    cudaTextureDesc how;
    cudaError_t error = cudaGetTextureObjectResourceDesc(&ours, object);
    if (error == cudaSuccess) error = cudaGetTextureObjectTextureDesc(&how, object);
    if (error == cudaSuccess) *texture = as_driver(how, channels_in(ours));
    return error;
  });
}
CUresult cuSurfObjectCreate(CUsurfObject* object, const CUDA_RESOURCE_DESC* resource) {
  const HostCall turn;
  if (!object || !resource) return CUDA_ERROR_INVALID_VALUE;
  const cudaResourceDesc ours = as_runtime(*resource);
  return driver_call([&] { return cudaCreateSurfaceObject(object, &ours); });
}
CUresult cuSurfObjectDestroy(CUsurfObject object) {
  const HostCall turn;
  return driver_call([&] { return cudaDestroySurfaceObject(object); });
}
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUsurfObject object) {
  const HostCall turn;
  if (!resource) return CUDA_ERROR_INVALID_VALUE;
  return driver_call([&] {
    cudaResourceDesc ours;
    const cudaError_t error = cudaGetSurfaceObjectResourceDesc(&ours, object);
    if (error == cudaSuccess) *resource = as_driver(ours);
    return error;
  });
}
}
