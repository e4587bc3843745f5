// malloc, free, new and delete of a module: in kernels from the device's heap, else the host's own. The linker
// redirects a module's calls to these (--wrap).
#include "simt/runtime/memory/device_heap.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/machine/call_site.hpp"
#include "simt/runtime/machine/reset.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/host_heap.hpp"
#include "simt/runtime/memory/short_copies.hpp"
#include "simt/runtime/races/global_race.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <new>
#include <vector>

namespace simt {

namespace {

std::size_t heap_limit = default_heap_bytes;
std::size_t heap_used = 0;
struct RefusedByHeap {
  std::size_t bytes = 0;
  std::uint32_t launch = 0, grid = 0;
} refused_in_heap;
/// What a lane holds, and has held at most, since its block's last barrier. Here lanes run one after the other; on a device the
/// others of the block have theirs at the same time, so that what a lane has freed is for no other thread until then.
struct HeldByLane {
  std::size_t now = 0, most = 0;
};
struct HeldByBlock {
  std::uint32_t epoch = 0;
  std::size_t spare = 0; ///< of all lanes, what they do not hold now of their most
  std::vector<HeldByLane> lanes = {};
};
std::map<const Block*, HeldByBlock> held;
std::size_t heap_spare = 0; ///< of all blocks

/// Blocks that were freed, by their pages. The latest are not given out again, so that who still uses one gets a finding.
std::map<std::size_t, std::deque<void*>> freed_blocks;
constexpr std::size_t latest_freed = 1024;

const OnReset empty_heap([] {
  heap_limit = default_heap_bytes;
  heap_used = heap_spare = 0;
  held.clear();
  freed_blocks.clear();
});

std::size_t pages_of(std::size_t bytes) { return (bytes + processor_page - 1) / processor_page; }

void* take_block(std::size_t bytes) {
  std::deque<void*>& freed = freed_blocks[pages_of(bytes)];
  while (freed.size() > latest_freed) {
    void* const pointer = freed.front();
    freed.pop_front();
    if (!allocate_again(pointer, bytes)) continue;
    forget_global_accesses(reinterpret_cast<std::uintptr_t>(pointer), pages_of(bytes) * processor_page);
    return pointer;
  }
  return allocate_global(bytes);
}

/// By the running block since its last barrier.
HeldByBlock& held_by_block() {
  HeldByBlock& block = held[machine.block];
  if (block.epoch == machine.block->epoch) return block;
  heap_spare -= block.spare;
  return block = {.epoch = machine.block->epoch,
                  .lanes = std::vector<HeldByLane>(machine.block->lanes.size())};
}

/// Null if the heap is full, as on the device.
void* allocate_in_kernel(std::size_t bytes) {
  HeldByBlock& block = held_by_block();
  HeldByLane& lane = block.lanes[machine.lane->thread];
  const std::size_t own_spare = lane.most - lane.now, taken = heap_used + heap_spare - own_spare;
  if (bytes > heap_limit - std::min(taken, heap_limit)) {
    refused_in_heap = {bytes, global_shadow.launch, machine.grid->number};
    return nullptr;
  }
  void* const pointer = take_block(bytes);
  if (!pointer) return nullptr;
  Allocation* allocation = find_allocation(reinterpret_cast<std::uintptr_t>(pointer));
  if (allocation) {
    allocation->name = "the device heap";
    allocation->on_heap = true;
  }
  heap_used += bytes;
  block.spare -= std::min(own_spare, bytes);
  heap_spare -= std::min(own_spare, bytes);
  lane.now += bytes;
  lane.most = std::max(lane.most, lane.now);
  return pointer;
}

/// False if the pointer is none of the heap.
bool release(void* pointer, std::uintptr_t site) {
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(pointer);
  const Allocation* allocation = find_allocation(address);
  if (!allocation || allocation->base != address || !allocation->on_heap) {
    report_invalid_free(pointer, site, !machine.lane);
    return false;
  }
  heap_used -= allocation->bytes;
  if (machine.lane) {
    HeldByBlock& block = held_by_block();
    HeldByLane& lane = block.lanes[machine.lane->thread];
    const std::size_t own = std::min(lane.now, allocation->bytes);
    lane.now -= own;
    block.spare += own;
    heap_spare += own;
  }
  freed_blocks[pages_of(allocation->bytes)].push_back(pointer);
  free_global(pointer);
  return true;
}

/// Blocks that the module's host code has from malloc and new[]. Those that libraries take or give back by themselves are not here.
struct HostBlocks {
  std::mutex turn;
  std::map<std::uintptr_t, std::size_t> bytes;
};
HostBlocks& host_blocks() {
  static HostBlocks* const blocks = new HostBlocks; // also for what is released when the process ends
  return *blocks;
}
void* note_host_block(void* begin, std::size_t bytes) {
  const std::lock_guard turn(host_blocks().turn);
  if (begin) host_blocks().bytes[reinterpret_cast<std::uintptr_t>(begin)] = bytes;
  return begin;
}
void forget_host_block(const void* begin) {
  const std::lock_guard turn(host_blocks().turn);
  host_blocks().bytes.erase(reinterpret_cast<std::uintptr_t>(begin));
}

/// False if it is for the host to release.
bool freed_on_device(void* pointer, std::uintptr_t site) {
  const bool is_of_device = machine.arena != 0 && in_arena(reinterpret_cast<std::uintptr_t>(pointer));
  if (!machine.lane && !is_of_device) {
    forget_left_out(pointer);
    forget_host_block(pointer);
    return false;
  }
  if (pointer) release(pointer, site);
  return true;
}

// A device's new gives null where the heap is full.
void* allocated(std::size_t bytes) {
  return machine.lane ? allocate_in_kernel(bytes) : new_of_host_code(bytes);
}
void* allocated(std::size_t bytes, std::align_val_t alignment) {
  if (!machine.lane) return ::operator new(bytes, alignment);
  return static_cast<std::size_t>(alignment) > processor_page ? nullptr : allocate_in_kernel(bytes);
}

} // namespace

std::size_t refused_by_heap() {
  const bool is_here = machine.grid && refused_in_heap.launch == global_shadow.launch &&
                       refused_in_heap.grid == machine.grid->number;
  return is_here ? refused_in_heap.bytes : 0;
}
void end_block_of_heap(const Block& block) {
  const auto ended = held.find(&block);
  if (ended == held.end()) return;
  heap_spare -= ended->second.spare;
  held.erase(ended);
}
void set_heap_limit(std::size_t bytes) { heap_limit = bytes; }
std::size_t heap_limit_bytes() { return heap_limit; }

bool allocate_for_kernel(void** pointer, std::size_t bytes) {
  *pointer = bytes == 0 ? nullptr : allocate_in_kernel(bytes);
  return bytes == 0 || *pointer;
}
bool free_for_kernel(void* pointer, std::uintptr_t site) { return !pointer || release(pointer, site); }

std::optional<std::size_t> bytes_left_in_host_block(std::uintptr_t address) {
  const std::lock_guard turn(host_blocks().turn);
  const auto above = host_blocks().bytes.upper_bound(address);
  if (above == host_blocks().bytes.begin()) return std::nullopt;
  const auto [begin, bytes] = *std::prev(above);
  return address - begin < bytes ? std::optional(begin + bytes - address) : std::nullopt;
}

} // namespace simt

