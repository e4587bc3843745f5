#include "bench/bench.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "bench/clocks.hpp"

namespace warpbook {

namespace {

constexpr const char* usage_text =
    "usage: bench-NN --backend sim|cuda --runner PATH --modules FOLDER --out FILE.csv [options]\n"
    "\n"
    "  --backend sim|cuda       what to measure on (default sim)\n"
    "  --runner PATH            warpbook-runner-sim or warpbook-runner-cuda\n"
    "  --modules FOLDER         the built solution, steps and peers: modules/NN/BACKEND\n"
    "  --out FILE.csv           the table; the same as JSON goes beside it\n"
    "  --size ELEMENTS          length of the arrays (default on a GPU: at least 8 times its L2 cache)\n"
    "  --repetitions N          timed runs of each point at most (default 15)\n"
    "  --rounds N               so many times each point comes, in a new random order (default 2)\n"
    "  --seed N                 of that order (default 1)\n"
    "  --thin N                 one in N points of each line of the sweep (default 1: all)\n"
    "  --precision f32|f64|both which functions (default both)\n"
    "  --function NAME          this function alone (default: all that the bench knows)\n"
    "  --device N               which GPU, counted as CUDA counts them (default 0)\n"
    "  --input FILE             measure on a file of yours, where the lab's bench can, in place of the "
    "sweep\n"
    "  --help                   this text\n";

[[noreturn]] void wrong_usage(const std::string& problem) {
  std::fprintf(stderr, "%s\n%s", problem.c_str(), usage_text);
  std::exit(2);
}

std::size_t whole_number(const std::string& option, const char* text, std::size_t least) {
  std::size_t value = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, value);
  if (error != std::errc{} || stop != end || value < least || value > std::size_t{1} << 40) {
    wrong_usage(option + " takes a whole number of at least " + std::to_string(least) + ", not '" + text +
                "'.");
  }
  return value;
}

} // namespace

BenchOptions parse_bench_options(int argc, char** argv, const char* contract, Input input) {
  BenchOptions options;
  options.contract = contract;
  options.command = std::filesystem::path(argv[0]).filename().string();
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--help" || option == "-h") {
      std::fputs(usage_text, stdout);
      std::exit(0);
    }
    if (i + 1 == argc) wrong_usage(option + " needs a value.");
    const char* value = argv[i + 1];
    const auto is = [value](const char* word) { return std::strcmp(value, word) == 0; };
    if (option == "--backend") {
      if (!is("sim") && !is("cuda")) wrong_usage("--backend takes sim or cuda.");
      options.backend = is("cuda") ? Backend::cuda : Backend::sim;
    } else if (option == "--precision") {
      if (!is("f32") && !is("f64") && !is("both")) wrong_usage("--precision takes f32, f64 or both.");
      options.precision = is("f32") ? Precision::f32 : is("f64") ? Precision::f64 : Precision::both;
    } else if (option == "--function")
      options.function = value;
    else if (option == "--runner")
      options.runner = value;
    else if (option == "--modules")
      options.modules = value;
    else if (option == "--out")
      options.out = value;
    else if (option == "--size")
      options.size = whole_number(option, value, 1);
    else if (option == "--repetitions")
      options.repetitions = static_cast<int>(std::min<std::size_t>(whole_number(option, value, 1), 100000));
    else if (option == "--rounds")
      options.rounds = static_cast<int>(std::min<std::size_t>(whole_number(option, value, 1), 1000));
    else if (option == "--seed")
      options.seed = whole_number(option, value, 0);
    else if (option == "--thin")
      options.thin = whole_number(option, value, 1);
    else if (option == "--device")
      options.device = static_cast<int>(std::min<std::size_t>(whole_number(option, value, 0), 100000));
    else if (option == "--input") {
      if (input == Input::none)
        wrong_usage("This lab's bench measures on arrays of its own and takes no --input.");
      options.input = value;
    } else
      wrong_usage("There is no option " + option + ".");
    // Paths would tell of one machine only.
    if (option == "--input")
      options.command += " " + option + " " + options.input.filename().string();
    else if (option != "--runner" && option != "--modules" && option != "--out")
      options.command += " " + option + " " + value;
  }
  if (options.runner.empty() || options.modules.empty() || options.out.empty()) {
    wrong_usage("--runner, --modules and --out are needed.");
  }
  if (options.out.extension() != ".csv") wrong_usage("--out names a CSV file, with the ending .csv.");
  return options;
}

