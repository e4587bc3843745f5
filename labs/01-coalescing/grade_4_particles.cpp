// The rubric of TODO(4): advance_particles, from an array of structures to a structure of arrays.

#include <array>

#include "rubric.hpp"

using namespace coalescing;

namespace {

constexpr const char* axes[] = {"x", "y", "z"};

float position(const Particle& p, std::size_t axis) { return std::array{p.x, p.y, p.z}[axis]; }
float velocity(const Particle& p, std::size_t axis) { return std::array{p.vx, p.vy, p.vz}[axis]; }

/// Random particles. Mass and charge have another order of magnitude, so that they differ from every coordinate.
std::vector<Particle> random_particles(std::size_t n) {
  const Drawn<float> place, speed{uniform(-10, 10)}, other{uniform(1000, 2000)};
  std::vector<Particle> particles(n);
  for_each_index(n, [&](std::size_t i) {
    particles[i] = {.x = place[3 * i],
                    .y = place[3 * i + 1],
                    .z = place[3 * i + 2],
                    .mass = other[2 * i],
                    .vx = speed[3 * i],
                    .vy = speed[3 * i + 1],
                    .vz = speed[3 * i + 2],
                    .charge = other[2 * i + 1]};
  });
  return particles;
}

double exact(const Particle& p, std::size_t axis, float dt) {
  return static_cast<double>(position(p, axis)) +
         static_cast<double>(dt) * static_cast<double>(velocity(p, axis));
}

/// One rounding of the product, which a fused multiply-add saves, and one of the sum; each at most half a
/// unit in the last place, 2^-24 of the rounded number, or of the smallest one that is.
double tolerance(const Particle& p, std::size_t axis, float dt) {
  const double product = std::abs(static_cast<double>(dt) * static_cast<double>(velocity(p, axis)));
  const double unit = 0x1p-24;
  const double denormal = static_cast<double>(std::numeric_limits<float>::denorm_min());
  return (product * unit + std::abs(exact(p, axis, dt)) * unit) * (1 + 0x1p-20) + denormal;
}

bool is_right(float moved, const Particle& p, std::size_t axis, float dt) {
  return std::abs(static_cast<double>(moved) - exact(p, axis, dt)) <= tolerance(p, axis, dt);
}

/// Mistakes that give every coordinate another value: those of x, of y and of z one behind the other.
std::vector<Mistake<double>> mistakes_of(const std::vector<Particle>& particles, float dt) {
  const std::size_t n = particles.size();
  const double step = static_cast<double>(dt);
  std::vector<Mistake<double>> list;
  const auto add = [&](LabMessage says, auto value) {
    list.push_back({std::move(says),
                    [=, &particles](std::size_t i) -> double { return value(particles[i % n], i / n); }});
  };
  add(message("dt-forgotten"),
      [](const Particle& p, std::size_t axis) { return position(p, axis) + velocity(p, axis); });
  add(message("not-moved"), [](const Particle& p, std::size_t axis) { return position(p, axis); });
  add(message("moved-backwards"),
      [=](const Particle& p, std::size_t axis) { return position(p, axis) - step * velocity(p, axis); });
  add(message("position-forgotten"),
      [=](const Particle& p, std::size_t axis) { return step * velocity(p, axis); });
  add(message("dt-on-both"),
      [=](const Particle& p, std::size_t axis) { return step * (position(p, axis) + velocity(p, axis)); });
  add(message("mass-taken-for-velocity"), [=](const Particle& p, std::size_t axis) {
    return position(p, axis) + step * std::array{p.mass, p.vx, p.vy}[axis];
  });
  add(message("position-taken-for-velocity"),
      [=](const Particle& p, std::size_t axis) { return position(p, axis) + step * position(p, axis); });
  add(message("axis-mixed-up"), [=](const Particle& p, std::size_t axis) {
    return position(p, axis) + step * velocity(p, (axis + 1) % 3);
  });
  add(message("axis-mixed-up/always-x"),
      [=](const Particle& p, std::size_t axis) { return position(p, axis) + step * p.vx; });
  add(message("axis-mixed-up/x-for-all"), [=](const Particle& p, std::size_t) { return p.x + step * p.vx; });
  if (n > 2) { // only of x, and not of the last one, which has no half behind it
    const auto half = [&particles](std::size_t k) {
      return static_cast<double>(k % 2 == 0 ? particles[k / 2].x : particles[k / 2].vx);
    };
    list.push_back({message("halves-taken-for-particles"),
                    [=](std::size_t i) { return half(i) + step * half(i + 1); }, n - 1});
  }
  return list;
}

constexpr const char* members[] = {"x", "y", "z", "mass", "vx", "vy", "vz", "charge"};
std::array<float, std::size(members)> values_of(const Particle& p) {
  return {p.x, p.y, p.z, p.mass, p.vx, p.vy, p.vz, p.charge};
}

/// Mistakes that make one coordinate of two members, but not of the right ones.
std::vector<Mistake<double>> mixed_members(const std::vector<Particle>& particles, std::size_t axis,
                                           float dt) {
  const auto step = static_cast<double>(dt);
  std::vector<Mistake<double>> list;
  for (std::size_t first = 0; first < std::size(members); ++first) {
    for (std::size_t second = 0; second < std::size(members); ++second) {
      list.push_back({message("other-members", std::string(axes[axis]), std::string(members[first]),
                              std::string(members[second])),
                      [=, &particles](std::size_t i) {
                        const auto p = values_of(particles[i]);
                        return p[first] + step * p[second];
                      }});
    }
  }
  return list;
}

/// Fails the item if all the wrong values are those of one known mistake; returns if not.
void recognise(const Reply& reply, const std::vector<Particle>& particles, float dt) {
  const std::size_t n = particles.size();
  const std::span<const float> moved[] = {reply.values<float>(0), reply.values<float>(1),
                                          reply.values<float>(2)};
  const auto near = [](double actual, double value) {
    return std::abs(actual - value) <= 1e-5 * (1 + std::abs(value));
  };
  std::size_t first = 0; // that is wrong
  const auto is_right_at = [&](std::size_t i) {
    return is_right(moved[i / n][i % n], particles[i % n], i / n, dt);
  };
  while (first + 1 < 3 * n && is_right_at(first)) ++first;
  const Particle& p = particles[first % n];
  const std::string axis_name = axes[first / n];
  fail_if_made(
      mistakes_of(particles, dt), 3 * n,
      [&](std::size_t i, double value) { return near(moved[i / n][i % n], value); },
      [&](std::size_t i, double value) { return near(exact(particles[i % n], i / n, dt), value); },
      {say("Particle {number}: {axis} = {position}, v{axis} = {velocity}, dt = {dt} gave {actual}; right is "
           "{right}",
           first % n, axis_name, to_text(position(p, first / n)), to_text(velocity(p, first / n)),
           to_text(dt), to_text(moved[first / n][first % n]),
           to_text(static_cast<float>(exact(p, first / n, dt))))});
  for (std::size_t axis = 0; n > 1 && axis < 3; ++axis) {
    fail_if_made(
        mixed_members(particles, axis, dt), n,
        [&](std::size_t i, double value) { return near(moved[axis][i], value); },
        [&](std::size_t i, double value) { return near(exact(particles[i], axis, dt), value); }, {});
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::optional<LeftOut> left = left_out(
        n, [&](std::size_t i) { return reply.unwritten(axis, i); },
        [&](std::size_t i) { return is_right(moved[axis][i], particles[i], axis, dt); });
    if (!left || left->first + left->count != n) continue;
    fail(is_one_block(*left)
             ? message("block-index-missing/particles", n, left->first)
             : message("tail-skipped/particles", n, left->count == 1, left->count, axes[axis]),
         {say("first one without: {array}[{index}]", std::string(axes[axis]), left->first)});
  }
}

/// Moves `particles` by `dt` and requires positions within the rounding of one product and one sum.
Reply advance_and_check(const std::vector<Particle>& particles, float dt, Schedule schedule) {
  const std::size_t n = particles.size();
  const auto call = [&] {
    return explaining(
        [&] {
          return submission().call(
              CallOptions{.schedule = schedule, .sites = true, .sources = same_element_of(3)},
              CONTRACT(advance_particles), out<float>(n), out<float>(n), out<float>(n), in(particles), n, dt);
        },
        [&](Failure& why) {
          if (!explain_same_element(why)) read_on(why, "A structure is 32 bytes");
        });
  };
  const auto all_right = [&](const Reply& reply) {
    if (n >= typical) require_solved(reply);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::span<const float> moved = reply.values<float>(axis);
      if (!all_hold(n, [&](std::size_t i) { return is_right(moved[i], particles[i], axis, dt); }))
        return false;
    }
    return true;
  };
  return checked(n, call, all_right, [&](const Reply& reply) {
    const auto about = [&](std::size_t axis) {
      return about_wrong(reply, axis, [&, axis, moved = reply.values<float>(axis)](std::size_t i) {
        return is_right(moved[i], particles[i], axis, dt);
      });
    };
    const Rule rules[] = {about(2), about(1), about(0)};
    recognise(reply, particles, dt);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::vector<double> wanted(n);
      for (std::size_t i = 0; i < n; ++i) wanted[i] = exact(particles[i], axis, dt);
      expect_near<float>(reply, axis, wanted,
                         [&](std::size_t i) { return tolerance(particles[i], axis, dt); });
    }
  });
}

