// The rubric of TODO(3) and TODO(4): one step of the leapfrog method, and what many steps must keep.

#include "rubric.hpp"

using namespace nbody;

namespace {

constexpr const char* section = "Leapfrog";

/// Bodies, their velocities, and the accelerations that a step begins with. The fourth components of velocities and
/// accelerations hold numbers of their own: nobody may change the ones, and the others are not masses.
struct State {
  Bodies bodies, velocities, acc;
};

float as_float(double value) { return static_cast<float>(value); }

State random_state(std::size_t n, float softening) {
  State state{random_bodies(n), random_bodies(n), Bodies(n)};
  for (std::size_t i = 0; i < n; ++i) {
    const Vector a = pull_on(i, state.bodies, softening).sum;
    state.acc[i] = {as_float(a.x), as_float(a.y), as_float(a.z), 0};
    state.velocities[i].w = 77.0F + static_cast<float>(i % 3);
  }
  return state;
}

Reply step(const State& state, float dt, float softening, Schedule schedule) {
  return with_lesson([&] {
    return submission().call(CallOptions{.schedule = schedule, .sites = true}, CONTRACT(leapfrog_step),
                             inout(state.bodies), inout(state.velocities), inout(state.acc),
                             state.bodies.size(), dt, softening);
  });
}

/// The bodies where the step has left them, with the masses that they had: a step that loses masses is no measure.
Bodies moved_bodies(const State& before, const State& after) {
  Bodies moved = after.bodies;
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i].w = before.bodies[i].w;
  return moved;
}

State state_of(const Reply& reply) {
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
Expected advanced(const Expected& x, double s, const Expected& y) {
  Expected result{x.value + s * y.value, {}};
  const Vector product = magnitude(s * y.value);
  result.tolerance = x.tolerance + std::abs(s) * y.tolerance +
                     4 * unit_roundoff * (magnitude(x.value) + 2 * product) + Vector{1e-37, 1e-37, 1e-37};
  return result;
}

Expected exact(const float4& v) { return {vector_of(v), {}}; }

/// What one step makes of body i. The second half of the kick follows from the positions that the submission
/// itself has reached, moved_bodies(): each half is judged for itself.
struct ExpectedStep {
  Expected half_kicked, position, acceleration, velocity;
};

ExpectedStep expected_step(std::size_t i, const State& before, const Bodies& moved, double dt,
                           double softening) {
  ExpectedStep result;
  result.half_kicked = advanced(exact(before.velocities[i]), dt / 2, exact(before.acc[i]));
  result.position = advanced(exact(before.bodies[i]), dt, result.half_kicked);
  const Pull pull = pull_on(i, moved, softening);
  result.acceleration = {pull.sum, tolerance(pull, moved.size())};
  result.velocity = advanced(result.half_kicked, dt / 2, result.acceleration);
  return result;
}

bool near(const float4& value, const Expected& wanted) {
  return nbody::near(value, wanted.value, wanted.tolerance);
}

/// Fails if any body of `name` is not `wanted(i)`; tells first what `mistakes` explain.
struct WrongStep {
  const char* id;
  std::string sentence;
  std::function<Expected(std::size_t)> value;
};

void expect_all(const Reply& reply, const std::string& name, const Bodies& actual,
                const std::function<Expected(std::size_t)>& wanted, const std::vector<WrongStep>& mistakes) {
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
  const std::vector<std::string> details = {first + ".", "In the call " + reply.call_text() + ".",
                                            handout(section)};
  for (const WrongStep& mistake : mistakes) {
    const auto is_it = [&](std::size_t i) { return near(actual[i], mistake.value(i)); };
    std::size_t i = 0;
    while (i < n && is_it(i)) ++i;
    if (i == n) fail(mistake.id, mistake.sentence, details);
  }
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

bool same(const float4& a, const float4& b) { return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w; }
bool same(const Bodies& a, const Bodies& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const float4& x, const float4& y) { return same(x, y); });
}

