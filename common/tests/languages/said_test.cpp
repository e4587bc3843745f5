// Sentences with values in their places, in English and in a translation.
#include <doctest/doctest.h>

#include "grader/message.hpp"
#include "text/say.hpp"

#include "mo_file.hpp"

using namespace warpbook;

namespace {

constexpr const char* english = "{count:sum} of {name} {is_low?is too low|is wrong by {by}}.";

template <typename... Values>
std::string told(const std::string& translation, const char* text, std::string_view names,
                 const Values&... values) {
  const MessageCatalogue catalogue(mo_file(
      {{"", "Plural-Forms: nplurals=2; plural=(n > 1);\n"}, {std::string("lab 01\4") + text, translation}}));
  return said(catalogue, "lab 01", text, names, std::array{SaidValue(values)...});
}

std::string told_sum(const std::string& translation, int count, bool is_low) {
  return told(translation, english, "count:,name,is_low?,by", count, "x", is_low, 7);
}

} // namespace

TEST_CASE("without a translation, values, counts and conditions stand in the English text") {
  CHECK(told_sum("", 1, false) == "1 sum of x is wrong by 7.");
  CHECK(told_sum("", 2, true) == "2 sums of x is too low.");
}

TEST_CASE("a translation has them in its own order, with the forms of its own nouns") {
  const std::string french = "{is_low?trop bas|faux de {by}} : {count:somme|sommes} de {name} ({count})";
  CHECK(told_sum(french, 0, true) == "trop bas : 0 somme de x (0)");
  CHECK(told_sum(french, 1, false) == "faux de 7 : 1 somme de x (1)");
  CHECK(told_sum(french, 2, false) == "faux de 7 : 2 sommes de x (2)");
  CHECK(told_sum("{name} 的 {count} 个和{is_low?太小|差 {by}}。", 3, false) == "x 的 3 个和差 7。");
}

TEST_CASE("a noun with fewer forms than the language has stands in its last one") {
  CHECK(told_sum("{count:somme} {name}{is_low?|}{by}", 5, true) == "5 somme x7");
}

TEST_CASE("a translation whose places cannot be filled is left out") {
  for (const char* bad :
       {"{name", "{is_low?{nmae}|{by}", "of {no_such_name}", "{}", "{is_low?{nmae}|{by}}", "{:x}"})
    CHECK(told_sum(bad, 2, true) == "2 sums of x is too low.");
}

TEST_CASE("a text says which values it takes") {
  CHECK(Said<int, std::string>("{n:byte} of {name}, {n} in all").with("", 2, "x") ==
        "2 bytes of x, 2 in all");
  CHECK(Said<bool, int>("{is_it?yes, {n}|no}").with("", true, -3) == "yes, -3");
  CHECK(Said<>("nothing to fill").with("") == "nothing to fill");
  const SaidValue lowest(INT64_MIN);
  CHECK(lowest.count == std::uint64_t{1} << 63);
}
