#pragma once

#include <string>
#include <vector>

#include "grader/grading_run.hpp"

namespace warpbook {

/// The grader's command line.
struct GraderOptions : GradingRunOptions {
  std::string help; ///< where it was asked for: what to print, and nothing to do
  bool list_items = false;
  std::vector<std::string> headers_of; ///< --list-headers: the files whose headers are asked for
  std::string list_of;                 ///< --list-tests: a file with the submissions that there are tests for
  std::vector<std::string>
      mutants; ///< --compose: what to compose, with `solution`, into the folder `result_path`
  std::string solution;
  bool all_functions = false; ///< of the contract are composed, and not those of the mutant's item alone

  std::string see;      ///< of which function a trace is to be written to `result_path`
  std::size_t size = 0; ///< of its scene's call; 0: the scene's own
  bool scene = false;   ///< the scene's call is traced, whether items fail or not; so it is with a size

  bool as_json = false; ///< the report is a stream of JSON objects, one on a line
  bool leave_out_speed = false;
  unsigned threads = 0; ///< of loops over inputs and results, all workers together; 0: the processors
  int todo = 0;         ///< the items that can fail for this TODO; 0: all
  std::vector<std::string> items; ///< these alone
  std::string contract;           ///< lab.hpp; empty: the grader's own
  std::string result_path;
};

/// Reads the command line. Throws std::invalid_argument with a sentence about what is wrong with it.
GraderOptions parse_options(int argc, const char* const* argv);

} // namespace warpbook
