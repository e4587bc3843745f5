#include "bench/bench.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>

#include "bench/clocks.hpp"

namespace warpbook {

BenchOptions parse_bench_options(int argc, char** argv, const char* contract, Input input) {
  BenchOptions options;
  options.contract = contract;
  options.command = std::filesystem::path(argv[0]).filename().string();
  const auto at_least = [](std::size_t least) { return CLI::Range(least, std::size_t{1} << 40); };
  const auto csv = [](const std::string& name) {
    return name.ends_with(".csv") ? "" : "names a CSV file, with the ending .csv";
  };
  const auto wanted = [input](const std::string&) {
    return input == Input::file ? "" : "this lab's bench measures on arrays of its own, and takes none";
  };
  const std::map<std::string, Precision> precisions = {
      {"f32", Precision::f32}, {"f64", Precision::f64}, {"both", Precision::both}};
  std::string backend = "sim", precision = "both";

  CLI::App app("Measures a lab's solution, steps and peers, and writes a table.", options.command);
  app.option_defaults()->take_last();
  app.add_option("--backend", backend, "what to measure on (default: sim)")
      ->check(CLI::IsMember({"sim", "cuda"}));
  const CLI::Option* const paths[] = {
      // they would tell of one machine only
      app.add_option("--runner", options.runner, "warpbook-runner-sim or warpbook-runner-cuda")->required(),
      app.add_option("--modules", options.modules, "the built solution, steps and peers: modules/NN/BACKEND")
          ->required(),
      app.add_option("--out", options.out, "the table, FILE.csv; the same as JSON goes beside it")
          ->required()
          ->check(csv),
      app.add_option("--contract", options.contract, "the lab.hpp of the workbook that is measured"),
      app.add_option("--own-file", options.own_file, "what the table calls the file of --own")};
  app.add_option("--size", options.size,
                 "length of the arrays (default on a GPU: at least 8 times its L2 cache)")
      ->check(at_least(1));
  app.add_option("--repetitions", options.repetitions, "timed runs of each point at most (default: 15); more where a bench needs more")
      ->check(CLI::Range(1, 100'000));
  app.add_option("--rounds", options.rounds,
                 "so many times each point comes, in a new random order (default: 2)")
      ->check(CLI::Range(1, 1000));
  app.add_option("--seed", options.seed, "of that order (default: 1)")->check(at_least(0));
  app.add_option("--thin", options.thin, "one in N points of each line of the sweep (default: 1, all)")
      ->check(at_least(1));
  app.add_option("--precision", precision, "which functions (default: both)")
      ->check(CLI::IsMember(precisions));
  app.add_option("--function", options.function, "this function alone (default: all that the bench knows)");
  app.add_option("--own", options.own,
                 "this submission alone, of which each function that is right is measured (default: "
                 "solution, steps and peers)");
  app.add_option("--device", options.device, "which GPU, counted as CUDA counts them (default: 0)")
      ->check(CLI::Range(0, 100'000));
  const CLI::Option* file =
      app.add_option("--input", options.input, "measures on a file of yours, where the lab's bench can")
          ->check(wanted);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error) == 0 ? 0 : 2);
  }
  if (backend == "cuda") options.backend = Backend::cuda;
  options.precision = precisions.at(precision);
  for (const CLI::Option* option : app.parse_order()) {
    if (std::ranges::find(paths, option) != std::end(paths)) continue;
    const std::string value = option == file ? options.input.filename().string() : option->results().front();
    options.command += " " + option->get_name() + " " + value;
  }
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

std::vector<Measured> measured_modules(const std::filesystem::path& folder, const std::string& own) {
  std::vector<Measured> found;
  std::error_code error;
  if (!own.empty()) {
    const std::filesystem::path module = folder / (own + ".so");
    if (!std::filesystem::exists(module, error))
      throw std::runtime_error(module.string() + " has not been built");
    return {{"yours", module}};
  }
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
    return rank(a) != rank(b) ? rank(a) < rank(b)
                              : strverscmp(a.name.c_str(), b.name.c_str()) < 0; // v9 before v10
  });
  return found;
}

void pass_over(const BenchOptions& options, const Measured& measured, const ItemFailed& failed) {
  if (!is_missing_function(failed.failure) && options.own.empty())
    throw std::runtime_error(measured.name + ": " + failed.what());
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
  if (!options.own_file.empty()) table.provenance("file", options.own_file);
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
