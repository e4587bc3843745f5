#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../grader/fixture.hpp"
#include "../grader/toy.hpp"
#include "bench/sweep.hpp"
#include "grader/compare.hpp"

using namespace warpbook;

namespace {

constexpr int points = 12;

BenchOptions toy_bench(std::uint64_t seed = 1) {
  const SubmissionOptions toy = toy_options("well_behaved");
  BenchOptions options;
  options.backend = toy.backend;
  options.runner = toy.runner_path;
  options.contract = toy.contract_path;
  options.repetitions = 4;
  options.seed = seed;
  return options;
}

Measured toy(const char* name) { return {name, toy_options("well_behaved").module_path}; }

/// What a plan did, in its order.
struct Visits {
  std::vector<int> calls, reports;
  std::vector<Taken> taken;
};

/// A plan of `points` points, all of one function, half of each submission, in one group.
Visits run(const BenchOptions& options) {
  Visits visits;
  Plan plan(options, 2);
  for (int i = 0; i < points; ++i) {
    const auto call = [&visits, i](Submission& submission, const CallOptions& how) {
      visits.calls.push_back(i);
      Reply reply =
          submission.call(how, CONTRACT(toy_increment), inout(std::vector<int>{i, i}), std::size_t{2});
      expect_equal(reply, 0, std::vector<int>{i + 1, i + 1});
      return std::optional<Reply>(std::move(reply));
    };
    const auto report = [&visits, i](const Taken& taken) {
      visits.reports.push_back(i);
      visits.taken.push_back(taken);
      return std::string();
    };
    plan.add("increments",
             {toy(i < points / 2 ? "first" : "second"), "toy_increment", "increments", call, report, {}, {}});
  }
  plan.run();
  return visits;
}

/// Where a bench finds its modules and writes its table.
struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("warpbook-sweep-test-" + std::to_string(::getpid()));
  Folder() {
    std::filesystem::create_directories(path);
    for (const char* name : {"step-v0_toy.so", "solution.so"}) std::ofstream(path / name);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string table() const {
    std::ifstream file(path / "t.csv");
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

int bench_main(const Folder& folder, const Measure& measure) {
  const BenchOptions toy = toy_bench();
  std::vector<std::string> words = {
      "bench-00",           "--backend", toy.backend == Backend::sim ? "sim" : "cuda",
      "--runner",           toy.runner,  "--modules",
      folder.path.string(), "--out",     (folder.path / "t.csv").string()};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  return run_bench(static_cast<int>(argv.size()), argv.data(), {toy.contract.c_str(), {"n"}}, measure);
}

std::vector<int> in_order() {
  std::vector<int> all(points);
  for (int i = 0; i < points; ++i) all[static_cast<std::size_t>(i)] = i;
  return all;
}

} // namespace

TEST_CASE("reports come in the order in which points were added, whatever the order of the calls") {
  CHECK(run(toy_bench()).reports == in_order());
}

TEST_CASE("on the simulator each point is called once, in order, and its reply is kept for its counters" *
          doctest::skip(on_cuda)) {
  const Visits visits = run(toy_bench());
  CHECK(visits.calls == in_order());
  for (const Taken& taken : visits.taken) {
    CHECK(taken.reply.has_value());
    CHECK(taken.seconds.empty());
  }
}

TEST_CASE("on a GPU each round visits every point once, in a random order that the seed decides" *
          doctest::skip(!on_cuda)) {
  const Visits visits = run(toy_bench());
  REQUIRE(visits.calls.size() == 2 * points);
  for (int round = 0; round < 2; ++round) {
    std::vector<int> called(visits.calls.begin() + round * points,
                            visits.calls.begin() + (round + 1) * points);
    CHECK(called != in_order());
    std::sort(called.begin(), called.end());
    CHECK(called == in_order());
  }
  CHECK(run(toy_bench()).calls == visits.calls);
  CHECK(run(toy_bench(2)).calls != visits.calls);
}

TEST_CASE("on a GPU the times of all rounds count together, from a cold cache" * doctest::skip(!on_cuda)) {
  std::set<std::size_t> turns;
  for (const Taken& taken : run(toy_bench()).taken) {
    CHECK(taken.seconds.size() == 4); // 4 repetitions in 2 rounds
    CHECK(taken.time().median > 0);
    CHECK(taken.cold);
    CHECK_FALSE(taken.reply.has_value());
    turns.insert(taken.turn);
  }
  CHECK(turns.size() == points);
  CHECK(*turns.begin() == 1);
  CHECK(*turns.rbegin() == points);
}

TEST_CASE("a submission that lacks a function is asked once, and nothing is reported") {
  const BenchOptions options = toy_bench();
  Plan plan(options, 2);
  int calls = 0;
  for (int i = 0; i < 3; ++i) {
    const auto call = [&calls](Submission& submission, const CallOptions& how) {
      ++calls;
      return std::optional<Reply>(submission.call(how, CONTRACT(toy_missing), inout(std::vector<int>{0})));
    };
    plan.add("missing", {toy("first"),
                         "toy_missing",
                         "missing",
                         call,
                         [](const Taken&) -> std::string {
                           FAIL("reported");
                           return {};
                         },
                         {},
                         {}});
  }
  plan.run();
  CHECK(calls == 1);
}

TEST_CASE("a wrong output ends the run with the submission's name, and is not reported") {
  const BenchOptions options = toy_bench();
  Plan plan(options, 2);
  const auto call = [](Submission& submission, const CallOptions& how) {
    Reply reply = submission.call(how, CONTRACT(toy_increment), inout(std::vector<int>{1}), std::size_t{1});
    expect_equal(reply, 0, std::vector<int>{3});
    return std::optional<Reply>(std::move(reply));
  };
  plan.add("wrong", {toy("step-v3_wrong"),
                     "toy_increment",
                     "wrong",
                     call,
                     [](const Taken&) -> std::string {
                       FAIL("reported");
                       return {};
                     },
                     {},
                     {}});
  std::string said;
  try {
    plan.run();
  } catch (const std::runtime_error& error) {
    said = error.what();
  }
  CHECK(said.starts_with("step-v3_wrong: "));
}

TEST_CASE("a point that its submission declines, or that is left out, is not reported") {
  const BenchOptions options = toy_bench();
  Plan plan(options, 2);
  const auto report = [](const Taken&) -> std::string {
    FAIL("reported");
    return {};
  };
  plan.add("declined", {toy("first"),
                        "toy_increment",
                        "declined",
                        [](Submission&, const CallOptions&) { return std::optional<Reply>(); },
                        report,
                        {},
                        {}});
  const auto left_out = [&plan] { return Plan::Point::How{plan.timed(), 0}; };
  plan.add("left out", {toy("first"),
                        "toy_increment",
                        "left out",
                        [](Submission&, const CallOptions&) -> std::optional<Reply> {
                          FAIL("called");
                          return {};
                        },
                        report,
                        {},
                        left_out});
  plan.run();
}

TEST_CASE(
    "a bench's main writes its own columns and those of every bench, and gets the modules in their order") {
  const Folder folder;
  std::vector<std::string> names;
  const int status = bench_main(folder, [&](Sweep& sweep) {
    for (const Measured& each : sweep.submissions()) names.push_back(each.name);
    sweep.add_row("solution", "think", {7}, "answers", exactly(42), "count");
  });
  CHECK(status == 0);
  CHECK(names == std::vector<std::string>{"solution", "step-v0_toy"});
  const std::string text = folder.table();
  CHECK(text.find("\nsubmission,function,n,metric,value,") != std::string::npos);
  CHECK(text.find("\nsolution,think,7,answers,42,") != std::string::npos);
}

TEST_CASE("a bench whose measurement throws has status 1 and writes nothing") {
  const Folder folder;
  CHECK(bench_main(folder, [](Sweep&) { throw std::runtime_error("out of memory"); }) == 1);
  CHECK_FALSE(std::filesystem::exists(folder.path / "t.csv"));
}

TEST_CASE("a sweep takes --size as it is, and knows which functions are wanted") {
  BenchOptions options = toy_bench();
  Table table({"a"});
  options.precision = Precision::f64;
  options.size = 77;
  const Sweep sweep(options, table, {});
  CHECK(sweep.elements(5, 4) == 77);
  CHECK_FALSE(sweep.wanted(Precision::f32));
  CHECK(sweep.wanted(Precision::f64));
  options.precision = Precision::both;
  CHECK(sweep.wanted(Precision::f32));
  options.size = 0;
  if (on_cuda)
    CHECK(sweep.elements(5, 4) > std::size_t{1} << 20); // beyond any cache
  else
    CHECK(sweep.elements(5, 4) == 5);
}

namespace {

/// What a sweep writes that increments `n` numbers by each submission, and takes these metrics of it.
std::string rows_of_increments(const std::vector<int>& wanted, Spot spot, const std::string& own = "") {
  BenchOptions options = toy_bench();
  options.own = own;
  Table table(with_common_columns({"submission", "function", "n"}));
  Sweep sweep(options, table, {toy("solution"), toy("step-v0_toy")});
  const std::vector<int> before = {1, 2};
  spot.cells = {before.size()};
  const auto incremented = [wanted](const Reply& reply) { expect_equal(reply, 0, wanted); };
  sweep.add(calling(CONTRACT(toy_increment), incremented, inout(before), before.size()), std::move(spot));
  sweep.run();
  return table.csv();
}

} // namespace

TEST_CASE("a sweep calls every submission that a point is for, and writes the metrics that have a value" *
          doctest::skip(on_cuda)) {
  std::vector<std::string> told;
  const std::string rows = rows_of_increments(
      {2, 3},
      {.cells = {},
       .counted = {count("first", "values", "", [](const Reply& reply) { return reply.values<int>(0)[0]; }),
                   per_request("sectors", "sectors", "", &simt::Counters::global_load_sectors,
                               &simt::Counters::global_load_requests)},
       .timed = {},
       .is_for = [](const Measured& measured) { return measured.name == "solution"; },
       .heard = [&](const Measured& measured, const Taken&) { told.push_back(measured.name); }});
  CHECK(rows.find("\nsolution,toy_increment,2,first,2,") != std::string::npos);
  CHECK(rows.find("step-v0_toy") == std::string::npos);
  CHECK(rows.find("sectors") == std::string::npos); // nothing was loaded in a kernel
  CHECK(told == std::vector<std::string>{"solution"});
}

TEST_CASE("beside a count stands the least of it that the task needs, where that is known" *
          doctest::skip(on_cuda)) {
  const auto first = [](const Reply& reply) { return reply.values<int>(0)[0]; };
  const auto of_the_call = [](const Reply& reply) -> std::optional<double> {
    return reply.values<int>(0)[1] == 3 ? std::optional(0.5) : std::nullopt;
  };
  const std::string rows = rows_of_increments(
      {2, 3},
      {.cells = {},
       .counted = {count("free", "values", "", first), with_least(count("known", "values", "", first), 1),
                   with_least(count("by the call", "values", "", first), of_the_call)},
       .timed = {}});
  CHECK(rows.find(",free,2,2,2,2,0,1,values,-,1,\n") != std::string::npos);
  CHECK(rows.find(",known,2,2,2,2,0,1,values,-,1,1\n") != std::string::npos);
  CHECK(rows.find(",by the call,2,2,2,2,0,1,values,-,1,0.5\n") != std::string::npos);
}

TEST_CASE("a student's own file is measured against what the task teaches" * doctest::skip(on_cuda)) {
  const auto first = [](const Reply& reply) { return reply.values<int>(0)[0]; };
  const auto counted = [&](const std::string& name, double least, double taught) { // the value is 2
    return with_taught(with_least(count(name, "values", "", first), least), taught);
  };
  const Spot spot{.cells = {},
                  .counted = {counted("more", 1, 7), counted("missed", 1, 1.5), counted("less", 1, 0)},
                  .timed = {}};
  const std::string rows = rows_of_increments({2, 3}, spot),
                    own = rows_of_increments({2, 3}, spot, "starter");
  CHECK(rows.find(",more,2,2,2,2,0,1,values,-,1,1\n") != std::string::npos);
  CHECK(own.find(",more,2,2,2,2,0,1,values,-,1,2\n") != std::string::npos);
  CHECK(own.find(",missed,2,2,2,2,0,1,values,-,1,1.5\n") != std::string::npos);
  CHECK(own.find(",less,2,2,2,2,0,1,values,-,1,1\n") != std::string::npos);
}

TEST_CASE("a sweep whose outputs are wrong says whose they are, and writes nothing of it") {
  const auto run_wrong = [] { rows_of_increments({2, 4}, {.cells = {}, .counted = {}, .timed = {}}); };
  const std::string first = on_cuda ? "step-v0_toy: " : "solution: "; // of those that are wrong
  CHECK_THROWS_WITH_AS(run_wrong(), doctest::Contains(first.c_str()), std::runtime_error);
}

TEST_CASE("a speed is reported with its ratio to the yardstick, in the yardstick's bytes") {
  const std::vector<Metric> both = against(Yardstick::read, "rate", "Gelem/s", 4e9, sizeof(int));
  Taken taken;
  taken.seconds = {0.5, 0.5, 0.5};
  taken.ceiling = 64; // GB/s: 16e9 ints a second
  REQUIRE(both.size() == 2);
  CHECK(both[0].value(taken)->value == doctest::Approx(8));
  CHECK(both[1].name == "ratio_to_read");
  CHECK(both[1].value(taken)->value == doctest::Approx(0.5));
}
