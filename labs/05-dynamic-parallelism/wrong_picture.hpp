#pragma once
/// Mistakes that the shape of a wrong picture shows. The reference and the rule are in mandelbrot.hpp.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "mandelbrot.hpp"
#include "rubric.hpp"

namespace dynamic_parallelism {

/// A wrong picture; recognises mistakes by its shape.
class WrongPicture {
public:
  WrongPicture(const Reply& reply, const View& v, const Reference& wanted)
      : reply_(reply), view_(v), wanted_(wanted), dwells_(reply.values<int>(0)) {}
  WrongPicture(const WrongPicture&) = delete;

  bool all_right() const {
    return all_hold(dwells_.size(), [this](std::size_t at) { return right(at); });
  }

  /// Fails the item if the picture is wrong, with the most precise message that fits.
  void expect_right() const {
    if (all_right()) return;
    const Rule about = about_wrong(reply_, 0, [this](std::size_t at) { return right(at); });
    check_borders_first();
    missing();
    transposed();
    off_by_one();
    filled_though_mixed();
    wrong_at(pixels(wrong));
  }

  /// Only the borders of the first squares. Fails the item if one of their pixels is wrong.
  void check_borders() const {
    if (borders(written).count == 0) fail(message("border-not-drawn"), lines({}));
    const Pixels first = borders(wrong);
    if (first.count == 0) return;
    const auto [count, x, y] = first;
    if (!unwritten(x, y)) wrong_at(first);
    const Square square = square_around(x, y, first_side);
    const bool others_too = pixels_of(square, [&](unsigned i, unsigned j) {
                              return on_border(i, j, first_side) && written(i, j);
                            }).count != 0;
    fail(others_too ? message("border-not-drawn/pixels", pixel_text(x, y))
                    : message("border-not-drawn/square", pixel_text(square.x, square.y)),
         lines(first));
  }

private:
  /// Some pixels: how many, and the first of them.
  struct Pixels {
    std::size_t count = 0;
    unsigned x = 0, y = 0;
  };
  using Holds = std::function<bool(unsigned, unsigned)>;
  /// Those of a square for which holds(x, y), row by row.
  static Pixels pixels_of(const Square& square, const Holds& holds) {
    Pixels found;
    square.for_each(1, [&](unsigned x, unsigned y) {
      if (holds(x, y) && found.count++ == 0) found.x = x, found.y = y;
    });
    return found;
  }
  Pixels pixels(const Holds& holds) const { return pixels_of(wanted_.whole(), holds); }
  /// Those on the borders of the first squares.
  Pixels borders(const Holds& holds) const {
    return pixels([&](unsigned x, unsigned y) { return on_border(x, y, first_side) && holds(x, y); });
  }

  bool right(std::size_t at) const {
    return dwells_[at] == wanted_.flat()[at] || dwells_[at] == wanted_.ruled()[at];
  }
  static bool on_border(unsigned x, unsigned y, unsigned side) {
    const unsigned i = x % side, j = y % side;
    return i == 0 || j == 0 || i == side - 1 || j == side - 1;
  }
  /// Whether the square of 64 in which the pixel lies is to be divided.
  bool is_divided(unsigned x, unsigned y) const {
    return !wanted_.has_one_border(square_around(x, y, first_side));
  }
  bool launches_may_be_refused() const {
    return wanted_.divided() > pending_limit && submission().backend() == Backend::cuda;
  }

  Details lines(const Pixels& about) const {
    const auto [count, x, y] = about;
    const auto dwell_at = [this](unsigned i, unsigned j) {
      return to_text(wanted_.flat()[wanted_.place(i, j)]);
    };
    Details list = {"The picture: " + view_.text() + ", at most " + number(view_.max_dwell) + " steps",
                    "Pixel " + pixel_text(x, y) + " should be " + dwell_at(x, y)};
    for (unsigned side = first_side; side >= least_side; side /= 2) {
      const Square s = square_around(x, y, side);
      const bool one = wanted_.has_one_border(s);
      list.push_back("  in the square of " + number(side) + " at " + pixel_text(s.x, s.y) +
                     ", whose border is " + (one ? "all " + dwell_at(s.x, s.y) : std::string("mixed")));
      if (one) break;
    }
    return details_of(reply_, std::move(list));
  }

