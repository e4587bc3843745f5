// What `./warpbook see 01` draws: a small call of each function. The size is a number of elements; of column_sums, of columns.

#include "grader/grader.hpp"
#include "lab.hpp"

using namespace warpbook;

namespace scenes {

TEST_CASE("scene: offset_add_f32" * shows("offset_add_f32", 512)) {
  constexpr std::size_t offset = 3;
  const std::size_t n = size_to_see();
  submission().call(CONTRACT(offset_add_f32), inout(random_floats(n + offset)), n, offset);
}

TEST_CASE("scene: offset_add_f64" * shows("offset_add_f64", 512)) {
  constexpr std::size_t offset = 3;
  const std::size_t n = size_to_see();
  submission().call(CONTRACT(offset_add_f64), inout(std::vector<double>(n + offset, 0.5)), n, offset);
}

TEST_CASE("scene: stride_add_f32" * shows("stride_add_f32", 256)) {
  constexpr std::size_t stride = 8;
  const std::size_t n = size_to_see();
  submission().call(CONTRACT(stride_add_f32), inout(random_floats(n * stride)), n, stride);
}

TEST_CASE("scene: stride_add_f64" * shows("stride_add_f64", 256)) {
  constexpr std::size_t stride = 8;
  const std::size_t n = size_to_see();
  submission().call(CONTRACT(stride_add_f64), inout(std::vector<double>(n * stride, 0.5)), n, stride);
}

TEST_CASE("scene: copy_vectorized" * shows("copy_vectorized", 1030)) {
  const std::size_t n = size_to_see();
  submission().call(CONTRACT(copy_vectorized), out<float>(n), in(random_floats(n)), n);
}

TEST_CASE("scene: advance_particles" * shows("advance_particles", 300)) {
  const std::size_t n = size_to_see();
  const std::vector<Particle> particles(n, {1, 2, 3, 1, 0.5F, 0.25F, 0.125F, 0});
  submission().call(CONTRACT(advance_particles), out<float>(n), out<float>(n), out<float>(n), in(particles),
                    n, 0.5F);
}

TEST_CASE("scene: column_sums" * shows("column_sums", 48)) {
  constexpr std::size_t rows = 24;
  const std::size_t cols = size_to_see();
  submission().call(CONTRACT(column_sums), out<float>(cols), in(random_floats(rows * cols)), rows, cols);
}

} // namespace scenes
