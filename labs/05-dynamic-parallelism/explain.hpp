#pragma once
/// Calls of lab 05 that went wrong, reported in the words of the lesson: the simulator's own sentences and advice are
/// for any kernel. Each sentence says what the finding shows and what to check.

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "grader/contract_text.hpp"
#include "grader/grader.hpp"
#include "lab.hpp"
#include "messages.hpp"
#include "wrong_sums.hpp"

namespace dynamic_parallelism {

using namespace warpbook;

inline bool is_refused_by(const simt::Finding& finding, std::string_view rule) {
  return finding.has<simt::Refused>([&](const simt::Refused& refused) { return refused.rule == rule; });
}

/// Whether a thread ended the kernel because its launch was refused for want of room.
inline bool trapped_when_refused(const Failure& failure) {
  return any_finding(failure, [](const simt::Finding& finding) {
    return finding.id == "trap" && is_refused_by(finding, "pending-launches");
  });
}

/// Whether the failure names lines of the student's file, all of which lie in the region of this TODO; 0: in none.
inline bool lies_in_todo(const Failure& failure, int todo) {
  const std::string source = read_text(submission().options().source_path);
  return !failure.places.empty() && std::ranges::all_of(failure.places, [&](const auto& place) {
    return todo_around(source, place.second) == todo;
  });
}

/// Whether the failure names a line of the student's file that lies in the region of this TODO.
inline bool has_place_in_todo(const Failure& failure, int todo) {
  const std::string source = read_text(submission().options().source_path);
  return std::ranges::any_of(failure.places,
                             [&](const auto& place) { return todo_around(source, place.second) == todo; });
}

/// The same call once more, with the mistakes that were found allowed, so that its counters can be read. Empty if it
/// fails all the same.
using Again = std::function<std::optional<Reply>()>;

/// What is known of a call that went wrong: the simulator's first finding, and what a repeated call shows.
struct Found {
  const Failure& failure;
  std::size_t parts = 0;        ///< that were to be added up
  bool launches_failed = false; ///< in this call, so that finish_alone has run
  Again again = {};
  std::function<bool()> is_right_alone = {}; ///< whether the function is right with one part
  unsigned size = 0;                         ///< of the picture
  /// Whether blocks that divide a square draw its inside as well.
  std::function<bool()> divides_and_draws = {};
  const simt::Finding& finding = *first_finding(failure);

