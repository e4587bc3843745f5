// The grader's command line, mutants' headers and the checks of items' names.
#include <cstdlib>
#include <doctest/doctest.h>

#include "fixture.hpp"
#include "grader/header.hpp"
#include "grader/items.hpp"
#include "grader/options.hpp"

using namespace warpbook;

namespace {

GraderOptions parsed(std::vector<const char*> further) {
  std::vector<const char*> words = {"grade",    "--submission", "me",        "--kind", "handin",
                                    "--module", "m.so",         "--backend", "sim",    "--runner",
                                    "runner",   "--source",     "f.cu"};
  words.insert(words.end(), further.begin(), further.end());
  return parse_options(static_cast<int>(words.size()), words.data());
}

/// What is said of a command line that makes no sense. The words are those of CLI11's version.
std::string refusal(std::vector<const char*> further) {
  try {
    parsed(std::move(further));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing";
}

Item item_named(const std::string& name) {
  Item item;
  item.name = name;
  return item;
}

} // namespace

TEST_CASE("a prefix is split into words, and lengthens the time limit") {
  const GraderOptions options = parsed({"--prefix", "compute-sanitizer --tool memcheck"});
  CHECK(options.submission.prefix == std::vector<std::string>{"compute-sanitizer", "--tool", "memcheck"});
  CHECK(options.submission.timeout > parsed({}).submission.timeout);
}

TEST_CASE("compute-sanitizer in front of the runner is known, wherever it lies, and other commands are not "
          "taken for it") {
  CHECK(parsed({"--prefix", "/usr/local/cuda/bin/compute-sanitizer --tool memcheck"})
            .submission.is_sanitized());
  CHECK(parsed({"--prefix", "env A=1 compute-sanitizer"}).submission.is_sanitized());
  CHECK_FALSE(parsed({"--prefix", "nice -n 5"}).submission.is_sanitized());
  CHECK_FALSE(parsed({}).submission.is_sanitized());
}

TEST_CASE("composing takes a solution, a folder and mutants, and says what is missing") {
  const auto composing = [](std::vector<const char*> words) {
    words.insert(words.begin(), "grade");
    return parse_options(static_cast<int>(words.size()), words.data());
  };
  const GraderOptions options =
      composing({"--solution", "s.cu", "--result", "out", "--all-functions", "--compose", "a.cu", "b.cu"});
  CHECK(options.solution == "s.cu");
  CHECK(options.result_path == "out");
  CHECK(options.all_functions);
  CHECK(options.mutants == std::vector<std::string>{"a.cu", "b.cu"});
  CHECK_THROWS_WITH_AS(composing({"--result", "out", "--compose", "a.cu"}), doctest::Contains("--solution"),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(composing({"--solution", "s.cu", "--compose", "a.cu"}), doctest::Contains("--result"),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(composing({"--solution", "s.cu", "--result", "out", "--compose"}),
                       doctest::Contains("--compose"), std::invalid_argument);
}

TEST_CASE("a seed and a time limit are taken over") {
  const GraderOptions options = parsed({"--seed", "18446744073709551615", "--timeout", "1.5"});
  CHECK(options.submission.seed == 18446744073709551615u);
  CHECK(options.submission.timeout == std::chrono::milliseconds(1500));
}

TEST_CASE("without a seed every run has the same inputs, and the environment may choose others") {
  ::unsetenv("WARPBOOK_SEED");
  CHECK(parsed({}).submission.seed == 1);
  ::setenv("WARPBOOK_SEED", "77", 1);
  CHECK(parsed({}).submission.seed == 77);
  CHECK(parsed({"--seed", "5"}).submission.seed == 5);
  ::setenv("WARPBOOK_SEED", "x", 1);
  CHECK(contains(refusal({}), "--seed"));
  ::unsetenv("WARPBOOK_SEED");
}

TEST_CASE("a wrong command line is refused with a sentence") {
  const struct {
    std::vector<const char*> words;
    std::vector<const char*> said;
  } wrong[] = {{{"--sed", "1"}, {"--sed"}},
               {{"--seed", "many"}, {"--seed", "many"}},
               {{"--seed", "-1"}, {"--seed", "-1"}},
               {{"--seed"}, {"--seed"}},
               {{"--timeout", "-1"}, {"--timeout", "-1"}},
               {{"--todo", "0"}, {"--todo", "1000"}},
               {{"--todo", "1.5"}, {"--todo", "1.5"}},
               {{"--todo", "1", "--item", "one"}, {"--todo", "--item"}},
               {{"--jobs", "0"}, {"--jobs", "1000"}},
               {{"--threads", "0"}, {"--threads", "1000"}},
               {{"--runners", "mine"}, {"--runners", "mine", "fresh", "kept"}}};
  for (const auto& [words, said] : wrong) {
    for (const char* part : said)
      CHECK_MESSAGE(contains(refusal(words), part), words[0] << ": " << refusal(words));
  }
}

TEST_CASE("what a submission cannot be judged without is asked for, and is one of what there is") {
  const auto refused = [](std::vector<const char*> words) {
    words.insert(words.begin(), "grade");
    try {
      parse_options(static_cast<int>(words.size()), words.data());
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(contains(refused({}), "--submission"));
  for (const char* part : {"--kind", "guess", "handin"})
    CHECK(contains(refused({"--submission", "me", "--kind", "guess"}), part));
  for (const char* part : {"--backend", "tpu", "sim"}) CHECK(contains(refused({"--backend", "tpu"}), part));
}

TEST_CASE("help names every option with what it is for, and nothing is judged") {
  const char* const words[] = {"grade", "--help"};
  const std::string help = parse_options(2, words).help;
  for (const char* option :
       {"--submission", "--compose", "--list-tests", "--jobs", "WARPBOOK_SEED", "77 skipped"})
    CHECK(contains(help, option));
}

TEST_CASE("a mutant's header names item and diagnosis, also for one backend alone") {
  const std::string text = "// Mutant: ...\n// item: one, or two\n// diagnosis: wrong-result\n"
                           "// diagnosis[sim]: shared-race\n// reads: docs\n";
  const auto expected = [](const std::string& header, Backend backend) {
    return mutant_failure(Header(header), backend);
  };
  CHECK(expected(text, Backend::sim).item == "one, or two");
  CHECK(expected(text, Backend::sim).diagnosis == "shared-race");
  CHECK(expected(text, Backend::cuda).diagnosis == "wrong-result");
  CHECK(expected(text, Backend::sim).todos.empty());
  CHECK(expected(text + "// todo: 2 4\n", Backend::sim).todos == std::vector{2, 4});
  CHECK(expected(text + "// todo: 2\n// todo[cuda]: 3\n", Backend::cuda).todos == std::vector{3});
  CHECK_THROWS_AS(expected(text + "// todo: two\n", Backend::sim), std::invalid_argument);
  CHECK_THROWS_AS(expected(text + "// item: another\n", Backend::sim), std::invalid_argument);
  CHECK_THROWS_AS(expected("// item: one\n", Backend::sim), std::invalid_argument);
  CHECK_THROWS_AS(expected("// diagnosis: x\n", Backend::sim), std::invalid_argument);
}

TEST_CASE("a step's header says which items it fails, also on one backend alone") {
  const Header header("// fails: one: two, or three: wrong-result\n// fails[cuda]: four: too-slow\n");
  REQUIRE(step_failures(header, Backend::sim).size() == 1);
  CHECK(step_failures(header, Backend::sim)[0].item == "one: two, or three");
  CHECK(step_failures(header, Backend::sim)[0].diagnosis == "wrong-result");
  CHECK(step_failures(header, Backend::cuda).size() == 2);
  CHECK_THROWS_AS(step_failures(Header("// fails: an item without a diagnosis\n"), Backend::sim),
                  std::invalid_argument);
}

TEST_CASE("a header may leave out a backend") {
  CHECK(is_for(Header("// backends: sim\n"), Backend::sim));
  CHECK_FALSE(is_for(Header("// backends: sim\n"), Backend::cuda));
  CHECK(is_for(Header("// item: one\n"), Backend::cuda));
}

TEST_CASE("runners are kept on a GPU, and nowhere else unless that is asked for") {
  CHECK_FALSE(parsed({}).keep_runners);
  CHECK(parsed({"--runners", "kept"}).keep_runners);
  CHECK(parsed({"--backend", "cuda"}).keep_runners);
  CHECK_FALSE(parsed({"--backend", "cuda", "--runners", "fresh"}).keep_runners);
  CHECK_FALSE(parsed({"--backend", "cuda", "--prefix", "compute-sanitizer"}).keep_runners);
  CHECK(parsed({"--backend", "cuda"}).workers == 1);
  CHECK(parsed({"--jobs", "3"}).workers == 3);
  CHECK(parsed({}).threads == 0);
  CHECK(parsed({"--threads", "2"}).threads == 2);
}

TEST_CASE("names of items must be unique ignoring case and free of doctest's and CTest's signs") {
  CHECK(item_problem({item_named("one"), item_named("two, or three")}).empty());
  CHECK(contains(item_problem({item_named("one"), item_named("One")}), "share the name"));
  for (const char* sign : {"[", "]", ";", "*", "?", "\"", "\\"}) {
    CHECK(contains(item_problem({item_named(std::string("one") + sign)}), "holds one of"));
  }
}
