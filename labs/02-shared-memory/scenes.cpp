// What `./warpbook see 02` draws: a small call of each function. The size is a number of elements; of transpose, of rows; of
// two_arrays, of doubles in a row; of gather_strided, of records.

#include "grader/grader.hpp"
#include "lab.hpp"

using namespace warpbook;

namespace scenes {

template <typename T>
void show_gather(Function<void(T*, const T*, std::size_t, std::size_t)> function, std::size_t stride) {
  const std::size_t n = size_to_see();
  submission().call(function, out<T>(n * stride), in(std::vector<T>(n * stride)), n, stride);
}

TEST_CASE("scene: reverse_blocks" * shows("reverse_blocks", 600)) {
  const std::size_t n = size_to_see();
  submission().call(CONTRACT(reverse_blocks), inout(std::vector<int>(n, 1)), n);
}

TEST_CASE("scene: stencil" * shows("stencil", 600)) {
  constexpr unsigned radius = 4;
  const std::size_t n = size_to_see();
  submission().call(CONTRACT(stencil), out<float>(n), in(random_floats(n)), n, radius);
}

TEST_CASE("scene: two_arrays" * shows("two_arrays", 65)) {
  constexpr std::size_t rows = 3, letters = 101;
  const std::size_t numbers = size_to_see();
  submission().call(CONTRACT(two_arrays), inout(std::vector<double>(rows * numbers, 1)),
                    inout(std::vector<char>(rows * letters, 'a')), rows, numbers, letters);
}

TEST_CASE("scene: gather_strided_f32" * shows("gather_strided_f32", 256)) {
  show_gather<float>(CONTRACT(gather_strided_f32), 8);
}

TEST_CASE("scene: gather_strided_f64" * shows("gather_strided_f64", 256)) {
  show_gather<double>(CONTRACT(gather_strided_f64), 8);
}

TEST_CASE("scene: gather_strided_f32x4" * shows("gather_strided_f32x4", 256)) {
  show_gather<Four>(CONTRACT(gather_strided_f32x4), 8);
}

TEST_CASE("scene: transpose" * shows("transpose", 64)) {
  const std::size_t rows = size_to_see(), cols = rows / 2 * 3;
  submission().call(CONTRACT(transpose), out<float>(cols * rows), in(random_floats(rows * cols)), rows, cols);
}

} // namespace scenes
