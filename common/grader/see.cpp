#include "grader/see.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <tuple>

#include "grader/choice.hpp"
#include "grader/contract_text.hpp"
#include "grader/item_run.hpp"
#include "grader/say.hpp"
#include "grader/text.hpp"
#include "simt/trace/trace_file.hpp"

namespace warpbook {
namespace {

Item scene_of(const std::string& function) {
  std::string known;
  for (const Item& scene : all_scenes()) {
    if (scene.functions.front() == function) return scene;
    known += (known.empty() ? "" : ", ") + scene.functions.front();
  }
  throw std::invalid_argument("there is nothing to see of '" + function + "'; the functions are " + known);
}

/// The calls that details of a kind are about.
std::vector<std::string> calls_in(const Failure& failure, Detail::Kind kind) {
  std::vector<std::string> calls;
  for (const Detail& detail : failure.details)
    if (detail.kind == kind && !detail.id.empty()) calls.push_back(detail.id);
  return calls;
}

/// The first item of the function that fails, judged once more with a trace; none if all pass.
std::optional<ItemResult> first_failure(const std::string& function, const GraderOptions& options) {
  const SubmissionOptions& submission = options.submission;
  for (const Item& item : items_for(submission.kind, read_text(submission.source_path), submission.backend)) {
    if (is_speed_item(item) || std::ranges::find(item.functions, function) == item.functions.end()) continue;
    const ItemResult result = run_item(item, submission);
    if (result.status != ItemResult::Status::failed) continue;
    // Of the call that the failure is about, and not of a smaller one that was tried later.
    std::vector<std::string> about = calls_in(result.failure, Detail::Kind::call);
    if (about.empty()) about = calls_in(result.failure, Detail::Kind::example);
    return run_traced(item, submission, std::move(about));
  }
  return std::nullopt;
}

std::vector<simt::WordedFinding> findings_of(const ItemResult& result) {
  std::vector<simt::WordedFinding> findings;
  const Failure& failure = result.failure;
  if (result.status == ItemResult::Status::failed) {
    simt::WordedFinding first;
    if (const simt::Finding* found = first_finding(failure)) first = simt::told(*found);
    if (!failure.diagnoses.empty()) first.finding.id = failure.diagnoses.front();
    first.sentence = failure.sentence.to_print();
    first.details = details_and_sections(failure);
    std::vector<simt::Participant>& parties = first.finding.participants;
    if (parties.empty() && !failure.places.empty())
      std::tie(parties.emplace_back().file, parties.front().line) = failure.places.front();
    findings.push_back(std::move(first));
  }
  for (const simt::Finding& found : result.traced->findings) {
    const simt::Finding* first = first_finding(failure);
    if (!first || found.id != first->id || found.kind != first->kind) findings.push_back(simt::told(found));
  }
  return findings;
}

std::string verdict_of(const ItemResult& result, bool all_pass) {
  if (result.status == ItemResult::Status::failed) {
    const bool is_item = result.judged.shown_size == 0;
    return is_item ? say("It fails the item: {item}", result.judged.name)
                   : say("The simulator objects to this call.");
  }
  return all_pass ? say("All items of {function} pass.", result.judged.functions.front())
                  : say("The simulator finds nothing wrong with this call.");
}

} // namespace

int see(const GraderOptions& options) {
  if (options.submission.backend != Backend::sim)
    throw std::invalid_argument("--see is for the simulator, which sees every access");
  const Item scene = scene_of(options.see);
  std::optional<ItemResult> shown;
  bool all_pass = false;
  if (options.size == 0 && !options.scene) {
    shown = first_failure(options.see, options);
    all_pass = !shown;
  }
  if (!shown || !shown->traced) {
    context().size_to_see = options.size;
    ItemResult result = run_traced(scene, options.submission);
    if (!shown || result.traced) shown = std::move(result);
  }
  const std::string verdict = verdict_of(*shown, all_pass);
  nlohmann::json said = {{"verdict", verdict},
                         {"all_pass", all_pass},
                         {"sentence", shown->failure.sentence.to_print()},
                         {"details", details_and_sections(shown->failure)}};
  const bool is_seen = shown->traced != nullptr;
  if (is_seen) {
    const TracedCall& call = *shown->traced;
    std::ostringstream text;
    simt::write_trace_file(text,
                           {.title = options.see,
                            .call = call.text,
                            .file = std::filesystem::path(options.submission.source_path).filename().string(),
                            .submission = options.submission.kind,
                            .made = simt::current_time(),
                            .schedule = name_of(call.schedule),
                            .verdict = verdict,
                            .numbers = call.numbers},
                           *call.trace, findings_of(*shown));
    write_file(options.result_path,
               text.str().substr(0, text.str().size() - 1)); // it ends the last line itself
    said["call"] = call.text;
  }
  std::cout << said.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
  return is_seen ? 0 : 1;
}

} // namespace warpbook
