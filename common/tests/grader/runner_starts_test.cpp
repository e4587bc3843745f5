// How runners are started, and how often: on a GPU each takes a third of a second for a context of its own.
#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "fixture.hpp"
#include "grader/yardstick.hpp"

using namespace warpbook;

namespace {

/// A program that runs another one and counts how often it does.
class CountingPrefix {
public:
  CountingPrefix() {
    std::string name = std::filesystem::temp_directory_path() / "warpbook-starts-XXXXXX";
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    folder_ = name;
    std::ofstream(path()) << "#!/bin/sh\nprintf x >> '" << log().string() << "'\nenv > '"
                          << (folder_ / "environment").string() << "'\nexec \"$@\"\n";
    std::filesystem::permissions(path(), std::filesystem::perms::owner_all);
  }
  ~CountingPrefix() { std::filesystem::remove_all(folder_); }
  std::filesystem::path path() const { return folder_ / "prefix"; }
  /// A program of its own that runs `program`.
  std::filesystem::path in_front_of(const std::string& program) const {
    const std::filesystem::path name = folder_ / "program";
    std::ofstream(name) << "#!/bin/sh\nexec '" << path().string() << "' '" << program << "' \"$@\"\n";
    std::filesystem::permissions(name, std::filesystem::perms::owner_all);
    return name;
  }
  std::ptrdiff_t starts() const {
    std::ifstream file(log());
    return std::count(std::istreambuf_iterator<char>(file), {}, 'x');
  }

  /// What the last start had for an environment, with a line feed around each variable.
  std::string environment() const {
    std::ifstream file(folder_ / "environment");
    return "\n" + std::string(std::istreambuf_iterator<char>(file), {});
  }

private:
  std::filesystem::path log() const { return folder_ / "log"; }
  std::filesystem::path folder_;
};

/// Runs a yardstick, which on the simulator has no time.
void run(Yardsticks& yardsticks) {
  CHECK_THROWS_WITH(yardsticks.seconds(Yardstick::copy, 800), "this backend measures no times");
}

} // namespace

TEST_CASE("a runner is asked once what it has to offer") {
  const CountingPrefix prefix;
  SubmissionOptions options = toy_options("well_behaved");
  options.runner_path = prefix.in_front_of(options.runner_path);
  CHECK(probe(options).available);
  CHECK(probe(options).available);
  CHECK(prefix.starts() == 1);
}

TEST_CASE("speed items of one run share the yardsticks' runner") {
  const CountingPrefix prefix;
  SubmissionOptions options = toy_options("well_behaved");
  options.prefix = {prefix.path()};
  SharedYardsticks shared;
  run(shared.beside(options));
  options.module_path = "another submission";
  run(shared.beside(options));
  CHECK(prefix.starts() == 1);
}

TEST_CASE("yardsticks measure in the runner that was started before there was something to measure") {
  const CountingPrefix prefix;
  SubmissionOptions options = toy_options("well_behaved");
  options.prefix = {prefix.path()};
  Yardsticks yardsticks(options);
  CHECK(prefix.starts() == 0);
  yardsticks.start();
  CHECK(prefix.starts() == 1);
  run(yardsticks);
  CHECK(prefix.starts() == 1);
}

TEST_CASE("yardsticks of another run, or on another device, have a runner of their own") {
  const CountingPrefix prefix;
  SubmissionOptions options = toy_options("well_behaved");
  options.prefix = {prefix.path()};
  for (int i = 0; i < 2; ++i) {
    SharedYardsticks shared;
    run(shared.beside(options));
  }
  CHECK(prefix.starts() == 2);
  SharedYardsticks shared;
  run(shared.beside(options));
  options.prefix.insert(options.prefix.begin(), "env");
  run(shared.beside(options));
  CHECK(prefix.starts() == 4);
}

// A profiler around the bench finds its way by variables whose names it alone knows.
TEST_CASE("without confinement a runner has all variables but Warpbook's own, and otherwise a few") {
  const CountingPrefix prefix;
  SubmissionOptions options = toy_options("well_behaved");
  options.prefix = {prefix.path()};
  const auto environment = [&] {
    KeptRunner().start(options);
    return prefix.environment();
  };
  ::setenv("A_PROFILERS_TOKEN", "12", 1);
  ::setenv("WARPBOOK_SEED", "7", 1);
  const std::string confined = environment();
  ::setenv("WARPBOOK_UNCONFINED", "1", 1);
  const std::string unconfined = environment();
  for (const char* name : {"A_PROFILERS_TOKEN", "WARPBOOK_SEED", "WARPBOOK_UNCONFINED"}) ::unsetenv(name);

  CHECK(contains(unconfined, "\nA_PROFILERS_TOKEN=12\n"));
  CHECK(contains(unconfined, "\nWARPBOOK_UNCONFINED=1\n"));
  CHECK_FALSE(contains(unconfined, "WARPBOOK_SEED"));
  CHECK(contains(confined, "\nPATH="));
  CHECK_FALSE(contains(confined, "A_PROFILERS_TOKEN"));
  CHECK_FALSE(contains(confined, "WARPBOOK_SEED"));
}
