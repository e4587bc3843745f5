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
  const Distribution unit_cube = uniform(0, 1);
  const std::uint64_t seed = next_seed();
  Bodies bodies(many);
  for (std::size_t i = 0; i < many; ++i) {
    const auto value = [&](std::size_t k) { return generated_element<float>(unit_cube, seed, 4 * i + k); };
    bodies[i] = {value(0), value(1), value(2), value(3)};
  }
  std::vector<std::optional<Pull>> wanted(many); // of the samples only
  expect_speed({.yardstick = Yardstick::fma,
                .useful_bytes = operations_of_a_pair * static_cast<double>(many) * static_cast<double>(many),
                .least_ratio = accelerations_least_ratio,
                .read = "the handout, 'Tiles' and 'One pair'"},
               [&](const CallOptions& how) {
                 Reply reply = submission().call(
                     how, CONTRACT(accelerations),
                     generated<float4, float>(many, constant(-1e30), 0).sampled(samples),
                     generated<float4, float>(many, unit_cube, seed), many, timed_softening);
                 const std::span<const float4> acc = reply.values<float4>(0);
                 for (std::size_t s = 0; s < acc.size(); ++s) {
                   const std::size_t i = reply.indices(0)[s];
                   if (!wanted[i]) wanted[i] = pull_on(i, bodies, timed_softening);
                   if (near(acc[s], wanted[i]->sum, tolerance(*wanted[i], many))) continue;
                   fail("wrong-result",
                        "acc[" + number(i) + "] is wrong at n = " + number(many) +
                            ", although it is right at smaller n. Do indices fit their type?",
                        {off("acc", i, 0, acc[s].x, wanted[i]->sum.x, tolerance(*wanted[i], many).x)});
                 }
                 return reply;
               });
}
