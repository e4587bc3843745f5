#pragma once
/// What the tasks of lab 01 need of global memory. The rubric judges by it; the bench shows it beside the counted traffic.

#include <algorithm>
#include <cstddef>
#include <string>

#include "grader/traffic.hpp"
#include "lab.hpp"

namespace coalescing {

using namespace warpbook;

/// Warps with a lane for each of n elements.
constexpr std::size_t warps_for(std::size_t n) { return (n + 31) / 32; }

/// Each of `bytes` once, in as many sectors.
inline Need need_once(std::size_t bytes, std::size_t sectors, std::string ideal) {
  return {.least_bytes = bytes,
          .most_bytes = bytes,
          .least_sectors = sectors,
          .most_sectors = sectors,
          .ideal = std::move(ideal)};
}

/// Which elements get one added: n of them from `offset` on, `stride` apart.
struct Pattern {
  std::size_t n;
  std::size_t offset = 0;
  std::size_t stride = 1;

  std::size_t position(std::size_t i) const { return offset + i * stride; }
  std::size_t length() const { return offset + n * stride; } ///< of the whole array
  bool has(std::size_t j) const {
    return j >= offset && (j - offset) % stride == 0 && (j - offset) / stride < n;
  }
};

/// Needs of `n` elements from `offset` on: exactly the sectors they lie in.
template <typename T>
Need offset_need(const Pattern& pattern) {
  Need need = need_once(
      pattern.n * sizeof(T), sectors_between(pattern.offset * sizeof(T), pattern.length() * sizeof(T)),
      say("{sectors} when 32 neighbouring lanes are on 32 neighbouring elements", sizeof(T)));
  need.most_requests = warps_for(pattern.n);
  return need;
}

/// Needs of elements `stride` apart: of every request as many sectors as 32 of them lie in.
template <typename T>
Need stride_need(const Pattern& pattern) {
  const std::size_t step = pattern.stride * sizeof(T);
  const std::size_t sectors = step >= 32 ? pattern.n : sectors_between(0, (pattern.n - 1) * step + sizeof(T));
  Need need = need_once(pattern.n * sizeof(T), sectors,
                        say("{sectors} when 32 neighbouring lanes are on elements {stride} apart",
                            std::min<std::size_t>(32, step), pattern.stride));
  need.most_requests = warps_for(pattern.n);
  need.section = "What a stride costs";
  return need;
}

/// What one direction of a copy needs whose body begins at a 16-byte boundary: the sectors that the array
/// lies in, and `further` for those that two requests share.
inline Need vector_need(std::size_t n, std::size_t shift, std::size_t further = 0) {
  Need need = need_once(n * sizeof(float), sectors_between(shift, shift + n * sizeof(float)),
                        say("16 when each of 32 neighbouring lanes is on 16 bytes of its own"));
  need.most_sectors += further;
  need.section = "Sixteen bytes per access";
  need.repeated = say("Do head, body and tail overlap, or does more than one thread copy the same element?");
  return need;
}

/// What reading n particles needs.
inline Need particles_need(std::size_t n) {
  return {
      .least_bytes = 6 * sizeof(float) * n, // without mass and charge
      .most_bytes = sizeof(Particle) * n,
      .least_sectors = n,
      .most_sectors = 2 * n,
      .section = "A structure is 32 bytes",
      .ideal = say("32 when every lane reads 16 bytes of its own particle, and then 2 requests are enough"),
      .too_many_id = "field-by-field",
      .too_many =
          say("every particle is read in many small pieces, and each piece asks for the whole sector again")};
}

/// What writing their new positions needs.
inline Need positions_need(std::size_t n) {
  return need_once(3 * sizeof(float) * n, 3 * sectors_between(0, n * sizeof(float)),
                   say("4 when 32 neighbouring lanes are on 32 neighbouring floats"));
}

/// What reading a matrix of so many floats needs. Rows split over several blocks leave partial sums, which are read again:
/// one for every 8 elements at most.
inline Need matrix_need(std::size_t elements, std::string ideal) {
  const std::size_t bytes = elements * sizeof(float);
  return {.least_bytes = bytes,
          .most_bytes = bytes * 9 / 8,
          .least_sectors = sectors_between(0, bytes),
          .most_sectors = bytes / 32 * 9 / 8,
          .section = "Which way through a matrix?",
          .ideal = std::move(ideal)};
}

} // namespace coalescing
