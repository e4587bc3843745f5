#pragma once
/// Wrong accelerations whose shape the rubrics of lab 03 know: mistakes about one pair (another law than Newton's) and
/// mistakes about the tiles (bodies missing, or there twice). Pure functions of bodies and numbers.

#include <cfloat>

#include "rubric.hpp"

namespace nbody {

/// mass * d / cube(squared distance, softening).
using Cube = std::function<double(double distance2, double softening)>;
inline Law with_cube(Cube cube) {
  return [cube = std::move(cube)](const float4& me, const float4& other, double softening) -> Vector {
    const Vector d = difference(me, other);
    if (dot(d, d) == 0) return {};
    return other.w / cube(dot(d, d), softening) * d;
  };
}

/// Newton's law with another power of the softened squared distance.
inline Law with_power(double exponent) {
  return with_cube([exponent](double d2, double s) { return std::pow(d2 + s * s, exponent); });
}

/// Newton's law with another mass.
inline Law with_mass(std::function<double(double mine, double others)> mass) {
  return [mass = std::move(mass)](const float4& me, const float4& other, double softening) {
    float4 unit = other;
    unit.w = 1;
    return mass(me.w, other.w) * newton(me, unit, softening);
  };
}

/// Newton's law where `added` changes the squared distance.
inline Law
with_distance(std::function<double(const float4& me, const float4& other, const Vector& d)> added) {
  return [added = std::move(added)](const float4& me, const float4& other, double softening) -> Vector {
    const Vector d = difference(me, other);
    const double r2 = dot(d, d) + added(me, other, d) + softening * softening;
    return r2 <= 0 ? Vector{} : other.w / (r2 * std::sqrt(r2)) * d;
  };
}

constexpr const char* pair_section = "One pair";
constexpr const char* softening_section = "Softening";
constexpr const char* tile_section = "Tiles";
constexpr const char* last_tile_section = "The last tile";

/// Mistakes about one pair: another law for all pairs.
inline std::vector<Mistake<Pull>> mistakes_of_law(const Bodies& bodies, double softening) {
  std::vector<Mistake<Pull>> list;
  const auto tell = [&](const char* id, std::string sentence, const char* section, Law law) {
    list.push_back({id,
                    std::move(sentence),
                    [&bodies, softening, law = std::move(law)](std::size_t i) {
                      Pull pull;
                      for (const float4& other : bodies) add(pull, law(bodies[i], other, softening));
                      return pull;
                    },
                    section,
                    {1}});
  };
  tell("pushed-apart",
       "Every acceleration points the wrong way: bodies pull each other, and d is the other's position minus "
       "mine.",
       pair_section, with_mass([](double, double other) { return -other; }));
  tell("own-mass", "Every pull is multiplied by the wrong mass: it is the other body's that pulls.",
       pair_section, with_mass([](double mine, double) { return mine; }));
  tell("both-masses",
       "Every pull is multiplied by both masses: that is the force. The acceleration of a body does not "
       "depend on its own mass; only the other body's counts.",
       pair_section, with_mass([](double mine, double other) { return mine * other; }));
  tell("mass-forgotten",
       "The pulls do not know how heavy the other body is: its mass is the fourth component, w.",
       pair_section, with_mass([](double, double) { return 1; }));
  tell("mass-cubed",
       "The pulls grow with the third power of the other body's mass. Only the reciprocal root is to be "
       "cubed; the mass is one more factor.",
       pair_section, with_mass([](double, double other) { return other * other * other; }));
  tell("power-mistaken",
       "The pulls fall with the wrong power of the distance: d / r^2 was computed. The force falls with r^2, "
       "and d, which gives it its direction, has the length r itself: so d / r^3.",
       pair_section, with_power(1));
  tell("power-mistaken",
       "The pulls fall with the wrong power of the distance: d / r was computed, a direction without a "
       "strength. It is d / r^3.",
       pair_section, with_power(0.5));
  tell("power-mistaken",
       "The pulls fall with the wrong power of the distance: d / r^6 was computed. The reciprocal root is "
       "already that of the squared distance; its third power is 1 / r^3.",
       pair_section, with_power(3));
  tell("root-not-reciprocal",
       "The pulls grow with the distance: they were multiplied by the root's third power, where its "
       "reciprocal is wanted: rsqrtf(x) is 1 / sqrtf(x).",
       pair_section, with_power(-1.5));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string name = std::string("d") + axes[axis];
    tell("distance-mistaken",
         "The squared distance lacks " + name + " * " + name +
             ": it is the sum of three squares, and the softening's.",
         pair_section,
         with_distance([axis](const float4&, const float4&, const Vector& d) { return -d[axis] * d[axis]; }));
  }
  tell("distance-mistaken",
       "The masses' difference went into the distance, as if mass were a fourth coordinate. |d|^2 has three "
       "squares: w is no coordinate.",
       pair_section, with_distance([](const float4& me, const float4& other, const Vector&) {
         const double dw = static_cast<double>(other.w) - me.w;
         return dw * dw;
       }));
  tell("coordinate-in-common",
       "Pairs that have one coordinate in common do not pull each other. Only where the sum under the root "
       "is 0 is there nothing to add.",
       softening_section, [](const float4& me, const float4& other, double s) -> Vector {
         const Vector d = difference(me, other);
         return d.x == 0 || d.y == 0 || d.z == 0 ? Vector{} : newton(me, other, s);
       });
  if (softening != 0) {
    tell("softening-not-squared",
         "The softening was added as it is. It is a length, and what it is added to is a square: softening * "
         "softening.",
         softening_section,
         [](const float4& me, const float4& other, double s) { return newton(me, other, std::sqrt(s)); });
    tell("softening-squared-twice",
         "The softening was squared twice: the parameter softening2 is softening * softening already.",
         softening_section,
         [](const float4& me, const float4& other, double s) { return newton(me, other, s * s); });
    const char* const misplaced =
        "The softening was added in the wrong place: it belongs under the root, |d|^2 + softening^2, before "
        "the root is taken and before anything is cubed.";
    tell("softening-misplaced", misplaced, softening_section,
         with_cube([](double d2, double s) { return d2 * std::sqrt(d2) + s * s; }));
    tell("softening-misplaced", misplaced, softening_section,
         with_cube([](double d2, double s) { return d2 * std::sqrt(d2) + s * s * s; }));
    tell("softening-misplaced", misplaced, softening_section,
         with_cube([](double d2, double s) { return std::pow(std::sqrt(d2) + s, 3); }));
    tell("softening-forgotten", "The pulls are those without softening: its square belongs under the root.",
         softening_section,
         [](const float4& me, const float4& other, double) { return newton(me, other, 0); });
  }
  std::vector<double> constants = {FLT_EPSILON, DBL_EPSILON};
  for (int k = 2; k <= 20; ++k) constants.push_back(std::pow(10.0, -k));
  for (const double c : constants) {
    tell("softening-invented",
         "Something was added to the squared distances that is not the softening: about " +
             significant(c, 2) +
             ". It changes the pulls of close bodies. To keep the body itself from dividing by 0, skip the "
             "pair where the sum under the root is 0, by a test.",
         softening_section, with_distance([c](const float4&, const float4&, const Vector&) { return c; }));
  }
  return list;
}

