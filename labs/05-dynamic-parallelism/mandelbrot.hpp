#pragma once
/// The Mandelbrot set on the CPU, as the contract defines it: what rubric and bench compare with.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "call/parallel.hpp"
#include "lab.hpp"

namespace dynamic_parallelism {

/// What a picture is to show: the coordinates of its columns and rows.
struct View {
  std::string what;
  std::vector<float> re, im;
  int max_dwell;
  unsigned size() const { return static_cast<unsigned>(re.size()); }
  /// "the whole set, 128 x 128 pixels"
  std::string text() const {
    return what + ", " + std::to_string(size()) + " x " + std::to_string(size()) + " pixels";
  }
};

struct Window {
  double left, top, width;
};

inline View view(const std::string& what, const Window& window, unsigned size, int max_dwell) {
  View v{what, std::vector<float>(size), std::vector<float>(size), max_dwell};
  for (unsigned i = 0; i < size; ++i) {
    v.re[i] = static_cast<float>(window.left + window.width * (i + 0.5) / size);
    v.im[i] = static_cast<float>(window.top - window.width * (i + 0.5) / size);
  }
  return v;
}
inline View whole_set(unsigned size, int max_dwell = 200) {
  return view("the whole set", {-2.2, 1.5, 3.0}, size, max_dwell);
}
/// A third of its pixels have to be computed, even if it is small.
inline View from_afar() { return view("the set from afar", {-4, 4, 8}, 256, 50); }

/// As the contract says, every operation rounded to single precision: the casts forbid a compiler to join
/// them.
inline int dwell(float re, float im, int max_dwell) {
  const auto product = [](float a, float b) { return static_cast<float>(static_cast<double>(a) * b); };
  const auto sum = [](float a, float b) { return static_cast<float>(static_cast<double>(a) + b); };
  float x = 0, y = 0;
  float earlier_x = 0, earlier_y = 0; // where it was after the last power of two of steps
  int steps = 0, next_power = 1;
  while (steps < max_dwell) {
    const float xx = product(x, x), yy = product(y, y);
    if (sum(xx, yy) > 4) break;
    y = sum(product(sum(x, x), y), im);
    x = sum(sum(xx, -yy), re);
    ++steps;
    // What was there before comes again, to the last bit, and does so for ever.
    if (x == earlier_x && y == earlier_y) return max_dwell;
    if (steps == next_power) {
      earlier_x = x;
      earlier_y = y;
      next_power *= 2;
    }
  }
  return steps;
}

struct Square {
  unsigned x, y, side;
  std::array<Square, 4> quarters() const {
    const unsigned half = side / 2;
    return {{{x, y, half}, {x + half, y, half}, {x, y + half, half}, {x + half, y + half, half}}};
  }
  Square inside() const { return {x + 1, y + 1, side - 2}; }
  /// Calls what(x, y) for the corners of the squares of side `step` that it consists of, row by row.
  template <typename What>
  void for_each(unsigned step, const What& what) const {
    for (unsigned j = y; j < y + side; j += step)
      for (unsigned i = x; i < x + side; i += step) what(i, j);
  }
  /// Whether dwell_at(x, y) is the same all along the border. Asks for every pixel of it.
  template <typename DwellAt>
  bool has_one_border(const DwellAt& dwell_at) const {
    const int first = dwell_at(x, y);
    bool one = true;
    for (unsigned i = 0; i < side; ++i) {
      for (const int other : {dwell_at(x + i, y), dwell_at(x + i, y + side - 1), dwell_at(x, y + i),
                              dwell_at(x + side - 1, y + i)})
        one = one && other == first;
    }
    return one;
  }
};

/// The square of this side in which a pixel lies.
inline Square square_around(unsigned x, unsigned y, unsigned side) {
  return {x / side * side, y / side * side, side};
}

/// What becomes of a square by the rule.
enum class Fate { filled, computed, divided };

/// Applies the rule to a square of which dwell_at(x, y) tells the dwells, and calls treated(square, fate) for it and all into
/// which it is divided.
template <typename DwellAt, typename Treated>
void apply_rule(const Square& s, const DwellAt& dwell_at, const Treated& treated) {
  const Fate fate = s.has_one_border(dwell_at) ? Fate::filled
                    : s.side <= least_side     ? Fate::computed
                                               : Fate::divided;
  treated(s, fate);
  if (fate != Fate::divided) return;
  for (const Square& quarter : s.quarters()) apply_rule(quarter, dwell_at, treated);
}

class Reference {
public:
  explicit Reference(const View& v) : size_(v.size()), flat_(std::size_t{size_} * size_), ruled_(flat_) {
    const std::size_t across = size_ / first_side;
    std::atomic<std::size_t> computed = 0, divided = 0;
    const auto dwell_at = [this](unsigned x, unsigned y) { return flat_[place(x, y)]; };
    warpbook::for_each_piece(
        across * across,
        [&](std::size_t k, std::size_t, std::size_t) {
          const Square first{static_cast<unsigned>(k % across) * first_side,
                             static_cast<unsigned>(k / across) * first_side, first_side};
          first.for_each(1, [&](unsigned x, unsigned y) {
            ruled_[place(x, y)] = flat_[place(x, y)] = dwell(v.re[x], v.im[y], v.max_dwell);
          });
          apply_rule(first, dwell_at, [&](const Square& s, Fate fate) {
            computed += 4 * (s.side - 1);
            if (fate == Fate::computed) computed += std::size_t{s.side - 2} * (s.side - 2);
            if (fate == Fate::divided) ++divided;
            if (fate != Fate::filled) return;
            s.inside().for_each(
                1, [&](unsigned x, unsigned y) { ruled_[place(x, y)] = flat_[place(s.x, s.y)]; });
          });
        },
        1);
    computed_ = computed, divided_ = divided;
  }

