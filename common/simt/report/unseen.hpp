#pragma once

namespace simt {

/// What becomes of accesses of kernels to memory that the simulator does not see: of those through a function of the compiler's
/// own, say, or of a structure that is passed by value straight from memory.
enum class UnseenAccess {
  passes,           ///< nothing
  garbles,          ///< in some rounds of warps, which the seed chooses, they read garbage and leave garbage
  garbles_or_traps, ///< so they do, and in the first round of all they are findings, as far as that does not take long
  garbles_always,   ///< they do so in all rounds
  traps             ///< in all rounds they are findings
};

} // namespace simt
