// Shared memory of blocks: which variables a kernel has, where they lie in a block's window, and what is
// valid.
#pragma once

#include "simt/runtime/machine/machine.hpp"

namespace simt {

/// Makes the shared memory of a block that starts uninitialised.
void reset_shared_memory(Block& block);

/// The block whose window `address` is in; the running block where that belongs to no block.
const Block& shared_owner(std::uintptr_t address);

/// The variable of the running grid that holds all of [address, address + bytes), or null.
const SharedVariable* find_shared_variable(const Block& block, std::uintptr_t address, std::size_t bytes);

/// The variable nearest to `address`, or null if the grid has none.
const SharedVariable* nearest_shared_variable(const Block& block, std::uintptr_t address);

} // namespace simt
