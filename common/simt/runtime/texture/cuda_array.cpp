#include "simt/runtime/texture/cuda_array.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/api/copies.hpp"
#include "simt/runtime/api/errors.hpp"
#include "simt/runtime/api/stream.hpp"
#include "simt/runtime/graph/capture.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/limits.hpp"
#include "simt/runtime/machine/reset.hpp"
#include "simt/runtime/memory/global_memory.hpp"

#include "cuda_runtime_api.h"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

namespace simt {

namespace {

std::vector<std::unique_ptr<cudaArray>> arrays;

const OnReset forget_arrays([] { arrays.clear(); });

auto position_of(cudaArray_const_t handle) {
  return std::ranges::find(arrays, handle, [](const auto& array) { return array.get(); });
}

std::uintptr_t address_of(const cudaArray& array) { return reinterpret_cast<std::uintptr_t>(array.memory); }

template <std::size_t rank>
bool fits(const std::array<std::size_t, rank>& extents, const std::array<int, rank>& most) {
  return std::ranges::equal(
      extents, most, [](std::size_t extent, int limit) { return extent <= static_cast<std::size_t>(limit); });
}

bool has_room_for(const cudaArray& array) {
  const std::array extents{array.width, array.height, array.depth};
  if (array.is_cubemap() && (array.width != array.height || array.depth % cubemap_faces != 0 ||
                             (array.depth != cubemap_faces && !array.is_layered())))
    return false;
  if (array.is_layered() || array.is_cubemap())
    return fits(extents, array.is_cubemap() ? max_texture_cubemaps : max_texture_layers);
  return array.depth != 0 ? fits(extents, max_texture_3d)
                          : fits(std::array{array.width, array.height}, max_texture_2d);
}

cudaError_t make_array(cudaArray_t* handle, const cudaChannelFormatDesc* desc, const cudaExtent& extent,
                       unsigned flags, std::uintptr_t site) {
  if (!handle || !desc || extent.width == 0) return cudaErrorInvalidValue;
  if (sticky_error() != cudaSuccess) return sticky_error();
  if (const cudaError_t error = refuse_unsafe_call(); error != cudaSuccess) return error;
  const auto format = format_of(*desc);
  if (!format) return cudaErrorInvalidChannelDescriptor;
  constexpr unsigned known =
      cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayTextureGather | cudaArrayCubemap;
  if ((flags & ~known) != 0) return cudaErrorNotSupported;
  auto array = std::make_unique<cudaArray>();
  array->width = extent.width, array->height = extent.height, array->depth = extent.depth;
  array->desc = *desc;
  array->flags = flags;
  const bool is_layered = array->is_layered(), is_flat = extent.height != 0 && extent.depth == 0;
  if (!has_room_for(*array) || ((is_layered || array->is_cubemap()) && extent.depth == 0) ||
      (extent.depth != 0 && extent.height == 0 && !is_layered) ||
      ((flags & cudaArrayTextureGather) != 0 && !is_flat))
    return cudaErrorInvalidValue;
  const std::size_t bytes = array->slices() * array->slice_bytes();
  array->memory = static_cast<char*>(allocate_global(bytes));
  if (!array->memory) {
    report_out_of_memory(bytes, site);
    return cudaErrorMemoryAllocation;
  }
  Allocation& allocation = *find_allocation(address_of(*array));
  allocation.array = true;
  allocation.element_size = format->bytes();
  // The slowest extent first, as indices are written.
  const std::size_t extents[] = {array->slices(), array->rows(), array->width};
  allocation.rank = extent.depth != 0 && extent.height != 0 ? 3 : extent.depth + extent.height != 0 ? 2 : 1;
  std::copy_n(extents + 3 - allocation.rank, allocation.rank, allocation.extents);
  if (extent.height == 0 && extent.depth != 0) allocation.extents[0] = array->slices(); // layers of one row
  *handle = array.get();
  arrays.push_back(std::move(array));
  return cudaSuccess;
}

/// Rows of an array that a copy takes part in, from byte x of row y on: the rows of all slices follow each other.
struct Rows {
  const cudaArray* array = nullptr;
  std::size_t x = 0, y = 0;

