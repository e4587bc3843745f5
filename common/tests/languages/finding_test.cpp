// Every text of the simulator's catalogue can be translated: here WARPBOOK_MESSAGES is a language in which all messages
// stand in brackets.
#include <doctest/doctest.h>

#include "grader/message.hpp"
#include "simt/report/catalogue.hpp"
#include "simt/report/wording.hpp"
#include "text/language.hpp"

#include "mo_file.hpp"

using namespace simt;

namespace {

/// Whether it is nothing but places for facts.
bool has_words(std::string_view text) {
  while (!text.empty() && text.front() == '{') {
    const std::size_t end = text.find('}');
    if (text.substr(0, end).find_first_of("|<") != text.npos) return true;
    text.remove_prefix(end + 1);
  }
  return !text.empty();
}

void check(const char* text) {
  if (!has_words(text)) return;
  CHECK(warpbook::spoken().translated("finding", text) == "⟨" + std::string(text) + "⟩");
}

void check(const Choices& choices) {
  for (const Choice& choice : choices.all()) check(choice.text);
}

Finding race() {
  Finding finding;
  finding.id = "global-race";
  finding.variable = "out";
  finding.element = {3};
  finding.participants.resize(2);
  for (Participant& who : finding.participants) {
    who.access = Access::write;
    who.bytes = 4;
  }
  return finding;
}

} // namespace

TEST_CASE("every text of the catalogue is in the template") {
  for (const Wording& wording : catalogue) {
    check(wording.message);
    check(wording.cure);
    check(wording.action);
    check(wording.other_action);
  }
  for (const Phrase& phrase : phrases) check(phrase.text);
  for (const Note& note : notes) check(note.note.text);
  for (const AcrossBarrier& told : across_barrier) {
    check(told.note);
    check(told.cure);
  }
  for (const RefusalWording& refusal : refusals) {
    check(refusal.reason);
    check(refusal.cure);
  }
  for (const LetsThrough& told : lets_through) check(told.text);
}

TEST_CASE("a finding is in the words of the reader's language, its facts and phrases too") {
  const std::string message = message_of(race());
  CHECK(message == "⟨⟨Two threads of different blocks⟩ use out[3] and nothing orders them: ⟨both write, so "
                   "the value that stays "
                   "depends on which comes last⟩.⟩");
  CHECK(action_of(race(), 0) == "⟨⟨writes 4 byte⟩ of it⟩"); // this language has no second form
  CHECK(cure_of(race()).starts_with("⟨"));
}

TEST_CASE("a lab's message is looked up in that lab's context") {
  const warpbook::MessageText text{"offset-ignored",
                                   "",
                                   "The elements a[0] to a[n-1] changed; a[offset] to a[offset + n - 1] "
                                   "should. Where does the offset enter your index?",
                                   "",
                                   {}};
  CHECK(filled(text, {}, "lab 01").sentence.to_print() == "⟨" + std::string(text.text) + "⟩");
  CHECK(filled(text, {}, "lab 02").sentence.to_print() == text.text);
  CHECK(filled(text, {}).sentence.to_print() == text.text);
}
