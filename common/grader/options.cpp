#include "grader/options.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <sstream>
#include <stdexcept>

namespace warpbook {

const char* const grader_usage =
    "usage: GRADER --list-items\n"
    "       GRADER --submission NAME --kind starter|solution|step|mutant|peer|handin --module FILE.so\n"
    "              --backend sim|cuda --runner PATH --source FILE.cu\n"
    "              [--item NAME] [--result FILE.json] [--seed N] [--prefix \"COMMAND ARGS\"] [--timeout "
    "SECONDS]\n"
    "              [--skip-unavailable] [--mutant | --fails-with DIAGNOSIS]\n"
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
  const std::map<std::string, bool*> flags = {{"--list-items", &options.list_items},
                                              {"--mutant", &options.is_mutant},
                                              {"--skip-unavailable", &options.skip_unavailable}};
  const std::map<std::string, std::string*> values = {{"--submission", &submission.name},
                                                      {"--kind", &submission.kind},
                                                      {"--module", &submission.module_path},
                                                      {"--runner", &submission.runner_path},
                                                      {"--backend", &backend},
                                                      {"--source", &submission.source_path},
                                                      {"--item", &options.item},
                                                      {"--fails-with", &options.fails_with},
                                                      {"--result", &options.result_path},
                                                      {"--seed", &seed},
                                                      {"--prefix", &prefix},
                                                      {"--timeout", &timeout}};
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (const auto flag = flags.find(option); flag != flags.end()) {
      *flag->second = true;
    } else if (const auto value = values.find(option); value != values.end()) {
      if (++i == argc) throw std::invalid_argument(option + " takes a value");
      *value->second = argv[i];
    } else {
      throw std::invalid_argument("unknown option '" + option + "'");
    }
  }
  if (options.list_items) return options;

  check(options);
  if (!options.fails_with.empty() && (options.item.empty() || options.is_mutant))
    throw std::invalid_argument("--fails-with is about one --item, and a --mutant's header says it already");
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
  return options;
}

MutantHeader parse_mutant_header(const std::string& source_text, Backend backend) {
  std::map<std::string, std::string> fields;
  std::istringstream lines(source_text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("// ")) continue;
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    std::string value = line.substr(colon + 2);
    value.erase(value.find_last_not_of(" \t\r") + 1);
    fields.emplace(line.substr(3, colon - 3), value);
  }
  const auto field = [&](const std::string& name) {
    const std::string own = fields[name + (backend == Backend::sim ? "[sim]" : "[cuda]")];
    return own.empty() ? fields[name] : own;
  };
  MutantHeader header{fields["item"], field("diagnosis"), {}};
  std::istringstream todos(field("todo"));
  for (std::string todo; todos >> todo;) {
    if (todo.find_first_not_of("0123456789") != std::string::npos || todo.size() > 3)
      throw std::invalid_argument("the mutant's header has a TODO that is no number: " + todo);
    header.todos.push_back(std::stoi(todo));
  }
  if (header.item.empty()) throw std::invalid_argument("the mutant's header has no line '// item: NAME'");
  if (header.diagnosis.empty())
    throw std::invalid_argument("the mutant's header has no line '// diagnosis: ID'");
  return header;
}

} // namespace warpbook
