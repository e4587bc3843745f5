// Wrong accelerations, computed in single precision as a kernel does: which mistake lab 03's rubric tells, as whose
// task, and what it must not claim.
#include <doctest/doctest.h>

#include "mistakes.hpp"

// The rubric's own part needs a submission; nothing here calls it.
warpbook::Reply nbody::accelerate_and_check(const Bodies&, float, Schedule, bool) {
  throw std::logic_error("no submission here");
}

using namespace nbody;

namespace {

constexpr std::size_t tile = 128;

/// Adds a pair's pull, right or wrong, as add_pull does.
using AddPull = std::function<void(float4& sum, const float4& me, const float4& other, float softening2)>;
/// The bodies that body i meets, in this order.
using Met = std::function<Bodies(std::size_t i, const Bodies& bodies)>;

/// As add_pull should: of a mistake in it, `squared_distance` and `factor` are the parts.
struct Pair {
  std::function<float(const float4& d, float softening2)> squared_distance = [](const float4& d, float s2) {
    return d.x * d.x + d.y * d.y + d.z * d.z + s2;
  };
  std::function<float(const float4& me, const float4& other, float inverse)> factor =
      [](const float4&, const float4& other, float inverse) { return other.w * inverse * inverse * inverse; };
  std::function<bool(const float4& d, float r2)> skips = [](const float4&, float r2) { return r2 == 0; };
  bool overwrites = false;

  void operator()(float4& sum, const float4& me, const float4& other, float softening2) const {
    const float4 d{other.x - me.x, other.y - me.y, other.z - me.z, other.w - me.w};
    const float r2 = squared_distance(d, softening2);
    if (skips(d, r2)) return;
    const float f = factor(me, other, 1 / std::sqrt(r2));
    if (overwrites) sum = {};
    sum.x += f * d.x, sum.y += f * d.y, sum.z += f * d.z;
  }
};

Bodies all_bodies(std::size_t, const Bodies& bodies) { return bodies; }

/// The bodies that fill a tile's places, for each tile in turn; `place` says which body is in place t of the tile that
/// begins with `first`, for the block that begins with `own`; n and beyond stand for none.
Met through_tiles(
    std::function<std::size_t(std::size_t own, std::size_t first, std::size_t t, std::size_t n)> place,
    std::function<bool(std::size_t thread, std::size_t k)> reads = [](std::size_t, std::size_t) {
      return true;
    }) {
  return [=](std::size_t i, const Bodies& bodies) {
    Bodies met;
    for (std::size_t first = 0; first < bodies.size(); first += tile) {
      for (std::size_t k = 0; k < tile; ++k) {
        const std::size_t j = place(i / tile * tile, first, k, bodies.size());
        if (reads(i % tile, k) && j < bodies.size()) met.push_back(bodies[j]);
      }
    }
    return met;
  };
}

Bodies accelerations_of(const Bodies& bodies, float softening, const AddPull& add_pull,
                        const Met& met = all_bodies) {
  Bodies acc;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    float4 sum{};
    for (const float4& other : met(i, bodies)) add_pull(sum, bodies[i], other, softening * softening);
    acc.push_back(sum);
  }
  return acc;
}

/// What recognise() says: the id and TODO's number, or nothing.
using Told = std::pair<std::string, int>;
const Told unknown = {};

Told told(const Bodies& bodies, float softening, const Bodies& acc,
          const std::vector<std::size_t>& tile_sizes = {tile}) {
  try {
    recognise(acc, bodies, softening, right_accelerations(bodies, softening), tile_sizes, {});
  } catch (const ItemFailed& failed) {
    return {failed.failure.diagnoses.at(0), failed.failure.todos.at(0)};
  }
  return unknown;
}

const Bodies some = random_bodies(293); // two tiles, and 37 bodies more
constexpr float softening = 0.1F;

Told told_of_pair(const Pair& pair, float with = softening) {
  return told(some, with, accelerations_of(some, with, pair));
}
/// The same has to come out where the size of the tiles is counted and where it is not, as on a GPU.
Told told_of_tiles(const Met& met) {
  static const Bodies more = random_bodies(1061);
  const Told counted = told(some, softening, accelerations_of(some, softening, Pair{}, met));
  CHECK(told(more, softening, accelerations_of(more, softening, Pair{}, met), usual_tile_sizes) == counted);
  return counted;
}

} // namespace

TEST_CASE("right accelerations are near the reference, which is what the other tests stand on") {
  const Bodies acc = accelerations_of(some, softening, Pair{});
  CHECK(all_near(acc, right_accelerations(some, softening)));
}

TEST_CASE("mistakes about masses are TODO(1)'s") {
  const auto with_factor = [](auto factor) { return told_of_pair(Pair{.factor = factor}); };
  CHECK(with_factor([](const float4& me, const float4&, float r) { return me.w * r * r * r; }) ==
        Told{"own-mass", 1});
  CHECK(with_factor([](const float4& me, const float4& other, float r) {
          return me.w * other.w * r * r * r;
        }) == Told{"both-masses", 1});
  CHECK(with_factor([](const float4&, const float4&, float r) { return r * r * r; }) ==
        Told{"mass-forgotten", 1});
  CHECK(with_factor([](const float4&, const float4& other, float r) {
          return other.w * r * other.w * r * other.w * r;
        }) == Told{"mass-cubed", 1});
  CHECK(with_factor([](const float4&, const float4& other, float r) {
          return 6.674e-11F * other.w * r * r * r;
        }) == Told{"constant-factor", 1});
}

