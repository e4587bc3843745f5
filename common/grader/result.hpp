#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/context.hpp"
#include "grader/failure.hpp"
#include "grader/items.hpp"
#include "grader/submission.hpp"

namespace warpbook {

/// What became of one item on one submission.
struct ItemResult {
  /// `undecided`: the machine did not let it come to a verdict, and no points are lost. `error`: the workbook's own
  /// defect.
  enum class Status { passed, failed, skipped, undecided, error };
  Item item;
  Status status = Status::error;
  Failure failure; ///< also the reason of a skip or an error
  double seconds = 0;
  std::string last_call;
  simt::Counters counters;
  std::vector<Speed> speeds;         ///< every attempt of a speed item
  std::vector<std::string> notes;    ///< what the item measured, passed or failed
  std::vector<std::string> measured; ///< of an item that passed: what was counted, and how little is possible
  std::shared_ptr<const TracedCall> traced; ///< the last call, where calls were traced
  std::vector<std::string> printed; ///< of an item that passed: the first lines that the submission printed
};

/// The tasks to look at, by their numbers: the one around the lines that the failure names, or those that the rubric
/// names, or the item's. Several if it is not known which of them is the cause; none if the item has none, or a function
/// is missing.
std::vector<int> todos_of(const ItemResult& result, const SubmissionOptions& submission);

/// The result as a JSON object on one line (fields: see docs/how-grading-works.md).
std::string to_json(const ItemResult& result, const SubmissionOptions& submission);

/// The whole result as it travels between processes of the grader, and back; `items` are those that it may be about.
/// Throws std::runtime_error on anything that is not such a message.
std::string to_message(const ItemResult& result);
ItemResult result_from_message(const std::string& text, const std::vector<Item>& items);

/// The result as a student reads it.
std::string to_report(const ItemResult& result, const SubmissionOptions& submission);

/// What is known of an item before it is judged, as a JSON object on one line: a line of --list-items.
std::string to_list_line(const Item& item);

/// Writes `text` to `path`, creating its folder. Throws std::runtime_error.
void write_file(const std::string& path, const std::string& text);

} // namespace warpbook
