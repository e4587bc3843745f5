#include "simt/translate/source.hpp"

#include "simt/translate/source_file.hpp"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace simt::compiler {
namespace {

/// Keywords that may stand where a name could, and that a backward scan must not take for one.
const std::unordered_set<std::string_view> keywords = {
    "alignas",  "alignof",    "asm",        "auto",      "bool",       "break",       "case",      "catch",
    "char",     "class",      "const",      "constexpr", "continue",   "co_await",    "co_return", "co_yield",
    "decltype", "default",    "delete",     "do",        "double",     "else",        "enum",      "explicit",
    "extern",   "false",      "float",      "for",       "friend",     "goto",        "if",        "inline",
    "int",      "long",       "mutable",    "namespace", "new",        "noexcept",    "nullptr",   "operator",
    "private",  "protected",  "public",     "register",  "requires",   "return",      "short",     "signed",
    "sizeof",   "static",     "struct",     "switch",    "template",   "throw",       "true",      "try",
    "typedef",  "typename",   "union",      "unsigned",  "using",      "virtual",     "void",      "volatile",
    "while",    "__global__", "__device__", "__host__",  "__shared__", "__constant__"};

std::size_t line_breaks(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// The token on one line: a raw string with line breaks becomes an ordinary one.
std::string one_line(std::string_view token) {
  std::string text(token);
  if (line_breaks(token) == 0) return text;
  const std::size_t quote = token.find("R\"");
  const std::size_t open = token.find('('), close = token.rfind(')');
  if (quote > open || open >= close || close == std::string_view::npos) { // one that does not end
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  }
  text = concatenate({token.substr(0, quote), "\""});
  for (const char c : token.substr(open + 1, close - open - 1)) {
    if (c == '"' || c == '\\') text += '\\';
    c == '\n' ? text += "\\n" : text += c;
  }
  return text + '"';
}

} // namespace

std::string concatenate(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::uint32_t find_word(std::string_view line, std::string_view word, std::size_t ordinal) {
  const TokenStream tokens = tokenize(line);
  std::uint32_t column = 0;
  for (std::size_t i = 0; i + 1 < tokens.tokens.size(); ++i) {
    if (tokens.spelling(i) != word) continue;
    column = tokens.tokens[i].offset + 1;
    if (ordinal-- == 0) break;
  }
  return column;
}

Source::Source(std::string_view text, const TranslationOptions& options)
    : stream_(tokenize(text)), constinit_keyword_(options.constinit_keyword) {
  edited_.assign(size(), false);
  for (const SourceFile& file : stream_.files)
    file_is_shim_.push_back(lies_below(file.name, options.shim_folder));
  match_brackets();
}

void Source::match_brackets() {
  match_.assign(size(), none);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < size(); ++i) {
    if (kind(i) != TokenKind::punctuation || stream_.tokens[i].length != 1) continue;
    const char c = spelling(i)[0];
    if (c == '(' || c == '[' || c == '{') {
      open.push_back(i);
    } else if (c == ')' || c == ']' || c == '}') {
      const char partner = c == ')' ? '(' : c == ']' ? '[' : '{';
      const auto opens_it = [&](std::size_t j) { return spelling(j)[0] == partner; };
      const auto found = std::find_if(open.rbegin(), open.rend(), opens_it);
      const bool nearest = found == open.rbegin();
      balanced_ &= found != open.rend() && nearest;
      // A brace closes what was left open within it; a stray parenthesis closes nothing.
      if (found == open.rend() || (!nearest && c != '}')) continue;
      match_[i] = *found;
      match_[*found] = i;
      open.erase(std::prev(found.base()), open.end());
    }
  }
  balanced_ &= open.empty();
}

bool Source::is_any(std::size_t i, std::initializer_list<std::string_view> what) const {
  return std::any_of(what.begin(), what.end(), [&](std::string_view word) { return is(i, word); });
}

bool Source::is_name(std::size_t i) const { return is_identifier(i) && !keywords.contains(spelling(i)); }

bool Source::touches_previous(std::size_t i) const {
  return i > 0 && i < size() &&
         stream_.tokens[i - 1].offset + stream_.tokens[i - 1].length == stream_.tokens[i].offset;
}

bool Source::opens_launch(std::size_t i) const {
  return is(i, "<") && is(i + 1, "<") && is(i + 2, "<") && touches_previous(i + 1) &&
         !(i > 0 && is_any(i - 1, {"operator", "<"}));
}

void Source::leave_in_module(std::string_view section, std::string_view text) {
  if (!balanced_ || size() == 0) return;
  insert_before(size() - 1, concatenate({"static const char ", section, "[] __attribute__((section(\"",
                                         section, "\"), used)) = \"", text, "\";"}));
}

void Source::record_foreign_folders() {
  std::set<std::string> folders;
  for (std::size_t file = 0; file < stream_.files.size(); ++file) {
    const std::string& name = stream_.files[file].literal;
    if (file_is_shim_[file] || stream_.files[file].is_system)
      folders.insert(name.substr(0, name.rfind('/') + 1));
  }
  std::string text;
  for (const std::string& folder : folders) text += folder + "\\n";
  if (!text.empty()) leave_in_module("simt_foreign", text);
}

bool Source::is_own(std::size_t i) const {
  return i < size() && !is_shim(i) && !stream_.files[stream_.tokens[i].file].is_system;
}

bool Source::is_shim(std::size_t i) const { return i < size() && file_is_shim_[stream_.tokens[i].file]; }

std::size_t Source::closing_angle(std::size_t i) const {
  int depth = 1;
  for (std::size_t j = i + 1; j < size(); ++j) {
    if (opens(j)) {
      j = match(j);
    } else if (is(j, "<")) {
      if (is_identifier(j - 1)) ++depth;
    } else if (is(j, ">")) {
      if (--depth == 0) return j;
    } else if (is_any(j, {";", ")", "]", "}", "{"})) {
      return none;
    }
  }
  return none;
}

std::size_t Source::opening_angle(std::size_t i) const {
  int depth = 1;
  for (std::size_t j = i; j-- > 0;) {
    if (closes(j)) {
      j = match(j);
    } else if (is(j, ">")) {
      ++depth;
    } else if (is(j, "<")) {
      if (--depth == 0) return j;
    } else if (is_any(j, {";", "(", "[", "{", "}"})) {
      return none;
    }
  }
  return none;
}

std::size_t Source::behind_attribute(std::size_t i) const {
  if (is_any(i, {"alignas", "_Alignas", "__attribute__", "__attribute", "__declspec"}) && is(i + 1, "("))
    return behind(i + 1);
  if (is(i, "[") && is(i + 1, "[") && match(i) != none) return behind(i);
  return i;
}

std::size_t Source::declaration_begin(std::size_t i) const {
  while (i > 0) {
    const std::size_t before = i - 1;
    if (is_any(before, {";", "{", "}", ":", ","})) break;
    if (is(before, ")") || is(before, "]")) {
      const std::size_t open = match(before);
      if (open == none) break;
      if (is(before, "]") && is(open + 1, "[")) {
        i = open;
      } else if (open > 0 && behind_attribute(open - 1) == i) {
        i = open - 1;
      } else {
        break; // `if (...)`, `for (...)`
      }
    } else if (is(before, ">")) {
      const std::size_t open = opening_angle(before);
      if (open == none) break;
      i = open;
    } else if (is_any(before, {"else", "do"}) || !(is_identifier(before) || is(before, "::"))) {
      break;
    } else {
      i = before;
    }
  }
  return i;
}

bool Source::mentions(std::size_t from, std::size_t to, std::string_view name) const {
  for (std::size_t i = from; i < std::min(to, size()); ++i)
    if (is(i, name) && !is_any(i - 1, {".", "->", "::"})) return true;
  return false;
}

std::vector<TokenRange> Source::pieces(std::size_t open, std::size_t close) const {
  std::vector<TokenRange> found;
  std::size_t begin = open + 1;
  for (std::size_t i = begin; i <= close; ++i) {
    if (i == close || is(i, ",")) {
      found.emplace_back(begin, i);
      begin = i + 1;
    } else if (is(i, "<") && closing_angle(i) != none && closing_angle(i) < close) {
      i = closing_angle(i);
    } else if (opens(i)) {
      i = match(i);
    }
  }
  return found;
}

std::string Source::flat(std::size_t begin, std::size_t end) const {
  std::string text;
  for (std::size_t i = begin; i < std::min(end, size()); ++i) {
    if (i > begin && !touches_previous(i)) text += ' ';
    text += one_line(spelling(i));
  }
  return text;
}

std::string Source::place(std::size_t i) const {
  const Token& token = stream_.tokens[std::min(i, size() - 1)];
  return '"' + stream_.files[token.file].literal + "\", " + std::to_string(token.line);
}

void Source::replace(std::size_t i, std::string text) {
  if (i >= size()) return;
  edited_[i] = true;
  const Token& token = stream_.tokens[i];
  edits_.push_back({token.offset, token.length, std::move(text)});
}

void Source::erase(std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < std::min(end, size()); ++i) erase(i);
}

