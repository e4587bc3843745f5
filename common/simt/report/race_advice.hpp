// What helps against a race, by the lines that its threads are in.
#pragma once

#include "simt/report/symbolizer.hpp"

namespace simt {

/// Beside what the catalogue says, and in the place of its cure. Empty where the lines say nothing more.
struct RaceAdvice {
  std::vector<std::string> notes;
  std::string cure;
};
RaceAdvice race_advice(const Finding& finding, Symbolizer& symbolizer);

} // namespace simt
