#pragma once
/// What the rubrics of lab 03's tasks share: systems of bodies, Newton's law in double, and how far single
/// precision may be off.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/context.hpp"
#include "grader/contract_text.hpp"
#include "grader/grader.hpp"
#include "lab.hpp"

namespace nbody {

using namespace warpbook;

/// The number of the TODO that is nearest to this line, in it or not.
inline int todo_near(const std::string& text, unsigned line) {
  for (unsigned off = 0; off < line + 1000; ++off) {
    if (const int todo = todo_around(text, line + off); todo != 0) return todo;
    if (const int todo = off < line ? todo_around(text, line - off) : 0; todo != 0) return todo;
  }
  return 0;
}

/// Whether a finding is about the steps of leapfrog_step, and not about accelerations.
inline bool is_in_a_step(const simt::Diagnostic& finding) {
  if (finding.participants.empty()) return false;
  simt::Symbolizer symbolizer;
  const auto source = source_of(finding.participants.front(), symbolizer);
  return source && todo_near(read_text(context().source_path), source->line) >= 3;
}

/// What an access outside of everything has to do with tiles.
inline std::vector<std::string> lesson_of_bounds(const simt::Diagnostic& finding) {
  if (finding.space == simt::Space::shared) {
    if (!finding.outside) return {handout("Tiles")};
    const std::size_t bodies = finding.outside->array_bytes / sizeof(float4);
    if (bodies == 0) {
      return {"An `extern __shared__` array has as many bytes as the launch says, with a third number in the "
              "angle brackets: <<<blocks, threads, bytes>>>. An array with a length in its own brackets "
              "needs none."};
    }
    return {"There is room for " + number(bodies) + (bodies == 1 ? " body" : " bodies") +
                ": the places 0 to " + number(bodies - 1) +
                ". A thread's own place is threadIdx.x, and the inner loop ends before place " +
                number(bodies) + ".",
            handout("Tiles")};
  }
  if (finding.variable == "bodies" && finding.participants.front().access == simt::Access::read &&
      !is_in_a_step(finding)) {
    return {"Is it the fetch of a tile? Then ask whether the body that the thread fetches exists. To ask "
            "that of the body that it works for does not help here.",
            handout("The last tile")};
  }
  return {
      "The last block has threads beyond n: they have no body of their own, and neither read nor write one.",
      handout("Threads without a body")};
}

/// What a finding of the simulator has to do with tiles.
inline std::vector<std::string> lesson_of(const simt::Diagnostic& finding) {
  static const std::map<std::string, std::vector<std::string>> lessons = {
      {"shared-race", {handout("Two barriers")}},
      {"barrier-divergence", {handout("Threads without a body")}},
      {"deadlock", {handout("Threads without a body")}},
      {"uninitialised-read",
       {"Is it a place of the tile? Then nobody fetched a body for it. Places behind the last body need one "
        "that pulls nobody; and threads without a body of their own fetch for the others all the same: they "
        "must not leave before the loop.",
        handout("The last tile") + " and 'Threads without a body'"}},
      {"step-budget",
       {"Does a loop never end, or does it go around too often? The loop over the tiles goes on by a whole "
        "tile each time.",
        handout("Tiles")}},
  };
  if (finding.id == "out-of-bounds") return lesson_of_bounds(finding);
  const auto lesson = lessons.find(finding.id);
  return lesson == lessons.end() ? std::vector<std::string>{} : lesson->second;
}

/// Adds the lessons, each below the first finding that it is about, and the task where the lines that were named tell
/// none: everything but one pair's pull, and the steps of leapfrog_step, is about the loop over the tiles.
inline void teach(Failure& failure) {
  std::vector<std::vector<std::string>> told;
  for (ToldFinding& finding : failure.findings) {
    std::vector<std::string> lesson = lesson_of(finding.finding);
    if (std::ranges::find(told, lesson) != told.end()) continue;
    finding.lessons = lesson;
    told.push_back(std::move(lesson));
  }
  const bool endless = is_about(failure, "step-budget"); // it may be seen anywhere in the loop's body
  const bool had_places = !failure.places.empty();
  if (endless) failure.places.clear();
  const std::string text = read_text(context().source_path);
  const bool is_told = std::ranges::any_of(
      failure.places, [&](const auto& place) { return todo_around(text, place.second) != 0; });
  if (!is_told && (endless || had_places) && !any_finding(failure, is_in_a_step)) point_to(failure, 2);
}

using Bodies = std::vector<float4>;

/// In double: a sum that stands beside sums of floats.
struct Vector {
  double x = 0, y = 0, z = 0;

