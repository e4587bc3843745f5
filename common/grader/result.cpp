#include "grader/result.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <tuple>

#include <nlohmann/json.hpp>

#include "call/named_json.hpp"
#include "grader/context.hpp"
#include "grader/contract_text.hpp"
#include "grader/text.hpp"
#include "simt/report/symbolizer.hpp"
#include "text/harmless.hpp"

namespace warpbook {
namespace {

using json = nlohmann::json;

/// As harmless() of every text in it: names of kernels, printed lines and exceptions' texts are the submission's.
json harmless_texts(json value) {
  if (value.is_string()) return harmless(value.get_ref<const std::string&>());
  if (value.is_structured()) {
    for (json& part : value) part = harmless_texts(std::move(part));
  }
  return value;
}

std::string dump(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

/// The task around the lines that the failure names, if they name one; else 0.
int todo_of_places(const ItemResult& result, const SubmissionOptions& submission) {
  if (result.failure.places.empty()) return 0;
  const std::string text = read_text(submission.source_path);
  int found = 0;
  for (const auto& [file, line] : result.failure.places) {
    const int around = is_same_file(file, submission.source_path) ? todo_around(text, line) : 0;
    if (around == result.judged.todo) return around;
    if (found == 0) found = around;
  }
  return found;
}

/// "TODO(2)", "TODO(2), TODO(3) or TODO(4)".
std::string todo_names(const std::vector<int>& todos) {
  std::string text;
  for (std::size_t k = 0; k < todos.size(); ++k) {
    if (k > 0) text += k + 1 == todos.size() ? " or " : ", ";
    text += "TODO(" + std::to_string(todos[k]) + ")";
  }
  return text;
}

/// What the simulator found, with each participant's source line.
std::vector<simt::Finding> located_findings(const Failure& failure) {
  std::vector<simt::Finding> findings;
  simt::Symbolizer symbolizer;
  for (const ToldFinding& told : failure.findings) {
    findings.push_back(told.finding);
    for (simt::Participant& participant : findings.back().participants)
      if (const auto line = source_of(participant, symbolizer))
        std::tie(participant.file, participant.line) = std::tie(line->file, line->line);
  }
  return findings;
}

} // namespace

std::vector<int> todos_of(const ItemResult& result, const SubmissionOptions& submission) {
  if (result.judged.todo == 0) return {};
  if (const int todo = todo_of_places(result, submission); todo != 0) return {todo};
  if (has_diagnosis(result.failure, "missing-function")) return {}; // one for all TODOs that it takes part in
  return result.failure.todos.empty() ? std::vector{result.judged.todo} : result.failure.todos;
}

ResultRecord record_of(const ItemResult& result, const SubmissionOptions& submission) {
  const Item& item = result.judged;
  const Failure& failure = result.failure;
  ResultRecord record = result;
  record.lab = context().lab;
  record.submission = submission.name;
  record.kind = submission.kind;
  record.backend = name_of(submission.backend);
  record.item = item.name;
  if (!item.functions.empty()) record.function = item.functions.front();
  record.points = result.status == ItemResult::Status::passed ? item.points : 0;
  record.max_points = item.points;
  record.diagnoses = failure.diagnoses;
  record.reason = failure.sentence;
  record.message = failure.message;
  record.details = failure.details;
  record.sections = failure.sections;
  record.findings = located_findings(failure);
  record.formulas = failure.formulas;
  record.todo.numbers = todos_of(result, submission);
  record.seed = submission.seed;
  for (const auto& [file, line] : failure.places) record.places.push_back({file, line});
  if (!record.todo.numbers.empty()) {
    record.todo.file = submission.source_path;
    record.todo.line = todo_line(read_text(submission.source_path), record.todo.numbers.front());
  }
  return record;
}

WARPBOOK_NAMED_JSON(ResultRecord::Status, "passed", "failed", "skipped", "undecided", "error")
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SourcePlace, file, line)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MeasuredText, what, text)

static void to_json(json& value, const Speed& speed) {
  value = {{"gigabytes_per_second", speed.gigabytes_per_second},
           {"yardstick", speed.yardstick},
           {"ratio", speed.ratio()}};
}

static void from_json(const json& value, Speed& speed) {
  value.at("gigabytes_per_second").get_to(speed.gigabytes_per_second);
  value.at("yardstick").get_to(speed.yardstick);
}

static void to_json(json& value, const TodoPlace& todo) {
  if (todo.numbers.empty()) return; // null
  value = {{"number", todo.numbers.front()}, {"file", todo.file}, {"line", todo.line}};
  if (todo.numbers.size() > 1) value["numbers"] = todo.numbers;
}

