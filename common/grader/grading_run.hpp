#pragma once
/// One grading run: every item of a submission is judged by one grader, on workers that it keeps.

#include <functional>
#include <vector>

#include "grader/items.hpp"
#include "grader/result.hpp"
#include "grader/submission.hpp"

namespace warpbook {

struct GradingRunOptions {
  SubmissionOptions submission;
  /// Items at a time. Each has a worker, a copy of the grader's process, so that a rubric that crashes costs its item
  /// alone; the worker starts the runner that answers the item's calls.
  unsigned workers = 1;
  bool keep_runners = false;     ///< a worker's items share its runner (run_item); else each has a fresh one
  bool skip_unavailable = false; ///< items that need a GPU are skipped where there is none; else they fail
  /// Items are judged once a line arrives on this file (and not at all if it ends first); until then the workers start
  /// their runners, which with a GPU takes longer than most items do. -1: at once.
  int wait_for = -1;
};

/// Judges `items` and hands each result to `ended` as soon as it and all before it are known. Items that measure a time
/// stand last; they come when all others have ended, and are skipped if a function of theirs has failed one of those.
/// Returns the results in the order of `items`; nothing if the file to wait for ended first. Throws
/// std::runtime_error if the runner cannot be used.
std::vector<ResultRecord> run_items(const std::vector<Item>& items, const GradingRunOptions& options,
                                    const std::function<void(const ResultRecord&)>& ended);

} // namespace warpbook
