#pragma once
/// What a failing call looks like from inside: it is run again with the diaries of the threads that matter (simt/report/diary.hpp).

#include "grader/failure.hpp"

namespace warpbook {

class Repeater;

/// Puts what the threads of the failure's call did, the smallest one that goes wrong in the same way if that is known, in front of the
/// failure's causes. Does nothing where that shows nothing.
void add_evidence(Failure& failure, Repeater& calls);

} // namespace warpbook
