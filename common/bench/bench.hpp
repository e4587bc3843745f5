#pragma once
/// What every lab's bench shares: the command line, the submissions to measure, and the table that says where
/// its numbers come from (timing/table.hpp). A bench (labs/NN/bench.cpp) sweeps; it does not judge.
///
///   bench-01 --backend sim --runner bin/warpbook-runner-sim --modules modules/01/sim --out coalescing.csv

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "grader/submission.hpp"
#include "timing/table.hpp"

namespace warpbook {

enum class Precision { f32, f64, both };

/// A bench's command line.
struct BenchOptions {
  Backend backend = Backend::sim;
  std::string runner;
  std::filesystem::path modules; ///< folder of the modules built for the backend
  std::filesystem::path out;     ///< the CSV to write; the JSON goes beside it
  std::string contract;          ///< lab.hpp
  std::size_t size = 0;          ///< elements; 0: the bench's own choice
  int repetitions = 15;   ///< timed runs of a point at most; fewer where the median is known well enough
  int rounds = 2;         ///< in so many rounds, each in a new random order (plan.hpp)
  std::uint64_t seed = 1; ///< of that order
  std::size_t thin = 1;   ///< of the points of a line of the sweep one in so many, the first one among them
  Precision precision = Precision::both;
  std::string function; ///< the only function to measure; empty: all
  int device = -1;      ///< index of the GPU in CUDA's order; -1: the first
  std::string command;  ///< as it was typed, without paths, for the table
  std::string
      own; ///< the submission to measure in place of solution, steps and peers, called `yours`; empty: those
  std::string own_file;        ///< what its file is called in the table
  std::filesystem::path input; ///< a file to measure on, in place of the sweep; empty: the sweep
};

/// Whether a bench can measure on a file of the user's (--input).
enum class Input { none, file };

/// Reads the command line. Prints usage and exits, with status 2 where it is wrong and 0 for --help.
BenchOptions parse_bench_options(int argc, char** argv, const char* contract, Input input = Input::none);

/// Makes the GPU with the index options.device the only one that runners see. `devices` are the names of
/// those there are. Throws std::runtime_error, with that list, if there is no such GPU.
void choose_device(const BenchOptions& options, const std::vector<std::string>& devices);

/// One module to measure, e.g. {"step-v0_one_thread_one_element", ".../step-v0_….so"}.
struct Measured {
  std::string name;
  std::filesystem::path module;
};

/// The modules of the folder that a sweep shows: solution, steps in their order, peers. Mutants, hand-ins and
/// the starter are left out. If `own` is not empty, it is that one alone, called "yours". Throws std::runtime_error if there is
/// none.
std::vector<Measured> measured_modules(const std::filesystem::path& folder, const std::string& own = "");

/// What a submission is called with: `options` with a time limit that suits benches.
SubmissionOptions submission_options(const BenchOptions& options, const Measured& measured);

/// Returns where a submission is passed over: it lacks the function, or it is a student's own and not right yet. Throws
/// std::runtime_error where a submission has to be right.
void pass_over(const BenchOptions& options, const Measured& measured, const ItemFailed& failed);

/// A table that already says backend, device, clocks, driver, toolkit, date (UTC), the order of the points and the command.
/// Chooses the device. Throws std::runtime_error where the backend has none.
Table start_table(const BenchOptions& options, std::vector<std::string> columns);

/// Adds the clocks after the run, writes the table, and prints how many rows it has. Throws std::runtime_error if it cannot
/// be written.
void finish_table(const BenchOptions& options, Table& table);

} // namespace warpbook
