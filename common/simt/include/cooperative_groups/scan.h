// cooperative_groups::inclusive_scan and exclusive_scan over tiles and coalesced groups, by shuffles.
#ifndef _COOPERATIVE_GROUPS_SCAN_H
#define _COOPERATIVE_GROUPS_SCAN_H

#include "cooperative_groups.h"
#include "simt_shim/groups_operators.h"

namespace cooperative_groups {

namespace detail {

/// A tile of several warps.
template <class Group>
inline constexpr bool is_wide = false;
template <unsigned Size, class Parent>
inline constexpr bool is_wide<thread_block_tile<Size, Parent>> = Size > 32;

/// What the first member of an exclusive scan gets.
template <class T, class Operator>
SIMT_INLINE auto first_of_scan(int) -> decltype(Operator::identity()) {
  return Operator::identity();
}
template <class T, class Operator>
SIMT_INLINE T first_of_scan(...) {
  return T();
}

} // namespace detail

/// Each member gets the combination of the values of all members up to itself.
template <class Group, class T, class Operator>
SIMT_INLINE T inclusive_scan(const Group& group, T value, Operator op, SIMT_CALLER) {
  unsigned rank = group.thread_rank();
  if constexpr (detail::is_wide<Group>) {
    const auto warp = tiled_partition<32>(this_thread_block());
    value = inclusive_scan(warp, value, op, simt_file, simt_line);
    T before = value;
    for (unsigned end = 31; end < group.members(); end += 32) {
      const T sum = group.shfl(value, static_cast<int>(end), simt_file, simt_line);
      if (end < rank / 32 * 32) before = end == 31 ? sum : op(before, sum);
    }
    return rank < 32 ? value : op(before, value);
  } else {
    for (unsigned distance = 1; distance < group.size(); distance *= 2) {
      T other = group.shfl_up(value, distance, simt_file, simt_line);
      if (rank >= distance) value = op(other, value);
    }
    return value;
  }
}
template <class Group, class T>
SIMT_INLINE T inclusive_scan(const Group& group, T value, SIMT_CALLER) {
  return inclusive_scan(group, value, plus<T>(), simt_file, simt_line);
}

/// Each member gets the combination of the values before its own; the first one gets the operator's identity,
/// or T() for an operator of one's own.
template <class Group, class T, class Operator>
SIMT_INLINE T exclusive_scan(const Group& group, T value, Operator op, SIMT_CALLER) {
  value = inclusive_scan(group, value, op, simt_file, simt_line);
  if constexpr (detail::is_wide<Group>) {
    const unsigned rank = group.thread_rank();
    const T own = value;
    value = tiled_partition<32>(this_thread_block()).shfl_up(own, 1, simt_file, simt_line);
    for (unsigned end = 31; end + 1 < group.members(); end += 32) {
      const T sum = group.shfl(own, static_cast<int>(end), simt_file, simt_line);
      if (rank == end + 1) value = sum;
    }
  } else {
    value = group.shfl_up(value, 1, simt_file, simt_line);
  }
  return group.thread_rank() > 0 ? value : static_cast<T>(detail::first_of_scan<T, Operator>(0));
}
template <class Group, class T>
SIMT_INLINE T exclusive_scan(const Group& group, T value, SIMT_CALLER) {
  return exclusive_scan(group, value, plus<T>(), simt_file, simt_line);
}

} // namespace cooperative_groups

#endif
