#include "grader/result.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <tuple>

#include <nlohmann/json.hpp>

#include "grader/context.hpp"
#include "grader/contract_text.hpp"
#include "grader/text.hpp"
#include "simt/report/symbolizer.hpp"
#include "text/harmless.hpp"

namespace warpbook {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* status_names[] = {"passed", "failed", "skipped", "undecided", "error"};

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
    if (around == result.item.todo) return around;
    if (found == 0) found = around;
  }
  return found;
}

json todo_place(const std::vector<int>& todos, const SubmissionOptions& submission) {
  if (todos.empty()) return nullptr;
  json place = {{"number", todos.front()},
                {"file", submission.source_path},
                {"line", todo_line(read_text(submission.source_path), todos.front())}};
  if (todos.size() > 1) place["numbers"] = todos;
  return place;
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

/// What the simulator found, as data.
json findings_of(const Failure& failure) {
  json findings = json::array();
  for (const ToldFinding& told : failure.findings) findings.push_back(json(nlohmann::json(told.finding)));
  return findings;
}

/// The same with each participant's source line, for readers that have no debug information.
json told_findings(const Failure& failure) {
  Failure told = failure;
  simt::Symbolizer symbolizer;
  for (auto& [finding, telling, lessons] : told.findings)
    for (simt::Participant& participant : finding.participants)
      if (const auto line = source_of(participant, symbolizer))
        std::tie(participant.file, participant.line) = std::tie(line->file, line->line);
  return findings_of(told);
}

/// The source lines that a failure is about.
json failure_places(const Failure& failure) {
  json places = json::array();
  for (const auto& [file, line] : failure.places) places.push_back({{"file", file}, {"line", line}});
  return places;
}

} // namespace

std::vector<int> todos_of(const ItemResult& result, const SubmissionOptions& submission) {
  if (result.item.todo == 0) return {};
  if (const int todo = todo_of_places(result, submission); todo != 0) return {todo};
  if (has_diagnosis(result.failure, "missing-function")) return {}; // one for all TODOs that it takes part in
  return result.failure.todos.empty() ? std::vector{result.item.todo} : result.failure.todos;
}

std::string to_json(const ItemResult& result, const SubmissionOptions& submission) {
  const bool passed = result.status == ItemResult::Status::passed;
  json speeds = json::array();
  for (const Speed& speed : result.speeds) {
    speeds.push_back({{"gigabytes_per_second", speed.gigabytes_per_second},
                      {"yardstick", speed.yardstick},
                      {"ratio", speed.ratio()}});
  }
  const json value = {{"lab", context().lab},
                      {"submission", submission.name},
                      {"kind", submission.kind},
                      {"backend", name_of(submission.backend)},
                      {"item", result.item.name},
                      {"function", result.item.functions.empty() ? "" : result.item.functions.front()},
                      {"status", status_names[static_cast<int>(result.status)]},
                      {"points", passed ? result.item.points : 0},
                      {"max_points", result.item.points},
                      {"diagnoses", result.failure.diagnoses},
                      {"reason", result.failure.sentence},
                      {"details", result.failure.details},
                      {"sections", result.failure.sections},
                      {"findings", told_findings(result.failure)},
                      {"formulas", json(nlohmann::json(result.failure.formulas))},
                      {"places", failure_places(result.failure)},
                      {"notes", result.notes},
                      {"measured", result.measured},
                      {"printed", result.printed},
                      {"speeds", speeds},
                      {"todo", todo_place(todos_of(result, submission), submission)},
                      {"seed", submission.seed},
                      {"seconds", result.seconds},
                      {"last_call", result.last_call},
                      {"counters", nlohmann::json(result.counters)}};
  return dump(harmless_texts(value));
}

