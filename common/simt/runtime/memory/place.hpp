// Names for addresses, in the words of the student's program.
#pragma once

#include "simt/runtime/machine/machine.hpp"

#include <optional>

namespace simt {

/// The place of an address inside a known variable or allocation; an empty variable name otherwise.
Place find_place(const Block* block, std::uintptr_t address);

/// For an address that belongs to nothing: the nearest variable or buffer, and where known the index that
/// leads from its start to the address.
Place nearest_place(const Block* block, std::uintptr_t address);

/// Whether the address is so far from every variable and buffer that no index of an array leads there by mistake,
/// unless it is one that has wrapped around.
bool is_far_away(const Block* block, std::uintptr_t address);

/// For an address that is far away: the variable or buffer from which an unsigned index leads there that is a little
/// less than 2^32, and where known that index. `size` is that of the access. An empty variable name if there is none.
Place place_below_zero(const Block* block, std::uintptr_t address, unsigned size);

/// Where beside the nearest array an address lies that belongs to nothing; nothing where there is no array near.
std::optional<Outside> outside_of(const Block* block, std::uintptr_t address);

struct Allocation;
/// The whole of it.
Place place_of(const Allocation& allocation);

} // namespace simt
