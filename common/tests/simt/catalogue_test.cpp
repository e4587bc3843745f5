// The catalogue of findings: every text of it comes out whole, from what a finding may know and from next to nothing.
#include "simt/report/catalogue.hpp"
#include "simt/report/wording.hpp"

#include "facts.hpp"

#include <doctest/doctest.h>
#include <set>
#include <string>
#include <vector>

using namespace simt;

namespace {

/// A race that knows all that any finding may know.
Finding complete() {
  Finding finding;
  finding.id = "global-race";
  finding.kernel = "kernel";
  finding.grid = {300, 1, 1};
  finding.block = {1024, 1, 1};
  finding.variable = "tile";
  finding.space = Space::shared;
  finding.element = {3, 5};
  finding.byte = 2;
  finding.owner = {{1, 0, 0}};
  finding.address = 0x40;
  finding.facts = known_facts(~fact::Set{0});
  Participant one, other;
  one.access = Access::write;
  other.access = Access::read;
  one.bytes = other.bytes = 4;
  one.thread = ThreadId{{0, 0, 0}, {3, 0, 0}, 0, 3};
  other.thread = ThreadId{{1, 0, 0}, {40, 0, 0}, 1, 8};
  one.depth = 0;
  other.depth = 1;
  one.kernel = "parent";
  other.kernel = "child";
  one.kin = Kin::parent;
  other.kin = Kin::child;
  one.waits_at = other.waits_at = "__syncthreads()";
  one.visits = 2;
  other.visits = 1;
  finding.participants = {one, other};
  return finding;
}

std::vector<const char*> texts_of(const Choices& choices) {
  std::vector<const char*> texts;
  for (const Choice& choice : choices.all()) texts.push_back(choice.text);
  return texts;
}

/// Every text of the catalogue.
std::vector<const char*> all_texts() {
  std::vector<const char*> texts;
  const auto add = [&](const std::vector<const char*>& more) {
    texts.insert(texts.end(), more.begin(), more.end());
  };
  for (const Wording& wording : catalogue) {
    add({wording.message, wording.action, wording.other_action});
    add(texts_of(wording.cure));
  }
  for (const RefusalWording& refusal : refusals) {
    add({refusal.reason});
    add(texts_of(refusal.cure));
  }
  for (const Phrase& phrase : phrases) add(texts_of(phrase.text));
  for (const Note& known : notes) add({known.note.text});
  for (const AcrossBarrier& across : across_barrier) add({across.note, across.cure});
  return texts;
}

/// Like `finding`, but of this entry, with the entry's facts.
Finding as(const Wording& wording, Finding finding) {
  finding.id = wording.id;
  finding.kind = wording.kind;
  if (finding.facts.empty())
    set_blank_facts(finding);
  else
    finding.facts = known_facts(wording.kind.facts);
  return finding;
}

bool is_whole(const std::string& text) {
  return text.find_first_of("{}|") == text.npos && !text.ends_with("..") && !text.ends_with("..");
}

} // namespace

TEST_CASE("every text of the catalogue comes out whole") {
  for (const char* text : all_texts()) {
    CAPTURE(text);
    const std::string filled_in = filled(text, complete());
    CAPTURE(filled_in);
    CHECK(is_whole(filled_in));
  }
}

TEST_CASE("every entry says something, of what a finding knows and of next to nothing") {
  for (const Wording& wording : catalogue) {
    CAPTURE(wording.id);
    CAPTURE(wording.kind);
    for (const Finding& finding : {as(wording, complete()), as(wording, {})}) {
      CHECK_FALSE(message_of(finding).empty());
      CHECK_NOTHROW(notes_of(finding));
      CHECK_NOTHROW(cure_of(finding));
      CHECK_NOTHROW(action_of(finding, 1));
    }
    const Finding known = as(wording, complete());
    for (const std::string& text : {message_of(known), cure_of(known), action_of(known, 0)}) {
      CAPTURE(text);
      CHECK(is_whole(text));
    }
    CHECK(message_of(known).ends_with('.'));
    CHECK(cure_of(known).ends_with('.'));
    CHECK((known.id == "unsupported" || !action_of(known, 0).empty()));
  }
}

TEST_CASE("no two entries have one name, and the last choice of a text is for any finding") {
  std::set<std::pair<std::string_view, std::string_view>> entries;
  for (const Wording& wording : catalogue) {
    CHECK(entries.emplace(wording.id, wording.kind).second);
    CHECK(!wording.cure.all().back().holds);
  }
  std::set<std::string_view> rules;
  for (const RefusalWording& refusal : refusals) {
    CHECK(rules.insert(refusal.rule).second);
    CHECK(!refusal.cure.all().back().holds);
  }
  for (const Phrase& phrase : phrases) CHECK(!phrase.text.all().back().holds);
}

TEST_CASE("every rule tells in a finding why a launch is refused") {
  for (const RefusalWording& refusal : refusals) {
    Finding finding = complete();
    finding.id = "invalid-launch";
    finding.facts = {Refused{std::string(refusal.rule), "cudaErrorInvalidValue", 50'000, 49'152}};
    CAPTURE(refusal.rule);
    CHECK(message_of(finding).ends_with(filled(refusal.reason, finding) + "."));
    CHECK_FALSE(cure_of(finding).empty());
  }
}

