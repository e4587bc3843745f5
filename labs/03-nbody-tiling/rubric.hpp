#pragma once
/// What the rubrics of lab 03's tasks share: systems of bodies, Newton's law in double, and how far single
/// precision may be off.

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/grader.hpp"
#include "lab.hpp"

namespace nbody {

using namespace warpbook;

/// What a finding of the simulator has to do with tiles.
inline std::vector<std::string> lesson_of(std::string_view finding) {
  if (finding == "shared-race") return {handout("Two barriers")};
  if (finding == "barrier-divergence" || finding == "deadlock") return {handout("Threads without a body")};
  if (finding == "uninitialised-read") {
    return {
        "Is it a place of the tile? Then nobody fetched a body for it. Places behind the last body need one "
        "that pulls nobody; and threads without a body of their own fetch for the others all the same: they "
        "must not leave before the loop.",
        handout("The last tile") + " and 'Threads without a body'"};
  }
  if (finding == "out-of-bounds") {
    return {
        "Is it the fetch of a tile? Then ask whether the body that the thread fetches exists. To ask that of "
        "the body that it works for does not help here.",
        handout("The last tile")};
  }
  return {};
}

/// Adds the lessons to a failure's details: below each finding, for a student may be shown only the first lines.
inline void add_lessons(Failure& failure) {
  std::vector<std::string> told;
  std::string finding; // whose lines these are
  const auto tell = [&] {
    for (std::string& line : lesson_of(finding)) told.push_back(std::move(line));
    finding.clear();
  };
  constexpr std::string_view begin = "error: ";
  for (std::string& line : failure.details) {
    if (line.starts_with(begin) || line.starts_with("In the call")) tell();
    if (line.starts_with(begin))
      finding = line.substr(begin.size(), line.find(' ', begin.size()) - begin.size());
    told.push_back(std::move(line));
  }
  tell();
  failure.details = std::move(told);
}

/// The reply of `call`, a call of the submission; its failure comes with the lesson's words.
template <typename Call>
Reply with_lesson(const Call& call) {
  try {
    return call();
  } catch (ItemFailed& failed) {
    add_lessons(failed.failure);
    throw;
  }
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
};

/// The term of one pair. Another law than Newton's is what a mistake computes.
using Law = std::function<Vector(const float4& me, const float4& other, double softening)>;

inline Vector newton(const float4& me, const float4& other, double softening) {
  const Vector d{static_cast<double>(other.x) - me.x, static_cast<double>(other.y) - me.y,
                 static_cast<double>(other.z) - me.z};
  const double distance2 = dot(d, d);
  if (distance2 == 0) return {};
  const double r2 = distance2 + softening * softening;
  return (other.w / (r2 * std::sqrt(r2))) * d;
}

template <typename LawOf>
void add(Pull& pull, const LawOf& law, const float4& me, const float4& other, double softening) {
  const Vector term = law(me, other, softening);
  pull.sum += term;
  pull.magnitude += magnitude(term);
}

/// What all bodies do to body i.
inline Pull pull_on(std::size_t i, const Bodies& bodies, double softening) {
  Pull pull;
  for (const float4& other : bodies) add(pull, newton, bodies[i], other, softening);
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

inline bool near(float value, double wanted, double tolerance) {
  return std::abs(static_cast<double>(value) - wanted) <= tolerance;
}
inline bool near(const float4& value, const Vector& wanted, const Vector& tolerance) {
  return near(value.x, wanted.x, tolerance.x) && near(value.y, wanted.y, tolerance.y) &&
         near(value.z, wanted.z, tolerance.z);
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

/// "acc[3].x is 0.5; right is 0.25 within 1e-6"
inline std::string off(const std::string& name, std::size_t i, std::size_t axis, float actual, double wanted,
                       double tolerance) {
  return name + "[" + number(i) + "]." + axes[axis] + " is " + to_text(actual) + "; right is " +
         significant(wanted, 9) + " within " + significant(tolerance);
}

/// Fails the item if one component is wrong for most bodies, and the two others are right for all. `wrong(i, axis)`
/// says whether a component is.
inline void fail_if_one_axis(std::size_t n, const std::function<bool(std::size_t, std::size_t)>& wrong,
                             std::vector<std::string> details) {
  std::size_t count[3] = {};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) count[axis] += wrong(i, axis) ? 1 : 0;
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (2 * count[axis] <= n || count[0] + count[1] + count[2] != count[axis]) continue;
    fail("one-component",
         std::string("Only the component ") + axes[axis] +
             " is wrong; the two others are right for every body. Compare the three lines: is one missing, "
             "or copied and not "
             "changed everywhere?",
         std::move(details));
  }
}

/// Calls accelerations() and requires the right result; grade_1_accelerations.cpp. `n_typical`: the call is at a
/// size at which sums that are all zero mean that the task is still open.
Reply accelerate_and_check(const Bodies& bodies, float softening, Schedule schedule, bool n_typical = false);

} // namespace nbody
