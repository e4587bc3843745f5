#include "simt/runtime/fiber.hpp"

#include "simt/runtime/machine.hpp"

#include <stdexcept>
#include <sys/mman.h>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace simt {

namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t stacks_per_slab = 64;
constexpr std::size_t slab_bytes = stacks_per_slab * stack_bytes;
// A process may hold about 65,000 mappings, so only the first slabs guard each stack; later ones their
// lowest.
constexpr std::size_t fully_guarded_slabs = 64;
constexpr std::size_t max_slabs = (max_cooperative_threads + stacks_per_slab - 1) / stacks_per_slab;

std::vector<void*> free_stacks;
std::size_t slabs = 0;

// All tops at the same offset in a page would compete for the same cache lines.
std::size_t colour(std::size_t number) { return number % 16 * 192; }

void add_slab() {
  if (slabs == 0) {
    machine.stacks_span = max_slabs * slab_bytes;
    machine.stacks = reinterpret_cast<std::uintptr_t>(reserve_memory(machine.stacks_span));
    // A huge page per slab would make every touched stack cost its full size.
    madvise(reinterpret_cast<void*>(machine.stacks), machine.stacks_span, MADV_NOHUGEPAGE);
  }
  if (slabs == max_slabs) throw std::runtime_error("the simulator is out of stacks for simulated threads");
  std::uintptr_t base = machine.stacks + slabs * slab_bytes;
  for (std::size_t i = stacks_per_slab; i-- > 0;) {
    std::uintptr_t bottom = base + i * stack_bytes;
    if (i == 0 || slabs < fully_guarded_slabs) mprotect(reinterpret_cast<void*>(bottom), page, PROT_NONE);
    free_stacks.push_back(reinterpret_cast<void*>(bottom + stack_bytes - colour(i)));
  }
  ++slabs;
}

} // namespace

void* acquire_stack() {
  if (free_stacks.empty()) add_slab();
  void* top = free_stacks.back();
  free_stacks.pop_back();
#if defined(__SANITIZE_ADDRESS__)
  // An abandoned thread leaves the poison of its frames behind.
  std::uintptr_t end = reinterpret_cast<std::uintptr_t>(top);
  std::uintptr_t bottom = end - ((end - 1 - machine.stacks) % stack_bytes + 1) + page;
  __asan_unpoison_memory_region(reinterpret_cast<void*>(bottom), end - bottom);
#endif
  return top;
}

void release_stack(void* top) { free_stacks.push_back(top); }

bool is_stack_guard(std::uintptr_t address) {
  if (address - machine.stacks >= slabs * slab_bytes) return false;
  std::size_t offset = (address - machine.stacks) % slab_bytes;
  std::size_t slab = (address - machine.stacks) / slab_bytes;
  return offset % stack_bytes < page && (offset < page || slab < fully_guarded_slabs);
}

} // namespace simt
