#pragma once
/// Calls of lab 05 that went wrong, told in the words of the lesson: what the simulator finds and advises is for
/// any kernel. Each sentence says what the finding shows; where the cause could be another one, it asks.

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/contract_text.hpp"
#include "grader/grader.hpp"
#include "lab.hpp"

namespace dynamic_parallelism {

using namespace warpbook;

/// Whether a thread ended the kernel because its launch was refused for want of room.
inline bool trapped_when_refused(const Failure& failure) {
  return any_finding(failure, [](const simt::Diagnostic& finding) {
    return finding.id == "trap" && finding.refused && finding.refused->rule == "pending-launches";
  });
}

/// Whether the failure names lines of the student's file, all of which lie in the region of this TODO; 0: in none.
inline bool lies_in_todo(const Failure& failure, int todo) {
  const std::string source = read_text(submission().options().source_path);
  return !failure.places.empty() && std::ranges::all_of(failure.places, [&](const auto& place) {
    return todo_around(source, place.second) == todo;
  });
}

/// The same call once more, with what it was found to do allowed: for what can be counted. Empty if it ends
/// before its time all the same.
using Again = std::function<std::optional<Reply>()>;

/// What is known of a call that went wrong by what the simulator found first.
struct Found {
  const Failure& failure;
  std::size_t parts = 0;        ///< that were to be added up
  bool launches_failed = false; ///< in this call, so that finish_alone has run
  Again again = {};
  unsigned size = 0; ///< of the picture
  /// Finds out whether blocks that divide a square draw its inside as well.
  std::function<bool()> divides_and_draws = {};
  const simt::Diagnostic& finding = *first_finding(failure);

