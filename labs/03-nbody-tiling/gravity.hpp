#pragma once
/// Bodies and Newton's law in double, and how far single precision may be off: what lab 03's rubric and its bench share.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "call/generate.hpp"
#include "call/parallel.hpp"
#include "grader/compare.hpp"
#include "lab.hpp"

namespace nbody {

using namespace warpbook;
using warpbook::near;

using Bodies = std::vector<float4>;

/// Bodies, their velocities, and the accelerations at their positions.
struct State {
  Bodies bodies, velocities, acc;
};

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
inline Vector operator-(const Vector& a, const Vector& b) { return a + -1.0 * b; }
inline Vector magnitude(const Vector& v) { return {std::abs(v.x), std::abs(v.y), std::abs(v.z)}; }
inline double dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vector vector_of(const float4& v) { return {v.x, v.y, v.z}; }

constexpr const char* axes = "xyz";
inline float component(const float4& v, std::size_t axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
inline float as_float(double value) { return static_cast<float>(value); }
inline float4 float4_of(const Vector& v, double w) {
  return {as_float(v.x), as_float(v.y), as_float(v.z), as_float(w)};
}

constexpr Distribution unit_cube = uniform(0, 1); ///< of positions and masses
/// n bodies as a runner generates them from `seed`.
inline Bodies generated_bodies(std::size_t n, std::uint64_t seed) {
  const auto value = [=](std::size_t k) { return generated_element<float>(unit_cube, seed, k); };
  Bodies bodies(n);
  for (std::size_t i = 0; i < n; ++i)
    bodies[i] = {value(4 * i), value(4 * i + 1), value(4 * i + 2), value(4 * i + 3)};
  return bodies;
}

/// What a step has left in its three buffers.
inline State state_of(const Reply& reply) {
  const auto left = [&](std::size_t k) {
    const std::span<const float4> values = reply.values<float4>(k);
    return Bodies(values.begin(), values.end());
  };
  return {left(0), left(1), left(2)};
}

/// A value and how far rounding may take it.
struct Expected {
  Vector value, tolerance;
};
inline bool near(const Vector& v, const Expected& wanted) {
  return near(v.x, wanted.value.x, wanted.tolerance.x) && near(v.y, wanted.value.y, wanted.tolerance.y) &&
         near(v.z, wanted.value.z, wanted.tolerance.z);
}
inline bool near(const float4& v, const Expected& wanted) { return near(vector_of(v), wanted); }

/// The first body that is not as it should be, and its first such component in words: "acc[3].x is 0.5; right is 0.25
/// within 1e-6". Of samples, `places` are the bodies' numbers.
struct Off {
  std::size_t body;
  std::string text;
};
inline std::optional<Off> first_off(const std::string& name, std::span<const float4> actual,
                                    const std::vector<Expected>& wanted,
                                    const std::vector<std::size_t>& places = {}) {
  for (std::size_t i = 0; i < actual.size(); ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float value = component(actual[i], axis);
      const double right = wanted[i].value[axis], tolerance = wanted[i].tolerance[axis];
      if (near(value, right, tolerance)) continue;
      const std::size_t body = places.empty() ? i : places[i];
      return Off{body, say("{component} is {actual}; right is {right} within {tolerance}",
                           name + "[" + number(body) + "]." + axes[axis], to_text(value),
                           significant(right, 9), significant(tolerance))};
    }
  }
  return {};
}
inline bool all_near(std::span<const float4> actual, const std::vector<Expected>& wanted) {
  return all_hold(actual.size(), [&](std::size_t i) { return near(actual[i], wanted[i]); });
}

/// What a body of this mass does to another one, from which it is this far.
inline Vector pull(const Vector& distance, double mass, double softening) {
  const double square = dot(distance, distance), r2 = square + softening * softening;
  return square == 0 ? Vector{} : mass / (r2 * std::sqrt(r2)) * distance;
}
inline Vector newton(const float4& me, const float4& other, double softening) {
  return pull(vector_of(other) - vector_of(me), other.w, softening);
}

/// u: the relative rounding error of one operation in single precision.
constexpr double unit_roundoff = 0x1p-24;

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

/// The sum of pull_of(j) for all j below n, with the roundings of so many `terms`.
template <typename PullOf>
Expected sum_of_pulls(std::size_t n, std::size_t terms, const PullOf& pull_of) {
  Vector sum, magnitudes;
  for (std::size_t j = 0; j < n; ++j) {
    const Vector term = pull_of(j);
    sum += term;
    magnitudes += magnitude(term);
  }
  return {sum, error_factor(terms) * unit_roundoff * magnitudes};
}

/// Calls work(i) for all i below `count`, several at the same time: each is as much work as there are bodies.
template <typename Work>
void for_each_body(std::size_t count, std::size_t bodies, const Work& work) {
  constexpr std::size_t worth_a_thread = std::size_t{1} << 16; // pairs
  for_each_piece(
      count,
      [&](std::size_t, std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) work(i);
      },
      worth_a_thread / std::max<std::size_t>(bodies, 1) + 1);
}

/// What all bodies do to each of them; to those with these numbers if there are any.
inline std::vector<Expected> right_accelerations(const Bodies& bodies, double softening,
                                                 const std::vector<std::size_t>& places = {}) {
  const std::size_t n = bodies.size();
  std::vector<Expected> right(places.empty() ? n : places.size());
  for_each_body(right.size(), n, [&](std::size_t k) {
    const float4& me = bodies[places.empty() ? k : places[k]];
    right[k] = sum_of_pulls(n, n, [&](std::size_t j) { return newton(me, bodies[j], softening); });
  });
  return right;
}
/// The first of the accelerations in a reply, all or samples, that is wrong.
inline std::optional<Off> first_off(const Reply& reply, const Bodies& bodies, double softening) {
  const std::vector<std::size_t>& places = reply.indices(0);
  return first_off("acc", reply.values<float4>(0), right_accelerations(bodies, softening, places), places);
}

/// A body in double, as far as its motion is concerned.
struct ExactBody {
  Vector position, velocity;
  double mass;
};
inline std::vector<ExactBody> exact_bodies(const State& state) {
  std::vector<ExactBody> bodies;
  for (std::size_t i = 0; i < state.bodies.size(); ++i)
    bodies.push_back({vector_of(state.bodies[i]), vector_of(state.velocities[i]), state.bodies[i].w});
  return bodies;
}

/// Kinetic and potential energy together; the potential is that of softened gravity.
inline double energy(const std::vector<ExactBody>& bodies, double softening) {
  std::vector<double> parts(bodies.size());
  for_each_body(bodies.size(), bodies.size(), [&](std::size_t i) {
    const ExactBody& me = bodies[i];
    double sum = dot(me.velocity, me.velocity) / 2;
    for (std::size_t j = 0; j < i; ++j) {
      const Vector d = bodies[j].position - me.position;
      sum -= bodies[j].mass / std::sqrt(dot(d, d) + softening * softening);
    }
    parts[i] = me.mass * sum;
  });
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

} // namespace nbody
