// Compares the simulator's counters of one golden kernel with what hardware counted (golden.csv).
//
//   golden_test RUNNER MODULE golden.csv exceptions.csv KERNEL
//
// Every column must agree exactly, under every schedule, and so must what a trace of the call comes to. Where exceptions.csv has a count of its own the
// simulator must give that one.

#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "golden.hpp"
#include "grader/context.hpp"
#include "grader/submission.hpp"

using namespace warpbook;

namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

/// The row of `kernel`: its index among the kernels, and column name -> count; without those of empty cells.
std::pair<int, std::map<std::string, std::uint64_t>> row_of(const std::string& path,
                                                            const std::string& kernel) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<std::string> columns;
  int index = -1;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> cells = split(line);
    if (columns.empty()) {
      columns = cells;
      continue;
    }
    ++index;
    if (cells.at(0) != kernel) continue;
    std::map<std::string, std::uint64_t> counts;
    for (std::size_t i = 1; i < columns.size(); ++i)
      if (i < cells.size() && !cells[i].empty()) counts[columns[i]] = std::stoull(cells[i]);
    return {index, counts};
  }
  throw std::runtime_error("golden.csv has no kernel " + kernel);
}

/// Replaces the counts of `kernel` that are known to differ; each has to differ indeed.
void apply_exceptions(const std::string& path, const std::string& kernel,
                      std::map<std::string, std::uint64_t>& counts) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> cells = split(line);
    if (cells.size() < 4) throw std::runtime_error("an exception without a reason: " + line);
    if (cells[0] != kernel) continue;
    const std::uint64_t count = std::stoull(cells[2]);
    if (counts.at(cells[1]) == count) throw std::runtime_error(kernel + " is no exception any more");
    std::printf("known to differ: %s is %llu on hardware, because %s\n", cells[1].c_str(),
                static_cast<unsigned long long>(counts.at(cells[1])), cells[3].c_str());
    counts[cells[1]] = count;
  }
}

/// Whether a trace has this count too.
bool is_traced(const std::string& column) {
  const bool is_access = column.starts_with("global_") || column.starts_with("shared_");
  return is_access && !column.ends_with("_ideal_wavefronts");
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: golden_test RUNNER MODULE golden.csv exceptions.csv KERNEL\n");
    return 2;
  }
  try {
    const std::string kernel = argv[5];
    auto [index, wanted] = row_of(argv[3], kernel);
    apply_exceptions(argv[4], kernel, wanted);
    SubmissionOptions options;
    options.name = "golden";
    options.runner_path = argv[1];
    options.module_path = argv[2];
    Submission golden(options);
    set_submission(&golden);
    context().trace = true;
    // The table's rows and the cases stand in the same order, or nothing below means anything.
    const Reply name = golden.call(CONTRACT(golden_name), index, out<char>(golden_name_bytes));
    if (name.values<char>(0).data() != kernel)
      throw std::runtime_error("case " + std::to_string(index) + " is " + name.values<char>(0).data());
    const std::vector<float> zeros(65536, 0.0f);
    int differences = 0;
    for (const Schedule schedule : {Schedule::forward, Schedule::reverse, Schedule::random}) {
      const Reply reply = golden.call(CallOptions{.schedule = schedule}, CONTRACT(golden_case), index,
                                      in(zeros), inout(zeros));
      if (reply.kernels().size() != 1) throw std::runtime_error("a golden case launches one kernel");
      const nlohmann::json counters = reply.counters();
      nlohmann::json traced; // stays empty if there is nothing to draw, as of textures
      if (const auto call = golden.last_traced()) traced = simt::counters_of(*call->trace);
      for (const auto& [column, count] : wanted) {
        const std::uint64_t counted = counters.value(column, std::uint64_t{0}); // zeros do not travel
        const std::uint64_t traced_count = traced.is_null() ? 0 : traced.value(column, std::uint64_t{0});
        if (is_traced(column) && traced_count != counted) {
          ++differences;
          std::printf("%s (%s schedule): %s is %llu in the trace, and %llu is counted\n", kernel.c_str(),
                      name_of(schedule), column.c_str(), static_cast<unsigned long long>(traced_count),
                      static_cast<unsigned long long>(counted));
        }
        if (counted == count) continue;
        ++differences;
        std::printf("%s (%s schedule): %s is %llu on hardware, %llu on the simulator\n", kernel.c_str(),
                    name_of(schedule), column.c_str(), static_cast<unsigned long long>(count),
                    static_cast<unsigned long long>(counted));
      }
    }
    std::printf("%zu counters compared under 3 schedules, %d differences\n", wanted.size(), differences);
    return differences == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "golden_test: %s\n", error.what());
    return 1;
  }
}
