// Memory functions of the runtime API.
#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/api/copies.hpp"
#include "simt/runtime/api/errors.hpp"
#include "simt/runtime/api/stream.hpp"
#include "simt/runtime/graph/capture.hpp"
#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/memory/announced.hpp"
#include "simt/runtime/memory/device_heap.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/host_symbols.hpp"
#include "simt/runtime/memory/memory_access.hpp"
#include "simt/runtime/memory/recorder.hpp"
#include "simt/runtime/memory/short_copies.hpp"
#include "simt/runtime/memory/symbol_copies.hpp"
#include "simt/runtime/memory/transfers.hpp"
#include "simt/runtime/schedule/device_launch.hpp"
#include "simt/runtime/schedule/unfinished.hpp"
#include "simt/runtime/texture/cuda_array.hpp"

#include "cuda_runtime_api.h"

#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

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

/// The allocation or device variable that an address is in, and how many bytes it has from there on.
std::pair<Place, std::size_t> rest_from(const void* pointer) {
  if (const Allocation* found = find_allocation(to_address(pointer)))
    return {place_of(*found), found->valid + found->valid_bytes - to_address(pointer)};
  const Symbol variable = find_variable(to_address(pointer));
  return {Place{.variable = variable.name}, variable.bytes - variable.offset};
}

/// What cudaMemcpyToSymbol is given by its template for more bytes than a variable has, of which that knows the type.
constexpr std::size_t too_many_bytes = ~std::size_t{0};

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
  std::memmove(real_address(to), real_address(from), bytes);
  if (is_on_device(from) && is_on_device(to))
    note_copy_within(to_address(to), bytes, call.function, call.site);
  note_copied(from, bytes, Access::read);
  note_copied(to, bytes, Access::write);
  if (find_section(to_address(to))) note_set_in_symbol(to_address(to), bytes);
  if (!is_device_pointer(to)) return;
  if (is_device_pointer(from))
    copy_written(to_address(to), to_address(from), bytes);
  else
    mark_written(to_address(to), bytes);
}

/// Whether host code cannot use it.
bool is_of_device_alone(const void* pointer) { return is_on_device(pointer) && !is_managed(pointer); }

/// Whether the host goes on only when the copy has ended, as CUDA says of copies in a stream (`is_async`) and without one.
bool host_waits_for_copy(bool is_async, const cudaMemcpy3DParms& box) {
  const bool to_device = box.dstArray || is_on_device(box.dstPtr.ptr);
  const bool from_device = box.srcArray || is_on_device(box.srcPtr.ptr);
  if (is_async)
    return !to_device &&
           (!from_device || !(is_device_pointer(box.dstPtr.ptr) || is_pinned(to_address(box.dstPtr.ptr))));
  return !(to_device && from_device) || is_managed(box.dstPtr.ptr) || is_managed(box.srcPtr.ptr);
}

/// Whether a graph has reserved the bytes, and frees or allocates them when it runs.
bool is_reserved(const void* pointer, std::size_t bytes) {
  const Allocation* allocation =
      is_device_pointer(pointer) ? nearest_allocation(to_address(pointer)) : nullptr;
  return allocation && allocation->of_graph && to_address(pointer) - allocation->base < allocation->bytes &&
         bytes <= allocation->base + allocation->bytes - to_address(pointer);
}

using ReasonOfCall = FindingKind<fact::Subject, fact::Error>;

/// Why a function cannot use memory of the device that was freed.
void note_freed(const void* pointer) {
  const Allocation* freed = nearest_allocation(to_address(pointer));
  const bool is_known = freed && to_address(pointer) - freed->base < freed->bytes && freed->freed_at != 0;
  is_known ? note_reason({"unheard-error", "freed"}, freed->freed_at)
           : note_reason({"unheard-error", "freed"});
}

/// Why a function cannot use so many bytes there, as memory of the device: it is the host's (`on_host`), or ends before.
void note_unusable(const void* pointer, std::size_t bytes, ReasonOfCall on_host) {
  if (!pointer) return note_reason({"unheard-error", "null-pointer"});
  if (find_array(static_cast<cudaArray_const_t>(pointer))) return note_reason({"unheard-error", "array"});
  if (!is_device_range(pointer, 1))
    return is_device_pointer(pointer) ? note_freed(pointer) : note_reason(on_host);
  const auto [whole, room] = rest_from(pointer);
  note_reason(
      [=, bytes = fact::Amount{bytes}, limit = fact::Limit{room}](fact::Subject function, fact::Error error) {
        if (bytes.value == too_many_bytes)
          return diagnostic_at(whole, {"unheard-error", "beyond-symbol"}, std::move(function),
                               std::move(error), limit);
        return diagnostic_at(whole, {"unheard-error", "too-long"}, std::move(function), std::move(error),
                             bytes, limit);
      });
}

