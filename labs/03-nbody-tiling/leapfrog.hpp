#pragma once
/// One step of the leapfrog method as a rubric sees it: what it should make of every body, and what a wrong one tells.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "rubric.hpp"

namespace nbody {

/// The fourth components of velocities and accelerations hold numbers of their own: a step must not change the former, and the
/// latter are not masses.
inline State random_state(std::size_t n, float softening) {
  State state{random_bodies(n), random_bodies(n), Bodies(n)};
  const std::vector<Expected> right = right_accelerations(state.bodies, softening);
  for (std::size_t i = 0; i < n; ++i) {
    state.acc[i] = float4_of(right[i].value, 0);
    state.velocities[i].w = 77.0F + static_cast<float>(i % 3);
  }
  return state;
}

/// x + s * y in single precision, where x and y may already be off: two roundings, or one if fused.
inline Expected advanced(const Expected& x, double s, const Expected& y) {
  const Vector product = magnitude(s * y.value);
  return {x.value + s * y.value, x.tolerance + std::abs(s) * y.tolerance +
                                     4 * unit_roundoff * (magnitude(x.value) + 2 * product) +
                                     Vector{1e-37, 1e-37, 1e-37}};
}

inline Expected exact(const float4& v) { return {vector_of(v), {}}; }

inline bool same(const Bodies& a, const Bodies& b) {
  return std::ranges::equal(a, b, [](const float4& x, const float4& y) {
    return x.x == y.x && x.y == y.y && x.z == y.z && x.w == y.w;
  });
}

/// One call of leapfrog_step: what it began with, what it has left, and what it should have. The second half of the kick
/// follows from the positions that the submission itself has reached, `moved`: each half is judged for itself.
struct Step {
  Step(const State& was, float time, float length, const Reply& from, const State& left)
      : before(was), dt(time), softening(length), reply(from), after(left), moved(left.bodies) {
    for (std::size_t i = 0; i < size(); ++i) moved[i].w = before.bodies[i].w;
    wanted.acc = right_accelerations(moved, softening);
    for (std::size_t i = 0; i < size(); ++i) {
      const Expected half_kicked = kicked(i, dt / 2);
      wanted.half_kicked.push_back(half_kicked);
      wanted.positions.push_back(advanced(exact(before.bodies[i]), dt, half_kicked));
      wanted.velocities.push_back(advanced(half_kicked, dt / 2, wanted.acc[i]));
    }
  }

  State before;
  float dt, softening;
  Reply reply;
  State after;
  Bodies moved; ///< with the masses that they had: a step that loses masses is no measure
  struct {
    std::vector<Expected> half_kicked, positions, acc, velocities;
  } wanted;

