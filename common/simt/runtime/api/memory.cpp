// Memory functions of the runtime API.
#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/api/copies.hpp"
#include "simt/runtime/api/errors.hpp"
#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/recorder.hpp"
#include "simt/runtime/memory/transfers.hpp"
#include "simt/runtime/texture/cuda_array.hpp"

#include "cuda_runtime_api.h"

#include <cstdlib>
#include <cstring>
#include <optional>

using namespace simt;

namespace {

std::uintptr_t to_address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

bool is_device_pointer(const void* pointer) { return machine.arena != 0 && in_arena(to_address(pointer)); }

bool is_managed(const void* pointer) {
  const Allocation* allocation = is_device_pointer(pointer) ? find_allocation(to_address(pointer)) : nullptr;
  return allocation && allocation->managed;
}

/// Device memory that a copy may touch: in one live allocation, or in a module's device variables.
bool is_device_range(const void* pointer, std::size_t bytes) {
  if (is_device_pointer(pointer)) return is_live(to_address(pointer), bytes);
  const DeviceSection* section = find_section(to_address(pointer));
  return section && bytes <= section->begin + section->bytes - to_address(pointer);
}

bool is_host_range(const void* pointer) {
  return pointer && (!is_device_pointer(pointer) || is_managed(pointer));
}

/// Whether kernels can reach it, too: what the host reads and writes there is part of a trace.
bool is_traced(const void* pointer) {
  return machine.options.trace && (is_device_range(pointer, 1) || is_pinned(to_address(pointer)));
}

/// Whether it lies on the device: all that kernels use and the host does not have itself.
bool is_on_device(const void* pointer) {
  if (!is_device_pointer(pointer)) return find_section(to_address(pointer)) != nullptr;
  const Allocation* allocation = find_allocation(to_address(pointer));
  return !allocation || !allocation->page_locked;
}

void copy_bytes(void* to, const void* from, std::size_t bytes, const ApiCall& call) {
  if (const bool from_device = is_on_device(from); from_device != is_on_device(to))
    note_copy(from_device ? Crossing::to_host : Crossing::to_device, bytes, call.function, call.site);
  const OpenRange target(to, bytes), source(from, bytes);
  if (is_traced(from)) record_host_read();
  if (is_traced(to)) record_host_write(to_address(to), bytes);
  std::memmove(to, from, bytes);
  if (!is_device_pointer(to)) return;
  if (is_device_pointer(from))
    copy_written(to_address(to), to_address(from), bytes);
  else
    mark_written(to_address(to), bytes);
}

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const ApiCall& call) {
  if (sticky_error() != cudaSuccess) return sticky_error();
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (bytes == 0) return cudaSuccess;
  bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  // Addresses are unified: the device takes device pointers in a host-to-host copy, too.
  if (kind == cudaMemcpyDefault || kind == cudaMemcpyHostToHost) {
    to_device = is_device_range(to, 1);
    from_device = is_device_range(from, 1);
  }
  if (!(to_device ? is_device_range(to, bytes) || is_pinned(to_address(to)) : is_host_range(to)))
    return cudaErrorInvalidValue;
  if (!(from_device ? is_device_range(from, bytes) || is_pinned(to_address(from)) : is_host_range(from)))
    return cudaErrorInvalidValue;
  copy_bytes(to, from, bytes, call);
  return cudaSuccess;
}

/// One side of a copy of a box: where its first byte lies, and how far apart rows and slices are.
struct BoxSide {
  char* first = nullptr;
  std::size_t row_bytes = 0, slice_bytes = 0;
};

