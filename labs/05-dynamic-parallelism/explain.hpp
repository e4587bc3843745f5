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

/// Whether a finding is about one element of this array of the contract's.
inline bool is_in(const simt::Diagnostic& finding, const char* array) {
  return finding.variable == array && finding.element.size() == 1 && finding.element.front() >= 0;
}

/// The number of that element.
inline std::size_t index_of(const simt::Diagnostic& finding) {
  return static_cast<std::size_t>(finding.element.front());
}

/// Whether a thread ended the kernel because its launch was refused for want of room.
inline bool trapped_when_refused(const Failure& failure) {
  return any_finding(failure, [](const simt::Diagnostic& finding) {
    return finding.id == "trap" && finding.refused && finding.refused->rule == "pending-launches";
  });
}

/// Whether one of the lines that the failure is about is the student's.
inline bool lies_in_any_todo(const Failure& failure) {
  const std::string source = read_text(submission().options().source_path);
  return std::ranges::any_of(failure.places,
                             [&](const auto& place) { return todo_around(source, place.second) != 0; });
}

/// The same call once more, with what it was found to do allowed: for what can be counted. Empty if it ends
/// before its time all the same.
using Again = std::function<std::optional<Reply>()>;

/// "Block 0 reads work[256], element 0 of part 1."
inline std::string beyond_its_part(const simt::Participant& party, std::size_t index) {
  const std::size_t block = party.thread->block[0], begin = block * part_size;
  return "Block " + number(block) + (party.access == simt::Access::read ? " reads" : " writes") + " work[" +
         number(index) + "], element " + number(index % part_size) + " of part " + number(index / part_size) +
         ". Seen from its own part that is element " + number(index - begin) +
         ", and a part has elements 0 to 255: which round goes beyond it, or which thread?";
}

/// A sum that lies in no array of sums: for all five functions.
inline bool explain_sum_beyond(Failure& failure, const simt::Diagnostic& finding) {
  if (finding.id != "out-of-bounds" || !is_in(finding, "sums")) return false;
  retell(failure, "sum-beyond-the-end",
         "A thread uses sums[" + number(index_of(finding)) +
             "], and there is only one sum for each part: the k-th part's sum belongs to sums[k]. Which of "
             "your numbers is the part's, and is there such a part?",
         "Parts and blocks");
  return true;
}

/// reduce_neighbored, reduce_neighbored_less and reduce_interleaved.
inline void explain_flat(Failure& failure, std::size_t parts, const Again& again) {
  if (failure.findings.empty()) return;
  const simt::Diagnostic finding = *first_finding(failure);
  if (explain_sum_beyond(failure, finding)) return;
  const bool is_work = is_in(finding, "work"), is_sum = is_in(finding, "sums");
  if (!is_work && !is_sum) return;
  const std::size_t index = index_of(finding), part = index / part_size;
  const auto block_of = [](const simt::Participant& party) { return party.thread->block[0]; };
  if (is_work && finding.id == "out-of-bounds" && block_of(finding.participants.front()) < part) {
    retell(failure, "beyond-the-part", beyond_its_part(finding.participants.front(), index),
           "Parts and blocks");
    return;
  }
  if (finding.id != "global-race") return;
  const simt::Participant &one = finding.participants[0], &other = finding.participants[1];
  if (is_work && between_blocks(finding)) {
    const simt::Participant& guest = block_of(one) == part ? other : one;
    const simt::Participant& owner = block_of(one) == part ? one : other;
    if (block_of(owner) == part && block_of(guest) < part)
      retell(failure, "beyond-the-part", beyond_its_part(guest, index), "Parts and blocks");
    return;
  }
  if (!within_block(finding)) return;
  const bool both_write = one.access == simt::Access::write && other.access == simt::Access::write;
  const std::size_t thread = one.thread->thread[0], other_thread = other.thread->thread[0];
  if (is_sum && both_write) {
    retell(failure, "sum-by-several-threads",
           "Threads " + number(thread) + " and " + number(other_thread) + " of one block both write sums[" +
               number(index) +
               "], and not the same value. In which element is the sum after the last round, and which "
               "thread is to write it?",
           "Three ways to pair up");
    return;
  }
  const bool one_statement = failure.places.size() == 2 && failure.places[0] == failure.places[1];
  if (!is_work || thread == other_thread || !one_statement) return;
  // One statement on both sides, and a barrier in every round: the two are of one round. (The last round's barrier may
  // be missing; load_part has one.)
  constexpr std::size_t least_barriers = 8;
  const std::optional<Reply> reply = again();
  if (!reply || reply->counters().barriers < least_barriers * parts) return;
  const bool one_reads = one.access == simt::Access::read;
  retell(failure, "pairs-overlap",
         "In one round each element belongs to one pair only. Here " +
             (both_write
                  ? "threads " + number(thread) + " and " + number(other_thread) + " both write work[" +
                        number(index) + "]"
                  : "thread " + number(one_reads ? thread : other_thread) + " reads work[" + number(index) +
                        "], which thread " + number(one_reads ? other_thread : thread) + " writes") +
             ", and a barrier in every round does not help. Who works in this round, and with which element "
             "does its pair begin?",
         "Three ways to pair up");
}