  bool is(const char* id) const { return finding.id == id; }
  /// Whether the finding is about one element of this array of the contract's: index().
  bool is_in(const char* array) const {
    return finding.variable == array && finding.element.size() == 1 && finding.element.front() >= 0;
  }
  std::size_t index() const { return static_cast<std::size_t>(finding.element.front()); }
  std::size_t part() const { return index() / part_size; }
  const simt::Participant& one() const { return finding.participants.front(); }
  const simt::Participant& other() const { return finding.participants.back(); }
  bool both(simt::Access access) const { return one().access == access && other().access == access; }
};

inline std::size_t block_of(const simt::Participant& party) { return party.thread->block[0]; }
inline std::size_t thread_of(const simt::Participant& party) { return party.thread->thread[0]; }

using Lessons = std::vector<Lesson<Found>>;

// ---- the reductions --------------------------------------------------------------------------------------

/// A sum that lies in no array of sums: for all five functions.
inline const Lesson<Found> sum_beyond_the_end = {
    "sum-beyond-the-end", [](const Found& f) { return f.is("out-of-bounds") && f.is_in("sums"); },
    [](const Found& f) {
      return "A thread uses sums[" + number(f.index()) +
             "], and there is only one sum for each part: the k-th part's sum belongs to sums[k]. Which of "
             "your numbers is the part's, and is there such a part?";
    },
    "Parts and blocks"};

/// Who of an earlier block uses an element of a part that belongs to a later one; null if nobody does, or if it is not
/// known.
inline const simt::Participant* guest_in_part(const Found& f) {
  if (!f.is_in("work")) return nullptr;
  const bool is_race = f.is("global-race") && between_blocks(f.finding);
  if (!is_race && !f.is("out-of-bounds")) return nullptr;
  const bool one_is_owner = is_race && block_of(f.one()) == f.part();
  const simt::Participant &guest = one_is_owner ? f.other() : f.one(),
                          &owner = one_is_owner ? f.one() : f.other();
  if (is_race && block_of(owner) != f.part()) return nullptr;
  return block_of(guest) < f.part() ? &guest : nullptr;
}

/// Whether threads of one block are at the same statement, though a barrier stands in every round: so they are of
/// one round. (The last round's barrier may be missing; load_part has one.)
inline bool is_in_one_round(const Found& f) {
  constexpr std::size_t least_barriers = 8;
  const bool one_statement = f.failure.places.size() == 2 && f.failure.places[0] == f.failure.places[1];
  if (!within_block(f.finding) || thread_of(f.one()) == thread_of(f.other()) || !one_statement) return false;
  const std::optional<Reply> reply = f.again();
  return reply && reply->counters().barriers >= least_barriers * f.parts;
}

/// reduce_neighbored, reduce_neighbored_less and reduce_interleaved.
inline const Lessons flat_lessons = {
    sum_beyond_the_end,
    {"beyond-the-part", guest_in_part,
     [](const Found& f) {
       const simt::Participant& guest = *guest_in_part(f);
       return "Block " + number(block_of(guest)) +
              (guest.access == simt::Access::read ? " reads" : " writes") + " work[" + number(f.index()) +
              "], element " + number(f.index() % part_size) + " of part " + number(f.part()) +
              ". Seen from its own part that is element " + number(f.index() - block_of(guest) * part_size) +
              ", and a part has elements 0 to 255: which round goes beyond it, or which thread?";
     },
     "Parts and blocks"},
    {"sum-by-several-threads",
     [](const Found& f) {
       return f.is("global-race") && f.is_in("sums") && within_block(f.finding) &&
              f.both(simt::Access::write);
     },
     [](const Found& f) {
       return "Threads " + number(thread_of(f.one())) + " and " + number(thread_of(f.other())) +
              " of one block both write sums[" + number(f.index()) +
              "], and not the same value. In which element is the sum after the last round, and which "
              "thread is to write it?";
     },
     "Three ways to pair up"},
    {"pairs-overlap",
     [](const Found& f) { return f.is("global-race") && f.is_in("work") && is_in_one_round(f); },
     [](const Found& f) {
       const bool one_reads = f.one().access == simt::Access::read;
       const std::string one = number(thread_of(f.one())), other = number(thread_of(f.other()));
       const std::string element = "work[" + number(f.index()) + "]";
       return "In one round each element belongs to one pair only. Here " +
              (f.both(simt::Access::write) ? "threads " + one + " and " + other + " both write " + element
                                           : "thread " + (one_reads ? one : other) + " reads " + element +
                                                 ", which thread " + (one_reads ? other : one) + " writes") +
              ", and a barrier in every round does not help. Who works in this round, and with which element "
              "does its pair begin?";
     },
     "Three ways to pair up"}};

/// Who is in a block of a child grid that is not its first; null if nobody is.
inline const simt::Participant* further_block_of_child(const Found& f) {
  for (const simt::Participant& party : f.finding.participants)
    if (party.depth.value_or(0) != 0 && block_of(party) != 0) return &party;
  return nullptr;
}

/// reduce_nested.
inline const Lessons nested_lessons = {
    sum_beyond_the_end,
    {"refused-part-wrong", // finish_alone is none of the student's lines
     [](const Found& f) {
       return f.is("uninitialised-read") && f.is_in("work") && f.launches_failed &&
              (f.failure.places.empty() || lies_in_todo(f.failure, 0));
     },
     [](const Found& f) {
       return "finish_alone adds up work[" + number(f.index()) +
              "], which nobody has written. When a launch is refused, a half of the part has been added to "
              "the other one already: how many elements are left?";
     },
     "Two thousand and forty-eight"},
    {"refused-part-ends-the-kernel", [](const Found& f) { return trapped_when_refused(f.failure); },
     "A launch was refused, and then the program ends with an error. That is better than to go on "
     "as "
     "if nothing had happened; but here the thread can do without its child: finish_alone adds up "
     "what is left of the part. Raising the limit only moves the place where this happens.",
     "Two thousand and forty-eight"},
    {"child-has-many-blocks",
     [](const Found& f) {
       return f.is("global-race") && f.is_in("work") && further_block_of_child(f) != nullptr;
     },
     [](const Found& f) {
       const simt::Participant& party = *further_block_of_child(f);
       return "A child grid has more than one block: here block " + number(block_of(party)) +
              " of one of depth " + number(*party.depth) + " uses work[" + number(f.index()) +
              "]. A child grid is launched by one block, for what is left of that block's own part: how "
              "many blocks does one part need?";
     },
     "A block launches its next half"}};

inline const std::string gaps = "Each part begins part_size elements after the one before, at *every* level";

/// Child grids of the call, made once more, that were not tail launches, and all of them.
inline std::pair<std::uint64_t, std::uint64_t> other_launches(const Found& f) {
  const std::optional<Reply> reply = f.again();
  if (!reply) return {};
  const simt::Counters& c = reply->counters();
  return {c.child_grids - c.tail_launches, c.child_grids};
}

/// reduce_nested_by_level.
inline const Lessons level_lessons = {
    sum_beyond_the_end,
    {"too-many-child-grids", [](const Found& f) { return trapped_when_refused(f.failure); },
     "A launch was refused because so many are pending already, and a chain of levels has one at a "
     "time. A launch is a statement like any other: which threads of the whole grid come to it?",
     "Level by level"},
    {"level-index", [](const Found& f) { return f.is("uninitialised-read") && f.is_in("work"); },
     [](const Found& f) {
       return "A level reads work[" + number(f.index()) + "], element " + number(f.index() % part_size) +
              " of part " + number(f.part()) + ", and no level has written it. " + gaps +
              ", and what is left of it lies at its beginning: does the index of the first element say so, "
              "where it is read and where it is written?";
     },
     "Level by level"},
    {"level-index",
     [](const Found& f) {
       return f.is("global-race") && (within_block(f.finding) || between_blocks(f.finding));
     },
     [](const Found&) {
       return "No barrier helps here: every thread of a level has two elements of its own, which no other "
              "thread of this level touches. " +
              gaps + ": does the index of the first one say so?";
     },
     "Level by level"},
    {"next-level-too-early",
     [](const Found& f) { return f.is("global-race") && other_launches(f).first != 0; },
     [](const Found& f) {
       const auto [others, all] = other_launches(f);
       return "The next level starts before all blocks of this one have finished: " + number(others) +
              " of " + counted(all, "child grid") +
              " were not tail launches. No barrier mends that: __syncthreads() is for the threads of one "
              "block. A launch into which stream waits for the whole grid?";
     },
     "Level by level"}};

// ---- the picture -----------------------------------------------------------------------------------------

inline std::string pixel_text(std::size_t index, unsigned size) {
  return "(" + number(index % size) + ", " + number(index / size) + ")";
}

/// mandelbrot_adaptive, TODO(6) and TODO(7).
inline const Lessons picture_lessons = {
    // Two threads look at lowest or highest, the variables of a block that are no arrays, and write one of them.
    {"lowest-without-atomics",
     [](const Found& f) {
       return f.is("shared-race") && f.finding.element.empty() && lies_in_todo(f.failure, 6) &&
              f.one().access != simt::Access::atomic && f.other().access != simt::Access::atomic;
     },
     "Several threads look at `lowest` or `highest` and then write, and another one writes in "
     "between. A barrier in the loop cannot order that, since all of them look in the same turn: "
     "atomicMin and atomicMax look and write in one step.",
     "The rule of Mariani and Silver"},
    {"divided-and-drawn",
     [](const Found& f) {
       return f.is("global-race") && f.is_in("dwells") && f.one().depth != f.other().depth &&
              f.divides_and_draws();
     },
     [](const Found& f) {
       return "Pixel " + pixel_text(f.index(), f.size) +
              " is drawn by a block and by one of a child grid: where a square was divided, threads of "
              "the block that divided it draw the inside all the same. The launch has succeeded, but "
              "only the thread that launched knows: how do the others learn of it, and what is left for "
              "them to do?";
     },
     "Quarters as a child grid"},
    {"pixel-drawn-twice", [](const Found& f) { return f.is("global-race") && f.is_in("dwells"); },
     [](const Found& f) {
       const auto block = [](const simt::Participant& party) {
         const unsigned depth = party.depth.value_or(0);
         return "block (" + number(party.thread->block[0]) + ", " + number(party.thread->block[1]) + ")" +
                (depth == 0 ? "" : " of a grid of depth " + number(depth));
       };
       return "Pixel " + pixel_text(f.index(), f.size) + " is drawn by " + block(f.one()) + " and by " +
              block(f.other()) +
              ", with different dwells, and no barrier or atomic makes that right: each square is one "
              "block's. Does every place count from the square's own corner (x0, y0), column first? Do the "
              "quarters begin there? Does the inside end where the square does, after (side - 2) * (side - "
              "2) pixels?";
     },
     "Quarters as a child grid"}};

/// Of right borders: whether they were shared out to the threads, and whether the block waits before lowest and
/// highest are read. `c` counts one block for each of `squares` squares of 64, none of which is divided. Whoever puts lowest and
/// highest together in another way than by atomics on shared memory is not judged.
inline std::vector<Fault> faults_of_borders(const simt::Counters& c, std::uint64_t squares) {
  const std::uint64_t pixels = squares * 4 * (first_side - 1),
                      updates = 2 * pixels; // a lowest and a highest each
  return {{c.shared_atomic_lanes >= 8 * updates, "border-by-every-thread",
           "lowest and highest were updated " + number(c.shared_atomic_lanes) + " times for " +
               number(pixels) +
               " pixels on borders, and two updates for each are enough: a border pixel needs one thread, "
               "not all. With which k does a thread begin, and how far is it to its next one?"},
          {c.shared_atomic_lanes > 0 && c.barriers < 2 * squares && c.warp_syncs == 0, "border-not-awaited",
           "no thread waits behind the loop: what follows reads lowest and highest, and other threads may "
           "still be looking at their pixels. What must stand there?"}};
}

/// Of a right picture in which the rule divides `divided` squares: whether more were divided, or by more launches.
inline std::vector<Fault> faults_of_divisions(std::uint64_t child_grids, std::uint64_t their_blocks,
                                              std::size_t depth, std::size_t divided) {
  constexpr std::size_t most_depth = 3; // from squares of 64 to those of 8
  return {{depth > most_depth, "wrong-depth",
           "it looks as if squares of 8 were divided, too: child grids of depth " + number(depth) +
               " have run, and from 64 to 8 a side is halved three times. At which side does the division "
               "end?"},
          {child_grids > divided, "too-many-child-grids",
           number(child_grids) + " child grids ran for " + number(divided) + " squares that are divided. " +
               (their_blocks < 4 * child_grids
                    ? "The four quarters are four blocks of one grid, launched by one thread."
                    : "A square with one dwell on its border is filled, not divided; and one thread "
                      "launches, once.")}};
}

} // namespace dynamic_parallelism
