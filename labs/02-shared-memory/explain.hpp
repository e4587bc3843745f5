#pragma once
/// Calls of lab 02 that went wrong, told in the words of the lesson: what the simulator and the grader advise is
/// for any kernel.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/contract_text.hpp"
#include "grader/grader.hpp"

namespace shared_memory {

using namespace warpbook;

/// What `check` returns; whatever fails in it, `line` is added to the details.
template <typename Check>
auto with_detail(const std::string& line, const Check& check) {
  return changing(check, [&](Failure& why) { why.details.push_back(line); });
}

/// The shared memory that a refused launch asked for, and its limit, if that is what the failure is about.
inline const simt::Refused* refused_memory(const Failure& why) {
  const simt::Diagnostic* finding = first_finding(why);
  const bool is_it = finding && is_about(why, "invalid-launch") && finding->refused &&
                     finding->refused->rule == "dynamic-shared-memory";
  return is_it ? &*finding->refused : nullptr;
}

/// What `check` returns; whatever fails in it, the details say where to read on: in `section`, or in one that is about
/// just that.
template <typename Check>
auto read_in(const std::string& section, const Check& check) {
  return changing(check, [&](Failure& why) {
    const bool is_brought = is_about(why, "barrier-divergence") || has_diagnosis(why, "share-not-brought");
    read_on(why, refused_memory(why) != nullptr ? "More than 48 KiB"
                 : is_brought                   ? "All of them, or none"
                                                : section);
  });
}

/// What `check` returns; what fails in it has a cause that the rubric knows: `cause` is the first of the details, and
/// `diagnosis` one of the ids.
template <typename Check>
auto knowing(const std::string& diagnosis, const std::string& cause, const Check& check) {
  return changing(check, [&](Failure& why) {
    why.diagnoses.push_back(diagnosis);
    add_cause(why, cause);
  });
}

/// Runs `check` for an item that builds on the task `before`; a submission that does nothing may lack either.
inline void builds_on(int before, int own, const std::function<void()>& check) {
  try {
    check();
  } catch (ItemFailed& failed) {
    const std::string& path = submission().options().source_path;
    const unsigned lines[] = {todo_line(read_text(path), before), todo_line(read_text(path), own)};
    const auto marker = [&](int todo, unsigned line) {
      return "TODO(" + std::to_string(todo) + ") at " + shown_path(path) + ":" + std::to_string(line);
    };
    if (is_about(failed.failure, "unsolved") && lines[0] != 0 && lines[1] != 0) {
      failed.failure.sentence = "The output is exactly as it was: first write " + marker(before, lines[0]) +
                                ", then " + marker(own, lines[1]) + ".";
    }
    throw;
  }
}

/// Runs `check`, the small case of an item that is about large ones. What fails in it is another task's, and is
/// told there: the task `kernel`, where no line says otherwise.
inline void small_first(const std::string& what, int kernel, const std::function<void()>& check) {
  changing(check, [&](Failure& why) {
    why.diagnoses.insert(why.diagnoses.begin(), "small-first");
    if (why.places.empty() && why.todos.empty()) point_to(why, kernel);
    why.details = {why.sentence};
    why.causes.clear();
    why.findings.clear();
    why.sentence =
        what +
        " of less than 48 KiB do not come out right yet. Mend those first: this item is about larger ones.";
  });
}

/// What the simulator found, if it is that a thread leaves the shared memory of its block, by a short way.
inline const simt::Diagnostic* left_shared_memory(const Failure& why) {
  const simt::Diagnostic* finding = first_finding(why);
  const bool leaves = finding && is_about(why, "out-of-bounds") && finding->space == simt::Space::shared &&
                      (finding->outside || finding->variable.empty());
  return leaves ? finding : nullptr;
}

/// Of a thread that leaves the shared memory of its block: `cause` stands in the place of the simulator's advice, which
/// is for arrays as long as the data; `diagnosis` is one of the ids.
inline void explain_leaving(Failure& why, const std::string& diagnosis, const std::string& cause) {
  why.diagnoses.push_back(diagnosis);
  advise(why, "");
  add_cause(why, cause);
}

/// Of a launch that the device refuses for its shared memory: `launch` is the TODO that says how much it needs, and
/// that has the kernel allowed it. The simulator's advice is for more than 48 KiB; less is refused only to a kernel
/// that was allowed still less.
inline void explain_refusal(Failure& why, int launch) {
  const simt::Refused* refused = refused_memory(why);
  if (refused == nullptr) return;
  point_to(why, launch);
  const std::uint64_t allowed = refused->allowed;
  if (allowed >= 48 * 1024) return;
  advise(why, "");
  why.diagnoses.push_back("allowed-too-little");
  add_cause(why, "Without a call of cudaFuncSetAttribute a kernel may have 49152 bytes. One in TODO(" +
                     std::to_string(launch) + ") allowed it " + number(allowed) +
                     ", and that stays until the next call: allow as many bytes as the launch asks for, "
                     "before every launch.");
}

/// What a block keeps in a dynamic buffer, and which tasks are about it.
struct Buffer {
  std::string diagnosis;
  std::size_t bytes;    ///< that it needs
  std::string need;     ///< the same as a sentence
  int kernel, launch;   ///< the numbers of the TODOs
  std::string straddle; ///< advice where an access begins in the buffer and ends behind it, if there is any
};

/// What `check` returns; if a thread leaves a dynamic buffer, says whether the launch or an index is to blame. A refused
/// launch is the launch's.
template <typename Check>
auto within_buffer(const Buffer& buffer, const Check& check) {
  return changing(check, [&](Failure& why) {
    explain_refusal(why, buffer.launch);
    const simt::Diagnostic* finding = left_shared_memory(why);
    if (finding == nullptr) return;
    const std::optional<simt::Outside> outside = finding->outside;
    const auto todo = [](int number) { return "TODO(" + std::to_string(number) + ")"; };
    const bool is_short = outside && outside->array_bytes < buffer.bytes;
    const bool straddles =
        outside && !is_short && !buffer.straddle.empty() && outside->side == simt::Outside::Side::across;
    std::string advice =
        " The launch asks for no fewer: an index is too large (" + todo(buffer.kernel) + ").";
    if (!outside)
      advice = " Does the launch ask for so many (" + todo(buffer.launch) +
               "), and does every index stay below its end (" + todo(buffer.kernel) + ")?";
    else if (is_short)
      advice = " The launch asks for " + number(outside->array_bytes) + ": `bytes` gets its value in " +
               todo(buffer.launch) + ".";
    else if (straddles)
      advice = " " + buffer.straddle;
    else if (outside->side == simt::Outside::Side::past && outside->distance == 0)
      advice += " Of m elements the last has index m - 1; m is one too far.";
    explain_leaving(why, buffer.diagnosis, buffer.need + advice);
    if (is_short || straddles) point_to(why, buffer.launch);
  });
}

} // namespace shared_memory