void Source::insert_before(std::size_t i, std::string text) {
  if (i >= size()) return;
  edits_.push_back({stream_.tokens[i].offset, 0, std::move(text)});
}

void Source::insert_behind(std::size_t i, std::string text) {
  if (i >= size()) return;
  edits_.push_back({stream_.tokens[i].offset + stream_.tokens[i].length, 0, std::move(text)});
}

void Source::blank(std::uint32_t offset, std::uint32_t length) { edits_.push_back({offset, length, ""}); }

/// The column in the student's file. The preprocessor loses it where macros were expanded, so the word
/// is looked for in the line on disk: as the n-th one, if it is the n-th one of the preprocessed line.
std::string Source::assertion(std::string_view condition, std::size_t i, std::string_view text) const {
  if (i >= size() || is_shim(i)) return "";
  std::size_t ordinal = 0;
  const std::uint32_t line = stream_.tokens[i].line;
  for (std::size_t k = i; k-- > 0 && stream_.tokens[k].line == line;) ordinal += is(k, spelling(i));
  return concatenate({" static_assert(", condition, ", \"", assertion_mark, std::to_string(line), " ",
                      std::to_string(ordinal), " ", escaped(spelling(i)), ": ", escaped(text), "\");"});
}

std::uint32_t Source::column(std::size_t i) const {
  const Token& token = stream_.tokens[i];
  const std::string line = line_of_source(stream_.files[token.file].name, token.line);
  std::size_t ordinal = 0;
  for (std::size_t k = i; k-- > 0 && stream_.tokens[k].line == token.line;) ordinal += is(k, spelling(i));
  return find_word(line, spelling(i), ordinal);
}

