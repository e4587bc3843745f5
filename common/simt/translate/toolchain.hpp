#pragma once

#include <string>
#include <vector>

namespace simt::compiler {

enum class Family { gcc, clang };

/// What a source is written in: CUDA, or C++ or C for the host alone.
enum class Language { cuda, cpp, c };

/// What a module tells of its code: lines; variables and types too; and, while it runs, each step of a thread (replay.hpp).
enum class Detail { lines, variables, steps };

/// By the suffix, as nvcc tells; what is no host file is CUDA.
Language language_of(const std::string& input);

/// The path of an installed program, given by its name or path; empty if there is none.
std::string find_program(const std::string& program);

/// A host compiler, and how it is called for the simulator.
class Toolchain {
public:
  /// `requested` is a name or path; empty takes the first of g++ and clang++ that is installed.
  /// Throws EnvironmentError if there is no compiler.
  Toolchain(const std::string& requested, Detail detail);

  const std::string& compiler() const { return compiler_; }
  /// Where the compiler was found; empty if it is not installed.
  std::string path() const;
  Family family() const { return family_; }

  /// What preprocessing, compiling and linking take for OpenMP; nothing where this compiler has no library for it.
  std::vector<std::string> openmp() const;

  /// Preprocesses `input` to standard output, with `first_headers` before all others. Host files get
  /// none of them unless they include one.
  std::vector<std::string> preprocess(const std::string& input, const std::string& standard,
                                      const std::string& optimisation, const std::string& shim_folder,
                                      const std::vector<std::string>& options, Language language,
                                      const std::vector<std::string>& first_headers) const;
  /// Compiles the preprocessed text of `input` from standard input; every memory access calls a hook.
  std::vector<std::string> compile(const std::string& input, const std::string& object,
                                   const std::string& standard, const std::string& optimisation,
                                   const std::vector<std::string>& warnings,
                                   Language language = Language::cuda) const;
  /// Compiles preprocessed headers from standard input into a file that texts compiled by compile() may refer to, with
  /// the same options. Of g++ only.
  std::vector<std::string> precompile(const std::string& precompiled, const std::string& standard,
                                      const std::string& optimisation,
                                      const std::vector<std::string>& warnings) const;
  /// Links objects into a module whose hooks stay undefined: the runner provides them. With `all_libraries` what else
  /// is undefined is searched in those of C and C++, which takes longer than the rest, else in that of mathematics.
  std::vector<std::string> link(const std::vector<std::string>& objects, const std::string& module,
                                const std::vector<std::string>& libraries, bool all_libraries) const;

private:
  std::vector<std::string> options(const std::string& standard, const std::string& optimisation,
                                   const std::vector<std::string>& warnings, Language language) const;

  std::string compiler_;
  Detail detail_;
  Family family_ = Family::gcc;
};

} // namespace simt::compiler
