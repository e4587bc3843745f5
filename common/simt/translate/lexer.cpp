#include "simt/translate/lexer.hpp"

#include <array>
#include <cstring>
#include <unordered_map>
#include <utility>

namespace simt::compiler {
namespace {

bool is_identifier_start(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 0x80;
}
bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }
bool is_identifier_part(unsigned char c) { return is_identifier_start(c) || is_digit(c); }

/// Longest first. None starts with `<<` or `>>`: those are launches and templates as often as shifts.
constexpr std::array<std::string_view, 20> long_punctuation = {
    "...", "<=>", "->*", "::", "->", "==", "!=", "<=", ">=", "&&",
    "||",  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", "##"};

/// Operators that have a name, too. No two of them stand for one.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> named_operators = {
    {{"and", "&&"},
     {"or", "||"},
     {"not", "!"},
     {"bitand", "&"},
     {"bitor", "|"},
     {"xor", "^"},
     {"compl", "~"},
     {"and_eq", "&="},
     {"or_eq", "|="},
     {"xor_eq", "^="},
     {"not_eq", "!="}}};

/// The operator that a word stands for; empty for most.
std::string_view operator_named(std::string_view word) {
  if (word.size() < 2 || word.size() > 6 || std::string_view("anobcx").find(word[0]) == word.npos) return {};
  for (const auto& [name, meant] : named_operators)
    if (word == name) return meant;
  return {};
}

class Lexer {
public:
  explicit Lexer(std::string_view text) : text_(text) { stream_.text = text; }

  TokenStream run() {
    stream_.tokens.reserve(text_.size() / 64 + 16);
    bool at_line_start = true;
    while (position_ < text_.size()) {
      const char c = text_[position_];
      if (c == '\n') {
        ++position_;
        ++line_;
        at_line_start = true;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
        ++position_;
      } else if (c == '#' && at_line_start) {
        directive();
      } else {
        at_line_start = false;
        token();
      }
    }
    add(TokenKind::end, text_.size(), text_.size());
    return std::move(stream_);
  }

private:
  void add(TokenKind kind, std::size_t begin, std::size_t end) {
    stream_.tokens.push_back(
        {kind, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin), line_, file_});
  }

  std::size_t line_end(std::size_t from) const {
    const void* found = std::memchr(text_.data() + from, '\n', text_.size() - from);
    return found ? static_cast<std::size_t>(static_cast<const char*>(found) - text_.data()) : text_.size();
  }