void choose_device(const BenchOptions& options, const std::vector<std::string>& devices) {
  if (options.device < 0) return;
  const auto index = static_cast<std::size_t>(options.device);
  if (index >= devices.size()) {
    std::string list;
    for (std::size_t i = 0; i < devices.size(); ++i)
      list += (i == 0 ? "" : ", ") + std::to_string(i) + ": " + devices[i];
    throw std::runtime_error("There is no GPU " + std::to_string(index) + " here; there is " +
                             (list.empty() ? "none" : list) + ".");
  }
  // Where the user has made a choice already, the index counts within it.
  std::string chosen = std::to_string(index);
  if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES"); visible != nullptr && *visible != '\0') {
    std::string rest = visible;
    for (std::size_t skipped = 0; skipped < index; ++skipped) rest.erase(0, rest.find(',') + 1);
    chosen = rest.substr(0, rest.find(','));
  }
  ::setenv("CUDA_VISIBLE_DEVICES", chosen.c_str(), 1);
}

std::vector<Measured> measured_modules(const std::filesystem::path& folder) {
  std::vector<Measured> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().stem().string();
    const bool shown = name == "solution" || name.starts_with("step-") || name.starts_with("peer-");
    if (entry.path().extension() == ".so" && shown) found.push_back({name, entry.path()});
  }
  if (found.empty())
    throw std::runtime_error("no solution, step or peer has been built in " + folder.string());
  const auto rank = [](const Measured& m) {
    return m.name == "solution" ? 0 : m.name.starts_with("step-") ? 1 : 2;
  };
  std::sort(found.begin(), found.end(), [&](const Measured& a, const Measured& b) {
    return std::pair(rank(a), a.name) < std::pair(rank(b), b.name);
  });
  return found;
}

SubmissionOptions submission_options(const BenchOptions& options, const Measured& measured) {
  SubmissionOptions submission;
  submission.name = measured.name;
  submission.kind = "step";
  submission.module_path = measured.module.string();
  submission.backend = options.backend;
  submission.runner_path = options.runner;
  submission.contract_path = options.contract;
  submission.timeout = std::chrono::seconds(120);
  return submission;
}

Table start_table(const BenchOptions& options, std::vector<std::string> columns) {
  const SubmissionOptions submission = submission_options(options, {});
  const Availability found = probe(submission);
  if (!found.available) throw std::runtime_error(found.reason);
  if (options.backend == Backend::cuda) choose_device(options, found.devices);
  Table table(std::move(columns));
  table.provenance("backend", options.backend == Backend::sim ? "sim" : "cuda");
  table.provenance(device_provenance(submission));
  if (options.backend == Backend::cuda) {
    table.provenance("clocks before", clocks_now(probe(submission).pci_address));
    table.provenance("order", "random among the points of a function, in " + std::to_string(options.rounds) +
                                  " rounds, seed " + std::to_string(options.seed));
    table.provenance("L2 before each repetition",
                     "as column l2 says; cold: overwritten with four times its size");
  }
  table.provenance("command", options.command);
  return table;
}

void finish_table(const BenchOptions& options, Table& table) {
  if (options.backend == Backend::cuda) {
    const SubmissionOptions submission = submission_options(options, {});
    for (const auto& [key, value] :
         device_provenance(submission)) { // after 40 ms of load, so of a GPU at work
      if (key == "SM clock") table.provenance("SM clock after", value);
    }
    table.provenance("clocks after", clocks_now(probe(submission).pci_address));
  }
  table.write(options.out);
  std::printf("%zu rows in %s\n", table.rows(), options.out.filename().c_str());
}

} // namespace warpbook
