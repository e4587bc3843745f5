#pragma once
/// What the usual mistakes make of the sums of parts.

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "grader/grader.hpp"
#include "lab.hpp"

namespace dynamic_parallelism {

using namespace warpbook;

constexpr std::size_t parts_of(std::size_t n) { return pieces_of(n, part_size); }

/// The sum of each part's elements for which is_in(place in the part).
template <typename IsIn>
std::vector<int> part_sums_where(const std::vector<int>& in, IsIn is_in) {
  std::vector<int> sums(parts_of(in.size()));
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (is_in(i % part_size)) sums[i / part_size] += in[i];
  }
  return sums;
}
inline std::vector<int> part_sums(const std::vector<int>& in) {
  return part_sums_where(in, [](std::size_t) { return true; });
}

/// The sums that one of the five functions has found, and the right ones.
struct Sums {
  std::string function;
  const std::vector<int>& in;
  std::span<const int> found;
  const std::vector<int>& wanted;

  bool is_by_level() const { return function == "reduce_nested_by_level"; }
  bool by_launches() const { return is_by_level() || function == "reduce_nested"; }
  std::string section_of_launches() const {
    return is_by_level() ? "Level by level" : "A block launches its next half";
  }
  std::string section_of_parts() const { return is_by_level() ? "Level by level" : "Parts and blocks"; }

  /// What the usual mistakes lead to.
  std::vector<WrongResult<int>> mistakes() const {
    std::vector<WrongResult<int>> list;
    const std::size_t n = in.size(), parts = found.size();
    for (std::size_t made = 0; made < part_size && n >= part_size; ++made) list.push_back(rounds_made(made));
    if (parts > 1) { // more than one part's elements
      if (by_launches())
        list.push_back(not_handed_on([=, this] { return std::vector(parts, in[0] + in[1]); }));
      list.push_back({"block-index-missing",
                      "Every part has the sum of the first one. Which number tells the blocks apart?",
                      "Parts and blocks", [=, this] { return std::vector(parts, wanted[0]); }});
      if (n % part_size != 0) {
        list.push_back({"last-part-wrong",
                        "Only the last part's sum is wrong. It has " + counted(n % part_size, "element") +
                            "; what is added for the others?",
                        "Parts and blocks", [this] {
                          std::vector<int> sums = wanted;
                          sums.back() = found.back();
                          return sums;
                        }});
      }
    }
    for (const int factor : {2, 4, 8, 128, 256}) {
      list.push_back({"added-more-than-once",
                      "Every sum is " + std::to_string(factor) + " times the right one.", "", [=, this] {
                        std::vector<int> multiple = wanted;
                        for (int& value : multiple)
                          value = static_cast<int>(static_cast<unsigned>(value) * factor);
                        return multiple;
                      }});
    }
    // `work` has gaps, and the next level was told how many elements it would have without them.
    for (const std::size_t of_a_half : {2, 1}) {
      if (!is_by_level()) break;
      list.push_back(
          {"gaps-forgotten",
           "The next level was told that `work` has " +
               std::string(of_a_half == 2 ? "parts * 2 * half" : "parts * half") +
               " elements, and so takes what lies behind for 0. That is how many are of use; but they do "
               "not lie side by side: each part still begins part_size elements after the one before. How "
               "long is `work`, gaps included?",
           "Level by level", [=, this] { return level_sums(parts * of_a_half); }});
    }
    return list;
  }

private:
  /// What adding over the distances that `made` is made of, and no others, leads to. Element j reaches the sum by the
  /// additions over those that j is made of, 1, 2, 4 … 128.
  WrongResult<int> rounds_made(std::size_t made) const {
    const auto sums = [this, made] {
      return part_sums_where(in, [made](std::size_t j) { return (j & ~made) == 0; });
    };
    if (made == 0)
      return {"nothing-added", "Every sum is the first element of its part: nothing was added to it.",
              "Three ways to pair up", sums};
    if (made == part_size / 2 && function == "reduce_nested")
      return {"child-array-too-short",
              "Only the first level has added anything: in every child grid the element `half` further on "
              "was taken for 0. That is what happens beyond the end of `from`: how many elements has the "
              "child's array, and is that the n it was given?",
              "A block launches its next half", sums};
    if (made == 1 && by_launches()) return not_handed_on(sums);
    std::string missing;
    for (std::size_t distance = part_size / 2; distance > 0; distance /= 2) {
      if ((made & distance) == 0) missing += (missing.empty() ? "" : ", ") + number(distance);
    }
    return {"round-left-out",
            "Elements are missing in every sum: what lies a distance of " + missing +
                " further on was never added. Eight additions in a row halve 256 elements to one, over 128, "
                "64, 32 and so on down to 1, in one order or the other. Which one gets lost, and where?",
            "Three ways to pair up", sums};
  }

  WrongResult<int> not_handed_on(const std::function<std::vector<int>()>& sums) const {
    return {"levels-not-handed-on",
            "Only the last level's addition has reached the sums: in[0] + in[1] of a part and nothing else. "
            "Does each level read what the one before has written, or still `in`?",
            section_of_launches(), sums};
  }

  /// The sums of a chain of levels in which `from` is said to have `per_half` elements for each of a half, and really has
  /// gaps.
  std::vector<int> level_sums(std::size_t per_half) const {
    const std::size_t parts = found.size();
    std::vector<int> from = in, work(parts * part_size), sums(parts);
    from.resize(parts * part_size);
    for (std::size_t half = part_size / 2; half > 0; half /= 2) {
      const std::size_t n = half == part_size / 2 ? from.size() : std::min(per_half * half, from.size());
      const auto at = [&](std::size_t i) { return i < n ? static_cast<unsigned>(from[i]) : 0U; };
      for (std::size_t i = 0; i < parts * half; ++i) {
        const std::size_t first = i / half * part_size + i % half;
        work[first] = static_cast<int>(at(first) + at(first + half));
      }
      from = work;
    }
    for (std::size_t k = 0; k < parts; ++k) sums[k] = work[k * part_size];
    return sums;
  }
};

} // namespace dynamic_parallelism
