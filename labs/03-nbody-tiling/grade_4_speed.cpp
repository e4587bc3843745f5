// Speed on a GPU, as a ratio to multiply-adds measured in the same run. Worth no points: a time does not decide a mark.

#include "rubric.hpp"

using namespace nbody;

namespace {

// Least ratio to the yardstick `fma`: 5% below the worst of 20 runs of the readable solution on an H200,
// plots/data/03-nbody-tiling-ratios-h200.csv.
constexpr double accelerations_least_ratio = 0.32;

constexpr std::size_t many = std::size_t{1} << 17;
constexpr std::size_t samples = 16;
constexpr float timed_softening = 0.01F;
constexpr double operations_of_a_pair = 20; // the custom; 13 instructions, 6 of them fused

} // namespace

TEST_CASE("accelerations is as fast as tiles make it" * points(0) * tests("accelerations") * todo(2) *
          cuda_only() * label("speed")) {
  const std::uint64_t seed = next_seed();
  const Bodies bodies = generated_bodies(many, seed);
  expect_speed({.yardstick = Yardstick::fma,
                .useful_bytes = operations_of_a_pair * static_cast<double>(many) * static_cast<double>(many),
                .least_ratio = accelerations_least_ratio,
                .read = say("the handout, 'Tiles' and 'One pair'")},
               [&](const CallOptions& how) {
                 Reply reply = submission().call(
                     how, CONTRACT(accelerations),
                     generated<float4, float>(many, constant(-1e30), 0).sampled(samples),
                     generated<float4, float>(many, unit_cube, seed), many, timed_softening);
                 if (const std::optional<Off> off = first_off(reply, bodies, timed_softening))
                   fail(message("wrong-result/many", off->body, many), {off->text});
                 return reply;
               });
}
