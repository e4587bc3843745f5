#include "simt/program/document.hpp"

#include "simt/report/summary.hpp"

#include <nlohmann/json.hpp>

namespace simt::program {

namespace {

nlohmann::json place(const SourceLine& where, Symbolizer& symbolizer) {
  return {{"file", where.file}, {"line", where.line}, {"text", symbolizer.excerpt(where)}};
}

} // namespace

nlohmann::json document(const Report& report, const std::vector<Telling>& told, Symbolizer& symbolizer) {
  nlohmann::json kernels = nlohmann::json::array();
  for (const KernelRecord& kernel : report.kernels) {
    nlohmann::json entry = kernel;
    entry.erase("sites");
    entry["lines"] = nlohmann::json::array();
    for (const LineCounters& line : by_line(kernel.sites, symbolizer)) {
      nlohmann::json row = place(line.where, symbolizer);
      row["counters"] = line.counters;
      entry["lines"].push_back(std::move(row));
    }
    kernels.push_back(std::move(entry));
  }
  nlohmann::json diagnostics = nlohmann::json::array();
  for (std::size_t f = 0; f < report.diagnostics.size(); ++f) {
    const Finding& diagnostic = report.diagnostics[f];
    nlohmann::json entry = diagnostic;
    for (std::size_t i = 0; i < diagnostic.participants.size(); ++i) {
      nlohmann::json& where = entry["participants"][i];
      where.erase("where");
      if (const auto source = source_of(diagnostic.participants[i], symbolizer))
        where.update(place(*source, symbolizer));
      if (i < told[f].evidence.size() && !told[f].evidence[i].empty())
        where["evidence"] = told[f].evidence[i];
    }
    entry["rendered"] = render(diagnostic, symbolizer, told[f]);
    diagnostics.push_back(std::move(entry));
  }
  return {{"kernels", std::move(kernels)}, {"diagnostics", std::move(diagnostics)}};
}

} // namespace simt::program
