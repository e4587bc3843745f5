// Runs a program again, slowly, to see why its findings came about (diary.hpp).
#pragma once

#include "simt/program/options.hpp"
#include "simt/report/diary.hpp"

namespace simt::program {

/// What was seen in a second run: what threads did, and what was found.
struct SecondRun {
  Diaries diaries;
  std::vector<Finding> findings;
};

/// A second run of the program without its input and output, as RunOptions::replay says, for the threads that these findings name.
/// Nothing where none of them names a thread, or the run did not come about within its time: a few times the `seconds` of the first.
SecondRun replay(const RunOptions& options, const std::vector<Finding>& findings, double seconds);

/// Has the threads that the file names keep diaries in this run.
void watch_as_told(const std::string& file);
/// Writes there what they did, and what was found.
void write_second_run(const std::string& file, const std::vector<Finding>& findings);

} // namespace simt::program
