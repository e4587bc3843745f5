#pragma once
/// The Mandelbrot set on the CPU, as the contract defines it: what rubric and bench compare with.

#include <algorithm>
#include <array>
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

class Reference {
public:
  explicit Reference(const View& v) : size_(v.size()), flat_(std::size_t{v.size()} * v.size()) {
    const std::size_t across = size_ / first_side, squares = across * across;
    std::vector<Asked> asked(squares);
    ruled_.resize(flat_.size());
    warpbook::for_each_piece(
        squares,
        [&](std::size_t, std::size_t first, std::size_t last) {
          for (std::size_t k = first; k < last; ++k) {
            const Square s{static_cast<unsigned>(k % across) * first_side,
                           static_cast<unsigned>(k / across) * first_side, first_side};
            compute(v, s);
            treat(s, asked[k]);
          }
        },
        1);
    for (const Asked& of_square : asked) {
      computed_ += of_square.computed;
      divided_ += of_square.divided;
    }
  }

  std::size_t place(unsigned x, unsigned y) const { return std::size_t{y} * size_ + x; }
  unsigned size() const { return size_; }
  const std::vector<int>& flat() const { return flat_; }   ///< every pixel computed
  const std::vector<int>& ruled() const { return ruled_; } ///< what the rule gives
  std::size_t computed() const { return computed_; } ///< dwells that the rule asks for, repeated ones too
  std::size_t divided() const { return divided_; }   ///< squares
  std::size_t pixels() const { return flat_.size(); }

  bool has_one_border(const Square& s) const {
    return s.has_one_border([this](unsigned x, unsigned y) { return flat_[place(x, y)]; });
  }

private:
  struct Asked {
    std::size_t computed = 0, divided = 0;
  };

  void compute(const View& v, const Square& s) {
    for (unsigned y = s.y; y < s.y + s.side; ++y) {
      for (unsigned x = s.x; x < s.x + s.side; ++x)
        ruled_[place(x, y)] = flat_[place(x, y)] = dwell(v.re[x], v.im[y], v.max_dwell);
    }
  }

  void treat(const Square& s, Asked& asked) {
    asked.computed += 4 * (s.side - 1);
    const std::size_t inner = std::size_t{s.side - 2} * (s.side - 2);
    if (has_one_border(s)) {
      for (unsigned y = s.y + 1; y < s.y + s.side - 1; ++y)
        std::fill_n(ruled_.begin() + static_cast<std::ptrdiff_t>(place(s.x + 1, y)), s.side - 2,
                    flat_[place(s.x, s.y)]);
    } else if (s.side <= least_side) {
      asked.computed += inner;
    } else {
      ++asked.divided;
      for (const Square& quarter : s.quarters()) treat(quarter, asked);
    }
  }

  unsigned size_;
  std::vector<int> flat_, ruled_;
  std::size_t computed_ = 0, divided_ = 0;
};

/// Steps of all dwells that the rule asks for, each pixel's once: what drawing costs at least. Only these are computed, which
/// makes it possible for large pictures too.
class LeastSteps {
public:
  explicit LeastSteps(const View& v) : v_(v), dwells_(std::size_t{v.size()} * v.size(), unknown) {
    for (unsigned y = 0; y < v.size(); y += first_side) {
      for (unsigned x = 0; x < v.size(); x += first_side) treat({x, y, first_side});
    }
  }
  std::uint64_t count() const { return count_; }

private:
  static constexpr int unknown = -1;

  int dwell_at(unsigned x, unsigned y) {
    int& known = dwells_[std::size_t{y} * v_.size() + x];
    if (known == unknown) {
      known = dwell(v_.re[x], v_.im[y], v_.max_dwell);
      count_ += static_cast<std::uint64_t>(known);
    }
    return known;
  }

  void treat(const Square& s) {
    if (s.has_one_border([this](unsigned x, unsigned y) { return dwell_at(x, y); })) return;
    if (s.side <= least_side) {
      for (unsigned y = s.y; y < s.y + s.side; ++y) {
        for (unsigned x = s.x; x < s.x + s.side; ++x) dwell_at(x, y);
      }
      return;
    }
    for (const Square& quarter : s.quarters()) treat(quarter);
  }

  const View& v_;
  std::vector<int> dwells_;
  std::uint64_t count_ = 0;
};

} // namespace dynamic_parallelism