  bool is(const char* id) const { return finding.id == id; }
  /// Whether it is this finding about one element of this array of the contract's: index().
  bool is(const char* id, const char* array) const {
    return is(id) && finding.variable == array && finding.element.size() == 1 && finding.element.front() >= 0;
  }
  std::size_t index() const { return static_cast<std::size_t>(finding.element.front()); }
  std::size_t part() const { return index() / part_size; }
  std::size_t place_in_part() const { return index() % part_size; }
  const simt::Participant& one() const { return finding.participants.front(); }
  const simt::Participant& other() const { return finding.participants.back(); }
  bool both_write() const { return simt::both_write(finding); }
};

inline std::size_t block_of(const simt::Participant& party) { return party.thread->block[0]; }
inline std::size_t thread_of(const simt::Participant& party) { return party.thread->thread[0]; }

using Lessons = std::vector<Lesson<Found>>;

// ---- the reductions --------------------------------------------------------------------------------------

/// A sum that lies in no array of sums: for all five functions.
inline const Lesson<Found> sum_beyond_the_end = {
    [](const Found& f) { return f.is("out-of-bounds", "sums"); },
    [](const Found& f) { return message("sum-beyond-the-end", f.index()); }};

/// The thread of an earlier block that uses an element of a later block's part; null if there is none, or if it is not
/// known.
inline const simt::Participant* guest_in_part(const Found& f) {
  const bool is_race = f.is("global-race", "work") && between_blocks(f.finding);
  if (!is_race && !f.is("out-of-bounds", "work")) return nullptr;
  const bool one_is_owner = is_race && block_of(f.one()) == f.part();
  const simt::Participant &guest = one_is_owner ? f.other() : f.one(),
                          &owner = one_is_owner ? f.one() : f.other();
  if (is_race && block_of(owner) != f.part()) return nullptr;
  return block_of(guest) < f.part() ? &guest : nullptr;
}

/// Whether two threads of one block are at the same statement.
inline bool is_at_one_statement(const Found& f) {
  return within_block(f.finding) && thread_of(f.one()) != thread_of(f.other()) &&
         f.failure.places.size() == 2 && f.failure.places[0] == f.failure.places[1];
}

/// Whether every round has a barrier, so that two threads at one statement are in one round; nothing if that is not known.
/// (The last round's barrier may be missing; load_part has one.)
inline std::optional<bool> has_barrier_per_round(const Found& f) {
  constexpr std::size_t least_barriers = 8;
  const std::optional<Reply> reply = f.again();
  if (!reply) return {};
  return reply->counters().barriers >= least_barriers * f.parts;
}

/// reduce_neighbored, reduce_neighbored_less and reduce_interleaved.
inline const Lessons flat_lessons = {
    sum_beyond_the_end,
    {guest_in_part,
     [](const Found& f) {
       const simt::Participant& guest = *guest_in_part(f);
       return message("beyond-the-part", block_of(guest), guest.access == simt::Access::read, f.index(),
                      f.place_in_part(), f.part(), f.index() - block_of(guest) * part_size);
     }},
    {[](const Found& f) { return f.is("global-race", "sums") && within_block(f.finding) && f.both_write(); },
     [](const Found& f) {
       return about_pairs(
           message("sum-by-several-threads", thread_of(f.one()), thread_of(f.other()), f.index()),
           f.failure.function);
     }},
    {[](const Found& f) {
       return f.is("global-race", "work") && is_at_one_statement(f) && !f.both_write() &&
              has_barrier_per_round(f) == false;
     },
     [](const Found& f) {
       const bool one_reads = f.one().access == simt::Access::read;
       return about_pairs(message("round-without-barrier", thread_of(one_reads ? f.one() : f.other()),
                                  f.index(), thread_of(one_reads ? f.other() : f.one())),
                          f.failure.function);
     }},
    {[](const Found& f) {
       return f.is("global-race", "work") && is_at_one_statement(f) && has_barrier_per_round(f) == true;
     },
     [](const Found& f) {
       const bool one_is_first = f.both_write() || f.one().access == simt::Access::read;
       return about_pairs(message("pairs-overlap", f.both_write(),
                                  thread_of(one_is_first ? f.one() : f.other()),
                                  thread_of(one_is_first ? f.other() : f.one()), f.index()),
                          f.failure.function);
     }}};

/// The thread in a block of a child grid that is not its first block; null if there is none.
inline const simt::Participant* further_block_of_child(const Found& f) {
  for (const simt::Participant& party : f.finding.participants)
    if (party.depth.value_or(0) != 0 && block_of(party) != 0) return &party;
  return nullptr;
}

/// Of a race between a child grid and a thread of the block that launched it, not the launching thread 0, which writes
/// what the child reads: this thread and the child's; nothing for any other finding.
struct WrittenBesideTheLaunch {
  const simt::Participant *writer = nullptr, *reader = nullptr;
};
inline WrittenBesideTheLaunch written_beside_the_launch(const Found& f) {
  if (!f.is("global-race", "work") || f.finding.participants.size() != 2) return {};
  const bool one_is_parent = f.one().depth.value_or(0) < f.other().depth.value_or(0);
  const simt::Participant &parent = one_is_parent ? f.one() : f.other(),
                          &child = one_is_parent ? f.other() : f.one();
  if (child.depth.value_or(0) != parent.depth.value_or(0) + 1 || parent.kin != simt::Kin::parent) return {};
  const bool is_it =
      parent.access == simt::Access::write && child.access == simt::Access::read && thread_of(parent) != 0;
  return is_it ? WrittenBesideTheLaunch{&parent, &child} : WrittenBesideTheLaunch{};
}

/// Whether a call with a single part is right, which then has no such race: its child grids use other blocks' parts.
inline bool is_between_parts(const Found& f) { return f.parts > 1 && f.is_right_alone && f.is_right_alone(); }

/// Of a call in which launches were refused: the thread of the host's grid that uses the sum or the part of another block in
/// finish_alone, which is none of the student's lines. Null if there is none, or if it is not known.
inline const simt::Participant* alone_in_another_part(const Found& f) {
  const bool is_sum = f.is("global-race", "sums");
  if (!f.launches_failed || f.finding.participants.size() != 2 || !has_place_in_todo(f.failure, 0))
    return nullptr;
  if (!is_sum && !f.is("global-race", "work")) return nullptr;
  const std::size_t owner = is_sum ? f.index() : f.part();
  for (const simt::Participant& party : f.finding.participants)
    if (party.thread && party.depth.value_or(0) == 0 && block_of(party) != owner) return &party;
  return nullptr;
}

/// Whether the other thread of a race is of a grid that this one's grid has launched, itself or through others.
inline bool is_above_the_other(const simt::Participant& party) {
  return party.kin == simt::Kin::parent || party.kin == simt::Kin::ancestor;
}

/// Of a race between a child grid and thread 0 of a grid that it descends from, at a line that stands behind the launch:
/// this thread; null for any other finding.
inline const simt::Participant* used_behind_the_launch(const Found& f) {
  if (!f.is("global-race", "work") && !f.is("global-race", "sums")) return nullptr;
  if (f.finding.participants.size() != 2 || !f.one().thread || !f.other().thread) return nullptr;
  const bool one_is_parent = f.one().depth.value_or(0) < f.other().depth.value_or(0);
  const simt::Participant& parent = one_is_parent ? f.one() : f.other();
  if (!is_above_the_other(parent) || thread_of(parent) != 0 || f.failure.places.empty()) return nullptr;
  const std::string source = read_text(submission().options().source_path);
  unsigned line = 0, launch = 0; // the first launch in TODO(4)
  std::istringstream text(source);
  for (std::string code; launch == 0 && std::getline(text, code);)
    if (++line; code.substr(0, code.find("//")).find("<<<") != code.npos && todo_around(source, line) == 4)
      launch = line;
  const bool is_behind = launch != 0 && std::ranges::any_of(f.failure.places, [&](const auto& place) {
                           return todo_around(source, place.second) == 4 && place.second > launch;
                         });
  return is_behind ? &parent : nullptr;
}

/// Of a race between a child grid and the block that launched it: whether the block calls finish_alone, which is none of the
/// student's lines, although no launch was refused.
inline bool is_alone_beside_its_child(const Found& f) {
  if (!f.is("global-race", "work") && !f.is("global-race", "sums")) return false;
  const std::vector<simt::Participant>& parties = f.finding.participants;
  const auto launches = [](const simt::Participant& party) {
    return is_above_the_other(party) && party.thread && thread_of(party) == 0;
  };
  const auto parent = std::ranges::find_if(parties, launches);
  if (parent == parties.end() || f.launches_failed || f.failure.places.size() != parties.size()) return false;
  const unsigned line = f.failure.places[static_cast<std::size_t>(parent - parties.begin())].second;
  return todo_around(read_text(submission().options().source_path), line) == 0;
}

/// reduce_nested.
inline const Lessons nested_lessons = {
    sum_beyond_the_end,
    {[](const Found& f) { // finish_alone is none of the student's lines
       return f.is("uninitialised-read", "work") && f.launches_failed &&
              (f.failure.places.empty() || lies_in_todo(f.failure, 0));
     },
     [](const Found& f) { return message("refused-part-wrong/finish-alone", f.index()); }},
    {[](const Found& f) { return trapped_when_refused(f.failure); }, message("refused-part-ends-the-kernel")},
    {[](const Found& f) { return f.is("unchecked-launch") && is_refused_by(f.finding, "pending-launches"); },
     message("launches-refused/unasked")},
    {[](const Found& f) { return alone_in_another_part(f) != nullptr; },
     [](const Found& f) {
       const bool is_sum = f.is("global-race", "sums");
       return message("part-of-another-block", block_of(*alone_in_another_part(f)), is_sum, f.index(),
                      is_sum ? f.index() : f.part());
     }},
    {is_alone_beside_its_child, message("alone-although-launched")},
    {[](const Found& f) { return f.is("global-race", "work") && further_block_of_child(f) != nullptr; },
     [](const Found& f) {
       const simt::Participant& party = *further_block_of_child(f);
       return message("child-has-many-blocks", block_of(party), *party.depth, f.index());
     }},
    {[](const Found& f) { return written_beside_the_launch(f).writer != nullptr && is_between_parts(f); },
     [](const Found& f) { return message("child-in-another-part", f.index(), f.part()); }},
    {[](const Found& f) { return written_beside_the_launch(f).writer != nullptr; },
     [](const Found& f) {
       const auto [writer, reader] = written_beside_the_launch(f);
       return message("child-before-barrier", thread_of(*writer), f.index(), thread_of(*reader));
     }},
    {[](const Found& f) { return used_behind_the_launch(f) != nullptr; },
     [](const Found& f) {
       return message("used-behind-the-launch", used_behind_the_launch(f)->access == simt::Access::read,
                      f.is("global-race", "sums"), f.index());
     }}};

/// Threads of a block that has launched a child grid, which have written to `work` and ended without coming to the barrier
/// at which the launching thread has waited; and how many threads write there in all.
struct EndedEarly {
  std::size_t threads = 0, of = 0;
};

/// Of the first block in the trace that has such threads. An atomic operation or an exchange of registers may tell the
/// launching thread of what a thread has written, in another way than a barrier does.
inline EndedEarly ended_before_barrier(const simt::Trace& trace) {
  using Kind = simt::TracedStep::Kind;
  using Block = std::pair<std::uint32_t, std::uint32_t>; // its launch and its number there
  struct Threads {
    std::set<std::uint32_t> writers, tellers, waited;
  };
  std::map<Block, Threads> blocks;
  for (const simt::TracedStep& step : trace.steps) {
    Threads& threads = blocks[{step.launch, step.block}];
    const bool waits = step.kind == Kind::barrier && step.ended;
    const bool tells =
        step.kind == Kind::exchange || (step.kind == Kind::access && step.access == simt::Access::atomic);
    const bool writes = step.is_inside() && step.access == simt::Access::write &&
                        step.array != simt::TracedStep::no_array && trace.arrays[step.array].name == "work";
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if ((step.lanes >> lane & 1) == 0) continue;
      if (waits) threads.waited.insert(step.first_thread + lane);
      if (tells) threads.tellers.insert(step.first_thread + lane);
      if (writes) threads.writers.insert(step.first_thread + lane);
    }
  }
  for (const simt::TracedLaunch& child : trace.launches) {
    if (child.depth == 0) continue;
    const auto& [writers, tellers, waited] = blocks[{child.parent, child.parent_block}];
    if (!waited.contains(child.parent_thread)) continue;
    EndedEarly early{.of = writers.size()};
    for (const std::uint32_t thread : writers)
      early.threads += waited.contains(thread) || tellers.contains(thread) ? 0 : 1;
    if (early.threads != 0) return early;
  }
  return {};
}

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
    {[](const Found& f) { return trapped_when_refused(f.failure); }, message("too-many-child-grids/pending")},
    {[](const Found& f) { return f.is("trap") && is_refused_by(f.finding, "empty-grid"); },
     [](const Found& f) {
       return message("launch-of-nothing/level", f.finding.get<simt::Refused>()->error);
     }},
    {[](const Found& f) { return f.is("division-by-zero") && lies_in_todo(f.failure, 5); },
     message("launch-of-nothing/half")},
    {[](const Found& f) { return f.is("uninitialised-read", "work"); },
     [](const Found& f) { return message("level-index/unwritten", f.index(), f.place_in_part(), f.part()); }},
    {[](const Found& f) {
       return f.is("global-race") && (within_block(f.finding) || between_blocks(f.finding));
     },
     message("level-index/race")},
    {[](const Found& f) { return f.is("global-race") && other_launches(f).first != 0; },
     [](const Found& f) {
       const auto [others, all] = other_launches(f);
       return message("next-level-too-early", others, all);
     }}};