/// A copy or memset is given the name of a variable of the device, which is that of another variable in host code: where it is to use the
/// device's memory (`on_device`) it fails, as on an H200.
cudaError_t check_named(const void* pointer, std::size_t bytes, Access access, bool on_device,
                        std::uintptr_t site) {
  const char* const name = pointer ? named_by_host(to_address(pointer)) : nullptr;
  if (!name || bytes == 0) return cudaSuccess;
  Place place{.variable = name};
  if (!on_device) {
    if (!already_recorded("device-pointer-on-host", site))
      record_access(diagnostic_at(place, {"device-pointer-on-host", "symbol"}), static_cast<unsigned>(bytes),
                    access, site);
    return cudaSuccess;
  }
  note_reason([=](fact::Subject function, fact::Error error) {
    return diagnostic_at<fact::Subject, fact::Error>(place, {"unheard-error", "symbol-by-name"},
                                                     std::move(function), std::move(error));
  });
  return cudaErrorInvalidValue;
}

cudaError_t check_names(const void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                        std::uintptr_t site) {
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const cudaError_t error = check_named(to, bytes, Access::write, to_device, site);
  return error != cudaSuccess ? error : check_named(from, bytes, Access::read, from_device, site);
}

/// Whether the bytes could be copied; of memory that a graph is yet to allocate, too, if it is `planned` only.
cudaError_t check_copy(const void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                       bool planned) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (bytes == 0) return cudaSuccess;
  bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  // Addresses are unified: the device takes device pointers in a host-to-host copy, too.
  if (kind == cudaMemcpyDefault || kind == cudaMemcpyHostToHost) {
    to_device = is_device_range(to, 1);
    from_device = is_device_range(from, 1);
  }
  // Memory of the device serves wherever memory of the host is asked for (measured on an H200), and not the other way round.
  const auto is_usable = [&](const void* pointer, bool on_device) {
    if (planned && is_reserved(pointer, bytes)) return true;
    return is_device_range(pointer, bytes) ||
           (on_device ? is_pinned(to_address(pointer)) : is_host_range(pointer));
  };
  if (!is_usable(to, to_device)) {
    note_unusable(to, bytes, {"unheard-error", "target-on-host"});
    return cudaErrorInvalidValue;
  }
  const bool is_literal = from_device && !is_device_pointer(from) && bytes <= bytes_of_literal(from);
  if (is_literal || is_usable(from, from_device)) return cudaSuccess;
  note_unusable(from, bytes, {"unheard-error", "source-on-host"});
  return cudaErrorInvalidValue;
}

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const ApiCall& call) {
  if (sticky_error() != cudaSuccess) return sticky_error();
  const cudaError_t error = check_copy(to, from, bytes, kind, false);
  if (error == cudaSuccess && bytes > 0) copy_bytes(to, from, bytes, call);
  return error;
}

