// The grader as CTest starts it: exit status, report and result file.
#include <doctest/doctest.h>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include <nlohmann/json.hpp>

#include "fixture.hpp"
#include "grader/contract_text.hpp"

using namespace warpbook;

namespace {

struct Outcome {
  int status = -1;
  std::string printed;
};

Outcome run(const std::string& arguments) {
  Outcome outcome;
  FILE* pipe = ::popen((std::string(GRADE_TOY) + " " + arguments + " 2>&1").c_str(), "r");
  char piece[1024];
  while (const std::size_t length = std::fread(piece, 1, sizeof(piece), pipe))
    outcome.printed.append(piece, length);
  const int status = ::pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

std::string arguments(const std::string& toy, const std::string& item, const std::string& kind = "handin",
                      const std::string& source = "") {
  const SubmissionOptions options = toy_options(toy);
  return "--submission " + toy + " --kind " + kind + " --module " + options.module_path +
         " --backend sim --runner " + TOY_RUNNER + " --source " +
         (source.empty() ? options.source_path : source) + (item.empty() ? "" : " --item '" + item + "'");
}

/// A source file that is gone at the end of the test.
struct TemporaryFile {
  explicit TemporaryFile(const std::string& text)
      : path((std::filesystem::temp_directory_path() /
              ("warpbook-" + std::to_string(::getpid()) + "-" + std::to_string(made++) + ".cu"))
                 .string()) {
    std::ofstream(path) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path); }
  std::string path;
  static inline int made = 0;
};

const std::string main_item = "increment adds one, at any length";

} // namespace

TEST_CASE("every item is listed as one line of JSON") {
  const Outcome outcome = run("--list-items");
  CHECK(outcome.status == 0);
  const auto first = nlohmann::json::parse(outcome.printed.substr(0, outcome.printed.find('\n')));
  CHECK(first.at("item") == main_item);
  CHECK(first.at("points") == 3);
  CHECK(first.at("todo") == 1);
  CHECK(first.at("further_todos") == std::vector<int>{4});
  CHECK(first.at("function") == "toy_increment");
  CHECK(first.at("backends") == std::vector<std::string>{"sim", "cuda"});
  CHECK(first.at("labels") == std::vector<std::string>{"correctness"});
  CHECK(first.at("capability") == "");
  CHECK(outcome.printed.find("\"capability\":\"9.0\"") != std::string::npos);
}

TEST_CASE("a right submission passes with all points") {
  const Outcome outcome = run(arguments("well_behaved", main_item));
  CHECK(outcome.status == 0);
  CHECK(outcome.printed == "PASS  increment adds one, at any length (3 of 3 points)\n");
}

TEST_CASE("the result file says the same as the report") {
  const TemporaryFile result("");
  CHECK(run(arguments("well_behaved", main_item) + " --seed 7 --result " + result.path).status == 0);
  const auto json = nlohmann::json::parse(read_text(result.path));
  CHECK(json.at("lab") == "00-toy");
  CHECK(json.at("submission") == "well_behaved");
  CHECK(json.at("status") == "passed");
  CHECK(json.at("points") == 3);
  CHECK(json.at("max_points") == 3);
  CHECK(json.at("diagnoses").empty());
  CHECK(json.at("seed") == 7);
  CHECK(json.at("todo").at("number") == 1);
  CHECK(json.at("todo").at("line") > 1);
}

TEST_CASE(
    "a passed item tells its last call that was in order, not one that the rubric has made to see it fail") {
  const TemporaryFile result("");
  CHECK(run(arguments("well_behaved", "an item for the simulator") + " --result " + result.path).status == 0);
  const auto json = nlohmann::json::parse(read_text(result.path));
  CHECK(json.at("status") == "passed");
  CHECK(contains(json.at("last_call"), "toy_increment(data[3]"));
}

TEST_CASE("a function that does nothing is unsolved, and its TODO is named with file and line") {
  const TemporaryFile result("");
  const Outcome outcome = run(arguments("unsolved", main_item, "starter") + " --result " + result.path);
  CHECK(outcome.status == 1);
  const auto json = nlohmann::json::parse(read_text(result.path));
  CHECK(json.at("status") == "failed");
  CHECK(json.at("points") == 0);
  CHECK(json.at("diagnoses")[0] == "unsolved");
  CHECK(contains(json.at("reason"), "toy_increment left its output exactly as it was: TODO(1) at "));
  CHECK(contains(json.at("reason"), "unsolved.cpp:5 is still to be written."));
}

