#pragma once

#include <string>
#include <vector>

namespace simt::compiler {

/// What simtcc was asked to do.
struct CommandLine {
  std::string compiler; ///< empty: the first of g++ and clang++ that is installed
  std::string optimisation = "-O1";
  std::string standard;                  ///< -std=c++20 unless given, for programs -std=gnu++20
  std::string next_standard;             ///< for files that do not compile with the first; empty: none
  std::vector<std::string> preprocessor; ///< -I, -D, -U, -isystem, -include, in order
  std::vector<std::string> warnings;     ///< -W..., -w
  std::vector<std::string> linker;       ///< -l, -L
  std::vector<std::string> inputs;
  std::string output;
  std::string dependency_file;
  std::string dependency_target;
  std::string shim_folder;
  std::string exports_file;
  std::string keep_folder;
  std::string
      precompiled_folder; ///< for the simulator's headers as g++ compiles them; empty: with every file
  bool program = false; ///< a whole program with a main of its own, and the options that nvcc's users give it
  bool translate_only = false;
  bool brackets_only = false; ///< with a line for nvcc, of which what simtcc does not know is passed over
  bool debug = false;         ///< variables and types for a debugger too, not lines alone
  bool verbose = false;
  bool help = false;
};

/// A command line that makes no sense; the text says why.
struct UsageError {
  std::string text;
};

/// Reads the arguments after the program's name. Throws UsageError.
CommandLine parse_command_line(const std::vector<std::string>& arguments);

/// The text of --help.
std::string usage();

} // namespace simt::compiler
