#pragma once
/// One step of the leapfrog method as a rubric sees it: what it should make of every body, and what a wrong one tells.

#include <array>
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

inline bool near(const float4& value, const Expected& wanted) {
  return near(value, wanted.value, wanted.tolerance);
}

/// x + s * y in single precision, where x and y may already be off: two roundings, or one if fused.
inline Expected advanced(const Expected& x, double s, const Expected& y) {
  const Vector product = magnitude(s * y.value);
  return {x.value + s * y.value, x.tolerance + std::abs(s) * y.tolerance +
                                     4 * unit_roundoff * (magnitude(x.value) + 2 * product) +
                                     Vector{1e-37, 1e-37, 1e-37}};
}

inline Expected exact(const float4& v) { return {vector_of(v), {}}; }

inline bool same(const float4& a, const float4& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}
inline bool same(const Bodies& a, const Bodies& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const float4& x, const float4& y) { return same(x, y); });
}

/// What one step makes of a body. The second half of the kick follows from the positions that the submission
/// itself has reached, Step::moved: each half is judged for itself.
struct ExpectedStep {
  Expected half_kicked, position, acceleration, velocity;
};

/// One call of leapfrog_step: what it began with, what it has left, and what it should have.
struct Step {
  State before;
  float dt, softening;
  Reply reply;
  State after;
  Bodies moved; ///< as they are now, with the masses that they had: a step that loses masses is no measure
  std::vector<ExpectedStep> wanted;

  std::size_t size() const { return before.bodies.size(); }
  /// Whether something holds for every body.
  template <typename Holds>
  bool all(const Holds& holds) const {
    std::size_t i = 0;
    while (i < size() && holds(i)) ++i;
    return i == size();
  }
  bool has_right_position(std::size_t i) const { return near(after.bodies[i], wanted[i].position); }
  bool has_right_acceleration(std::size_t i) const { return near(after.acc[i], wanted[i].acceleration); }
  bool is_right(std::size_t i) const {
    return has_right_position(i) && has_right_acceleration(i) &&
           near(after.velocities[i], wanted[i].velocity);
  }
  /// The velocity that body i had, with a kick by the accelerations that the step was given.
  Expected kicked(std::size_t i, double by) const {
    return advanced(exact(before.velocities[i]), by, exact(before.acc[i]));
  }
  /// Whether velocity i does not hold the first half of the kick. A step's velocities are seen only after its end:
  /// whatever else they hold by then, of the second half nothing, half or all of a kick with the new accelerations, the
  /// first half must be in them.
  bool lacks_first_kick(std::size_t i) const {
    const float4& v = after.velocities[i];
    if (near(v, wanted[i].half_kicked) || near(v, wanted[i].velocity)) return false;
    return std::ranges::any_of(std::array{0.0F, dt / 2, dt}, [&](double by) {
      return near(v, advanced(exact(before.velocities[i]), by, wanted[i].acceleration));
    });
  }
  /// The first velocity that lacks the second half of the kick, in words, if all velocities have got the first half and
  /// nothing else: TODO(4) is still open. Nothing if no body pulls another.
  std::optional<std::string> second_kick_open() const {
    if (!all([&](std::size_t i) { return near(after.velocities[i], wanted[i].half_kicked); })) return {};
    const std::optional<Off> off =
        first_off("velocities", after.velocities, [&](std::size_t i) { return wanted[i].velocity; });
    return off ? std::optional(off->text) : std::nullopt;
  }
  std::vector<std::string> details() const { return {reply.in_call(), handout(leapfrog_section)}; }
};

/// Of leapfrog_step's buffers: a body moves by what is its own, all bodies pull on it.
inline Sources sources_of_step(std::size_t n) {
  return [n](BufferElement e) {
    enum { bodies, velocities, accelerations };
    std::vector<BufferElement> elements;
    if (e.buffer != bodies) elements = all_of({bodies}, n)(e);
    if (e.buffer == bodies) elements.push_back(e);
    if (e.buffer != accelerations) {
      elements.push_back({velocities, e.index});
      elements.push_back({accelerations, e.index});
    }
    return elements;
  };
}

inline Step take_step(const State& before, float dt, float softening, Schedule schedule) {
  const std::size_t n = before.bodies.size();
  Reply reply = changing(
      [&] {
        return submission().call(
            CallOptions{.schedule = schedule, .sites = true, .sources = sources_of_step(n)},
            CONTRACT(leapfrog_step), inout(before.bodies), inout(before.velocities), inout(before.acc), n, dt,
            softening);
      },
      teach);
  const auto left = [&](std::size_t k) {
    const std::span<const float4> values = reply.values<float4>(k);
    return Bodies(values.begin(), values.end());
  };
  Step s{before, dt, softening, reply, {left(0), left(1), left(2)}, left(0), std::vector<ExpectedStep>(n)};
  for (std::size_t i = 0; i < n; ++i) s.moved[i].w = before.bodies[i].w;
  for_each_body(n, [&](std::size_t i) {
    ExpectedStep& wanted = s.wanted[i];
    wanted.half_kicked = s.kicked(i, dt / 2);
    wanted.position = advanced(exact(before.bodies[i]), dt, wanted.half_kicked);
    const Pull pull = pull_on(i, s.moved, softening);
    wanted.acceleration = {pull.sum, tolerance(pull, n)};
    wanted.velocity = advanced(wanted.half_kicked, dt / 2, wanted.acceleration);
  });
  return s;
}

