#pragma once

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

/// The translation of `source`, which is taken as preprocessed already and named lab.cu.
std::string translated(std::string_view source);

/// The errors that translating `source` gives, one per line.
std::string errors_of(std::string_view source);

} // namespace simtcc_test