void note_narrow_pitch(std::size_t width, std::size_t pitch) {
  note_reason([rows = fact::Amount{width}, limit = fact::Limit{pitch}](fact::Subject function, fact::Error error) {
    return diagnostic_of({"unheard-error", "narrow-pitch"}, std::move(function), std::move(error), rows, limit);
  });
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

/// Calls `with(to, from, bytes, kind)` for each row of the box, until it gives an error.
template <class With>
cudaError_t for_each_row(const cudaMemcpy3DParms& box, const With& with) {
  const auto& [from_array, from_pos, from, to_array, to_pos, to, extent, kind] = box;
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return cudaSuccess;
  std::size_t unit = 1;
  for (const cudaArray_t handle : {from_array, to_array}) {
    const cudaArray* array = handle ? find_array(handle) : nullptr;
    if (handle && (!array || (unit != 1 && unit != array->texel_bytes()))) return cudaErrorInvalidValue;
    if (array) unit = array->texel_bytes();
  }
  const std::size_t width = extent.width * unit;
  const auto source = side_of(from_array, from_pos, from, extent, width);
  const auto target = side_of(to_array, to_pos, to, extent, width);
  if ((!to_array && !to.ptr) || (!from_array && !from.ptr)) note_reason({"unheard-error", "null-pointer"});
  for (const auto& [is_array, memory] : {std::pair{to_array != nullptr, to}, {from_array != nullptr, from}})
    if (!is_array && memory.ptr && width > memory.pitch) {
      note_narrow_pitch(width, memory.pitch);
      return cudaErrorInvalidPitchValue;
    }
  if (!source || !target) return cudaErrorInvalidValue;
  for (const auto& [is_array, side] : {std::pair{to_array != nullptr, *target}, {from_array != nullptr, *source}}) {
    if (extent.height * extent.depth == 1) break; // as of most copies
    const std::size_t all = (extent.depth - 1) * side.slice_bytes + (extent.height - 1) * side.row_bytes + width;
    if (is_array || !is_device_range(side.first, width) || is_device_range(side.first, all)) continue;
    note_unusable(side.first, all, {"unheard-error", "not-on-device"}); // it has fewer rows
    return cudaErrorInvalidValue;
  }
  for (std::size_t z = 0; z < extent.depth; ++z)
    for (std::size_t y = 0; y < extent.height; ++y) {
      cudaError_t error = with(target->first + z * target->slice_bytes + y * target->row_bytes,
                               source->first + z * source->slice_bytes + y * source->row_bytes, width, kind);
      if (error != cudaSuccess) return error;
    }
  return cudaSuccess;
}

/// The box of a copy between peers, which are one device here.
cudaError_t box_from_peer(cudaMemcpy3DParms& box, const cudaMemcpy3DPeerParms* p) {
  if (!p) return cudaErrorInvalidValue;
  if (p->srcDevice != 0 || p->dstDevice != 0) return cudaErrorInvalidDevice;
  box = {p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
         p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDeviceToDevice};
  return cudaSuccess;
}

cudaMemcpy3DParms rows_box(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                           std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  cudaMemcpy3DParms box = {};
  box.srcPtr = {const_cast<void*>(from), from_pitch, width, height};
  box.dstPtr = {to, to_pitch, width, height};
  box.extent = {width, height, 1};
  box.kind = kind;
  return box;
}

cudaError_t check_set_row(const void* pointer, std::size_t bytes, bool planned) {
  const bool is_usable = bytes == 0 || is_device_range(pointer, bytes) || is_pinned(to_address(pointer)) ||
                         (planned && is_reserved(pointer, bytes));
  if (is_usable) return cudaSuccess;
  note_unusable(pointer, bytes, {"unheard-error", "not-on-device"});
  return cudaErrorInvalidValue;
}

cudaError_t set_row(void* pointer, unsigned value, unsigned element_bytes, std::size_t bytes) {
  if (sticky_error() != cudaSuccess) return sticky_error();
  const cudaError_t error = check_set_row(pointer, bytes, false);
  if (error != cudaSuccess || bytes == 0) return error;
  note_copied(pointer, bytes, Access::write);
  const OpenRange target(pointer, bytes);
  if (element_bytes == 1)
    std::memset(real_address(pointer), static_cast<int>(value), bytes);
  else
    for (std::size_t at = 0; at < bytes; at += element_bytes)
      std::memcpy(static_cast<char*>(real_address(pointer)) + at, &value, element_bytes);
  if (is_traced(pointer)) record_host_write(to_address(pointer), bytes, TracedStep::Kind::cleared);
  if (is_device_pointer(pointer)) mark_written(to_address(pointer), bytes);
  if (find_section(to_address(pointer))) note_set_in_symbol(to_address(pointer), bytes);
  return cudaSuccess;
}

/// Calls `with(pointer, bytes)` for each row, until it gives an error.
template <class With>
cudaError_t for_each_row(const cudaMemsetParams& set, const With& with) {
  const unsigned size = set.elementSize;
  if (size != 1 && size != 2 && size != 4) return cudaErrorInvalidValue;
  if (to_address(set.dst) % size != 0 || (set.height > 1 && set.width * size > set.pitch))
    return cudaErrorInvalidValue;
  for (std::size_t row = 0; row < set.height; ++row)
    if (const cudaError_t error = with(static_cast<char*>(set.dst) + row * set.pitch, set.width * size);
        error != cudaSuccess)
      return error;
  return cudaSuccess;
}

/// Values whose bytes are all alike are what they are for elements of any size.
void judge_byte(const void* pointer, int value, std::uintptr_t site) {
  const unsigned byte = static_cast<unsigned char>(value);
  constexpr int largest_small_number = 9; // that is set for itself, and is no pattern of bits
  const Allocation* array = is_device_pointer(pointer) ? find_allocation(to_address(pointer)) : nullptr;
  if (value >= 1 && value <= largest_small_number && array && (array->element_size == 2 || array->element_size == 4))
    return report_set_elements(*array, byte, site);
  if (value >= -128 && value <= 255) return;
  if (static_cast<unsigned>(value) == byte * 0x01010101u) return;
  report("memset-value", site, fact::Subject{std::to_string(value)}, fact::Amount{byte});
}

cudaError_t issue_copy_rows(const cudaStream_t* stream, const cudaMemcpy3DParms& box, const ApiCall& call) {
  const void *to = box.dstPtr.ptr, *from = box.srcPtr.ptr;
  const std::size_t width = box.extent.width, height = box.extent.height;
  cudaError_t error = check_names(to, from, width * height, box.kind, call.site);
  if (error == cudaSuccess) error = issue_copy(stream, box, call);
  if (error != cudaSuccess || height < 2 || width == 0) return error;
  if (Allocation* array = find_allocation(to_address(to));
      array && array->base == to_address(to) && !array->first_rows.function)
    array->first_rows = {{call.function, width, call.site}, box.dstPtr.pitch, height};
  if (!is_on_device(to))
    note_rows_to_host(to, box.dstPtr.pitch, from, box.srcPtr.pitch, width, height, call.function, call.site);
  return error;
}

cudaError_t issue_set_rows(const cudaStream_t* stream, void* pointer, std::size_t pitch, int value,
                           std::size_t width, std::size_t height, const ApiCall& call) {
  if (width > pitch) return cudaErrorInvalidValue;
  if (const cudaError_t error = check_named(pointer, width * height, Access::write, true, call.site);
      error != cudaSuccess)
    return error;
  return issue_set(stream, {pointer, pitch, static_cast<unsigned char>(value), 1, width, height}, call);
}

cudaError_t issue_set_slices(const cudaStream_t* stream, const cudaPitchedPtr& block, int value,
                             const cudaExtent& extent, const ApiCall& call) {
  if (extent.width > block.pitch || (extent.depth > 1 && extent.height > block.ysize))
    return cudaErrorInvalidValue;
  for (std::size_t z = 0; z < extent.depth; ++z) {
    char* slice = static_cast<char*>(block.ptr) + z * block.ysize * block.pitch;
    const cudaError_t error =
        issue_set_rows(stream, slice, block.pitch, value, extent.width, extent.height, call);
    if (error != cudaSuccess) return error;
  }
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
  if (!pointer) {
    note_reason({"unheard-error", "no-address"});
    return cudaErrorInvalidValue;
  }
  if (sticky_error() != cudaSuccess) return sticky_error();
  *pointer = nullptr;
  if (bytes == 0) return managed ? cudaErrorInvalidValue : cudaSuccess;
  *pointer = allocate_global(bytes, managed);
  constexpr std::size_t most_callers = 4;
  if (*pointer && !machine.lane)
    find_allocation(to_address(*pointer))->origin.frames = host_frames(site, most_callers);
  if (managed && *pointer) {
    mark_written(to_address(*pointer), bytes);
    expect_host_accesses();
  }
  if (*pointer) return cudaSuccess;
  report_out_of_memory(bytes, site);
  note_useless_pointer({"out-of-bounds", "not-allocated"}, "cudaMalloc", site);
  return cudaErrorMemoryAllocation;
}

/// False if it is not the start of a live allocation.
bool free_at(std::uintptr_t site, void* pointer) {
  if (!free_global(pointer)) return false;
  if (Allocation* freed = nearest_allocation(to_address(pointer));
      freed && freed->base == to_address(pointer))
    freed->freed_at = is_main_program(site) ? 0 : site;
  return true;
}

cudaError_t release(void* pointer, std::uintptr_t site) {
  if (sticky_error() != cudaSuccess) return sticky_error();
  Allocation* allocation = pointer ? find_allocation(to_address(pointer)) : nullptr;
  const bool of_host = allocation && allocation->page_locked;
  if (!pointer || (!of_host && free_at(site, pointer))) return cudaSuccess;
  report_invalid_free(pointer, site);
  return cudaErrorInvalidValue;
}

void note_pitch(const void* memory, std::size_t pitch, std::size_t width) {
  if (Allocation* allocation = find_allocation(to_address(memory)))
    allocation->origin.pitch = pitch, allocation->origin.width = width;
}

// Calls that belong to no stream must not be made while one records.
cudaError_t allocate_now(void** pointer, std::size_t bytes, bool managed, std::uintptr_t site) {
  const cudaError_t error = refuse_unsafe_call();
  return error == cudaSuccess ? allocate(pointer, bytes, managed, site) : error;
}
cudaError_t release_now(void* pointer, std::uintptr_t site) {
  cudaError_t error = pointer ? refuse_unsafe_call() : cudaSuccess;
  if (error == cudaSuccess) error = release(pointer, site);
  if (pointer && error == cudaSuccess) wait_for_device();
  return error;
}

/// Page-locked memory has a place in the arena, where kernels' accesses to it are checked.
cudaError_t allocate_host(void** pointer, std::size_t bytes, std::uintptr_t site) {
  cudaError_t error = bytes == 0 && pointer ? cudaSuccess : allocate_now(pointer, bytes, true, site);
  if (bytes == 0 && pointer) *pointer = nullptr;
  if (error != cudaSuccess || !*pointer) return error;
  find_allocation(to_address(*pointer))->page_locked = true;
  open_memory_at(to_address(*pointer));
  change_mapped_blocks(1);
  return error;
}

cudaError_t release_host(void* pointer, std::uintptr_t site) {
  if (const cudaError_t error = pointer ? refuse_unsafe_call() : cudaSuccess; error != cudaSuccess)
    return error;
  const Allocation* allocation = pointer ? find_allocation(to_address(pointer)) : nullptr;
  const bool of_host = allocation && allocation->page_locked;
  if (pointer && !(of_host && allocation->base == to_address(pointer) && free_at(site, pointer))) {
    note_not_page_locked(pointer);
    return cudaErrorInvalidValue;
  }
  if (pointer) {
    change_mapped_blocks(-1);
    wait_for_device();
  }
  return cudaSuccess;
}

/// A symbol is a device variable of a module; [offset, offset + bytes) must be in its section.
bool is_symbol(const void* symbol, std::size_t offset, std::size_t bytes) {
  const DeviceSection* section = find_section(to_address(symbol));
  if (!section) return false;
  std::size_t room = section->begin + section->bytes - to_address(symbol);
  return offset <= room && bytes <= room - offset;
}

/// Whether it is one, or why it is none.
cudaError_t check_symbol(const void* symbol, std::size_t offset, std::size_t bytes) {
  if (is_symbol(symbol, offset, bytes)) return cudaSuccess;
  if (is_symbol(symbol, 0, 1)) {
    note_unusable(static_cast<const char*>(symbol) + offset, bytes, {"unheard-error", "no-symbol"});
    return cudaErrorInvalidValue;
  }
  const void* pointed = nullptr;
  if (to_address(symbol) % sizeof pointed == 0 &&
      classify_host_address(to_address(symbol)) != HostRange::elsewhere)
    std::memcpy(&pointed, symbol, sizeof pointed);
  if (find_section(to_address(pointed)))
    note_reason({"unheard-error", "address-of-symbol"});
  else if (bytes_of_literal(symbol) > 1)
    note_reason({"unheard-error", "name-of-symbol"});
  else
    note_reason({"unheard-error", "no-symbol"});
  return cudaErrorInvalidSymbol;
}

cudaError_t copy_to_symbol(const cudaStream_t* stream, const void* symbol, const void* from,
                           std::size_t bytes, std::size_t offset, cudaMemcpyKind kind, const ApiCall& call) {
  cudaMemcpy3DParms box = {};
  const cudaError_t error = box_to_symbol(box, symbol, from, bytes, offset, kind);
  if (kind == cudaMemcpyHostToDevice && bytes == sizeof(void*) && is_of_device_alone(from))
    note_useless_pointer({"out-of-bounds", "copied-contents"}, call.function, call.site);
  if (error != cudaSuccess) return error;
  if (!stream || !capture_of(*stream)) note_copy_to_symbol(symbol, offset, from, bytes, call.function, call.site);
  return issue_copy(stream, box, call);
}

cudaError_t copy_from_symbol(const cudaStream_t* stream, void* to, const void* symbol, std::size_t bytes,
                             std::size_t offset, cudaMemcpyKind kind, const ApiCall& call) {
  cudaMemcpy3DParms box = {};
  const cudaError_t error = box_from_symbol(box, to, symbol, bytes, offset, kind);
  return error == cudaSuccess ? issue_copy(stream, box, call) : error;
}

cudaError_t issue_linear_copy(const cudaStream_t* stream, void* to, const void* from, std::size_t bytes,
                              cudaMemcpyKind kind, const ApiCall& call) {
  cudaError_t error = check_names(to, from, bytes, kind, call.site);
  for (const void* block : {static_cast<const void*>(to), from})
    if (const auto most = bytes_left_in_host_block(reinterpret_cast<std::uintptr_t>(block));
        most && *most < bytes && error == cudaSuccess) {
      report({"out-of-bounds", "host-block"}, call.site, fact::Subject{call.function}, fact::Amount{bytes},
             fact::Limit{*most});
      bytes = *most; // what lies after it is the heap's own
    }
  if (error == cudaSuccess) error = issue_copy(stream, linear_box(to, from, bytes, kind), call);
  if (error == cudaSuccess && !is_on_device(to))
    note_copy_to_host(to, from, bytes, call.function, call.site);
  return stream && capture_of(*stream) ? api_result(error) : write_result(error, to, bytes, call);
}

cudaError_t copy_from_peer(const cudaStream_t* stream, void* to, int to_device, const void* from,
                           int from_device, std::size_t bytes, const ApiCall& call) {
  if (to_device != 0 || from_device != 0) return cudaErrorInvalidDevice;
  return issue_copy(stream, linear_box(to, from, bytes, cudaMemcpyDeviceToDevice), call);
}

cudaError_t copy_box_from_peer(const cudaStream_t* stream, const cudaMemcpy3DPeerParms* parameters,
                               const ApiCall& call) {
  cudaMemcpy3DParms box = {};
  const cudaError_t error = box_from_peer(box, parameters);
  return error == cudaSuccess ? issue_copy(stream, box, call) : error;
}

/// In stream order: recorded, the memory has its address at once and is there when the graph allocates it.
cudaError_t allocate_in_order(void** pointer, std::size_t bytes, cudaStream_t stream, std::uintptr_t site) {
  if (!pointer || !is_stream(stream)) return pointer ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue;
  const Issued issued = issue_if_stream(stream);
  if (issued.error != cudaSuccess) return issued.error;
  if (issued.how == Issue::run) {
    const cudaError_t error = allocate(pointer, bytes, false, site);
    const IntoStream into(number_of(stream));
    if (error == cudaSuccess && bytes != 0) begin_memory(to_address(*pointer), bytes, site);
    return error;
  }
  if (bytes == 0) return cudaErrorInvalidValue;
  *pointer = reserve_for_graph(bytes);
  if (!*pointer) {
    report_out_of_memory(bytes, site);
    return cudaErrorMemoryAllocation;
  }
  cudaMemAllocNodeParams node = {};
  node.bytesize = bytes;
  node.dptr = *pointer;
  record_work(stream, AllocateWork{node});
  return cudaSuccess;
}

cudaError_t free_in_order(void* pointer, cudaStream_t stream, std::uintptr_t site) {
  if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
  const Issued issued = issue_if_stream(stream);
  if (issued.error != cudaSuccess) return issued.error;
  if (issued.how == Issue::run) {
    const IntoStream into(number_of(stream));
    if (const Allocation* one = find_allocation(to_address(pointer))) end_memory(one->base, one->bytes, site);
    return release(pointer, site);
  }
  if (!is_reserved(pointer, 1)) return cudaErrorInvalidValue;
  record_work(stream, FreeWork{pointer});
  return cudaSuccess;
}

} // namespace