extern "C" {

void* __wrap_malloc(std::size_t bytes) {
  return simt::machine.lane ? simt::allocate_in_kernel(bytes)
                            : simt::note_host_block(std::malloc(bytes), bytes);
}
void* __wrap_realloc(void* pointer, std::size_t bytes) {
  simt::forget_left_out(pointer);
  simt::forget_host_block(pointer);
  return simt::note_host_block(std::realloc(pointer, bytes), bytes);
}
void __wrap_free(void* pointer) {
  if (!simt::freed_on_device(pointer, SIMT_SITE)) std::free(pointer);
}

void* __wrap__Znwm(std::size_t bytes) { return simt::allocated(bytes); }
void* __wrap__Znam(std::size_t bytes) {
  void* const begin = simt::allocated(bytes);
  return simt::machine.lane ? begin : simt::note_host_block(begin, bytes);
}
void* __wrap__ZnwmSt11align_val_t(std::size_t bytes, std::align_val_t alignment) {
  return simt::allocated(bytes, alignment);
}
void* __wrap__ZnamSt11align_val_t(std::size_t bytes, std::align_val_t alignment) {
  return simt::allocated(bytes, alignment);
}

#define SIMT_DELETE(name, parameters, ...)                                                                   \
  void __wrap_##name parameters {                                                                            \
    if (!simt::freed_on_device(pointer, SIMT_SITE)) ::operator delete(__VA_ARGS__);                          \
  }
SIMT_DELETE(_ZdlPv, (void* pointer), pointer)
SIMT_DELETE(_ZdaPv, (void* pointer), pointer)
SIMT_DELETE(_ZdlPvm, (void* pointer, std::size_t), pointer)
SIMT_DELETE(_ZdaPvm, (void* pointer, std::size_t), pointer)
SIMT_DELETE(_ZdlPvSt11align_val_t, (void* pointer, std::align_val_t alignment), pointer, alignment)
SIMT_DELETE(_ZdaPvSt11align_val_t, (void* pointer, std::align_val_t alignment), pointer, alignment)
SIMT_DELETE(_ZdlPvmSt11align_val_t, (void* pointer, std::size_t, std::align_val_t alignment), pointer,
            alignment)
SIMT_DELETE(_ZdaPvmSt11align_val_t, (void* pointer, std::size_t, std::align_val_t alignment), pointer,
            alignment)
#undef SIMT_DELETE

} // extern "C"
