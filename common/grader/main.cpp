/// The main() of every grader: reads the command line, has the items judged, and reports.

#include <malloc.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <stdexcept>

#include "call/parallel.hpp"
#include "grader/choice.hpp"
#include "grader/compose.hpp"
#include "grader/context.hpp"
#include "grader/contract_text.hpp"
#include "grader/grader.hpp"
#include "grader/grading_run.hpp"
#include "grader/header.hpp"
#include "grader/items.hpp"
#include "grader/options.hpp"
#include "grader/registration.hpp"
#include "grader/result.hpp"
#include "grader/see.hpp"
#include "grader/test_list.hpp"
#include "process/installed.hpp"

namespace warpbook {

detail::LabRegistration::LabRegistration(const char* contract_file, const char* lab) {
  context().lab = lab;
  if (context().lab.empty()) {
    context().lab = std::filesystem::path(contract_file).parent_path().filename().string();
  }
  context().contract_path = installed(contract_file, "labs/" + context().lab + "/lab.hpp");
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

int status_of(const ResultRecord& result) {
  switch (result.status) {
  case ItemResult::Status::passed:
    return 0;
  case ItemResult::Status::failed:
    return failed_status;
  case ItemResult::Status::skipped:
    return skipped_status;
  case ItemResult::Status::undecided:
  case ItemResult::Status::error:
    break;
  }
  return error_status;
}

/// What is to be judged, and how the header says that it fails.
struct Task {
  std::vector<Item> items;
  std::vector<ExpectedFailure> expected;
};

const Item& item_named(const std::string& name) {
  static const std::vector<Item> items = all_items();
  const auto found = std::ranges::find(items, name, &Item::name);
  if (found == items.end()) throw std::invalid_argument("there is no item '" + name + "'");
  return *found;
}

Task task_of(const GraderOptions& options) {
  const SubmissionOptions& submission = options.submission;
  if (!options.items.empty()) {
    Task task;
    for (const std::string& name : options.items) {
      task.items.push_back(item_named(name));
      if (!runs_on(task.items.back(), submission.backend))
        throw std::invalid_argument("that item is not for this backend");
    }
    return task;
  }
  const std::string source = read_text(submission.source_path);
  const Header header(source);
  if (submission.kind == "mutant") {
    const ExpectedFailure expected = mutant_failure(header, submission.backend);
    const Item& item = item_named(expected.item);
    if (!runs_on(item, submission.backend))
      throw std::invalid_argument("the item that the mutant's header names is not for this backend");
    return {{item}, {expected}};
  }
  Task task{items_for(submission.kind, source, submission.backend), {}};
  if (submission.kind == "step" || submission.kind == "peer") {
    task.expected = step_failures(header, submission.backend);
    for (const ExpectedFailure& each : task.expected) item_named(each.item); // throws if there is none
  }
  std::erase_if(task.items, [&](const Item& item) {
    return (options.todo != 0 && !can_fail_for(item, options.todo)) ||
           (options.leave_out_speed && is_speed_item(item));
  });
  if (task.items.empty()) {
    throw std::invalid_argument(options.todo != 0 ? "no item of this backend is about TODO(" +
                                                        std::to_string(options.todo) + ")"
                                                  : "no item is for this submission and backend");
  }
  return task;
}

// Whether the item failed for the reason that the header gives: a mutant is caught so, and a step shows so what the next
// one corrects.
int status_against(const ExpectedFailure& expected, const ResultRecord& result) {
  const std::string name = "'" + result.item + "' ";
  if (result.status == ItemResult::Status::passed) {
    std::cout << name << "passed; the header says that it fails.\n";
    return failed_status;
  }
  if (result.status != ItemResult::Status::failed) return status_of(result);
  const std::vector<std::string>& found = result.diagnoses;
  if (std::ranges::find(found, expected.diagnosis) == found.end()) {
    std::cout << name << "failed, but not with the diagnosis " << expected.diagnosis
              << " that the header names.\n";
    return failed_status;
  }
  const Item& item = item_named(result.item);
  const auto other =
      std::ranges::find_if_not(result.todo.numbers, [&](int todo) { return can_fail_for(item, todo); });
  if (other != result.todo.numbers.end()) {
    std::cout << name << "failed for TODO(" << *other
              << "), which no RunsThrough names for the functions that it calls.\n";
    return failed_status;
  }
  if (!expected.todos.empty() && result.todo.numbers != expected.todos) {
    std::cout << name
              << "failed as the header says, but a student is sent to other TODOs than the header names.\n";
    return failed_status;
  }
  std::cout << name << "fails as the header says: " << expected.diagnosis << "\n";
  return 0;
}

int status_of_task(const Task& task, const std::vector<ResultRecord>& results) {
  std::size_t skips = 0;
  int worst = 0;
  for (const ResultRecord& result : results) {
    if (result.kind == "solution" && result.status == ItemResult::Status::passed &&
        !item_named(result.item).on_cuda && result.measured.empty()) {
      std::cout << "'" << result.item << "' passed, and tells nothing of what it counted (tell_measured).\n";
      worst = failed_status;
    }
    const auto expected = std::ranges::find(task.expected, result.item, &ExpectedFailure::item);
    const int status =
        expected == task.expected.end() ? status_of(result) : status_against(*expected, result);
    if (status == skipped_status)
      ++skips;
    else if (status != failed_status || result.max_points > 0 ||
             results.size() == 1) // a time decides no verdict
      worst = std::max(worst, status);
  }
  return skips == results.size() ? skipped_status : worst;
}

std::string points_line(const std::vector<ResultRecord>& results) {
  int earned = 0;
  int possible = 0;
  for (const ResultRecord& result : results) {
    possible += result.max_points;
    earned += result.points;
  }
  return std::to_string(earned) + " of " + std::to_string(possible) + " points\n";
}

std::string results_json(const std::vector<ResultRecord>& results, const GraderOptions& options) {
  if (options.items.size() == 1) return to_json(results.front());
  std::string text = "[";
  for (const ResultRecord& result : results) {
    text += (text.size() > 1 ? ",\n " : "") + to_json(result);
  }
  return text + "]";
}

/// The first line of the stream: what will be judged.
void announce(const Task& task) {
  std::cout << R"({"event": "begin", "items": [)";
  for (std::size_t i = 0; i < task.items.size(); ++i)
    std::cout << (i > 0 ? ", " : "") << to_list_line(task.items[i]);
  std::cout << "]}" << std::endl;
}

int judge(const GraderOptions& options) {
  if (options.threads > 0) set_loop_threads(options.threads);
  const Task task = task_of(options);
  if (options.wait_for >= 0) ::prctl(PR_SET_PDEATHSIG, SIGKILL); // no one would hear it
  if (options.as_json) announce(task);
  const std::vector<ResultRecord> results = run_items(task.items, options, [&](const ResultRecord& result) {
    if (options.as_json)
      std::cout << R"({"event": "result", "result": )" << to_json(result) << "}" << std::endl;
    else
      std::cout << to_report(result) << std::flush;
  });
  if (results.empty()) return error_status; // whoever was to say when to begin has gone
  if (!options.result_path.empty()) write_file(options.result_path, results_json(results, options));
  if (options.as_json)
    std::cout << R"({"event": "end"})" << std::endl;
  else if (results.size() > 1)
    std::cout << points_line(results);
  return status_of_task(task, results);
}

int grade(GraderOptions options) {
  if (!options.help.empty()) {
    std::cout << options.help;
    return 0;
  }
  if (const std::string problem = item_problem(all_items()); !problem.empty())
    throw std::logic_error(problem);
  if (options.list_items) {
    for (const Item& item : all_items()) std::cout << to_list_line(item) << "\n";
    return 0;
  }
  if (!options.headers_of.empty()) {
    std::cout << headers_json(options.headers_of);
    return 0;
  }
  if (!options.contract.empty()) context().contract_path = options.contract;
  if (!options.mutants.empty()) {
    const Kept kept = options.all_functions ? Kept::all_functions : Kept::functions_of_item;
    const std::string misfits = compose_into(options.result_path, options.solution, options.mutants, kept);
    std::cerr << misfits;
    return misfits.empty() ? 0 : failed_status;
  }
  if (!options.list_of.empty()) {
    const std::string tests = test_list(read_text(options.list_of));
    if (options.result_path.empty())
      std::cout << tests;
    else
      write_file(options.result_path, tests);
    return 0;
  }
  options.submission.contract_path = context().contract_path;
  return options.see.empty() ? judge(options) : see(options);
}

int main(int argc, char** argv) {
  std::atexit(guard_exit);
  // Arrays come and go with every call. Given back to the system, each would be cleared again, page by page.
  constexpr int kept_for_next = 32 << 20;
  ::mallopt(M_MMAP_THRESHOLD, kept_for_next);
  ::mallopt(M_TRIM_THRESHOLD, 4 * kept_for_next);
  // Neither memory nor open files of the grader are to be reached by the submissions that it starts.
  ::prctl(PR_SET_DUMPABLE, 0);
  int status = error_status;
  try {
    status = grade(parse_options(argc, argv));
  } catch (const std::invalid_argument& error) {
    std::cerr << error.what() << "\n";
  } catch (const std::exception& error) {
    std::cerr << "internal error: " << error.what() << "\n";
  }
  finished = true;
  return status;
}

} // namespace
} // namespace warpbook

int main(int argc, char** argv) { return warpbook::main(argc, argv); }