/// Fails the item if a step that changed nothing here moves other bodies: then it is not open, but leaves this call out.
void expect_not_left_out(const State& before, float dt, const std::vector<std::string>& details) {
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
void expect_moved(const Reply& reply, const State& before, const State& after, float dt) {
  const std::vector<std::string> details = {"In the call " + reply.call_text() + ".", handout("The tasks")};
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
    fail(Failure{
        {"unsolved", "first-kick-missing"},
        "The bodies have moved, but the velocities are exactly what they were: TODO(3) has to write the "
        "new velocity back, and TODO(4) is still to be written. (Or is every kick 0? `1 / 2` of whole "
        "numbers is "
        "0.)",
        details});
  }
  expect_not_left_out(before, dt, details);
  fail("unsolved", "Positions and velocities are exactly what they were: TODO(3) comes first, then TODO(4).",
       details);
}

/// Whether velocity i does not hold the first half of the kick. A step's velocities are seen only after its end:
/// whatever else they hold by then, of the second half nothing, half or all of a kick with the new accelerations, the
/// first half must be in them.
bool lacks_first_kick(std::size_t i, const State& before, const State& after, const ExpectedStep& wanted,
                      double dt) {
  const float4& v = after.velocities[i];
  if (near(v, wanted.half_kicked) || near(v, wanted.velocity)) return false;
  const auto without_it = [&](double by) {
    return near(v, advanced(exact(before.velocities[i]), by, wanted.acceleration));
  };
  return without_it(0) || without_it(dt / 2) || without_it(dt);
}

/// Fails the item if a velocity does not hold the first half of the kick, with which its body has moved.
void expect_first_kick_kept(const Reply& reply, const State& before, const State& after, double dt,
                            double softening) {
  const std::size_t n = after.bodies.size();
  const Bodies moved = moved_bodies(before, after);
  std::size_t lost = 0, first = n;
  Expected half_kicked;
  for (std::size_t i = 0; i < n; ++i) {
    const ExpectedStep wanted = expected_step(i, before, moved, dt, softening);
    if (!lacks_first_kick(i, before, after, wanted, dt)) continue;
    if (lost++ != 0) continue;
    first = i;
    half_kicked = wanted.half_kicked;
  }
  if (lost == 0) return;
  const auto text = [](double x, double y, double z) {
    return "(" + significant(x, 6) + ", " + significant(y, 6) + ", " + significant(z, 6) + ")";
  };
  const float4 &was = before.velocities[first], &is = after.velocities[first];
  const Vector& half = half_kicked.value;
  fail("first-kick-missing",
       "The bodies moved with half a kick, but the step leaves velocities without it: TODO(3) has to write "
       "the new "
       "velocity back, for the second half to go on from.",
       {number(lost) + " of " + number(n) + " velocities; velocities[" + number(first) + "] was " +
            text(was.x, was.y, was.z) + ", after half a kick it is " + text(half.x, half.y, half.z) +
            ", and the step left " + text(is.x, is.y, is.z) + ".",
        "In the call " + reply.call_text() + ".", handout(section)});
}

/// Whether no velocity holds the first half of the kick.
bool all_lack_first_kick(const State& before, const State& after, double dt, double softening) {
  const Bodies moved = moved_bodies(before, after);
  for (std::size_t i = 0; i < moved.size(); ++i) {
    if (!lacks_first_kick(i, before, after, expected_step(i, before, moved, dt, softening), dt)) return false;
  }
  return true;
}

/// Velocities' fourth components are not the step's business.
void expect_fourth(const Reply& reply, const Bodies& before, const Bodies& after, const std::string& what) {
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (after[i].w == before[i].w) continue;
    fail("fourth-component",
         "velocities[" + number(i) + "].w was " + to_text(before[i].w) + " and is " + to_text(after[i].w) +
             " after the step: " + what,
         {"In the call " + reply.call_text() + ".", handout(section)});
  }
}

