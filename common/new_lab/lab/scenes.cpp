// What `./warpbook see @NUMBER@` draws: a small call of each function. The size is a number of elements.

#include "grader/grader.hpp"
#include "lab.hpp"

using namespace warpbook;

TEST_CASE("scene: @KERNEL@_f32" * shows("@KERNEL@_f32", 300)) {
  const std::size_t n = size_to_see();
  submission().call(CONTRACT(@KERNEL@_f32), out<float>(n), in(random_floats(n)), n);
}