/// The side of an array or of memory; nothing if it has no room for the box. Positions and extents in an array are in
/// texels, and those in memory in bytes, rows and slices.
std::optional<BoxSide> side_of(cudaArray_t handle, const cudaPos& at, const cudaPitchedPtr& memory,
                               const cudaExtent& extent, std::size_t width) {
  if (!handle) {
    if (!memory.ptr || at.x + width > memory.pitch) return std::nullopt;
    const std::size_t slice = memory.pitch * memory.ysize;
    return BoxSide{static_cast<char*>(memory.ptr) + at.z * slice + at.y * memory.pitch + at.x, memory.pitch,
                   slice};
  }
  const cudaArray* array = find_array(handle);
  if (!array || memory.ptr || at.x + extent.width > array->width || at.y + extent.height > array->rows() ||
      at.z + extent.depth > array->slices())
    return std::nullopt;
  return BoxSide{array->texel_at(at.x, at.y, at.z), array->row_bytes(), array->slice_bytes()};
}

cudaError_t copy_box(const cudaMemcpy3DParms* parameters, const ApiCall& call) {
  if (!parameters) return cudaErrorInvalidValue;
  const auto& [from_array, from_pos, from, to_array, to_pos, to, extent, kind] = *parameters;
  std::size_t unit = 1;
  for (const cudaArray_t handle : {from_array, to_array}) {
    const cudaArray* array = handle ? find_array(handle) : nullptr;
    if (handle && (!array || (unit != 1 && unit != array->texel_bytes()))) return cudaErrorInvalidValue;
    if (array) unit = array->texel_bytes();
  }
  const std::size_t width = extent.width * unit;
  const auto source = side_of(from_array, from_pos, from, extent, width);
  const auto target = side_of(to_array, to_pos, to, extent, width);
  if (!source || !target) return cudaErrorInvalidValue;
  for (std::size_t z = 0; z < extent.depth; ++z)
    if (const cudaError_t error = copy_rows(target->first + z * target->slice_bytes, target->row_bytes,
                                            source->first + z * source->slice_bytes, source->row_bytes, width,
                                            extent.height, kind, call);
        error != cudaSuccess)
      return error;
  return cudaSuccess;
}

cudaError_t copy_box_from_peer(const cudaMemcpy3DPeerParms* p, const ApiCall& call) {
  if (!p) return cudaErrorInvalidValue;
  if (p->srcDevice != 0 || p->dstDevice != 0) return cudaErrorInvalidDevice;
  const cudaMemcpy3DParms here = {p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                                  p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDeviceToDevice};
  return copy_box(&here, call);
}

cudaError_t copy_from_peer(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                           const ApiCall& call) {
  if (to_device != 0 || from_device != 0) return cudaErrorInvalidDevice;
  return copy(to, from, bytes, cudaMemcpyDeviceToDevice, call);
}

cudaError_t set_bytes(void* pointer, int value, std::size_t bytes) {
  if (sticky_error() != cudaSuccess) return sticky_error();
  if (bytes == 0) return cudaSuccess;
  if (!is_device_range(pointer, bytes) && !is_pinned(to_address(pointer))) return cudaErrorInvalidValue;
  const OpenRange target(pointer, bytes);
  std::memset(pointer, value, bytes);
  if (is_traced(pointer)) record_host_write(to_address(pointer), bytes, TracedStep::Kind::cleared);
  if (is_device_pointer(pointer)) mark_written(to_address(pointer), bytes);
  return cudaSuccess;
}

/// The result of a call that was to write these bytes.
cudaError_t write_result(cudaError_t error, const void* to, std::size_t bytes, const ApiCall& call) {
  if (error != cudaSuccess)
    note_failed_write(call.function, cudaGetErrorName(error), call.site);
  else
    note_write(call.function, to_address(to), bytes, call.site);
  return api_result(error);
}

cudaError_t allocate(void** pointer, std::size_t bytes, bool managed, std::uintptr_t site) {
  if (!pointer) return cudaErrorInvalidValue;
  if (sticky_error() != cudaSuccess) return sticky_error();
  *pointer = nullptr;
  if (bytes == 0) return managed ? cudaErrorInvalidValue : cudaSuccess;
  *pointer = allocate_global(bytes, managed);
  if (managed && *pointer) mark_written(to_address(*pointer), bytes);
  if (*pointer) return cudaSuccess;
  report_out_of_memory(bytes, site);
  return cudaErrorMemoryAllocation;
}