std::string to_message(const ItemResult& result) {
  const Failure& failure = result.failure;
  json speeds = json::array();
  for (const Speed& speed : result.speeds) speeds.push_back({speed.gigabytes_per_second, speed.yardstick});
  return dump({{"item", result.item.name},
               {"status", static_cast<int>(result.status)},
               {"diagnoses", failure.diagnoses},
               {"sentence", failure.sentence},
               {"details", failure.details},
               {"sections", failure.sections},
               {"places", failure.places},
               {"todos", failure.todos},
               {"findings", findings_of(failure)},
               {"formulas", json(nlohmann::json(failure.formulas))},
               {"seconds", result.seconds},
               {"last_call", result.last_call},
               {"counters", nlohmann::json(result.counters)},
               {"speeds", speeds},
               {"notes", result.notes},
               {"measured", result.measured},
               {"printed", result.printed}});
}

ItemResult result_from_message(const std::string& text, const std::vector<Item>& items) {
  try {
    const nlohmann::json message = nlohmann::json::parse(text);
    ItemResult result;
    const auto item = std::ranges::find(items, message.at("item").get<std::string>(), &Item::name);
    if (item == items.end()) throw std::runtime_error("a result is about no item that was asked for");
    result.item = *item;
    result.status = static_cast<ItemResult::Status>(message.at("status").get<int>());
    Failure& failure = result.failure;
    message.at("diagnoses").get_to(failure.diagnoses);
    message.at("sentence").get_to(failure.sentence);
    message.at("details").get_to(failure.details);
    message.at("sections").get_to(failure.sections);
    message.at("places").get_to(failure.places);
    message.at("todos").get_to(failure.todos);
    message.at("formulas").get_to(failure.formulas);
    for (const nlohmann::json& finding : message.at("findings"))
      failure.findings.push_back({finding.get<simt::Finding>()});
    message.at("seconds").get_to(result.seconds);
    message.at("last_call").get_to(result.last_call);
    message.at("counters").get_to(result.counters);
    for (const nlohmann::json& speed : message.at("speeds"))
      result.speeds.push_back({speed.at(0).get<double>(), speed.at(1).get<double>()});
    message.at("notes").get_to(result.notes);
    message.at("measured").get_to(result.measured);
    message.at("printed").get_to(result.printed);
    return result;
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(std::string("a result cannot be read: ") + error.what());
  }
}

std::string to_report(const ItemResult& result, const SubmissionOptions& submission) {
  const Item& item = result.item;
  const auto earned = [&item](int points) {
    if (item.points == 0) return std::string(" (worth no points)\n");
    return " (" + std::to_string(points) + " of " + counted(static_cast<std::size_t>(item.points), "point") +
           ")\n";
  };
  std::string text;
  switch (result.status) {
  case ItemResult::Status::passed:
    text = "PASS  " + item.name + earned(item.points);
    for (const std::string& note : result.notes) text += "  " + note + "\n";
    return text;
  case ItemResult::Status::skipped:
    return "SKIP  " + item.name + "\n  " + result.failure.sentence + "\n";
  case ItemResult::Status::undecided:
    return "UNDECIDED  " + item.name + "\n  " + result.failure.sentence + "\n";
  case ItemResult::Status::failed:
    text = "FAIL  " + item.name + earned(0);
    break;
  case ItemResult::Status::error:
    text = "ERROR  " + item.name + "\n";
    break;
  }
  text += "\n  " + result.failure.sentence + "\n";
  for (const std::string& line : details_and_sections(result.failure)) text += "    " + line + "\n";
  text = harmless(text);
  if (result.status == ItemResult::Status::error) {
    return text + "\n  This is a defect of the workbook, not of the submission.\n";
  }
  text += "\n";
  if (!result.failure.diagnoses.empty()) text += "  diagnosis: " + result.failure.diagnoses.front() + "\n";
  const std::vector<int> todos = todos_of(result, submission);
  const unsigned line = todos.empty() ? 0 : todo_line(read_text(submission.source_path), todos.front());
  if (line != 0 && !is_about(result.failure, "unsolved")) { // whose sentence names the place
    text += "  the task: " + todo_names(todos) + " in " + shown_path(submission.source_path) + ":" +
            std::to_string(line) + "\n";
  }
  return text + "  the same inputs again: --seed " + std::to_string(submission.seed) + "\n";
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
