// Runs a program again, slowly, to see why its findings came about (diary.hpp).
#pragma once

#include "simt/program/options.hpp"
#include "simt/report/diary.hpp"

namespace simt::program {

/// What the threads that these findings are about did, in a second run of the program without its input and output, as RunOptions::replay
/// says; nothing where none of them names a thread, or the run did not come about within its time: a few times the `seconds` of the first.
Diaries replay(const RunOptions& options, const std::vector<Finding>& findings, double seconds);

/// Has the threads that the file names keep diaries in this run.
void watch_as_told(const std::string& file);
/// Writes them there.
void write_diaries(const std::string& file);

} // namespace simt::program