/// Masses are not the step's business, and all that follows from them is wrong once they are lost.
void expect_masses(const Reply& reply, const State& before, const State& after) {
  for (std::size_t i = 0; i < after.bodies.size(); ++i) {
    const float was = before.bodies[i].w, is = after.bodies[i].w;
    if (is == was) continue;
    fail_in(3, "mass-changed",
            "bodies[" + number(i) + "].w was " + to_text(was) + " and is " + to_text(is) +
                " after the step: it is the body's mass, and stays.",
            {"In the call " + reply.call_text() + ".", handout(section)});
  }
}

/// The first velocity that lacks the second half of the kick, in words, if all velocities have got the first half and
/// nothing else: TODO(4) is still open.
std::optional<std::string> second_kick_open(const State& before, const State& after, double dt,
                                            double softening) {
  const Bodies moved = moved_bodies(before, after);
  std::optional<std::string> first; // stays empty if no body pulls another
  for (std::size_t i = 0; i < after.bodies.size(); ++i) {
    const ExpectedStep wanted = expected_step(i, before, moved, dt, softening);
    const float4& v = after.velocities[i];
    if (!near(v, wanted.half_kicked)) return {};
    for (std::size_t axis = 0; axis < 3 && !first; ++axis) {
      const double right = wanted.velocity.value[axis], allowed = wanted.velocity.tolerance[axis];
      if (!nbody::near(component(v, axis), right, allowed))
        first = off("velocities", i, axis, component(v, axis), right, allowed);
    }
  }
  return first;
}

void expect_second_kick(const Reply& reply, const State& before, const State& after, double dt,
                        double softening) {
  const std::optional<std::string> first = second_kick_open(before, after, dt, softening);
  if (!first) return;
  fail("second-kick-missing",
       "The velocities have got the first half of the kick only. The second half, with the accelerations at "
       "the new "
       "positions, is TODO(4).",
       {*first + ".", "In the call " + reply.call_text() + ".", handout(section)});
}

void check_positions(const State& before, float dt, float softening, Schedule schedule) {
  const Reply reply = step(before, dt, softening, schedule);
  const State after = state_of(reply);
  if (!before.bodies.empty()) expect_moved(reply, before, after, dt);
  const auto drifted = [&](const Expected& v, std::size_t i, double by) {
    return advanced(exact(before.bodies[i]), by, v);
  };
  const auto kicked = [&](std::size_t i, double by) {
    return advanced(exact(before.velocities[i]), by, exact(before.acc[i]));
  };
  const auto from_rest = [&](std::size_t i) { // a kick that takes the place of the velocity
    return advanced(Expected{}, dt / 2, exact(before.acc[i]));
  };
  expect_all(
      reply, "bodies", after.bodies, [&](std::size_t i) { return drifted(kicked(i, dt / 2), i, dt); },
      {{"drift-before-kick",
        all_lack_first_kick(before, after, dt, softening)
            ? "The bodies moved with their old velocities, and the step's velocities lack that half of the "
              "kick, too: "
              "was it 0? `1 / 2` of whole numbers is 0. Or was the new velocity neither used nor kept?"
            : "The bodies moved with their old velocities. In a leapfrog step half a kick comes before the "
              "drift.",
        [&](std::size_t i) { return drifted(exact(before.velocities[i]), i, dt); }},
       {"whole-kick",
        "The bodies moved with velocities that had got a whole kick. Only half of it comes before the drift.",
        [&](std::size_t i) { return drifted(kicked(i, dt), i, dt); }},
       {"half-drift",
        "The bodies drifted for half a time step. The kick is split into halves, the drift is not.",
        [&](std::size_t i) { return drifted(kicked(i, dt / 2), i, dt / 2); }},
       {"kick-reversed", "The first half of the kick went the wrong way: it is added.",
        [&](std::size_t i) { return drifted(kicked(i, -dt / 2), i, dt); }},
       {"drift-reversed", "The bodies drifted the wrong way: dt times the velocity is added.",
        [&](std::size_t i) { return drifted(kicked(i, dt / 2), i, -dt); }},
       {"velocity-overwritten",
        "The bodies moved with the kick alone: it is added to the velocity that they had. Is it `=` or `+=`?",
        [&](std::size_t i) { return drifted(from_rest(i), i, dt); }},
       {"position-overwritten",
        "The positions are dt times the velocity: the drift is added to the position. Is it `=` or `+=`?",
        [&](std::size_t i) { return advanced(Expected{}, dt, kicked(i, dt / 2)); }},
       {"time-step-forgotten", "The drift does not know dt: positions change by dt times the velocity.",
        [&](std::size_t i) { return drifted(kicked(i, dt / 2), i, 1); }}});
  expect_masses(reply, before, after);
  // While TODO(4) is open, nobody else can have changed it.
  if (second_kick_open(before, after, dt, softening))
    expect_fourth(reply, before.velocities, after.velocities, "it is not the step's to change.");
  expect_first_kick_kept(reply, before, after, dt, softening);
}

