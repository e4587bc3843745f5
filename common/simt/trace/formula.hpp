// How the index of an access depends on blockIdx, threadIdx and how often the thread has come there: recovered from a
// trace, exactly, where the dependence is affine.
#pragma once

#include "simt/trace/trace.hpp"

#include <optional>

namespace simt {

/// The variables of a formula, in the order of its coefficients. `iteration` counts how often the thread has made the
/// access before.
enum Variable { thread_x, thread_y, thread_z, iteration, block_x, block_y, block_z, variables };

/// Of one access in the source, in one grid: element = constant + sum of coefficient * variable, for every one of `count`
/// accesses by a lane.
struct AccessFormula {
  std::uint32_t launch = 0; ///< its place in the trace, as that of the next
  std::uint32_t array = 0;
  std::string kernel;
  std::array<unsigned, 3> block{1, 1, 1}; ///< threads of a block
  std::string name;                       ///< of the array; empty where unknown
  Space space = Space::global;
  CodeAddress where;
  Access access = Access::read;
  unsigned bytes = 0;         ///< of a lane's access
  unsigned element_bytes = 0; ///< in which the index counts
  std::int64_t constant = 0;
  std::array<std::int64_t, variables> coefficient{};
  std::array<std::int64_t, variables> least{}, most{}; ///< of each variable, where lanes made the access
  std::uint64_t count = 0;
  bool first_only = false; ///< of iteration 0 alone: later ones go another way
};

/// The formulas of all accesses that have one, in the order of grids and of their first steps.
std::vector<AccessFormula> formulas_of(const Trace& trace);

/// "67 * blockIdx.x + threadIdx.x + 3"
std::string index_text(const AccessFormula& formula);
/// "blockIdx.x 0 to 19, threadIdx.x 0 to 255": the variables that vary.
std::string range_text(const AccessFormula& formula);

/// Without the places in a trace.
void to_json(nlohmann::json& json, const AccessFormula& formula);
void from_json(const nlohmann::json& json, AccessFormula& formula);

} // namespace simt
