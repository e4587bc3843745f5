#pragma once

#include "simt/runtime/machine/machine.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

// A copy to the host of as many bytes as the device's array has elements was mostly to take all of them; so was one of as many as n
// elements of a smaller type have, if a kernel has written the rest, too. The host's array is as large as
// the device's then, and host code that reads beyond what the copy has filled, before it has written there itself, gets a finding. So does host code
// that reads what was copied from where nothing had been written. Both are known of page-locked arrays, of those that malloc or new has given, and of global and static ones.
namespace simt {

/// How many times as many bytes would be the whole, where so few are those of as many elements of a smaller type; else 0.
std::size_t times_too_few(std::size_t bytes, std::size_t whole, std::size_t element_size);
/// How large the block is that was allocated there: page-locked, or by the C library, where the word before it says so; or that a
/// variable of a module is. 0: not known.
std::size_t size_of_block(std::uintptr_t address);

/// What the latest such copy has left out; nothing else is looked at.
struct LeftOut {
  std::atomic<std::uintptr_t> begin = 0;
  std::atomic<std::size_t> bytes = 0;
  bool may_hold(std::uintptr_t address) const {
    return address - begin.load(std::memory_order_relaxed) < bytes.load(std::memory_order_relaxed);
  }
};
extern LeftOut left_out;

/// `function` at `site` has copied the bytes from the device's `from` to the host's `to`.
void note_copy_to_host(const void* to, const void* from, std::size_t bytes, const char* function,
                       std::uintptr_t site);
/// The same of rows, of each as many bytes as it has elements.
void note_rows_to_host(const void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                       std::size_t width, std::size_t height, const char* function, std::uintptr_t site);
/// Host code uses what may be left out.
void check_left_out(std::uintptr_t address, std::size_t bytes, Access access, std::uintptr_t site);
/// Host code frees a block: what comes to lie there is another array.
void forget_left_out(const void* block);

} // namespace simt
