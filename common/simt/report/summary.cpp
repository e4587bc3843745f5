#include "simt/report/summary.hpp"

#include "simt/report/wording.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>

namespace simt {

namespace {

/// "64", "(16,8)" or "(4,4,4)": the dimensions that matter.
std::string extent(const std::array<unsigned, 3>& v) {
  if (v[1] == 1 && v[2] == 1) return std::to_string(v[0]);
  const std::string two = '(' + std::to_string(v[0]) + ',' + std::to_string(v[1]);
  return two + (v[2] == 1 ? ")" : ',' + std::to_string(v[2]) + ')');
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

std::string ratio(std::uint64_t amount, std::uint64_t whole) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", static_cast<double>(amount) / static_cast<double>(whole));
  return text;
}

struct NamedTraffic : Traffic {
  const char* name;
  const char* unit = "sector";
  bool is_atomic = false;
};

constexpr NamedTraffic kinds[] = {
    {traffic_of(Space::global, Access::read), "global loads"},
    {traffic_of(Space::global, Access::write), "global stores"},
    {traffic_of(Space::global, Access::atomic), "global atomics", "sector", true},
    {{&Counters::texture_linear_requests, &Counters::texture_linear_sectors, &Counters::texture_linear_bytes,
      &Counters::texture_lanes},
     "texture fetches"},
    {traffic_of(Space::shared, Access::read), "shared loads", "wavefront"},
    {traffic_of(Space::shared, Access::write), "shared stores", "wavefront"},
    {traffic_of(Space::shared, Access::atomic), "shared atomics", "wavefront", true},
};

/// "12,288 requests, 49,152 sectors (4.00 per request; 100 % of their bytes used)".
std::string costs(const Counters& c, const NamedTraffic& traffic) {
  const std::uint64_t requests = c.*traffic.requests, units = c.*traffic.cost;
  const bool joins = traffic.requests_if_joined(c) != requests;
  const std::uint64_t joined_units = traffic.cost_if_joined(c);
  const std::string joined = "; nvcc may join them to " + separated(traffic.requests_if_joined(c)) +
                             " with " + separated(joined_units) + ' ' + traffic.unit + "s, ";
  std::string text = padded(separated(requests), 11) + " requests, " + padded(separated(units), 11) + ' ' +
                     traffic.unit + "s (" + ratio(units, requests) + " per request";
  if (const std::uint64_t best = traffic.ideal ? c.*traffic.ideal : 0; best != 0) {
    const auto conflicts = [](std::uint64_t wavefronts, std::uint64_t ideal) {
      const std::uint64_t more = wavefronts - std::min(wavefronts, ideal);
      return more == 0 ? "no conflicts" : separated(more) + " of them conflicts";
    };
    text += ", " + conflicts(units, best);
    if (joins) text += joined + conflicts(joined_units, traffic.ideal_if_joined(c));
  } else if (units != 0 && !traffic.is_atomic) {
    // Lanes that share an address use its bytes together, so there may be more than all.
    const auto percent = [&](std::uint64_t sectors) {
      return std::to_string(std::min<std::uint64_t>(100, c.*traffic.bytes * 100 / (sectors * 32))) + " %";
    };
    text += ", " + percent(units) + " of the bytes used";
    if (joins) text += joined + percent(joined_units);
  }
  return text + ')';
}

std::string traffic_lines(const Counters& c, const std::string& indent) {
  std::string text;
  for (const NamedTraffic& traffic : kinds) {
    if (c.*traffic.requests == 0) continue;
    std::string name = traffic.name;
    name.resize(16, ' ');
    text += indent + name + costs(c, traffic) + '\n';
  }
  return text;
}

/// What else the threads did: names and counts, without those that are zero.
std::string other_events(const Counters& c) {
  const struct {
    const char* name;
    std::uint64_t count;
  } events[] = {
      {"block barriers", c.barriers},
      {"cluster barriers", c.cluster_barriers},
      {"grid barriers", c.grid_barriers},
      {"warp synchronisations", c.warp_syncs},
      {"shuffles and votes", c.shuffles},
      {c.texture_linear_requests == 0 ? "texture fetches" : "texture fetches of arrays or with a filter",
       c.texture_requests - c.texture_linear_requests},
      {"surface reads", c.surface_load_requests},
      {"surface writes", c.surface_store_requests},
      {"loads from other blocks' shared memory", c.remote_shared_loads},
      {"stores to other blocks' shared memory", c.remote_shared_stores},
      {"atomics on other blocks' shared memory", c.remote_shared_atomics},
      {"launches from the device",
       c.default_stream_launches + c.named_stream_launches + c.fire_and_forget_launches + c.tail_launches},
      {"failed launches from the device", c.failed_device_launches}};
  std::string text;
  for (const auto& event : events)
    if (event.count != 0) text += (text.empty() ? "" : ", ") + separated(event.count) + ' ' + event.name;
  return text;
}

std::string title(const KernelRecord& kernel) {
  const Counters& c = kernel.counters;
  const std::uint64_t grids = std::max<std::uint64_t>(1, c.launches + c.child_grids);
  std::string text = kernel.name + ": ";
  if (kernel.depth == 0)
    text += separated(grids) + (grids == 1 ? " launch" : " launches");
  else
    text += counted(grids, "child grid");
  text += " of " + extent(kernel.grid) + (kernel.grid == std::array{1u, 1u, 1u} ? " block" : " blocks") +
          " of " + extent(kernel.block) + (kernel.block == std::array{1u, 1u, 1u} ? " thread" : " threads");
  if (kernel.cluster != std::array{1u, 1u, 1u}) text += " in clusters of " + extent(kernel.cluster);
  if (kernel.depth > 0) text += ", depth " + std::to_string(kernel.depth);
  if (kernel.shared_bytes != 0)
    text += ", " + separated(kernel.shared_bytes) + " bytes of shared memory a block";
  return text;
}

} // namespace

std::vector<LineCounters> by_line(const std::vector<SiteCounters>& sites, Symbolizer& symbolizer) {
  std::map<std::pair<std::string, unsigned>, LineCounters> lines;
  for (const SiteCounters& site : sites) {
    const auto source = symbolizer.locate(site.where);
    if (!source) continue;
    LineCounters& line = lines[{source->file, source->line}];
    line.where = *source;
    line.counters += site.counters;
    if (site.counters.global_store_requests + site.counters.shared_store_requests +
            site.counters.remote_shared_store_requests ==
        0)
      continue;
    if (std::vector<SourceLine> stores = symbolizer.stores(site.where); stores.size() > 1)
      line.stores = std::move(stores);
  }
  std::vector<LineCounters> result;
  for (auto& [where, line] : lines) {
    line.excerpt = symbolizer.excerpt(line.where);
    result.push_back(std::move(line));
  }
  return result;
}

std::string summary(const std::vector<KernelRecord>& kernels, Symbolizer& symbolizer, bool lines) {
  std::string text;
  for (const KernelRecord& kernel : kernels) {
    text += title(kernel) + '\n';
    text += traffic_lines(kernel.counters, "  ");
    if (const std::string events = other_events(kernel.counters); !events.empty())
      text += "  " + events + '\n';
    if (kernel.counters.approximate != 0)
      text += "  " + counted(kernel.counters.approximate, "request") +
              " grouped by a guess, because lanes took different paths\n";
    if (!lines) continue;
    for (const LineCounters& line : by_line(kernel.sites, symbolizer)) {
      const std::string traffic = traffic_lines(line.counters, "      ");
      if (traffic.empty()) continue;
      const std::vector<SourceLine> stores = line.stores.empty() ? std::vector{line.where} : line.stores;
      for (const SourceLine& store : stores) text += "    " + quoted(store, symbolizer) + '\n';
      if (stores.size() > 1) text += "    " + one_store(stores) + '\n';
      text += traffic;
    }
  }
  return text;
}

} // namespace simt