  double operator[](std::size_t axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
  Vector& operator+=(const Vector& o) {
    x += o.x, y += o.y, z += o.z;
    return *this;
  }
};
inline Vector operator+(Vector a, const Vector& b) { return a += b; }
inline Vector operator*(double s, const Vector& v) { return {s * v.x, s * v.y, s * v.z}; }
inline Vector magnitude(const Vector& v) { return {std::abs(v.x), std::abs(v.y), std::abs(v.z)}; }
inline double dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vector vector_of(const float4& v) { return {v.x, v.y, v.z}; }

constexpr const char* axes = "xyz";
inline float component(const float4& v, std::size_t axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/// u: the relative rounding error of one operation in single precision.
constexpr double unit_roundoff = 0x1p-24;

/// A sum of pulls and the sum of the pulls' magnitudes, component by component: what rounding errors scale with.
struct Pull {
  Vector sum, magnitude;
  std::size_t repeats =
      1; ///< how often a body may pull, if that is a mistake: more terms, and more roundings
};

/// The term of one pair. Another law than Newton's is what a mistake computes.
using Law = std::function<Vector(const float4& me, const float4& other, double softening)>;

inline Vector difference(const float4& me, const float4& other) {
  return {static_cast<double>(other.x) - me.x, static_cast<double>(other.y) - me.y,
          static_cast<double>(other.z) - me.z};
}
inline Vector newton(const float4& me, const float4& other, double softening) {
  const Vector d = difference(me, other);
  const double distance2 = dot(d, d);
  if (distance2 == 0) return {};
  const double r2 = distance2 + softening * softening;
  return (other.w / (r2 * std::sqrt(r2))) * d;
}

inline void add(Pull& pull, const Vector& term) {
  pull.sum += term;
  pull.magnitude += magnitude(term);
}

/// Calls work(i) for all n bodies, several at the same time: each is as much work as there are bodies.
template <typename Work>
void for_each_body(std::size_t n, const Work& work) {
  constexpr std::size_t worth_a_thread = std::size_t{1} << 16; // pairs
  for_each_piece(
      n,
      [&](std::size_t, std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) work(i);
      },
      worth_a_thread / std::max<std::size_t>(n, 1) + 1);
}

/// What all bodies do to body i.
inline Pull pull_on(std::size_t i, const Bodies& bodies, double softening) {
  Pull pull;
  for (const float4& other : bodies) add(pull, newton(bodies[i], other, softening));
  return pull;
}

/// The error that a sum of n terms may have, in units of u times the sum of the terms' magnitudes.
///
/// Of a term: a difference of coordinates has 1 u, its square 3, the sum of four squares (the softening's among
/// them) 6. Its reciprocal square root has half of that and 4 of its own (rsqrtf: 2 ulp), so 7, the third power
/// 21, with three products 24; times the difference, 26. Of the sum: n - 1 additions, in any order (Higham,
/// Accuracy and Stability of Numerical Algorithms, chapter 4). Beyond 257 bodies, where all inputs are random,
/// roundings of either sign add up like a random walk: 16 sqrt(n) is exceeded with a probability below 2 exp(-128)
/// (Higham and Mary, A New Approach to Probabilistic Rounding Error Analysis, 2019). 2 more for what is of
/// second order.
inline double error_factor(std::size_t n) {
  const auto terms = static_cast<double>(std::max<std::size_t>(n, 1));
  return 28 + std::min(terms - 1, 16 * std::sqrt(terms));
}

/// What each component of a sum of n pulls may be off.
inline Vector tolerance(const Pull& pull, std::size_t n) {
  return error_factor(n) * unit_roundoff * pull.magnitude;
}

using warpbook::near;
inline bool near(const Vector& value, const Vector& wanted, const Vector& tolerance) {
  return near(value.x, wanted.x, tolerance.x) && near(value.y, wanted.y, tolerance.y) &&
         near(value.z, wanted.z, tolerance.z);
}
inline bool near(const float4& value, const Vector& wanted, const Vector& tolerance) {
  return near(vector_of(value), wanted, tolerance);
}

/// n bodies in a cube of side 2, no two alike, of a total mass near 1.
inline Bodies random_bodies(std::size_t n) {
  const std::vector<float> values = random_floats(3 * n);
  const std::vector<float> masses = random_floats(n, 0.5F, 1.5F);
  Bodies bodies(n);
  for (std::size_t i = 0; i < n; ++i) {
    bodies[i] = {values[3 * i], values[3 * i + 1], values[3 * i + 2], masses[i] / static_cast<float>(n)};
  }
  return bodies;
}

/// Whether this is the simulator, where work is counted and dear.
inline bool on_sim() { return submission().backend() == Backend::sim; }

/// A value and how far rounding may take it.
struct Expected {
  Vector value, tolerance;
};

/// "acc[3].x is 0.5; right is 0.25 within 1e-6"
inline std::string off(const std::string& name, std::size_t i, std::size_t axis, float actual, double wanted,
                       double tolerance) {
  return name + "[" + number(i) + "]." + axes[axis] + " is " + to_text(actual) + "; right is " +
         significant(wanted, 9) + " within " + significant(tolerance);
}

/// The first body that is not as it should be, and its first such component in words.
struct Off {
  std::size_t body;
  std::string text;
};
template <typename Wanted>
std::optional<Off> first_off(const std::string& name, std::span<const float4> actual, const Wanted& wanted) {
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const Expected it = wanted(i);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float value = component(actual[i], axis);
      if (!near(value, it.value[axis], it.tolerance[axis]))
        return Off{i, off(name, i, axis, value, it.value[axis], it.tolerance[axis])};
    }
  }
  return {};
}

