#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/context.hpp"
#include "grader/failure.hpp"
#include "grader/items.hpp"
#include "grader/submission.hpp"

namespace warpbook {

/// The tasks of which one is to be looked at, and where the first of them begins.
struct TodoPlace {
  std::vector<int> numbers; ///< none: it is no task's
  std::string file;
  unsigned line = 0;
};

/// A line of a source file.
struct SourcePlace {
  std::string file;
  unsigned line = 0;
};

/// What became of one item on one submission, as it leaves the process that judged the item: for the other process of the
/// grader, the stream, the file for CTest and the report. Its fields are those of the JSON object (docs/how-grading-works.md).
struct ResultRecord {
  /// `undecided`: the machine did not let it come to a verdict, and no points are lost. `error`: the workbook's own
  /// defect.
  enum class Status { passed, failed, skipped, undecided, error };
  std::string lab, submission, kind, backend, item, function;
  Status status = Status::error;
  int points = 0, max_points = 0;
  std::vector<std::string> diagnoses;
  Sentence reason;
  std::string message; ///< the key of the lab's message that the reason is; empty if it is none
  Details details;
  std::vector<std::string> sections;
  std::vector<simt::Finding>
      findings; ///< with each participant's source line, for readers without debug information
  std::vector<simt::AccessFormula> formulas;
  std::vector<SourcePlace> places;
  std::vector<std::string> notes;     ///< what the item measured, passed or failed
  std::vector<MeasuredText> measured; ///< of an item that passed
  std::vector<std::string> printed;   ///< of an item that passed: the first lines that the submission printed
  std::vector<Speed> speeds;          ///< every attempt of a speed item
  TodoPlace todo;
  std::uint64_t seed = 0;
  double seconds = 0;
  std::string last_call;
  simt::Counters counters;
};

/// A result where the item is judged: what the record does not have yet is in the failure.
struct ItemResult : ResultRecord {
  Item judged;
  Failure failure;                          ///< also the reason of a skip or an error
  std::shared_ptr<const TracedCall> traced; ///< the last call, where calls were traced
  std::vector<Reply> replies;               ///< of its calls, where unseen accesses do not pass
  std::shared_ptr<Repeater> calls;          ///< to be made again; null where they cannot be
};

ResultRecord record_of(const ItemResult& result, const SubmissionOptions& submission);

/// The tasks to look at, by their numbers: the one around the lines that the failure names, or those that the rubric
/// names, or the item's. Several if it is not known which of them is the cause; none if the item has none, or a function
/// is missing.
std::vector<int> todos_of(const ItemResult& result, const SubmissionOptions& submission);

/// The record as a JSON object on one line, with harmless() texts; and back. Throws std::runtime_error on anything else.
std::string to_json(const ResultRecord& record);
ResultRecord record_from(const std::string& json);

/// The result as a student reads it.
std::string to_report(const ResultRecord& record);

/// What is known of an item before it is judged, as a JSON object on one line: a line of --list-items.
std::string to_list_line(const Item& item);

/// Writes `text` to `path`, creating its folder. Throws std::runtime_error.
void write_file(const std::string& path, const std::string& text);

} // namespace warpbook
