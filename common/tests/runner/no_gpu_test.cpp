// What is said of a GPU that cannot be used: by the runner, and by a grader that may or may not skip it.
#include <doctest/doctest.h>

#include <sys/wait.h>

#include <cstdio>
#include <string>

namespace {

struct Outcome {
  int status;
  std::string printed;
};

/// The variables of the stub of CUDA's runtime, and it.
std::string with_stub(const std::string& environment) { return environment + " LD_PRELOAD=" STUB_CUDART " "; }

/// Runs `command` under the stub, with its variables set as `environment` says.
Outcome run(const std::string& environment, const std::string& command) {
  FILE* pipe = ::popen((with_stub(environment) + command + " 2>&1").c_str(), "r");
  std::string printed;
  char piece[1024];
  while (const std::size_t length = std::fread(piece, 1, sizeof(piece), pipe)) printed.append(piece, length);
  const int status = ::pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, printed};
}

Outcome probe(const std::string& environment) { return run(environment, RUNNER_CUDA " --probe"); }

Outcome grade(const std::string& environment, const std::string& options) {
  // No student code runs before the GPU is looked at, so any file will do for a module.
  return run(environment,
             GRADE_TOY " --submission s --kind handin --backend cuda --module " RUNNER_CUDA
                       " --runner " RUNNER_CUDA " --source " SOURCE
                       " --item 'an item for a GPU' --prefix 'env " + // a runner inherits few variables
                 with_stub(environment) +
                 "' " + options);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* old_driver = "STUB_CUDA_ERROR=35"; // cudaErrorInsufficientDriver
constexpr const char* no_device = "STUB_CUDA_ERROR=100"; // cudaErrorNoDevice

} // namespace

TEST_CASE("a driver too old for the toolkit says which of the two to change") {
  const Outcome outcome = probe(old_driver);
  CHECK(outcome.status == 0);
  INFO(outcome.printed);
  CHECK(contains(outcome.printed, "\"available\":false"));
  CHECK(contains(outcome.printed, "update the NVIDIA driver, or build with an older CUDA toolkit"));
}

TEST_CASE("a machine without a GPU reads of the preset that needs none") {
  CHECK(contains(probe(no_device).printed, "The preset sim needs none"));
}

TEST_CASE("a GPU that is listed and refuses to work is not available") {
  const Outcome outcome = probe("STUB_CUDA_FREE_ERROR=46"); // cudaErrorDevicesUnavailable
  INFO(outcome.printed);
  CHECK(contains(outcome.printed, "\"available\":false"));
  CHECK(contains(outcome.printed, "another program has it to itself"));
}

TEST_CASE("where a GPU is required, an unusable one is a failure with the sentence") {
  const Outcome outcome = grade(old_driver, "");
  INFO(outcome.printed);
  CHECK(outcome.status == 1);
  CHECK(contains(outcome.printed, "update the NVIDIA driver"));
}

TEST_CASE("where none is required, it is a skip with the sentence") {
  const Outcome outcome = grade(no_device, "--skip-unavailable");
  INFO(outcome.printed);
  CHECK(outcome.status == 77);
  CHECK(contains(outcome.printed, "SKIP"));
  CHECK(contains(outcome.printed, "The preset sim needs none"));
}

TEST_CASE("a GPU that is too old for an item is named with both capabilities") {
  const Outcome outcome = grade("", "");
  INFO(outcome.printed);
  CHECK(outcome.status == 77);
  CHECK(contains(outcome.printed, "The item needs compute capability 9.0; An old GPU has 6.0."));
}
