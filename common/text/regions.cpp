#include "text/regions.hpp"

#include <algorithm>

#include "text/pattern.hpp"

namespace warpbook {

std::optional<Marker> marker_of(const std::string& line) {
  constexpr std::size_t longest = 400; // no marker is; a student's file may have any line
  static const Pattern marker("^\\s*//\\s*(END )?(TODO|GIVEN)\\s*\\(\\s*([A-Za-z0-9_]+)\\s*\\)");
  if (line.size() >= longest || line.find("//") == std::string::npos) return {};
  const std::optional<Match> match = marker.search(line);
  if (!match) return {};
  return Marker{(*match)[2] + "(" + (*match)[3] + ")", match->has(1)};
}

std::vector<Region> regions_of(const std::vector<std::string>& lines) {
  std::vector<Region> regions;
  bool is_open = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::optional<Marker> marker = marker_of(lines[i]);
    if (!marker) continue;
    if (marker->is_end) {
      if (!is_open || regions.back().name != marker->name)
        throw MalformedRegion(i, "END " + marker->name + " closes nothing.");
      regions.back().last = i;
      is_open = false;
      continue;
    }
    if (is_open) throw MalformedRegion(i, marker->name + " begins inside " + regions.back().name + ".");
    if (std::ranges::find(regions, marker->name, &Region::name) != regions.end())
      throw MalformedRegion(i, marker->name + " is there twice.");
    regions.push_back({marker->name, i + 1, 0});
    is_open = true;
  }
  if (is_open) throw MalformedRegion(regions.back().first - 1, regions.back().name + " has no end.");
  return regions;
}

} // namespace warpbook
