// The reader of .mo files: what it finds, and that no file makes it read elsewhere.
#include <doctest/doctest.h>

#include "text/language.hpp"

#include "mo_file.hpp"

using namespace warpbook;

namespace {

const std::string header =
    "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=n != 1;\n";

std::string sample() {
  return mo_file({{"", header}, {"grader\4yes", "ja"}, {"lab 01\4yes", "jawohl"}, {"grader\4no", ""}});
}

} // namespace

TEST_CASE("a message is looked up in its context, and one that is missing stays in English") {
  const MessageCatalogue catalogue(sample());
  CHECK(catalogue.translated("grader", "yes") == "ja");
  CHECK(catalogue.translated("lab 01", "yes") == "jawohl");
  CHECK(catalogue.translated("lab 02", "yes") == "yes");
  CHECK(catalogue.translated("grader", "no") == "no");
  const std::string_view english = "perhaps";
  CHECK(catalogue.translated("grader", english).data() == english.data());
}

TEST_CASE("a file of the other byte order is read, too") {
  std::string bytes = mo_file({{"c\4yes", "ja"}});
  for (std::size_t i = 0; i < 28 + 16; i += 4) {
    std::swap(bytes[i], bytes[i + 3]);
    std::swap(bytes[i + 1], bytes[i + 2]);
  }
  CHECK(MessageCatalogue(bytes).translated("c", "yes") == "ja");
}

TEST_CASE("a file that is cut off anywhere has no messages") {
  const std::string whole = sample();
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK(MessageCatalogue(whole.substr(0, size)).translated("grader", "yes") == "yes");
  CHECK(MessageCatalogue("<html>not a catalogue</html>").translated("grader", "yes") == "yes");
}

TEST_CASE("no number in a file leads outside of it") {
  const std::string whole = sample();
  const std::size_t numbers = 28 + 16 * 4;
  for (std::size_t at = 0; at < numbers; at += 4)
    for (const std::uint32_t value :
         {0u, 1u, 27u, static_cast<std::uint32_t>(whole.size()), 0x7fffffffu, 0xfffffffcu, 0xffffffffu}) {
      std::string bytes = whole;
      std::memcpy(bytes.data() + at, &value, 4);
      const MessageCatalogue catalogue(bytes);
      const std::string said(catalogue.translated("grader", "yes"));
      CHECK(said.size() <= whole.size());
      CHECK(catalogue.form_for(1) <= 1);
    }
  std::string many = whole; // entries that all overlap are not counted for ever
  const std::uint32_t count = 0xffffffff;
  std::memcpy(many.data() + 8, &count, 4);
  CHECK(MessageCatalogue(many).translated("grader", "yes") == "yes");
}

TEST_CASE("the rule for plurals is the header's, and English without one") {
  const auto forms = [](std::string_view rule) {
    std::string text;
    for (const unsigned n : {0, 1, 2, 3, 5, 11, 12, 21, 22, 100, 101})
      text += std::to_string(plural_form(rule, n));
    return text;
  };
  CHECK(forms("0") == "00000000000");
  CHECK(forms("(n != 1)") == "10111111111");
  CHECK(forms("n > 1") == "00111111111");
  CHECK(forms("n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2") ==
        "20112220120");
  CHECK(MessageCatalogue(mo_file({{"", "Plural-Forms: nplurals=1; plural=0;\n"}})).form_for(7) == 0);
  CHECK(MessageCatalogue(sample()).form_for(7) == 1);
  CHECK(MessageCatalogue(mo_file({})).form_for(1) == 0);
  CHECK(MessageCatalogue(mo_file({})).form_for(2) == 1);
}

TEST_CASE("a rule that is none gives the first form") {
  for (const char* rule : {"", "n ?", "n ? 1", "n ? 1 : 2)", "n / 0", "n % (n - n)", "system(1)", "n +", "?",
                           "99999999999999999999999 x"})
    CHECK(plural_form(rule, 1) == 0);
  CHECK(plural_form(std::string(100000, '('), 1) == 0);
  CHECK(plural_form(std::string(100000, '!') + "n", 1) == 0);
}
