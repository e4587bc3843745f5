// What `./warpbook see 06` draws: a small call of each function. The size is a number of values.

#include "grader/grader.hpp"
#include "lab.hpp"

using namespace warpbook;

namespace scenes {

constexpr unsigned bins = 100;

/// Values of all bins, of which neighbours differ.
std::vector<int> values_to_see() {
  std::vector<int> values(size_to_see());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i * 37 % bins);
  return values;
}

TEST_CASE("scene: histogram_global" * shows("histogram_global", 1000)) {
  const std::vector<int> values = values_to_see();
  submission().call(CONTRACT(histogram_global), in(values), values.size(), out<unsigned>(bins), bins);
}

TEST_CASE("scene: histogram_shared" * shows("histogram_shared", 3000)) {
  const std::vector<int> values = values_to_see();
  submission().call(CONTRACT(histogram_shared), in(values), values.size(), out<unsigned>(bins), bins);
}

TEST_CASE("scene: histogram_cluster" * shows("histogram_cluster", 3000)) {
  constexpr unsigned cluster = 2;
  const std::vector<int> values = values_to_see();
  submission().call(CONTRACT(histogram_cluster), in(values), values.size(), out<unsigned>(bins), bins,
                    cluster);
}

TEST_CASE("scene: histogram" * shows("histogram", 1000)) {
  const std::vector<int> values = values_to_see();
  submission().call(CONTRACT(histogram), in(values), values.size(), out<unsigned>(bins), bins);
}

} // namespace scenes
