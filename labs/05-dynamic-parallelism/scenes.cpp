// What `./warpbook see 05` draws: a small call of each function. The size is a number of elements; of mandelbrot_adaptive,
// of pixels in a row, a multiple of 64.

#include "grader/grader.hpp"
#include "lab.hpp"
#include "mandelbrot.hpp"

using namespace warpbook;

namespace scenes {

template <typename F>
void show_reduce(F function) {
  constexpr std::size_t part = 256;
  const std::size_t n = size_to_see(), parts = (n + part - 1) / part;
  submission().call(function, out<int>(parts), out<int>(parts * part), in(std::vector<int>(n, 1)), n);
}

TEST_CASE("scene: reduce_neighbored" * shows("reduce_neighbored", 400)) {
  show_reduce(CONTRACT(reduce_neighbored));
}

TEST_CASE("scene: reduce_neighbored_less" * shows("reduce_neighbored_less", 400)) {
  show_reduce(CONTRACT(reduce_neighbored_less));
}

TEST_CASE("scene: reduce_interleaved" * shows("reduce_interleaved", 400)) {
  show_reduce(CONTRACT(reduce_interleaved));
}

TEST_CASE("scene: reduce_nested" * shows("reduce_nested", 400)) { show_reduce(CONTRACT(reduce_nested)); }

TEST_CASE("scene: reduce_nested_by_level" * shows("reduce_nested_by_level", 400)) {
  show_reduce(CONTRACT(reduce_nested_by_level));
}

TEST_CASE("scene: mandelbrot_adaptive" * shows("mandelbrot_adaptive", 64)) {
  const auto pixels = static_cast<unsigned>(size_to_see());
  const dynamic_parallelism::View view = dynamic_parallelism::whole_set(pixels, 50);
  submission().call(CONTRACT(mandelbrot_adaptive), out<int>(std::size_t{pixels} * pixels), in(view.re),
                    in(view.im), pixels, view.max_dwell);
}

} // namespace scenes