  bool hold(std::size_t width, std::size_t height) const {
    return array && x % array->texel_bytes() == 0 && width % array->texel_bytes() == 0 &&
           x + width <= array->row_bytes() && y + height <= array->rows();
  }
  char* start() const { return array->texel_at(0, y, 0) + x; }
  std::size_t pitch() const { return array->row_bytes(); }
  /// How many consecutive bytes there are from the start on, further rows included.
  std::size_t bytes_left() const { return array->slice_bytes() - y * array->row_bytes() - x; }
  bool hold_in_line(std::size_t bytes) const {
    return array && x < array->row_bytes() && y < array->rows() && bytes <= bytes_left();
  }
};

/// A side of a box of `width` bytes.
void put_source(cudaMemcpy3DParms& box, const Rows& from) {
  box.srcArray = const_cast<cudaArray_t>(from.array);
  box.srcPos = {from.x / from.array->texel_bytes(), from.y, 0};
}
void put_target(cudaMemcpy3DParms& box, const Rows& to) {
  box.dstArray = const_cast<cudaArray_t>(to.array);
  box.dstPos = {to.x / to.array->texel_bytes(), to.y, 0};
}

cudaError_t copy_rows_to(const cudaStream_t* stream, const Rows& to, const void* from, std::size_t pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind, const ApiCall& call) {
  if (!from || width > pitch || !to.hold(width, height)) return cudaErrorInvalidValue;
  cudaMemcpy3DParms box = {};
  box.srcPtr = {const_cast<void*>(from), pitch, width, height};
  put_target(box, to);
  box.extent = {width / to.array->texel_bytes(), height, 1};
  box.kind = kind;
  return issue_copy(stream, box, call);
}

cudaError_t copy_rows_from(const cudaStream_t* stream, void* to, std::size_t pitch, const Rows& from,
                           std::size_t width, std::size_t height, cudaMemcpyKind kind, const ApiCall& call) {
  if (!to || width > pitch || !from.hold(width, height)) return cudaErrorInvalidValue;
  cudaMemcpy3DParms box = {};
  put_source(box, from);
  box.dstPtr = {to, pitch, width, height};
  box.extent = {width / from.array->texel_bytes(), height, 1};
  box.kind = kind;
  return issue_copy(stream, box, call);
}

cudaError_t copy_rows_between(const Rows& to, const Rows& from, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, const ApiCall& call) {
  if (!to.hold(width, height) || !from.hold(width, height)) return cudaErrorInvalidValue;
  cudaMemcpy3DParms box = {};
  put_source(box, from);
  put_target(box, to);
  box.extent = {width / from.array->texel_bytes(), height, 1};
  box.kind = kind;
  return issue_copy(nullptr, box, call);
}

/// A copy that goes on in further rows is no box, so that graphs do not have it.
cudaError_t issue_line_copy(const cudaStream_t* stream, void* to, const void* from, std::size_t bytes,
                            cudaMemcpyKind kind, const ApiCall& call) {
  const Issued issued = issue_if_stream(stream ? *stream : nullptr);
  if (issued.error != cudaSuccess) return issued.error;
  if (issued.how == Issue::record) return invalidate(capture_of(*stream), cudaErrorStreamCaptureUnsupported);
  return copy_now(stream, linear_box(to, from, bytes, kind), call);
}

cudaError_t copy_line_to(const cudaStream_t* stream, const Rows& to, const void* from, std::size_t bytes,
                         cudaMemcpyKind kind, const ApiCall& call) {
  if (!from || !to.hold_in_line(bytes)) return cudaErrorInvalidValue;
  if (to.hold(bytes, 1)) return copy_rows_to(stream, to, from, bytes, bytes, 1, kind, call);
  return issue_line_copy(stream, to.start(), from, bytes, kind, call);
}

cudaError_t copy_line_from(const cudaStream_t* stream, void* to, const Rows& from, std::size_t bytes,
                           cudaMemcpyKind kind, const ApiCall& call) {
  if (!to || !from.hold_in_line(bytes)) return cudaErrorInvalidValue;
  if (from.hold(bytes, 1)) return copy_rows_from(stream, to, bytes, from, bytes, 1, kind, call);
  return issue_line_copy(stream, to, from.start(), bytes, kind, call);
}

/// The result of a call that was to write to an array.
cudaError_t fill_result(cudaError_t error, const ApiCall& call) {
  if (error != cudaSuccess) note_failed_write(call.function, cudaGetErrorName(error), call.site);
  return api_result(error);
}

} // namespace

const cudaArray* find_array(cudaArray_const_t handle) {
  const auto found = position_of(handle);
  return found == arrays.end() ? nullptr : found->get();
}

std::optional<TexelFormat> format_of(const cudaChannelFormatDesc& desc) {
  const int bits[] = {desc.x, desc.y, desc.z, desc.w};
  TexelFormat format{desc.f, 0, static_cast<unsigned>(desc.x) / 8};
  while (format.channels < 4 && bits[format.channels] != 0) ++format.channels;
  const bool are_equal = std::all_of(bits, bits + format.channels, [&](int b) { return b == desc.x; }) &&
                         std::all_of(bits + format.channels, bits + 4, [](int b) { return b == 0; });
  const bool is_float = desc.f == cudaChannelFormatKindFloat;
  const bool is_known =
      is_float || desc.f == cudaChannelFormatKindSigned || desc.f == cudaChannelFormatKindUnsigned;
  const bool is_width = desc.x == 32 || desc.x == 16 || (desc.x == 8 && !is_float);
  if (!are_equal || !is_known || !is_width || format.channels == 0 || format.channels == 3)
    return std::nullopt;
  return format;
}

} // namespace simt

