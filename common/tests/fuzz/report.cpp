// The simulator's report as JSON: anything that is none is an exception, and what is one survives a round trip.
#include "simt/report/report.hpp"
#include "simt/report/symbolizer.hpp"

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using nlohmann::json;
  try {
    simt::Report report = json::parse(data, data + size).get<simt::Report>();
    const std::string written = json(report).dump(-1, ' ', false, json::error_handler_t::replace);
    if (json(json::parse(written).get<simt::Report>()).dump(-1, ' ', false, json::error_handler_t::replace) !=
        written)
      std::abort();
    // Code addresses would have modules opened, which are no part of this.
    for (simt::Finding& diagnostic : report.diagnostics)
      for (simt::Participant& participant : diagnostic.participants) participant.where = {};
    simt::Symbolizer symbolizer;
    merge_by_line(report.diagnostics, symbolizer);
    for (simt::Finding& diagnostic : report.diagnostics) {
      for (simt::Participant& participant : diagnostic.participants) participant.file.clear();
      if (render(diagnostic, symbolizer).empty()) std::abort();
    }
  } catch (const json::exception&) {
  } catch (const std::runtime_error&) {
  }
  return 0;
}
