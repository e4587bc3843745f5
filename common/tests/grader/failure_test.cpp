// A failure that the rubric tells in the lesson's words, and what of the simulator's findings stays.
#include <doctest/doctest.h>

#include <algorithm>
#include <concepts>
#include <filesystem>
#include <fstream>

#include "grader/context.hpp"
#include "grader/failure.hpp"
#include "grader/reply.hpp"
#include "grader/starter.hpp"
#include "grader/text.hpp"
#include "simt/report/wording.hpp"

using namespace warpbook;

namespace {

using Told = std::vector<std::string>;

simt::Finding found(const std::string& id) {
  simt::Finding finding;
  finding.id = id;
  finding.kernel = "k";
  set_blank_facts(finding);
  return finding;
}

/// As the grader makes it where the simulator objects.
Failure found_failure(const std::vector<std::string>& ids) {
  Failure failure{ids, "f: " + message_of(found(ids.front())), {"In the call f()."}};
  for (const std::string& id : ids) failure.findings.push_back({found(id)});
  failure.findings.front().telling.message = false;
  failure.function = "f";
  return failure;
}

const std::string one = "deadlock", two = "grid-sync-not-cooperative";

} // namespace

TEST_CASE(
    "a TODO is begun if its region has other code than the starter's, whatever its comments and spaces") {
  const std::string starter =
      "// TODO(1): a\n// as here\n  (void)i;\n// END TODO(1)\n// TODO(2): b\n// END TODO(2)\n";
  const auto differs = [&](const std::string& first, int todo = 1) {
    return differ_in_todo("// TODO(1): a\n" + first + "// END TODO(1)\n", starter, todo);
  };
  CHECK(differs("i = 1;\n"));
  CHECK(differs(""));
  CHECK_FALSE(differs("(void) i; // a note\n"));
  CHECK_FALSE(differs("i = 1;\n", 2)); // it has no such region
  CHECK_FALSE(differ_in_todo("// TODO(1): a\ni = 1;\n", starter, 1));
  CHECK_FALSE(differ_in_todo(starter, "", 1));
}

TEST_CASE("a task in which something is written is not unsolved") {
  const auto folder = std::filesystem::path("failure_test_lab");
  std::filesystem::create_directory(folder);
  const std::string open = "// TODO(2): a\n// END TODO(2)\n// TODO(3): b\n// END TODO(3)\n";
  std::ofstream(folder / "x.cu.starter") << open;
  const auto told = [&](const std::string& file, std::vector<int> todos) {
    std::ofstream(folder / "x.cu") << file;
    const Context before = context();
    context().contract_path = folder / "lab.hpp";
    context().source_path = folder / "x.cu";
    context().todo = 2;
    const auto failed =
        failure_in([&] { fail(Failure{{"unsolved", "more"}, "open", {}, {}, std::move(todos)}); });
    context() = before;
    return failed->diagnoses;
  };
  const std::string begun = "// TODO(2): a\ni + 1;\n// END TODO(2)\n// TODO(3): b\n// END TODO(3)\n";
  CHECK(told(open, {}) == Told{"unsolved", "more"});
  CHECK(told(begun, {}) == Told{"output-unwritten", "more"});
  CHECK(told(begun, {2, 3}) == Told{"unsolved", "more"});
  std::filesystem::remove_all(folder);
}

TEST_CASE("causes come first, then findings with their lessons, and details; a section is named once") {
  Failure failure = found_failure({one, two});
  failure.causes = {"why"};
  failure.findings[0].lessons = {"a lesson"};
  read_on(failure, "Section");
  read_on(failure, "Section");
  CHECK(texts_of(told_lines(failure)) == Told{"why", "error: " + one + " in kernel k",
                                              "  try: " + cure_of(found(one)), "a lesson",
                                              "error: " + two + " in kernel k", "  " + message_of(found(two)),
                                              "  try: " + cure_of(found(two)), "In the call f()."});
  CHECK(failure.sections == Told{"Section"});
  failure.details = told_lines(failure);
  CHECK(details_and_sections(failure).back() == "Handout: 'Section'");
}

