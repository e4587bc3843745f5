// What ends the waiting of rows of global memory; waiting_rows.cpp does it.
#pragma once

namespace simt {

/// All rows leave their marks (see waiting_rows.hpp). Requests that begin later in this round may wait again.
void end_rows();

/// The same, and no others wait in this round: the lanes' marks change with a fence.
void close_rows();

} // namespace simt