TEST_CASE("the cure of a global race follows from what its threads are to each other") {
  Finding race = complete();
  race.facts = {fact::Written(), fact::Alike{false}};
  const auto cure = [&] { return cure_of(race).substr(0, 30); };
  Participant &one = race.participants[0], &other = race.participants[1];
  CHECK(cure() == "a child sees what the launchin");
  one.kin = Kin::descendant;
  other.kin = Kin::ancestor;
  CHECK(cure() == "if this access belongs before ");
  CHECK(message_of(race).starts_with("The grid child and its descendant grid parent use "));
  one.kin = Kin::relative;
  other.kin = Kin::later_relative;
  CHECK(cure() == "if each of the two is to work ");
  CHECK(message_of(race).starts_with("The child grids parent and child use "));
  CHECK(action_of(race, 1) == "reads 4 bytes of it, in a later child grid (depth 1)");
  one.depth.reset();
  other.depth.reset();
  CHECK(cure() == "blocks run in any order: read ");
  other.thread->thread = one.thread->thread;
  CHECK(cure_of(race).find("lacks blockIdx") < cure_of(race).find("Otherwise blocks run"));
  race.facts = {fact::Alike{true}};
  CHECK(cure_of(race).find("the index needs blockIdx") != std::string::npos);
  other.thread->thread = one.thread->thread = {};
  CHECK(cure() == "combine the values with an ato");
  other.access = Access::atomic;
  CHECK(cure() == "a start value has to be there ");
  one.access = Access::read;
  CHECK(cure() == "make both accesses atomic, or ");
  one.access = Access::write;
  other.access = Access::write;
  race.facts = {fact::Alike{false}};
  CHECK(cure() == "let every element be written b");
  other.thread->block = one.thread->block;
  other.thread->warp = 1;
  CHECK(cure_of(race) == barrier_between_accesses);
  other.thread->warp = 0;
  CHECK(cure_of(race) == barrier_or_syncwarp);
  race.block = {32, 1, 1};
  CHECK(cure_of(race) == syncwarp_alone);
}

TEST_CASE("numbers are written plainly, in groups of digits, in units and with what they count") {
  Finding finding;
  finding.facts = {fact::Amount{1}, fact::Limit{3 << 20}, fact::Used{(1 << 20) + 1}};
  CHECK(filled("{amount:byte}, {limit}, {limit:,}, {limit:KiB}, {limit:MiB}, {used:MiB}, {used:launch}",
               finding) == "1 byte, 3145728, 3,145,728, 3072 KiB, 3 MiB, 2 MiB, 1048577 launches");
}

TEST_CASE("what stands around a fact is left out with it, or stands for it") {
  Finding finding;
  CHECK(filled("a{: <place>}, b {place|somewhere}", finding) == "a, b somewhere");
  finding.variable = "x";
  finding.element = {4};
  CHECK(filled("a{: <place>}, b {place|somewhere}", finding) == "a: x[4], b x[4]");
  CHECK_THROWS_AS(filled("{no such fact}", finding), std::out_of_range);
}

TEST_CASE("a place is named without its element where another one would be the same mistake") {
  Finding finding = complete();
  CHECK(place_text(finding) == "tile[3][5] (byte 2 of it) of block (1,0,0)");
  CHECK(place_text(finding, false) == "an element of tile in another block");
  CHECK(message_of(finding, false).find(" use an element of tile in another block and ") !=
        std::string::npos);
  finding.element.clear();
  CHECK(place_text(finding, false) == "tile + 2 bytes of block (1,0,0)");
  finding.variable.clear();
  finding.owner.reset();
  CHECK(place_text(finding).empty());
  finding.unnamed_bytes = 400;
  CHECK(place_text(finding) == "a block of 400 bytes from cudaMalloc + 2 bytes");
}

TEST_CASE("a launch that asks for too much dynamic shared memory reads the limit that holds for it") {
  Finding finding;
  finding.id = "invalid-launch";
  const auto told = [&](std::uint64_t asked, std::uint64_t allowed) {
    finding.facts = {Refused{"dynamic-shared-memory", "cudaErrorInvalidValue", asked, allowed}};
    return message_of(finding);
  };
  CHECK(told(300'000, 124'832)
            .ends_with("300000 bytes of dynamic shared memory are more than a block can have, "
                       "which is 232448."));
  CHECK(cure_of(finding).starts_with("let a block work on less at a time"));
  CHECK(told(200'000, 124'832)
            .ends_with("more than the 124832 that cudaFuncSetAttribute has last allowed this "
                       "kernel."));
  CHECK(told(60'000, 49'152)
            .ends_with("more than the 49152 that a kernel may have before cudaFuncSetAttribute "
                       "allows it more."));
  CHECK(cure_of(finding).starts_with("above 49152 bytes, call cudaFuncSetAttribute"));
}
