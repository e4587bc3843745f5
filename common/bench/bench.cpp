#include "bench/bench.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace warpbook {

namespace {

[[noreturn]] void usage(const std::string& problem) {
  std::fprintf(stderr,
               "%s\nusage: bench-NN --backend sim|cuda --runner PATH --modules FOLDER --out FILE.csv\n"
               "                [--size ELEMENTS] [--repetitions N]\n",
               problem.c_str());
  std::exit(2);
}

std::size_t positive(const std::string& option, const char* text) {
  std::size_t value = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, value);
  if (error != std::errc{} || stop != end || value == 0) {
    usage(option + " takes a whole number above 0, not '" + text + "'.");
  }
  return value;
}

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", std::gmtime(&now));
  return text;
}

} // namespace

BenchOptions parse_bench_options(int argc, char** argv, const char* contract) {
  BenchOptions options;
  options.contract = contract;
  options.command = std::filesystem::path(argv[0]).filename().string();
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc) usage(option + " needs a value.");
    const char* value = argv[i + 1];
    if (option == "--backend") {
      if (std::strcmp(value, "sim") != 0 && std::strcmp(value, "cuda") != 0)
        usage("--backend takes sim or cuda.");
      options.backend = std::strcmp(value, "cuda") == 0 ? Backend::cuda : Backend::sim;
    } else if (option == "--runner")
      options.runner = value;
    else if (option == "--modules")
      options.modules = value;
    else if (option == "--out")
      options.out = value;
    else if (option == "--size")
      options.size = positive(option, value);
    else if (option == "--repetitions")
      options.repetitions = static_cast<int>(positive(option, value));
    else
      usage("There is no option " + option + ".");
    // Paths would tell of one machine only.
    if (option != "--runner" && option != "--modules" && option != "--out")
      options.command += " " + option + " " + value;
  }
  if (options.runner.empty() || options.modules.empty() || options.out.empty()) {
    usage("--runner, --modules and --out are needed.");
  }
  return options;
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

std::unique_ptr<Submission> load(const BenchOptions& options, const Measured& measured) {
  SubmissionOptions submission;
  submission.name = measured.name;
  submission.kind = "step";
  submission.module_path = measured.module.string();
  submission.backend = options.backend;
  submission.runner_path = options.runner;
  submission.contract_path = options.contract;
  submission.timeout = std::chrono::seconds(120);
  return std::make_unique<Submission>(submission);
}

double median(std::span<const double> values) {
  if (values.empty()) throw std::invalid_argument("median of no values");
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

Table::Table(std::vector<std::string> columns) : columns_(std::move(columns)) {}

void Table::provenance(std::string key, std::string value) {
  std::replace(value.begin(), value.end(), '\n', ' ');
  provenance_.emplace_back(std::move(key), std::move(value));
}

void Table::add(std::vector<std::string> cells) {
  if (cells.size() != columns_.size()) throw std::logic_error("a row needs one cell for each column");
  for (const std::string& cell : cells) {
    if (cell.find_first_of(",\"\n") != std::string::npos)
      throw std::logic_error("a cell cannot hold: " + cell);
  }
  rows_.push_back(std::move(cells));
}

void Table::write(const std::filesystem::path& path) const {
  const std::filesystem::path beside = path.string() + ".part";
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path());
  std::ofstream file(beside);
  const auto line = [&file](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) file << (i == 0 ? "" : ",") << cells[i];
    file << '\n';
  };
  for (const auto& [key, value] : provenance_) file << "# " << key << ": " << value << '\n';
  line(columns_);
  for (const auto& row : rows_) line(row);
  file.close();
  if (!file) throw std::runtime_error("could not write " + beside.string() + " (is the disk full?)");
  std::filesystem::rename(beside, path);
}

Table start_table(const BenchOptions& options, std::vector<std::string> columns) {
  SubmissionOptions submission;
  submission.backend = options.backend;
  submission.runner_path = options.runner;
  const Availability device = probe(submission);
  if (!device.available) throw std::runtime_error(device.reason);
  Table table(std::move(columns));
  table.provenance("backend", options.backend == Backend::sim ? "sim" : "cuda");
  table.provenance("device", device.device);
  const auto details = nlohmann::json::parse(device.details_json, nullptr, false);
  for (const char* key : {"driver", "runtime"}) {
    if (details.is_object() && details.contains(key)) {
      table.provenance(key, details[key].is_string() ? details[key].get<std::string>() : details[key].dump());
    }
  }
  table.provenance("date", now_utc());
  table.provenance("command", options.command);
  return table;
}

std::string cell(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

} // namespace warpbook
