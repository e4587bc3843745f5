#include "grader/options.hpp"

#include <sched.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace warpbook {

namespace {

// A run with more workers than this gains little, and their simulated devices fill the memory.
constexpr unsigned most_jobs = 8;

unsigned available_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::clamp(static_cast<unsigned>(CPU_COUNT(&set)), 1u, most_jobs);
}

ReplayBuild replay_from(const std::string& text) {
  try {
    const nlohmann::json value = nlohmann::json::parse(text);
    return {value.at("command"), value.at("module")};
  } catch (const nlohmann::json::exception& error) {
    throw std::invalid_argument(std::string("--replay: ") + error.what());
  }
}

} // namespace

GraderOptions parse_options(int argc, const char* const* argv) {
  GraderOptions options;
  SubmissionOptions& submission = options.submission;
  std::string backend, prefix, runners, replay;
  double timeout = 0;
  bool waits = false;

  CLI::App app("Judges a submission by the items of a lab's rubric.",
               std::filesystem::path(argv[0]).filename());
  app.option_defaults()->take_last();
  app.footer("Exit status: 0 passed, 1 failed, 2 usage or internal error, 77 skipped.");
  app.add_flag("--list-items", options.list_items,
               "prints the items, one JSON object on a line, and judges nothing");
  app.add_option("--list-headers", options.headers_of, "prints the headers of these files as JSON");
  app.add_option("--list-tests", options.list_of,
                 "prints the tests of the submissions that this file lists, for CTest");
  CLI::Option* solution = app.add_option("--solution", options.solution, "what mutants are composed with");
  CLI::Option* result =
      app.add_option("--result", options.result_path, "the file, or with --compose the folder, to write");
  app.add_option(
      "--contract", options.contract,
      "the lab.hpp beside the starter of the workbook that is graded (default: that of this grader's)");
  app.add_flag("--all-functions", options.all_functions,
               "composes all of the contract, not those of the mutant's item alone");
  app.add_option("--compose", options.mutants, "composes these mutants")->needs(solution)->needs(result);

  CLI::Option* see =
      app.add_option("--see", options.see, "writes a trace of a call of this function")->needs(result);
  app.add_flag("--scene", options.scene, "of the lab's small call, whether items fail or not")->needs(see);
  app.add_option("--size", options.size, "of that call")->needs(see)->check(CLI::Range(1, 1 << 24));

  const CLI::Option* const required[] = {
      app.add_option("--submission", submission.name, "what the submission is called"),
      app.add_option("--kind", submission.kind)
          ->check(CLI::IsMember({"starter", "solution", "step", "mutant", "peer", "handin"})),
      app.add_option("--module", submission.module_path, "the built submission, FILE.so"),
      app.add_option("--runner", submission.runner_path, "warpbook-runner-sim or warpbook-runner-cuda"),
      app.add_option("--source", submission.source_path, "the submission's FILE.cu"),
      app.add_option("--backend", backend)->check(CLI::IsMember({"sim", "cuda"}))};
  app.add_option("--replay", replay,
                 "JSON with \"command\", which compiles the submission for a second run of what fails, and "
                 "\"module\", what it makes");
  CLI::Option* todo = app.add_option("--todo", options.todo, "judges the items that can fail for this TODO")
                          ->check(CLI::Range(1, 1000));
  app.add_option("--item", options.items, "judges this item alone, or those that are named so")
      ->allow_extra_args(false)
      ->excludes(todo);
  app.add_flag("--leave-out-speed", options.leave_out_speed, "judges no item that measures a time");
  app.add_flag("--skip-unavailable", options.skip_unavailable,
               "skips items whose backend this machine lacks");
  app.add_flag("--json", options.as_json, "reports as a stream of JSON objects, one on a line");
  app.add_flag("--wait", waits, "begins when a line arrives on the standard input");
  app.add_option("--prefix", prefix, "command and arguments to put in front of the runner");
  CLI::Option* limit =
      app.add_option("--timeout", timeout, "seconds that a call may take")->check(CLI::NonNegativeNumber);
  CLI::Option* jobs =
      app.add_option("--jobs", options.workers, "workers (default: the processors, on a GPU 1)")
          ->check(CLI::Range(1, 1000));
  app.add_option("--threads", options.threads,
                 "that make inputs and compare results, of all workers together (default: the processors)")
      ->check(CLI::Range(1, 1000));
  app.add_option("--runners", runners,
                 "a fresh runner for every item, or one for all (default: fresh, on a GPU kept)")
      ->check(CLI::IsMember({"fresh", "kept"}));
  const std::map<std::string, UnseenAccess> kinds = {{"garbles", UnseenAccess::garbles},
                                                     {"traps", UnseenAccess::traps},
                                                     {"passes", UnseenAccess::passes}};
  app.add_option("--unseen", submission.unseen, "accesses that the simulator does not see (default: garbles)")
      ->transform(CLI::CheckedTransformer(kinds));
  // The same inputs on every run, so that a failure can be looked at again; a secret seed is the instructor's.
  constexpr const char* seed_variable = "WARPBOOK_SEED";
  const CLI::Option* seed = app.add_option("--seed", submission.seed, "of the inputs (default: 1)")
                                ->envname(seed_variable)
                                ->check(CLI::NonNegativeNumber);
  try {
    app.parse(argc, argv);
    // Newer versions of CLI11 leave out a variable that does not pass a check, without a word.
    if (const char* text = std::getenv(seed_variable); text != nullptr && *text != '\0' && seed->empty())
      throw CLI::ConversionError(text, "--seed");
    if (options.list_items || !options.list_of.empty() || !options.headers_of.empty() ||
        !options.mutants.empty())
      return options;
    for (const CLI::Option* option : required)
      if (option->empty()) throw CLI::RequiredError(option->get_name());
  } catch (const CLI::CallForHelp&) {
    options.help = app.help();
    return options;
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(std::string(error.what()) + " (--help shows all options)");
  }

  if (!replay.empty()) submission.replay = replay_from(replay);
  const bool on_gpu = backend == "cuda";
  submission.backend = on_gpu ? Backend::cuda : Backend::sim;
  std::istringstream words(prefix);
  for (std::string word; words >> word;) submission.prefix.push_back(word);
  // A tool in front of the runner slows it down, some of them a hundredfold.
  submission.timeout = std::chrono::seconds(!submission.prefix.empty() ? 240 : on_gpu ? 20 : 10);
  if (!limit->empty()) submission.timeout = std::chrono::milliseconds(static_cast<long long>(1000 * timeout));
  if (jobs->empty()) options.workers = on_gpu ? 1 : available_processors();
  // A fresh runner of the simulator costs some milliseconds; a GPU's makes a context. What a tool in front of it finds,
  // the tool says at the end.
  options.keep_runners = runners.empty() ? on_gpu && submission.prefix.empty() : runners == "kept";
  if (waits) options.wait_for = STDIN_FILENO;
  return options;
}

} // namespace warpbook