cudaError_t release(void* pointer, std::uintptr_t site) {
  if (sticky_error() != cudaSuccess) return sticky_error();
  const Allocation* allocation = pointer ? find_allocation(to_address(pointer)) : nullptr;
  const bool of_host = allocation && allocation->page_locked;
  if (!pointer || (!of_host && free_global(pointer))) return cudaSuccess;
  report_invalid_free(pointer, site);
  return cudaErrorInvalidValue;
}

/// Page-locked memory has a place in the arena, where kernels' accesses to it are checked.
cudaError_t allocate_host(void** pointer, std::size_t bytes, std::uintptr_t site) {
  cudaError_t error = bytes == 0 && pointer ? cudaSuccess : allocate(pointer, bytes, true, site);
  if (bytes == 0 && pointer) *pointer = nullptr;
  if (error != cudaSuccess || !*pointer) return error;
  find_allocation(to_address(*pointer))->page_locked = true;
  open_memory_at(to_address(*pointer));
  change_mapped_blocks(1);
  return error;
}

cudaError_t release_host(void* pointer) {
  const Allocation* allocation = pointer ? find_allocation(to_address(pointer)) : nullptr;
  const bool of_host = allocation && allocation->page_locked;
  if (pointer && !(of_host && free_global(pointer))) return cudaErrorInvalidValue;
  if (pointer) change_mapped_blocks(-1);
  return cudaSuccess;
}

/// A symbol is a device variable of a module; [offset, offset + bytes) must be in its section.
bool is_symbol(const void* symbol, std::size_t offset, std::size_t bytes) {
  const DeviceSection* section = find_section(to_address(symbol));
  if (!section) return false;
  std::size_t room = section->begin + section->bytes - to_address(symbol);
  return offset <= room && bytes <= room - offset;
}

cudaError_t copy_to_symbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                           cudaMemcpyKind kind, const ApiCall& call) {
  if (!is_symbol(symbol, 0, 1)) return cudaErrorInvalidSymbol;
  if (!is_symbol(symbol, offset, bytes)) return cudaErrorInvalidValue;
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
  return copy(static_cast<char*>(const_cast<void*>(symbol)) + offset, from, bytes, kind, call);
}

cudaError_t copy_from_symbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                             cudaMemcpyKind kind, const ApiCall& call) {
  if (!is_symbol(symbol, 0, 1)) return cudaErrorInvalidSymbol;
  if (!is_symbol(symbol, offset, bytes)) return cudaErrorInvalidValue;
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
  return copy(to, static_cast<const char*>(symbol) + offset, bytes, kind, call);
}

} // namespace

cudaError_t simt::copy_memory(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                              const ApiCall& call) {
  return copy(to, from, bytes, kind, call);
}

