#pragma once
/// The marked regions of a kernel file: `// TODO(2): what is to be done` to `// END TODO(2)`, and in a mutant also
/// `// GIVEN(name)` to `// END GIVEN(name)`. This is the one place that reads these markers for graders and simtcc.

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace warpbook {

/// A line that begins or ends a region.
struct Marker {
  std::string name; ///< "TODO(2)" or "GIVEN(blocks_for)", without spaces
  bool is_end = false;
};

/// The marker that the line is, or nothing.
std::optional<Marker> marker_of(const std::string& line);

/// The text between two markers.
struct Region {
  std::string name;
  std::size_t first = 0; ///< index of the line behind the marker
  std::size_t last = 0;  ///< index of the marker that ends it
};

/// A region that is not closed, lies in another, or is there twice.
struct MalformedRegion : std::invalid_argument {
  MalformedRegion(std::size_t at, const std::string& what) : std::invalid_argument(what), index(at) {}
  std::size_t index; ///< of the marker's line
};

/// The regions of a file, in their order. Throws MalformedRegion.
std::vector<Region> regions_of(const std::vector<std::string>& lines);

} // namespace warpbook