TEST_CASE("mistakes about the distance are TODO(1)'s") {
  const auto with_distance = [](auto distance) { return told_of_pair(Pair{.squared_distance = distance}); };
  CHECK(with_distance([](const float4& d, float s2) { return d.x * d.x + d.y * d.y + s2; }) ==
        Told{"distance-mistaken", 1});
  CHECK(with_distance([](const float4& d, float s2) {
          return d.x * d.x + d.y * d.y + d.z * d.z + d.w * d.w + s2;
        }) == Told{"distance-mistaken", 1});
  CHECK(with_distance([](const float4& d, float s2) {
          return d.x * d.x + d.y * d.y + d.z * d.z + s2 * s2;
        }) == Told{"softening-squared-twice", 1});
  CHECK(with_distance([](const float4& d, float s2) {
          return d.x * d.x + d.y * d.y + d.z * d.z + std::sqrt(s2);
        }) == Told{"softening-not-squared", 1});
}

TEST_CASE("wrong powers of the distance are TODO(1)'s") {
  for (const int power : {1, 2, 4, 5, 6, 7, 9}) {
    CAPTURE(power);
    const Pair pair{.factor = [power](const float4&, const float4& other, float r) {
      return other.w * static_cast<float>(std::pow(r, power));
    }};
    CHECK(told_of_pair(pair) == Told{"power-mistaken", 1});
  }
}

TEST_CASE("softening added outside of the root is reported as misplaced") {
  const AddPull add_pull = [](float4& sum, const float4& me, const float4& other, float s2) {
    const float4 d{other.x - me.x, other.y - me.y, other.z - me.z, 0};
    const float r2 = d.x * d.x + d.y * d.y + d.z * d.z;
    const float f = other.w / (r2 * std::sqrt(r2) + s2);
    sum.x += f * d.x, sum.y += f * d.y, sum.z += f * d.z;
  };
  CHECK(told(some, softening, accelerations_of(some, softening, add_pull)) == Told{"softening-misplaced", 1});
}

TEST_CASE("a constant added to the distance is not taken for softening where there is none") {
  const Pair pair{.squared_distance = [](const float4& d, float s2) {
    return d.x * d.x + d.y * d.y + d.z * d.z + s2 + 1e-5F;
  }};
  CHECK(told_of_pair(pair, 0) == Told{"softening-invented", 1});
}

TEST_CASE("a test of single coordinates is reported where bodies have one in common") {
  Bodies bodies = some;
  for (std::size_t i = 0; i < bodies.size(); i += 3) bodies[i].y = 0.5F;
  const Pair pair{.skips = [](const float4& d, float) { return d.x == 0 || d.y == 0 || d.z == 0; }};
  CHECK(told(bodies, softening, accelerations_of(bodies, softening, pair)) ==
        Told{"coordinate-in-common", 1});
}

TEST_CASE("a sum that is overwritten is no matter of tiles") {
  const Pair pair{.overwrites = true};
  CHECK(told_of_pair(pair) == Told{"sum-overwritten", 1});
  CHECK(told_of_pair(pair, 0) ==
        Told{"sum-overwritten", 1}); // the last body's own sum keeps the pull of the one before
}

TEST_CASE("a sum that begins again in each tile is reported as that, even where the last tile has one body") {
  const auto last_tile = [](std::size_t, const Bodies& bodies) {
    return Bodies(bodies.begin() + static_cast<std::ptrdiff_t>((bodies.size() - 1) / tile * tile),
                  bodies.end());
  };
  CHECK(told_of_tiles(last_tile) == Told{"last-tile-only", 2});
  const Bodies one_left = random_bodies(2 * tile + 1);
  CHECK(told(one_left, softening, accelerations_of(one_left, softening, Pair{}, last_tile)) ==
        Told{"last-tile-only", 2});
}

