#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace simt::compiler {

enum class TokenKind : std::uint8_t { identifier, number, string, character, punctuation, end };

/// One token of preprocessed text. `offset` and `length` are in bytes of that text;
/// `file` indexes TokenStream::files, `line` is the line in that file (from 1).
struct Token {
  TokenKind kind;
  std::uint32_t offset;
  std::uint32_t length;
  std::uint32_t line;
  std::uint32_t file;
};

/// A file that the preprocessor entered.
struct SourceFile {
  std::string name;    ///< as on disk
  std::string literal; ///< as the linemarker writes it: escaped, without the quotes
  bool is_system = false;
};

/// A `#pragma` line that stands in user code.
struct PragmaLine {
  std::uint32_t offset;
  std::uint32_t length; ///< without the newline
};

/// The tokens of the files that are not system headers. Text of system headers has no tokens.
struct TokenStream {
  std::string_view text;
  std::vector<Token> tokens; ///< ends with one token of kind `end`
  std::vector<SourceFile> files;
  std::vector<PragmaLine> pragmas;
  bool has_other_spellings = false; ///< such as `and`, `<:`, and characters of names by their numbers

  std::string_view spelling(std::size_t index) const {
    const Token& token = tokens[index];
    return text.substr(token.offset, token.length);
  }
};

/// What a line `# LINE "FILE" FLAGS` of preprocessed text says of the lines behind it.
struct LineMarker {
  std::uint32_t line = 0;
  std::string_view literal; ///< the file, as in SourceFile
  bool is_system = false;
  bool enters = false; ///< the file begins here
  bool is_c = false;   ///< a system header of C, all of it as if within extern "C"
};

/// Reads one; returns false for any other line, or where the text does not begin with one.
bool parse_line_marker(std::string_view text, LineMarker& marker);

/// Splits the output of `CXX -E` into tokens. Every `<` and `>` is a token of its own, because
/// the preprocessor may print `<<<` as `<< <`; `->`, `::`, `...`, comparisons and compound
/// assignments are one token. Never fails: an unterminated literal ends with its line.
TokenStream tokenize(std::string_view preprocessed);

/// The text with each token as it is mostly written: operators that have names (`and`) and digraphs (`<:`) as their signs,
/// with blanks for what is left of them so that everything keeps its place, and characters of names as themselves: g++'s
/// preprocessor writes all but ASCII by numbers.
std::string with_usual_spellings(std::string preprocessed);

} // namespace simt::compiler
