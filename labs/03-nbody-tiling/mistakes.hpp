#pragma once
/// Wrong accelerations whose shape the rubrics of lab 03 know: mistakes about one pair (another law than Newton's) and
/// mistakes about the tiles (bodies missing, or there twice). Pure functions of bodies and numbers.

#include <cfloat>
#include <functional>

#include "rubric.hpp"

namespace nbody {

/// Two bodies as a law sees them: masses, distance, softening.
struct TwoBodies {
  double mine, others;
  Vector d;
  double softening;
  double square = dot(d, d);
  double softened = square + softening * softening;
};
/// The factor of d in the other one's pull. Another law than Newton's is what a mistake computes.
using Law = std::function<double(const TwoBodies&)>;

/// The third power of the root.
inline double cube(double square) { return square * std::sqrt(square); }

/// Mistakes about one pair: another law for all pairs.
inline std::vector<Mistake<Expected>> mistakes_of_law(const Bodies& bodies, double softening) {
  std::vector<Mistake<Expected>> list;
  const auto add = [&](LabMessage says, Law law) {
    const auto pull_of = [softening, law = std::move(law)](const float4& me, const float4& other) {
      const TwoBodies two{me.w, other.w, vector_of(other) - vector_of(me), softening};
      const double factor = two.square == 0 ? 0 : law(two);
      return std::isfinite(factor) ? factor * two.d : Vector{};
    };
    list.push_back({std::move(says), [&bodies, pull_of](std::size_t i) {
                      return sum_of_pulls(bodies.size(), bodies.size(),
                                          [&](std::size_t j) { return pull_of(bodies[i], bodies[j]); });
                    }});
  };
  using Two = const TwoBodies&;
  add(message("pushed-apart"), [](Two t) { return -t.others / cube(t.softened); });
  add(message("own-mass"), [](Two t) { return t.mine / cube(t.softened); });
  add(message("both-masses"), [](Two t) { return t.mine * t.others / cube(t.softened); });
  add(message("mass-forgotten"), [](Two t) { return 1 / cube(t.softened); });
  add(message("mass-cubed"), [](Two t) { return std::pow(t.others, 3) / cube(t.softened); });
  add(message("power-mistaken/second"), [](Two t) { return t.others / t.softened; });
  add(message("power-mistaken/first"), [](Two t) { return t.others / std::sqrt(t.softened); });
  add(message("power-mistaken/sixth"), [](Two t) { return t.others / std::pow(t.softened, 3); });
  for (const int power : {4, 5, 7, 9})
    add(message("power-mistaken/other", power),
        [power](Two t) { return t.others / std::pow(t.softened, power / 2.0); });
  add(message("root-not-reciprocal"), [](Two t) { return t.others * cube(t.softened); });
  for (std::size_t axis = 0; axis < 3; ++axis) {
    add(message("distance-mistaken/axis", std::string("d") + axes[axis]),
        [axis](Two t) { return t.others / cube(t.softened - t.d[axis] * t.d[axis]); });
  }
  add(message("distance-mistaken/mass"),
      [](Two t) { return t.others / cube(t.softened + std::pow(t.others - t.mine, 2)); });
  add(message("coordinate-in-common"),
      [](Two t) { return t.d.x == 0 || t.d.y == 0 || t.d.z == 0 ? 0 : t.others / cube(t.softened); });
  if (softening != 0) {
    const double s = softening, s2 = s * s;
    add(message("softening-not-squared"), [=](Two t) { return t.others / cube(t.square + s); });
    add(message("softening-squared-twice"), [=](Two t) { return t.others / cube(t.square + s2 * s2); });
    const LabMessage misplaced = message("softening-misplaced");
    add(misplaced, [=](Two t) { return t.others / (cube(t.square) + s2); });
    add(misplaced, [=](Two t) { return t.others / (cube(t.square) + s2 * s); });
    add(misplaced, [=](Two t) { return t.others / std::pow(std::sqrt(t.square) + s, 3); });
    add(message("softening-forgotten"), [](Two t) { return t.others / cube(t.square); });
  }
  std::vector<double> constants = {FLT_EPSILON, DBL_EPSILON};
  for (int k = 2; k <= 20; ++k) constants.push_back(std::pow(10.0, -k));
  for (const double c : constants)
    add(message("softening-invented", significant(c, 2)),
        [c](Two t) { return t.others / cube(t.softened + c); });
  return list;
}

/// `=` for `+=`.
inline Mistake<Expected> sum_overwritten(const Bodies& bodies, double softening) {
  return {message("sum-overwritten"), [&bodies, softening](std::size_t i) {
            std::size_t last = bodies.size() - 1;
            const auto returns_early = [&] { // before it comes to the sum
              const Vector d = vector_of(bodies[last]) - vector_of(bodies[i]);
              return dot(d, d) + softening * softening == 0;
            };
            while (last > 0 && returns_early()) --last;
            return sum_of_pulls(1, bodies.size(),
                                [&](std::size_t) { return newton(bodies[i], bodies[last], softening); });
          }};
}

/// Mistakes about tiles of `size` bodies, one fetched by each thread: some bodies missing, or there several times.
inline std::vector<Mistake<Expected>> mistakes_of_tiles(const Bodies& bodies, double softening,
                                                        std::size_t size) {
  const std::size_t n = bodies.size();
  const std::size_t count = (n + size - 1) / size, whole = n / size * size; // tiles, and bodies in whole ones
  const std::size_t last_begins = (count - 1) * size, left = n - whole;
  std::vector<Mistake<Expected>> list;
  // Body j pulls body i times(i, j) times, and no body more often than `most`.
  const auto add = [&](LabMessage says, auto times, std::size_t most = 1) {
    list.push_back({std::move(says), [=, &bodies](std::size_t i) {
                      return sum_of_pulls(n, most * n, [&](std::size_t j) {
                        const auto factor = static_cast<double>(times(i, j));
                        return factor == 0 ? Vector{} : factor * newton(bodies[i], bodies[j], softening);
                      });
                    }});
  };
  using Size = std::size_t;
  add(message("own-tile-only", size), [=](Size i, Size j) { return j / size == i / size; });
  add(message("same-tile-again/own", size), [=](Size i, Size j) { return j / size == i / size ? count : 0; });
  add(message("same-tile-again/first", size), [=](Size, Size j) { return j < size ? count : 0; });
  add(message("last-tile-only", size), [=](Size, Size j) { return j >= last_begins; });
  if (count > 2) // else it is the last one alone
    add(message("first-tile-left-out", size), [=](Size, Size j) { return j >= size; });
  // Where only a last tile that is not full is left out, "last-tile-left-out" says so below.
  const std::size_t ends = left == 0 ? count : count - 1;
  for (std::size_t k = 1; k < ends; ++k)
    add(message("tiles-left-out", k, k * size, n), [=](Size, Size j) { return j < k * size; });
  add(message("fetch-begins-at-own", size), [=](Size i, Size j) { return j / size >= i / size; });
  add(message("own-place-only", size), [=](Size i, Size j) { return j % size == i % size ? size : 0; });
  add(message("own-place-skipped", size), [=](Size i, Size j) { return j % size != i % size; });
  add(
      message("tiles-overlap", size), [=](Size, Size j) { return std::min(j + 1, size); }, size);
  add( // tile t is fetched from body t on
      message("tiles-overlap/number"),
      [=](Size, Size j) {
        const Size first = j < size ? 0 : j - size + 1, last = std::min(j, count - 1);
        return last < first ? Size{0} : last - first + 1;
      },
      size);
  for (std::size_t part = 32; part < size; part *= 2)
    add(message("tile-partly-used", size, part), [=](Size, Size j) { return j % size < part; });
  if (left == 0) return list;
  if (whole != 0) {
    const auto with_old_places = [=](Size j) { // what the last tile's other places still hold
      return j >= whole - size + left && j < whole ? 2 : 1;
    };
    add(message("last-tile-left-out", whole, n), [=](Size, Size j) { return j < whole; });
    add(message("tail-not-padded/old", size), [=](Size, Size j) { return with_old_places(j); });
    add(message("left-the-loop-early", size), [=](Size i, Size j) {
      return i % size < left ? with_old_places(j) : j < whole ? 1 : 0;
    });
  }
  add(message("tail-not-padded/last", size), [=](Size, Size j) { return j + 1 == n ? 1 + size - left : 1; });
  add(message("tail-not-padded/own", size),
      [=](Size i, Size j) { return j / size == i / size && j % size >= left ? 2 : 1; });
  list.push_back({message("tail-not-padded/origin", size), [=, &bodies](std::size_t i) {
                    return sum_of_pulls(n + 1, n, [&](std::size_t j) {
                      return j < n ? newton(bodies[i], bodies[j], softening)
                                   : static_cast<double>(size - left) *
                                         newton(bodies[i], float4{0, 0, 0, 1}, softening);
                    });
                  }});
  return list;
}

/// The factor by which all accelerations differ from the right ones, if it is one and the same, and not 1.
inline std::optional<double> common_factor(std::span<const float4> acc, const std::vector<Expected>& wanted) {
  double product = 0, square = 0;
  for (std::size_t i = 0; i < acc.size(); ++i) {
    product += dot(vector_of(acc[i]), wanted[i].value);
    square += dot(wanted[i].value, wanted[i].value);
  }
  if (square == 0 || product == 0) return {};
  const double factor = product / square;
  if (std::abs(factor - 1) < 0.001) return {};
  for (std::size_t i = 0; i < acc.size(); ++i)
    if (!near(acc[i], {factor * wanted[i].value, 2 * std::abs(factor) * wanted[i].tolerance})) return {};
  return factor;
}

/// Sizes of tiles where no counters tell which there are, the likeliest first.
inline const std::vector<std::size_t> usual_tile_sizes = {128, 64, 256, 32, 512, 1024};

/// Fails the item if the shape of wrong accelerations is known; returns if it is not. `tile_sizes` are those that the
/// tiles may have, the likeliest first; none if there are no tiles. `details` come with the failure.
inline void recognise(std::span<const float4> acc, const Bodies& bodies, float softening,
                      const std::vector<Expected>& wanted, const std::vector<std::size_t>& tile_sizes,
                      const Details& details) {
  const std::size_t n = bodies.size();
  constexpr std::size_t too_few = 4; // many a mistake looks like another one
  if (n <= too_few) return;
  std::vector<Mistake<Expected>> mistakes = mistakes_of_law(bodies, softening);
  // Where a tile is left with one body, this is what a sum does that begins again in each tile; and `=` with tiles gives
  // the pull of the last place, which has no body then.
  if (std::ranges::none_of(tile_sizes, [n](std::size_t size) { return n % size == 1; }))
    mistakes.push_back(sum_overwritten(bodies, softening));
  const auto is = [&](std::size_t i, const Expected& made) {
    return near(acc[i], {made.value, 2 * made.tolerance});
  };
  const auto is_right = [&](std::size_t i, const Expected& made) { return near(made.value, wanted[i]); };
  // Smaller tiles can leave out, or repeat, the same bodies by another mistake: the likeliest size counts.
  for (const std::size_t size : tile_sizes) {
    std::vector<Mistake<Expected>> of_size = mistakes_of_tiles(bodies, softening, size);
    if (mistake_made(of_size, n, is, is_right, Several::first) == nullptr) continue;
    std::ranges::move(of_size, std::back_inserter(mistakes));
    break;
  }
  fail_if_made(mistakes, n, is, is_right, details);
  if (const std::optional<double> factor = common_factor(acc, wanted)) {
    const double whole = std::round(*factor);
    if (*factor > 1.5 && std::abs(*factor - whole) < 0.001) {
      Failure why = failure_of(message("pulls-repeated", significant(whole)), details);
      why.todos = {tile_sizes.empty() ? 1 : 2};
      fail(std::move(why));
    }
    fail(message("constant-factor", significant(*factor)), details);
  }
  fail_if_some_axes(acc, wanted, 1, "One pair", details);
  for (const std::size_t size : tile_sizes) {
    const std::size_t whole = n / size * size;
    std::size_t first = 0;
    while (near(acc[first], wanted[first])) ++first; // one of them is wrong
    if (first == whole && whole != 0) fail(message("last-block-wrong", whole, size, n), details);
  }
  // Right to the three digits of half precision, seen from the largest pull there is.
  const double half_roundoff = 0x1p-11;
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Vector magnitudes = 1 / (error_factor(n) * unit_roundoff) * wanted[i].tolerance; // of all pulls
    if (!near(acc[i], {wanted[i].value, 28 * half_roundoff * magnitudes})) return;
    const Vector error = magnitude(vector_of(acc[i]) - wanted[i].value);
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (magnitudes[axis] > 0) worst = std::max(worst, error[axis] / magnitudes[axis]);
  }
  fail(message("low-precision", significant(worst, 2)), details);
}

} // namespace nbody