TEST_CASE("mistakes about tiles are TODO(2)'s") {
  using Size = std::size_t;
  const auto usual = [](Size, Size first, Size t, Size) { return first + t; };
  CHECK(told_of_tiles(through_tiles([](Size own, Size, Size t, Size) { return own + t; })) ==
        Told{"same-tile-again", 2});
  CHECK(told_of_tiles(through_tiles([](Size, Size, Size t, Size) { return t; })) ==
        Told{"same-tile-again", 2});
  CHECK(told_of_tiles(through_tiles([](Size own, Size first, Size t, Size) { return own + first + t; })) ==
        Told{"fetch-begins-at-own", 2});
  CHECK(told_of_tiles(through_tiles([](Size, Size first, Size t, Size n) {
          return first == 0 ? n : first + t;
        })) == Told{"first-tile-left-out", 2});
  CHECK(told_of_tiles([](Size, const Bodies& bodies) { // tile t from body t on
          Bodies met;
          for (Size t = 0; t * tile < bodies.size(); ++t)
            for (Size j = t; j < std::min(t + tile, bodies.size()); ++j) met.push_back(bodies[j]);
          return met;
        }) == Told{"tiles-overlap", 2});
  const auto first_tiles = [](Size tiles) {
    return [tiles](Size, const Bodies& bodies) {
      return Bodies(bodies.begin(), bodies.begin() + static_cast<std::ptrdiff_t>(tiles * tile));
    };
  };
  CHECK(told_of_tiles(first_tiles(1)) == Told{"tiles-left-out", 2});
  CHECK(told_of_tiles([](Size, const Bodies& bodies) {
          return Bodies(bodies.begin(),
                        bodies.begin() + static_cast<std::ptrdiff_t>(bodies.size() / tile * tile));
        }) == Told{"last-tile-left-out", 2});
  const Bodies whole_tiles = random_bodies(4 * tile);
  CHECK(told(whole_tiles, softening, accelerations_of(whole_tiles, softening, Pair{}, first_tiles(3))) ==
        Told{"tiles-left-out", 2});
  CHECK(told_of_tiles(through_tiles([](Size, Size first, Size t, Size n) {
          return first + t < n ? first + t : first + t - tile;
        })) == Told{"tail-not-padded", 2});
  CHECK(told_of_tiles(through_tiles([](Size own, Size first, Size t, Size n) {
          return first + t < n ? first + t : own + t;
        })) == Told{"tail-not-padded", 2});
  CHECK(told_of_tiles(through_tiles(usual, [](Size thread, Size k) { return k != thread; })) ==
        Told{"own-place-skipped", 2});
  CHECK(told_of_tiles(through_tiles(usual, [](Size, Size k) { return k < 32; })) ==
        Told{"tile-partly-used", 2});
}

TEST_CASE("a thread that reads its own place only, and one that leaves the loop, are reported") {
  CHECK(told_of_tiles([](std::size_t i, const Bodies& bodies) {
          Bodies met;
          for (std::size_t j = i % tile; j < bodies.size(); j += tile) met.insert(met.end(), tile, bodies[j]);
          return met;
        }) == Told{"own-place-only", 2});
  CHECK(told_of_tiles([](std::size_t i, const Bodies& bodies) {
          const std::size_t n = bodies.size(), whole = n / tile * tile;
          Bodies met(bodies.begin(), bodies.begin() + static_cast<std::ptrdiff_t>(whole));
          if (whole + i % tile >= n) return met;
          met = bodies;
          for (std::size_t t = n - whole; t < tile; ++t) met.push_back(bodies[whole - tile + t]);
          return met;
        }) == Told{"left-the-loop-early", 2});
}

TEST_CASE("tiles that overlap are reported, and so are pulls that are counted twice") {
  CHECK(told_of_tiles([](std::size_t, const Bodies& bodies) {
          Bodies met;
          for (std::size_t j = 0; j < bodies.size(); ++j)
            met.insert(met.end(), std::min(j + 1, tile), bodies[j]);
          return met;
        }) == Told{"tiles-overlap", 2});
  const Met twice = [](std::size_t, const Bodies& bodies) {
    Bodies met = bodies;
    met.insert(met.end(), bodies.begin(), bodies.end());
    return met;
  };
  CHECK(told_of_tiles(twice) == Told{"pulls-repeated", 2});
  CHECK(told(some, softening, accelerations_of(some, softening, Pair{}, twice), {}) ==
        Told{"pulls-repeated", 1});
}

TEST_CASE("without tiles no mistake is laid on them") {
  const Bodies acc = accelerations_of(some, softening, Pair{}, [](std::size_t, const Bodies& bodies) {
    return Bodies(bodies.begin(), bodies.begin() + 2 * tile);
  });
  CHECK(told(some, softening, acc) == Told{"last-tile-left-out", 2});
  CHECK(told(some, softening, acc, {}) == unknown);
}

TEST_CASE("right bodies but those of the last block are reported as that") {
  Bodies acc = accelerations_of(some, softening, Pair{});
  for (std::size_t i = some.size() / tile * tile; i < some.size(); ++i)
    acc[i] = {1, 2, static_cast<float>(i), 0};
  CHECK(told(some, softening, acc) == Told{"last-block-wrong", 2});
  CHECK(told(some, softening, acc, {}) == unknown);
}

TEST_CASE("one or two wrong components are reported together") {
  Bodies acc = accelerations_of(some, softening, Pair{});
  for (float4& a : acc) a.z = 0;
  CHECK(told(some, softening, acc) == Told{"one-component", 1});
  for (float4& a : acc) a.y *= 1.5F;
  CHECK(told(some, softening, acc) == Told{"one-component", 1});
}

TEST_CASE("of four bodies or fewer nothing is claimed") {
  const Bodies few = random_bodies(4);
  const Pair pair{.factor = [](const float4& me, const float4&, float r) { return me.w * r * r * r; }};
  CHECK(told(few, softening, accelerations_of(few, softening, pair)) == unknown);
}
