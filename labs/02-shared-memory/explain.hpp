#pragma once
/// Calls of lab 02 that went wrong, told in the words of the lesson: what the simulator and the grader advise is
/// for any kernel.

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "grader/contract_text.hpp"
#include "grader/grader.hpp"
#include "text/pattern.hpp"

namespace shared_memory {

using namespace warpbook;

inline bool is_about(const Failure& failure, const std::string& id) {
  return failure.diagnoses.front() == id;
}

/// Whether the submission did nothing: then the task is still to be written, and there is nothing to explain.
inline bool is_unsolved(const Failure& failure) { return is_about(failure, "unsolved"); }

/// Runs `check`; what fails in it goes through `change`, unless the task is still to be written.
inline void changing(const std::function<void()>& check, const std::function<void(Failure&)>& change) {
  try {
    check();
  } catch (ItemFailed& failed) {
    if (!is_unsolved(failed.failure)) change(failed.failure);
    throw;
  }
}

/// Runs `check`; whatever fails in it, `lines` are added to the details.
inline void with_details(const std::vector<std::string>& lines, const std::function<void()>& check) {
  changing(check, [&](Failure& why) { why.details.insert(why.details.end(), lines.begin(), lines.end()); });
}

/// Runs `check`; whatever fails in it, the details say where to read on: in `section`, or in one that is about just
/// that.
inline void read_in(const std::string& section, const std::function<void()>& check) {
  changing(check, [&](Failure& why) {
    std::string line = handout(section);
    if (is_about(why, "barrier-divergence") || has_diagnosis(why, "share-not-brought"))
      line = handout("All of them, or none");
    if (is_about(why, "invalid-launch") && why.sentence.find("shared memory") != std::string::npos)
      line = handout("More than 48 KiB");
    if (std::ranges::find(why.details, line) == why.details.end()) why.details.push_back(line);
  });
}

/// Runs `check`; what fails in it has a cause that the rubric knows: `cause` is the first of the details, and
/// `diagnosis` one of the ids.
inline void knowing(const std::string& diagnosis, const std::string& cause,
                    const std::function<void()>& check) {
  changing(check, [&](Failure& why) {
    why.diagnoses.push_back(diagnosis);
    why.details.insert(why.details.begin(), cause);
  });
}

/// check_and_shrink, and the smallest size stands before the simulator's findings: `./warpbook check` cuts long
/// details off.
inline void shrink(std::size_t size, const std::vector<std::size_t>& sizes,
                   const std::function<void(std::size_t)>& check) {
  changing([&] { check_and_shrink(size, sizes, check); },
           [](Failure& why) {
             const auto begins = [](const char* with) {
               return [with](const std::string& line) { return line.starts_with(with); };
             };
             const auto finding = std::ranges::find_if(why.details, begins("error: "));
             const auto smallest = std::ranges::find_if(why.details, begins("The smallest size found"));
             if (finding < smallest) std::rotate(finding, smallest, why.details.end());
           });
}

/// Gives the simulator's first finding another sentence, where the rubric knows how it came about: `sentence` and
/// `diagnosis` come first, what the finding said goes into the details, and its general advice goes.
inline void explain(Failure& why, const std::string& diagnosis, const std::string& sentence) {
  std::vector<std::string>& details = why.details;
  const std::string said = why.sentence.substr(why.sentence.find(": ") + 2);
  if (!details.empty() && details.front().starts_with("error: "))
    details.insert(details.begin() + 1, "  " + said);
  else
    details.insert(details.begin(), said);
  const auto next = std::find_if(details.begin() + 1, details.end(),
                                 [](const std::string& line) { return line.starts_with("error: "); });
  details.erase(std::remove_if(details.begin(), next,
                               [](const std::string& line) {
                                 return line.starts_with("  try: ") || line.starts_with("  note: ");
                               }),
                next);
  why.diagnoses.insert(why.diagnoses.begin(), diagnosis);
  why.sentence = sentence;
}

/// The number that follows `before` in `text`, if there is one.
inline std::optional<std::size_t> number_after(const std::string& text, const std::string& before) {
  const std::size_t at = text.find(before);
  if (at == std::string::npos || at + before.size() >= text.size()) return {};
  const char digit = text[at + before.size()];
  if (digit < '0' || digit > '9') return {};
  return std::stoull(text.substr(at + before.size()));
}

/// Of the simulator's first finding: the thread that did it, and its block.
struct Finder {
  unsigned thread, block; ///< threadIdx.x, blockIdx.x
};
inline std::optional<Finder> finder_of(const Failure& why) {
  static const Pattern one(R"(^  - thread \((\d+),0,0\) of block \((\d+),0,0\))");
  for (const std::string& line : why.details) {
    if (!line.starts_with("  - ")) continue;
    const std::optional<Match> found = one.search(line);
    if (!found) return {};
    return Finder{static_cast<unsigned>(std::stoul((*found)[1])),
                  static_cast<unsigned>(std::stoul((*found)[2]))};
  }
  return {};
}

/// Whether a barrier stands on a line between the two places of a finding.
inline bool barrier_between(const std::vector<std::pair<std::string, unsigned>>& places) {
  if (places.size() != 2 || places[0].first != places[1].first) return false;
  const auto [low, high] = std::minmax(places[0].second, places[1].second);
  std::istringstream text(read_text(places[0].first));
  std::string line;
  for (unsigned at = 1; at < high && std::getline(text, line); ++at) {
    const std::string code = line.substr(0, line.find("//"));
    if (at > low && (code.find("__syncthreads") != code.npos || code.find(".sync()") != code.npos))
      return true;
  }
  return false;
}

/// Runs `check` for an item that builds on the task `before`; a submission that does nothing may lack either.
inline void builds_on(int before, int own, const std::function<void()>& check) {
  try {
    check();
  } catch (ItemFailed& failed) {
    Failure& why = failed.failure;
    const std::string& path = submission().options().source_path;
    const auto marker = [&](int todo) {
      return "TODO(" + std::to_string(todo) + ") at " + shown_path(path) + ":" +
             std::to_string(todo_line(read_text(path), todo));
    };
    if (is_unsolved(why) && todo_line(read_text(path), before) != 0 && todo_line(read_text(path), own) != 0) {
      why.sentence = why.sentence.substr(0, why.sentence.find(": ")) + ": first write " + marker(before) +
                     ", then " + marker(own) + ".";
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
    why.sentence = what +
                   " of less than 48 KiB do not come out right yet. Mend those first: this item is about "
                   "larger ones.";
  });
}

/// Whether a thread leaves the shared memory of its block.
inline bool leaves_shared_memory(const Failure& why) {
  return is_about(why, "out-of-bounds") && why.sentence.find("of shared memory") != std::string::npos;
}

/// Of a thread that leaves the shared memory of its block: `cause` becomes the first of the details, in the place of
/// the simulator's advice, which is for arrays as long as the data; `diagnosis` is one of the ids.
inline void explain_leaving(Failure& why, const std::string& diagnosis, const std::string& cause) {
  why.diagnoses.push_back(diagnosis);
  std::erase_if(why.details,
                [](const std::string& line) { return line.starts_with("  try: compare the index"); });
  why.details.insert(why.details.begin(), cause);
}

/// Of a launch that the device refuses for its shared memory: `launch` is the TODO that says how much it needs, and
/// that has the kernel allowed it. The simulator's advice is for more than 48 KiB; less is refused only to a kernel
/// that was allowed still less.
inline void explain_refusal(Failure& why, int launch) {
  if (!is_about(why, "invalid-launch")) return;
  const std::optional<std::size_t> asked = number_after(why.sentence, "does not run: ");
  const std::size_t at = why.sentence.find("are more than this kernel's ");
  if (!asked || at == std::string::npos) return;
  point_to(why, launch);
  const std::optional<std::size_t> allowed = number_after(why.sentence, "are more than this kernel's ");
  if (!allowed || *allowed >= 48 * 1024) return;
  std::erase_if(why.details,
                [](const std::string& line) { return line.starts_with("  try: above 49152 bytes"); });
  why.diagnoses.push_back("allowed-too-little");
  why.details.insert(why.details.begin(),
                     "Without a call of cudaFuncSetAttribute a kernel may have 49152 bytes. One in TODO(" +
                         std::to_string(launch) + ") allowed it " + number(*allowed) +
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

/// Runs `check`; if a thread leaves a dynamic buffer, says whether the launch or an index is to blame. A refused
/// launch is the launch's.
inline void within_buffer(const Buffer& buffer, const std::function<void()>& check) {
  changing(check, [&](Failure& why) {
    explain_refusal(why, buffer.launch);
    if (!leaves_shared_memory(why)) return;
    const std::optional<std::size_t> has = number_after(why.sentence, "which has ");
    const auto todo = [](int number) { return "TODO(" + std::to_string(number) + ")"; };
    if (!has) {
      explain_leaving(why, buffer.diagnosis,
                      buffer.need + " Does the launch ask for so many (" + todo(buffer.launch) +
                          "), and does every index stay below its end (" + todo(buffer.kernel) + ")?");
    } else if (*has < buffer.bytes) {
      explain_leaving(why, buffer.diagnosis,
                      buffer.need + " The launch asks for " + number(*has) + ": `bytes` gets its value in " +
                          todo(buffer.launch) + ".");
      point_to(why, buffer.launch);
    } else if (!buffer.straddle.empty() && why.sentence.find("across the end") != std::string::npos) {
      explain_leaving(why, buffer.diagnosis, buffer.need + " " + buffer.straddle);
      point_to(why, buffer.launch);
    } else {
      const bool by_one = why.sentence.find("just past the end") != std::string::npos;
      explain_leaving(why, buffer.diagnosis,
                      buffer.need + " The launch asks for no fewer: an index is too large (" +
                          todo(buffer.kernel) + ")." +
                          (by_one ? " Of m elements the last has index m - 1; m is one too far." : ""));
    }
  });
}

} // namespace shared_memory