cudaError_t simt::copy_box(const cudaMemcpy3DParms& box, const ApiCall& call) {
  const CopyingWork work(call.site);
  return for_each_row(box, [&](void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return copy(to, from, bytes, kind, call);
  });
}
cudaError_t simt::check_box(const cudaMemcpy3DParms& box) {
  return for_each_row(box, [](void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return check_copy(to, from, bytes, kind, true);
  });
}

cudaError_t simt::issue_copy(const cudaStream_t* stream, const cudaMemcpy3DParms& box, const ApiCall& call) {
  const Issued issued = issue_if_stream(stream ? *stream : nullptr);
  if (issued.error != cudaSuccess) return issued.error;
  if (issued.how == Issue::record) {
    const cudaError_t error = check_box(box);
    if (error == cudaSuccess) record_work(*stream, CopyWork{box, call});
    return error;
  }
  return copy_now(stream, box, call);
}

cudaError_t simt::copy_now(const cudaStream_t* stream, const cudaMemcpy3DParms& box, const ApiCall& call) {
  if (!stream)
    if (const cudaError_t error = refuse_unsafe_call(); error != cudaSuccess) return error;
  const unsigned number = number_of(stream ? *stream : nullptr);
  const IntoStream into(number);
  const cudaError_t error = copy_box(box, call);
  if (error != cudaSuccess) return error;
  const StreamPoint end = end_of(number);
  if (host_waits_for_copy(stream != nullptr, box))
    wait_for(end);
  else if (!stream)
    show_output_before(end);
  return cudaSuccess;
}

