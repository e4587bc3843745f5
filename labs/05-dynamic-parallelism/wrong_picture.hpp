#pragma once
/// What the shape of a wrong picture tells. The reference and the rule are in mandelbrot.hpp.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mandelbrot.hpp"
#include "rubric.hpp"

namespace dynamic_parallelism {

inline const std::string the_rule = "The rule of Mariani and Silver";
inline const std::string the_quarters = "Quarters as a child grid";

/// A wrong picture, and what is wrong with it where its shape gives that away.
class WrongPicture {
public:
  WrongPicture(const Reply& reply, const View& v, const Reference& wanted)
      : reply_(reply), view_(v), wanted_(wanted), dwells_(reply.values<int>(0)) {}

  bool right(std::size_t at) const {
    return dwells_[at] == wanted_.flat()[at] || dwells_[at] == wanted_.ruled()[at];
  }
  bool all_right() const {
    return all_hold(dwells_.size(), [this](std::size_t at) { return right(at); });
  }

  /// Fails the item, as precisely as it can be told.
  [[noreturn]] void recognise() const {
    check_borders_first();
    missing();
    transposed();
    off_by_one();
    filled_though_mixed();
    wrong_at(pixels([this](unsigned x, unsigned y) { return !right(wanted_.place(x, y)); }));
  }

  /// Only the borders of the first squares. Fails the item if one of their pixels is wrong.
  void check_borders() const {
    if (borders([this](unsigned x, unsigned y) { return !unwritten(x, y); }).count == 0) {
      fail("border-not-drawn",
           "No pixel of any border was written. Who computes them, and who writes them down?",
           lines({}, the_rule));
    }
    const Pixels wrong = borders([this](unsigned x, unsigned y) { return !right(wanted_.place(x, y)); });
    if (wrong.count == 0) return;
    const auto [count, x, y] = wrong;
    if (!unwritten(x, y)) wrong_at(wrong);
    const unsigned x0 = x / first_side * first_side, y0 = y / first_side * first_side;
    const bool others_too = pixels_of(x0, y0, first_side, [&](unsigned i, unsigned j) {
                              return on_border(i, j, first_side) && !unwritten(i, j);
                            }).count != 0;
    fail("border-not-drawn",
         others_too
             ? "Pixel " + text(x, y) +
                   " lies on the border of a square of 64 and was never written. A border has 4 * (side - "
                   "1) pixels, and the block has fewer threads than that."
             : "No pixel on the border of the square at " + text(x0, y0) +
                   " was written, although others have theirs. border_pixel(k, side) counts from the "
                   "corner of the square: where is the corner of this one?",
         lines(wrong, the_rule));
  }

  /// For the items about the inside: as long as borders of the first squares are missing, that is what to mend.
  void check_borders_first() const {
    const Pixels missing = borders([this](unsigned x, unsigned y) { return unwritten(x, y); });
    if (missing.count == 0 || launches_may_be_refused()) return;
    if (pixels([this](unsigned x, unsigned y) { return !unwritten(x, y); }).count == 0) unsolved(reply_);
    fail("border-not-drawn",
         number(missing.count) + " pixels on the borders of the squares of 64 were never written. First the "
                                 "border, TODO(6): what becomes of the inside depends on it.",
         lines(missing, the_rule));
  }

private:
  /// Some pixels: how many, and the first of them.
  struct Pixels {
    std::size_t count = 0;
    unsigned x = 0, y = 0;
  };
  /// Those of a square for which holds(x, y), row by row.
  template <typename Holds>
  static Pixels pixels_of(unsigned x0, unsigned y0, unsigned side, const Holds& holds) {
    Pixels found;
    for (unsigned y = y0; y < y0 + side; ++y) {
      for (unsigned x = x0; x < x0 + side; ++x) {
        if (holds(x, y) && found.count++ == 0) found.x = x, found.y = y;
      }
    }
    return found;
  }
  template <typename Holds>
  Pixels pixels(const Holds& holds) const {
    return pixels_of(0, 0, wanted_.size(), holds);
  }
  /// Those on the borders of the first squares.
  template <typename Holds>
  Pixels borders(const Holds& holds) const {
    return pixels([&](unsigned x, unsigned y) { return on_border(x, y, first_side) && holds(x, y); });
  }

  bool unwritten(unsigned x, unsigned y) const { return reply_.unwritten(0, wanted_.place(x, y)); }
  static bool on_border(unsigned x, unsigned y, unsigned side) {
    const unsigned i = x % side, j = y % side;
    return i == 0 || j == 0 || i == side - 1 || j == side - 1;
  }
  /// The square of the first ones in which a pixel lies.
  static Square first_square(unsigned x, unsigned y) {
    return {x / first_side * first_side, y / first_side * first_side, first_side};
  }
  bool launches_may_be_refused() const {
    return wanted_.divided() > pending_limit && submission().backend() == Backend::cuda;
  }
  static std::string text(unsigned x, unsigned y) { return "(" + number(x) + ", " + number(y) + ")"; }

  std::vector<std::string> lines(const Pixels& about, const std::string& section) const {
    const auto [count, x, y] = about;
    const auto dwell_at = [this](unsigned i, unsigned j) {
      return to_text(wanted_.flat()[wanted_.place(i, j)]);
    };
    std::vector<std::string> list = {"The picture: " + view_.text() + ", at most " +
                                         std::to_string(view_.max_dwell) + " steps",
                                     "Pixel " + text(x, y) + " should be " + dwell_at(x, y)};
    for (unsigned side = first_side; side >= least_side; side /= 2) {
      const Square s{x / side * side, y / side * side, side};
      const bool one = wanted_.has_one_border(s);
      list.push_back("  in the square of " + number(side) + " at " + text(s.x, s.y) + ", whose border is " +
                     (one ? "all " + dwell_at(s.x, s.y) : std::string("mixed")));
      if (one) break;
    }
    return details_of(reply_, section, std::move(list));
  }