/// Steps that cancel the position nearly or wholly, vanish beside it, or drown it.
std::vector<Particle> extreme_particles(std::size_t n, float dt) {
  std::vector<Particle> particles = random_particles(n);
  const float factors[] = {-1, -1 + 0x1p-20F, 0x1p-26F, 0x1p+30F, 0};
  for (std::size_t i = 0; i < n; ++i) {
    const float factor = factors[i % std::size(factors)] / dt;
    particles[i].vx = particles[i].x * factor;
    particles[i].vy = particles[i].y * factor;
    particles[i].vz = particles[i].z * factor;
  }
  return particles;
}

/// A number of particles for counting, whole warps of them, and one call for it or another.
constexpr std::size_t counted_particles = 1 << 12;
Reply counted_call(Schedule schedule, std::size_t n = counted_particles) {
  Reply reply = advance_and_check(random_particles(typical), 0.25F, schedule);
  return advance_and_check(random_particles(n), 0.25F, schedule);
}

} // namespace

TEST_CASE("advance_particles moves every particle by dt times its velocity" * points(3) *
          tests("advance_particles") * todo(4)) {
  const float dt = 0.375F;
  check_and_shrink(typical, sizes(),
                   [&](std::size_t n) { advance_and_check(random_particles(n), dt, schedules().front()); });
  for (const Schedule schedule : schedules()) {
    for (const std::size_t n : sizes(2003)) advance_and_check(random_particles(n), dt, schedule);
  }
  for (const float step : {0.0F, 1.0F, -2.5F, 1e-3F, 1e6F})
    advance_and_check(random_particles(1000), step, schedules().back());
  advance_and_check(std::vector<Particle>(1000, random_particles(1)[0]), dt, schedules().front());
  std::vector<Particle> sorted = random_particles(1000);
  std::ranges::sort(sorted, {}, &Particle::x);
  advance_and_check(sorted, dt, schedules().front());
  advance_and_check(extreme_particles(1000, dt), dt, schedules().front());
  advance_and_check(random_particles(large / 10), dt, schedules().back());
  if (submission().backend() == Backend::cuda)
    advance_and_check(random_particles(real / 8 + 5), dt, schedules().front());
}

TEST_CASE("advance_particles reads a particle in pieces of 16 bytes" * points(2) *
          tests("advance_particles") * todo(4) * sim_only()) {
  constexpr std::size_t n = counted_particles;
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_call(schedule);
    expect_no_atomics(reply, "One thread, one element");
    judge(reply, reading, particles_need(n));
  }
}

TEST_CASE("advance_particles writes 32 neighbouring floats per request" * points(1) *
          tests("advance_particles") * todo(4) * sim_only()) {
  for (const Schedule schedule : schedules())
    judge(counted_call(schedule), writing, positions_need(counted_particles));
  constexpr std::size_t odd = with_odd_end(counted_particles);
  judge(counted_call(schedules().front(), odd), writing,
        with_tail(positions_need(odd), odd, counted_particles, 3 * warps_for(odd)));
}