/// Fails the item, with what accelerations() is told, if the wrong accelerations that a step has left are wrong because
/// the function is: nothing that follows from them can be right. Those that the step was given are another mistake.
void expect_accelerations(const State& before, const State& after, float softening, Schedule schedule) {
  if (same(after.acc, before.acc)) return;
  const Bodies moved = moved_bodies(before, after);
  accelerate_and_check(moved, softening, schedule, moved.size() > 32);
}

void check_velocities(const State& before, float dt, float softening, Schedule schedule) {
  const Reply reply = step(before, dt, softening, schedule);
  const State after = state_of(reply);
  const std::size_t n = before.bodies.size();
  if (n > 1) expect_moved(reply, before, after, dt);
  expect_masses(reply, before, after);
  const Bodies moved = moved_bodies(before, after);
  std::vector<ExpectedStep> wanted(n);
  bool accelerations_right = true;
  for (std::size_t i = 0; i < n; ++i) {
    wanted[i] = expected_step(i, before, moved, dt, softening);
    accelerations_right = accelerations_right && near(after.acc[i], wanted[i].acceleration);
  }
  if (!accelerations_right) expect_accelerations(before, after, softening, schedule);
  expect_second_kick(reply, before, after, dt, softening);
  const auto kicked = [&](const Expected& v, std::size_t i, const Bodies& acc, double by) {
    return advanced(v, by, exact(acc[i]));
  };
  const auto whole_kick = [&](std::size_t i) {
    return kicked(exact(before.velocities[i]), i, before.acc, dt);
  };
  bool moved_with_whole_kick = true;
  for (std::size_t i = 0; i < n; ++i) {
    moved_with_whole_kick =
        moved_with_whole_kick && near(after.bodies[i], advanced(exact(before.bodies[i]), dt, whole_kick(i)));
  }
  const auto judge = [&] {
    expect_all(
        reply, "velocities", after.velocities, [&](std::size_t i) { return wanted[i].velocity; },
        {{moved_with_whole_kick ? "whole-kick" : "stale-accelerations",
          moved_with_whole_kick
              ? "The velocities have got a whole kick with the accelerations from before the "
                "drift, and the bodies moved "
                "with it: TODO(3) gives half of it, and TODO(4) the other half, with those "
                "at the new positions."
              : "Both halves of the kick took the accelerations from before the drift. The "
                "second half needs those "
                "at the new "
                "positions.",
          [&](std::size_t i) { return kicked(wanted[i].half_kicked, i, before.acc, dt / 2); }},
         {"first-kick-missing",
          "The velocities have got the second half of the kick only: the first half moved the bodies, but "
          "was "
          "not kept. TODO(3) has to write the new velocity back.",
          [&](std::size_t i) {
            return advanced(exact(before.velocities[i]), dt / 2, wanted[i].acceleration);
          }},
         {"whole-kick", "The second kick is a whole one. Each of the two is half: dt / 2.",
          [&](std::size_t i) { return advanced(wanted[i].half_kicked, dt, wanted[i].acceleration); }},
         {"kick-reversed", "The second half of the kick went the wrong way: it is added.",
          [&](std::size_t i) { return advanced(wanted[i].half_kicked, -dt / 2, wanted[i].acceleration); }},
         {"velocity-overwritten",
          "The velocities are the second half of the kick alone: it is added to the velocity that the first "
          "half left. Is it `=` "
          "or `+=`?",
          [&](std::size_t i) { return advanced(Expected{}, dt / 2, wanted[i].acceleration); }}});
  };
  try {
    judge();
  } catch (ItemFailed& failed) {
    bool positions_right = true;
    for (std::size_t i = 0; i < n; ++i)
      positions_right = positions_right && near(after.bodies[i], wanted[i].position);
    const std::string& id = failed.failure.diagnoses.front();
    if (positions_right || (id != "wrong-result" && id != "one-component")) throw;
    failed.failure.sentence += " The positions are wrong, too: look at the first half of the kick first.";
    failed.failure.places = place_of_task(3);
    throw;
  }
  expect_fourth(reply, before.velocities, after.velocities,
                "it is not the step's to change. TODO(3) and TODO(4) both write velocities: look at both.");
  expect_all(reply, "acc", after.acc, [&](std::size_t i) { return wanted[i].acceleration; },
             {{"stale-accelerations",
               "The accelerations that the step leaves are those that it was given. The next step begins "
               "with them: they have to "
               "be those at the new positions.",
               [&](std::size_t i) { return exact(before.acc[i]); }}});
}

