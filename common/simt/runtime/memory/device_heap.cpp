// malloc, free, new and delete of a module: in kernels from the device's heap, else the host's own. The linker
// redirects a program's calls to these (--wrap).
#include "simt/runtime/memory/device_heap.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/machine/call_site.hpp"
#include "simt/runtime/machine/reset.hpp"
#include "simt/runtime/memory/global_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace simt {

namespace {

std::size_t heap_limit = default_heap_bytes;
std::size_t heap_used = 0;
const OnReset empty_heap([] {
  heap_limit = default_heap_bytes;
  heap_used = 0;
});

/// Null if the heap is full, as on the device.
void* allocate_in_kernel(std::size_t bytes) {
  if (bytes > heap_limit - std::min(heap_used, heap_limit)) return nullptr;
  void* pointer = allocate_global(bytes);
  if (!pointer) return nullptr;
  Allocation* allocation = find_allocation(reinterpret_cast<std::uintptr_t>(pointer));
  if (allocation) {
    allocation->name = "the device heap";
    allocation->on_heap = true;
  }
  heap_used += bytes;
  return pointer;
}

bool is_host_memory(const void* pointer) {
  return machine.arena == 0 || !in_arena(reinterpret_cast<std::uintptr_t>(pointer));
}

/// False if the pointer is none of the heap.
bool release(void* pointer, std::uintptr_t site) {
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(pointer);
  const Allocation* allocation = find_allocation(address);
  if (!allocation || allocation->base != address || !allocation->on_heap) {
    report_invalid_free(pointer, site);
    return false;
  }
  heap_used -= allocation->bytes;
  free_global(pointer);
  return true;
}

void* allocate_or_throw(std::size_t bytes) {
  if (machine.lane) return allocate_in_kernel(bytes); // a device's new gives null
  return ::operator new(bytes);
}

} // namespace

void set_heap_limit(std::size_t bytes) { heap_limit = bytes; }
std::size_t heap_limit_bytes() { return heap_limit; }

bool allocate_for_kernel(void** pointer, std::size_t bytes) {
  *pointer = bytes == 0 ? nullptr : allocate_in_kernel(bytes);
  return bytes == 0 || *pointer;
}
bool free_for_kernel(void* pointer, std::uintptr_t site) { return !pointer || release(pointer, site); }

} // namespace simt

extern "C" {

void* __wrap_malloc(std::size_t bytes) {
  return simt::machine.lane ? simt::allocate_in_kernel(bytes) : std::malloc(bytes);
}
void __wrap_free(void* pointer) {
  if (simt::is_host_memory(pointer)) return std::free(pointer);
  simt::release(pointer, SIMT_SITE);
}

// operator new(size_t), new[], delete(void*), delete[], and those with a size.
void* __wrap__Znwm(std::size_t bytes) { return simt::allocate_or_throw(bytes); }
void* __wrap__Znam(std::size_t bytes) { return simt::allocate_or_throw(bytes); }
void __wrap__ZdlPv(void* pointer) {
  if (simt::is_host_memory(pointer)) return ::operator delete(pointer);
  simt::release(pointer, SIMT_SITE);
}
void __wrap__ZdaPv(void* pointer) {
  if (simt::is_host_memory(pointer)) return ::operator delete(pointer);
  simt::release(pointer, SIMT_SITE);
}
void __wrap__ZdlPvm(void* pointer, std::size_t) {
  if (simt::is_host_memory(pointer)) return ::operator delete(pointer);
  simt::release(pointer, SIMT_SITE);
}
void __wrap__ZdaPvm(void* pointer, std::size_t) {
  if (simt::is_host_memory(pointer)) return ::operator delete(pointer);
  simt::release(pointer, SIMT_SITE);
}

} // extern "C"
