#include "grader/source_costs.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "grader/failure.hpp"
#include "grader/say.hpp"
#include "grader/text.hpp"
#include "simt/report/wording.hpp"

namespace warpbook {

Details costly_lines(const Reply& reply, std::uint64_t simt::Counters::*cost,
                     std::uint64_t simt::Counters::*requests, const std::string& unit, std::size_t most) {
  struct Line {
    simt::SourceLine where;
    std::string launch; ///< what the host has asked for in this line; empty if it is the kernel's
    std::uint64_t cost = 0;
    std::uint64_t requests = 0;
  };
  simt::Symbolizer symbolizer;
  std::map<std::tuple<std::string, unsigned, std::string>, Line>
      by_place; // one line may hold several instructions
  for (const simt::KernelRecord& kernel : reply.kernels()) {
    for (const simt::SiteCounters& site : kernel.sites) {
      if (site.counters.*requests == 0) continue;
      auto where = symbolizer.locate(site.where);
      if (!where) continue;
      std::string launch;
      if (const auto asked = kernel.launch
                                 ? asking_line(*kernel.launch, {{where->file, where->line}}, symbolizer)
                                 : std::nullopt) {
        launch = say("{launch} in line {line}", simt::launch_text(kernel.name, *kernel.launch), where->line);
        where = asked;
      }
      Line& line = by_place[{where->file, where->line, launch}];
      line.where = *where;
      line.launch = launch;
      line.cost += site.counters.*cost;
      line.requests += site.counters.*requests;
    }
  }
  std::vector<Line> lines;
  for (const auto& [place, line] : by_place) lines.push_back(line);
  std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    return static_cast<double>(a.cost) * static_cast<double>(b.requests) >
           static_cast<double>(b.cost) * static_cast<double>(a.requests);
  });
  if (lines.size() > most) lines.resize(most);

  Details text;
  for (const Line& line : lines) {
    text.emplace_back(quoted(line.where, symbolizer), Detail::Kind::source, line.where);
    const std::string per_request =
        rounded(static_cast<double>(line.cost) / static_cast<double>(line.requests));
    text.push_back("  " + say("{ratio} {unit} per request, {requests} requests{has_launch?, by {launch}}",
                              per_request, unit, line.requests, !line.launch.empty(), line.launch));
  }
  return text;
}

} // namespace warpbook