// ---- the picture -----------------------------------------------------------------------------------------

inline std::string pixel_text(std::size_t x, std::size_t y) {
  return "(" + number(x) + ", " + number(y) + ")";
}
inline std::string pixel_text(const Found& f) { return pixel_text(f.index() % f.size, f.index() / f.size); }

/// "block (1, 1) of a grid of depth 3"
inline std::string block_text(const simt::Participant& party) {
  const unsigned depth = party.depth.value_or(0);
  return "block " + pixel_text(party.thread->block[0], party.thread->block[1]) +
         (depth == 0 ? "" : " of a grid of depth " + number(depth));
}

/// mandelbrot_adaptive, TODO(6) and TODO(7).
inline const Lessons picture_lessons = {
    // Two threads look at lowest or highest, the variables of a block that are no arrays, and write one of them.
    {[](const Found& f) {
       return f.is("shared-race") && f.finding.element.empty() && lies_in_todo(f.failure, 6) &&
              f.one().access != simt::Access::atomic && f.other().access != simt::Access::atomic;
     },
     message("lowest-without-atomics")},
    {[](const Found& f) { return f.is("barrier-divergence") && has_place_in_todo(f.failure, 6); },
     message("border-awaited-by-some")},
    // One thread updates lowest or highest, and another one reads it.
    {[](const Found& f) {
       const auto does = [&](simt::Access one, simt::Access other) {
         return f.one().access == one && f.other().access == other;
       };
       return f.is("shared-race") && (f.finding.variable == "lowest" || f.finding.variable == "highest") &&
              (does(simt::Access::atomic, simt::Access::read) ||
               does(simt::Access::read, simt::Access::atomic)) &&
              has_place_in_todo(f.failure, 6);
     },
     [](const Found& f) { return message("border-not-awaited/read", f.finding.variable); }},
    {[](const Found& f) {
       return f.is("global-race", "dwells") && f.one().depth != f.other().depth && f.divides_and_draws();
     },
     [](const Found& f) { return message("divided-and-drawn", pixel_text(f)); }},
    {[](const Found& f) { return f.is("global-race", "dwells"); },
     [](const Found& f) {
       return message("pixel-drawn-twice", pixel_text(f), block_text(f.one()), block_text(f.other()));
     }}};

