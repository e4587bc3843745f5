// Speed on a GPU, as a ratio to a kernel that only reads as many bytes, measured in the same run. Worth no points: a
// time does not decide a mark.

#include "rubric.hpp"

using namespace dot_product;

namespace {

// Least ratios to the yardstick `read`: 5% below the worst of 20 runs of the readable solution on an H200,
// plots/data/04-dot-product-ratios-h200.csv.
constexpr double dot_f32_least_ratio = 0.76;
constexpr double dot_f64_least_ratio = 0.91;
constexpr double dot_deterministic_f32_least_ratio = 0.76;

/// Ones everywhere: the sum is n, which both types hold.
template <typename T>
void check_speed(Dot<T> f, double least_ratio) {
  const std::size_t n = elements_beyond_cache(submission().options(), sizeof(T));
  expect_speed({.yardstick = Yardstick::read,
                .useful_bytes = 2.0 * static_cast<double>(n * sizeof(T)),
                .least_ratio = least_ratio,
                .read = say("the handout, 'One thread, many products'")},
               [&](const CallOptions& how) {
                 Reply reply =
                     submission().call(how, f, poisoned<T>(1).returned(), generated<T>(n, constant(1), 1),
                                       generated<T>(n, constant(1), 2), n);
                 const auto wanted = static_cast<double>(n);
                 expect_near<T>(reply, 0, {wanted}, tolerance<T>({wanted, wanted, n}));
                 return reply;
               });
}

} // namespace

TEST_CASE("dot_f32 is as fast as one element per step can be" * points(0) * tests("dot_f32") * todo(2) *
          cuda_only() * label("speed")) {
  check_speed(CONTRACT(dot_f32), dot_f32_least_ratio);
}

TEST_CASE("dot_f64 is as fast as one element per step can be" * points(0) * tests("dot_f64") * todo(2) *
          cuda_only() * label("speed")) {
  check_speed(CONTRACT(dot_f64), dot_f64_least_ratio);
}

TEST_CASE("dot_deterministic_f32 is as fast as one element per step can be" * points(0) *
          tests("dot_deterministic_f32") * todo(5) * cuda_only() * label("speed")) {
  check_speed(CONTRACT(dot_deterministic_f32), dot_deterministic_f32_least_ratio);
}
