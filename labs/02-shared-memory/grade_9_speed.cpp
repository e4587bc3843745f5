// Speed on a GPU, as a ratio to a plain copy measured in the same run. Worth no points: a time does not
// decide a mark.

#include "rubric.hpp"

using namespace shared_memory;

namespace speed_rubric {

namespace {

// Least ratio to the yardstick `copy`: 5% below the worst of 20 runs of the readable solution on an H200,
// plots/data/02-shared-memory-ratios-h200.csv.
constexpr double transpose_least_ratio = 0.70;

} // namespace

TEST_CASE("transpose is as fast as tiles of 32 x 32 floats can be" * points(0) * tests("transpose") *
          todo(8) * cuda_only() * label("speed")) {
  std::size_t side = 32; // a square beyond the caches
  while (side * side < elements_beyond_cache(submission().options(), sizeof(float))) side *= 2;
  const std::size_t elements = side * side;
  const Drawn<float> values;
  expect_speed(
      {.yardstick = Yardstick::copy,
       .useful_bytes = 2.0 * static_cast<double>(elements * sizeof(float)),
       .least_ratio = transpose_least_ratio,
       .read = say("the handout, 'TODO(8): transpose a tile'")},
      [&](const CallOptions& how) {
        Reply reply = submission().call(how, CONTRACT(transpose), poisoned<float>(elements).sampled(),
                                        values.buffer(elements).sampled(), side, side);
        expect_samples<float>(reply, 0, [&](std::size_t i) { return values[i % side * side + i / side]; });
        return reply;
      });
}

} // namespace speed_rubric
