// Names for addresses, in the words of the student's program.
#pragma once

#include "simt/runtime/machine/machine.hpp"

#include <optional>

namespace simt {

/// The place of an address inside a known variable or allocation; an empty variable name otherwise.
Place find_place(const Block* block, std::uintptr_t address);

/// What was declared for the variable that begins at the address in device memory, or null where that is not known.
const simt_shared_type* type_of_variable(std::uintptr_t variable);

/// How far behind the start of the dynamic shared memory the kernel's own pointer points by whose name find_place() calls the address.
std::optional<std::size_t> offset_of_pointer(const Block& block, std::uintptr_t address);

/// What is nearest to an address that belongs to nothing.
struct Near {
  Place place; ///< the variable or buffer, and where known the index that leads from its start to the address
  std::optional<Outside> outside; ///< where it lies beside that; nothing where there is no array at all
  bool is_far =
      false; ///< so far that no index leads there by mistake, unless it is one that has wrapped around
};
Near nearest_place(const Block* block, std::uintptr_t address);

/// Whether an address in global memory is as far from all buffers.
bool is_far_from_all(std::uintptr_t address);

/// For an address that is far away: the variable or buffer from which an unsigned index leads there that is a little
/// less than 2^32, and where known that index. `size` is that of the access. An empty variable name if there is none.
Place place_below_zero(const Block* block, std::uintptr_t address, unsigned size);

/// For an address that is far away: the buffer behind whose start it would be, near the end, if its bytes had not been cut to 32 bits.
std::optional<Near> place_before_cut(std::uintptr_t address);

/// For an address outside of all arrays: the buffer that it would be in if an index were not negative because it has
/// overflowed, with that index, and how many bits it has. `size` is that of the access.
struct Overflow {
  Place place;
  Outside outside;
  unsigned index_bits = 0;
};
std::optional<Overflow> overflow_at(std::uintptr_t address, unsigned size);

struct Allocation;
/// The whole of it.
Place place_of(const Allocation& allocation);

} // namespace simt
