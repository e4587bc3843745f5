#pragma once
/// Calls of lab 05 that went wrong, told in the words of the lesson: what the simulator finds and advises is for
/// any kernel. Each sentence says what the finding shows; where the cause could be another one, it asks.

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/grader.hpp"
#include "lab.hpp"
#include "text/pattern.hpp"

namespace dynamic_parallelism {

using namespace warpbook;

/// Puts the lesson's sentence in front of the simulator's, which becomes a detail and loses its advice. `id` comes
/// before the simulator's diagnoses, which stay.
inline void tell(Failure& failure, const std::string& id, const std::string& sentence,
                 const std::string& section) {
  drop_advice(failure);
  const std::size_t colon = failure.sentence.find(": "); // behind the function's name
  const std::string found =
      colon == std::string::npos ? failure.sentence : failure.sentence.substr(colon + 2);
  const bool has_heading = !failure.details.empty() && failure.details.front().starts_with("error: ");
  failure.details.insert(failure.details.begin() + (has_heading ? 1 : 0), (has_heading ? "  " : "") + found);
  failure.details.push_back(handout(section));
  failure.sentence = sentence;
  failure.diagnoses.insert(failure.diagnoses.begin(), id);
}

/// One of the (at most two) threads of a finding, as a detail describes it.
struct Side {
  std::size_t block_x = 0, block_y = 0, thread = 0;
  std::string action; ///< "reads 4 bytes of it, in the parent (depth 0)"
  bool is_plain_write() const { return action.starts_with("writes "); }
  bool reads() const { return action.starts_with("reads "); }
  /// Of the thread's grid, where the finding is about two grids; else 0.
  unsigned depth() const {
    const std::string before = "(depth ";
    const std::size_t at = action.find(before);
    if (at == std::string::npos) return 0;
    return static_cast<unsigned>(std::strtoul(action.c_str() + at + before.size(), nullptr, 10));
  }
};

/// The simulator's first finding, which a failure's sentence is about.
struct Finding {
  std::string id;
  std::string sentence;
  std::string array; ///< empty: the sentence names no element
  std::size_t index = 0;
  std::vector<Side> sides;
  std::vector<std::string> lines; ///< of the finding, without those of further ones

  bool is_race_of_two() const { return id.ends_with("-race") && sides.size() == 2; }
  bool is_within_one_block() const { return sentence.find("Two threads of one block ") != std::string::npos; }
  bool is_between_blocks() const {
    return sentence.find("Two threads of different blocks ") != std::string::npos;
  }
  bool says(const std::string& text) const {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.find(text) != std::string::npos; });
  }
};

inline Finding finding_of(const Failure& failure) {
  static const Pattern element(R"((\w+)\[(\d+)\])");
  static const Pattern side(
      R"(  - thread \((\d+),\d+,\d+\) of block \((\d+),(\d+),\d+\), warp \d+ lane \d+ (.*))");
  const auto as_number = [](const std::string& digits) { return std::strtoull(digits.c_str(), nullptr, 10); };
  Finding finding;
  finding.id = failure.diagnoses.empty() ? "" : failure.diagnoses.front();
  finding.sentence = failure.sentence;
  if (const std::optional<Match> found = element.search(failure.sentence)) {
    finding.array = (*found)[1];
    finding.index = as_number((*found)[2]);
  }
  for (const std::string& line : failure.details) {
    if (line.starts_with("error: ") && !finding.lines.empty()) break;
    finding.lines.push_back(line);
    if (const std::optional<Match> found = side.match(line))
      finding.sides.push_back(
          {as_number((*found)[2]), as_number((*found)[3]), as_number((*found)[1]), (*found)[4]});
  }
  return finding;
}

/// Whether a thread ended the kernel because its launch was refused for want of room.
inline bool trapped_when_refused(const Failure& failure) {
  const Finding finding = finding_of(failure);
  return has_diagnosis(failure, "trap") && finding.says("cudaErrorLaunchPendingCountExceeded");
}

/// The same call once more, with what it was found to do allowed: for what can be counted. Empty if it ends
/// before its time all the same.
using Again = std::function<std::optional<Reply>()>;

/// "Block 0 reads work[256], element 0 of part 1."
inline std::string beyond_its_part(const Side& side, std::size_t index) {
  const std::size_t begin = side.block_x * part_size;
  return "Block " + number(side.block_x) + (side.reads() ? " reads" : " writes") + " work[" + number(index) +
         "], element " + number(index % part_size) + " of part " + number(index / part_size) +
         ". Seen from its own part that is element " + number(index - begin) +
         ", and a part has elements 0 to 255: which round goes beyond it, or which thread?";
}

/// A sum that lies in no array of sums: for all five functions.
inline bool explain_sum_beyond(Failure& failure, const Finding& finding) {
  if (finding.id != "out-of-bounds" || finding.array != "sums") return false;
  tell(failure, "sum-beyond-the-end",
       "A thread uses sums[" + number(finding.index) +
           "], and there is only one sum for each part: the k-th part's sum belongs to sums[k]. Which of "
           "your numbers is the part's, and is there such a part?",
       "Parts and blocks");
  return true;
}

