// The rubric of TODO(3) and TODO(4): one step of the leapfrog method, and what many steps must keep.

#include "leapfrog.hpp"

using namespace nbody;

namespace {

const RunsThrough parts_of_leapfrog({"leapfrog_step"}, {1, 2, 3, 4});

void check_positions(const State& before, float dt, float softening, Schedule schedule) {
  const Step s = take_step(before, dt, softening, schedule);
  const AboutStep about(s);
  if (s.size() != 0) expect_moved(s);
  expect_all(s, 0, "bodies", s.after.bodies, s.wanted.positions, mistakes_of_positions(s));
  expect_masses(s);
  if (s.second_kick_open()) expect_fourth(s); // while TODO(4) is open, only TODO(3) can have changed it
  expect_first_kick_kept(s);
}

/// Fails the item, with the message about accelerations(), if the wrong accelerations that a step has left are wrong because
/// the function is: nothing that follows from them can be right. Those that the step was given are another mistake.
void expect_accelerations(const Step& s, Schedule schedule) {
  if (!same(s.after.acc, s.before.acc)) accelerate_and_check(s.moved, s.softening, schedule, s.size() > 32);
}

void check_velocities(const State& before, float dt, float softening, Schedule schedule) {
  const Step s = take_step(before, dt, softening, schedule);
  const AboutStep about(s);
  if (s.size() > 1) expect_moved(s);
  expect_masses(s);
  if (!s.has_right_accelerations()) expect_accelerations(s, schedule);
  expect_second_kick(s);
  changing(
      [&] {
        expect_all(s, 1, "velocities", s.after.velocities, s.wanted.velocities, mistakes_of_velocities(s));
      },
      [&](Failure& why) {
        if (!is_about(why, "wrong-result") && !is_about(why, "one-component")) return;
        if (s.has_right_positions()) return;
        why.sentence += " " + message("/positions-too").sentence;
        point_to(why, 3);
      });
  expect_fourth(s);
  expect_all(s, 2, "acc", s.after.acc, s.wanted.acc,
             {{message("stale-accelerations/left"), [&](std::size_t i) { return exact(s.before.acc[i]); }}});
}

/// Single steps: of few and of many bodies, in every order, and back in time without softening.
void check_steps(void (*check)(const State&, float, float, Schedule)) {
  for (const std::size_t n : {257, 2}) check(random_state(n, 0.1F), 0.125F, 0.1F, schedules().front());
  for (const Schedule schedule : schedules()) {
    for (const std::size_t n : sizes(on_sim() ? 499 : 2999))
      check(random_state(n, 0.1F), 0.0625F, 0.1F, schedule);
  }
  check(random_state(40, 0), -0.01F, 0, schedules().back());
}

// ---- many steps ------------------------------------------------------------------------------------------

Vector momentum(const std::vector<ExactBody>& bodies) {
  Vector sum;
  for (const ExactBody& body : bodies) sum += body.mass * body.velocity;
  return sum;
}

std::vector<Vector> exact_pulls(const std::vector<ExactBody>& bodies, double softening) {
  std::vector<Vector> pulls(bodies.size());
  for_each_body(bodies.size(), bodies.size(), [&](std::size_t i) {
    for (const ExactBody& other : bodies)
      pulls[i] += pull(other.position - bodies[i].position, other.mass, softening);
  });
  return pulls;
}

/// The grader's own leapfrog.
void exact_step(std::vector<ExactBody>& bodies, std::vector<Vector>& pulls, double dt, double softening) {
  const auto kick = [&](std::size_t i) { bodies[i].velocity += dt / 2 * pulls[i]; };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    kick(i);
    bodies[i].position += dt * bodies[i].velocity;
  }
  pulls = exact_pulls(bodies, softening);
  for (std::size_t i = 0; i < bodies.size(); ++i) kick(i);
}

