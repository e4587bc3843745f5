// Shared memory of blocks: which variables a kernel has, where they lie in a block's window, and what is
// valid.
#pragma once

#include "simt/runtime/machine/machine.hpp"

namespace simt {

/// Gives the block the first window that no block has: the number of that.
unsigned take_window(Block& block);
void give_window_back(unsigned slot);
/// Of all grids that have started and not ended.
unsigned windows_in_use();

/// Makes the shared memory of a block that starts uninitialised.
void reset_shared_memory(Block& block);

/// The block of the running grid whose window `address` is in; the running block where there is none.
const Block& shared_owner(std::uintptr_t address);

/// The variable of the running grid that holds all of [address, address + bytes), or null.
const SharedVariable* find_shared_variable(const Block& block, std::uintptr_t address, std::size_t bytes);

/// The variable nearest to `address`, or null if the grid has none.
const SharedVariable* nearest_shared_variable(const Block& block, std::uintptr_t address);

} // namespace simt