/// `=` for `+=`.
inline Mistake<Pull> sum_overwritten(const Bodies& bodies, double softening) {
  return {"sum-overwritten",
          "Only the last body pulls: every pull takes the place of the sum, where it should be added to it. "
          "Is it `=` or `+=`?",
          [&bodies, softening](std::size_t i) {
            Pull pull;
            for (std::size_t j = bodies.size(); j-- > 0;) {
              const Vector d = difference(bodies[i], bodies[j]);
              if (dot(d, d) + softening * softening == 0) continue; // returns before it comes to the sum
              add(pull, newton(bodies[i], bodies[j], softening));
              break;
            }
            return pull;
          },
          pair_section,
          {1}};
}

/// Mistakes about tiles of `size` bodies, one fetched by each thread: some bodies missing, or there several times.
inline std::vector<Mistake<Pull>> mistakes_of_tiles(const Bodies& bodies, double softening,
                                                    std::size_t size) {
  const std::size_t n = bodies.size();
  const std::size_t count = (n + size - 1) / size, whole = n / size * size; // tiles, and bodies in whole ones
  const std::size_t last_begins = (count - 1) * size, left = n - whole;
  const std::string tiles = " (tiles of " + number(size) + " bodies)";
  std::vector<Mistake<Pull>> list;
  // Body j pulls body i times(i, j) times, and no body more often than `most`.
  const auto tell = [&](const char* id, std::string sentence, const char* section, auto times,
                        std::size_t most = 1) {
    const auto pull_on = [=, &bodies](std::size_t i) {
      Pull pull{{}, {}, most};
      for (std::size_t j = 0; j < n; ++j) {
        if (const auto factor = static_cast<double>(times(i, j)); factor != 0)
          add(pull, factor * newton(bodies[i], bodies[j], softening));
      }
      return pull;
    };
    list.push_back({id, std::move(sentence), pull_on, section, {2}});
  };
  using Size = std::size_t;
  tell("own-tile-only",
       "Every body is pulled by the bodies of its own block alone" + tiles +
           ": the loop over the tiles is missing.",
       tile_section, [=](Size i, Size j) { return j / size == i / size; });
  tell("same-tile-again",
       "Every body meets the bodies of its own block again and again" + tiles +
           ": which body a thread fetches depends on the tile, not on the body it works for.",
       tile_section, [=](Size i, Size j) { return j / size == i / size ? count : 0; });
  tell("same-tile-again",
       "Every body meets the first bodies again and again" + tiles +
           ": a tile begins where the one before ends, and the fetching thread has to add that.",
       tile_section, [=](Size, Size j) { return j < size ? count : 0; });
  tell("last-tile-only",
       "Every body is pulled by the bodies of the last tile alone" + tiles +
           ": the sum has to begin before the first tile, and to go on through all of them.",
       tile_section, [=](Size, Size j) { return j >= last_begins; });
  if (count > 2) { // else it is the last one alone
    tell("first-tile-left-out",
         "The bodies of the first tile pull nobody" + tiles +
             ": with which body does the loop over the tiles begin?",
         tile_section, [=](Size, Size j) { return j >= size; });
  }
  tell("fetch-begins-at-own",
       "The bodies in front of a block's own ones do not pull its bodies" + tiles +
           ": threads count the bodies that they fetch from the one that they work for on. Each block begins "
           "with the first tile; a thread's place in it is threadIdx.x.",
       tile_section, [=](Size i, Size j) { return j / size >= i / size; });
  tell("own-place-only",
       "Every thread reads only its own place of each tile" + tiles +
           ", again and again: in the inner loop all threads go through all places, tile[k].",
       tile_section, [=](Size i, Size j) { return j % size == i % size ? size : 0; });
  tell("own-place-skipped",
       "Every thread leaves out the place with its own number in every tile" + tiles +
           ", and only in one of them it is the body itself. The test in add_pull sees to that body already.",
       tile_section, [=](Size i, Size j) { return j % size != i % size; });
  tell(
      "tiles-overlap",
      "Bodies pull up to " + number(size) +
          " times: each tile begins only one body after the one before. The loop over the tiles goes on in "
          "steps of a whole tile.",
      tile_section, [=](Size, Size j) { return std::min(j + 1, size); }, size);
  for (std::size_t part = 32; part < size; part *= 2) {
    tell("tile-partly-used",
         "Of every tile of " + number(size) + " bodies only the first " + number(part) +
             " pull: the inner loop has to go through all places that were filled.",
         tile_section, [=](Size, Size j) { return j % size < part; });
  }
  if (left == 0) return list;
  if (whole != 0) {
    const auto with_old_places = [=](Size j) { // what the last tile's other places still hold
      return j >= whole - size + left && j < whole ? 2 : 1;
    };
    tell("last-tile-left-out",
         "The bodies from number " + number(whole) + " on pull nobody (n = " + number(n) +
             "): n / tile rounds down, and what is left over needs a tile of its own.",
         last_tile_section, [=](Size, Size j) { return j < whole; });
    tell("tail-not-padded",
         "Some bodies pull twice: the last tile is not full, its other places still hold bodies of the tile "
         "before, and these were added again" +
             tiles + ". Places without a body need one that pulls nobody.",
         last_tile_section, [=](Size, Size j) { return with_old_places(j); });
    tell("left-the-loop-early",
         "In the last tile the threads that find no body to fetch leave the loop" + tiles +
             ": their own sums lack that tile, and its places that they were to fill still hold bodies of "
             "the tile before. Every thread goes through every tile.",
         "Threads without a body", [=](Size i, Size j) {
           return i % size < left ? with_old_places(j) : j < whole ? 1 : 0;
         });
  }
  tell("tail-not-padded",
       "The last body pulls more than once: it was taken for the places of the last tile that have no body" +
           tiles + ". A place without a body needs one that pulls nobody.",
       last_tile_section, [=](Size, Size j) { return j + 1 == n ? 1 + size - left : 1; });
  tell("tail-not-padded",
       "Some bodies pull twice: threads put the body that they work for into the last tile's places that "
       "have no body" +
           tiles +
           ", and the others of the block are pulled by it. A place without a body needs one that pulls "
           "nobody.",
       last_tile_section, [=](Size i, Size j) { return j / size == i / size && j % size >= left ? 2 : 1; });
  const auto with_ghosts = [=, &bodies](std::size_t i) {
    Pull pull = pull_on(i, bodies, softening);
    add(pull, static_cast<double>(size - left) * newton(bodies[i], float4{0, 0, 0, 1}, softening));
    return pull;
  };
  list.push_back({"tail-not-padded",
                  "Bodies at the origin pull that are not there: the places of the last tile without a body "
                  "have a mass" +
                      tiles + ".",
                  with_ghosts,
                  last_tile_section,
                  {2}});
  return list;
}

