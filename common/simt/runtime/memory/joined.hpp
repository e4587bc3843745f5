// Accesses that nvcc makes one of.
//
// The simulator counts what the source says, access by access. nvcc 13.0 joins those of one thread to neighbouring members of an
// object whose type is aligned, as 229 kernels on an H200 have shown; docs/simulator.md has the rule. What the rule takes off is
// counted beside the rest: the summary says both numbers, and no grade depends on which one a compiler makes.
#pragma once

#include "simt/runtime/machine/counting.hpp"
#include "simt_shim/entry_points.h"

#include <span>

namespace simt {

/// From now on, kernels have these arguments, of which `restricted` are __restrict__, from bit 0 on. What is known of a type is that
/// of a parameter: accesses to an array through a pointer that a kernel has cast count as through its own.
void note_joinable(std::span<const simt_argument> arguments, unsigned long long restricted);

/// Whether an argument points to objects whose members can be joined at all, or a variable in shared memory is made of such.
bool may_join();

/// Counts what is joined of a warp's log, from `first` up to `end`.
void count_joined(const LogEntry* first, const LogEntry* end);

} // namespace simt
