#include "simt/runtime/machine/fiber.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <sys/mman.h>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace simt {

Stacks stacks;

namespace {

constexpr std::size_t smallest_capacity = 256;
constexpr std::size_t slab_bytes = 64 * 1024; // the largest capacity, too
static_assert(stack_bytes <= slab_bytes);

/// Whose frames are on the stack, or were last.
Fiber* owners[max_threads_per_block] = {};

/// The stacks that have their guards: with the lower ones, those of whole warps.
unsigned guarded = 0;

/// Blocks of memory for frames that are not in use, by the power of two of their size.
std::vector<std::byte*> unused[std::bit_width(slab_bytes)];
std::vector<std::unique_ptr<std::byte[]>> slabs;

/// All tops at the same offset in a page would compete for the same cache lines.
std::uintptr_t top(unsigned stack) { return stacks.begin + (stack + 1) * stack_stride - stack % 32 * 128; }

#ifndef MADV_GUARD_INSTALL // since Linux 6.13
#define MADV_GUARD_INSTALL 102
#endif

/// Thousands of protected ranges slow down all that the system does with memory; guards that lie in its tables do not.
void guard_further_warp() {
  for (const unsigned end = guarded + lanes_per_warp; guarded < end; ++guarded) {
    void* const stack = reinterpret_cast<void*>(stacks.begin + guarded * stack_stride);
    if (madvise(stack, guard_bytes, MADV_GUARD_INSTALL) != 0) mprotect(stack, guard_bytes, PROT_NONE);
  }
}

std::byte* acquire(std::size_t capacity) {
  std::vector<std::byte*>& blocks = unused[std::countr_zero(capacity)];
  if (blocks.empty()) {
    slabs.push_back(std::make_unique_for_overwrite<std::byte[]>(slab_bytes));
    for (std::size_t end = slab_bytes; end != 0; end -= capacity)
      blocks.push_back(slabs.back().get() + end - capacity);
  }
  std::byte* block = blocks.back();
  blocks.pop_back();
  return block;
}

/// Gives back its memory for frames.
void release(Fiber& fiber) {
  unused[std::countr_zero(fiber.capacity)].push_back(fiber.saved);
  fiber.saved = nullptr;
  fiber.capacity = 0;
}

/// The frames on the stack from `begin` on give way to those of another thread.
void forget_poison([[maybe_unused]] unsigned stack, [[maybe_unused]] std::uintptr_t begin) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(reinterpret_cast<void*>(begin), top(stack) - begin);
#endif
}

std::size_t size_of_frames(const Fiber& fiber) {
  return top(fiber.stack) - reinterpret_cast<std::uintptr_t>(fiber.context);
}

void save(Fiber& fiber) {
  const std::size_t size = size_of_frames(fiber);
  if (size > fiber.capacity) {
    if (fiber.saved) release(fiber);
    fiber.capacity = static_cast<std::uint32_t>(std::bit_ceil(std::max(size, smallest_capacity)));
    fiber.saved = acquire(fiber.capacity);
  }
  forget_poison(fiber.stack, reinterpret_cast<std::uintptr_t>(fiber.context));
  std::memcpy(fiber.saved, fiber.context, size);
}

} // namespace

void initialise_stacks(void* memory) {
  stacks = {reinterpret_cast<std::uintptr_t>(memory), stacks_bytes};
  // A huge page would make every touched stack cost its full size.
  madvise(memory, stacks_bytes, MADV_NOHUGEPAGE);
}

Context enter(Fiber& fiber, void (*main)()) {
  Fiber* owner = std::exchange(owners[fiber.stack], &fiber);
  if (owner && owner != &fiber) save(*owner);
  if (!fiber.context) {
    while (fiber.stack >= guarded) guard_further_warp();
    forget_poison(fiber.stack, stacks.begin + fiber.stack * stack_stride + guard_bytes);
    return make_context(reinterpret_cast<void*>(top(fiber.stack)), stack_bytes / 2, main);
  }
  if (owner != &fiber) {
    forget_poison(fiber.stack, reinterpret_cast<std::uintptr_t>(fiber.context));
    std::memcpy(fiber.context, fiber.saved, size_of_frames(fiber));
  }
  return fiber.context;
}

void leave(Fiber& fiber) {
  if (owners[fiber.stack] == &fiber) owners[fiber.stack] = nullptr;
  if (fiber.saved) release(fiber);
}

void hide_frames(Fiber& fiber) {
  if (!fiber.context || owners[fiber.stack] != &fiber) return;
  save(fiber);
  owners[fiber.stack] = nullptr;
  std::memset(fiber.context, 0xa5, size_of_frames(fiber));
}

void pass_stack(Fiber& ended, Fiber& next) {
  next.stack = ended.stack;
  if (ended.saved) release(ended);
  owners[next.stack] = &next;
}

bool is_stack_guard(std::uintptr_t address) {
  return on_stack(address) && (address - stacks.begin) % stack_stride < guard_bytes;
}

std::uintptr_t above_stack_guard(std::uintptr_t address) {
  return address - (address - stacks.begin) % stack_stride + guard_bytes;
}

} // namespace simt