/// Which of lowest and highest no thread updates.
struct NeverUpdated {
  bool lowest = false, highest = false;
};

/// By the trace of a grid whose borders are mixed. Nothing is known of a program whose threads tell each other what they
/// have found in other ways: through other shared variables, registers, global memory, or a barrier that counts. A
/// shared variable that a single thread writes passes on what that thread knows, and no more.
inline NeverUpdated never_updated(const simt::Trace& trace) {
  using Kind = simt::TracedStep::Kind;
  if (!trace.complete || trace.left_out != 0 || trace.carried) return {};
  std::set<std::uint32_t> blocks, read, written; // with a given variable; arrays in global memory
  std::map<std::string, std::uint64_t> changes;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<unsigned>> writers; // by array and block
  for (const simt::TracedStep& step : trace.steps) {
    if (step.kind == Kind::exchange) return {};
    if (step.kind != Kind::access) continue;
    if (!step.is_inside() || step.array == simt::TracedStep::no_array) return {};
    const simt::TracedArray& array = trace.arrays[step.array];
    if (array.space == simt::Space::global) {
      if (step.access == simt::Access::atomic) return {};
      (step.access == simt::Access::read ? read : written).insert(step.array);
    } else if (step.access != simt::Access::read) {
      if (array.name == "lowest" || array.name == "highest") {
        blocks.insert(step.block);
        changes[array.name] += static_cast<std::uint64_t>(std::popcount(step.lanes));
        continue;
      }
      std::set<unsigned>& own = writers[{step.array, step.block}];
      for (unsigned lane = 0; lane < 32; ++lane)
        if ((step.lanes >> lane & 1) != 0) own.insert(step.first_thread + lane);
      if (own.size() > 1) return {};
    }
  }
  if (std::ranges::any_of(written, [&](std::uint32_t array) { return read.contains(array); })) return {};
  // The given code writes each of the two once in a block.
  const auto never = [&](const char* name) { return !blocks.empty() && changes[name] <= blocks.size(); };
  return {never("lowest"), never("highest")};
}

