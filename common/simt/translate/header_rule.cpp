#include "simt/translate/header_rule.hpp"

#include "call/file_descriptor.hpp"
#include "simt/translate/messages.hpp"
#include "simt/translate/process.hpp"
#include "simt/translate/source_file.hpp"
#include "text/pattern.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <optional>

namespace simt::compiler {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view blanks = " \t\v\f\r";

std::string real(const std::string& path) {
  std::error_code none;
  return fs::canonical(path, none);
}

/// Whether this process may not open a file, as little as the compilers that it starts.
bool is_denied(const std::string& name) {
  const warpbook::FileDescriptor file(::open(name.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  return !file && (errno == EACCES || errno == EPERM);
}

/// A place in a source; line 0 if it is not known.
struct Place {
  std::size_t line = 0;
  std::size_t column = 0;
};

/// The error at a place of a source, with what stands there.
std::string error_at(const std::string& source, const Place& place, const std::string& sentence) {
  if (place.line == 0) return source + ": error: " + sentence + "\n";
  const std::string line = line_of_source(source, place.line);
  return source + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) +
         ": error: " + sentence + "\n" +
         excerpt(line, static_cast<std::uint32_t>(place.line), static_cast<std::uint32_t>(place.column));
}

/// Where a source names a file, or its last part: in an #include if there is one, else anywhere, as in the macro behind it.
Place place_of(const std::string& source, const std::string& file) {
  const std::vector<std::string> lines = lines_of_source(source);
  const std::string name = fs::path(file).filename();
  Place place;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::size_t at = lines[i].find(file);
    if (at == std::string::npos) at = lines[i].find(name);
    if (at == std::string::npos || name.empty()) continue;
    if (lines[i].find("include") != std::string::npos) return {i + 1, at + 1};
    if (place.line == 0) place = {i + 1, at + 1};
  }
  return place;
}

std::string sentence_about_header(const std::string& name) {
  return "\"" + name +
         "\" is none of the headers that a submission may include: the lab's contract, CUDA's and the "
         "compiler's own. A submission is one file; write into it what it needs [foreign-file]";
}

std::string sentence_about_assembly(const std::string& name) {
  return "inline assembly reads the file \"" + name +
         "\", and a submission is one file: no .incbin and no .include [foreign-file]";
}

/// The text with its continued lines joined; `lines` are the numbers of the lines that begin in it.
std::string joined_lines(std::string_view text, std::vector<std::size_t>& lines) {
  std::string joined;
  lines = {1};
  for (std::size_t i = 0, line = 1; i < text.size(); ++i) {
    std::size_t end = i;
    if (text[i] == '\\') end = std::min(text.find_first_not_of(blanks, i + 1), text.size());
    if (text[i] == '\\' && end < text.size() && text[end] == '\n') {
      ++line;
      i = end;
      continue;
    }
    if (text[i] == '\n') ++line;
    const bool is_end = text[i] == '\n' || text[i] == '\r'; // clang++ takes either
    joined += is_end ? '\n' : text[i];
    if (is_end) lines.push_back(line);
  }
  return joined;
}

/// Passes blanks and comments from `at` on.
std::size_t behind_blanks(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (blanks.find(text[at]) != blanks.npos) {
      ++at;
    } else if (text.substr(at, 2) == "/*") {
      const std::size_t end = text.find("*/", at + 2);
      at = end == text.npos ? text.size() : end + 2;
    } else {
      break;
    }
  }
  return at;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Whether `#line`, or its short form `# 12 "file"`, stands at `at`.
bool is_line_directive(std::string_view text, std::size_t at) {
  at = behind_blanks(text, at);
  if (text.substr(at, 1) == "#")
    at += 1;
  else if (text.substr(at, 2) == "%:")
    at += 2;
  else
    return false;
  at = behind_blanks(text, at);
  if (text.substr(at, 4) == "line" && (at + 4 >= text.size() || !is_word(text[at + 4]))) return true;
  if (at >= text.size() || !is_digit(text[at])) return false;
  while (at < text.size() && is_digit(text[at])) ++at;
  at = behind_blanks(text, at);
  return at < text.size() && (text[at] == '"' || is_word(text[at]));
}

/// Whether what stands at `at`, outside of raw strings, is surely within a comment: one that begins a line.
bool is_in_comment(std::string_view text, std::size_t at) {
  const std::size_t ended = text.substr(0, at).rfind("*/");
  std::size_t begin = ended == text.npos ? 0 : ended + 2;
  for (; begin < at; begin = text.find('\n', begin) + 1) {
    const std::size_t first = std::min(text.find_first_not_of(blanks, begin), text.size());
    const bool begins_line = begin == 0 || text[begin - 1] == '\n';
    if (begins_line && first < at && text.substr(first, 2) == "/*") return true;
    if (text.find('\n', begin) == text.npos) break;
  }
  return false;
}

} // namespace

