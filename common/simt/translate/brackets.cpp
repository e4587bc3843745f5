#include "simt/translate/brackets.hpp"

#include "simt/translate/source_file.hpp"
#include "text/regions.hpp"

#include <algorithm>
#include <set>

namespace simt::compiler {
namespace {

std::vector<warpbook::Region> readable_regions(const std::vector<std::string>& lines) {
  try {
    return warpbook::regions_of(lines);
  } catch (const warpbook::MalformedRegion&) {
    return {};
  }
}

/// The bracket that goes with a closing one.
char partner_of(char closing) { return closing == ')' ? '(' : closing == ']' ? '[' : '{'; }

/// Pairs the brackets on the lines `first` to `last` (from 1) of a file, and keeps those that have no partner. With
/// `layout` a brace that begins a line closes the one whose line is indented like its own, if there is one, and no template
/// and no kernel begins inside of a body.
class Pairing {
public:
  Pairing(const Source& source, const std::vector<std::string>& lines, std::uint32_t file, std::size_t first,
          std::size_t last, bool layout)
      : source_(source), lines_(lines), layout_(layout) {
    for (std::size_t i = 0; i < source_.size(); ++i)
      if (token(i).file == file && token(i).line >= first && token(i).line <= last) take(i);
    while (!open_.empty()) drop();
  }

  /// Each in the order in which it was found to be without a partner.
  const std::vector<std::size_t>& unclosed() const { return unclosed_; }
  const std::vector<std::size_t>& unopened() const { return unopened_; }
  bool is_balanced() const { return unclosed_.empty() && unopened_.empty(); }
  /// Whether some lack a partner before them, and some behind them.
  bool is_mixed() const { return !unclosed_.empty() && !unopened_.empty(); }

  /// Whether this bracket begins a namespace, a class or a list of values, and nothing that a function does.
  bool is_scope(std::size_t i) const {
    return character(i) == '{' &&
           !(i > 0 && source_.is_any(i - 1, {")", "else", "do", "try", "const", "noexcept"}));
  }

private:
  const Token& token(std::size_t i) const { return source_.stream().tokens[i]; }
  char character(std::size_t i) const { return source_.spelling(i)[0]; }

  void take(std::size_t i) {
    if (source_.is_any(i, {"(", "[", "{"}))
      open_.push_back(i);
    else if (source_.is_any(i, {")", "]", "}"}))
      close(i);
    else if (layout_ && source_.is_any(i, {"template", "__global__"}) && begins_line(i))
      begin_function(i);
  }

  void close(std::size_t i) {
    const char partner = partner_of(character(i));
    auto found = std::find_if(open_.rbegin(), open_.rend(), [&](std::size_t j) {
      return character(j) == partner || (character(j) == '{' && partner != '{');
    });
    if (found == open_.rend() || character(*found) != partner) {
      unopened_.push_back(i);
      return;
    }
    if (layout_ && partner == '{' && begins_line(i) && indentation(*found) != indentation(i)) {
      const auto aligned = std::find_if(found, open_.rend(), [&](std::size_t j) {
        return character(j) == '{' && indentation(j) == indentation(i);
      });
      if (aligned != open_.rend()) found = aligned;
    }
    const std::size_t opening = *found;
    while (open_.back() != opening) drop();
    open_.pop_back();
  }

  void begin_function(std::size_t i) {
    while (!open_.empty() && !is_scope(open_.back()) && indentation(open_.back()) >= indentation(i)) drop();
  }

  void drop() {
    unclosed_.push_back(open_.back());
    open_.pop_back();
  }

  std::string_view line(std::size_t i) const {
    const std::size_t number = token(i).line;
    return number <= lines_.size() ? std::string_view(lines_[number - 1]) : std::string_view();
  }
  /// Of the line on which the statement begins that token i belongs to.
  std::size_t indentation(std::size_t i) const {
    std::size_t begin = i;
    while (begin > 0 && !source_.is_any(begin - 1, {";", "{", "}"}))
      begin = source_.closes(begin - 1) ? source_.match(begin - 1) : begin - 1;
    std::size_t columns = 0;
    for (const char c : line(begin)) {
      if (c != ' ' && c != '\t') break;
      columns = c == '\t' ? columns / 8 * 8 + 8 : columns + 1;
    }
    return columns;
  }
  bool begins_line(std::size_t i) const {
    const std::string_view text = line(i);
    const std::size_t first = text.find_first_not_of(" \t");
    return first != text.npos && text.substr(first).starts_with(source_.spelling(i)) &&
           (i == 0 || token(i - 1).line != token(i).line || token(i - 1).file != token(i).file);
  }

