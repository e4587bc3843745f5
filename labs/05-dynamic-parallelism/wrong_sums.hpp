#pragma once
/// The sums of parts that the usual mistakes lead to.

#include <span>
#include <string>
#include <vector>

#include "grader/grader.hpp"
#include "lab.hpp"
#include "messages.hpp"
#include "parts.hpp"

namespace dynamic_parallelism {

using namespace warpbook;

inline std::vector<int> part_sums(const std::vector<int>& in) {
  std::vector<int> sums(parts_of(in.size()));
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k] = part_sum(in, in.size(), k);
  return sums;
}

/// Where the handout says which pairs this function adds.
inline std::string section_of_pairs(const std::string& function) {
  if (function == "reduce_neighbored_less") return "Lanes that only watch";
  if (function == "reduce_interleaved") return "The third way to pair up";
  if (function == "reduce_nested") return "A block launches its next half";
  if (function == "reduce_nested_by_level") return "Level by level";
  return "Rounds and barriers";
}
/// The message with that section.
inline LabMessage about_pairs(LabMessage says, const std::string& function) {
  says.section = section_of_pairs(function);
  return says;
}

/// The sums that one of the five functions has found, and the right ones.
struct Sums {
  std::string function;
  const std::vector<int>& in;
  std::span<const int> found;
  const std::vector<int>& wanted;

  bool is_by_level() const { return function == "reduce_nested_by_level"; }
  bool by_launches() const { return is_by_level() || function == "reduce_nested"; }

  /// The usual mistakes; the first that leads to these sums is meant.
  std::vector<Mistake<int>> mistakes() const {
    std::vector<Mistake<int>> list;
    const std::size_t n = in.size(), parts = found.size();
    // The sums if only the rounds over the distances in `made`, a sum of powers of two, are made. Element j reaches the
    // sum through the rounds over the powers of two that j is the sum of.
    for (std::size_t made = 0; made < part_size && n >= part_size; ++made) {
      list.push_back({rounds_made(made), [made, this](std::size_t k) {
                        return part_sum(in, in.size(), k, [made](std::size_t j) { return (j & ~made) == 0; });
                      }});
    }
    if (n >= part_size && !by_launches()) { // what then comes to element 0 has been added to nothing
      list.push_back(
          {about_pairs(message("rounds-reversed", begins_with_halves()), function), [this](std::size_t k) {
             return part_sum(in, in.size(), k, [](std::size_t j) { return (j & (j - 1)) == 0; });
           }});
    }
    if (parts > 1) { // more than one part's elements
      if (by_launches()) list.push_back({not_handed_on(), [this](std::size_t) { return in[0] + in[1]; }});
      list.push_back({message("block-index-missing"), [this](std::size_t) { return wanted[0]; }});
      if (n % part_size != 0) {
        list.push_back({message("last-part-wrong", n % part_size), [last = parts - 1, this](std::size_t k) {
                          return k == last ? found[k] : wanted[k];
                        }});
      }
    }
    for (const int factor : {2, 4, 8, 128, 256}) {
      list.push_back({message("added-more-than-once", factor), [factor, this](std::size_t k) {
                        return static_cast<int>(static_cast<unsigned>(wanted[k]) * factor);
                      }});
    }
    for (const std::size_t of_a_half : {2, 1}) {
      if (!is_by_level()) break;
      list.push_back({message("gaps-forgotten", of_a_half == 2), [of_a_half, this](std::size_t k) {
                        return sum_without_gaps(k, found.size() * of_a_half);
                      }});
    }
    return list;
  }

private:
  /// Whether the first round adds elements half a part apart, and the last one neighbours.
  bool begins_with_halves() const { return by_launches() || function == "reduce_interleaved"; }

  LabMessage rounds_made(std::size_t made) const {
    if (made == 0) return about_pairs(message("nothing-added"), function);
    if (made == part_size / 2 && function == "reduce_nested") return message("child-array-too-short");
    if (made == 1 && by_launches()) return not_handed_on();
    std::string missing;
    for (std::size_t distance = part_size / 2; distance > 0; distance /= 2) {
      if ((made & distance) == 0) missing += (missing.empty() ? "" : ", ") + number(distance);
    }
    return about_pairs(message("round-left-out", missing, begins_with_halves()), function);
  }

  LabMessage not_handed_on() const {
    return is_by_level() ? message("levels-not-handed-on/by-level") : message("levels-not-handed-on");
  }

  /// Sum k of a chain of levels that take `work` to have `per_half` * half elements, its length without the gaps.
  int sum_without_gaps(std::size_t k, std::size_t per_half) const {
    const std::size_t begin = k * part_size;
    std::vector<unsigned> part(part_size);
    for (std::size_t j = 0; j < part_size && begin + j < in.size(); ++j)
      part[j] = static_cast<unsigned>(in[begin + j]);
    for (std::size_t half = part_size / 2; half > 0; half /= 2) {
      const bool is_first = half == part_size / 2;
      const auto at = [&](std::size_t j) { return is_first || begin + j < per_half * half ? part[j] : 0; };
      for (std::size_t j = 0; j < half; ++j) part[j] = at(j) + at(j + half);
    }
    return static_cast<int>(part[0]);
  }
};

} // namespace dynamic_parallelism