/// Fails if any body of `name` is not `wanted(i)`; tells first which of the mistakes it is.
template <typename Wanted>
void expect_all(const Step& s, const std::string& name, const Bodies& actual, const Wanted& wanted,
                const std::vector<Mistake<Expected>>& mistakes) {
  const std::optional<Off> off = first_off(name, actual, wanted);
  if (!off) return;
  const std::size_t n = actual.size();
  std::vector<std::string> details = s.details();
  details.insert(details.begin(), off->text + ".");
  fail_if_made(
      mistakes, n, [&](std::size_t i, const Expected& value) { return near(actual[i], value); },
      [&](std::size_t i, const Expected& value) {
        return near(value.value, wanted(i).value, wanted(i).tolerance);
      },
      details);
  if (n > 2) {
    fail_if_some_axes(
        n,
        [&](std::size_t i, std::size_t a) {
          const Expected it = wanted(i);
          return !near(component(actual[i], a), it.value[a], it.tolerance[a]);
        },
        current_item().todo, details);
  }
  if (off->body >= n / 32 * 32 && n > 32) {
    fail("tail-skipped",
         "The first " + number(off->body) + " bodies of " + number(n) + " are right, and " + off->text +
             ": do the last bodies have a thread?",
         s.details());
  }
  fail("wrong-result", off->text + ".", s.details());
}

/// Fails the item if a step that changed nothing here moves other bodies: then it is not open, but leaves this call out.
inline void expect_not_left_out(const Step& s, const std::vector<std::string>& details) {
  try {
    const Step other = take_step(random_state(257, 0.1F), 0.125F, 0.1F, schedules().front());
    if (same(other.after.bodies, other.before.bodies)) return;
  } catch (const ItemFailed&) {
    return;
  }
  const std::string why =
      s.dt < 0        ? " dt may be negative: then the step goes back in time, by the same formulas."
      : s.size() == 1 ? " A single body is pulled by nobody, and drifts with the velocity it has."
                      : "";
  fail("step-left-out",
       "With n = " + number(s.size()) + " and dt = " + to_text(s.dt) +
           " nothing moved; other calls do move their bodies." + why +
           " Does the step, or a thread, return too early?",
       details);
}

/// Fails the item if positions or velocities are what they were: TODO(3) or TODO(4) is still open.
inline void expect_moved(const Step& s) {
  const std::vector<std::string> details = {s.reply.in_call(), handout("The tasks")};
  const bool moved = !same(s.after.bodies, s.before.bodies), is_third = current_item().todo == 3;
  if (is_third ? moved : !same(s.after.velocities, s.before.velocities)) return;
  if (moved) {
    fail(Failure{{"unsolved", "first-kick-missing"},
                 "The bodies have moved, but the velocities are exactly what they were: TODO(3) has to write "
                 "the new velocity back, and TODO(4) is still to be written. (Or is every kick 0? `1 / 2` of "
                 "whole numbers is 0.)",
                 details});
  }
  expect_not_left_out(s, details);
  fail("unsolved",
       is_third ? "The positions are exactly what they were: TODO(3) is still to be written."
                : "Positions and velocities are exactly what they were: TODO(3) comes first, then TODO(4).",
       details);
}

/// Fails the item if a velocity does not hold the first half of the kick, with which its body has moved.
inline void expect_first_kick_kept(const Step& s) {
  std::size_t lost = 0, first = s.size();
  for (std::size_t i = s.size(); i-- > 0;) {
    if (!s.lacks_first_kick(i)) continue;
    ++lost;
    first = i;
  }
  if (lost == 0) return;
  const auto text = [](const Vector& v) {
    return "(" + significant(v.x, 6) + ", " + significant(v.y, 6) + ", " + significant(v.z, 6) + ")";
  };
  std::vector<std::string> details = s.details();
  details.insert(details.begin(), number(lost) + " of " + number(s.size()) + " velocities; velocities[" +
                                      number(first) + "] was " + text(vector_of(s.before.velocities[first])) +
                                      ", after half a kick it is " + text(s.wanted[first].half_kicked.value) +
                                      ", and the step left " + text(vector_of(s.after.velocities[first])) +
                                      ".");
  fail("first-kick-missing",
       "The bodies moved with half a kick, but the step leaves velocities without it: TODO(3) has to write "
       "the new velocity back, for the second half to go on from.",
       details);
}

/// Velocities' fourth components are not the step's business.
inline void expect_fourth(const Step& s, const std::string& what) {
  for (std::size_t i = 0; i < s.size(); ++i) {
    const float was = s.before.velocities[i].w, is = s.after.velocities[i].w;
    if (is == was) continue;
    fail("fourth-component",
         "velocities[" + number(i) + "].w was " + to_text(was) + " and is " + to_text(is) +
             " after the step: " + what,
         s.details());
  }
}

/// Masses are not the step's business, and all that follows from them is wrong once they are lost.
inline void expect_masses(const Step& s) {
  for (std::size_t i = 0; i < s.size(); ++i) {
    const float was = s.before.bodies[i].w, is = s.after.bodies[i].w;
    if (is == was) continue;
    fail_at({3}, "mass-changed",
            "bodies[" + number(i) + "].w was " + to_text(was) + " and is " + to_text(is) +
                " after the step: it is the body's mass, and stays.",
            s.details());
  }
}

inline void expect_second_kick(const Step& s) {
  const std::optional<std::string> first = s.second_kick_open();
  if (!first) return;
  std::vector<std::string> details = s.details();
  details.insert(details.begin(), *first + ".");
  fail("second-kick-missing",
       "The velocities have got the first half of the kick only. The second half, with the accelerations at "
       "the new positions, is TODO(4).",
       details);
}

} // namespace nbody
