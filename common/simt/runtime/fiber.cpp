#include "simt/runtime/fiber.hpp"

#include "simt/runtime/machine.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <sys/mman.h>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace simt {

namespace {

// A thread with a large array may be far beyond the end of the stack when it first uses it.
constexpr std::size_t guard_bytes = 1 << 20;
constexpr std::size_t smallest_capacity = 256;
constexpr std::size_t slab_bytes = 64 * 1024; // the largest capacity, too

static_assert(stack_bytes <= slab_bytes);

std::uintptr_t top() { return machine.stack + machine.stack_span; }

/// Blocks of memory for frames that nobody uses, by the power of two of their capacity.
std::vector<std::byte*> unused[std::bit_width(slab_bytes)];
std::vector<std::unique_ptr<std::byte[]>> slabs;

std::vector<std::byte*>& unused_of(std::size_t capacity) { return unused[std::countr_zero(capacity)]; }

std::byte* acquire(std::size_t capacity) {
  std::vector<std::byte*>& blocks = unused_of(capacity);
  if (blocks.empty()) {
    slabs.push_back(std::make_unique_for_overwrite<std::byte[]>(slab_bytes));
    for (std::size_t end = slab_bytes; end != 0; end -= capacity) blocks.push_back(slabs.back().get() + end - capacity);
  }
  std::byte* block = blocks.back();
  blocks.pop_back();
  return block;
}

/// The stack's bytes from `stack_pointer` on are about to be used by another thread's frames.
void forget_poison([[maybe_unused]] std::uintptr_t stack_pointer) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(reinterpret_cast<void*>(stack_pointer), top() - stack_pointer);
#endif
}

} // namespace

void initialise_stack() {
  if (machine.stack != 0) return;
  machine.stack_span = guard_bytes + stack_bytes;
  machine.stack = reinterpret_cast<std::uintptr_t>(reserve_memory(machine.stack_span));
  mprotect(reinterpret_cast<void*>(machine.stack), guard_bytes, PROT_NONE);
}

void* fresh_stack() {
  forget_poison(stack_bottom());
  return reinterpret_cast<void*>(top());
}

void save_frames(SavedFrames& frames, const void* stack_pointer) {
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(stack_pointer);
  const std::size_t size = top() - begin;
  forget_poison(begin);
  if (size > frames.capacity) {
    discard_frames(frames);
    frames.capacity = static_cast<std::uint32_t>(std::bit_ceil(std::max(size, smallest_capacity)));
    frames.bytes = acquire(frames.capacity);
  }
  frames.size = static_cast<std::uint32_t>(size);
  std::memcpy(frames.bytes, stack_pointer, size);
}

void* restore_frames(const SavedFrames& frames) {
  void* stack_pointer = reinterpret_cast<void*>(top() - frames.size);
  std::memcpy(stack_pointer, frames.bytes, frames.size);
  return stack_pointer;
}

void discard_frames(SavedFrames& frames) {
  if (frames.bytes) unused_of(frames.capacity).push_back(frames.bytes);
  frames = {};
}

std::uintptr_t stack_bottom() { return machine.stack + guard_bytes; }

bool is_stack_guard(std::uintptr_t address) { return address - machine.stack < guard_bytes; }

} // namespace simt
