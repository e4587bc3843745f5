#pragma once
/// What the shape of a wrong picture tells. The reference and the rule are in mandelbrot.hpp.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mandelbrot.hpp"
#include "rubric.hpp"

namespace dynamic_parallelism {

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
    wrong();
  }

  /// Only the borders of the first squares. Fails the item if one of their pixels is wrong.
  void check_borders() const {
    bool any = false;
    for (unsigned y = 0; y < wanted_.size(); ++y) {
      for (unsigned x = 0; x < wanted_.size(); ++x)
        any = any || (on_border(x, y, first_side) && !reply_.unwritten(0, wanted_.place(x, y)));
    }
    if (!any) {
      fail("border-not-drawn",
           "No pixel of any border was written. Who computes them, and who writes them down?",
           lines(0, 0, "The rule of Mariani and Silver"));
    }
    for (unsigned y = 0; y < wanted_.size(); ++y) {
      for (unsigned x = 0; x < wanted_.size(); ++x) {
        if (!on_border(x, y, first_side) || right(wanted_.place(x, y))) continue;
        if (reply_.unwritten(0, wanted_.place(x, y))) {
          const unsigned x0 = x / first_side * first_side, y0 = y / first_side * first_side;
          if (no_border_of(x0, y0)) {
            fail("border-not-drawn",
                 "No pixel on the border of the square at (" + number(x0) + ", " + number(y0) +
                     ") was written, although others have theirs. border_pixel(k, side) counts from the "
                     "corner of the square: where is the corner of this one?",
                 lines(x, y, "The rule of Mariani and Silver"));
          }
          fail("border-not-drawn",
               "Pixel (" + number(x) + ", " + number(y) +
                   ") lies on the border of a square of 64 and was never written. A border has 4 * (side - "
                   "1) pixels, and the block has fewer threads than that.",
               lines(x, y, "The rule of Mariani and Silver"));
        }
        wrong_at(x, y);
      }
    }
  }

  /// For the items about the inside: as long as borders of the first squares are missing, that is what to mend.
  void check_borders_first() const {
    std::size_t count = 0;
    unsigned first_x = 0, first_y = 0;
    for (unsigned y = 0; y < wanted_.size(); ++y) {
      for (unsigned x = 0; x < wanted_.size(); ++x) {
        if (!on_border(x, y, first_side) || !reply_.unwritten(0, wanted_.place(x, y))) continue;
        if (count++ == 0) first_x = x, first_y = y;
      }
    }
    if (count == 0 || (wanted_.divided() > pending_limit && submission().backend() == Backend::cuda)) return;
    bool any = false;
    for (std::size_t at = 0; at < dwells_.size(); ++at) any = any || !reply_.unwritten(0, at);
    if (!any) unsolved(reply_);
    fail("border-not-drawn",
         number(count) + " pixels on the borders of the squares of 64 were never written. First the "
                         "border, TODO(6): what becomes of the inside depends on it.",
         lines(first_x, first_y, "The rule of Mariani and Silver"));
  }