TEST_CASE("a module for second runs that cannot be made is tried once, and the items fail as they would "
          "without it") {
  const TemporaryFile tries(""), module("");
  std::filesystem::remove(module.path);
  const nlohmann::json replay = {{"command", {"/bin/sh", "-c", "echo tried >> " + tries.path + "; exit 1"}},
                                 {"module", module.path}};
  const std::string items = arguments("adds_two", main_item) + " --item 'increment adds one, asked again'";
  const Outcome without = run(items);
  const Outcome outcome = run(items + " --replay '" + replay.dump() + "'");
  std::filesystem::remove(module.path + ".lock");
  CHECK(outcome.status == 1);
  CHECK(contains(outcome.printed, "right is"));
  CHECK(outcome.printed == without.printed);
  CHECK(read_text(tries.path) == "tried\n");
}

TEST_CASE("a submission that does not load fails its item") {
  const Outcome outcome = run(arguments("undefined_symbol", main_item));
  CHECK(outcome.status == 1);
  CHECK(contains(outcome.printed, "FAIL  increment adds one, at any length (0 of 3 points)"));
  CHECK(contains(outcome.printed, "diagnosis: load-failed"));
}

TEST_CASE("an item that does not exist is a usage error") {
  CHECK(run(arguments("well_behaved", "no such item")).status == 2);
}

TEST_CASE("an item's name is matched exactly, not as a pattern") {
  CHECK(run(arguments("well_behaved", "INCREMENT adds one, at any length")).status == 2);
  CHECK(run(arguments("well_behaved", "increment*")).status == 2);
}

TEST_CASE("an item of another backend is a usage error") {
  CHECK(run(arguments("well_behaved", "an item for a GPU")).status == 2);
}

TEST_CASE("a rubric that checks nothing is an internal error") {
  const Outcome outcome = run(arguments("well_behaved", "a rubric that calls nothing"));
  CHECK(outcome.status == 2);
  CHECK(contains(outcome.printed, "The item called no function of the submission."));
}

TEST_CASE("a rubric that ends the process is an internal error") {
  CHECK(run(arguments("well_behaved", "a rubric that ends the process")).status == 2);
}

TEST_CASE("a rubric that throws is an internal error") {
  const Outcome outcome = run(arguments("well_behaved", "a rubric that throws"));
  CHECK(outcome.status == 2);
  CHECK(contains(outcome.printed, "the rubric is broken"));
}

TEST_CASE("an item that the machine did not let come to a verdict is neither passed nor failed") {
  const Outcome outcome = run(arguments("well_behaved", "a rubric on a machine that is too busy"));
  CHECK(outcome.status == 2);
  CHECK(outcome.printed == "UNDECIDED  a rubric on a machine that is too busy\n  this machine is too busy\n");
}

TEST_CASE("a failed check of doctest fails the item") {
  const Outcome outcome = run(arguments("well_behaved", "a rubric with a failed check"));
  CHECK(outcome.status == 1);
  CHECK(contains(outcome.printed, "check-failed"));
}

TEST_CASE("a ratio of nothing fails the item") {
  CHECK(contains(run(arguments("well_behaved", "a rubric that divides by a count of zero")).printed,
                 "nothing-counted"));
}

TEST_CASE("a mutant is caught only with the diagnosis that its header names") {
  const std::string item = "// item: an item about a function that is missing\n";
  const TemporaryFile right(item + "// diagnosis: missing-function\n");
  CHECK(run(arguments("well_behaved", "", "mutant", right.path)).status == 0);
  const TemporaryFile wrong(item + "// diagnosis: shared-race\n");
  const Outcome outcome = run(arguments("well_behaved", "", "mutant", wrong.path));
  CHECK(outcome.status == 1);
  CHECK(contains(outcome.printed, "not with the diagnosis shared-race"));
}

TEST_CASE("a mutant may fail its item only for a TODO that the item's functions are said to run through") {
  const TemporaryFile source("// item: an item that fails for another task\n// diagnosis: wrong-result\n");
  const Outcome outcome = run(arguments("well_behaved", "", "mutant", source.path));
  CHECK(outcome.status == 1);
  CHECK(contains(outcome.printed, "failed for TODO(2), which no RunsThrough names"));
}