cudaError_t simt::set_elements(const cudaMemsetParams& set, const ApiCall& call) {
  const CopyingWork work(call.site);
  return for_each_row(set, [&](void* pointer, std::size_t bytes) {
    return set_row(pointer, set.value, set.elementSize, bytes);
  });
}
cudaError_t simt::check_set(const cudaMemsetParams& set) {
  return for_each_row(
      set, [](const void* pointer, std::size_t bytes) { return check_set_row(pointer, bytes, true); });
}

cudaError_t simt::issue_set(const cudaStream_t* stream, const cudaMemsetParams& set, const ApiCall& call) {
  const Issued issued = issue_if_stream(stream ? *stream : nullptr);
  if (issued.error != cudaSuccess) return issued.error;
  if (issued.how == Issue::record) {
    const cudaError_t error = check_set(set);
    if (error == cudaSuccess) record_work(*stream, SetWork{set, call});
    return error;
  }
  if (!stream)
    if (const cudaError_t error = refuse_unsafe_call(); error != cudaSuccess) return error;
  const unsigned number = number_of(stream ? *stream : nullptr);
  const IntoStream into(number);
  const cudaError_t error = set_elements(set, call);
  if (error == cudaSuccess && !stream && !is_of_device_alone(set.dst)) wait_for(end_of(number));
  return error;
}