// ---- many steps ------------------------------------------------------------------------------------------

/// The same state in double, for a leapfrog of the grader's own.
struct ExactState {
  std::vector<Vector> x, v;
  std::vector<double> mass;
};

ExactState exact_state(const State& state) {
  ExactState result;
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    result.x.push_back(vector_of(state.bodies[i]));
    result.v.push_back(vector_of(state.velocities[i]));
    result.mass.push_back(state.bodies[i].w);
  }
  return result;
}

/// Kinetic and potential energy together; the potential is that of softened gravity.
double energy(const ExactState& s, double softening) {
  double sum = 0;
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    sum += s.mass[i] * dot(s.v[i], s.v[i]) / 2;
    for (std::size_t j = 0; j < i; ++j) {
      const Vector d = s.x[j] + -1.0 * s.x[i];
      sum -= s.mass[i] * s.mass[j] / std::sqrt(dot(d, d) + softening * softening);
    }
  }
  return sum;
}

Vector momentum(const ExactState& s) {
  Vector sum;
  for (std::size_t i = 0; i < s.x.size(); ++i) sum += s.mass[i] * s.v[i];
  return sum;
}

std::vector<Vector> exact_pulls(const ExactState& s, double softening) {
  std::vector<Vector> pulls(s.x.size());
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    for (std::size_t j = 0; j < s.x.size(); ++j) {
      const Vector d = s.x[j] + -1.0 * s.x[i];
      const double r2 = dot(d, d) + softening * softening;
      pulls[i] += (s.mass[j] / (r2 * std::sqrt(r2))) * d;
    }
  }
  return pulls;
}

void exact_step(ExactState& s, std::vector<Vector>& pulls, double dt, double softening) {
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    s.v[i] += dt / 2 * pulls[i];
    s.x[i] += dt * s.v[i];
  }
  pulls = exact_pulls(s, softening);
  for (std::size_t i = 0; i < s.x.size(); ++i) s.v[i] += dt / 2 * pulls[i];
}