/// Fails the item, in TODO(task), if one or two components are wrong for most bodies, and the others are right for all.
/// `wrong(i, axis)` says whether a component is.
inline void fail_if_some_axes(std::size_t n, const std::function<bool(std::size_t, std::size_t)>& wrong,
                              int task, std::vector<std::string> details) {
  std::string bad, good;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < n; ++i) count += wrong(i, axis) ? 1 : 0;
    if (count == 0)
      good += axes[axis];
    else if (2 * count > n)
      bad += axes[axis];
  }
  if (good.empty() || bad.empty() || good.size() + bad.size() != 3) return;
  const std::string which =
      bad.size() == 1
          ? "Only the component " + bad + " is wrong; the two others are right"
          : std::string("The components ") + bad[0] + " and " + bad[1] + " are wrong; " + good + " is right";
  fail_at(
      {task}, "one-component",
      which +
          " for every body. Compare the three lines: is one missing, or copied and not changed everywhere?",
      std::move(details));
}

/// What the kernels that use shared memory launched; the others (padding, adding up) do not count here.
struct Launched {
  std::size_t blocks = 0;
  std::size_t threads = 0;
  std::size_t shared_bodies = 0;     ///< that fit into a block's shared memory, in the smallest such kernel
  std::size_t threads_per_block = 0; ///< of the last such kernel
};

inline Launched launched(const Reply& reply) {
  Launched sum;
  for (const simt::KernelRecord& kernel : reply.kernels()) {
    if (kernel.shared_bytes == 0) continue;
    const std::size_t blocks = volume(kernel.grid);
    sum.threads_per_block = volume(kernel.block);
    sum.blocks += blocks;
    sum.threads += blocks * sum.threads_per_block;
    const std::size_t bodies = kernel.shared_bytes / sizeof(float4);
    sum.shared_bodies = sum.shared_bodies == 0 ? bodies : std::min(sum.shared_bodies, bodies);
  }
  return sum;
}

/// Calls accelerations() and requires the right result; grade_1_accelerations.cpp. `n_typical`: the call is at a
/// size at which sums that are all zero mean that the task is still open.
Reply accelerate_and_check(const Bodies& bodies, float softening, Schedule schedule, bool n_typical = false);

} // namespace nbody