TEST_CASE("each line says what it is, and a line that is quoted also where it stands") {
  using enum Detail::Kind;
  Failure failure = found_failure({one});
  failure.causes = {"why"};
  failure.findings[0].lessons = {{"a lesson", advice}};
  failure.findings[0].finding.participants.resize(1);
  failure.findings[0].finding.participants[0].file = "none.cu";
  failure.findings[0].finding.participants[0].line = 7;
  failure.details.push_back(in_call("f(n = 3)"));
  std::vector<Detail::Kind> kinds;
  const Details lines = told_lines(failure);
  for (const Detail& line : lines) kinds.push_back(line.kind);
  CHECK(kinds == std::vector{cause, finding, finding, source, advice, advice, note, call});
  CHECK(lines[3].place->file == "none.cu");
  CHECK(lines[3].place->line == 7);
  CHECK(lines.back().id == "f(n = 3)");
}

TEST_CASE("sentences are joined and printed, and cannot be compared") {
  CHECK(("a " + Sentence("b")).to_print() == "a b");
  static_assert(!std::equality_comparable<Sentence> && !std::equality_comparable_with<Sentence, std::string>);
  static_assert(!std::equality_comparable<Detail> && !std::convertible_to<Sentence, std::string>);
}

TEST_CASE("what fails in a check sends its reader to the check's section, behind those of its own") {
  const auto failed = failure_in(
      [] { reading_on("Section", [] { fail(LabMessage{"lesson", "A sentence.", "Its own"}); }); });
  REQUIRE(failed);
  CHECK(failed->sections == Told{"Its own", "Section"});
}

TEST_CASE("rules explain a failure once, the innermost first, and what fails in a rule goes on outside of it") {
  const auto adding = [](const char* word) {
    return Rule([word](Failure& failure) { failure.diagnoses.push_back(word); });
  };
  const auto told = [](const std::function<void()>& check) {
    const auto failed = failure_in(check);
    return failed ? failed->diagnoses : Told{"nothing failed"};
  };
  CHECK(told([] {}) == Told{"nothing failed"});
  CHECK(told([&] {
          const Rule outer = adding("outer"), middle = adding("middle");
          { const Rule over = adding("over"); }
          const Rule inner = adding("inner");
          fail("seen", "A sentence.");
        }) == Told{"seen", "inner", "middle", "outer"});
  CHECK(told([&] {
          const Rule outer = adding("outer");
          const Rule asking([&](Failure& failure) {
            failure.diagnoses = told([&] {
              const Rule own = adding("own");
              fail("tried", "An attempt of the rule's.");
            });
            const Rule further = adding("further");
            if (failure.diagnoses == Told{"tried", "own"}) fail("found out", "Another sentence.");
          });
          const Rule inner = adding("inner");
          fail("seen", "A sentence.");
        }) == Told{"found out", "further", "outer"});
  CHECK(told([&] {
          const Rule outer = adding("outer");
          const auto first = failure_in([&] {
            const Rule inner = adding("inner");
            fail("seen", "A sentence.");
          });
          CHECK(first->diagnoses == Told{"seen", "inner"});
          pass_on(*first);
        }) == Told{"seen", "inner", "outer"});
}

TEST_CASE("of many findings three are reported") {
  const Told lines = texts_of(told_lines(found_failure({one, two, one, two, one})));
  CHECK(std::ranges::count_if(lines, [](const std::string& line) { return line.starts_with("error: "); }) ==
        3);
  CHECK(std::ranges::count(lines, "... and 2 more findings.") == 1);
}

TEST_CASE("what one thread does wrong in one way in several lines is reported once, with the other lines") {
  Failure failure = found_failure({"out-of-bounds", "out-of-bounds", "out-of-bounds"});
  for (std::size_t i = 0; i < 3; ++i) {
    simt::Participant who;
    who.thread = simt::ThreadId{{2, 0, 0}, {i == 2 ? 8U : 7U, 0, 0}, 0, 7};
    who.file = "none.cu";
    who.line = static_cast<unsigned>(10 + i);
    failure.findings[i].finding.participants = {who};
  }
  const Told lines = texts_of(told_lines(failure));
  const auto is_block = [](const std::string& line) { return line.starts_with("error: "); };
  CHECK(std::ranges::count_if(lines, is_block) == 2); // the third is another thread's
  CHECK(std::ranges::count(lines, "  and the same thread likewise in line 11 | ") == 1);
}

