// A trace as a file that other tools may read: docs/trace-format.md describes it.
#pragma once

#include "simt/trace/trace.hpp"

#include <iosfwd>

namespace simt {

/// What the trace is of; empty where it does not apply.
struct TraceTitle {
  std::string title = {};      ///< a function or a program
  std::string call = {};       ///< in words, with its sizes
  std::string file = {};       ///< the source file, as its owner calls it
  std::string submission = {}; ///< starter, solution, ...
  std::string made = {};       ///< when: ISO 8601, UTC
  std::string schedule = {};
  std::string verdict = {};                                      ///< a sentence
  std::vector<std::pair<std::string, std::string>> numbers = {}; ///< of the call's arguments, by name
};

/// A finding as it is reported.
struct WordedFinding {
  Finding finding;
  std::string sentence;
  std::vector<std::string> details = {};
};

/// A finding of the simulator as render() words it.
WordedFinding told(const Finding& finding);

/// Now, as TraceTitle::made has it.
std::string current_time();

/// Writes a whole trace file.
void write_trace_file(std::ostream& out, const TraceTitle& title, const Trace& trace,
                      const std::vector<WordedFinding>& findings);

} // namespace simt