private:
  /// Whether no pixel on the border of the square of 64 at (x0, y0) was written.
  bool no_border_of(unsigned x0, unsigned y0) const {
    for (unsigned i = 0; i < first_side; ++i) {
      const unsigned end = first_side - 1;
      for (const std::size_t at : {wanted_.place(x0 + i, y0), wanted_.place(x0 + i, y0 + end),
                                   wanted_.place(x0, y0 + i), wanted_.place(x0 + end, y0 + i)}) {
        if (!reply_.unwritten(0, at)) return false;
      }
    }
    return true;
  }

  static bool on_border(unsigned x, unsigned y, unsigned side) {
    const unsigned i = x % side, j = y % side;
    return i == 0 || j == 0 || i == side - 1 || j == side - 1;
  }

  std::vector<std::string> lines(unsigned x, unsigned y, const std::string& section) const {
    std::vector<std::string> list = {"The picture: " + view_.what + ", " + number(wanted_.size()) + " x " +
                                         number(wanted_.size()) + " pixels, at most " +
                                         std::to_string(view_.max_dwell) + " steps",
                                     "Pixel (" + number(x) + ", " + number(y) + ") should be " +
                                         to_text(wanted_.flat()[wanted_.place(x, y)])};
    for (unsigned side = first_side; side >= least_side; side /= 2) {
      const Square s{x / side * side, y / side * side, side};
      const bool one = wanted_.has_one_border(s);
      list.push_back(
          "  in the square of " + number(side) + " at (" + number(s.x) + ", " + number(s.y) +
          "), whose border is " +
          (one ? "all " + to_text(wanted_.flat()[wanted_.place(s.x, s.y)]) : std::string("mixed")));
      if (one) break;
    }
    list.push_back("In the call " + reply_.call_text() + ".");
    list.push_back(handout(section));
    return list;
  }

  void missing() const {
    std::size_t count = 0, inner = 0;
    unsigned first_x = 0, first_y = 0;
    for (unsigned y = 0; y < wanted_.size(); ++y) {
      for (unsigned x = 0; x < wanted_.size(); ++x) {
        if (!reply_.unwritten(0, wanted_.place(x, y))) continue;
        if (count++ == 0) first_x = x, first_y = y;
        inner += on_border(x, y, first_side) ? 0 : 1;
      }
    }
    if (count == 0) return;
    if (count == dwells_.size()) unsolved(reply_);
    const std::string pixels = number(count) + " of " + number(dwells_.size()) + " pixels were never written";
    if (wanted_.divided() > pending_limit && submission().backend() == Backend::cuda) {
      fail("launches-refused",
           pixels + ". " + number(wanted_.divided()) +
               " squares are to be divided, and device code can have " + number(pending_limit) +
               " launches pending: what happens to a square whose launch is refused?",
           lines(first_x, first_y, "Two thousand and forty-eight"));
    }
    if (inner == count) {
      if (const std::size_t missing = missing_quarters(); missing > 0 && missing < 4) {
        fail("quarter-missing",
             pixels + ": of every square that is divided, the same " + counted(missing, "quarter") +
                 (missing == 1 ? " is" : " are") + " missing. A square has four of them.",
             lines(first_x, first_y, "Quarters as a child grid"));
      }
      if (const auto square = quarter_not_begun(); square && reply_.counters().child_grids > 0) {
        fail("quarters-elsewhere",
             pixels + ", although " + counted(reply_.counters().child_grids, "child grid") +
                 " ran. The border of the square at (" + number(square->x) + ", " + number(square->y) +
                 ") is mixed, and its four quarters have not all been begun: at which corner do the "
                 "quarters of a square begin?",
             lines(first_x, first_y, "Quarters as a child grid"));
      }
      fail("inside-not-drawn",
           pixels + ", all of them inside the squares. What becomes of the inside once the border is known?",
           lines(first_x, first_y, "The rule of Mariani and Silver"));
    }
    fail("pixels-missing", pixels + ".", lines(first_x, first_y, "The rule of Mariani and Silver"));
  }

  /// The first square of 64 that is to be divided and has a quarter whose border is not drawn.
  std::optional<Square> quarter_not_begun() const {
    for (unsigned y = 0; y < wanted_.size(); ++y) {
      for (unsigned x = 0; x < wanted_.size(); ++x) {
        const Square s{x / first_side * first_side, y / first_side * first_side, first_side};
        if (reply_.unwritten(0, wanted_.place(x, y)) && on_border(x, y, first_side / 2) &&
            !wanted_.has_one_border(s))
          return s;
      }
    }
    return {};
  }

  /// How many quarters no square of 64 that is divided has: none of their pixels inside it were written.
  std::size_t missing_quarters() const {
    bool written[4] = {};
    for (unsigned y = 0; y < wanted_.size(); ++y) {
      for (unsigned x = 0; x < wanted_.size(); ++x) {
        const unsigned i = x % first_side, j = y % first_side;
        if (on_border(x, y, first_side) || wanted_.has_one_border({x - i, y - j, first_side})) continue;
        if (!reply_.unwritten(0, wanted_.place(x, y)))
          written[j / (first_side / 2) * 2 + i / (first_side / 2)] = true;
      }
    }
    return static_cast<std::size_t>(std::count(std::begin(written), std::end(written), false));
  }

  void transposed() const {
    bool differs = false;
    for (unsigned y = 0; y < wanted_.size(); ++y) {
      for (unsigned x = 0; x < wanted_.size(); ++x) {
        const int value = dwells_[wanted_.place(x, y)];
        if (value != wanted_.flat()[wanted_.place(y, x)] && value != wanted_.ruled()[wanted_.place(y, x)])
          return;
        differs = differs || !right(wanted_.place(x, y));
      }
    }
    if (differs) {
      fail("rows-and-columns-swapped",
           "The picture is the right one, but rows and columns are swapped: column x has the real part "
           "re[x], and row y begins at dwells[y * size].",
           {"In the call " + reply_.call_text() + "."});
    }
  }

  void off_by_one() const {
    for (std::size_t at = 0; at < dwells_.size(); ++at) {
      const int off = dwells_[at] - wanted_.flat()[at];
      if (off != 1 && off != -1 && !(off == 0 && dwells_[at] == view_.max_dwell)) return;
    }
    fail("dwell-off-by-one",
         "Every dwell is off by one. The dwell counts the steps before |z|^2 is larger than 4.",
         {"In the call " + reply_.call_text() + "."});
  }

  /// A wrong pixel in a square that has one value inside, although its border is mixed.
  void filled_though_mixed() const {
    for (unsigned side = first_side; side >= least_side; side /= 2) {
      for (unsigned y = 0; y < wanted_.size(); y += side) {
        for (unsigned x = 0; x < wanted_.size(); x += side) {
          if (wanted_.has_one_border({x, y, side})) continue;
          const int value = dwells_[wanted_.place(x + 1, y + 1)];
          bool one_value = true, some_wrong = false;
          for (unsigned j = 1; j < side - 1; ++j) {
            for (unsigned i = 1; i < side - 1; ++i) {
              one_value = one_value && dwells_[wanted_.place(x + i, y + j)] == value;
              some_wrong = some_wrong || !right(wanted_.place(x + i, y + j));
            }
          }
          if (!one_value || !some_wrong) continue;
          fail("filled-though-mixed",
               "A square of " + number(side) + " was filled with " + to_text(value) +
                   ", although its border is not all the same. Was every pixel of the border looked at, by "
                   "all threads of the block, before one of them decided?",
               lines(x + 1, y + 1, "The rule of Mariani and Silver"));
        }
      }
    }
  }

  [[noreturn]] void wrong() const {
    for (unsigned y = 0; y < wanted_.size(); ++y) {
      for (unsigned x = 0; x < wanted_.size(); ++x) {
        if (!right(wanted_.place(x, y))) wrong_at(x, y);
      }
    }
    fail("wrong-result", "The picture is wrong."); // not reached: somebody has found a wrong pixel
  }

  [[noreturn]] void wrong_at(unsigned x, unsigned y) const {
    std::size_t count = 0;
    for (std::size_t at = 0; at < dwells_.size(); ++at) count += right(at) ? 0 : 1;
    const std::size_t at = wanted_.place(x, y);
    fail("wrong-result",
         "Pixel (" + number(x) + ", " + number(y) + ") is " + to_text(dwells_[at]) + ", and " +
             to_text(wanted_.flat()[at]) + " is expected (" + number(count) + " of " +
             number(dwells_.size()) + " pixels are wrong).",
         lines(x, y, "The rule of Mariani and Silver"));
  }

  const Reply& reply_;
  const View& view_;
  const Reference& wanted_;
  std::span<const int> dwells_;
};

} // namespace dynamic_parallelism
