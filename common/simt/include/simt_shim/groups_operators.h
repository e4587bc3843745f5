// The operators of cooperative_groups::reduce and the scans.
#ifndef SIMT_INCLUDE_SIMT_SHIM_GROUPS_OPERATORS_H
#define SIMT_INCLUDE_SIMT_SHIM_GROUPS_OPERATORS_H

#include "simt_shim/entry_points.h"

#include <limits>

namespace cooperative_groups {

// `identity` changes nothing it is combined with. (Not part of CUDA's interface.)
#define SIMT_GROUP_OPERATOR(name, expression, neutral)                                                       \
  template <class T>                                                                                         \
  struct name {                                                                                              \
    SIMT_INLINE constexpr T operator()(T a, T b) const { return expression; }                                \
    SIMT_INLINE static constexpr T identity() { return neutral; }                                            \
  };
SIMT_GROUP_OPERATOR(plus, a + b, T())
SIMT_GROUP_OPERATOR(less, b < a ? b : a, std::numeric_limits<T>::max())
SIMT_GROUP_OPERATOR(greater, a < b ? b : a, std::numeric_limits<T>::lowest())
SIMT_GROUP_OPERATOR(bit_and, a& b, static_cast<T>(~T()))
SIMT_GROUP_OPERATOR(bit_or, a | b, T())
SIMT_GROUP_OPERATOR(bit_xor, a ^ b, T())
#undef SIMT_GROUP_OPERATOR

} // namespace cooperative_groups

#endif
