#pragma once

#include "simt/runtime/machine/machine.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

// A copy to the host of as many bytes as the device's array has elements was mostly to take all of them. The host's array is as large as
// the device's then, and host code that reads beyond what the copy has filled, before it has written there itself, gets a finding. So does host code
// that reads what was copied from where nothing had been written. Both are known of page-locked arrays, and of those that malloc or new has given.
namespace simt {

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
/// Host code uses what may be left out.
void check_left_out(std::uintptr_t address, std::size_t bytes, Access access, std::uintptr_t site);
/// Host code frees a block: what comes to lie there is another array.
void forget_left_out(const void* block);

} // namespace simt
