// The stacks that simulated threads run on. There is one for each thread of the largest block, and all blocks share them: while
// the lanes of a block switch to and fro, nothing moves; when a stack's thread has stopped and another block needs the
// stack, the frames, some hundred bytes, are copied away, and back before their thread goes on. So all threads together
// run in a few pages. A stack of its own would cost every thread of a grid at least a page of memory and the time to fetch
// it at every switch.
#pragma once

#include "simt/runtime/machine/context.hpp"
#include "simt/runtime/machine/limits.hpp"

#include <cstddef>
#include <cstdint>

namespace simt {

/// What a thread has of the stacks.
struct Fiber {
  Context context = nullptr;  ///< where it goes on; null until it first stops
  std::byte* saved = nullptr; ///< memory for its frames while another thread has the stack
  std::uint32_t capacity = 0; ///< bytes of that memory
  std::uint16_t stack = 0;    ///< that it began on: its thread's number in the block
};

/// Where the stacks are, guards included.
struct Stacks {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
};
extern Stacks stacks;
inline bool on_stack(std::uintptr_t address) { return address - stacks.begin < stacks.bytes; }

// A thread with a large array may be far beyond the end of its stack when it first uses it.
inline constexpr std::size_t guard_bytes = 64 * 1024;
inline constexpr std::size_t stack_stride = guard_bytes + stack_bytes;
inline constexpr std::size_t stacks_bytes = max_threads_per_block * stack_stride;

/// Where the stack of a fiber that runs begins, with its guard: `stack_stride` bytes.
inline std::uintptr_t stack_of(const Fiber& fiber) { return stacks.begin + fiber.stack * stack_stride; }

/// Has the stacks in this memory of `stacks_bytes`.
void initialise_stacks(void* memory);

/// Gives the fiber its stack, and where to jump to: where it stopped, or into `main`. Called on another stack.
Context enter(Fiber& fiber, void (*main)());

/// A fiber that has ended gives its stack, which still runs, to one that has not begun.
void pass_stack(Fiber& ended, Fiber& next);

/// Takes the frames of a fiber that has stopped away from its stack until it goes on: what others look for there, or leave, is nothing.
void hide_frames(Fiber& fiber);

/// A fiber that has ended, or never goes on.
void leave(Fiber& fiber);

/// True if `address` is in a guard below a stack, which only an overflow reaches.
bool is_stack_guard(std::uintptr_t address);
/// The lowest address of the stack above that guard.
std::uintptr_t above_stack_guard(std::uintptr_t address);

} // namespace simt
