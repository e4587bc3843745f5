// cooperative_groups::reduce over tiles and coalesced groups, by shuffles. (The device has single
// instructions for some types: the number of shuffles is this version's own.)
#ifndef _COOPERATIVE_GROUPS_REDUCE_H
#define _COOPERATIVE_GROUPS_REDUCE_H

#include "cooperative_groups.h"
#include "simt_shim/groups_operators.h"

namespace cooperative_groups {

/// All members get the combination of their values; `op` is associative and commutative.
template <unsigned Size, class Parent, class T, class Operator>
SIMT_INLINE T reduce(const thread_block_tile<Size, Parent>& tile, T value, Operator op, SIMT_CALLER) {
  if constexpr (Size > 32) {
    // Each warp by shuffles, and then what its first lanes have found.
    const auto warp = tiled_partition<32>(this_thread_block());
    value = reduce(warp, value, op, simt_file, simt_line);
    T result = tile.shfl(value, 0, simt_file, simt_line);
    for (unsigned rank = 32; rank < tile.members(); rank += 32)
      result = op(result, tile.shfl(value, static_cast<int>(rank), simt_file, simt_line));
    return result;
  } else {
    if (tile.detail::lanes::num_threads() < Size) {
      // The last tile of a block whose size is no multiple of the tile's.
      coalesced_group part(tile.simt_mask());
      return reduce(part, value, op, simt_file, simt_line);
    }
    for (unsigned distance = Size / 2; distance > 0; distance /= 2)
      value = op(value, tile.shfl_xor(value, distance, simt_file, simt_line));
    return value;
  }
}

template <class T, class Operator>
SIMT_INLINE T reduce(const coalesced_group& group, T value, Operator op, SIMT_CALLER) {
  unsigned rank = group.thread_rank(), size = group.size();
  for (unsigned distance = 1; distance < size; distance *= 2) {
    T other = group.shfl_down(value, distance, simt_file, simt_line);
    if (rank + distance < size) value = op(value, other);
  }
  return group.shfl(value, 0, simt_file, simt_line);
}

} // namespace cooperative_groups

#endif
