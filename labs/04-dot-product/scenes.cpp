// What `./warpbook see 04` draws: a small call of each function. The size is a number of elements.

#include "grader/grader.hpp"
#include "lab.hpp"

using namespace warpbook;

namespace scenes {

template <typename T>
void show_dot(Function<void(T*, const T*, const T*, std::size_t)> function) {
  const std::size_t n = size_to_see();
  const std::vector<T> values(n, 1);
  submission().call(function, out<T>(1), in(values), in(values), n);
}

TEST_CASE("scene: block_dots_f32" * shows("block_dots_f32", 1000)) {
  const std::size_t n = size_to_see();
  submission().call(CONTRACT(block_dots_f32), out<float>((n + 255) / 256), in(random_floats(n)),
                    in(random_floats(n)), n);
}

TEST_CASE("scene: dot_f32" * shows("dot_f32", 5000)) { show_dot<float>(CONTRACT(dot_f32)); }

TEST_CASE("scene: dot_f64" * shows("dot_f64", 5000)) { show_dot<double>(CONTRACT(dot_f64)); }

TEST_CASE("scene: dot_deterministic_f32" * shows("dot_deterministic_f32", 5000)) {
  show_dot<float>(CONTRACT(dot_deterministic_f32));
}

} // namespace scenes
