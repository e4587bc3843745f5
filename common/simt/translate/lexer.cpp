#include "simt/translate/lexer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
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
constexpr std::array<std::string_view, 25> long_punctuation = {
    "...", "<=>", "->*", "::", "->", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=",
    "*=",  "/=",  "%=",  "&=", "|=", "^=", "##", "<:", ":>", "<%", "%>", "%:"};

/// Tokens that have another spelling, too.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> other_spellings = {{{"and", "&&"},
                                                                                            {"or", "||"},
                                                                                            {"not", "!"},
                                                                                            {"bitand", "&"},
                                                                                            {"bitor", "|"},
                                                                                            {"xor", "^"},
                                                                                            {"compl", "~"},
                                                                                            {"and_eq", "&="},
                                                                                            {"or_eq", "|="},
                                                                                            {"xor_eq", "^="},
                                                                                            {"not_eq", "!="},
                                                                                            {"<:", "["},
                                                                                            {":>", "]"},
                                                                                            {"<%", "{"},
                                                                                            {"%>", "}"},
                                                                                            {"%:", "#"}}};

/// The usual spelling of a token that has another; empty for most.
std::string_view usual_spelling(std::string_view word) {
  if (word.size() < 2 || word.size() > 6 || std::string_view("anobcx<:%").find(word[0]) == word.npos)
    return {};
  for (const auto& [other, usual] : other_spellings)
    if (word == other) return usual;
  return {};
}

/// The length of a character in an identifier that is written by its number, such as \u00e9; 0 if none stands there.
std::size_t numbered_character(std::string_view text, char32_t& character) {
  if (text.size() < 2 || text[0] != '\\' || (text[1] != 'u' && text[1] != 'U')) return 0;
  const bool is_braced = text[1] == 'u' && text.substr(2, 1) == "{";
  const std::size_t begin = is_braced ? 3 : 2;
  const std::size_t end = is_braced ? std::min(text.find('}', begin), text.size())
                                    : std::min<std::size_t>(text.size(), begin + (text[1] == 'u' ? 4 : 8));
  std::uint32_t number = 0;
  const auto [last, error] = std::from_chars(text.data() + begin, text.data() + end, number, 16);
  if (error != std::errc() || last != text.data() + end || number < 0x80 || number > 0x10FFFF) return 0;
  character = number;
  return end + is_braced;
}

void append_utf8(std::string& text, char32_t c) {
  const int further = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  text += static_cast<char>((0xFF00 >> (further + 1) & 0xFF) | c >> 6 * further);
  for (int i = further; i-- > 0;) text += static_cast<char>(0x80 | (c >> 6 * i & 0x3F));
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
    if (is_identifier_start(c) || pass_numbered_character()) {
      while (position_ < text_.size() &&
             (is_identifier_part(text_[position_]) ? ++position_ : pass_numbered_character())) {
      }
      const std::string_view word = text_.substr(begin, position_ - begin);
      if (position_ < text_.size() && is_literal_prefix(word, text_[position_])) {
        literal(begin, word.back() == 'R');
      } else {
        add(TokenKind::identifier, begin, position_);
        note_spelling(word);
      }
    } else if (is_digit(c) || (c == '.' && begin + 1 < text_.size() && is_digit(text_[begin + 1]))) {
      number(begin);
    } else if (c == '"' || c == '\'') {
      literal(begin, false);
    } else {
      position_ += punctuation_length(begin);
      add(TokenKind::punctuation, begin, position_);
      note_spelling(text_.substr(begin, position_ - begin));
    }
  }

  void note_spelling(std::string_view token) {
    stream_.has_other_spellings = stream_.has_other_spellings || !usual_spelling(token).empty();
  }

  bool pass_numbered_character() {
    char32_t character = 0;
    const std::size_t length = numbered_character(text_.substr(position_, 16), character);
    position_ += length;
    stream_.has_other_spellings |= length != 0;
    return length != 0;
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
    // `<::` is `<` and `::`, as in S<::X>, unless it is the beginning of `<::>` or `<:::`.
    if (text_.compare(begin, 3, "<::") == 0 &&
        (begin + 3 == text_.size() || (text_[begin + 3] != ':' && text_[begin + 3] != '>')))
      return 1;
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

static std::string with_usual_spellings_of(const TokenStream& stream) {
  std::string text;
  std::size_t done = 0;
  for (const Token& token : stream.tokens) {
    if (token.kind != TokenKind::identifier && token.kind != TokenKind::punctuation) continue;
    const std::string_view spelt = stream.text.substr(token.offset, token.length);
    const std::string_view usual = usual_spelling(spelt);
    if (usual.empty() && spelt.find('\\') == spelt.npos) continue;
    text += stream.text.substr(done, token.offset - done);
    done = token.offset + token.length;
    if (!usual.empty()) {
      text += usual;
      text.append(spelt.size() - usual.size(), ' '); // what follows keeps its column
      continue;
    }
    char32_t character = 0;
    for (std::size_t i = 0; i < spelt.size();) {
      const std::size_t length = numbered_character(spelt.substr(i), character);
      if (length != 0)
        append_utf8(text, character);
      else
        text += spelt[i];
      i += std::max<std::size_t>(length, 1);
    }
  }
  return text += stream.text.substr(done);
}

std::string with_usual_spellings(std::string text) {
  const TokenStream stream = tokenize(text);
  return stream.has_other_spellings ? with_usual_spellings_of(stream) : text;
}

TokenStream tokenize(std::string_view preprocessed) {
  TokenStream stream = Lexer(preprocessed).run();
  if (stream.files.empty()) stream.files.push_back({"<input>", "<input>", false});
  return stream;
}

} // namespace simt::compiler
