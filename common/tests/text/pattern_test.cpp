#include "text/pattern.hpp"

#include <doctest/doctest.h>

using warpbook::Match;
using warpbook::Pattern;

TEST_CASE("a search tells the first place and the text of each group") {
  const std::string text = "of work[256] and bins[3]";
  const std::optional<Match> found = Pattern(R"((\w+)\[(\d+)\]( of)?)").search(text);
  REQUIRE(found);
  CHECK(found->position == 3);
  CHECK(found->length == 9);
  CHECK((*found)[0] == "work[256]");
  CHECK((*found)[2] == "256");
  CHECK(found->has(2));
  CHECK_FALSE(found->has(3));
  CHECK((*found)[3] == "");
}

TEST_CASE("a search goes on where it is asked to, and sees what stands before") {
  const Pattern word(R"(\b\w)");
  const std::optional<Match> second = word.search("one two", 1);
  REQUIRE(second);
  CHECK(second->position == 4);
  CHECK_FALSE(Pattern("^o").search("oo", 1));
  CHECK_FALSE(word.search("one", 3));
}

TEST_CASE("a match stands for the whole text") {
  CHECK(Pattern("int|long").match("long"));
  CHECK_FALSE(Pattern("int|long").match("long long"));
}

TEST_CASE("every place is replaced, with groups in the new text") {
  CHECK(Pattern(R"(simt_type_(\w))").replace("simt_type_a, simt_type_b", "<$1>") == "<a>, <b>");
}
