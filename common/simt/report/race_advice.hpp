// What helps against a race, by the lines that its threads are in.
#pragma once

#include "simt/report/element_advice.hpp"

namespace simt {

RaceAdvice race_advice(const Finding& finding, Symbolizer& symbolizer);

} // namespace simt
