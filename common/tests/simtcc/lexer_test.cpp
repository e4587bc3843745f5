#include "simt/translate/lexer.hpp"

#include <doctest/doctest.h>

using namespace simt::compiler;

namespace {

/// The tokens' spellings, each followed by a blank.
std::string spellings(std::string_view text) {
  const TokenStream stream = tokenize(text);
  std::string result;
  for (std::size_t i = 0; i + 1 < stream.tokens.size(); ++i) result += std::string(stream.spelling(i)) + ' ';
  return result;
}

} // namespace

TEST_CASE("angles are single tokens, arrows and comparisons are not") {
  CHECK(spellings("k<<<a>>b<=c->d>=e...") == "k < < < a > > b <= c -> d >= e ... ");
}

TEST_CASE("literals with prefixes, escapes and suffixes are one token each") {
  CHECK(spellings(R"(u8"a\"b"_x L'\'' 1'000'000ull 0x1p-3f .5e+3 "<<<")") ==
        R"(u8"a\"b"_x L'\'' 1'000'000ull 0x1p-3f .5e+3 "<<<" )");
}

TEST_CASE("a raw string ends at its own delimiter") {
  CHECK(spellings(R"x(a R"q(<<< )" " \)q" b)x") == R"x(a R"q(<<< )" " \)q" b )x");
}

TEST_CASE("tokens behind a raw string of several lines have the right line") {
  const TokenStream stream = tokenize("# 1 \"a.cu\"\nR\"(x\ny)\"\nz");
  CHECK(stream.tokens[0].line == 1);
  CHECK(stream.tokens[1].line == 3);
}

TEST_CASE("linemarkers set file and line") {
  const TokenStream stream = tokenize("# 7 \"a.cu\"\nx\n# 3 \"b \\\"c\\\".hpp\" 1\ny\n# 9 \"a.cu\" 2\nz\n");
  REQUIRE(stream.tokens.size() == 4);
  CHECK(stream.tokens[0].line == 7);
  CHECK(stream.files[stream.tokens[1].file].name == "b \"c\".hpp");
  CHECK(stream.files[stream.tokens[1].file].literal == "b \\\"c\\\".hpp");
  CHECK(stream.tokens[2].line == 9);
  CHECK(stream.tokens[2].file == stream.tokens[0].file);
}

TEST_CASE("text of system headers has no tokens") {
  CHECK(spellings(
            "# 1 \"a.cu\"\nx\n# 1 \"s.h\" 1 3\nint y;\n# 1 \"t.h\" 1 3 4\nint t;\n# 2 \"s.h\" 2 3\nint u;\n"
            "# 2 \"a.cu\" 2\nz") == "x z ");
}

TEST_CASE("a system header's macro expanded in a user's file is the user's text") {
  CHECK(spellings("# 1 \"a.cu\"\nx =\n# 1 \"a.cu\" 3 4\n nullptr\n# 1 \"a.cu\"\n;") == "x = nullptr ; ");
}

TEST_CASE("a user's macro expanded in a system header is the header's text") {
  CHECK(spellings("# 1 \"a.cu\"\nx\n# 1 \"s.h\" 1 3\nint y;\n# 2 \"s.h\"\nmacro\n# 2 \"s.h\" 3\nint u;\n"
                  "# 2 \"a.cu\" 2\nz") == "x z ");
}

TEST_CASE("pragmas are no tokens and are listed") {
  const TokenStream stream = tokenize("#pragma unroll 4\nx");
  CHECK(stream.tokens.size() == 2);
  REQUIRE(stream.pragmas.size() == 1);
  CHECK(stream.pragmas[0].length == 16);
}

TEST_CASE("unterminated literals end with their line or the text") {
  CHECK(spellings("\"abc\nx") == "\"abc x ");
  CHECK(spellings("R\"(abc\nx") == "R\"(abc\nx ");
  CHECK(spellings("'\\") == "'\\ ");
}

TEST_CASE("tokens that have two spellings get the usual one, at their place") {
  using simt::compiler::with_usual_spellings;
  CHECK(with_usual_spellings("a<:1:> bitand b\n%: <% x %>;") == "a[ 1]  &      b\n#  {  x } ;");
  CHECK(with_usual_spellings("<:<:gnu::no_sanitize(\"<:and\"):>:> // <:") ==
        "[ [ gnu::no_sanitize(\"<:and\")] ]  // [ ");
  CHECK(with_usual_spellings("S<::X> a; b<:::c:>; d<::>;") == "S<::X> a; b[ ::c] ; d[ ] ;");
  CHECK(with_usual_spellings("\\u00e9x \\U0001F600 a\\u{e9}b \"\\u00e9\"") ==
        "éx \U0001F600 aéb \"\\u00e9\"");
  CHECK(with_usual_spellings("\\u0061 \\u00 \\q") == "\\u0061 \\u00 \\q");
}
