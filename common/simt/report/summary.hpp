// Kernel records as text: what each kernel and each of its source lines has cost.
#pragma once

#include "simt/report/report.hpp"
#include "simt/report/symbolizer.hpp"

#include <string>
#include <vector>

namespace simt {

/// The counters of all instructions on one source line.
struct LineCounters {
  SourceLine where;
  std::string excerpt; ///< the line's text, empty if it cannot be read
  Counters counters;
  std::vector<SourceLine>
      stores; ///< the lines of which the compiler makes one store with this one, and itself
};

/// Sites put together by line, in the order of files and lines; sites without a line are left out.
std::vector<LineCounters> by_line(const std::vector<SiteCounters>& sites, Symbolizer& symbolizer);

/// Some lines of text for each record: its shape, its traffic by kind, its synchronisations, and, if wanted,
/// the same for each source line. Ends with a newline; empty if there are no records.
std::string summary(const std::vector<KernelRecord>& kernels, Symbolizer& symbolizer, bool lines);

} // namespace simt