cudaError_t simt::copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                            std::size_t width, std::size_t height, cudaMemcpyKind kind, const ApiCall& call) {
  if (width > to_pitch || width > from_pitch) return cudaErrorInvalidValue;
  for (std::size_t row = 0; row < height; ++row) {
    cudaError_t error = copy(static_cast<char*>(to) + row * to_pitch,
                             static_cast<const char*>(from) + row * from_pitch, width, kind, call);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

bool simt::is_on_the_device(const void* pointer, std::size_t bytes) {
  return is_device_range(pointer, bytes) || is_pinned(to_address(pointer));
}

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  const HostCall turn;
  return api_result(allocate(pointer, bytes, false, SIMT_SITE));
}
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t) {
  const HostCall turn;
  return api_result(allocate(pointer, bytes, false, SIMT_SITE));
}
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned) {
  const HostCall turn;
  return api_result(allocate(pointer, bytes, true, SIMT_SITE));
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  const HostCall turn;
  if (!pitch) return api_result(cudaErrorInvalidValue);
  *pitch = (width + 511) / 512 * 512;
  return api_result(allocate(pointer, *pitch * height, false, SIMT_SITE));
}
cudaError_t cudaFree(void* pointer) {
  const HostCall turn;
  return api_result(release(pointer, SIMT_SITE));
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) {
  const HostCall turn;
  return api_result(release(pointer, SIMT_SITE));
}
cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  const HostCall turn;
  return api_result(allocate_host(pointer, bytes, SIMT_SITE));
}
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned) {
  const HostCall turn;
  return api_result(allocate_host(pointer, bytes, SIMT_SITE));
}
cudaError_t cudaFreeHost(void* pointer) {
  const HostCall turn;
  return api_result(release_host(pointer));
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const HostCall turn;
  return write_result(copy(to, from, bytes, kind, SIMT_CALL), to, bytes, SIMT_CALL);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  const HostCall turn;
  return write_result(copy(to, from, bytes, kind, SIMT_CALL), to, bytes, SIMT_CALL);
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  const HostCall turn;
  return api_result(copy_rows(to, to_pitch, from, from_pitch, width, height, kind, SIMT_CALL));
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t) {
  const HostCall turn;
  return api_result(copy_rows(to, to_pitch, from, from_pitch, width, height, kind, SIMT_CALL));
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  const HostCall turn;
  if (width > pitch) return api_result(cudaErrorInvalidValue);
  for (std::size_t row = 0; row < height; ++row) {
    cudaError_t error = set_bytes(static_cast<char*>(pointer) + row * pitch, value, width);
    if (error != cudaSuccess) return api_result(error);
  }
  return api_result(cudaSuccess);
}
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t) {
  const HostCall turn;
  return cudaMemset2D(pointer, pitch, value, width, height);
}
cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  const HostCall turn;
  return write_result(set_bytes(pointer, value, bytes), pointer, bytes, SIMT_CALL);
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t) {
  const HostCall turn;
  return write_result(set_bytes(pointer, value, bytes), pointer, bytes, SIMT_CALL);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  const HostCall turn;
  return api_result(copy_to_symbol(symbol, from, bytes, offset, kind, SIMT_CALL));
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  const HostCall turn;
  return api_result(copy_from_symbol(to, symbol, bytes, offset, kind, SIMT_CALL));
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t) {
  const HostCall turn;
  return api_result(copy_to_symbol(symbol, from, bytes, offset, kind, SIMT_CALL));
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t) {
  const HostCall turn;
  return api_result(copy_from_symbol(to, symbol, bytes, offset, kind, SIMT_CALL));
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  const HostCall turn;
  if (!is_symbol(symbol, 0, 1)) return api_result(cudaErrorInvalidSymbol);
  *pointer = const_cast<void*>(symbol);
  return api_result(cudaSuccess);
}
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  const HostCall turn;
  if (!bytes) return api_result(cudaErrorInvalidValue);
  if (!is_symbol(symbol, 0, 1)) return api_result(cudaErrorInvalidSymbol);
  *bytes = find_variable(to_address(symbol)).bytes;
  return api_result(*bytes != 0 ? cudaSuccess : cudaErrorInvalidSymbol);
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  const HostCall turn;
  if (!device) return api_result(cudaErrorInvalidValue);
  const Allocation* allocation = find_allocation(to_address(host));
  const bool mapped = (allocation && allocation->page_locked) || is_pinned(to_address(host));
  *device = mapped ? host : nullptr; // addresses are unified
  return api_result(mapped ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  const HostCall turn;
  const Allocation* allocation = find_allocation(to_address(host));
  if (!flags || !allocation || !allocation->page_locked) return api_result(cudaErrorInvalidValue);
  *flags = cudaHostAllocPortable | cudaHostAllocMapped;
  return api_result(cudaSuccess);
}
cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned) {
  const HostCall turn;
  if (!pointer || bytes == 0 || is_device_pointer(pointer)) return api_result(cudaErrorInvalidValue);
  if (is_pinned(to_address(pointer))) return api_result(cudaErrorHostMemoryAlreadyRegistered);
  add_pinned(pointer, bytes);
  change_mapped_blocks(1);
  return api_result(cudaSuccess);
}
cudaError_t cudaHostUnregister(void* pointer) {
  const HostCall turn;
  if (!remove_pinned(pointer)) return api_result(cudaErrorHostMemoryNotRegistered);
  change_mapped_blocks(-1);
  return api_result(cudaSuccess);
}

