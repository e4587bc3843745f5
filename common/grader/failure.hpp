#pragma once
/// How an item fails: one diagnosis id, one sentence for the student, and details below it.

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace warpbook {

/// Why an item failed. `diagnoses` are stable kebab-case ids; the first is the one the sentence is
/// about. Mutants name the id that must be among them.
struct Failure {
  std::vector<std::string> diagnoses;
  std::string sentence;
  std::vector<std::string> details;
  /// Files and lines that the sentence is about, as far as they are known: they tell the task.
  std::vector<std::pair<std::string, unsigned>> places = {};
  /// The tasks of which one is the cause, if the rubric knows that better than the item's todo() does.
  std::vector<int> todos = {};
};

/// Thrown by fail() and by a call that went wrong; ends the item.
struct ItemFailed : std::runtime_error {
  explicit ItemFailed(Failure why) : std::runtime_error(why.sentence), failure(std::move(why)) {}
  Failure failure;

  /// Whether the submission lacks the function: then nothing of it has run.
  bool is_missing_function() const;
};

/// Thrown where the machine, and not the submission, is the reason that there is no answer; ends the item without a
/// verdict.
struct ItemUndecided : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Fails the item: `sentence` is what the student reads first, in the lesson's words.
[[noreturn]] void fail(std::string diagnosis, std::string sentence, std::vector<std::string> details = {});
[[noreturn]] void fail(Failure failure);

/// Whether `id` is among the failure's diagnoses, be it the first or not.
bool has_diagnosis(const Failure& failure, const std::string& id);

/// Sends the student to this TODO of the submission's file, and not to the lines that the failure names. Does nothing
/// where the file has no such TODO.
void point_to(Failure& failure, int todo);

/// Removes the simulator's advice ("try: ...") from the details: it is for any kernel.
void drop_advice(Failure& failure);

class Reply;
/// Fails the item with the diagnosis `unsolved` and the place of the item's TODO in the student's
/// file. Comparison helpers do this by themselves when the call changed nothing (Reply::untouched).
[[noreturn]] void unsolved(const Reply& reply);
/// unsolved(reply) if the call changed nothing; for rubrics whose check is not a comparison.
void require_solved(const Reply& reply);

} // namespace warpbook