/// The factor by which all accelerations differ from the right ones, if it is one and the same, and not 1.
inline std::optional<double> common_factor(std::span<const float4> acc, const std::vector<Pull>& wanted) {
  double product = 0, square = 0;
  for (std::size_t i = 0; i < acc.size(); ++i) {
    product += dot(vector_of(acc[i]), wanted[i].sum);
    square += dot(wanted[i].sum, wanted[i].sum);
  }
  if (square == 0 || product == 0) return {};
  const double factor = product / square;
  if (std::abs(factor - 1) < 0.001) return {};
  for (std::size_t i = 0; i < acc.size(); ++i) {
    if (!near(acc[i], factor * wanted[i].sum, 2 * std::abs(factor) * tolerance(wanted[i], acc.size())))
      return {};
  }
  return factor;
}

/// Fails the item if the shape of wrong accelerations is known; returns if it is not. `tile_sizes` are those that the
/// tiles may have, the likeliest first; none if there are no tiles. `details` come with the failure.
inline void recognise(std::span<const float4> acc, const Bodies& bodies, float softening,
                      const std::vector<Pull>& wanted, const std::vector<std::size_t>& tile_sizes,
                      const std::vector<std::string>& details) {
  const std::size_t n = bodies.size();
  constexpr std::size_t too_few = 4; // many a mistake looks like another one
  if (n <= too_few) return;
  const auto told = [&details](const char* section) {
    std::vector<std::string> lines = details;
    lines.push_back(handout(section));
    return lines;
  };
  std::vector<Mistake<Pull>> mistakes = mistakes_of_law(bodies, softening);
  // Where a tile is left with one body, this is what a sum does that begins anew in each tile; and `=` with tiles gives
  // the pull of the last place, which has no body then.
  if (std::ranges::none_of(tile_sizes, [n](std::size_t size) { return n % size == 1; }))
    mistakes.push_back(sum_overwritten(bodies, softening));
  for (const std::size_t size : tile_sizes)
    std::ranges::move(mistakes_of_tiles(bodies, softening, size), std::back_inserter(mistakes));
  fail_if_made(
      mistakes, n,
      [&](std::size_t i, const Pull& pull) {
        return near(acc[i], pull.sum, 2 * tolerance(pull, pull.repeats * n));
      },
      [&](std::size_t i, const Pull& pull) { return near(pull.sum, wanted[i].sum, tolerance(wanted[i], n)); },
      details);
  if (const std::optional<double> factor = common_factor(acc, wanted)) {
    if (*factor > 1.5 && std::abs(*factor - std::round(*factor)) < 0.001) {
      fail_at({tile_sizes.empty() ? 1 : 2}, "pulls-repeated",
              "Every acceleration is " + significant(std::round(*factor)) +
                  " times the right one, as if each pull were counted that often: does a loop go around too "
                  "often?",
              told(tile_section));
    }
    fail_at({1}, "constant-factor",
            "Every acceleration is " + significant(*factor) +
                " times the right one. Units are such that the constant of gravity is 1: mass, distance and "
                "softening are all that a pull needs.",
            told(pair_section));
  }
  fail_if_some_axes(
      n,
      [&](std::size_t i, std::size_t axis) {
        return !near(component(acc[i], axis), wanted[i].sum[axis], tolerance(wanted[i], n)[axis]);
      },
      1, told(pair_section));
  for (const std::size_t size : tile_sizes) {
    const std::size_t whole = n / size * size;
    std::size_t first = 0;
    while (near(acc[first], wanted[first].sum, tolerance(wanted[first], n))) ++first; // one of them is wrong
    if (first != whole || whole == 0) continue;
    fail_at({2}, "last-block-wrong",
            "The first " + number(whole) +
                " bodies are right, and those of the last block are not (blocks of " + number(size) +
                " threads, n = " + number(n) +
                "). Some of its threads have no body: do they fetch for the others all the same, and wait "
                "with them?",
            told("Threads without a body"));
  }
  // Right to the three digits of half precision, seen from the largest pull there is.
  const double half_roundoff = 0x1p-11;
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!near(acc[i], wanted[i].sum, 28 * half_roundoff * wanted[i].magnitude)) return;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double scale = wanted[i].magnitude[axis];
      if (scale > 0) worst = std::max(worst, std::abs(component(acc[i], axis) - wanted[i].sum[axis]) / scale);
    }
  }
  fail_at(
      {1}, "low-precision",
      "The accelerations are nearly right: off by up to " + significant(worst, 2) +
          " of the sum of the pulls' magnitudes. Either digits were lost (a float became a shorter number, "
          "or a small number is the difference of large ones), or the formula has a small term too many.",
      told("How precise?"));
}

} // namespace nbody
