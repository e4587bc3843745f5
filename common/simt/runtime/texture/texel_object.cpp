#include "simt/runtime/texture/texel_object.hpp"

#include "simt/runtime/api/copies.hpp"
#include "simt/runtime/api/errors.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/limits.hpp"
#include "simt/runtime/machine/reset.hpp"
#include "simt/runtime/memory/digest.hpp"

#include "cuda_runtime_api.h"

#include <algorithm>
#include <deque>

namespace simt {

namespace {

// A number is never used again.
std::deque<TexelObject> objects;

const OnReset destroy_objects([] {
  for (TexelObject& object : objects) object.is_destroyed = true;
});

// An object stays what it was made of until it is destroyed.
const InDigest texel_objects_in_digest([](Digest& digest) {
  digest.add(objects.size());
  digest.add(static_cast<std::uint64_t>(std::ranges::count_if(objects, &TexelObject::is_destroyed)));
});

/// Whether fetches may give a border's colour that is not 0.
bool has_coloured_border(const cudaTextureDesc& texture) {
  return std::ranges::find(texture.addressMode, cudaAddressModeBorder) != std::end(texture.addressMode) &&
         std::ranges::any_of(texture.borderColor, [](float channel) { return channel != 0; });
}

cudaError_t describe_array(TexelMemory& memory, cudaArray_t handle) {
  const cudaArray* array = find_array(handle);
  if (!array) return cudaErrorInvalidResourceHandle;
  memory.format = *format_of(array->desc);
  memory.begin = reinterpret_cast<std::uintptr_t>(array->memory);
  memory.width = array->width, memory.height = array->rows(), memory.depth = array->slices();
  memory.row_bytes = array->row_bytes(), memory.slice_bytes = array->slice_bytes();
  memory.gathers = (array->flags & cudaArrayTextureGather) != 0;
  if (array->is_cubemap())
    memory.shape = array->is_layered() ? simt_texels_cubemap_layered : simt_texels_cubemap;
  else if (array->is_layered())
    memory.shape = array->height == 0 ? simt_texels_1d_layered : simt_texels_2d_layered;
  else
    memory.shape = array->depth != 0 ? simt_texels_3d : array->height != 0 ? simt_texels_2d : simt_texels_1d;
  return cudaSuccess;
}

/// Memory that is no array; `rows` of `width` texels, `pitch` bytes apart.
cudaError_t describe_pointer(TexelMemory& memory, const void* pointer, const TexelFormat& format,
                             std::size_t width, std::size_t rows, std::size_t pitch) {
  memory.format = format;
  memory.begin = reinterpret_cast<std::uintptr_t>(pointer);
  memory.width = width, memory.height = rows;
  memory.row_bytes = pitch, memory.slice_bytes = pitch * rows;
  if (!pointer || width == 0 || rows == 0 || memory.begin % texture_alignment != 0)
    return cudaErrorInvalidValue;
  const std::size_t used = (rows - 1) * pitch + width * format.bytes();
  return is_on_the_device(pointer, used) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t describe(TexelMemory& memory, const cudaResourceDesc& resource) {
  if (resource.flags != 0) return cudaErrorInvalidValue;
  switch (resource.resType) {
  case cudaResourceTypeArray:
    return describe_array(memory, resource.res.array.array);
  case cudaResourceTypeLinear: {
    const auto& linear = resource.res.linear;
    const auto format = format_of(linear.desc);
    if (!format) return cudaErrorInvalidChannelDescriptor;
    const std::size_t width = linear.sizeInBytes / format->bytes();
    memory.shape = simt_texels_linear;
    if (width > max_texture_1d_linear) return cudaErrorInvalidValue;
    return describe_pointer(memory, linear.devPtr, *format, width, 1, linear.sizeInBytes);
  }
  case cudaResourceTypePitch2D: {
    const auto& rows = resource.res.pitch2D;
    const auto format = format_of(rows.desc);
    if (!format) return cudaErrorInvalidChannelDescriptor;
    memory.shape = simt_texels_pitched;
    if (rows.pitchInBytes % texture_pitch_alignment != 0 ||
        rows.width * format->bytes() > rows.pitchInBytes || rows.width > max_texture_2d_linear[0] ||
        rows.height > max_texture_2d_linear[1])
      return cudaErrorInvalidValue;
    return describe_pointer(memory, rows.devPtr, *format, rows.width, rows.height, rows.pitchInBytes);
  }
  default:
    return cudaErrorNotSupported; // mipmapped arrays
  }
}

cudaError_t create_texture(cudaTextureObject_t* number, const cudaResourceDesc* resource,
                           const cudaTextureDesc* texture, const cudaResourceViewDesc* view) {
  if (!number || !resource || !texture) return cudaErrorInvalidValue;
  if (sticky_error() != cudaSuccess) return sticky_error();
  if (view || texture->sRGB != 0) return cudaErrorNotSupported;
  TexelObject object{.resource = *resource, .texture = *texture};
  if (const cudaError_t error = describe(object.memory, *resource); error != cudaSuccess) return error;
  // Linear memory is not filtered, whatever the mode says.
  if (texture->filterMode == cudaFilterModeLinear && object.memory.shape != simt_texels_linear &&
      !object.gives_floats())
    return cudaErrorInvalidFilterSetting;
  // NVIDIA does not say how a colour in floats becomes an integer.
  if (!object.gives_floats() && has_coloured_border(*texture)) return cudaErrorNotSupported;
  // Nor how the texels at the seams of two faces, or at a corner of three, are weighted.
  if (object.memory.is_cubemap() && texture->seamlessCubemap != 0 &&
      texture->filterMode == cudaFilterModeLinear)
    return cudaErrorNotSupported;
  objects.push_back(object);
  *number = objects.size();
  return cudaSuccess;
}

cudaError_t create_surface(cudaSurfaceObject_t* number, const cudaResourceDesc* resource) {
  if (!number || !resource || resource->resType != cudaResourceTypeArray) return cudaErrorInvalidValue;
  if (sticky_error() != cudaSuccess) return sticky_error();
  TexelObject object{.is_surface = true, .resource = *resource};
  if (const cudaError_t error = describe(object.memory, *resource); error != cudaSuccess) return error;
  if ((find_array(resource->res.array.array)->flags & cudaArraySurfaceLoadStore) == 0)
    return cudaErrorInvalidValue;
  objects.push_back(object);
  *number = objects.size();
  return cudaSuccess;
}

TexelObject* object_with(unsigned long long number) {
  return number == 0 || number > objects.size() ? nullptr : &objects[number - 1];
}

TexelObject* live_object(unsigned long long number, bool surface) {
  TexelObject* object = object_with(number);
  return !object || object->is_destroyed || object->is_surface != surface ? nullptr : object;
}

cudaError_t destroy(unsigned long long number, bool surface) {
  TexelObject* object = live_object(number, surface);
  if (!object) return cudaErrorInvalidValue;
  object->is_destroyed = true;
  return cudaSuccess;
}

template <class Desc>
cudaError_t tell(Desc* desc, Desc TexelObject::*member, unsigned long long number, bool surface) {
  const TexelObject* object = live_object(number, surface);
  if (!object || !desc) return cudaErrorInvalidValue;
  *desc = object->*member;
  return cudaSuccess;
}

} // namespace

const TexelObject* find_texel_object(unsigned long long number) { return object_with(number); }

Texels texels_of(const TexelObject& object) {
  const TexelMemory& memory = object.memory;
  const TexelFormat& format = memory.format;
  Texels texels;
  texels.shape = static_cast<Texels::Shape>(memory.shape);
  const bool has_rows = memory.shape != simt_texels_linear && memory.shape != simt_texels_1d &&
                        memory.shape != simt_texels_1d_layered;
  const bool has_slices = memory.shape >= simt_texels_3d;
  texels.extents = {memory.width, has_rows ? memory.height : 0, has_slices ? memory.depth : 0};
  texels.kind = format.kind == cudaChannelFormatKindFloat    ? Texels::Kind::floats
                : format.kind == cudaChannelFormatKindSigned ? Texels::Kind::signed_integers
                                                             : Texels::Kind::unsigned_integers;
  texels.channels = format.channels;
  texels.channel_bits = 8 * format.channel_bytes;
  texels.normalized = !object.is_surface && texels.kind != Texels::Kind::floats && object.gives_floats();
  return texels;
}

} // namespace simt

using namespace simt;

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture, const cudaResourceViewDesc* view) {
  const HostCall turn;
  return api_result(create_texture(object, resource, texture, view));
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  const HostCall turn;
  return api_result(destroy(object, false));
}
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object) {
  const HostCall turn;
  return api_result(tell(resource, &TexelObject::resource, object, false));
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture, cudaTextureObject_t object) {
  const HostCall turn;
  return api_result(tell(texture, &TexelObject::texture, object, false));
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  const HostCall turn;
  return api_result(create_surface(object, resource));
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  const HostCall turn;
  return api_result(destroy(object, true));
}
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t object) {
  const HostCall turn;
  return api_result(tell(resource, &TexelObject::resource, object, true));
}
}
