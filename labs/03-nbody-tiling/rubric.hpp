#pragma once
/// What the rubrics of lab 03's tasks share: systems of bodies, Newton's law in double, and how far single
/// precision may be off.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/grader.hpp"
#include "lab.hpp"

namespace nbody {

using namespace warpbook;

inline std::string number(std::size_t value) { return std::to_string(value); }

inline std::string rounded(double value, const char* format = "%.3g") {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

inline std::string handout(const std::string& section) { return "Handout: '" + section + "'"; }

/// Adds to what the simulator says of a call what it has to do with tiles: below its first finding, and above those
/// that follow, of which a student may be shown only a part.
inline void add_lesson(Failure& failure) {
  const auto is = [&failure](const char* id) { return failure.diagnoses.front() == id; };
  std::vector<std::string> lesson;
  if (is("shared-race")) {
    lesson = {handout("Two barriers")};
  } else if (is("barrier-divergence") || is("deadlock")) {
    lesson = {handout("Threads without a body")};
  } else if (is("uninitialised-read")) {
    lesson = {"Is it a place of the tile? Then nobody fetched a body for it. Places behind the last body "
              "need one that pulls nobody; and threads without a body of their own fetch for the others "
              "all the same: they must not leave before the loop.",
              handout("The last tile") + " and 'Threads without a body'"};
  } else if (is("out-of-bounds")) {
    lesson = {
        "Is it the fetch of a tile? Then ask whether the body that the thread fetches exists. The body that "
        "it works for is another one: to test that one does not help here.",
        handout("The last tile")};
  }
  std::vector<std::string>& details = failure.details;
  auto place = details.begin() + (details.empty() ? 0 : 1);
  place = std::find_if(place, details.end(), [](const std::string& s) { return s.starts_with("error: "); });
  details.insert(place, lesson.begin(), lesson.end());
}

/// The reply of `call`, a call of the submission; its failure comes with the lesson's words.
template <typename Call>
Reply with_lesson(const Call& call) {
  try {
    return call();
  } catch (ItemFailed& failed) {
    add_lesson(failed.failure);
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
         rounded(wanted, "%.9g") + " within " + rounded(tolerance);
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
