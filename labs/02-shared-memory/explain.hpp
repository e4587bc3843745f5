#pragma once
/// Explains failed calls of lab 02 in the words of the lesson: the simulator and the grader advise for any kernel.

#include <functional>
#include <string>
#include <vector>

#include "grader/contract_text.hpp"
#include "grader/grader.hpp"
#include "messages.hpp"

namespace shared_memory {

using namespace warpbook;

/// The shared memory that a refused launch asked for, and its limit, if that is what the failure is about.
inline const simt::Refused* refused_memory(const Failure& why) {
  const simt::Finding* finding = first_finding(why);
  const simt::Refused* refused = finding ? finding->get<simt::Refused>() : nullptr;
  const bool is_it = refused && is_about(why, "invalid-launch") && refused->rule == "dynamic-shared-memory";
  return is_it ? refused : nullptr;
}

/// What the simulator found, if it is that a thread leaves the shared memory of its block, by a short way.
inline const simt::Finding* left_shared_memory(const Failure& why) {
  const simt::Finding* finding = first_finding(why);
  const bool leaves = finding && is_about(why, "out-of-bounds") && finding->space == simt::Space::shared &&
                      (finding->get<simt::Outside>() || finding->variable.empty());
  return leaves ? finding : nullptr;
}

/// What `check` returns. A failure in it gets the section of the handout to read: `section`, or a more special one.
template <typename Check>
auto read_in(const std::string& section, const Check& check) {
  return changing(check, [&](Failure& why) {
    const bool is_brought = is_about(why, "barrier-divergence") || has_diagnosis(why, "share-not-brought");
    read_on(why, refused_memory(why) != nullptr ? "More than 48 KiB" : is_brought ? "Barriers" : section);
  });
}

/// How a task calls its function.
struct Asked {
  std::string section; ///< of the handout, where to read on if it goes wrong
  Schedule schedule;
  std::string shape = {}; ///< of the call in words; may be empty
  Sources sources = {};
  std::function<void(Failure&)> explain = [](Failure&) {}; ///< of what goes wrong, what the task knows
};
/// Calls `function` so; what goes wrong is explained.
template <typename F, typename... Arguments>
Reply call_explained(const Asked& asked, F function, const Arguments&... arguments) {
  const CallOptions how{.schedule = asked.schedule, .sites = true, .sources = asked.sources};
  const auto call = [&] { return submission().call(how, function, arguments...); };
  return read_in(asked.section, [&] {
    return changing(call, [&](Failure& why) {
      asked.explain(why);
      if (!asked.shape.empty()) why.details.push_back(asked.shape);
    });
  });
}

/// Gives a failure a cause that the rubric knows: its sentence is the first of the details, and its id one of the ids.
inline void add_known(Failure& why, const LabMessage& cause) {
  why.diagnoses.push_back(cause.id);
  add_cause(why, cause.sentence);
  if (!cause.section.empty()) read_on(why, cause.section);
}
/// The same in the place of the simulator's advice, which is for arrays as long as the data.
inline void add_instead(Failure& why, const LabMessage& cause) {
  advise(why, "");
  add_known(why, cause);
}
/// What `check` returns; what fails in it has this cause.
template <typename Check>
auto knowing(const LabMessage& cause, const Check& check) {
  return changing(check, [&](Failure& why) { add_known(why, cause); });
}

/// The same, unless the launch asks for more than is needed: then a limit is not the cause.
template <typename Check>
auto knowing_limit(const LabMessage& cause, const Check& check) {
  return changing(check, [&](Failure& why) {
    if (!has_diagnosis(why, "asked-too-much")) add_known(why, cause);
  });
}

/// Fails the item for what a message says; `also` comes behind its id.
[[noreturn]] inline void fail_also(LabMessage says, std::string also, Details details) {
  Failure why = failure_of(std::move(says), std::move(details));
  why.diagnoses.push_back(std::move(also));
  fail(std::move(why));
}

/// Runs `check` for an item that builds on the task `before`; a submission that does nothing may lack either, and where the
/// result is wrong either may be the cause.
inline void builds_on(int before, int own, const std::function<void()>& check) {
  const Rule rule([&](Failure& failure) {
    const std::string& path = submission().options().source_path;
    const unsigned first = todo_line(read_text(path), before), second = todo_line(read_text(path), own);
    const bool is_untouched =
        has_diagnosis(failure, "unsolved") || is_about(failure, "output-unwritten");
    if (is_untouched && !is_begun(before) && first != 0 && second != 0)
      failure.sentence =
          message("/both-unsolved", shown_path(path), before, first, own, second).sentence;
    if (is_about(failure, "wrong-result") && failure.todos.empty()) failure.todos = {before, own};
  });
  check();
}

/// Runs `check`, the small case of an item that is about large ones. A failure in it belongs to another task, whose
/// items explain it: the task `kernel`, unless a line says otherwise. If the task `launch` is to blame, whose item this
/// is, no other item explains it, and what is known of the cause stays.
inline void small_first(const std::string& what, int kernel, int launch, const std::function<void()>& check) {
  changing(check, [&](Failure& why) {
    if (has_diagnosis(why, "output-unwritten") && !is_begun(kernel)) {
      const std::string& path = submission().options().source_path;
      const unsigned line = todo_line(read_text(path), kernel);
      const LabMessage says = message("small-first/unsolved", what, shown_path(path), kernel, line);
      why.diagnoses.insert(why.diagnoses.begin(), says.id);
      reword(why, says); // that of the output says less
      return point_to(why, kernel);
    }
    const bool is_own = why.todos == std::vector<int>{launch} && !why.causes.empty();
    if (why.places.empty() && why.todos.empty()) point_to(why, kernel);
    why.details.clear();
    why.findings.clear();
    if (is_own) {
      const Details causes = why.causes;
      retell(why, message("small-first/launch", what, launch));
      why.causes = causes; // the sentence that was is about an access, which the cause explains
      return;
    }
    why.causes.clear();
    retell(why, message("small-first", what));
  });
}

/// What a block keeps in a dynamic buffer, and which tasks are about it.
struct Buffer {
  LabMessage need; ///< how many bytes it needs
  std::size_t bytes;
  int kernel, launch;       ///< TODOs; the latter says how many bytes, and has the kernel allowed them
  LabMessage straddle = {}; ///< where an access begins in the buffer and ends behind it, if there is any
};

/// If a thread leaves a dynamic buffer, says whether the launch or an index is to blame. A refused launch is the
/// launch's: the simulator's advice is for more than 48 KiB, and less is refused only to a kernel that was allowed
/// still less.
inline void explain_buffer(Failure& why, const Buffer& buffer) {
  // A refused launch is a finding; of other calls only cudaFuncSetAttribute is asked for.
  if (is_about(why, "cuda-error") && why.findings.empty() && submission().backend() == Backend::sim) {
    point_to(why, buffer.launch);
    if (!why.details.empty()) why.details.erase(why.details.begin()); // about any such call
    add_known(why, message("attribute-refused", buffer.launch, buffer.bytes));
    return;
  }
  if (const simt::Refused* refused = refused_memory(why)) {
    point_to(why, buffer.launch);
    constexpr std::size_t for_alignment = 16;
    if (refused->asked > buffer.bytes + for_alignment)
      add_instead(why,
                  {"asked-too-much", buffer.need.sentence + " " +
                                         message("asked-too-much", refused->asked, buffer.launch).sentence});
    else if (refused->allowed < 48 * 1024)
      add_instead(why, message("allowed-too-little", buffer.launch, refused->allowed));
  }
  const simt::Finding* finding = left_shared_memory(why);
  if (finding == nullptr) return;
  using Side = simt::Outside::Side;
  const auto* outside = finding->get<simt::Outside>();
  const bool is_short = outside && outside->array_bytes < buffer.bytes;
  const bool straddles =
      outside && !is_short && !buffer.straddle.sentence.empty() && outside->side == Side::across;
  const LabMessage advice = !outside    ? message("/launch-or-index", buffer.launch, buffer.kernel)
                            : is_short  ? message("/launch-too-small", outside->array_bytes, buffer.launch)
                            : straddles ? buffer.straddle
                                        : message("/index-too-large", buffer.kernel,
                                                  outside->side == Side::past && outside->distance == 0);
  add_instead(why, {buffer.need.id, buffer.need.sentence + " " + advice.sentence});
  if (is_short || straddles) point_to(why, buffer.launch);
}

} // namespace shared_memory