HeaderRule::HeaderRule(const std::vector<std::string>& named, const std::vector<std::string>& real_paths)
    : allowed_(real_paths.begin(), real_paths.end()) {
  for (const std::string& name : named) allowed_.insert(real(name));
}

bool HeaderRule::allows(const std::string& path) const {
  for (fs::path place = real(path); place.has_relative_path(); place = place.parent_path())
    if (allowed_.contains(place)) return true;
  return false;
}

std::string HeaderRule::refusal(const std::string& source, const std::vector<std::string>& read) const {
  const auto foreign = std::ranges::find_if(read, [this](const std::string& file) { return !allows(file); });
  return foreign == read.end()
             ? ""
             : error_at(source, place_of(source, *foreign), sentence_about_header(*foreign));
}

/// The lines of what a compiler says in which a file's name and what is said of it have room.
static std::vector<std::string_view> short_lines(std::string_view said) {
  constexpr std::size_t longest_line = 4096;
  std::vector<std::string_view> lines;
  while (!said.empty()) {
    const std::string_view line = said.substr(0, said.find('\n'));
    said.remove_prefix(std::min(line.size() + 1, said.size()));
    if (line.size() <= longest_line) lines.push_back(line);
  }
  return lines;
}

std::string HeaderRule::refusal_of_unreadable(const std::string& source, std::string_view said) const {
  static const warpbook::Pattern included(
      "^(.*?)(?::(\\d{1,9}):(\\d{1,9}))?: fatal error: (?:cannot open file "
      "'(.*)'|(.*)): Permission denied");
  for (const std::string_view line : short_lines(said)) {
    const auto match = included.search(line);
    if (!match || (*match)[1].find(": error:") != std::string::npos ||
        (*match)[1].find(": warning:") != std::string::npos)
      continue; // such as #error with these words
    const std::string name = match->has(4) ? (*match)[4] : (*match)[5];
    if (allows(name) || !is_denied(name)) continue;
    const bool is_placed = (*match)[1] == source && match->has(2) && match->has(3);
    const Place place =
        is_placed ? Place{std::stoul((*match)[2]), std::stoul((*match)[3])} : place_of(source, name);
    return error_at(source, place, sentence_about_header(name));
  }
  return {};
}

std::string HeaderRule::refusal_of_unassembled(const std::string& source, std::string_view said) const {
  static const warpbook::Pattern assembled("Error: (?:file not found: (.*)|can't open (.*) for reading: "
                                           ".*)|error: Could not find (?:incbin|include) file '(.*)'");
  for (const std::string_view line : short_lines(said)) {
    const auto match = assembled.search(line);
    if (!match) continue;
    const std::string name = (*match)[1] + (*match)[2] + (*match)[3];
    if (is_denied(name)) return error_at(source, place_of(source, name), sentence_about_assembly(name));
  }
  return {};
}

std::vector<std::string> read_dependencies(const std::string& depfile) {
  const std::string text = read_file(depfile);
  std::vector<std::string> names;
  std::string name;
  const auto take = [&] {
    if (!name.empty()) names.push_back(name);
    name.clear();
  };
  // Behind the target, which is of our own making; further rules, of headers alone, end with a colon.
  for (std::size_t i = std::min(text.find(": "), text.size()); i < text.size(); ++i) {
    const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '\\' && next == '\n') {
      take();
      ++i;
    } else if (c == '\n') {
      take();
      break;
    } else if ((c == '\\' && (next == ' ' || next == '#' || next == ':')) || (c == '$' && next == '$')) {
      name += next;
      ++i;
    } else if (c == ' ') {
      take();
    } else if (c != ':' || !name.empty()) {
      name += c;
    }
  }
  take();
  return names;
}

std::string refused_directive(const std::string& source, std::string_view preprocessed) {
  std::vector<std::size_t> numbers;
  const std::string text = joined_lines(text_of_source(source), numbers);
  const bool has_raw_strings = text.find("R\"") != text.npos;
  std::size_t line = 0;
  for (std::size_t begin = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
       begin != text.npos && begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::size_t at = begin;
    // A directive is the first on its line, or stands behind comments.
    for (; at < end; at = text.find("*/", at) < end ? text.find("*/", at) + 2 : end)
      if (is_line_directive(text, at) && (has_raw_strings || !is_in_comment(text, at)))
        return error_at(
            source, {line < numbers.size() ? numbers[line] : 1, 1},
            "this line says that what follows is another file's (#line); leave it out [foreign-file]");
    begin = end + 1;
  }
  if (preprocessed.find("\n#pragma GCC pch_preprocess") != preprocessed.npos)
    return error_at(source, place_of(source, "pch_preprocess"),
                    "#pragma GCC pch_preprocess has the compiler read its state from a file; leave it out "
                    "[foreign-file]");
  return {};
}

} // namespace simt::compiler
