#pragma once
/// What every lab's bench shares: the command line, the submissions to measure, and a CSV file that says
/// where its numbers come from. A bench (labs/NN/bench.cpp) sweeps; it does not judge.
///
///   bench-01 --backend sim --runner bin/warpbook-runner-sim --modules modules/01/sim --out coalescing.csv

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "grader/submission.hpp"

namespace warpbook {

/// A bench's command line.
struct BenchOptions {
  Backend backend = Backend::sim;
  std::string runner;
  std::filesystem::path modules; ///< folder of the modules built for the backend
  std::filesystem::path out;     ///< the CSV to write
  std::string contract;          ///< lab.hpp
  std::size_t size = 0;          ///< elements; 0: the bench's own choice
  int repetitions = 15;          ///< timed runs a point, after one that is thrown away
  std::string command;           ///< as it was typed, for the CSV
};

/// Reads the command line. Prints usage and exits with status 2 where it is wrong.
BenchOptions parse_bench_options(int argc, char** argv, const char* contract);

/// One module to measure, e.g. {"step-v0_one_thread_one_element", ".../step-v0_….so"}.
struct Measured {
  std::string name;
  std::filesystem::path module;
};

/// The modules of the folder that a sweep shows: solution, steps in their order, peers. Mutants, hand-ins and
/// the starter are left out. Throws std::runtime_error if there is none.
std::vector<Measured> measured_modules(const std::filesystem::path& folder);

/// A module ready to be called, with a time limit that suits benches.
std::unique_ptr<Submission> load(const BenchOptions& options, const Measured& measured);

/// The middle value; of an even number of values the mean of the two in the middle. Throws
/// std::invalid_argument if there are none.
double median(std::span<const double> values);

/// Rows of a CSV file, kept until write(). Lines `# key: value` in front say where the numbers come from.
class Table {
public:
  explicit Table(std::vector<std::string> columns);
  void provenance(std::string key, std::string value);
  /// One row; as many cells as there are columns, none with a comma, a quote or a line break in it.
  void add(std::vector<std::string> cells);
  std::size_t rows() const { return rows_.size(); }
  /// Writes the whole file beside its place and moves it there, so that no half file is left.
  /// Throws std::runtime_error if that fails.
  void write(const std::filesystem::path& path) const;

private:
  std::vector<std::string> columns_;
  std::vector<std::pair<std::string, std::string>> provenance_;
  std::vector<std::vector<std::string>> rows_;
};

/// A table that already says backend, device, driver, CUDA runtime, date (UTC) and command.
Table start_table(const BenchOptions& options, std::vector<std::string> columns);

/// A number with six significant digits.
std::string cell(double value);

} // namespace warpbook
