// Compares what the simulator computes with what hardware computed (values.csv).
//
//   values_test RUNNER MODULE values.csv exceptions.csv
//
// Every word of every case must be the same, under every schedule. Where exceptions.csv has a word of its own the simulator must
// give that one.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "grader/context.hpp"
#include "grader/submission.hpp"
#include "values.hpp"

using namespace warpbook;

namespace {

struct Row {
  std::string name;
  std::vector<std::uint32_t> values;
};

std::vector<Row> read_rows(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#' || line.starts_with("case,")) continue;
    std::istringstream cells(line);
    Row row;
    std::getline(cells, row.name, ',');
    for (std::string cell; std::getline(cells, cell, ',');)
      row.values.push_back(static_cast<std::uint32_t>(std::stoul(cell, nullptr, 16)));
    if (row.values.size() != values_per_case) throw std::runtime_error(row.name + " lacks values");
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Replaces the words that are known to differ; each has to differ indeed.
void apply_exceptions(const std::string& path, std::vector<Row>& rows) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream cells(line);
    std::string name, thread, word;
    std::getline(cells, name, ','), std::getline(cells, thread, ','), std::getline(cells, word, ',');
    if (line.starts_with('#') || !thread.starts_with("thread ")) continue;
    const auto row = std::ranges::find(rows, name, &Row::name);
    if (row == rows.end()) throw std::runtime_error("values.csv has no case " + name);
    std::uint32_t& wanted = row->values.at(std::stoul(thread.substr(7)));
    const auto known = static_cast<std::uint32_t>(std::stoul(word, nullptr, 16));
    if (wanted == known) throw std::runtime_error(name + ", " + thread + ", is no exception any more");
    std::printf("known to differ: %s\n", line.c_str());
    wanted = known;
  }
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: values_test RUNNER MODULE values.csv exceptions.csv\n");
    return 2;
  }
  try {
    std::vector<Row> rows = read_rows(argv[3]);
    apply_exceptions(argv[4], rows);
    SubmissionOptions options;
    options.name = "values";
    options.runner_path = argv[1];
    options.module_path = argv[2];
    Submission golden(options);
    set_submission(&golden);
    const Reply cases = golden.call(CONTRACT(value_cases));
    if (cases.returned<int>() != static_cast<int>(rows.size()) || rows.empty())
      throw std::runtime_error("values.csv has another number of cases than values.cu; measure.py makes it");
    int differences = 0;
    for (int index = 0; index < static_cast<int>(rows.size()); ++index) {
      const Row& row = rows[static_cast<std::size_t>(index)];
      const Reply name = golden.call(CONTRACT(value_name), index, out<char>(value_name_bytes));
      if (name.values<char>(0).data() != row.name)
        throw std::runtime_error("case " + std::to_string(index) + " is " + name.values<char>(0).data() +
                                 ", not " + row.name);
      for (const Schedule schedule : {Schedule::forward, Schedule::reverse, Schedule::random}) {
        const Reply reply = golden.call(CallOptions{.schedule = schedule}, CONTRACT(value_case), index,
                                        out<std::uint32_t>(values_per_case));
        const auto computed = reply.values<std::uint32_t>(0);
        for (std::size_t thread = 0; thread < values_per_case; ++thread) {
          if (computed[thread] == row.values[thread]) continue;
          ++differences;
          std::printf("%s (%s schedule), thread %zu: %08x on hardware, %08x on the simulator\n",
                      row.name.c_str(), name_of(schedule), thread, row.values[thread], computed[thread]);
        }
      }
    }
    std::printf("%zu cases compared under 3 schedules, %d differences\n", rows.size(), differences);
    return differences == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "values_test: %s\n", error.what());
    return 1;
  }
}