TEST_CASE("a step may fail an item, with the diagnosis that its header names, and no other") {
  const std::string functions = "void toy_increment() {}\nvoid toy_missing(int* out) {}\n";
  const std::string lacks = "an item about a function that is missing: ";
  const auto graded = [&](const std::string& header) {
    const TemporaryFile source(header + functions);
    return run(arguments("well_behaved", "", "step", source.path));
  };
  const Outcome as_said = graded("// fails: " + lacks + "missing-function\n");
  CHECK(contains(as_said.printed, "'an item about a function that is missing' fails as the header says"));
  const Outcome otherwise = graded("// fails: " + lacks + "shared-race\n");
  CHECK(contains(otherwise.printed, "not with the diagnosis shared-race"));
  const Outcome passed = graded("// fails: " + main_item + ": wrong-result\n");
  CHECK(contains(passed.printed, "passed; the header says that it fails"));
  CHECK(graded("// fails: no such item: wrong-result\n").status == 2);
}

TEST_CASE("a solution tells what each item counts that only the simulator judges") {
  const Outcome outcome = run(arguments("well_behaved", "an item for the simulator", "solution"));
  CHECK(outcome.status == 1);
  CHECK(contains(outcome.printed, "passed, and tells nothing of what it counted"));
  CHECK(run(arguments("well_behaved", "an item for the simulator")).status == 0);
}

TEST_CASE("a mutant that passes is not caught") {
  const TemporaryFile source("// item: " + main_item + "\n// diagnosis: wrong-result\n");
  CHECK(run(arguments("well_behaved", "", "mutant", source.path)).status == 1);
}

TEST_CASE("a mutant whose item is broken is not caught") {
  const TemporaryFile source("// item: a rubric that throws\n// diagnosis: wrong-result\n");
  CHECK(run(arguments("well_behaved", "", "mutant", source.path)).status == 2);
}

TEST_CASE("a step runs only the items of the functions that it has") {
  const TemporaryFile source(
      "// toy_increment is spoken of only\nvoid toy_increment_twice() {}\nvoid toy_missing(int* out) {}\n");
  const Outcome outcome = run(arguments("well_behaved", "", "step", source.path));
  CHECK_FALSE(contains(outcome.printed, main_item));
  CHECK(contains(outcome.printed, "an item about a function that is missing"));
}

TEST_CASE("a runner that does not start is an internal error, not the submission's") {
  std::string command = arguments("well_behaved", main_item);
  command.replace(command.find(TOY_RUNNER), std::string(TOY_RUNNER).size(), "/bin/true");
  const Outcome outcome = run(command);
  CHECK(outcome.status == 2);
  CHECK(contains(outcome.printed, "does not start"));
}

TEST_CASE("a command in front of the runner is used, and its bad end fails the item") {
  CHECK(run(arguments("well_behaved", main_item) + " --prefix 'env WARPBOOK_TEST=1'").status == 0);
  const TemporaryFile tool("#!/bin/sh\n\"$@\"\nexit 9\n");
  const Outcome outcome = run(arguments("well_behaved", main_item) + " --prefix 'sh " + tool.path + "'");
  CHECK(outcome.status == 1);
  CHECK(contains(outcome.printed, "prefix-failed"));
  CHECK(contains(outcome.printed, "ended with status 9"));
}

TEST_CASE("a GPU item is skipped with its reason where there is no GPU, and only if that is allowed") {
  // The probe is all of a runner that this needs.
  const TemporaryFile runner(
      "#!/bin/sh\necho '{\"available\": false, \"reason\": \"no usable GPU: none here\"}'\n");
  std::filesystem::permissions(runner.path, std::filesystem::perms::owner_all);
  std::string command = arguments("well_behaved", "an item for a GPU");
  command.replace(command.find("--backend sim"), 13, "--backend cuda");
  command.replace(command.find(TOY_RUNNER), std::string(TOY_RUNNER).size(), runner.path);
  const Outcome allowed = run(command + " --skip-unavailable");
  CHECK(allowed.status == 77);
  CHECK(contains(allowed.printed, "SKIP  an item for a GPU\n  no usable GPU: none here."));
  CHECK(run(command).status == 1);
}

