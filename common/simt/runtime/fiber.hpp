// The stack that simulated threads run on. There is one, since one thread runs at a time: the frames of a thread that
// stops are copied away, and back when it goes on. They are some hundred bytes, and the stack stays in the cache; a stack
// of its own would cost every thread at least a page of memory, and every switch the time to fetch it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt {

/// The frames of a thread that has stopped; plain data, so that who owns it calls discard_frames.
struct SavedFrames {
  std::byte* bytes = nullptr; ///< null: none
  std::uint32_t size = 0;
  std::uint32_t capacity = 0;
};

/// Reserves the stack; safe to call often.
void initialise_stack();

/// The top of the stack, which grows down from it, for a thread that starts.
void* fresh_stack();

/// Copies away what lies above `stack_pointer`.
void save_frames(SavedFrames& frames, const void* stack_pointer);
/// Copies it back and returns the stack pointer.
void* restore_frames(const SavedFrames& frames);
void discard_frames(SavedFrames& frames);

/// The lowest address of the stack; below is a guard.
std::uintptr_t stack_bottom();
/// True if `address` is in the guard, which only a stack overflow reaches.
bool is_stack_guard(std::uintptr_t address);

} // namespace simt
