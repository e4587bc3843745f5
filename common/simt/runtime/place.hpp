// Names for addresses, in the words of the student's program.
#pragma once

#include "simt/runtime/machine.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace simt {

struct Place {
  std::string variable = {}; ///< "tile", "x", "a 400-byte block from cudaMalloc"
  std::string index = {}; ///< "[3][5]", "[12]"; with "(byte 2 of it)" inside an element; empty where unknown
  std::optional<Space> space = {};
  std::vector<std::int64_t> element = {}; ///< {3, 5}; empty where unknown
  std::optional<std::array<unsigned, 3>> owner =
      {}; ///< the block whose shared memory it is, where that is another one
  /// "tile[3][5] of block (1,0,0)"
  std::string text() const;
};

/// Makes `place` the one that the diagnostic is about.
void locate(Diagnostic& diagnostic, const Place& place);

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

/// The same as the next one says it, without the words; nothing where there is no array near.
std::optional<Outside> outside_of(const Block* block, std::uintptr_t address);

/// "it lies 4 bytes past the end of x, which has 100 elements" and the like, for an address that belongs to
/// nothing.
std::string describe_distance(const Block* block, std::uintptr_t address);

/// "(1,0,0)"
std::string block_text(const Block& block);

struct Allocation;
/// "x" or "a block of 400 bytes from cudaMalloc".
std::string describe(const Allocation& allocation);

std::string plural(std::size_t count, const std::string& unit);
/// 1,234,567
std::string separated(std::uint64_t number);

} // namespace simt
