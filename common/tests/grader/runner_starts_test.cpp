// How often runners are started: on a GPU each takes a third of a second for a context of its own.
#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
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
    std::ofstream(path()) << "#!/bin/sh\nprintf x >> '" << log().string() << "'\nexec \"$@\"\n";
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