/// Of right borders whose blocks update lowest and highest as `updates` says, by the `code` of TODO(6), without spaces:
/// whether one of the two is never updated, or by the atomic operation that can only leave it as it is.
inline std::vector<Fault> faults_of_updates(const NeverUpdated& never, const std::string& code) {
  const auto has = [&](const char* call) { return code.find(call) != std::string::npos; };
  const bool neither = never.lowest && never.highest, max_of_lowest = has("atomicMax(&lowest,");
  return {{never.lowest || never.highest,
           message("lowest-not-updated", neither, never.lowest ? "lowest" : "highest")},
          {max_of_lowest || has("atomicMin(&highest,"), message("lowest-by-atomic-max", max_of_lowest)}};
}

/// Of right borders: whether each pixel was computed by one thread, and whether the block waits before lowest and
/// highest are read. `c` counts one block per square, of `squares` squares of 64, none of which is divided. A program
/// that finds lowest and highest without atomics on shared memory is not judged.
inline std::vector<Fault> faults_of_borders(const simt::Counters& c, std::uint64_t squares) {
  const std::uint64_t pixels = squares * 4 * (first_side - 1),
                      updates = 2 * pixels; // a lowest and a highest each
  return {{c.shared_atomic_lanes >= 8 * updates,
           message("border-by-every-thread", c.shared_atomic_lanes, pixels)},
          {c.shared_atomic_lanes > 0 && c.barriers < 2 * squares && c.warp_syncs == 0,
           message("border-not-awaited")}};
}

constexpr std::size_t most_depth = 3; // from squares of 64 to those of 8

/// Of a right picture in which the rule divides `divided` squares: whether more were divided, or by more launches.
inline std::vector<Fault> faults_of_divisions(std::uint64_t child_grids, std::uint64_t their_blocks,
                                              std::size_t depth, std::size_t divided) {
  return {{depth > most_depth, message("wrong-depth/squares", depth)},
          {child_grids > divided,
           message("too-many-child-grids/squares", child_grids, divided, their_blocks < 4 * child_grids)}};
}

} // namespace dynamic_parallelism
