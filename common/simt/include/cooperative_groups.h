// Cooperative groups as the simulator provides them, written for it.
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"
#include "simt_shim/groups_warp.h"

namespace cooperative_groups {

template <class Group>
SIMT_INLINE void sync(const Group& group, SIMT_CALLER) {
  group.sync(simt_file, simt_line);
}
template <class Group>
SIMT_INLINE auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
SIMT_INLINE auto group_size(const Group& group) {
  return group.size();
}

/// One thread of the group calls `function`; which one is not said (here the first).
template <class Group, class Function, class... Arguments>
SIMT_INLINE void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
}
/// As invoke_one, and all threads get the result.
template <class Group, class Function, class... Arguments>
SIMT_INLINE auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments) {
  using Result = decltype(std::forward<Function>(function)(std::forward<Arguments>(arguments)...));
  Result result{};
  if (group.thread_rank() == 0)
    result = std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
  return group.shfl(result, 0);
}

} // namespace cooperative_groups

#endif
