#pragma once
/// How an item fails: one diagnosis id, one sentence for the student, and details below it.

#include "grader/detail.hpp"
#include "grader/message.hpp"
#include "simt/report/symbolizer.hpp"
#include "simt/trace/formula.hpp"

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace warpbook {

/// What the simulator found, and how a failure tells it.
struct ToldFinding {
  simt::Finding finding;
  simt::Telling telling = {};
  Details lessons = {}; ///< told below it
};

/// An element of an output that is not what is right.
struct WrongElement {
  std::size_t index = 0;
  double actual = std::numeric_limits<double>::quiet_NaN(); ///< for what is no number
  double wanted = std::numeric_limits<double>::quiet_NaN();
  bool should_stay = false; ///< whether `wanted` is what it was before the call
};

/// The first of them, and where they are.
struct WrongOutput {
  std::string call; ///< in words
  std::string name; ///< of the buffer, in lab.hpp
  std::size_t element_bytes = 1;
  std::vector<WrongElement> elements = {};
};

/// Why an item failed. `diagnoses` are stable kebab-case ids; the first is the one the sentence is
/// about. Mutants name the id that must be among them. A student reads the sentence, the causes, the findings, the
/// details and the sections, in this order.
struct Failure {
  std::vector<std::string> diagnoses;
  Sentence sentence;
  Details details;
  /// Files and lines that the sentence is about, as far as they are known: they tell the task.
  std::vector<std::pair<std::string, unsigned>> places = {};
  /// The tasks of which one is the cause, if the rubric knows that better than the item's todo() does.
  std::vector<int> todos = {};
  /// How it came about, as far as the rubric knows; in the grader's own results all of this is in the details.
  Details causes = {};
  /// The simulator's, without repetitions; the first is the one that the sentence is about, if a call failed for it.
  std::vector<ToldFinding> findings = {};
  /// How kernels took the elements that the failure is about, as data; the causes tell it.
  std::vector<simt::AccessFormula> formulas = {};
  std::string function = {};              ///< whose call the simulator objects to
  std::vector<std::string> sections = {}; ///< of the handout, where to read on
  std::string message = {}; ///< the key of the message that the sentence is; empty if it is none
  std::string facts = {};   ///< what the sentence says, as data; empty: not known
  WrongOutput wrong = {};   ///< where it is about values
  /// The same mistake in the smallest call that shows it, if there is one (check_and_shrink).
  std::shared_ptr<const Failure> smallest = {};
};

/// All that is reported below the sentence, line by line, but for the sections. Of many findings only the first are
/// reported.
Details told_lines(const Failure& failure);

/// Sends the reader to a section of the handout.
std::string handout_line(const std::string& section);

/// The details, and a line for each section: for outputs that have no place of their own for sections.
std::vector<std::string> details_and_sections(const Failure& failure);

/// Whether it says no more than that a result is wrong.
bool is_bare(const Failure& failure);

/// Thrown by fail() and by a call that went wrong; ends the item, or the attempt that it happens in (failure_in).
struct ItemFailed : std::runtime_error {
  explicit ItemFailed(Failure why) : std::runtime_error(why.sentence.to_print()), failure(std::move(why)) {}
  const Failure failure;
};

/// Whether the submission lacks the function: then nothing of it has run.
bool is_missing_function(const Failure& failure);

/// Thrown where the machine, and not the submission, is the reason that there is no answer; ends the item without a
/// verdict.
struct ItemUndecided : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Fails the item with a failure that is explained as far as the place knows where it was made: the rules in force explain
/// the rest.
[[noreturn]] void pass_on(Failure failure);

/// How failures are explained while it exists. A failure is made once, before it is thrown: it begins as what was observed, and
/// each rule in force changes it, the innermost first. What fails within a rule goes on to the rules outside of it.
class Rule {
public:
  explicit Rule(std::function<void(Failure&)> explain);
  ~Rule();
  Rule(const Rule&) = delete;
  Rule& operator=(const Rule&) = delete;

private:
  friend void pass_on(Failure failure);
  std::function<void(Failure&)> explain_;
  const Rule* outer_;
};

/// Fails the item: `sentence` is what the student reads first, in the lesson's words.
/// `facts` are what it says as data.
[[noreturn]] void fail(std::string diagnosis, Sentence sentence, Details details = {},
                       std::string facts = {});
[[noreturn]] void fail(Failure failure);
/// Fails the item for what a message says, with details below it.
[[noreturn]] void fail(const LabMessage& message, Details details = {});
/// That failure, for those who add to it.
Failure failure_of(const LabMessage& message, Details details = {});
/// Whether `id` is among the failure's diagnoses, be it the first or not.
bool has_diagnosis(const Failure& failure, const std::string& id);

/// Sends the student to this TODO of the submission's file, and not to the lines that the failure names. Does nothing
/// where the file has no such TODO.
void point_to(Failure& failure, int todo);

/// Whether there is no code yet in this TODO of the submission's file.
bool is_todo_empty(int todo);

/// Sends the student to the line of a TODO from which the host has launched what the first finding is about, and tells the
/// launch. For kernels that are given: what goes wrong in one is what it was asked for. Returns the launch; null if the
/// finding's own lines are in a TODO, or no such line is known.
const simt::HostLaunch* point_to_launch(Failure& failure);

/// The line of a TODO from which the host has made the launch, if it is known and none of `lines`, which are about the
/// kernel, is in a TODO.
std::optional<simt::SourceLine> asking_line(const simt::HostLaunch& launch,
                                            const std::vector<std::pair<std::string, unsigned>>& lines,
                                            simt::Symbolizer& symbolizer);

/// Whether the sentence is about `id`.
bool is_about(const Failure& failure, const std::string& id);
/// What the simulator found first; null where the failure is none of its.
const simt::Finding* first_finding(const Failure& failure);
/// Whether a condition holds for one of the findings.
template <typename Condition>
bool any_finding(const Failure& failure, const Condition& condition) {
  for (const ToldFinding& told : failure.findings)
    if (condition(told.finding)) return true;
  return false;
}

/// Adds how it came about, before the causes that are known already.
void add_cause(Failure& failure, Sentence cause);
/// Gives a failure the sentence of a message, where the rubric knows how it came about. Its id comes before the other
/// diagnoses. What the sentence was is reported below it, without the simulator's advice, which is for any kernel.
void retell(Failure& failure, const LabMessage& message);
/// Puts the sentence of a message in the place of the failure's, which has the same id.
void reword(Failure& failure, const LabMessage& message);
/// Puts `advice` in the place of the simulator's for the first finding; among the details where there is none.
void advise(Failure& failure, const Sentence& advice);
/// The same with the words of a message. Its id, if it has one, comes behind the other diagnoses.
void advise(Failure& failure, const LabMessage& message);
/// Leaves out the simulator's advice for all findings.
void drop_advice(Failure& failure);
/// Moves the element that the first finding is about from the sentence, which is the simulator's, to the causes: another
/// one in every item is the same mistake.
void hide_element(Failure& failure);
/// Adds a section of the handout where to read on, unless the failure has it already.
void read_on(Failure& failure, const std::string& section);

/// Why `check` fails; nothing if it does not. It is an attempt: the rules around it explain nothing of it.
std::optional<Failure> failure_in(const std::function<void()>& check);

/// What `check` returns; what fails in it goes through `change`, unless the task is still to be written or the function
/// is missing.
template <typename Check, typename Change>
auto changing(const Check& check, const Change& change) -> decltype(check()) {
  const Rule rule([&](Failure& failure) {
    if (!is_about(failure, "unsolved") && !is_missing_function(failure)) change(failure);
  });
  return check();
}

/// What `check` returns; a failure in it sends the reader to `section`, behind those that it has.
template <typename Check>
auto reading_on(const std::string& section, const Check& check) -> decltype(check()) {
  return changing(check, [&](Failure& failure) { read_on(failure, section); });
}

class Reply;
/// Fails the item with the diagnosis `unsolved` and the place of the item's TODO in the student's
/// file; with `output-unwritten`, and what the call did, where something is written there. Comparison helpers do this by themselves when the call changed nothing (Reply::untouched).
[[noreturn]] void unsolved(const Reply& reply);
/// unsolved(reply) if the call changed nothing; for rubrics whose check is not a comparison.
void require_solved(const Reply& reply);

} // namespace warpbook