  const Source& source_;
  const std::vector<std::string>& lines_;
  const bool layout_;
  std::vector<std::size_t> open_, unclosed_, unopened_;
};

TranslationError error_at(const Source& source, std::size_t i, std::string text) {
  const Token& token = source.stream().tokens[i];
  return {source.stream().files[token.file].name, token.line, source.column(i),
          std::move(text) + " [unbalanced]"};
}

/// Goes through the lines of a file as it is on disk, and finds the block comment that a line begins and does not end.
class Comments {
public:
  /// Reads the next line.
  void read(const std::string& line) {
    ++line_;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (is_open()) {
        if (line.compare(i, 2, "*/") == 0) opened_at_ = {0, 0}, ++i;
      } else if (line.compare(i, 2, "//") == 0) {
        return;
      } else if (line.compare(i, 2, "/*") == 0) {
        opened_at_ = {line_, static_cast<std::uint32_t>(i) + 1};
        ++i;
      } else if (line[i] == '"') {
        for (++i; i < line.size() && line[i] != '"'; ++i) i += line[i] == '\\';
      }
    }
  }
  bool is_open() const { return opened_at_.first != 0; }
  /// Line and column, from 1.
  std::pair<std::uint32_t, std::uint32_t> opened_at() const { return opened_at_; }

private:
  std::uint32_t line_ = 0;
  std::pair<std::uint32_t, std::uint32_t> opened_at_;
};

/// The comment that begins in a region, and ends behind it.
std::optional<TranslationError> comment_beyond_region(const std::string& file,
                                                      const std::vector<std::string>& lines) {
  Comments comments;
  std::size_t read = 0;
  for (const warpbook::Region& region : readable_regions(lines)) {
    while (read < region.first) comments.read(lines[read++]);
    if (comments.is_open()) continue; // the student has put a whole region into a comment
    while (read < region.last) comments.read(lines[read++]);
    if (!comments.is_open()) continue;
    const auto [line, column] = comments.opened_at();
    return TranslationError{file, line, column,
                            "the comment that begins here goes on behind the end of " + region.name +
                                ": its */ is missing [unbalanced]"};
  }
  return {};
}

/// Whether the quote that ends this literal is missing, and brackets with it.
bool lacks_quote(const Source& source, std::size_t i) {
  const TokenKind kind = source.kind(i);
  if (kind != TokenKind::string && kind != TokenKind::character) return false;
  const std::string_view text = source.spelling(i);
  const char quote = kind == TokenKind::string ? '"' : '\'';
  return text.find(quote) == text.rfind(quote);
}

/// The first bracket without a partner in a region. Nothing where another one has none on its other side: then code may
/// have moved from one region to another.
std::optional<TranslationError> in_regions(const Source& source, std::uint32_t file,
                                           const std::vector<std::string>& lines) {
  std::optional<TranslationError> found;
  bool is_unclosed = false;
  for (const warpbook::Region& region : readable_regions(lines)) {
    const auto paired = [&](bool layout) {
      return Pairing(source, lines, file, region.first + 1, region.last, layout);
    };
    const Pairing plain = paired(false), by_layout = paired(true);
    if (plain.is_balanced()) continue;
    const bool layout_tells = !by_layout.is_balanced() && !by_layout.is_mixed();
    const Pairing& pairing = layout_tells ? by_layout : plain;
    if (pairing.is_mixed() || (found && is_unclosed == pairing.unclosed().empty())) return {};
    if (found) continue;
    is_unclosed = pairing.unopened().empty();
    const std::size_t odd = is_unclosed ? pairing.unclosed().front() : pairing.unopened().front();
    const std::string bracket(source.spelling(odd));
    found = error_at(source, odd,
                     is_unclosed ? region.name + " opens a " + bracket + " that nothing in it closes"
                                 : "this " + bracket + " closes nothing that " + region.name +
                                       " opens: it is one too many, or a " + partner_of(bracket[0]) +
                                       " is missing above it");
  }
  return found;
}

/// The one bracket of a file that is never closed, if the layout leaves no other.
std::optional<TranslationError> in_file(const Source& source, std::uint32_t file,
                                        const std::vector<std::string>& lines) {
  const Pairing pairing(source, lines, file, 1, lines.size(), true);
  if (pairing.unclosed().size() != 1 || pairing.is_mixed() || pairing.is_scope(pairing.unclosed().front()))
    return {};
  const std::size_t odd = pairing.unclosed().front();
  return error_at(source, odd, "nothing closes this " + std::string(source.spelling(odd)));
}

} // namespace

std::optional<TranslationError> without_partner(const Source& source) {
  std::set<std::uint32_t> own_files;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (lacks_quote(source, i)) return {};
    if (source.is_own(i)) own_files.insert(source.stream().tokens[i].file);
  }
  for (const std::uint32_t file : own_files) {
    const std::string& name = source.stream().files[file].name;
    const std::vector<std::string> lines = lines_of_source(name);
    if (auto found = comment_beyond_region(name, lines)) return found;
    const bool is_balanced = Pairing(source, lines, file, 1, lines.size(), false).is_balanced();
    if (source.balanced() || is_balanced) continue;
    auto found = in_regions(source, file, lines);
    return found ? found : in_file(source, file, lines);
  }
  return {};
}

} // namespace simt::compiler
