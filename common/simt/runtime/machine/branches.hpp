// Barriers that stand in an `if` or in a loop: which threads have not entered it, or have left it before others.
//
// A barrier completes when all threads that have not ended wait at it. A thread that has come to the `if`
// around it, has not entered, and has ended since is no such thread; but it has skipped the barrier, which on a
// device is undefined. So has one whose loop's condition was false where another's was true. One that has
// returned before it came to the condition has not.
#pragma once

#include "simt/runtime/machine/machine.hpp"

namespace simt {

/// The running lane has evaluated the condition of an `if` with a barrier in it, which stands in the lines
/// `first` to `last` of `file`.
void note_branch(bool entered, const char* file, int first, int last);

/// The running lane is in a loop with a barrier: from now on it is counted how often each lane comes to which one.
void enter_loop();

/// The same as note_branch for the condition of a loop with a barrier in it.
void note_loop(bool goes_on, const char* file, int first, int last);

/// The block begins: its lanes have come to no condition.
void begin_interval(Block& block);

/// All lanes that have not ended wait, and these two in different lines: reports the loop that one of them has left before the
/// other, or else the two barriers.
void report_apart(Block& block, const Lane& first, const Lane& second);

/// The block's barrier is about to complete, and `waiting` is one of the lanes at it: reports a lane that has
/// ended and has skipped this very barrier. `all_wait`: no lane has ended, and all wait in one line.
void check_skipped_barrier(Block& block, const Lane& waiting, bool all_wait);

} // namespace simt