/// reduce_neighbored, reduce_neighbored_less and reduce_interleaved.
inline void explain_flat(Failure& failure, std::size_t parts, const Again& again) {
  const Finding finding = finding_of(failure);
  if (explain_sum_beyond(failure, finding)) return;
  const std::size_t part = finding.index / part_size;
  if (finding.array == "work" && finding.id == "out-of-bounds" && finding.sides.size() == 1 &&
      finding.sides[0].block_x < part) {
    tell(failure, "beyond-the-part", beyond_its_part(finding.sides[0], finding.index), "Parts and blocks");
    return;
  }
  if (finding.id != "global-race" || !finding.is_race_of_two()) return;
  const Side &one = finding.sides[0], &other = finding.sides[1];
  if (finding.array == "work" && finding.is_between_blocks()) {
    const Side& guest = one.block_x == part ? other : one;
    const Side& owner = one.block_x == part ? one : other;
    if (owner.block_x == part && guest.block_x < part)
      tell(failure, "beyond-the-part", beyond_its_part(guest, finding.index), "Parts and blocks");
    return;
  }
  if (!finding.is_within_one_block()) return;
  if (finding.array == "sums" && one.is_plain_write() && other.is_plain_write()) {
    tell(failure, "sum-by-several-threads",
         "Threads " + number(one.thread) + " and " + number(other.thread) + " of one block both write sums[" +
             number(finding.index) +
             "], and not the same value. In which element is the sum after the last round, and which "
             "thread is to write it?",
         "Three ways to pair up");
    return;
  }
  const bool one_statement = failure.places.size() == 2 && failure.places[0] == failure.places[1];
  if (finding.array != "work" || one.thread == other.thread || !one_statement) return;
  // One statement on both sides, and a barrier in every round: the two are of one round. (The last round's barrier may
  // be missing; load_part has one.)
  constexpr std::size_t least_barriers = 8;
  const std::optional<Reply> reply = again();
  if (!reply || reply->counters().barriers < least_barriers * parts) return;
  const bool both_write = one.is_plain_write() && other.is_plain_write();
  const Side& reader = one.reads() ? one : other;
  const Side& writer = one.reads() ? other : one;
  tell(failure, "pairs-overlap",
       "In one round each element belongs to one pair only. Here " +
           (both_write ? "threads " + number(one.thread) + " and " + number(other.thread) +
                             " both write work[" + number(finding.index) + "]"
                       : "thread " + number(reader.thread) + " reads work[" + number(finding.index) +
                             "], which thread " + number(writer.thread) + " writes") +
           ", and a barrier in every round does not help. Who works in this round, and with which element "
           "does its pair begin?",
       "Three ways to pair up");
}

/// reduce_nested.
inline void explain_nested(Failure& failure) {
  const Finding finding = finding_of(failure);
  if (explain_sum_beyond(failure, finding)) return;
  if (finding.id == "uninitialised-read" && finding.array == "work" && finding.says("total += part[i]")) {
    tell(failure, "refused-part-wrong",
         "finish_alone adds up work[" + number(finding.index) +
             "], which nobody has written. When a launch is refused, a half of the part has been added to "
             "the other one already: how many elements are left?",
         "Two thousand and forty-eight");
    return;
  }
  if (trapped_when_refused(failure)) {
    tell(failure, "refused-part-ends-the-kernel",
         "A launch was refused, and then the program ends with an error. That is better than to go on as "
         "if nothing had happened; but here the thread can do without its child: finish_alone adds up what "
         "is left of the part. Raising the limit only moves the place where this happens.",
         "Two thousand and forty-eight");
    return;
  }
  if (finding.id != "global-race") return;
  for (const Side& side : finding.sides) {
    if (side.depth() == 0 || side.block_x == 0) continue;
    tell(failure, "child-has-many-blocks",
         "A child grid has more than one block: here block " + number(side.block_x) + " of one of depth " +
             number(side.depth()) + " uses work[" + number(finding.index) +
             "]. A child grid is launched by one block, for what is left of that block's own part: how "
             "many blocks does one part need?",
         "A block launches its next half");
    return;
  }
}

/// reduce_nested_by_level.
inline void explain_level(Failure& failure, const Again& again) {
  const Finding finding = finding_of(failure);
  const std::string section = "Level by level";
  if (explain_sum_beyond(failure, finding)) return;
  if (trapped_when_refused(failure)) {
    tell(failure, "too-many-child-grids",
         "A launch was refused because so many are pending already, and a chain of levels has one at a "
         "time. A launch is a statement like any other: which threads of the whole grid come to it?",
         section);
    return;
  }
  const std::string gaps = "Each part begins part_size elements after the one before, at *every* level";
  if (finding.id == "uninitialised-read" && finding.array == "work") {
    tell(failure, "level-index",
         "A level reads work[" + number(finding.index) + "], element " + number(finding.index % part_size) +
             " of part " + number(finding.index / part_size) + ", and no level has written it. " + gaps +
             ", and what is left of it lies at its beginning: does the index of the first element say so, "
             "where it is read and where it is written?",
         section);
    return;
  }
  if (finding.id != "global-race") return;
  if (finding.is_within_one_block() || finding.is_between_blocks()) {
    tell(failure, "level-index",
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
  tell(failure, "next-level-too-early",
       "The next level starts before all blocks of this one have finished: " +
           number(c.child_grids - c.tail_launches) + " of " + counted(c.child_grids, "child grid") +
           " were not tail launches. No barrier mends that: __syncthreads() is for the threads of one "
           "block. A launch into which stream waits for the whole grid?",
       section);
}

} // namespace dynamic_parallelism
