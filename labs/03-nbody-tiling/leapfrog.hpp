#pragma once
/// One step of the leapfrog method as a rubric sees it: what it should make of every body, and what a wrong one tells.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rubric.hpp"

namespace nbody {

inline constexpr const char* leapfrog_section = "Leapfrog";

/// Bodies, their velocities, and the accelerations that a step begins with. The fourth components of velocities and
/// accelerations hold numbers of their own: nobody may change the ones, and the others are not masses.
struct State {
  Bodies bodies, velocities, acc;
};

inline float as_float(double value) { return static_cast<float>(value); }

inline State random_state(std::size_t n, float softening) {
  State state{random_bodies(n), random_bodies(n), Bodies(n)};
  for_each_body(n, [&](std::size_t i) {
    const Vector a = pull_on(i, state.bodies, softening).sum;
    state.acc[i] = {as_float(a.x), as_float(a.y), as_float(a.z), 0};
    state.velocities[i].w = 77.0F + static_cast<float>(i % 3);
  });
  return state;
}

inline Reply step(const State& state, float dt, float softening, Schedule schedule) {
  return changing(
      [&] {
        return submission().call(CallOptions{.schedule = schedule, .sites = true}, CONTRACT(leapfrog_step),
                                 inout(state.bodies), inout(state.velocities), inout(state.acc),
                                 state.bodies.size(), dt, softening);
      },
      teach);
}

/// The bodies where the step has left them, with the masses that they had: a step that loses masses is no measure.
inline Bodies moved_bodies(const State& before, const State& after) {
  Bodies moved = after.bodies;
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i].w = before.bodies[i].w;
  return moved;
}

inline State state_of(const Reply& reply) {
  const auto copy = [&](std::size_t k) {
    const std::span<const float4> values = reply.values<float4>(k);
    return Bodies(values.begin(), values.end());
  };
  return {copy(0), copy(1), copy(2)};
}

/// A value and how far rounding may take it.
struct Expected {
  Vector value, tolerance;
};

/// x + s * y in single precision, where x and y may already be off: two roundings, or one if fused.
inline Expected advanced(const Expected& x, double s, const Expected& y) {
  Expected result{x.value + s * y.value, {}};
  const Vector product = magnitude(s * y.value);
  result.tolerance = x.tolerance + std::abs(s) * y.tolerance +
                     4 * unit_roundoff * (magnitude(x.value) + 2 * product) + Vector{1e-37, 1e-37, 1e-37};
  return result;
}

inline Expected exact(const float4& v) { return {vector_of(v), {}}; }

/// What one step makes of a body. The second half of the kick follows from the positions that the submission
/// itself has reached, moved_bodies(): each half is judged for itself.
struct ExpectedStep {
  Expected half_kicked, position, acceleration, velocity;
};

/// The velocity of body i after the first half of the kick.
inline Expected half_kicked(std::size_t i, const State& before, double dt) {
  return advanced(exact(before.velocities[i]), dt / 2, exact(before.acc[i]));
}

inline ExpectedStep expected_step(std::size_t i, const State& before, const Bodies& moved, double dt,
                                  double softening) {
  ExpectedStep result;
  result.half_kicked = half_kicked(i, before, dt);
  result.position = advanced(exact(before.bodies[i]), dt, result.half_kicked);
  const Pull pull = pull_on(i, moved, softening);
  result.acceleration = {pull.sum, tolerance(pull, moved.size())};
  result.velocity = advanced(result.half_kicked, dt / 2, result.acceleration);
  return result;
}

/// Of all bodies.
inline std::vector<ExpectedStep> expected_steps(const State& before, const Bodies& moved, double dt,
                                                double softening) {
  std::vector<ExpectedStep> steps(moved.size());
  for_each_body(moved.size(),
                [&](std::size_t i) { steps[i] = expected_step(i, before, moved, dt, softening); });
  return steps;
}

inline bool near(const float4& value, const Expected& wanted) {
  return nbody::near(value, wanted.value, wanted.tolerance);
}