  /// Missing borders of the first squares are reported before anything else.
  void check_borders_first() const {
    const Pixels missing = borders(unwritten);
    if (missing.count == 0 || launches_may_be_refused()) return;
    if (pixels(written).count == 0) unsolved(reply_);
    fail(message("border-not-drawn/first", missing.count), lines(missing));
  }

  void missing() const {
    const Pixels missing = pixels(unwritten);
    const std::size_t all = dwells_.size();
    if (missing.count == 0) return;
    if (missing.count == all) unsolved(reply_);
    if (launches_may_be_refused())
      fail(message("launches-refused/squares", missing.count, all, wanted_.divided(), pending_limit),
           lines(missing));
    const std::size_t quarters = missing_quarters();
    const Pixels begun = quarter_not_begun();
    const std::uint64_t grids = reply_.counters().child_grids;
    const Square square = square_around(begun.x, begun.y, first_side);
    expect_none({{quarters > 0 && quarters < 4,
                  message("quarter-missing", missing.count, all, quarters == 1, quarters)},
                 {begun.count != 0 && grids > 0,
                  message("quarters-elsewhere", missing.count, all, grids, pixel_text(square.x, square.y))},
                 {true, message("inside-not-drawn", missing.count, all)}},
                [&] { return lines(missing); });
  }

  /// Pixels on borders of quarters that are missing, of squares of 64 that are to be divided.
  Pixels quarter_not_begun() const {
    return pixels([this](unsigned x, unsigned y) {
      return unwritten(x, y) && on_border(x, y, first_side / 2) && is_divided(x, y);
    });
  }

  /// The number of quarters, of four, that are missing in every divided square of 64: none of their pixels inside the
  /// square were written.
  std::size_t missing_quarters() const {
    constexpr unsigned half = first_side / 2;
    std::size_t missing = 0;
    for (unsigned quarter = 0; quarter < 4; ++quarter) {
      const auto is_there = [&](unsigned x, unsigned y) {
        return x % first_side / half + 2 * (y % first_side / half) == quarter &&
               !on_border(x, y, first_side) && written(x, y) && is_divided(x, y);
      };
      missing += pixels(is_there).count == 0 ? 1 : 0;
    }
    return missing;
  }

  void transposed() const {
    const Pixels others = pixels([this](unsigned x, unsigned y) {
      const int value = dwells_[wanted_.place(x, y)];
      const std::size_t mirrored = wanted_.place(y, x);
      return value != wanted_.flat()[mirrored] && value != wanted_.ruled()[mirrored];
    });
    if (others.count != 0 || all_right()) return;
    fail(message("rows-and-columns-swapped"), details_of(reply_));
  }

  void off_by_one() const {
    const bool is_off = all_hold(dwells_.size(), [this](std::size_t at) {
      const int off = dwells_[at] - wanted_.flat()[at];
      return off == 1 || off == -1 || (off == 0 && dwells_[at] == view_.max_dwell);
    });
    if (is_off) fail(message("dwell-off-by-one"), details_of(reply_));
  }

  /// A wrong pixel in a square that has one value inside, although its border is mixed.
  void filled_though_mixed() const {
    for (unsigned side = first_side; side >= least_side; side /= 2) {
      wanted_.whole().for_each(side, [&](unsigned x, unsigned y) {
        const Square s{x, y, side}, inside = s.inside();
        const int value = dwells_[wanted_.place(inside.x, inside.y)];
        const auto is_other = [&](unsigned i, unsigned j) { return dwells_[wanted_.place(i, j)] != value; };
        if (wanted_.has_one_border(s) || pixels_of(inside, is_other).count != 0 ||
            pixels_of(inside, wrong).count == 0)
          return;
        fail(message("filled-though-mixed", side, value), lines({1, inside.x, inside.y}));
      });
    }
  }

  [[noreturn]] void wrong_at(const Pixels& first) const {
    const std::size_t at = wanted_.place(first.x, first.y);
    fail(message("wrong-result", pixel_text(first.x, first.y), dwells_[at], wanted_.flat()[at],
                 pixels(wrong).count, dwells_.size()),
         lines(first));
  }

  const Reply& reply_;
  const View& view_;
  const Reference& wanted_;
  std::span<const int> dwells_;
  const Holds unwritten = [this](unsigned x, unsigned y) { return reply_.unwritten(0, wanted_.place(x, y)); };
  const Holds written = std::not_fn(unwritten);
  const Holds wrong = [this](unsigned x, unsigned y) { return !right(wanted_.place(x, y)); };
};

} // namespace dynamic_parallelism