TEST_CASE("a GPU of a lesser compute capability skips an item that needs more") {
  const TemporaryFile runner("#!/bin/sh\necho '{\"available\": true, \"device\": \"Old GPU\", "
                             "\"compute_capability\": [8, 6]}'\n");
  std::filesystem::permissions(runner.path, std::filesystem::perms::owner_all);
  std::string command = arguments("well_behaved", "an item for a GPU");
  command.replace(command.find("--backend sim"), 13, "--backend cuda");
  command.replace(command.find(TOY_RUNNER), std::string(TOY_RUNNER).size(), runner.path);
  for (const char* allowed : {"", " --skip-unavailable"}) {
    const Outcome outcome = run(command + allowed);
    CHECK(outcome.status == 77);
    CHECK(contains(outcome.printed, "needs compute capability 9.0; Old GPU has 8.6"));
  }
}

namespace {

/// The whole rubric over the toy that goes wrong after many calls; each item alone makes fewer.
Outcome run_leaving(std::string what, const std::string& runners) {
  std::ranges::replace(what, ' ', '_');
  // A runner inherits no variable but the usual ones.
  return run(arguments("leaves_behind", "") + " --jobs 1 --prefix 'env WARPBOOK_TOY_LEAVES=" + what +
             "' --runners " + runners);
}

} // namespace

TEST_CASE("an item's verdict is that of a fresh runner, and what depends on earlier calls is reported") {
  for (const char* what : {"a static variable", "device memory", "a thread", "an error"}) {
    const Outcome kept = run_leaving(what, "kept");
    INFO(what << ": " << kept.printed);
    CHECK(contains(kept.printed, "PASS  increment adds one, at any length (3 of 3 points)"));
    CHECK(contains(kept.printed, "PASS  increment adds one, asked again (3 of 3 points)"));
    CHECK(contains(kept.printed,
                   "asked again: passes in a fresh process. After calls of other items in the same "
                   "process it failed: "));
    CHECK(contains(kept.printed, "a static variable, memory that is never freed, a thread, or an error"));

    const Outcome fresh = run_leaving(what, "fresh");
    CHECK(contains(fresh.printed, "PASS  increment adds one, asked again (3 of 3 points)\n"));
    CHECK_FALSE(contains(fresh.printed, "in the same process"));
  }
}

TEST_CASE("nothing is reported of earlier calls where they make no difference") {
  CHECK_FALSE(contains(run_leaving("nothing", "kept").printed, "in the same process"));
}

TEST_CASE("results are streamed in the rubric's order, whatever ends first, between a beginning and an end") {
  const Outcome outcome = run(arguments("well_behaved", "") + " --jobs 3 --json");
  std::istringstream lines(outcome.printed);
  std::vector<std::string> wanted;
  std::vector<std::string> judged;
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    const auto event = nlohmann::json::parse(line);
    last = event.at("event");
    if (last == "begin") {
      for (const auto& item : event.at("items")) wanted.push_back(item.at("item"));
    } else if (last == "result") {
      judged.push_back(event.at("result").at("item"));
    }
  }
  CHECK(last == "end");
  CHECK(wanted.size() > 5);
  CHECK(judged == wanted);
}

TEST_CASE("a rubric that ends its process costs its own item alone") {
  const Outcome outcome = run(arguments("well_behaved", "") + " --jobs 2");
  CHECK(contains(outcome.printed, "ERROR  a rubric that ends the process"));
  CHECK(contains(outcome.printed, "The grader's process ended with status 2 while it judged this item."));
  CHECK(contains(outcome.printed, "FAIL  a rubric with a failed check"));
}

TEST_CASE(
    "of one TODO the items can be judged that can fail for it, and a TODO without items is a usage error") {
  const Outcome outcome = run(arguments("well_behaved", "") + " --todo 1");
  CHECK(outcome.status == 0);
  CHECK(contains(outcome.printed, main_item));
  CHECK_FALSE(contains(outcome.printed, "a rubric that throws"));
  const Outcome further = run(arguments("well_behaved", "") + " --todo 4");
  CHECK(contains(further.printed, main_item));
  CHECK_FALSE(contains(further.printed, "more double"));
  CHECK(run(arguments("well_behaved", "") + " --todo 9").status == 2);
}

TEST_CASE("a grader that is to wait judges nothing until it is asked to, and nothing at all if no one asks") {
  const std::string command = arguments("well_behaved", main_item) + " --wait";
  const Outcome never = run(command + " < /dev/null");
  CHECK(never.status == 2);
  CHECK_FALSE(contains(never.printed, "PASS"));
  const TemporaryFile go("begin\n");
  CHECK(run(command + " < " + go.path).status == 0);
}

