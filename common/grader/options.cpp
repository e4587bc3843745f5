#include "grader/options.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <sstream>
#include <stdexcept>

namespace warpbook {

const char* const grader_usage =
    "usage: GRADER --submission NAME --kind starter|solution|step|mutant|peer|handin --module FILE.so\n"
    "              --backend sim|cuda --runner PATH --source FILE.cu\n"
    "              [--item NAME | --todo N] [--leave-out-speed] [--result FILE.json] [--json] [--wait]\n"
    "              [--seed N] [--prefix \"COMMAND ARGS\"] [--timeout SECONDS] [--jobs N]\n"
    "              [--runners fresh|kept] [--skip-unavailable]\n"
    "       GRADER --list-items | --list-headers FILE.cu... | --list-tests SUBMISSIONS.txt [--result FILE]\n"
    "       GRADER --solution FILE.cu --result FOLDER [--all-functions] --compose MUTANT.cu...\n"
    "environment: WARPBOOK_SEED is the seed of the inputs where --seed is not given (default 1)\n"
    "exit status: 0 passed, 1 failed, 2 usage or internal error, 77 skipped\n";

namespace {

constexpr std::array kinds = {"starter", "solution", "step", "mutant", "peer", "handin"};

double parse_number(const std::string& option, const std::string& text) {
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used != text.size() || text.empty() || value < 0) {
    throw std::invalid_argument(option + " takes a number, not '" + text + "'");
  }
  return value;
}

std::uint64_t parse_seed(const std::string& name, const std::string& text) {
  std::size_t used = 0;
  std::uint64_t value = 0;
  try {
    value = std::stoull(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used != text.size() || text.empty())
    throw std::invalid_argument(name + " takes a whole number, not '" + text + "'");
  return value;
}

int parse_count(const std::string& option, const std::string& text) {
  const double value = parse_number(option, text);
  if (value < 1 || value > 1000 || value != std::floor(value))
    throw std::invalid_argument(option + " takes a number from 1 to 1000, not '" + text + "'");
  return static_cast<int>(value);
}

// A run with more workers than this gains little, and their simulated devices fill the memory.
constexpr unsigned most_jobs = 8;

unsigned available_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::clamp(static_cast<unsigned>(CPU_COUNT(&set)), 1u, most_jobs);
}

void check(const GraderOptions& options) {
  const SubmissionOptions& submission = options.submission;
  const std::pair<const char*, const std::string*> required[] = {{"--submission", &submission.name},
                                                                 {"--kind", &submission.kind},
                                                                 {"--module", &submission.module_path},
                                                                 {"--runner", &submission.runner_path},
                                                                 {"--source", &submission.source_path}};
  for (const auto& [option, value] : required) {
    if (value->empty()) throw std::invalid_argument(std::string(option) + " is missing");
  }
  if (std::ranges::find(kinds, submission.kind) == kinds.end()) {
    throw std::invalid_argument("--kind knows no '" + submission.kind + "'");
  }
}

} // namespace

GraderOptions parse_options(int argc, const char* const* argv) {
  GraderOptions options;
  SubmissionOptions& submission = options.submission;
  submission.name.clear();
  submission.kind.clear();
  // The same inputs on every run, so that a failure can be looked at again; a secret seed is the
  // instructor's.
  if (const char* given = std::getenv("WARPBOOK_SEED"); given != nullptr && *given != '\0') {
    submission.seed = parse_seed("WARPBOOK_SEED", given);
  }
  std::string backend;
  std::string timeout;
  std::string seed;
  std::string prefix;
  std::string jobs;
  std::string todo;
  std::string runners;
  const std::map<std::string, bool*> flags = {{"--list-items", &options.list_items},
                                              {"--json", &options.as_json},
                                              {"--wait", &options.wait_for_line},
                                              {"--leave-out-speed", &options.leave_out_speed},
                                              {"--skip-unavailable", &options.skip_unavailable},
                                              {"--all-functions", &options.all_functions}};
  const std::map<std::string, std::string*> values = {{"--submission", &submission.name},
                                                      {"--kind", &submission.kind},
                                                      {"--module", &submission.module_path},
                                                      {"--runner", &submission.runner_path},
                                                      {"--backend", &backend},
                                                      {"--source", &submission.source_path},
                                                      {"--item", &options.item},
                                                      {"--todo", &todo},
                                                      {"--jobs", &jobs},
                                                      {"--runners", &runners},
                                                      {"--list-tests", &options.list_of},
                                                      {"--result", &options.result_path},
                                                      {"--solution", &options.solution},
                                                      {"--seed", &seed},
                                                      {"--prefix", &prefix},
                                                      {"--timeout", &timeout}};
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--list-headers" || option == "--compose") {
      std::vector<std::string>& files = option == "--compose" ? options.mutants : options.headers_of;
      files.assign(argv + i + 1, argv + argc);
      if (files.empty()) throw std::invalid_argument(option + " takes files");
      if (option == "--compose" && (options.solution.empty() || options.result_path.empty()))
        throw std::invalid_argument("--compose stands behind --solution and --result");
      return options;
    }
    if (const auto flag = flags.find(option); flag != flags.end()) {
      *flag->second = true;
    } else if (const auto value = values.find(option); value != values.end()) {
      if (++i == argc) throw std::invalid_argument(option + " takes a value");
      *value->second = argv[i];
    } else {
      throw std::invalid_argument("unknown option '" + option + "'");
    }
  }
  if (options.list_items || !options.list_of.empty()) return options;

  check(options);
  if (backend == "cuda")
    submission.backend = Backend::cuda;
  else if (backend != "sim")
    throw std::invalid_argument("--backend is sim or cuda, not '" + backend + "'");
  if (!seed.empty()) submission.seed = parse_seed("--seed", seed);
  std::istringstream words(prefix);
  for (std::string word; words >> word;) submission.prefix.push_back(word);
  // A tool in front of the runner slows it down, some of them a hundredfold.
  submission.timeout = std::chrono::seconds(!submission.prefix.empty()           ? 240
                                            : submission.backend == Backend::sim ? 10
                                                                                 : 20);
  if (!timeout.empty()) {
    submission.timeout =
        std::chrono::milliseconds(static_cast<long long>(1000 * parse_number("--timeout", timeout)));
  }
  options.todo = todo.empty() ? 0 : parse_count("--todo", todo);
  if (options.todo != 0 && !options.item.empty())
    throw std::invalid_argument("--todo and --item exclude each other");
  const bool on_gpu = submission.backend == Backend::cuda;
  options.jobs = !jobs.empty() ? static_cast<unsigned>(parse_count("--jobs", jobs))
                 : on_gpu      ? 1
                               : available_processors();
  if (!runners.empty() && runners != "fresh" && runners != "kept")
    throw std::invalid_argument("--runners is fresh or kept, not '" + runners + "'");
  // A fresh runner of the simulator costs some milliseconds; a GPU's makes a context. What a tool in front of it finds,
  // the tool says at the end.
  options.keep_runners = runners.empty() ? on_gpu && submission.prefix.empty() : runners == "kept";
  return options;
}

} // namespace warpbook
