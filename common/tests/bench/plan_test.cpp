#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "bench/clocks.hpp"
#include "bench/plan.hpp"

using namespace warpbook;
namespace fs = std::filesystem;

namespace {

/// nvidia-smi on a PATH of its own, a shell script with this body.
struct FakeNvidiaSmi {
  fs::path folder = fs::temp_directory_path() / ("warpbook-smi-test-" + std::to_string(::getpid()));
  std::string path_before = std::getenv("PATH");
  explicit FakeNvidiaSmi(const std::string& body) {
    fs::create_directories(folder);
    const fs::path program = folder / "nvidia-smi";
    std::ofstream(program) << "#!/bin/sh\n" << body << "\n";
    fs::permissions(program, fs::perms::owner_all);
    ::setenv("PATH", (folder.string() + ":" + path_before).c_str(), 1);
  }
  ~FakeNvidiaSmi() {
    ::setenv("PATH", path_before.c_str(), 1);
    fs::remove_all(folder);
  }
};

} // namespace

TEST_CASE("clocks are what nvidia-smi tells, without what the card does not") {
  CHECK(clocks_from("1980, 3201, 35\n") == "SM 1980 MHz, memory 3201 MHz, 35 degrees C");
  CHECK(clocks_from("1980, [N/A], 35\n") == "SM 1980 MHz, 35 degrees C");
  CHECK(clocks_from("[Unknown Error], [N/A], [N/A]\n") == "unknown");
  CHECK(clocks_from("") == "unknown");
}

TEST_CASE("of several GPUs it is unknown which one is meant") {
  CHECK(clocks_from("1980, 3201, 35\n345, 3201, 30\n") == "unknown");
}

TEST_CASE("the clocks asked for are those of the GPU with the address") {
  const FakeNvidiaSmi tool(
      R"(case "$*" in *"-i 0000:1B:00.0"*) echo 1980, 3201, 35;; *) echo 1,1,1; echo 2,2,2;; esac)");
  CHECK(clocks_now("0000:1B:00.0") == "SM 1980 MHz, memory 3201 MHz, 35 degrees C");
  CHECK(clocks_now("") == "unknown");
}

TEST_CASE("an nvidia-smi that fails, or that does not know the address, leaves the clocks unknown") {
  const FakeNvidiaSmi tool("echo No devices were found; exit 6");
  CHECK(clocks_now("0000:1B:00.0") == "unknown");
}

TEST_CASE("an address that is none does not reach the shell") {
  const FakeNvidiaSmi tool("exit 1");
  const fs::path trace = tool.folder / "trace";
  CHECK(clocks_now("; touch " + trace.string()) == "unknown");
  CHECK_FALSE(fs::exists(trace));
}

TEST_CASE("a shuffled order visits each place once, and depends on the seed alone") {
  std::mt19937_64 one(1), again(1), other(2);
  const std::vector<std::size_t> order = shuffled(100, one);
  CHECK(order == shuffled(100, again));
  CHECK(order != shuffled(100, other));
  std::vector<std::size_t> sorted = order, all(100);
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), std::size_t{0});
  CHECK(order != all);
  CHECK(sorted == all);
  CHECK(shuffled(0, one).empty());
}

TEST_CASE("the second round of one run has another order than the first") {
  std::mt19937_64 random(1);
  const std::vector<std::size_t> first = shuffled(50, random);
  CHECK(first != shuffled(50, random));
}

TEST_CASE("the rounds repeat together at least as often as is asked for") {
  CallOptions all;
  all.repetitions = 5;
  all.most_repetitions = 15;
  all.cold = true;
  const CallOptions half = one_round(all, 2);
  CHECK(half.repetitions == 3);
  CHECK(half.most_repetitions == 8);
  CHECK(half.cold);
  CHECK(one_round(all, 1).most_repetitions == 15);
  all.repetitions = all.most_repetitions = 1;
  CHECK(one_round(all, 3).most_repetitions == 1);
}

TEST_CASE("a rate is the amount over the time, and its interval that of the time the other way round") {
  const Summary s = summarise({0.5, 1, 1, 1, 1, 2});
  const Value speed = rate(10, s);
  CHECK(speed.value == 10);
  CHECK(speed.low == 5);
  CHECK(speed.high == 20);
  CHECK(speed.best == 20);
  const Value time = duration(s, 1e-3);
  CHECK(time.value == 1000);
  CHECK(time.low == 500);
  CHECK(time.best == 500);
  CHECK((speed / 5).high == 4);
}

TEST_CASE("a row says how often it was timed, from which state of the L2 cache and when, and the least if "
          "that is known") {
  Table table(with_common_columns({"submission"}));
  Taken taken;
  taken.seconds = {1, 1, 1};
  taken.cold = true;
  taken.turn = 7;
  add_row(table, {"solution"}, "time", duration(taken.time(), 1), "s", taken);
  taken.cold = false;
  add_row(table, {"solution"}, "time", duration(taken.time(), 1), "s", taken);
  add_row(table, {"solution"}, "atomics", exactly(5), "operations", Taken{}, 2.5);
  add_row(table, {"solution"}, "bytes", exactly(1'048'577), "bytes", Taken{}, 1'048'576);
  CHECK(table.csv() == "submission,metric,value,low,high,best,spread,repetitions,unit,l2,turn,least\n"
                       "solution,time,1,1,1,1,0,3,s,cold,7,\n"
                       "solution,time,1,1,1,1,0,3,s,warm,7,\n"
                       "solution,atomics,5,5,5,5,0,1,operations,-,0,2.5\n"
                       "solution,bytes,1048577,1048577,1048577,1048577,0,1,bytes,-,0,1048576\n");
}
