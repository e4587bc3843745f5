#pragma once
/// Mistakes that give themselves away by the result to which they lead: a rubric has a table of them, and asks which one
/// a wrong result is.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "grader/failure.hpp"
#include "grader/reply.hpp"
#include "grader/text.hpp"
#include "grader/wrong_values.hpp"

namespace warpbook {

/// A mistake, and what it makes of element i of the result.
template <typename Value>
struct Mistake {
  LabMessage message;
  std::function<Value(std::size_t)> predicts;
  std::size_t count =
      std::numeric_limits<std::size_t>::max(); ///< elements that it is about, from the first on
};

/// Of several mistakes by different names that fit a result: nothing is reported, or the table's first is meant.
enum class Several { untold, first };

/// The mistake that led to a wrong result of `count` elements: where is(i, value) holds for all that it predicts, and
/// is_right(i, value) not for all, for else this input proves nothing. Null if there is none, and if there are several
/// by different names, unless the first is meant.
template <typename Value, typename Is, typename IsRight>
const Mistake<Value>* mistake_made(const std::vector<Mistake<Value>>& mistakes, std::size_t count,
                                   const Is& is, const IsRight& is_right, Several several = Several::untold) {
  const Mistake<Value>* made = nullptr;
  for (const Mistake<Value>& mistake : mistakes) {
    const std::size_t compared = std::min(count, mistake.count);
    std::size_t same = 0;
    bool differs = false;
    for (; same < compared; ++same) {
      const Value value = mistake.predicts(same);
      if (!is(same, value)) break;
      differs = differs || !is_right(same, value);
    }
    if (same < compared || !differs) continue;
    if (several == Several::first) return &mistake;
    if (made != nullptr && made->message.id != mistake.message.id) return nullptr;
    if (made == nullptr) made = &mistake;
  }
  return made;
}

/// Fails the item if it was one of these mistakes; returns if not.
template <typename Value, typename Is, typename IsRight>
void fail_if_made(const std::vector<Mistake<Value>>& mistakes, std::size_t count, const Is& is,
                  const IsRight& is_right, const Details& details, Several several = Several::untold) {
  if (const Mistake<Value>* made = mistake_made(mistakes, count, is, is_right, several))
    fail(made->message, details);
}

/// Elements that a function left as they were, one behind the other.
struct LeftOut {
  std::size_t first = 0, count = 0;
};
/// Those, if is_right(i) holds for all others, of `count`. Nothing if it left out all, none, or some here and some there.
template <typename IsLeft, typename IsRight>
std::optional<LeftOut> left_out(std::size_t count, const IsLeft& is_left, const IsRight& is_right) {
  LeftOut run;
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_left(i)) {
      if (!is_right(i)) return {};
      continue;
    }
    if (run.count == 0) run.first = i;
    if (run.first + run.count++ != i) return {};
  }
  if (run.count == 0 || run.count == count) return {};
  return run;
}

/// The place in an input from which an element of the result comes.
using Origin = std::size_t;
/// Of an element of which a mistake says nothing.
inline constexpr Origin any_origin = std::numeric_limits<Origin>::max();

template <typename T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Fails the item with `wrong-result` about the first of these elements of the first buffer, which should be `right`.
[[noreturn]] void fail_misplaced(const Reply& reply, const std::string& actual, const std::string& right,
                                 Details details, const std::vector<WrongElement>& wrong,
                                 const Sources& sources);

/// What a function left in its first buffer that moves elements and changes none.
template <typename T>
struct Moved {
  const Reply& reply;
  std::span<const T> before;
  std::function<Origin(std::size_t)> origin; ///< of element i, if all is right
  bool (*same)(const T&, const T&) = same_bits<T>;
  std::string (*text)(const T&) = to_text<T>;
  std::span<const T> after = reply.values<T>(0);

  bool comes_from(std::size_t i, Origin from) const {
    return from == any_origin || (from < before.size() && same(after[i], before[from]));
  }
  bool is_right(std::size_t i) const { return same(after[i], before[origin(i)]); }
  /// The first element that is not what it should be; their number if all are.
  std::size_t first_wrong() const {
    std::size_t i = 0;
    while (i < after.size() && is_right(i)) ++i;
    return i;
  }
  /// Fails the item if it was one of these mistakes.
  void fail_if_made(const std::vector<Mistake<Origin>>& mistakes, const Details& details) const {
    warpbook::fail_if_made(
        mistakes, after.size(), [&](std::size_t i, Origin from) { return comes_from(i, from); },
        [&](std::size_t i, Origin from) {
          return from == any_origin || same(before[from], before[origin(i)]);
        },
        details);
  }
  /// Fails the item about element i, the first that is wrong, which comes from `place`: "word 3 of record 1, ".
  [[noreturn]] void fail_wrong(std::size_t i, const std::string& place, Details details) const {
    const Origin from = origin(i);
    const std::size_t given = reply.direction(0) == Direction::inout ? 0 : 1; // the buffer that `before` is
    std::vector<WrongElement> wrong;
    for (std::size_t j = i; j < after.size(); ++j)
      if (!is_right(j)) wrong.push_back({.index = j, .should_stay = given == 0 && origin(j) == j});
    fail_misplaced(reply, text(after[i]), place + "in[" + number(from) + "] = " + text(before[from]),
                   std::move(details), wrong, [this, given](BufferElement e) {
                     return e.buffer == 0 ? std::vector<BufferElement>{{given, origin(e.index)}}
                                          : std::vector<BufferElement>();
                   });
  }
};

/// The same of what was moved; it has to live as long.
template <typename T>
Rule about_wrong(const Moved<T>& moved, std::size_t k = 0) {
  return about_wrong(moved.reply, k, [&moved](std::size_t i) { return moved.is_right(i); });
}

} // namespace warpbook