/// Fails if any body of `name` is not `wanted(i)`; tells first what the mistakes of `table()` explain.
template <typename Table>
void expect_all(const Reply& reply, const std::string& name, const Bodies& actual,
                const std::function<Expected(std::size_t)>& wanted, const Table& table) {
  const std::size_t n = actual.size();
  std::size_t wrong = 0;
  while (wrong < n && near(actual[wrong], wanted(wrong))) ++wrong;
  if (wrong == n) return;
  const Expected right = wanted(wrong);
  std::size_t axis = 0;
  while (axis < 2 && nbody::near(component(actual[wrong], axis), right.value[axis], right.tolerance[axis]))
    ++axis;
  const std::string first =
      off(name, wrong, axis, component(actual[wrong], axis), right.value[axis], right.tolerance[axis]);
  const std::vector<std::string> details = {first + ".", reply.in_call(), handout(leapfrog_section)};
  const std::vector<Mistake<Expected>> mistakes = table();
  fail_if_made(
      mistakes, n, [&](std::size_t i, const Expected& value) { return near(actual[i], value); },
      [&](std::size_t i, const Expected& value) {
        const Expected it = wanted(i);
        return nbody::near(value.value, it.value, it.tolerance);
      },
      details);
  if (n > 2) {
    fail_if_some_axes(
        n,
        [&](std::size_t i, std::size_t a) {
          const Expected it = wanted(i);
          return !nbody::near(component(actual[i], a), it.value[a], it.tolerance[a]);
        },
        current_item().todo, details);
  }
  const std::size_t last_block = n / 32 * 32;
  if (wrong >= last_block && n > 32) {
    fail("tail-skipped",
         "The first " + number(wrong) + " bodies of " + number(n) + " are right, and " + first +
             ": do the last bodies have a thread?",
         {details[1], details[2]});
  }
  fail("wrong-result", first + ".", {details[1], details[2]});
}

inline bool same(const float4& a, const float4& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}
inline bool same(const Bodies& a, const Bodies& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const float4& x, const float4& y) { return same(x, y); });
}

/// Fails the item if a step that changed nothing here moves other bodies: then it is not open, but leaves this call out.
inline void expect_not_left_out(const State& before, float dt, const std::vector<std::string>& details) {
  const State others = random_state(257, 0.1F);
  try {
    if (same(state_of(step(others, 0.125F, 0.1F, schedules().front())).bodies, others.bodies)) return;
  } catch (const ItemFailed&) {
    return;
  }
  const std::size_t n = before.bodies.size();
  const std::string why =
      dt < 0   ? " dt may be negative: then the step goes back in time, by the same formulas."
      : n == 1 ? " A single body is pulled by nobody, and drifts with the velocity it has."
               : "";
  fail(Failure{{"step-left-out"},
               "With n = " + number(n) + " and dt = " + to_text(dt) +
                   " nothing moved; other calls do move their bodies." + why +
                   " Does the step, or a thread, return too early?",
               details});
}

/// Fails the item if positions or velocities are what they were: TODO(3) or TODO(4) is still open.
inline void expect_moved(const Reply& reply, const State& before, const State& after, float dt) {
  const std::vector<std::string> details = {reply.in_call(), handout("The tasks")};
  const bool moved = !same(after.bodies, before.bodies);
  if (current_item().todo == 3) {
    if (!moved) {
      expect_not_left_out(before, dt, details);
      fail("unsolved", "The positions are exactly what they were: TODO(3) is still to be written.", details);
    }
    return;
  }
  if (!same(after.velocities, before.velocities)) return;
  if (moved) {
    fail(Failure{{"unsolved", "first-kick-missing"},
                 "The bodies have moved, but the velocities are exactly what they were: TODO(3) has to write "
                 "the new velocity back, and TODO(4) is still to be written. (Or is every kick 0? `1 / 2` of "
                 "whole numbers is 0.)",
                 details});
  }
  expect_not_left_out(before, dt, details);
  fail("unsolved", "Positions and velocities are exactly what they were: TODO(3) comes first, then TODO(4).",
       details);
}

/// Whether velocity i does not hold the first half of the kick. A step's velocities are seen only after its end:
/// whatever else they hold by then, of the second half nothing, half or all of a kick with the new accelerations, the
/// first half must be in them.
inline bool lacks_first_kick(std::size_t i, const State& before, const State& after,
                             const ExpectedStep& wanted, double dt) {
  const float4& v = after.velocities[i];
  if (near(v, wanted.half_kicked) || near(v, wanted.velocity)) return false;
  const auto without_it = [&](double by) {
    return near(v, advanced(exact(before.velocities[i]), by, wanted.acceleration));
  };
  return without_it(0) || without_it(dt / 2) || without_it(dt);
}