cudaMemcpy3DParms simt::linear_box(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return rows_box(to, bytes, from, bytes, bytes, 1, kind);
}

cudaError_t simt::box_to_symbol(cudaMemcpy3DParms& box, const void* symbol, const void* from,
                                std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  if (const cudaError_t error = check_symbol(symbol, offset, bytes); error != cudaSuccess) return error;
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
  box = linear_box(static_cast<char*>(const_cast<void*>(symbol)) + offset, from, bytes, kind);
  return cudaSuccess;
}
cudaError_t simt::box_from_symbol(cudaMemcpy3DParms& box, void* to, const void* symbol, std::size_t bytes,
                                  std::size_t offset, cudaMemcpyKind kind) {
  if (const cudaError_t error = check_symbol(symbol, offset, bytes); error != cudaSuccess) return error;
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
  box = linear_box(to, static_cast<const char*>(symbol) + offset, bytes, kind);
  return cudaSuccess;
}

cudaError_t simt::allocate_device(void** pointer, std::size_t bytes, std::uintptr_t site) {
  return allocate_now(pointer, bytes, false, site);
}
cudaError_t simt::free_device(void* pointer, std::uintptr_t site) { return release_now(pointer, site); }

std::size_t simt::bytes_of_literal(const void* pointer) {
  if (in_arena(to_address(pointer)) || classify_host_address(to_address(pointer)) != HostRange::read_only)
    return 0;
  return std::strlen(static_cast<const char*>(pointer)) + 1;
}