/// How far roundings alone may move momentum and energy in one step from this state: each velocity and each
/// position by its tolerance, weighted with what it does to the sum.
struct Drift {
  Vector momentum;
  double energy = 0;
};

Drift rounding_drift(const State& before, const State& after, double dt, double softening) {
  Drift drift;
  const Bodies moved = moved_bodies(before, after);
  for (std::size_t i = 0; i < before.bodies.size(); ++i) {
    const ExpectedStep wanted = expected_step(i, before, moved, dt, softening);
    const double mass = before.bodies[i].w;
    drift.momentum += mass * wanted.velocity.tolerance;
    drift.energy += mass * (dot(magnitude(wanted.velocity.value), wanted.velocity.tolerance) +
                            dot(magnitude(wanted.acceleration.value), wanted.position.tolerance));
  }
  return drift;
}

/// Whether a single step is right: positions, accelerations and velocities.
bool is_right_step(const State& before, const State& after, double dt, double softening) {
  const Bodies moved = moved_bodies(before, after);
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const ExpectedStep wanted = expected_step(i, before, moved, dt, softening);
    if (!near(after.bodies[i], wanted.position) || !near(after.acc[i], wanted.acceleration) ||
        !near(after.velocities[i], wanted.velocity))
      return false;
  }
  return true;
}

/// Steps on, each from the state that the last one left. The reference is the same method in double: it tells how
/// far the energy goes up and down for the method's own sake.
void check_many_steps(std::size_t n, int steps, float dt, float softening, Schedule schedule) {
  State state = random_state(n, softening);
  for (float4& v : state.velocities) v = {0.4F * v.x, 0.4F * v.y, 0.4F * v.z, v.w};
  const ExactState start = exact_state(state);
  ExactState reference = start;
  std::vector<Vector> pulls = exact_pulls(reference, softening);
  const double first_energy = energy(start, softening);
  double most_drift = 0;
  Drift rounding;
  std::string call;
  bool first_is_right = true;
  for (int k = 0; k < steps; ++k) {
    const Reply reply = step(state, dt, softening, schedule);
    call = reply.call_text();
    State after = state_of(reply);
    if (k == 0) expect_moved(reply, state, after, dt);
    expect_masses(reply, state, after);
    if (k == 0) {
      if (second_kick_open(state, after, dt, softening))
        expect_accelerations(state, after, softening, schedule);
      expect_second_kick(reply, state, after, dt, softening);
      first_is_right = is_right_step(state, after, dt, softening);
    }
    const Drift drift = rounding_drift(state, after, dt, softening);
    rounding.momentum += drift.momentum;
    rounding.energy += drift.energy;
    state = std::move(after);
    exact_step(reference, pulls, dt, softening);
    most_drift = std::max(most_drift, std::abs(energy(reference, softening) - first_energy));
  }
  const ExactState end = exact_state(state);
  const std::vector<std::string> lines = {
      number(n) + " bodies, " + std::to_string(steps) + " steps of dt = " + to_text(dt) + ", softening " +
          to_text(softening),
      "The last call was " + call + ".", handout("What a simulation must keep")};
  const std::string single =
      " A single step is wrong already: mend that first, the other items say what it is.";
  const Vector p = momentum(start), q = momentum(end);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double change = std::abs(q[axis] - p[axis]);
    if (change <= rounding.momentum[axis]) continue;
    fail("momentum-not-kept",
         "The total momentum changed by " + significant(change) + " in " + axes[axis] + " over " +
             std::to_string(steps) + " steps; roundings explain " + significant(rounding.momentum[axis]) +
             "." +
             (first_is_right
                  ? " Bodies that pull each other with equal forces cannot do that: who is pulled, and "
                    "does not pull back?"
                  : single),
         lines);
  }
  const double change = std::abs(energy(end, softening) - first_energy);
  const double allowed = 2 * most_drift + rounding.energy;
  if (!(change <= allowed)) {
    fail("energy-not-kept",
         "The total energy was " + significant(first_energy) + " and changed by " + significant(change) +
             " over " + std::to_string(steps) + " steps; the same steps in double change it by at most " +
             significant(most_drift) + ", and roundings by " + significant(rounding.energy) + "." +
             (first_is_right
                  ? " A step that is not symmetric in time wins or loses energy again and again: half a "
                    "kick, the drift, half a kick."
                  : single),
         lines);
  }
}

} // namespace

