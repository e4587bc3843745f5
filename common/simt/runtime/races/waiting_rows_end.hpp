// What ends the waiting of rows of global memory; waiting_rows.cpp does it.
#pragma once

namespace simt {

/// All rows leave their marks (see waiting_rows.hpp). Requests that begin later in this round may wait again.
void end_rows();

/// The same before the access is checked that the running lane has logged last. It leaves marks of its own, as it may have
/// another size than the row's elements.
void end_rows_before_check();

/// The same, and no others wait in this round: the lanes' marks change with a fence.
void close_rows();

} // namespace simt