using namespace simt;

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width,
                            size_t height, unsigned flags) {
  const HostCall turn;
  if ((flags & (cudaArrayLayered | cudaArrayCubemap)) != 0) return api_result(cudaErrorInvalidValue);
  return api_result(make_array(array, desc, {width, height, 0}, flags, SIMT_SITE));
}
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, cudaExtent extent,
                              unsigned flags) {
  const HostCall turn;
  return api_result(make_array(array, desc, extent, flags, SIMT_SITE));
}
cudaError_t cudaFreeArray(cudaArray_t handle) {
  const HostCall turn;
  if (sticky_error() != cudaSuccess) return api_result(sticky_error());
  if (!handle) return api_result(cudaSuccess);
  const auto found = position_of(handle);
  if (found == arrays.end()) {
    note_reason({"unheard-error", "no-array"});
    return api_result(cudaErrorInvalidResourceHandle);
  }
  free_global((*found)->memory);
  nearest_allocation(address_of(**found))->freed_at = SIMT_SITE;
  arrays.erase(found);
  return api_result(cudaSuccess);
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned* flags,
                             cudaArray_t handle) {
  const HostCall turn;
  const cudaArray* array = find_array(handle);
  if (!array) return api_result(cudaErrorInvalidResourceHandle);
  if (desc) *desc = array->desc;
  if (extent) *extent = {array->width, array->height, array->depth};
  if (flags) *flags = array->flags;
  return api_result(cudaSuccess);
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t handle) {
  const HostCall turn;
  const cudaArray* array = find_array(handle);
  if (!array || !desc) return api_result(array ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
  *desc = array->desc;
  return api_result(cudaSuccess);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  const HostCall turn;
  return fill_result(
      copy_rows_to(nullptr, {find_array(to), x, y}, from, pitch, width, height, kind, SIMT_CALL), SIMT_CALL);
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const HostCall turn;
  return fill_result(
      copy_rows_to(&stream, {find_array(to), x, y}, from, pitch, width, height, kind, SIMT_CALL), SIMT_CALL);
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                  size_t width, size_t height, cudaMemcpyKind kind) {
  const HostCall turn;
  return api_result(
      copy_rows_from(nullptr, to, pitch, {find_array(from), x, y}, width, height, kind, SIMT_CALL));
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                       size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  const HostCall turn;
  return api_result(
      copy_rows_from(&stream, to, pitch, {find_array(from), x, y}, width, height, kind, SIMT_CALL));
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                     size_t from_x, size_t from_y, size_t width, size_t height,
                                     cudaMemcpyKind kind) {
  const HostCall turn;
  const cudaError_t error = copy_rows_between(
      {find_array(to), to_x, to_y}, {find_array(from), from_x, from_y}, width, height, kind, SIMT_CALL);
  return fill_result(error, SIMT_CALL);
}
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  const HostCall turn;
  return fill_result(copy_line_to(nullptr, {find_array(to), x, y}, from, bytes, kind, SIMT_CALL), SIMT_CALL);
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
  const HostCall turn;
  return fill_result(copy_line_to(&stream, {find_array(to), x, y}, from, bytes, kind, SIMT_CALL), SIMT_CALL);
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  const HostCall turn;
  return api_result(copy_line_from(nullptr, to, {find_array(from), x, y}, bytes, kind, SIMT_CALL));
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  const HostCall turn;
  return api_result(copy_line_from(&stream, to, {find_array(from), x, y}, bytes, kind, SIMT_CALL));
}

void __simt_name_array(cudaArray_t handle, const char* name) {
  const HostCall turn;
  if (const cudaArray* array = find_array(handle)) find_allocation(address_of(*array))->name = name;
}
}