TEST_CASE("what two threads do wrong with one element is reported once, with the other lines") {
  Failure failure = found_failure({"global-race", "global-race", "global-race"});
  for (std::size_t i = 0; i < 3; ++i) {
    simt::Finding& race = failure.findings[i].finding;
    race.variable = "a";
    race.element = {i == 2 ? 8 : 7};
    race.participants.resize(2);
    for (unsigned block = 0; block < 2; ++block) {
      simt::Participant& who = race.participants[i == 1 ? 1 - block : block];
      who.thread = simt::ThreadId{{block, 0, 0}, {0, 0, 0}, 0, 0};
      who.file = "none.cu";
      who.line = static_cast<unsigned>(10 + i) + block;
    }
  }
  const Told lines = texts_of(told_lines(failure));
  const auto is_block = [](const std::string& line) { return line.starts_with("error: "); };
  CHECK(std::ranges::count_if(lines, is_block) == 2); // the third is about another element
  CHECK(std::ranges::count(lines, "  and the same threads likewise in lines 11 and 12") == 1);
}

TEST_CASE("another sentence leaves the finding, without its advice, below it") {
  Failure failure = found_failure({one, two});
  retell(failure, LabMessage{"lesson", "The lesson's sentence.", "Section"});
  CHECK(failure.diagnoses == Told{"lesson", one, two});
  CHECK(failure.sentence.to_print() == "The lesson's sentence.");
  CHECK(texts_of(told_lines(failure)) == Told{"error: " + one + " in kernel k", "  " + message_of(found(one)),
                                              "error: " + two + " in kernel k", "  " + message_of(found(two)),
                                              "  try: " + cure_of(found(two)), "In the call f()."});
  CHECK(failure.sections == Told{"Section"});
}

TEST_CASE("where there is no finding, the sentence that was becomes a cause, and advice a detail") {
  Failure failure{{"guard-damaged"}, "f wrote too far.", {"In the call f()."}};
  CHECK(first_finding(failure) == nullptr);
  retell(failure, LabMessage{"lesson", "The lesson's sentence."});
  advise(failure, "Look there.");
  hide_element(failure);
  CHECK(texts_of(told_lines(failure)) == Told{"f wrote too far.", "In the call f().", "Look there."});
}

TEST_CASE("advice is replaced for the first finding, or dropped for all") {
  Failure failure = found_failure({one, two});
  advise(failure, "look there");
  CHECK(texts_of(told_lines(failure))[1] == "  try: look there");
  drop_advice(failure);
  for (const std::string& line : texts_of(told_lines(failure))) CHECK_FALSE(line.starts_with("  try: "));
}

TEST_CASE("an element that differs from item to item goes from the sentence to the causes") {
  Failure failure = found_failure({"cluster-not-started"});
  simt::Finding& finding = failure.findings.front().finding;
  finding.variable = "bins";
  finding.element = {7};
  finding.owner = {{1, 0, 0}};
  failure.sentence = "f: " + message_of(finding);
  CHECK(failure.sentence.to_print().find(" of bins[7] of block (1,0,0) before it can know") !=
        std::string::npos);
  hide_element(failure);
  CHECK(failure.sentence.to_print().find(" of an element of bins in another block before it can know") !=
        std::string::npos);
  CHECK(texts_of(failure.causes) == Told{"Here it is bins[7] of block (1,0,0)."});
  const std::string sentence = failure.sentence.to_print();
  retell(failure, LabMessage{"lesson", "The lesson's sentence."});
  CHECK("f: " + texts_of(told_lines(failure))[2].substr(2) == sentence);
}

TEST_CASE("findings are asked by condition, and the first id is what a failure is about") {
  const Failure failure = found_failure({one, two});
  CHECK(is_about(failure, one));
  CHECK_FALSE(is_about(failure, two));
  CHECK_FALSE(is_about(Failure{}, one));
  CHECK(any_finding(failure, [](const simt::Finding& finding) { return finding.id == two; }));
  CHECK_FALSE(any_finding(failure, [](const simt::Finding& finding) { return finding.id == "three"; }));
}

TEST_CASE("a failure goes through the change, unless the task is still to be written") {
  CHECK(changing([] { return 3; }, [](Failure&) {}) == 3);
  const auto changed = [](const char* id) {
    const auto check = [&] { fail(LabMessage{id, "What was wrong.", "", {2, 3}}, {"n = 1"}); };
    return *failure_in([&] { changing(check, [](Failure& why) { read_on(why, "Section"); }); });
  };
  CHECK(changed("one").sections == Told{"Section"});
  CHECK(changed("one").todos == std::vector{2, 3});
  CHECK(texts_of(changed("one").details) == Told{"n = 1"});
  CHECK(changed("unsolved").sections.empty());
  CHECK(is_about(changed("unsolved"), "unsolved"));
}