static void from_json(const json& value, TodoPlace& todo) {
  if (value.is_null()) return;
  todo.numbers = value.value("numbers", std::vector{value.at("number").get<int>()});
  value.at("file").get_to(todo.file);
  value.at("line").get_to(todo.line);
}

static void to_json(json& value, const Sentence& sentence) { value = sentence.to_print(); }
static void from_json(const json& value, Sentence& sentence) { sentence = value.get<std::string>(); }

WARPBOOK_NAMED_JSON(Detail::Kind, "note", "cause", "evidence", "finding", "source", "advice", "call",
                    "example", "printed")

static void to_json(json& value, const Detail& detail) {
  value = {{"kind", detail.kind}, {"text", detail.text}};
  if (!detail.id.empty()) value["id"] = detail.id;
  if (detail.place) value.update({{"file", detail.place->file}, {"line", detail.place->line}});
}

static void from_json(const json& value, Detail& detail) {
  value.at("kind").get_to(detail.kind);
  value.at("text").get_to(detail.text);
  detail.id = value.value("id", "");
  if (value.contains("file")) detail.place = {value.at("file"), value.at("line")};
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ResultRecord, lab, submission, kind, backend, item, function, status,
                                   points, max_points, diagnoses, reason, message, details, sections,
                                   findings, formulas, places, notes, measured, printed, speeds, todo, seed,
                                   seconds, last_call, counters)

std::string to_json(const ResultRecord& record) { return dump(harmless_texts(record)); }

ResultRecord record_from(const std::string& text) {
  try {
    return json::parse(text).get<ResultRecord>();
  } catch (const json::exception& error) {
    throw std::runtime_error(std::string("a result cannot be read: ") + error.what());
  }
}

std::string to_report(const ResultRecord& record) {
  const auto earned = [&record](int points) {
    if (record.max_points == 0) return std::string(" (worth no points)\n");
    return " (" + std::to_string(points) + " of " +
           counted(static_cast<std::size_t>(record.max_points), "point") + ")\n";
  };
  std::string text;
  switch (record.status) {
  case ItemResult::Status::passed:
    text = "PASS  " + record.item + earned(record.points);
    for (const std::string& note : record.notes) text += "  " + note + "\n";
    return text;
  case ItemResult::Status::skipped:
    return "SKIP  " + record.item + "\n  " + record.reason.to_print() + "\n";
  case ItemResult::Status::undecided:
    return "UNDECIDED  " + record.item + "\n  " + record.reason.to_print() + "\n";
  case ItemResult::Status::failed:
    text = "FAIL  " + record.item + earned(0);
    break;
  case ItemResult::Status::error:
    text = "ERROR  " + record.item + "\n";
    break;
  }
  text += "\n  " + record.reason.to_print() + "\n";
  for (const Detail& detail : record.details) text += "    " + detail.text.to_print() + "\n";
  for (const std::string& section : record.sections) text += "    " + handout_line(section) + "\n";
  text = harmless(text);
  if (record.status == ItemResult::Status::error) {
    return text + "\n  This is a defect of the workbook, not of the submission.\n";
  }
  text += "\n";
  if (!record.diagnoses.empty()) text += "  diagnosis: " + record.diagnoses.front() + "\n";
  const TodoPlace& todo = record.todo;
  const bool is_unsolved = !record.diagnoses.empty() && record.diagnoses.front() == "unsolved";
  if (todo.line != 0 && !is_unsolved) { // whose sentence names the place
    text += "  the task: " + todo_names(todo.numbers) + " in " + shown_path(todo.file) + ":" +
            std::to_string(todo.line) + "\n";
  }
  return text + "  the same inputs again: --seed " + std::to_string(record.seed) + "\n";
}

std::string to_list_line(const Item& item) {
  json backends = json::array();
  if (item.on_sim) backends.push_back("sim");
  if (item.on_cuda) backends.push_back("cuda");
  const std::string capability = item.capability_major == 0 ? ""
                                                            : std::to_string(item.capability_major) + "." +
                                                                  std::to_string(item.capability_minor);
  return dump({{"item", item.name},
               {"points", item.points},
               {"backends", backends},
               {"capability", capability},
               {"function", item.functions.empty() ? "" : item.functions.front()},
               {"functions", item.functions},
               {"todo", item.todo},
               {"further_todos", item.further_todos},
               {"labels", item.labels}});
}

void write_file(const std::string& path, const std::string& text) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder);
  std::ofstream file(path, std::ios::binary);
  file << text << '\n';
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
}

} // namespace warpbook
