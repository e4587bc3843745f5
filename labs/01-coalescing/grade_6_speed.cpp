// Speed on a GPU, as a ratio to a plain copy measured in the same run. No points: a mark does not depend on
// a time.

#include "grader/grader.hpp"
#include "lab.hpp"

using namespace warpbook;

namespace {

// Least ratios to the yardstick `copy`: 5% below the worst of 20 runs of the readable solution on an H200,
// plots/data/01-coalescing-ratios-h200.csv.
constexpr double offset_add_f32_least_ratio = 0.60;
constexpr double offset_add_f64_least_ratio = 0.87;
constexpr double copy_vectorized_least_ratio = 0.94;

template <typename T, typename F>
void check_speed(F f, double least_ratio) {
  const std::size_t n = elements_beyond_cache(submission().options(), sizeof(T));
  const Drawn<T> values;
  expect_speed({.yardstick = Yardstick::copy,
                .useful_bytes = 2.0 * static_cast<double>(n * sizeof(T)),
                .least_ratio = least_ratio,
                .read = say("the handout, 'What a warp asks for'")},
               [&](const CallOptions& how) {
                 Reply reply = submission().call(how, f, values.buffer(n).sampled(), n, std::size_t{0});
                 expect_samples<T>(reply, 0, [&](std::size_t i) { return values[i] + T{1}; });
                 return reply;
               });
}

} // namespace

TEST_CASE("offset_add_f32 is as fast as one element per thread can be" * points(0) * tests("offset_add_f32") *
          todo(1) * cuda_only() * label("speed")) {
  check_speed<float>(CONTRACT(offset_add_f32), offset_add_f32_least_ratio);
}

TEST_CASE("offset_add_f64 is as fast as one element per thread can be" * points(0) * tests("offset_add_f64") *
          todo(1) * cuda_only() * label("speed")) {
  check_speed<double>(CONTRACT(offset_add_f64), offset_add_f64_least_ratio);
}

TEST_CASE("copy_vectorized is as fast as a plain copy with 16 bytes per thread" * points(0) *
          tests("copy_vectorized") * todo(3) * cuda_only() * label("speed")) {
  const std::size_t n = elements_beyond_cache(submission().options(), sizeof(float));
  const Drawn<float> values;
  expect_speed({.yardstick = Yardstick::copy,
                .useful_bytes = 2.0 * static_cast<double>(n * sizeof(float)),
                .least_ratio = copy_vectorized_least_ratio,
                .read = say("the handout, 'Sixteen bytes per access'")},
               [&](const CallOptions& how) {
                 Reply reply = submission().call(how, CONTRACT(copy_vectorized), poisoned<float>(n).sampled(),
                                                 values.buffer(n).sampled(), n);
                 expect_samples<float>(reply, 0, [&](std::size_t i) { return values[i]; });
                 return reply;
               });
}