  std::size_t size() const { return before.bodies.size(); }
  /// The velocity that body i had, with a kick by the accelerations that the step was given.
  Expected kicked(std::size_t i, double by) const {
    return advanced(exact(before.velocities[i]), by, exact(before.acc[i]));
  }
  bool has_right_positions() const { return all_near(after.bodies, wanted.positions); }
  bool has_right_accelerations() const { return all_near(after.acc, wanted.acc); }
  bool moved_with_old_velocities() const {
    return all_hold(size(), [&](std::size_t i) {
      return near(after.bodies[i], advanced(exact(before.bodies[i]), dt, exact(before.velocities[i])));
    });
  }
  /// Whether TODO(3) wrote more than the bodies have bytes: velocities, too. Not known on a GPU.
  bool first_task_wrote_velocities() const { return bytes_written_in(reply, 3) > size() * sizeof(float4); }
  bool second_task_wrote() const { return bytes_written_in(reply, 4) != 0; }
  /// Whether TODO(4) surely is still open: the last kernel wrote nothing.
  bool second_task_wrote_nothing() const {
    const std::vector<simt::KernelRecord>& kernels = reply.kernels();
    return !kernels.empty() && kernels.back().counters.global_store_bytes == 0;
  }
  /// Whether velocity i does not hold the first half of the kick. A step's velocities are seen only after its end:
  /// whatever else they hold by then, of the second half nothing, half or all of a kick with the new accelerations, the
  /// first half must be in them.
  bool lacks_first_kick(std::size_t i) const {
    const float4& v = after.velocities[i];
    if (near(v, wanted.half_kicked[i]) || near(v, wanted.velocities[i])) return false;
    return std::ranges::any_of(std::array{0.0F, dt / 2, dt}, [&](double by) {
      return near(v, advanced(exact(before.velocities[i]), by, wanted.acc[i]));
    });
  }
  /// The first velocity that lacks the second half of the kick, if all velocities have got the first half and nothing
  /// else: TODO(4) is still open. Nothing if no body pulls another.
  std::optional<Off> second_kick_open() const {
    if (!all_near(after.velocities, wanted.half_kicked)) return {};
    return first_off("velocities", after.velocities, wanted.velocities);
  }
};

/// Of leapfrog_step's buffers: a body moves by what is its own, all bodies pull on it.
inline Sources sources_of_step(std::size_t n) {
  return [n](BufferElement e) {
    enum { bodies, velocities, accelerations };
    std::vector<BufferElement> elements = e.buffer == bodies ? std::vector{e} : all_of({bodies}, n)(e);
    if (e.buffer != accelerations)
      elements.insert(elements.end(), {{velocities, e.index}, {accelerations, e.index}});
    return elements;
  };
}

inline Step take_step(const State& before, float dt, float softening, Schedule schedule) {
  const std::size_t n = before.bodies.size();
  const Reply reply = changing(
      [&] {
        return submission().call(
            CallOptions{.schedule = schedule, .sites = true, .sources = sources_of_step(n)},
            CONTRACT(leapfrog_step), inout(before.bodies), inout(before.velocities), inout(before.acc), n, dt,
            softening);
      },
      teach);
  return Step(before, dt, softening, reply, state_of(reply));
}

/// Mistakes of the first half of the kick, and of the drift.
inline std::vector<Mistake<Expected>> mistakes_of_positions(const Step& s) {
  const double dt = s.dt;
  const auto drifted = [&s](auto velocity, double by) {
    return [&s, velocity, by](std::size_t i) { return advanced(exact(s.before.bodies[i]), by, velocity(i)); };
  };
  const auto kicked = [&s](double by) { return [&s, by](std::size_t i) { return s.kicked(i, by); }; };
  const auto unkicked = [&s](std::size_t i) { return exact(s.before.velocities[i]); };
  const auto from_rest = [&s, dt](std::size_t i) { // a kick that takes the place of the velocity
    return advanced(Expected{}, dt / 2, exact(s.before.acc[i]));
  };
  const bool is_lost = all_hold(s.size(), [&](std::size_t i) { return s.lacks_first_kick(i); });
  return {
      {is_lost && s.first_task_wrote_velocities() ? message("kick-is-zero/first")
                                                  : message("drift-before-kick", is_lost),
       drifted(unkicked, dt)},
      {message("whole-kick/drift"), drifted(kicked(dt), dt)},
      {message("half-drift"), drifted(kicked(dt / 2), dt / 2)},
      {message("kick-reversed/first"), drifted(kicked(-dt / 2), dt)},
      {message("drift-reversed"), drifted(kicked(dt / 2), -dt)},
      {message("velocity-overwritten/first"), drifted(from_rest, dt)},
      {message("position-overwritten"),
       [&s, dt](std::size_t i) { return advanced(Expected{}, dt, s.kicked(i, dt / 2)); }},
      {message("time-step-forgotten"), drifted(kicked(dt / 2), 1)},
  };
}

/// Mistakes of the second half of the kick.
inline std::vector<Mistake<Expected>> mistakes_of_velocities(const Step& s) {
  const double dt = s.dt;
  const auto half_kicked = [&s](std::size_t i) { return s.wanted.half_kicked[i]; };
  const auto unkicked = [&s](std::size_t i) { return exact(s.before.velocities[i]); };
  const auto at_rest = [](std::size_t) { return Expected{}; };
  const auto kicked = [&s](auto velocity, double by) { // with the new accelerations
    return [&s, velocity, by](std::size_t i) { return advanced(velocity(i), by, s.wanted.acc[i]); };
  };
  const bool moved_with_whole_kick = all_hold(s.size(), [&](std::size_t i) {
    return near(s.after.bodies[i], advanced(exact(s.before.bodies[i]), dt, s.kicked(i, dt)));
  });
  return {
      {moved_with_whole_kick ? message("whole-kick/old") : message("stale-accelerations/kick"),
       [&s, half_kicked, dt](std::size_t i) {
         return advanced(half_kicked(i), dt / 2, exact(s.before.acc[i]));
       }},
      {!s.moved_with_old_velocities()    ? message("first-kick-missing/velocities")
       : s.first_task_wrote_velocities() ? message("kick-is-zero/first")
                                         : message("first-kick-missing/nowhere"),
       kicked(unkicked, dt / 2)},
      {message("whole-kick/second"), kicked(half_kicked, dt)},
      {message("kick-reversed/second"), kicked(half_kicked, -dt / 2)},
      {message("velocity-overwritten/second"), kicked(at_rest, dt / 2)},
  };
}

/// Failures while it exists are about the elements that a step has left wrong: positions first, from which the rest follows.
struct AboutStep {
  explicit AboutStep(const Step& s)
      : velocities(about(s, 1, s.after.velocities, s.wanted.velocities)),
        acc(about(s, 2, s.after.acc, s.wanted.acc)),
        positions(about(s, 0, s.after.bodies, s.wanted.positions)) {}
  static Rule about(const Step& s, std::size_t k, const Bodies& actual, const std::vector<Expected>& wanted) {
    return about_wrong(s.reply, k, [&](std::size_t i) { return near(actual[i], wanted[i]); });
  }
  Rule velocities, acc, positions;
};

/// Fails if any body of the k-th buffer is not as wanted; tells first which of the mistakes it is.
inline void expect_all(const Step& s, std::size_t k, const char* name, const Bodies& actual,
                       const std::vector<Expected>& wanted, const std::vector<Mistake<Expected>>& mistakes) {
  const std::optional<Off> off = first_off(name, actual, wanted);
  if (!off) return;
  const Rule about_it = AboutStep::about(s, k, actual, wanted);
  const std::size_t n = actual.size();
  const Details details = {off->text + ".", s.reply.in_call()};
  fail_if_made(
      mistakes, n, [&](std::size_t i, const Expected& made) { return near(actual[i], made); },
      [&](std::size_t i, const Expected& made) { return near(made.value, wanted[i]); }, details);
  if (n > 2) fail_if_some_axes(actual, wanted, current_item().todo, "Leapfrog", details);
  if (off->body >= n / 32 * 32 && n > 32)
    fail(message("tail-skipped", off->body, n, off->text), {s.reply.in_call()});
  fail(message("wrong-result/step", off->text), {s.reply.in_call()});
}

/// Fails the item if a step that changed nothing here moves other bodies: then it is not open, but leaves this call out.
inline void expect_not_left_out(const Step& s) {
  bool moves = false;
  failure_in([&] {
    const Step other = take_step(random_state(257, 0.1F), 0.125F, 0.1F, schedules().front());
    moves = !same(other.after.bodies, other.before.bodies);
  });
  if (!moves) return;
  fail(message("step-left-out", s.size(), to_text(s.dt), s.dt < 0, s.size() == 1), {s.reply.in_call()});
}

/// Fails the item if positions or velocities are what they were: TODO(3) or TODO(4) is still open.
inline void expect_moved(const Step& s) {
  const bool moved = !same(s.after.bodies, s.before.bodies), is_third = current_item().todo == 3;
  const bool kicked = !same(s.after.velocities, s.before.velocities);
  if (!is_third && kicked && !moved && !is_begun(3))
    fail(message("unsolved/positions-first"), {s.reply.in_call()});
  if (is_third ? moved : kicked) return;
  if (moved && s.second_task_wrote()) fail(message("kick-is-zero/both"), {s.reply.in_call()});
  if (moved) {
    Failure why = failure_of(message("unsolved/velocities", is_begun(4)), {s.reply.in_call()});
    why.diagnoses.push_back("first-kick-missing");
    fail(std::move(why));
  }
  expect_not_left_out(s);
  fail(is_third ? message("unsolved/positions", is_begun(3)) : message("unsolved/step", is_begun(3)),
       {s.reply.in_call()});
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
  fail(message("first-kick-missing/not-kept"),
       {say("{lost} of {all} velocities; velocities[{first}] was {before}, after half a kick it is {kicked}, "
            "and the step "
            "left {after}.",
            lost, s.size(), first, text(vector_of(s.before.velocities[first])),
            text(s.wanted.half_kicked[first].value), text(vector_of(s.after.velocities[first]))),
        s.reply.in_call()});
}

/// Fails the item with says(i, was, is) if a step has changed a fourth component.
template <typename Says>
void expect_fourth_kept(const Step& s, Bodies State::*bodies, const Says& says) {
  for (std::size_t i = 0; i < s.size(); ++i) {
    const float was = (s.before.*bodies)[i].w, is = (s.after.*bodies)[i].w;
    if (is != was) fail(says(i, to_text(was), to_text(is)), {s.reply.in_call()});
  }
}
/// Velocities' fourth components are not the step's business.
inline void expect_fourth(const Step& s) {
  const bool is_last_task = current_item().todo == 4;
  expect_fourth_kept(s, &State::velocities,
                     [&](std::size_t i, const std::string& was, const std::string& is) {
                       return message("fourth-component/velocity", i, was, is, is_last_task);
                     });
}
/// Masses are not the step's business, and all that follows from them is wrong once they are lost.
inline void expect_masses(const Step& s) {
  expect_fourth_kept(s, &State::bodies, [](std::size_t i, const std::string& was, const std::string& is) {
    return message("mass-changed", i, was, is);
  });
}

inline void expect_second_kick(const Step& s) {
  if (const std::optional<Off> first = s.second_kick_open())
    fail(s.second_task_wrote() ? message("kick-is-zero/second")
                               : message("second-kick-missing", s.second_task_wrote_nothing()),
         {first->text + ".", s.reply.in_call()});
}

} // namespace nbody