// Where managed memory lies changes nothing here; only what is none is told.
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation, unsigned, cudaStream_t) {
  const HostCall turn;
  return api_result(is_managed(pointer) && is_live(to_address(pointer), bytes) ? cudaSuccess
                                                                               : cudaErrorInvalidValue);
}
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise, cudaMemLocation) {
  const HostCall turn;
  return api_result(is_managed(pointer) && is_live(to_address(pointer), bytes) ? cudaSuccess
                                                                               : cudaErrorInvalidValue);
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void* pointer, size_t, unsigned) {
  const HostCall turn;
  return api_result(is_managed(pointer) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* block, cudaExtent extent) {
  const HostCall turn;
  if (!block) return api_result(cudaErrorInvalidValue);
  const std::size_t pitch = (extent.width + 511) / 512 * 512;
  *block = {nullptr, pitch, extent.width, extent.height};
  return api_result(allocate(&block->ptr, pitch * extent.height * extent.depth, false, SIMT_SITE));
}
cudaError_t cudaMemset3D(cudaPitchedPtr block, int value, cudaExtent extent) {
  const HostCall turn;
  if (extent.width > block.pitch || (extent.depth > 1 && extent.height > block.ysize))
    return api_result(cudaErrorInvalidValue);
  for (std::size_t z = 0; z < extent.depth; ++z)
    for (std::size_t y = 0; y < extent.height; ++y) {
      char* row = static_cast<char*>(block.ptr) + (z * block.ysize + y) * block.pitch;
      cudaError_t error = set_bytes(row, value, extent.width);
      if (error != cudaSuccess) return api_result(error);
    }
  return api_result(cudaSuccess);
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr block, int value, cudaExtent extent, cudaStream_t) {
  const HostCall turn;
  return cudaMemset3D(block, value, extent);
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  const HostCall turn;
  return api_result(copy_box(parameters, SIMT_CALL));
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t) {
  const HostCall turn;
  return api_result(copy_box(parameters, SIMT_CALL));
}
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) {
  const HostCall turn;
  return api_result(copy_box_from_peer(parameters, SIMT_CALL));
}
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t) {
  const HostCall turn;
  return api_result(copy_box_from_peer(parameters, SIMT_CALL));
}
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  const HostCall turn;
  return api_result(copy_from_peer(to, to_device, from, from_device, bytes, SIMT_CALL));
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t) {
  const HostCall turn;
  return api_result(copy_from_peer(to, to_device, from, from_device, bytes, SIMT_CALL));
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  const HostCall turn;
  if (!free_bytes || !total_bytes) return api_result(cudaErrorInvalidValue);
  *total_bytes = machine.options.device_memory;
  *free_bytes = *total_bytes - std::min(*total_bytes, allocated_bytes());
  return api_result(cudaSuccess);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  const HostCall turn;
  if (!attributes) return api_result(cudaErrorInvalidValue);
  *attributes = {cudaMemoryTypeUnregistered, -1, nullptr, const_cast<void*>(pointer)};
  const Allocation* allocation = is_device_pointer(pointer) ? find_allocation(to_address(pointer)) : nullptr;
  if ((allocation && allocation->page_locked) || is_pinned(to_address(pointer)))
    *attributes = {cudaMemoryTypeHost, 0, const_cast<void*>(pointer), const_cast<void*>(pointer)};
  else if (is_device_range(pointer, 1))
    *attributes = {is_managed(pointer) ? cudaMemoryTypeManaged : cudaMemoryTypeDevice, 0,
                   const_cast<void*>(pointer), is_managed(pointer) ? const_cast<void*>(pointer) : nullptr};
  return api_result(cudaSuccess);
}

} // extern "C"