TEST_CASE("a grader that is to wait ends with who has started it") {
  int words[2], said[2];
  REQUIRE(::pipe(words) == 0);
  REQUIRE(::pipe(said) == 0);
  const std::string command =
      std::string("exec ") + GRADE_TOY + " " + arguments("well_behaved", main_item) + " --wait --json";
  const pid_t starter = ::fork();
  if (starter == 0) {
    if (::fork() == 0) {
      ::dup2(words[0], STDIN_FILENO);
      ::dup2(said[1], STDOUT_FILENO);
      for (const int file : {words[0], words[1], said[0], said[1]}) ::close(file);
      ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    }
    ::pause();
    ::_exit(0);
  }
  ::close(said[1]);
  char letter = 0;
  REQUIRE(::read(said[0], &letter, 1) == 1); // it says what it will judge, and waits: here words[1] is open
  ::kill(starter, SIGKILL);
  ::waitpid(starter, nullptr, 0);
  ssize_t length = 1;
  constexpr int patience_ms = 30'000;
  for (pollfd end = {said[0], POLLIN, 0}; length > 0 && ::poll(&end, 1, patience_ms) == 1;)
    length = ::read(said[0], &letter, 1);
  CHECK(length == 0); // the last who could write there has ended
  for (const int file : {words[0], words[1], said[0]}) ::close(file);
}

TEST_CASE("several items can be named, and are judged in that order") {
  const std::string other = "the masses of as many bodies double as the host may see";
  const std::string printed = run(arguments("well_behaved", other) + " --item '" + main_item + "'").printed;
  CHECK(contains(printed, other));
  CHECK(printed.find(other) < printed.find(main_item));
  CHECK(run(arguments("well_behaved", main_item) + " --item nothing").status == 2);
}

TEST_CASE("the tests of a lab are listed for CTest: items of students' files, whole files of others") {
  const SubmissionOptions toy = toy_options("well_behaved");
  const TemporaryFile mutant("// item: " + main_item + "\n// diagnosis: wrong-result\n// backends: sim\n");
  const TemporaryFile list("starter|starter|sim|a.cu|a.so\nmutant-m|mutant|sim|" + mutant.path +
                           "|m.so\nmutant-m|mutant|cuda|" + mutant.path + "|m.so\n");
  const std::string printed = run("--list-tests " + list.path).printed;
  CHECK(contains(
      printed, "warpbook_submission([==[starter]==] [==[starter]==] [==[sim]==] [==[a.cu]==] [==[a.so]==])\n"
               "warpbook_item([==[" +
                   main_item + "]==])\n"));
  CHECK_FALSE(contains(printed, "an item for a GPU"));
  CHECK(contains(printed, "[==[m.so]==])\nwarpbook_whole([==[is caught]==])\n"));
  CHECK_FALSE(contains(printed, "[==[cuda]==]")); // the header leaves it out
  const TemporaryFile broken("starter|starter\n");
  CHECK(run("--list-tests " + broken.path).status == 2);
}

TEST_CASE("headers are printed as JSON") {
  const TemporaryFile file("// mutant: one\n// diagnosis: a\n// diagnosis: b\n");
  const auto header = nlohmann::json::parse(run("--list-headers " + file.path).printed);
  CHECK(header.at("file") == file.path);
  CHECK(header.at("fields").at("mutant") == std::vector<std::string>{"one"});
  CHECK(header.at("fields").at("diagnosis") == std::vector<std::string>{"a", "b"});
}

TEST_CASE("a right result that the host has computed fails the item, and says where the copies are") {
  CHECK(run(arguments("well_behaved", "the masses of as many bodies double as the host may see")).status ==
        0);
  const Outcome outcome = run(arguments("well_behaved", "the masses of one body more double"));
  CHECK(outcome.status == 1);
  CHECK(contains(outcome.printed,
                 "moves 132 bytes from the device to the host in one call, where the contract allows 120"));
  CHECK(contains(outcome.printed, "well_behaved.cpp:"));
}

TEST_CASE("a wrong result is reported as such, and the copies beside it") {
  const Outcome outcome = run(arguments("well_behaved", "the masses of one body more grow by half"));
  CHECK(outcome.status == 1);
  CHECK(contains(outcome.printed, "The mass is 10."));
  CHECK(contains(outcome.printed, "Remove these copies when you are done"));
}
