#pragma once

#include "simt/report/symbolizer.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace simt::program {

/// A report as --json prints it: as its own JSON, with source lines in the place of code addresses, and with
/// each diagnostic's text, told as `told` says, one for each.
nlohmann::json document(const Report& report, const std::vector<Telling>& told, Symbolizer& symbolizer);

} // namespace simt::program
