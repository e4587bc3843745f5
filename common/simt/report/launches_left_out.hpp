#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace simt {

struct KernelRecord;

/// A kernel, and how many blocks and threads it has: "add<<<(2, 1, 1), (256, 1, 1)>>>".
std::string launch_shape(const KernelRecord& kernel);

/// Launches by the host that are not made, to see what they are good for.
struct LaunchesLeftOut {
  std::uint64_t numbers = 0; ///< a bit for each, in the order of launch
  std::vector<std::string> shapes = {};

  bool has(std::uint64_t number, const KernelRecord& kernel) const;
  void add(const LaunchesLeftOut& more);
  bool is_empty() const { return numbers == 0 && shapes.empty(); }
  bool operator==(const LaunchesLeftOut&) const = default;
};

} // namespace simt
