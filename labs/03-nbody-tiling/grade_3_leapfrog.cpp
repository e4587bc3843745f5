// The rubric of TODO(3) and TODO(4): one step of the leapfrog method, and what many steps must keep.

#include <numeric>

#include "leapfrog.hpp"

using namespace nbody;

namespace {

/// Mistakes of the first half of the kick, and of the drift.
std::vector<Mistake<Expected>> mistakes_of_positions(const Step& s) {
  const double dt = s.dt;
  const auto drifted = [&s](auto velocity, double by) {
    return [&s, velocity, by](std::size_t i) { return advanced(exact(s.before.bodies[i]), by, velocity(i)); };
  };
  const auto kicked = [&s](double by) { return [&s, by](std::size_t i) { return s.kicked(i, by); }; };
  const auto unkicked = [&s](std::size_t i) { return exact(s.before.velocities[i]); };
  const auto from_rest = [&s, dt](std::size_t i) { // a kick that takes the place of the velocity
    return advanced(Expected{}, dt / 2, exact(s.before.acc[i]));
  };
  return {
      {"drift-before-kick",
       s.all([&](std::size_t i) { return s.lacks_first_kick(i); })
           ? "The bodies moved with their old velocities, and the step's velocities lack that half of the "
             "kick, too: was it 0? `1 / 2` of whole numbers is 0. Or was the new velocity neither used nor "
             "kept?"
           : "The bodies moved with their old velocities. In a leapfrog step half a kick comes before the "
             "drift.",
       drifted(unkicked, dt)},
      {"whole-kick",
       "The bodies moved with velocities that had got a whole kick. Only half of it comes before the drift.",
       drifted(kicked(dt), dt)},
      {"half-drift",
       "The bodies drifted for half a time step. The kick is split into halves, the drift is not.",
       drifted(kicked(dt / 2), dt / 2)},
      {"kick-reversed", "The first half of the kick went the wrong way: it is added.",
       drifted(kicked(-dt / 2), dt)},
      {"drift-reversed", "The bodies drifted the wrong way: dt times the velocity is added.",
       drifted(kicked(dt / 2), -dt)},
      {"velocity-overwritten",
       "The bodies moved with the kick alone: it is added to the velocity that they had. Is it `=` or `+=`?",
       drifted(from_rest, dt)},
      {"position-overwritten",
       "The positions are dt times the velocity: the drift is added to the position. Is it `=` or `+=`?",
       [&s, dt](std::size_t i) { return advanced(Expected{}, dt, s.kicked(i, dt / 2)); }},
      {"time-step-forgotten", "The drift does not know dt: positions change by dt times the velocity.",
       drifted(kicked(dt / 2), 1)},
  };
}

void check_positions(const State& before, float dt, float softening, Schedule schedule) {
  const Step s = take_step(before, dt, softening, schedule);
  if (s.size() != 0) expect_moved(s);
  expect_all(
      s, "bodies", s.after.bodies, [&](std::size_t i) { return s.wanted[i].position; },
      mistakes_of_positions(s));
  expect_masses(s);
  // While TODO(4) is open, nobody else can have changed it.
  if (s.second_kick_open()) expect_fourth(s, "it is not the step's to change.");
  expect_first_kick_kept(s);
}

/// Fails the item, with what accelerations() is told, if the wrong accelerations that a step has left are wrong because
/// the function is: nothing that follows from them can be right. Those that the step was given are another mistake.
void expect_accelerations(const Step& s, Schedule schedule) {
  if (!same(s.after.acc, s.before.acc)) accelerate_and_check(s.moved, s.softening, schedule, s.size() > 32);
}

/// Mistakes of the second half of the kick.
std::vector<Mistake<Expected>> mistakes_of_velocities(const Step& s) {
  const double dt = s.dt;
  const auto half_kicked = [&s](std::size_t i) { return s.wanted[i].half_kicked; };
  const auto unkicked = [&s](std::size_t i) { return exact(s.before.velocities[i]); };
  const auto at_rest = [](std::size_t) { return Expected{}; };
  const auto kicked = [&s](auto velocity, double by) { // with the new accelerations
    return [&s, velocity, by](std::size_t i) { return advanced(velocity(i), by, s.wanted[i].acceleration); };
  };
  const bool moved_with_whole_kick = s.all([&](std::size_t i) {
    return near(s.after.bodies[i], advanced(exact(s.before.bodies[i]), dt, s.kicked(i, dt)));
  });
  return {
      {moved_with_whole_kick ? "whole-kick" : "stale-accelerations",
       moved_with_whole_kick ? "The velocities have got a whole kick with the accelerations from before the "
                               "drift, and the bodies moved with it: TODO(3) gives half of it, and TODO(4) "
                               "the other half, with those at the new positions."
                             : "Both halves of the kick took the accelerations from before the drift. The "
                               "second half needs those at the new positions.",
       [&s, half_kicked, dt](std::size_t i) {
         return advanced(half_kicked(i), dt / 2, exact(s.before.acc[i]));
       }},
      {"first-kick-missing",
       "The velocities have got the second half of the kick only: the first half moved the bodies, but was "
       "not kept. TODO(3) has to write the new velocity back.",
       kicked(unkicked, dt / 2)},
      {"whole-kick", "The second kick is a whole one. Each of the two is half: dt / 2.",
       kicked(half_kicked, dt)},
      {"kick-reversed", "The second half of the kick went the wrong way: it is added.",
       kicked(half_kicked, -dt / 2)},
      {"velocity-overwritten",
       "The velocities are the second half of the kick alone: it is added to the velocity that the first "
       "half left. Is it `=` or `+=`?",
       kicked(at_rest, dt / 2)},
  };
}

void check_velocities(const State& before, float dt, float softening, Schedule schedule) {
  const Step s = take_step(before, dt, softening, schedule);
  if (s.size() > 1) expect_moved(s);
  expect_masses(s);
  if (!s.all([&](std::size_t i) { return s.has_right_acceleration(i); })) expect_accelerations(s, schedule);
  expect_second_kick(s);
  changing(
      [&] {
        expect_all(
            s, "velocities", s.after.velocities, [&](std::size_t i) { return s.wanted[i].velocity; },
            mistakes_of_velocities(s));
      },
      [&](Failure& why) {
        if (!is_about(why, "wrong-result") && !is_about(why, "one-component")) return;
        if (s.all([&](std::size_t i) { return s.has_right_position(i); })) return;
        why.sentence += " The positions are wrong, too: look at the first half of the kick first.";
        point_to(why, 3);
      });
  expect_fourth(s,
                "it is not the step's to change. TODO(3) and TODO(4) both write velocities: look at both.");
  expect_all(s, "acc", s.after.acc, [&](std::size_t i) { return s.wanted[i].acceleration; },
             {{"stale-accelerations",
               "The accelerations that the step leaves are those that it was given. The next step begins "
               "with them: they have to be those at the new positions.",
               [&](std::size_t i) { return exact(s.before.acc[i]); }}});
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
  std::vector<double> of_bodies(s.x.size());
  for_each_body(s.x.size(), [&](std::size_t i) {
    double sum = s.mass[i] * dot(s.v[i], s.v[i]) / 2;
    for (std::size_t j = 0; j < i; ++j) {
      const Vector d = s.x[j] + -1.0 * s.x[i];
      sum -= s.mass[i] * s.mass[j] / std::sqrt(dot(d, d) + softening * softening);
    }
    of_bodies[i] = sum;
  });
  return std::accumulate(of_bodies.begin(), of_bodies.end(), 0.0);
}

Vector momentum(const ExactState& s) {
  Vector sum;
  for (std::size_t i = 0; i < s.x.size(); ++i) sum += s.mass[i] * s.v[i];
  return sum;
}

std::vector<Vector> exact_pulls(const ExactState& s, double softening) {
  std::vector<Vector> pulls(s.x.size());
  for_each_body(s.x.size(), [&](std::size_t i) {
    Vector pull;
    for (std::size_t j = 0; j < s.x.size(); ++j) {
      const Vector d = s.x[j] + -1.0 * s.x[i];
      const double r2 = dot(d, d) + softening * softening;
      pull += (s.mass[j] / (r2 * std::sqrt(r2))) * d;
    }
    pulls[i] = pull;
  });
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

Drift rounding_drift(const Step& s) {
  Drift drift;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const ExpectedStep& wanted = s.wanted[i];
    const double mass = s.before.bodies[i].w;
    drift.momentum += mass * wanted.velocity.tolerance;
    drift.energy += mass * (dot(magnitude(wanted.velocity.value), wanted.velocity.tolerance) +
                            dot(magnitude(wanted.acceleration.value), wanted.position.tolerance));
  }
  return drift;
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
    Step s = take_step(state, dt, softening, schedule);
    call = s.reply.call_text();
    if (k == 0) expect_moved(s);
    expect_masses(s);
    if (k == 0) {
      if (s.second_kick_open()) expect_accelerations(s, schedule);
      expect_second_kick(s);
      first_is_right = s.all([&](std::size_t i) { return s.is_right(i); });
    }
    const Drift drift = rounding_drift(s);
    rounding.momentum += drift.momentum;
    rounding.energy += drift.energy;
    state = std::move(s.after);
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
             (first_is_right ? " Bodies that pull each other with equal forces cannot do that: who is "
                               "pulled, and does not pull back?"
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
             (first_is_right ? " A step that is not symmetric in time wins or loses energy again and again: "
                               "half a kick, the drift, half a kick."
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
  take_step(random_state(257, 0.1F), 0.125F, 0.1F, schedules().front());
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
    const simt::Counters step_counts = take_step(before, 0.0625F, 0.1F, schedule).reply.counters();
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
               "of the old positions already: compute only the new ones.",
           {number(reads(step_counts)) + " reads in a step, " + number(reads(once.counters())) +
                " in accelerations()",
            handout(leapfrog_section)});
    }
    expect_between("reads of a step over those of accelerations()", times, 0.5, 1.5,
                   "accelerations-not-counted",
                   "A step made fewer reads than the accelerations need; they should be computed once.");
  }
}
