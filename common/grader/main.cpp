/// The main() of every grader: reads the command line, decides what is skipped before any student
/// code runs, runs the items one by one and reports.

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <stdexcept>

#include "grader/context.hpp"
#include "grader/contract_text.hpp"
#include "grader/grader.hpp"
#include "grader/item_registry.hpp"
#include "grader/item_run.hpp"
#include "grader/options.hpp"
#include "grader/result.hpp"

namespace warpbook {

detail::LabRegistration::LabRegistration(const char* contract_file, const char* lab) {
  context().contract_path = contract_file;
  context().lab = lab;
  if (context().lab.empty()) {
    context().lab = std::filesystem::path(contract_file).parent_path().filename().string();
  }
}

namespace {

constexpr int failed_status = 1;
constexpr int error_status = 2;
constexpr int skipped_status = 77;

// A rubric that ends the process is no success, whatever status it chooses.
bool finished = false;
void guard_exit() {
  if (!finished) ::_exit(error_status);
}

bool runs_on(const Item& item, Backend backend) {
  return backend == Backend::sim ? item.on_sim : item.on_cuda;
}

// Whether `name` stands in `source` as a word of its own: a contract may have `reduce` and `reduce_nested`.
bool has_word(const std::string& source, const std::string& name) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = source.find(name); at != std::string::npos; at = source.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_letter(source[at - 1])) && (end == source.size() || !is_letter(source[end])))
      return true;
  }
  return false;
}

// A step or peer may implement a part of the contract, and is graded on that part.
bool is_implemented(const Item& item, const SubmissionOptions& submission, const std::string& source) {
  if (submission.kind != "step" && submission.kind != "peer") return true;
  // A step shows one idea, and may be slow for it; the bench compares steps.
  if (std::ranges::find(item.labels, "speed") != item.labels.end()) return false;
  return std::ranges::all_of(item.functions,
                             [&](const std::string& function) { return has_word(source, function); });
}

std::vector<Item> chosen_items(const GraderOptions& options) {
  const std::vector<Item> items = all_items();
  const SubmissionOptions& submission = options.submission;
  std::vector<Item> chosen;
  if (!options.item.empty()) {
    const auto found = std::ranges::find(items, options.item, &Item::name);
    if (found == items.end()) throw std::invalid_argument("there is no item '" + options.item + "'");
    if (!runs_on(*found, submission.backend))
      throw std::invalid_argument("that item is not for this backend");
    return {*found};
  }
  const std::string source = without_comments(read_text(submission.source_path));
  for (const Item& item : items) {
    if (runs_on(item, submission.backend) && is_implemented(item, submission, source)) chosen.push_back(item);
  }
  if (chosen.empty()) throw std::invalid_argument("no item is for this submission and backend");
  return chosen;
}

// Why an item cannot be graded on this machine, or an empty string.
std::string obstacle(const Item& item, const Availability& found) {
  if (!found.available) return found.reason + ".";
  const int has = 100 * found.capability_major + found.capability_minor;
  const int needs = 100 * item.capability_major + item.capability_minor;
  if (has >= needs) return {};
  return "The item needs compute capability " + std::to_string(item.capability_major) + "." +
         std::to_string(item.capability_minor) + "; " + found.device + " has " +
         std::to_string(found.capability_major) + "." + std::to_string(found.capability_minor) + ".";
}

ItemResult skipped(const Item& item, const std::string& reason, bool may_skip) {
  ItemResult result;
  result.item = item;
  result.status = may_skip ? ItemResult::Status::skipped : ItemResult::Status::failed;
  result.failure = {{"unavailable"}, reason, {}};
  return result;
}

int status_of(const ItemResult& result) {
  switch (result.status) {
  case ItemResult::Status::passed:
    return 0;
  case ItemResult::Status::failed:
    return failed_status;
  case ItemResult::Status::skipped:
    return skipped_status;
  case ItemResult::Status::error:
    break;
  }
  return error_status;
}

