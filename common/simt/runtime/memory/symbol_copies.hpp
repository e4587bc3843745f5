#pragma once

#include "simt/runtime/machine/machine.hpp"

#include <cstddef>
#include <cstdint>

// A copy into a device variable takes bytes, and an offset in bytes. One that was given numbers of elements leaves others unset
// than it should, and a kernel that reads those, where nothing has ever been set, gets a finding.
namespace simt {

/// Around all that such copies have left; nothing else is looked at.
struct UnsetParts {
  std::uintptr_t begin = 0, end = 0;
  bool may_hold(std::uintptr_t address) const { return begin <= address && address < end; }
};
extern UnsetParts unset_parts;

/// `function` at `site` is about to copy so many bytes into the variable.
void note_copy_to_symbol(const void* symbol, std::size_t offset, const void* from, std::size_t bytes,
                         const char* function, std::uintptr_t site);
/// The host has set bytes of a device variable.
void note_set_in_symbol(std::uintptr_t address, std::size_t bytes);
/// The running lane uses what may be unset.
void check_unset_part(std::uintptr_t address, std::size_t bytes, Access access, std::uintptr_t site);

} // namespace simt
