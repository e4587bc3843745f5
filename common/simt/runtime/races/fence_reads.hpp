// What a fence asks of the race checks of shared memory; waiting_reads.cpp does it.
#pragma once

namespace simt {

/// All reads that wait leave their stamps (see waiting_reads.hpp). Those to come wait no more in the running block, up to its
/// next barrier.
void end_waiting();

} // namespace simt
