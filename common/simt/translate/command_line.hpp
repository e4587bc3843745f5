#pragma once

#include "simt/translate/toolchain.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace simt::compiler {

/// What the build of one submission may take.
struct Limits {
  unsigned processor_seconds = 60;    ///< of all processes together
  unsigned idle_seconds = 60;         ///< without any use of a processor, for one that waits and cannot go on
  std::size_t memory_mib = 640;       ///< of each process
  std::size_t file_mib = 64;          ///< of each file that is written, the module among them
  std::size_t said_bytes = 64 * 1024; ///< of messages; the rest is lost
};

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
  std::string cccl_folder; ///< of NVIDIA's libcu++, for programs; empty: the toolkit's, if one is installed
  std::string keep_folder;
  std::string
      precompiled_folder; ///< for the simulator's headers as g++ compiles them; empty: with every file
  /// A student's file, whose build is confined and limited. What it may be made of beside its own text are the files given
  /// with -include, and the headers of compiler and simulator.
  bool submission = false;
  /// What a composed submission is made of beside its own text: files that it may include, and say that it is.
  std::vector<std::string> parts;
  Limits limits;
  std::string nvcc;                 ///< the CUDA compiler that is at work in `command`
  std::vector<std::string> command; ///< what builds the module in simtcc's stead; empty: simtcc
  bool program = false; ///< a whole program with a main of its own, and the options that nvcc's users give it
  bool loadable = false;              ///< kernels without a main, for a program to load while it runs
  bool as_text = false;               ///< which takes them as a string
  bool legacy_warp_functions = false; ///< __shfl and the like without a mask are there
  bool translate_only = false;
  bool brackets_only = false; ///< with a line for nvcc, of which what simtcc does not know is passed over
  bool all_cuda = false;      ///< a program's files, whatever their names are
  bool openmp = false;        ///< of a program; else where it includes <omp.h>
  Detail detail = Detail::lines;
  bool verbose = false;
  bool help = false;

  Language language(const std::string& input) const {
    return program && !all_cuda ? language_of(input) : Language::cuda;
  }
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