  void missing() const {
    const Pixels missing = pixels([this](unsigned x, unsigned y) { return unwritten(x, y); });
    if (missing.count == 0) return;
    if (missing.count == dwells_.size()) unsolved(reply_);
    const std::string some =
        number(missing.count) + " of " + number(dwells_.size()) + " pixels were never written";
    if (launches_may_be_refused()) {
      fail("launches-refused",
           some + ". " + number(wanted_.divided()) + " squares are to be divided, and device code can have " +
               number(pending_limit) + " launches pending: what happens to a square whose launch is refused?",
           lines(missing, "Two thousand and forty-eight"));
    }
    if (borders([this](unsigned x, unsigned y) { return unwritten(x, y); }).count != 0)
      fail("pixels-missing", some + ".", lines(missing, the_rule));
    const std::size_t quarters = missing_quarters();
    const Pixels begun = quarter_not_begun();
    const std::uint64_t grids = reply_.counters().child_grids;
    const Square square = first_square(begun.x, begun.y);
    expect_none(some,
                {{quarters > 0 && quarters < 4, "quarter-missing",
                  ": of every square that is divided, the same " + counted(quarters, "quarter") +
                      (quarters == 1 ? " is" : " are") + " missing. A square has four of them."},
                 {begun.count != 0 && grids > 0, "quarters-elsewhere",
                  ", although " + counted(grids, "child grid") + " ran. The border of the square at " +
                      text(square.x, square.y) +
                      " is mixed, and its four quarters have not all been begun: at which corner do the "
                      "quarters of a square begin?"}},
                [&] { return lines(missing, the_quarters); });
    fail("inside-not-drawn",
         some + ", all of them inside the squares. What becomes of the inside once the border is known?",
         lines(missing, the_rule));
  }

  /// Pixels on borders of quarters that are missing, of squares of 64 that are to be divided.
  Pixels quarter_not_begun() const {
    return pixels([this](unsigned x, unsigned y) {
      return unwritten(x, y) && on_border(x, y, first_side / 2) &&
             !wanted_.has_one_border(first_square(x, y));
    });
  }

  /// How many quarters no square of 64 that is divided has: none of their pixels inside it were written.
  std::size_t missing_quarters() const {
    constexpr unsigned half = first_side / 2;
    std::size_t missing = 0;
    for (unsigned quarter = 0; quarter < 4; ++quarter) {
      const Pixels written = pixels([&](unsigned x, unsigned y) {
        return x % first_side / half + 2 * (y % first_side / half) == quarter &&
               !on_border(x, y, first_side) && !unwritten(x, y) &&
               !wanted_.has_one_border(first_square(x, y));
      });
      missing += written.count == 0 ? 1 : 0;
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
    fail("rows-and-columns-swapped",
         "The picture is the right one, but rows and columns are swapped: column x has the real part "
         "re[x], and row y begins at dwells[y * size].",
         details_of(reply_, ""));
  }

  void off_by_one() const {
    const bool is_off = all_hold(dwells_.size(), [this](std::size_t at) {
      const int off = dwells_[at] - wanted_.flat()[at];
      return off == 1 || off == -1 || (off == 0 && dwells_[at] == view_.max_dwell);
    });
    if (!is_off) return;
    fail("dwell-off-by-one",
         "Every dwell is off by one. The dwell counts the steps before |z|^2 is larger than 4.",
         details_of(reply_, ""));
  }

  /// A wrong pixel in a square that has one value inside, although its border is mixed.
  void filled_though_mixed() const {
    for (unsigned side = first_side; side >= least_side; side /= 2) {
      for (unsigned y = 0; y < wanted_.size(); y += side) {
        for (unsigned x = 0; x < wanted_.size(); x += side) {
          if (wanted_.has_one_border({x, y, side})) continue;
          const int value = dwells_[wanted_.place(x + 1, y + 1)];
          const auto inside = [&](const auto& holds) {
            return pixels_of(x + 1, y + 1, side - 2, [&](unsigned i, unsigned j) {
                     return holds(wanted_.place(i, j));
                   }).count != 0;
          };
          if (inside([&](std::size_t at) { return dwells_[at] != value; })) continue;
          if (!inside([&](std::size_t at) { return !right(at); })) continue;
          fail("filled-though-mixed",
               "A square of " + number(side) + " was filled with " + to_text(value) +
                   ", although its border is not all the same. Was every pixel of the border looked at, by "
                   "all threads of the block, before one of them decided?",
               lines({1, x + 1, y + 1}, the_rule));
        }
      }
    }
  }

  [[noreturn]] void wrong_at(const Pixels& wrong) const {
    const std::size_t at = wanted_.place(wrong.x, wrong.y);
    const Pixels all = pixels([this](unsigned x, unsigned y) { return !right(wanted_.place(x, y)); });
    fail("wrong-result",
         "Pixel " + text(wrong.x, wrong.y) + " is " + to_text(dwells_[at]) + ", and " +
             to_text(wanted_.flat()[at]) + " is expected (" + number(all.count) + " of " +
             number(dwells_.size()) + " pixels are wrong).",
         lines(wrong, the_rule));
  }

  const Reply& reply_;
  const View& view_;
  const Reference& wanted_;
  std::span<const int> dwells_;
};

} // namespace dynamic_parallelism