/// Fails the item if a velocity does not hold the first half of the kick, with which its body has moved.
inline void expect_first_kick_kept(const Reply& reply, const State& before, const State& after, double dt,
                                   double softening) {
  const std::size_t n = after.bodies.size();
  const Bodies moved = moved_bodies(before, after);
  std::size_t lost = 0, first = n;
  const std::vector<ExpectedStep> wanted = expected_steps(before, moved, dt, softening);
  for (std::size_t i = 0; i < n; ++i) {
    if (!lacks_first_kick(i, before, after, wanted[i], dt)) continue;
    if (lost++ == 0) first = i;
  }
  if (lost == 0) return;
  const auto text = [](double x, double y, double z) {
    return "(" + significant(x, 6) + ", " + significant(y, 6) + ", " + significant(z, 6) + ")";
  };
  const float4 &was = before.velocities[first], &is = after.velocities[first];
  const Vector& half = wanted[first].half_kicked.value;
  fail("first-kick-missing",
       "The bodies moved with half a kick, but the step leaves velocities without it: TODO(3) has to write "
       "the new velocity back, for the second half to go on from.",
       {number(lost) + " of " + number(n) + " velocities; velocities[" + number(first) + "] was " +
            text(was.x, was.y, was.z) + ", after half a kick it is " + text(half.x, half.y, half.z) +
            ", and the step left " + text(is.x, is.y, is.z) + ".",
        reply.in_call(), handout(leapfrog_section)});
}

/// Whether no velocity holds the first half of the kick.
inline bool all_lack_first_kick(const State& before, const State& after, double dt, double softening) {
  const Bodies moved = moved_bodies(before, after);
  for (std::size_t i = 0; i < moved.size(); ++i) {
    if (!lacks_first_kick(i, before, after, expected_step(i, before, moved, dt, softening), dt)) return false;
  }
  return true;
}

/// Velocities' fourth components are not the step's business.
inline void expect_fourth(const Reply& reply, const Bodies& before, const Bodies& after,
                          const std::string& what) {
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (after[i].w == before[i].w) continue;
    fail("fourth-component",
         "velocities[" + number(i) + "].w was " + to_text(before[i].w) + " and is " + to_text(after[i].w) +
             " after the step: " + what,
         {reply.in_call(), handout(leapfrog_section)});
  }
}

/// Masses are not the step's business, and all that follows from them is wrong once they are lost.
inline void expect_masses(const Reply& reply, const State& before, const State& after) {
  for (std::size_t i = 0; i < after.bodies.size(); ++i) {
    const float was = before.bodies[i].w, is = after.bodies[i].w;
    if (is == was) continue;
    fail_at({3}, "mass-changed",
            "bodies[" + number(i) + "].w was " + to_text(was) + " and is " + to_text(is) +
                " after the step: it is the body's mass, and stays.",
            {reply.in_call(), handout(leapfrog_section)});
  }
}

/// The first velocity that lacks the second half of the kick, in words, if all velocities have got the first half and
/// nothing else: TODO(4) is still open.
inline std::optional<std::string> second_kick_open(const State& before, const State& after, double dt,
                                                   double softening) {
  const Bodies moved = moved_bodies(before, after);
  std::optional<std::string> first; // stays empty if no body pulls another
  for (std::size_t i = 0; i < after.bodies.size(); ++i) {
    const float4& v = after.velocities[i];
    // The kick so far asks for no other body; what is still to come asks for all of them.
    if (!near(v, half_kicked(i, before, dt))) return {};
  }
  for (std::size_t i = 0; i < after.bodies.size() && !first; ++i) {
    const ExpectedStep wanted = expected_step(i, before, moved, dt, softening);
    const float4& v = after.velocities[i];
    for (std::size_t axis = 0; axis < 3 && !first; ++axis) {
      const double right = wanted.velocity.value[axis], allowed = wanted.velocity.tolerance[axis];
      if (!nbody::near(component(v, axis), right, allowed))
        first = off("velocities", i, axis, component(v, axis), right, allowed);
    }
  }
  return first;
}

inline void expect_second_kick(const Reply& reply, const State& before, const State& after, double dt,
                               double softening) {
  const std::optional<std::string> first = second_kick_open(before, after, dt, softening);
  if (!first) return;
  fail("second-kick-missing",
       "The velocities have got the first half of the kick only. The second half, with the accelerations at "
       "the new positions, is TODO(4).",
       {*first + ".", reply.in_call(), handout(leapfrog_section)});
}

} // namespace nbody
