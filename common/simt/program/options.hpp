#pragma once

#include "simt/runtime/machine/simt.hpp"

#include <string>
#include <vector>

namespace simt::program {

/// A command line that makes no sense; the text says why.
struct UsageError {
  std::string text;
};

/// How to run which program.
struct RunOptions {
  Options simulator;
  std::string schedule = "forward";
  std::string module; ///< what simtcc --program has built
  std::string name;   ///< the program's argv[0]; empty: the module's path
  std::vector<std::string> arguments;
  bool json = false;
  bool counters = true; ///< print them at the end
  double limit = 0;     ///< seconds after which the program is stopped; 0: none
  bool lines = true;    ///< for each source line, too
  std::string trace;    ///< the trace file to write; empty: none
  std::string
      replay; ///< a file that says how the program is built to be run again (replay.hpp); empty: it is not
  std::string watch;    ///< a file of threads, which gets their diaries
  std::string help;     ///< where it was asked for: what to print, and nothing to run
};

/// Reads the arguments after simtrun's own name. All that follows the module is the program's. Throws
/// UsageError.
RunOptions parse_options(const std::vector<std::string>& arguments);

} // namespace simt::program
