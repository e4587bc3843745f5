#pragma once
/// What an item says of a call in which more crossed between host and device than its contract allows.

#include "grader/crossing.hpp"
#include "grader/failure.hpp"
#include "grader/reply.hpp"

namespace warpbook {

/// The failure of an item whose result is right, in which that call was made.
Failure computed_by_host(const Crossing& crossing);

/// The failure of an item that judges what kernels do, and in which copies of the runtime have done it in that call.
Failure copied_by_runtime(const Crossing& crossing);

/// Says of a call in an item that fails for another reason that its copies have to go, too.
void warn_of(Failure& failure, const Crossing& crossing);

/// Fails the item if more has crossed in the call than its contract allows. Its result must have been found right before:
/// whoever goes on to judge how it came about asks this first. An item that asks nothing of the sort, and passes, is asked
/// at its end.
void expect_from_device(const Reply& reply);

} // namespace warpbook
