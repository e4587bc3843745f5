// In which turns of a loop two threads come to one element, where the loop's step is too small for the number of its threads.
#pragma once

#include "simt/report/report.hpp"
#include "simt/report/symbolizer.hpp"

#include <optional>
#include <string>

namespace simt {

/// Both threads come to the element by the loop's own variable: this has been computed from their indices.
struct SharedTurns {
  std::string variable;                 ///< "i"
  std::string step;                     ///< as it is written: "gridDim.x"
  std::uint64_t value = 0;              ///< of the step
  std::uint64_t threads = 0;            ///< that share the loop
  bool of_grid = false;                 ///< these are all of the grid's
  std::array<std::uint64_t, 2> turns{}; ///< of the two, from 1 on
};
/// Nothing where one of these is not known, or the step is large enough. `head` has the loop's `for`.
std::optional<SharedTurns> shared_turns(const Finding& race, const SourceLine& head, const std::string& line,
                                        Symbolizer& symbolizer);

} // namespace simt
