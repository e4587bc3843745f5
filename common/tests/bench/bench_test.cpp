#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "bench/bench.hpp"
#include "bench/plan.hpp"

using namespace warpbook;
namespace fs = std::filesystem;

namespace {

struct TemporaryFolder {
  fs::path path = fs::temp_directory_path() / ("warpbook-bench-test-" + std::to_string(::getpid()));
  TemporaryFolder() { fs::create_directories(path); }
  ~TemporaryFolder() { fs::remove_all(path); }
};

/// The command line of a bench with `more` at its end.
BenchOptions parsed(std::vector<std::string> more, Input input) {
  std::vector<std::string> words = {
      "/somewhere/bench-06", "--runner", "r", "--modules", "m", "--out", "t.csv"};
  words.insert(words.end(), more.begin(), more.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  return parse_bench_options(static_cast<int>(argv.size()), argv.data(), "lab.hpp", input);
}

} // namespace

TEST_CASE("a file to measure on is named without its folder") {
  const BenchOptions options = parsed({"--input", "/home/me/book.txt"}, Input::file);
  CHECK(options.input == "/home/me/book.txt");
  CHECK(options.command == "bench-06 --input book.txt");
  CHECK(parsed({}, Input::file).input.empty());
}

TEST_CASE("a sweep of one function leaves the others out, and one of no function is an error") {
  BenchOptions options = parsed({"--function", "b"}, Input::none);
  CHECK(options.command == "bench-06 --function b");
  options.backend = Backend::sim;
  std::vector<std::string> called;
  const auto sweep = [&](const BenchOptions& asked) {
    Plan plan(asked, 1);
    for (const std::string name : {"a", "b", "c"}) {
      const auto call = [&called, name](Submission&, const CallOptions&) -> std::optional<Reply> {
        called.push_back(name);
        return std::nullopt;
      };
      plan.add(name, {{"solution", "/no/module.so"}, name, name, call, {}, {}, {}});
    }
    plan.run();
  };
  sweep(options);
  CHECK(called == std::vector<std::string>{"b"});
  options.function = "d";
  CHECK_THROWS_WITH(sweep(options), "This lab's bench measures no function 'd'.");
  options.function.clear();
  sweep(options);
  CHECK(called == std::vector<std::string>{"b", "a", "b", "c"});
}

TEST_CASE("a thin sweep has the first of every few points of each submission's lines") {
  BenchOptions options = parsed({"--thin", "3"}, Input::none);
  options.backend = Backend::sim;
  std::vector<std::string> called;
  Plan plan(options, 1);
  for (int n = 0; n < 7; ++n) {
    for (const std::string name : {"a", "b"}) {
      const std::string point = name + std::to_string(n);
      const auto call = [&called, point](Submission&, const CallOptions&) -> std::optional<Reply> {
        called.push_back(point);
        return std::nullopt;
      };
      plan.add("sweep", {{name, "/no/module.so"}, name, "line", call, {}, {}, {}});
    }
  }
  plan.run();
  CHECK(called == std::vector<std::string>{"a0", "b0", "a3", "b3", "a6", "b6"});
}

TEST_CASE("options are read, and told as they were typed, without the paths of this machine") {
  const BenchOptions options = parsed({"--backend", "cuda", "--size", "1000", "--precision", "f64", "--seed",
                                       "7", "--rounds", "3", "--repetitions", "9", "--device", "1"},
                                      Input::none);
  CHECK(options.backend == Backend::cuda);
  CHECK(options.size == 1000);
  CHECK(options.precision == Precision::f64);
  CHECK(options.seed == 7);
  CHECK(options.rounds == 3);
  CHECK(options.repetitions == 9);
  CHECK(options.device == 1);
  CHECK(options.runner == "r");
  CHECK(options.modules == "m");
  CHECK(options.out == "t.csv");
  CHECK(options.command ==
        "bench-06 --backend cuda --size 1000 --precision f64 --seed 7 --rounds 3 --repetitions 9 --device 1");
}

TEST_CASE("a bench without use for a file refuses one, and what makes no sense is status 2") {
  const std::vector<std::string> wrong[] = {{"--input", "book.txt"},
                                            {"--size", "0"},
                                            {"--size", "many"},
                                            {"--sise", "1"},
                                            {"--backend", "tpu"},
                                            {"--thin"},
                                            {"more"}};
  for (const std::vector<std::string>& words : wrong) {
    INFO(words[0]);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      ::close(STDERR_FILENO);
      parsed(words, Input::none); // exits
      ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 2);
  }
}

TEST_CASE("a sweep shows the solution, then the steps in order, then the peers, and nothing else") {
  const TemporaryFolder folder;
  for (const char* name : {"peer-copy.so", "step-v1_b.so", "starter.so", "step-v0_a.so", "mutant-x.so",
                           "solution.so", "solution.so.d", "check.so"}) {
    std::ofstream(folder.path / name) << "";
  }
  std::vector<std::string> names;
  for (const Measured& m : measured_modules(folder.path)) names.push_back(m.name);
  CHECK(names == std::vector<std::string>{"solution", "step-v0_a", "step-v1_b", "peer-copy"});
}

TEST_CASE("a student's own file is measured alone") {
  const TemporaryFolder folder;
  for (const char* name : {"solution.so", "starter.so"}) std::ofstream(folder.path / name) << "";
  const std::vector<Measured> own = measured_modules(folder.path, "starter");
  REQUIRE(own.size() == 1);
  CHECK(own.front().name == "yours");
  CHECK(own.front().module == folder.path / "starter.so");
  CHECK_THROWS_AS(measured_modules(folder.path, "check"), std::runtime_error);
}

TEST_CASE("a folder without anything to measure is an error") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(measured_modules(folder.path), std::runtime_error);
  CHECK_THROWS_AS(measured_modules(folder.path / "missing"), std::runtime_error);
}

TEST_CASE("a missing GPU is reported with those that are there") {
  BenchOptions options;
  options.device = 2;
  CHECK_THROWS_WITH(choose_device(options, {"NVIDIA A", "NVIDIA B"}),
                    "There is no GPU 2 here; there is 0: NVIDIA A, 1: NVIDIA B.");
  CHECK_THROWS_WITH(choose_device(options, {}), "There is no GPU 2 here; there is none.");
}

TEST_CASE("a GPU's index counts within the choice that the environment makes") {
  BenchOptions options;
  options.device = 1;
  ::setenv("CUDA_VISIBLE_DEVICES", "3,5", 1);
  choose_device(options, {"NVIDIA A", "NVIDIA B"});
  CHECK(std::string(std::getenv("CUDA_VISIBLE_DEVICES")) == "5");
  ::unsetenv("CUDA_VISIBLE_DEVICES");
  choose_device(options, {"NVIDIA A", "NVIDIA B"});
  CHECK(std::string(std::getenv("CUDA_VISIBLE_DEVICES")) == "1");
  ::unsetenv("CUDA_VISIBLE_DEVICES");
}
