#include "simt/report/launches_left_out.hpp"

#include "simt/report/report.hpp"

#include <algorithm>

namespace simt {

std::string launch_shape(const KernelRecord& kernel) {
  const auto text = [](const std::array<unsigned, 3>& extent) {
    return "(" + std::to_string(extent[0]) + ", " + std::to_string(extent[1]) + ", " +
           std::to_string(extent[2]) + ")";
  };
  return kernel.name + "<<<" + text(kernel.grid) + ", " + text(kernel.block) + ">>>";
}

bool LaunchesLeftOut::has(std::uint64_t number, const KernelRecord& kernel) const {
  if (number < 64 && (numbers >> number & 1) != 0) return true;
  return !shapes.empty() && std::ranges::find(shapes, launch_shape(kernel)) != shapes.end();
}

void LaunchesLeftOut::add(const LaunchesLeftOut& more) {
  numbers |= more.numbers;
  shapes.insert(shapes.end(), more.shapes.begin(), more.shapes.end());
}

} // namespace simt