TEST_CASE("leapfrog_step moves every body by half a kick and a drift" * points(3) * tests("leapfrog_step") *
          todo(3)) {
  for (const std::size_t n : {257, 2})
    check_positions(random_state(n, 0.1F), 0.125F, 0.1F, schedules().front());
  for (const Schedule schedule : schedules()) {
    for (const std::size_t n : sizes(on_sim() ? 499 : 2999))
      check_positions(random_state(n, 0.1F), 0.0625F, 0.1F, schedule);
  }
  check_positions(random_state(40, 0), -0.01F, 0, schedules().back());
}

TEST_CASE("leapfrog_step ends with the velocities and accelerations of the new positions" * points(3) *
          tests("leapfrog_step") * todo(4)) {
  for (const std::size_t n : {257, 2})
    check_velocities(random_state(n, 0.1F), 0.125F, 0.1F, schedules().front());
  for (const Schedule schedule : schedules()) {
    for (const std::size_t n : sizes(on_sim() ? 499 : 2999))
      check_velocities(random_state(n, 0.1F), 0.0625F, 0.1F, schedule);
  }
  check_velocities(random_state(40, 0), -0.01F, 0, schedules().back());
}

TEST_CASE("leapfrog_step keeps momentum and energy over many steps" * points(3) * tests("leapfrog_step") *
          todo(4)) {
  // What the simulator finds in a single step is told as in the items before: so at their size, with several tiles.
  step(random_state(257, 0.1F), 0.125F, 0.1F, schedules().front());
  if (on_sim()) {
    check_many_steps(70, 24, 0x1p-6F, 0.1F, schedules().front());
    for (const Schedule schedule : schedules()) check_many_steps(33, 12, 0x1p-5F, 0.2F, schedule);
  } else {
    check_many_steps(1000, 100, 0x1p-7F, 0.1F, schedules().front());
    check_many_steps(257, 200, 0x1p-6F, 0.1F, schedules().front());
  }
}

TEST_CASE("leapfrog_step computes the accelerations once" * points(2) * tests("leapfrog_step") * todo(4) *
          sim_only()) {
  const std::size_t n = 300;
  for (const Schedule schedule : schedules()) {
    const State before = random_state(n, 0.1F);
    check_velocities(before, 0.0625F, 0.1F, schedule);
    const simt::Counters step_counts = step(before, 0.0625F, 0.1F, schedule).counters();
    const Reply once = submission().call(CallOptions{.schedule = schedule}, CONTRACT(accelerations),
                                         out<float4>(n), in(before.bodies), n, 0.1F);
    const auto reads = [](const simt::Counters& c) {
      return c.shared_load_lanes + c.global_load_lanes + c.shuffles;
    };
    // Besides them a step reads each body, velocity and acceleration a few times.
    const double times =
        per(reads(step_counts) - std::min<std::uint64_t>(reads(step_counts), 8 * n), reads(once.counters()));
    if (times > 1.5) {
      fail("accelerations-repeated",
           "The result is right, but a step reads " + significant(times) +
               " times as much as accelerations() does. The accelerations that the step is given are those "
               "of the old "
               "positions already: compute only the new ones.",
           {number(reads(step_counts)) + " reads in a step, " + number(reads(once.counters())) +
                " in accelerations()",
            handout(section)});
    }
    expect_between("reads of a step over those of accelerations()", times, 0.5, 1.5,
                   "accelerations-not-counted",
                   "A step made fewer reads than the accelerations need; they should be computed once.");
  }
}