  std::size_t place(unsigned x, unsigned y) const { return std::size_t{y} * size_ + x; }
  unsigned size() const { return size_; }
  const std::vector<int>& flat() const { return flat_; }   ///< every pixel computed
  const std::vector<int>& ruled() const { return ruled_; } ///< what the rule gives
  std::size_t computed() const { return computed_; } ///< dwells that the rule asks for, repeated ones too
  std::size_t divided() const { return divided_; }   ///< squares
  std::size_t pixels() const { return flat_.size(); }
  Square whole() const { return {0, 0, size_}; }

  bool has_one_border(const Square& s) const {
    return s.has_one_border([this](unsigned x, unsigned y) { return flat_[place(x, y)]; });
  }

private:
  unsigned size_;
  std::vector<int> flat_, ruled_;
  std::size_t computed_ = 0, divided_ = 0;
};

/// What drawing costs at least: the pixels whose dwells the rule asks for, each once, and their steps.
struct LeastWork {
  std::uint64_t pixels = 0, steps = 0;
};
/// Only these pixels are computed, which makes it possible for large pictures too.
inline LeastWork least_work(const View& v) {
  constexpr int unknown = -1;
  std::vector<int> dwells(std::size_t{v.size()} * v.size(), unknown);
  LeastWork least;
  const auto dwell_at = [&](unsigned x, unsigned y) {
    int& known = dwells[std::size_t{y} * v.size() + x];
    if (known == unknown) {
      known = dwell(v.re[x], v.im[y], v.max_dwell);
      ++least.pixels;
      least.steps += static_cast<std::uint64_t>(known);
    }
    return known;
  };
  Square{0, 0, v.size()}.for_each(first_side, [&](unsigned x, unsigned y) {
    apply_rule({x, y, first_side}, dwell_at, [&](const Square& s, Fate fate) {
      if (fate == Fate::computed) s.for_each(1, dwell_at);
    });
  });
  return least;
}

} // namespace dynamic_parallelism
