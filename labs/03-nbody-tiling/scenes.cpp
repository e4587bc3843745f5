// What `./warpbook see 03` draws: a small call of each function. The size is a number of bodies.

#include "grader/grader.hpp"
#include "lab.hpp"

using namespace warpbook;

namespace scenes {

constexpr float softening = 0.1F;

/// Bodies in a row.
std::vector<float4> row_of_bodies(std::size_t n) {
  std::vector<float4> bodies(n);
  for (std::size_t i = 0; i < n; ++i) bodies[i] = {static_cast<float>(i), 0, 0, 1};
  return bodies;
}

TEST_CASE("scene: accelerations" * shows("accelerations", 300)) {
  const std::size_t n = size_to_see();
  submission().call(CONTRACT(accelerations), out<float4>(n), in(row_of_bodies(n)), n, softening);
}

TEST_CASE("scene: leapfrog_step" * shows("leapfrog_step", 150)) {
  const std::size_t n = size_to_see();
  const std::vector<float4> zero(n);
  submission().call(CONTRACT(leapfrog_step), inout(row_of_bodies(n)), inout(zero), inout(zero), n, 0.01F,
                    softening);
}

} // namespace scenes
