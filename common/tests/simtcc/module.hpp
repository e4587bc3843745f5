#pragma once

#include <doctest/doctest.h>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace simtcc_test {

/// A folder of its own for one test, removed with all it holds.
class Folder {
public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path path(std::string_view name) const { return path_ / name; }
  std::filesystem::path write(std::string_view name, std::string_view text) const;

private:
  std::filesystem::path path_;
};

struct Outcome {
  int status = -1;
  std::string text; ///< standard output and standard error
};

/// Runs simtcc from `folder` with the tests' own small headers instead of the simulator's.
Outcome simtcc(const Folder& folder, const std::vector<std::string>& arguments);
/// Runs simtcc from `folder` with nothing added.
Outcome plain_simtcc(const Folder& folder, const std::vector<std::string>& arguments);
/// Runs any program from `folder`.
Outcome execute(const Folder& folder, const std::vector<std::string>& command);

/// g++ and clang++, as far as they are installed.
std::vector<std::string> compilers();

/// Builds `source` with every compiler, calls its `extern "C" int test()`, and returns what all agree on.
/// Fails the test case if a build fails or the compilers disagree.
int result_of(std::string_view source);

/// Builds `source` with one compiler and calls test().
int result_of(std::string_view source, const std::string& compiler);

/// A source with an `extern "C" int test()`. All of a test executable are built in one file, each in a namespace of its
/// own, because starting a compiler takes longer than compiling them. A source calls its kernel k or has a name for it
/// that no other has. What depends on the global namespace, or looks at k's name, calls result_of() instead.
class Program {
public:
  explicit Program(std::string source);
  /// What test() returns, in a module that was freshly loaded, whichever compiler built it.
  int result() const;

private:
  std::string source_;
  std::size_t number_;
};

/// A test case: the test() of `source` returns `expected`.
#define PROGRAM_TEST(sentence, source, expected)                                                             \
  PROGRAM_TEST_NAMED(DOCTEST_ANONYMOUS(PROGRAM_), sentence, source, expected)
#define PROGRAM_TEST_NAMED(name, sentence, source, expected)                                                 \
  static const simtcc_test::Program name(source);                                                            \
  TEST_CASE(sentence) { CHECK(name.result() == (expected)); }

/// The translation of `source`, which is taken as preprocessed already and named lab.cu.
std::string translated(std::string_view source);

/// The errors that translating `source` gives, one per line.
std::string errors_of(std::string_view source);

} // namespace simtcc_test
