// Wrong steps, computed in single precision as kernels do: which mistake lab 03's rubric tells.
#include <doctest/doctest.h>

#include "leapfrog.hpp"

using namespace nbody;

namespace {

constexpr float dt = 0.125F, soft = 0.1F;

/// A step, right or wrong: what is added to the velocity before the drift, what to the position, what is kept of the
/// velocity, and what is added to it in the end.
struct Leap {
  float first_kick = dt / 2, drift = dt, second_kick = dt / 2;
  float of_position = 1; ///< 0: it is overwritten
  float of_velocity = 1; ///< by the first half of the kick
  float of_half = 1;     ///< by the second half
};

/// What a leap leaves of random bodies, beside what it should.
Step taken(const Leap& leap) {
  const State before = random_state(40, soft);
  State after = before;
  const auto kick = [](float4& v, const float4& a, float of_velocity, float by) {
    v = {of_velocity * v.x + by * a.x, of_velocity * v.y + by * a.y, of_velocity * v.z + by * a.z, v.w};
  };
  for (std::size_t i = 0; i < before.bodies.size(); ++i) {
    float4 &b = after.bodies[i], &v = after.velocities[i];
    kick(v, before.acc[i], leap.of_velocity, leap.first_kick);
    b = {leap.of_position * b.x + leap.drift * v.x, leap.of_position * b.y + leap.drift * v.y,
         leap.of_position * b.z + leap.drift * v.z, b.w};
  }
  const std::vector<Expected> pulls = right_accelerations(after.bodies, soft);
  for (std::size_t i = 0; i < before.bodies.size(); ++i) {
    after.acc[i] = float4_of(pulls[i].value, 0);
    kick(after.velocities[i], after.acc[i], leap.of_half, leap.second_kick);
  }
  return Step(before, dt, soft, Reply(), after);
}

/// The id of the mistake that is reported for the positions, or for the velocities; empty if they are right.
std::string told_of(const Step& s, std::size_t k, const char* name, const Bodies& actual,
                    const std::vector<Expected>& wanted, const std::vector<Mistake<Expected>>& mistakes) {
  try {
    expect_all(s, k, name, actual, wanted, mistakes);
  } catch (const ItemFailed& failed) {
    return failed.failure.diagnoses.at(0);
  }
  return "";
}
std::string told_of_positions(const Leap& leap) {
  const Step s = taken(leap);
  return told_of(s, 0, "bodies", s.after.bodies, s.wanted.positions, mistakes_of_positions(s));
}
std::string told_of_velocities(const Leap& leap) {
  const Step s = taken(leap);
  return told_of(s, 1, "velocities", s.after.velocities, s.wanted.velocities, mistakes_of_velocities(s));
}

} // namespace

TEST_CASE("nothing is reported for a right step") {
  CHECK(told_of_positions({}) == "");
  CHECK(told_of_velocities({}) == "");
}

TEST_CASE("mistakes of the first kick and the drift are reported for the positions") {
  CHECK(told_of_positions({.first_kick = 0}) == "drift-before-kick");
  CHECK(told_of_positions({.first_kick = dt}) == "whole-kick");
  CHECK(told_of_positions({.first_kick = -dt / 2}) == "kick-reversed");
  CHECK(told_of_positions({.of_velocity = 0}) == "velocity-overwritten");
  CHECK(told_of_positions({.drift = dt / 2}) == "half-drift");
  CHECK(told_of_positions({.drift = -dt}) == "drift-reversed");
  CHECK(told_of_positions({.drift = 1}) == "time-step-forgotten");
  CHECK(told_of_positions({.of_position = 0}) == "position-overwritten");
}

TEST_CASE("mistakes of the second kick are reported for the velocities") {
  CHECK(told_of_velocities({.second_kick = dt}) == "whole-kick");
  CHECK(told_of_velocities({.second_kick = -dt / 2}) == "kick-reversed");
  CHECK(told_of_velocities({.of_half = 0}) == "velocity-overwritten");
}