void Source::complain(std::vector<TranslationError>& list, std::size_t i, std::string text) const {
  if (i >= size() || is_shim(i)) return;
  const Token& token = stream_.tokens[i];
  for (const TranslationError& known : list)
    if (known.line == token.line && known.text == text) return;
  list.push_back({stream_.files[token.file].name, token.line, column(i), std::move(text)});
}

std::size_t TextOrigins::original_of(std::size_t edited) const {
  const auto behind =
      std::upper_bound(pieces_.begin(), pieces_.end(), edited,
                       [](std::size_t place, const Piece& piece) { return place < piece.edited; });
  if (behind == pieces_.begin()) return edited;
  const Piece& piece = *std::prev(behind);
  const std::size_t original = piece.original + (edited - piece.edited);
  return behind == pieces_.end() ? original : std::min(original, behind->original);
}

std::string Source::result(TextOrigins* origins) const {
  std::vector<const Edit*> order;
  order.reserve(edits_.size());
  for (const Edit& edit : edits_) order.push_back(&edit);
  // Insertions at one place keep the order in which they were made, and stand before a replacement there.
  std::stable_sort(order.begin(), order.end(), [](const Edit* a, const Edit* b) {
    return a->offset != b->offset ? a->offset < b->offset : (a->removed == 0) > (b->removed == 0);
  });
  const std::string_view text = stream_.text;
  std::string result;
  result.reserve(text.size() + edits_.size() * 64);
  std::size_t position = 0;
  for (const Edit* edit : order) {
    if (edit->offset < position) continue; // a second edit of one token: the first holds
    if (origins) origins->add(result.size(), position);
    result.append(text, position, edit->offset - position);
    result += edit->text;
    // The line breaks of a raw string stay, whatever takes its place.
    const std::size_t lines = line_breaks(text.substr(edit->offset, edit->removed)),
                      kept = line_breaks(edit->text);
    if (lines > kept) result.append(lines - kept, '\n');
    position = edit->offset + edit->removed;
  }
  if (origins) origins->add(result.size(), position);
  result.append(text, position);
  return result;
}

} // namespace simt::compiler