/// reduce_nested. `launches_failed`: of the call, so that finish_alone has run.
inline void explain_nested(Failure& failure, bool launches_failed) {
  if (failure.findings.empty()) return;
  const simt::Diagnostic finding = *first_finding(failure);
  if (explain_sum_beyond(failure, finding)) return;
  // finish_alone is none of the student's lines.
  if (finding.id == "uninitialised-read" && is_in(finding, "work") && !lies_in_any_todo(failure) &&
      launches_failed) {
    retell(failure, "refused-part-wrong",
           "finish_alone adds up work[" + number(index_of(finding)) +
               "], which nobody has written. When a launch is refused, a half of the part has been added to "
               "the other one already: how many elements are left?",
           "Two thousand and forty-eight");
    return;
  }
  if (trapped_when_refused(failure)) {
    retell(failure, "refused-part-ends-the-kernel",
           "A launch was refused, and then the program ends with an error. That is better than to go on as "
           "if nothing had happened; but here the thread can do without its child: finish_alone adds up what "
           "is left of the part. Raising the limit only moves the place where this happens.",
           "Two thousand and forty-eight");
    return;
  }
  if (finding.id != "global-race") return;
  if (!is_in(finding, "work")) return;
  for (const simt::Participant& party : finding.participants) {
    const std::size_t block = party.thread->block[0];
    if (party.depth.value_or(0) == 0 || block == 0) continue;
    retell(failure, "child-has-many-blocks",
           "A child grid has more than one block: here block " + number(block) + " of one of depth " +
               number(*party.depth) + " uses work[" + number(index_of(finding)) +
               "]. A child grid is launched by one block, for what is left of that block's own part: how "
               "many blocks does one part need?",
           "A block launches its next half");
    return;
  }
}

/// reduce_nested_by_level.
inline void explain_level(Failure& failure, const Again& again) {
  if (failure.findings.empty()) return;
  const simt::Diagnostic finding = *first_finding(failure);
  const std::string section = "Level by level";
  if (explain_sum_beyond(failure, finding)) return;
  if (trapped_when_refused(failure)) {
    retell(failure, "too-many-child-grids",
           "A launch was refused because so many are pending already, and a chain of levels has one at a "
           "time. A launch is a statement like any other: which threads of the whole grid come to it?",
           section);
    return;
  }
  const std::string gaps = "Each part begins part_size elements after the one before, at *every* level";
  if (finding.id == "uninitialised-read" && is_in(finding, "work")) {
    retell(failure, "level-index",
           "A level reads work[" + number(index_of(finding)) + "], element " +
               number(index_of(finding) % part_size) + " of part " + number(index_of(finding) / part_size) +
               ", and no level has written it. " + gaps +
               ", and what is left of it lies at its beginning: does the index of the first element say so, "
               "where it is read and where it is written?",
           section);
    return;
  }
  if (finding.id != "global-race") return;
  if (within_block(finding) || between_blocks(finding)) {
    retell(failure, "level-index",
           "No barrier helps here: every thread of a level has two elements of its own, which no other "
           "thread of this level touches. " +
               gaps + ": does the index of the first one say so?",
           section);
    return;
  }
  const std::optional<Reply> reply = again();
  if (!reply) return;
  const simt::Counters& c = reply->counters();
  if (c.tail_launches == c.child_grids) return;
  retell(failure, "next-level-too-early",
         "The next level starts before all blocks of this one have finished: " +
             number(c.child_grids - c.tail_launches) + " of " + counted(c.child_grids, "child grid") +
             " were not tail launches. No barrier mends that: __syncthreads() is for the threads of one "
             "block. A launch into which stream waits for the whole grid?",
         section);
}

} // namespace dynamic_parallelism