  void directive() {
    const std::size_t begin = position_;
    const std::size_t end = line_end(begin);
    LineMarker marker;
    if (!parse_line_marker(text_.substr(begin, end - begin), marker)) {
      stream_.pragmas.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)});
      position_ = end;
      return;
    }
    position_ = end;
    if (enter(marker)) skip_system_text();
  }

  /// Makes the marker's place the current one; returns whether that is in a system header. The marker on
  /// entry decides for the whole file: later ones also tell where an expanded macro was defined.
  bool enter(const LineMarker& marker) {
    const auto [entry, is_new] =
        file_ids_.try_emplace(marker.literal, static_cast<std::uint32_t>(stream_.files.size()));
    if (is_new)
      stream_.files.push_back({unescape(marker.literal), std::string(marker.literal), marker.is_system});
    file_ = entry->second;
    line_ = marker.line - 1; // the newline that ends the marker counts one
    return stream_.files[file_].is_system;
  }

  /// Moves to the end of the linemarker that leads back to a user's file, or to the end of the text.
  void skip_system_text() {
    while (position_ < text_.size()) {
      const std::size_t next = position_ + 1; // the first character after the newline
      if (next < text_.size() && text_[next] == '#') {
        const std::size_t end = line_end(next);
        LineMarker marker;
        position_ = end;
        if (parse_line_marker(text_.substr(next, end - next), marker) && !enter(marker)) return;
      } else {
        position_ = next < text_.size() ? line_end(next) : text_.size();
      }
    }
  }

  static std::string unescape(std::string_view literal) {
    std::string name;
    for (std::size_t i = 0; i < literal.size(); ++i) {
      if (literal[i] == '\\' && i + 1 < literal.size()) {
        const bool octal = i + 3 < literal.size() && is_digit(literal[i + 1]) && is_digit(literal[i + 2]) &&
                           is_digit(literal[i + 3]);
        if (octal) {
          name += static_cast<char>((literal[i + 1] - '0') * 64 + (literal[i + 2] - '0') * 8 +
                                    literal[i + 3] - '0');
          i += 3;
          continue;
        }
        ++i;
      }
      name += literal[i];
    }
    return name;
  }

  void token() {
    const std::size_t begin = position_;
    const unsigned char c = text_[begin];
    if (is_identifier_start(c)) {
      while (position_ < text_.size() && is_identifier_part(text_[position_])) ++position_;
      const std::string_view word = text_.substr(begin, position_ - begin);
      if (position_ < text_.size() && is_literal_prefix(word, text_[position_])) {
        literal(begin, word.back() == 'R');
      } else {
        add(TokenKind::identifier, begin, position_);
        stream_.has_named_operators = stream_.has_named_operators || !operator_named(word).empty();
      }
    } else if (is_digit(c) || (c == '.' && begin + 1 < text_.size() && is_digit(text_[begin + 1]))) {
      number(begin);
    } else if (c == '"' || c == '\'') {
      literal(begin, false);
    } else {
      position_ += punctuation_length(begin);
      add(TokenKind::punctuation, begin, position_);
    }
  }

  static bool is_literal_prefix(std::string_view word, char quote) {
    if (quote != '"' && quote != '\'') return false;
    if (word == "u8" || word == "u" || word == "U" || word == "L") return true;
    return quote == '"' && (word == "R" || word == "u8R" || word == "uR" || word == "UR" || word == "LR");
  }

  void number(std::size_t begin) {
    while (position_ < text_.size()) {
      const char c = text_[position_];
      const char before = position_ > begin ? text_[position_ - 1] : '\0';
      const bool exponent = before == 'e' || before == 'E' || before == 'p' || before == 'P';
      const bool separator =
          c == '\'' && position_ + 1 < text_.size() && is_identifier_part(text_[position_ + 1]);
      if (!is_identifier_part(c) && c != '.' && !separator && !((c == '+' || c == '-') && exponent)) break;
      ++position_;
    }
    add(TokenKind::number, begin, position_);
  }

  /// A string or character literal whose prefix starts at `begin` and whose quote is at position_.
  void literal(std::size_t begin, bool raw) {
    const std::uint32_t first_line = line_;
    const char quote = text_[position_];
    if (raw) {
      const std::size_t open = text_.find('(', position_);
      std::string end = ")";
      if (open != text_.npos) end += text_.substr(position_ + 1, open - position_ - 1);
      end += '"';
      const std::size_t close = open == text_.npos ? open : text_.find(end, open);
      position_ = close == text_.npos ? text_.size() : close + end.size();
    } else {
      ++position_;
      while (position_ < text_.size() && text_[position_] != quote && text_[position_] != '\n')
        position_ += text_[position_] == '\\' && position_ + 1 < text_.size() ? 2 : 1;
      if (position_ < text_.size() && text_[position_] == quote) ++position_;
    }
    while (position_ < text_.size() && is_identifier_part(text_[position_])) ++position_; // "..."_suffix
    add(quote == '"' ? TokenKind::string : TokenKind::character, begin, position_);
    for (std::size_t i = begin; i < position_; ++i) line_ += text_[i] == '\n';
    stream_.tokens.back().line = first_line;
  }

  std::size_t punctuation_length(std::size_t begin) const {
    for (const std::string_view candidate : long_punctuation)
      if (text_.compare(begin, candidate.size(), candidate) == 0) return candidate.size();
    return 1;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t file_ = 0;
  std::unordered_map<std::string_view, std::uint32_t> file_ids_;
  TokenStream stream_;
};

} // namespace

bool parse_line_marker(std::string_view text, LineMarker& marker) {
  if (!text.starts_with('#')) return false;
  std::size_t i = 1;
  if (text.compare(0, 6, "#line ") == 0) i = 5;
  while (i < text.size() && text[i] == ' ') ++i;
  if (i >= text.size() || !is_digit(text[i])) return false;
  marker.line = 0;
  while (i < text.size() && is_digit(text[i])) marker.line = marker.line * 10 + (text[i++] - '0');
  while (i < text.size() && text[i] == ' ') ++i;
  if (i >= text.size() || text[i] != '"') return false;
  const std::size_t begin = ++i;
  while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
  if (i >= text.size()) return false;
  marker.literal = text.substr(begin, i - begin);
  const std::string_view flags = text.substr(i + 1, text.find('\n', i) - i - 1);
  marker.is_system = flags.find('3') != flags.npos;
  marker.enters = flags.find('1') != flags.npos;
  marker.is_c = flags.find('4') != flags.npos;
  return true;
}

std::string with_operator_signs(const TokenStream& stream) {
  std::string text(stream.text);
  for (const Token& token : stream.tokens) {
    if (token.kind != TokenKind::identifier) continue;
    const std::string_view sign = operator_named(stream.text.substr(token.offset, token.length));
    if (sign.empty()) continue;
    text.replace(token.offset, token.length, token.length, ' '); // what follows keeps its column
    text.replace(token.offset, sign.size(), sign);
  }
  return text;
}

TokenStream tokenize(std::string_view preprocessed) {
  TokenStream stream = Lexer(preprocessed).run();
  if (stream.files.empty()) stream.files.push_back({"<input>", "<input>", false});
  return stream;
}

} // namespace simt::compiler
