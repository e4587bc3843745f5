#pragma once

namespace simt {

/// What becomes of accesses of kernels to memory that the simulator does not see: of those through a function of the compiler's
/// own, say, or of a structure that is passed by value straight from memory.
enum class UnseenAccess {
  passes,  ///< nothing
  garbles, ///< they read garbage, and what they write is lost
  traps    ///< they are findings
};

} // namespace simt