bool simt::is_on_the_device(const void* pointer, std::size_t bytes) {
  return is_device_range(pointer, bytes) || is_pinned(to_address(pointer));
}

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  const HostCall turn;
  if (machine.lane) {
    if (!pointer || bytes == 0) return device_error(cudaErrorInvalidValue);
    void* memory = nullptr;
    if (!allocate_for_kernel(&memory, bytes)) return device_error(cudaErrorMemoryAllocation);
    access_memory<sizeof *pointer, Access::write>(to_address(pointer), SIMT_SITE);
    *pointer = memory;
    return cudaSuccess;
  }
  if (bytes == 0) note_useless_pointer({"out-of-bounds", "no-bytes"}, "cudaMalloc", SIMT_SITE);
  return api_result(allocate_now(pointer, bytes, false, SIMT_SITE));
}
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  const HostCall turn;
  return api_result(allocate_in_order(pointer, bytes, stream, SIMT_SITE));
}
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned) {
  const HostCall turn;
  return api_result(allocate_now(pointer, bytes, true, SIMT_SITE));
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  const HostCall turn;
  if (!pitch) return api_result(cudaErrorInvalidValue);
  *pitch = (width + 511) / 512 * 512;
  const cudaError_t error = allocate_now(pointer, *pitch * height, false, SIMT_SITE);
  if (error == cudaSuccess) note_pitch(*pointer, *pitch, width);
  return api_result(error);
}
cudaError_t cudaFree(void* pointer) {
  const HostCall turn;
  if (machine.lane)
    return free_for_kernel(pointer, SIMT_SITE) ? cudaSuccess : device_error(cudaErrorInvalidValue);
  return api_result(release_now(pointer, SIMT_SITE));
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  const HostCall turn;
  return api_result(free_in_order(pointer, stream, SIMT_SITE));
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
  return api_result(release_host(pointer, SIMT_SITE));
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const HostCall turn;
  return issue_linear_copy(nullptr, to, from, bytes, kind, SIMT_CALL);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  const HostCall turn;
  return issue_linear_copy(&stream, to, from, bytes, kind, SIMT_CALL);
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  const HostCall turn;
  return api_result(
      issue_copy_rows(nullptr, rows_box(to, to_pitch, from, from_pitch, width, height, kind), SIMT_CALL));
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const HostCall turn;
  return api_result(
      issue_copy_rows(&stream, rows_box(to, to_pitch, from, from_pitch, width, height, kind), SIMT_CALL));
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  const HostCall turn;
  return api_result(issue_set_rows(nullptr, pointer, pitch, value, width, height, SIMT_CALL));
}
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  const HostCall turn;
  return api_result(issue_set_rows(&stream, pointer, pitch, value, width, height, SIMT_CALL));
}
cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  const HostCall turn;
  judge_byte(pointer, value, SIMT_SITE);
  return write_result(issue_set_rows(nullptr, pointer, bytes, value, bytes, 1, SIMT_CALL), pointer, bytes,
                      SIMT_CALL);
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
  const HostCall turn;
  judge_byte(pointer, value, SIMT_SITE);
  const cudaError_t error = issue_set_rows(&stream, pointer, bytes, value, bytes, 1, SIMT_CALL);
  return capture_of(stream) ? api_result(error) : write_result(error, pointer, bytes, SIMT_CALL);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  const HostCall turn;
  return api_result(copy_to_symbol(nullptr, symbol, from, bytes, offset, kind, SIMT_CALL));
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  const HostCall turn;
  return api_result(copy_from_symbol(nullptr, to, symbol, bytes, offset, kind, SIMT_CALL));
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  const HostCall turn;
  return api_result(copy_to_symbol(&stream, symbol, from, bytes, offset, kind, SIMT_CALL));
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  const HostCall turn;
  return api_result(copy_from_symbol(&stream, to, symbol, bytes, offset, kind, SIMT_CALL));
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  const HostCall turn;
  if (const cudaError_t error = check_symbol(symbol, 0, 1); error != cudaSuccess) return api_result(error);
  *pointer = const_cast<void*>(symbol);
  note_symbol_address(to_address(symbol));
  return api_result(cudaSuccess);
}
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  const HostCall turn;
  if (!bytes) return api_result(cudaErrorInvalidValue);
  if (const cudaError_t error = check_symbol(symbol, 0, 1); error != cudaSuccess) return api_result(error);
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
  wait_for_device();
  return api_result(cudaSuccess);
}