/// Steps on, each from the state that the last one left. The reference is the same method in double: it tells how
/// far the energy goes up and down for the method's own sake.
void check_many_steps(std::size_t n, int steps, float dt, float softening, Schedule schedule) {
  State state = random_state(n, softening);
  for (float4& v : state.velocities) v = {0.4F * v.x, 0.4F * v.y, 0.4F * v.z, v.w};
  const std::vector<ExactBody> start = exact_bodies(state);
  std::vector<ExactBody> reference = start;
  std::vector<Vector> pulls = exact_pulls(reference, softening);
  const double first_energy = energy(start, softening);
  double most_drift = 0;
  // How far roundings alone may move momentum and energy: each velocity and each position by its tolerance, weighted
  // with what it does to the sum.
  Vector momentum_rounding;
  double energy_rounding = 0;
  std::string call;
  bool first_is_right = true;
  for (int k = 0; k < steps; ++k) {
    Step s = take_step(state, dt, softening, schedule);
    call = s.reply.call_text();
    const AboutStep about(s);
    if (k == 0) expect_moved(s);
    expect_masses(s);
    if (k == 0) {
      if (s.second_kick_open()) expect_accelerations(s, schedule);
      expect_second_kick(s);
      first_is_right = s.has_right_positions() && s.has_right_accelerations() &&
                       all_near(s.after.velocities, s.wanted.velocities);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double mass = s.before.bodies[i].w;
      const Expected& velocity = s.wanted.velocities[i];
      momentum_rounding += mass * velocity.tolerance;
      energy_rounding += mass * (dot(magnitude(velocity.value), velocity.tolerance) +
                                 dot(magnitude(s.wanted.acc[i].value), s.wanted.positions[i].tolerance));
    }
    state = std::move(s.after);
    exact_step(reference, pulls, dt, softening);
    most_drift = std::max(most_drift, std::abs(energy(reference, softening) - first_energy));
  }
  const std::vector<ExactBody> end = exact_bodies(state);
  const Details lines = {say("{bodies} bodies, {steps} steps of dt = {dt}, softening {softening}", n, steps,
                             to_text(dt), to_text(softening)),
                         say("The last call was {call}.", call)};
  const Vector moved = magnitude(momentum(end) - momentum(start));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (moved[axis] <= momentum_rounding[axis]) continue;
    fail(message("momentum-not-kept", significant(moved[axis]), std::string(1, axes[axis]), steps,
                 significant(momentum_rounding[axis]), first_is_right),
         lines);
  }
  const double change = std::abs(energy(end, softening) - first_energy);
  if (!(change <= 2 * most_drift + energy_rounding)) {
    fail(message("energy-not-kept", significant(first_energy), significant(change), steps,
                 significant(most_drift), significant(energy_rounding), first_is_right),
         lines);
  }
}

} // namespace

TEST_CASE("leapfrog_step moves every body by half a kick and a drift" * points(3) * tests("leapfrog_step") *
          todo(3)) {
  check_steps(check_positions);
}

TEST_CASE("leapfrog_step ends with the velocities and accelerations of the new positions" * points(3) *
          tests("leapfrog_step") * todo(4)) {
  check_steps(check_velocities);
}

TEST_CASE("leapfrog_step keeps momentum and energy over many steps" * points(3) * tests("leapfrog_step") *
          todo(4)) {
  // What the simulator finds in a single step is reported as in the items before: so at their size, with several tiles.
  take_step(random_state(257, 0.1F), 0.125F, 0.1F, schedules().front());
  if (on_sim()) {
    check_many_steps(70, 24, 0x1p-6F, 0.1F, schedules().front());
    for (const Schedule schedule : schedules()) check_many_steps(33, 12, 0x1p-5F, 0.2F, schedule);
  } else {
    check_many_steps(1000, 100, 0x1p-7F, 0.1F, schedules().front());
    check_many_steps(257, 200, 0x1p-6F, 0.1F, schedules().front());
  }
}

TEST_CASE("leapfrog_step computes the accelerations once" * points(2) *
          tests("leapfrog_step", "accelerations") * todo(4) * sim_only()) {
  const std::size_t n = 300;
  const auto reads = [](const Reply& reply) {
    const simt::Counters& c = reply.counters();
    return c.shared_load_lanes + c.global_load_lanes + c.shuffles;
  };
  for (const Schedule schedule : schedules()) {
    const State before = random_state(n, 0.1F);
    check_velocities(before, 0.0625F, 0.1F, schedule);
    const std::uint64_t of_step = reads(take_step(before, 0.0625F, 0.1F, schedule).reply);
    const std::uint64_t once =
        reads(submission().call(CallOptions{.schedule = schedule}, CONTRACT(accelerations), out<float4>(n),
                                in(before.bodies), n, 0.1F));
    // Besides them a step reads each body, velocity and acceleration a few times.
    const double times = per(of_step - std::min<std::uint64_t>(of_step, 8 * n), once);
    if (times > 1.5) {
      fail(message("accelerations-repeated", significant(times)),
           {say("{reads} reads in a step, {once} in accelerations()", of_step, once)});
    }
    expect_between("reads of a step over those of accelerations()", times, 0.5, 1.5,
                   message("accelerations-not-counted"));
    tell_measured(say("read"), say("{reads} elements in a step, {once} in accelerations()", of_step, once));
  }
}