// A mutant is caught if its item failed for the reason that its header gives; so is a step that shows what
// the next one mends.
int failing_status(const ItemResult& result, const GraderOptions& options) {
  const std::string& diagnosis = options.fails_with;
  if (result.status != ItemResult::Status::failed) {
    if (result.status == ItemResult::Status::passed) std::cout << "The item passed; nothing was caught.\n";
    return result.status == ItemResult::Status::passed ? failed_status : status_of(result);
  }
  const std::vector<std::string>& found = result.failure.diagnoses;
  if (std::ranges::find(found, diagnosis) == found.end()) {
    std::cout << "The item failed, but not with the diagnosis " << diagnosis << " that the header names.\n";
    return failed_status;
  }
  if (!options.blames.empty() && todos_of(result, options.submission) != options.blames) {
    std::cout << "The item failed as the header says, but a student is sent to other TODOs than the header "
                 "names.\n";
    return failed_status;
  }
  std::cout << "caught, as the header says: " << diagnosis << "\n";
  return 0;
}

std::vector<ItemResult> run(const GraderOptions& options, const std::vector<Item>& items) {
  const SubmissionOptions& submission = options.submission;
  if (!std::filesystem::exists(submission.module_path)) {
    throw std::runtime_error("the module " + submission.module_path + " is not built");
  }
  Availability found;
  found.available = true;
  if (submission.backend == Backend::cuda) found = probe(submission);
  std::vector<ItemResult> results;
  for (const Item& item : items) {
    const std::string reason = submission.backend == Backend::cuda ? obstacle(item, found) : "";
    if (reason.empty())
      results.push_back(run_item(item, submission));
    else // a GPU that is too old is no mistake of anybody's, and the simulator grades the item
      results.push_back(skipped(item, reason, options.skip_unavailable || found.available));
    std::cout << to_report(results.back(), submission) << std::flush;
  }
  return results;
}

int summarise(const std::vector<ItemResult>& results) {
  int earned = 0;
  int possible = 0;
  std::size_t skips = 0;
  int worst = 0;
  for (const ItemResult& result : results) {
    const int status = status_of(result);
    possible += result.item.points;
    if (status == 0) earned += result.item.points;
    if (status == skipped_status)
      ++skips;
    else if (status != failed_status || result.item.points > 0 ||
             results.size() == 1) // a time decides no verdict
      worst = std::max(worst, status);
  }
  if (results.size() > 1) std::cout << earned << " of " << possible << " points\n";
  return skips == results.size() ? skipped_status : worst;
}

std::string results_json(const std::vector<ItemResult>& results, const GraderOptions& options) {
  if (!options.item.empty()) return to_json(results.front(), options.submission);
  std::string text = "[";
  for (const ItemResult& result : results) {
    text += (text.size() > 1 ? ",\n " : "") + to_json(result, options.submission);
  }
  return text + "]";
}

int grade(GraderOptions options) {
  if (const std::string problem = item_problem(all_items()); !problem.empty())
    throw std::logic_error(problem);
  if (options.list_items) {
    for (const Item& item : all_items()) std::cout << to_list_line(item) << "\n";
    return 0;
  }
  options.submission.contract_path = context().contract_path;
  if (options.is_mutant) {
    const MutantHeader header =
        parse_mutant_header(read_text(options.submission.source_path), options.submission.backend);
    options.item = header.item;
    options.fails_with = header.diagnosis;
    options.blames = header.todos;
  }
  const std::vector<ItemResult> results = run(options, chosen_items(options));
  if (!options.result_path.empty()) write_file(options.result_path, results_json(results, options));
  return options.fails_with.empty() ? summarise(results) : failing_status(results.front(), options);
}

int main(int argc, char** argv) {
  std::atexit(guard_exit);
  int status = error_status;
  try {
    status = grade(parse_options(argc, argv));
  } catch (const std::invalid_argument& error) {
    std::cerr << error.what() << "\n" << grader_usage;
  } catch (const std::exception& error) {
    std::cerr << "internal error: " << error.what() << "\n";
  }
  finished = true;
  return status;
}

} // namespace
} // namespace warpbook

int main(int argc, char** argv) { return warpbook::main(argc, argv); }