// Where managed memory lies changes nothing here; only what is none is reported.
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
  const cudaError_t error = allocate_now(&block->ptr, pitch * extent.height * extent.depth, false, SIMT_SITE);
  if (error == cudaSuccess) note_pitch(block->ptr, pitch, extent.width);
  return api_result(error);
}
cudaError_t cudaMemset3D(cudaPitchedPtr block, int value, cudaExtent extent) {
  const HostCall turn;
  return api_result(issue_set_slices(nullptr, block, value, extent, SIMT_CALL));
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr block, int value, cudaExtent extent, cudaStream_t stream) {
  const HostCall turn;
  return api_result(issue_set_slices(&stream, block, value, extent, SIMT_CALL));
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  const HostCall turn;
  return api_result(parameters ? issue_copy(nullptr, *parameters, SIMT_CALL) : cudaErrorInvalidValue);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  const HostCall turn;
  return api_result(parameters ? issue_copy(&stream, *parameters, SIMT_CALL) : cudaErrorInvalidValue);
}
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) {
  const HostCall turn;
  return api_result(copy_box_from_peer(nullptr, parameters, SIMT_CALL));
}
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
  const HostCall turn;
  return api_result(copy_box_from_peer(&stream, parameters, SIMT_CALL));
}
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  const HostCall turn;
  return api_result(copy_from_peer(nullptr, to, to_device, from, from_device, bytes, SIMT_CALL));
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream) {
  const HostCall turn;
  return api_result(copy_from_peer(&stream, to, to_device, from, from_device, bytes, SIMT_CALL));
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
