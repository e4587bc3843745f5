#pragma once
/// Pictures that the simulator objected to, told in the words of TODO(6) and TODO(7).

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

#include "explain.hpp"
#include "grader/contract_text.hpp"

namespace dynamic_parallelism {

/// Whether all places that the failure is about lie in the region of this TODO.
inline bool lies_in_todo(const Failure& failure, int todo) {
  const std::string& path = submission().options().source_path;
  const std::string source = read_text(path);
  return !failure.places.empty() &&
         std::all_of(failure.places.begin(), failure.places.end(),
                     [&](const auto& place) { return todo_around(source, place.second) == todo; });
}

inline std::string pixel_text(std::size_t index, unsigned size) {
  return "(" + number(index % size) + ", " + number(index / size) + ")";
}

/// Two threads look at lowest or highest, the variables of a block that are no arrays, in TODO(6), and write one of them
/// without an atomic.
inline bool explain_lowest(Failure& failure, const simt::Diagnostic& finding) {
  const auto is_atomic = [](const simt::Participant& party) { return party.access == simt::Access::atomic; };
  if (finding.id != "shared-race" || !finding.element.empty() || !lies_in_todo(failure, 6) ||
      std::ranges::any_of(finding.participants, is_atomic))
    return false;
  retell(failure, "lowest-without-atomics",
         "Several threads look at `lowest` or `highest` and then write, and another one writes in between. A "
         "barrier in the loop cannot order that, since all of them look in the same turn: atomicMin and "
         "atomicMax look and write in one step.",
         "The rule of Mariani and Silver");
  return true;
}

/// Two threads write one pixel, each another dwell. `divides_and_draws` finds out whether blocks that divide a square
/// draw its inside as well.
inline bool explain_pixel_drawn_twice(Failure& failure, const simt::Diagnostic& finding, unsigned size,
                                      const std::function<bool()>& divides_and_draws) {
  if (finding.id != "global-race" || !is_in(finding, "dwells")) return false;
  const std::string section = "Quarters as a child grid";
  const std::string pixel = "Pixel " + pixel_text(index_of(finding), size);
  if (finding.participants[0].depth != finding.participants[1].depth && divides_and_draws()) {
    retell(failure, "divided-and-drawn",
           pixel + " is drawn by a block and by one of a child grid: where a square was divided, threads of "
                   "the block that divided it draw the inside all the same. The launch has succeeded, but "
                   "only the thread that launched knows: how do the others learn of it, and what is left for "
                   "them to do?",
           section);
    return true;
  }
  const auto block = [](const simt::Participant& party) {
    const unsigned depth = party.depth.value_or(0);
    return "block (" + number(party.thread->block[0]) + ", " + number(party.thread->block[1]) + ")" +
           (depth == 0 ? "" : " of a grid of depth " + number(depth));
  };
  retell(failure, "pixel-drawn-twice",
         pixel + " is drawn by " + block(finding.participants[0]) + " and by " +
             block(finding.participants[1]) +
             ", with different dwells, and no barrier or atomic makes that right: each square is one "
             "block's. Does every place count from the square's own corner (x0, y0), column first? Do the "
             "quarters begin there? Does the inside end where the square does, after (side - 2) * (side - 2) "
             "pixels?",
         section);
  return true;
}

/// Of right borders: whether they were shared out to the threads, and whether the block waits before lowest and
/// highest are read. `c` counts one block for each of `squares` squares of 64, none of which is divided. Whoever puts lowest and
/// highest together in another way than by atomics on shared memory is not judged.
inline std::optional<Failure> judge_borders(const simt::Counters& c, std::uint64_t squares) {
  const std::uint64_t pixels = squares * 4 * (first_side - 1),
                      updates = 2 * pixels; // a lowest and a highest each
  if (c.shared_atomic_lanes >= 8 * updates) {
    return Failure{{"border-by-every-thread"},
                   "The borders are right, but lowest and highest were updated " +
                       number(c.shared_atomic_lanes) + " times for " + number(pixels) +
                       " pixels on borders, and two updates for each are enough: a border pixel needs one "
                       "thread, not all. With which k does a thread begin, and how far is it to its next "
                       "one?",
                   {}};
  }
  if (c.shared_atomic_lanes > 0 && c.barriers < 2 * squares && c.warp_syncs == 0) {
    return Failure{
        {"border-not-awaited"},
        "The borders are right, but no thread waits behind the loop: what follows reads lowest and "
        "highest, and other threads may still be looking at their pixels. What must stand there?",
        {}};
  }
  return {};
}

/// Of a right picture in which the rule divides `divided` squares: whether more were divided, or by more launches.
inline std::optional<Failure> judge_divisions(std::uint64_t child_grids, std::uint64_t their_blocks,
                                              std::size_t depth, std::size_t divided) {
  constexpr std::size_t most_depth = 3; // from squares of 64 to those of 8
  if (depth > most_depth) {
    return Failure{
        {"wrong-depth"},
        "The picture is right, but it looks as if squares of 8 were divided, too: child grids of depth " +
            number(depth) +
            " have run, and from 64 to 8 a side is halved three times. At which side does the division end?",
        {}};
  }
  if (child_grids > divided) {
    return Failure{
        {"too-many-child-grids"},
        "The picture is right, but " + number(child_grids) + " child grids ran for " + number(divided) +
            " squares that are divided. " +
            (their_blocks < 4 * child_grids
                 ? "The four quarters are four blocks of one grid, launched by one thread."
                 : "A square with one dwell on its border is filled, not divided; and one thread launches, "
                   "once."),
        {}};
  }
  return {};
}

} // namespace dynamic_parallelism
