#include <doctest/doctest.h>

#include "text/harmless.hpp"

using warpbook::harmless;

TEST_CASE("escape codes, bells and deletions are written out") {
  CHECK(harmless("\x1b[2J\x07 wiped\x7f") == "\\x1b[2J\\x07 wiped\\x7f");
  CHECK(harmless("\xc2\x9b"
                 "31m") == "\\x9b31m"); // the escape code of one letter
  CHECK(harmless(std::string_view("a\0b", 3)) == "a\\x00b");
}

TEST_CASE("tabs and line feeds stay, and a carriage return only goes before a line feed") {
  CHECK(harmless("a\tb\nc\r\nd\re") == "a\tb\nc\nd\\x0de");
}

TEST_CASE("letters of every script stay") {
  for (const char* text : {"Müller", "王芳", "Ελένη", "שלום", "🙂", ""}) CHECK(harmless(text) == text);
}

TEST_CASE("marks that turn the order of letters are written out") {
  CHECK(harmless("\u202e"
                 "dessap\u202c\u2066\u061c\u2028") == "<U+202E>dessap<U+202C><U+2066><U+061C><U+2028>");
}

TEST_CASE("bytes that are no UTF-8 are written out, so that what comes out is") {
  CHECK(harmless("\xff\xc3") == "\\xff\\xc3");
  CHECK(harmless("\xc0\x9b") == "\\xc0\\x9b");          // too long for its letter
  CHECK(harmless("\xed\xa0\x80") == "\\xed\\xa0\\x80"); // half of a pair
}
