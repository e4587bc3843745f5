#include "grader/contract_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "grader/text.hpp"
#include "text/pattern.hpp"
#include "text/regions.hpp"
#include "text/words.hpp"

namespace warpbook {
namespace {

// A `;` in the place of each line of the preprocessor.
std::string without_directives(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  bool goes_on = false;
  for (std::string line; std::getline(lines, line); result += '\n') {
    const std::size_t first = line.find_first_not_of(" \t");
    const bool is_directive = goes_on || (first != std::string::npos && line[first] == '#');
    goes_on = is_directive && line.ends_with('\\');
    result += is_directive ? ";" : line;
  }
  return result;
}

std::string on_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string result;
  for (std::string word; words >> word;) result += (result.empty() ? "" : " ") + word;
  return result;
}

// Where a function's name stands in front of a list in parentheses.
struct Place {
  std::size_t name = 0, open = 0, close = 0;
};

std::vector<Place> places_of(const std::string& text, const std::string& function) {
  std::vector<Place> found;
  for (std::size_t at = find_word(text, function); at != text.npos; at = find_word(text, function, at + 1)) {
    const std::size_t open = text.find_first_not_of(" \t\r\n\v\f", at + function.size());
    if (open == text.npos || text[open] != '(') continue;
    int depth = 0;
    for (std::size_t close = open; close < text.size(); ++close) {
      if (text[close] == '(') ++depth;
      if (text[close] != ')' || --depth > 0) continue;
      found.push_back({at, open, close});
      break;
    }
  }
  return found;
}

// The text between the parentheses of the first declaration of `function`, or nothing.
std::string parameter_list(const std::string& text, const std::string& function) {
  const std::vector<Place> found = places_of(text, function);
  return found.empty() ? "" : text.substr(found[0].open + 1, found[0].close - found[0].open - 1);
}

// The name is the last word before a default value or an array bound; a lone type has one word fewer.
std::string parameter_name(std::string parameter) {
  parameter = parameter.substr(0, parameter.find_first_of("=["));
  const auto last = std::find_if(parameter.rbegin(), parameter.rend(), is_part_of_word);
  const auto first = std::find_if_not(last, parameter.rend(), is_part_of_word);
  const std::string name(first.base(), last.base());
  const bool has_type = std::any_of(first, parameter.rend(), is_part_of_word);
  static const Pattern type_word("const|unsigned|signed|int|long|short|char|float|double|bool|void");
  if (!has_type || type_word.match(name)) return {};
  return name;
}

} // namespace

std::string without_comments(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.compare(i, 2, "/*") == 0) {
      const std::size_t end = std::min(text.find("*/", i + 2), text.size());
      result.append(
          static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                              text.begin() + static_cast<std::ptrdiff_t>(end), '\n')),
          '\n');
      i = end + 1;
      result += ' ';
      continue;
    }
    if (i < text.size()) result += text[i];
  }
  return result;
}

std::vector<std::string> parameter_names(const std::string& contract_text, const std::string& function,
                                         std::size_t count) {
  std::vector<std::string> names;
  const std::string list = parameter_list(without_comments(contract_text), function);
  std::size_t start = 0;
  while (start < list.size() && names.size() < count) {
    const std::size_t comma = std::min(list.find(',', start), list.size());
    names.push_back(parameter_name(list.substr(start, comma - start)));
    start = comma + 1;
  }
  names.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (names[i].empty()) names[i] = "argument " + std::to_string(i + 1);
  }
  return names;
}

std::vector<Signature> signatures_of(const std::string& text, const std::string& function) {
  const std::string code = without_directives(without_comments(text));
  std::vector<Signature> found;
  for (const Place& place : places_of(code, function)) {
    const std::size_t begin = code.find_last_of(";{}", place.name) + 1; // 0 where there is none
    const std::string head = on_one_line(code.substr(begin, place.name - begin));
    const std::size_t behind = code.find_first_not_of(" \t\r\n", place.close + 1);
    found.push_back({on_one_line(code.substr(begin, place.close + 1 - begin)),
                     1 + static_cast<unsigned>(std::ranges::count(code.substr(0, place.name), '\n')),
                     !head.empty() && behind != std::string::npos && code[behind] == '{'});
  }
  return found;
}

unsigned todo_line(const std::string& source_text, int number) {
  const Pattern marker("TODO\\s*\\(\\s*" + std::to_string(number) + "\\s*\\)");
  const std::optional<Match> match = marker.search(source_text);
  if (!match) return 0;
  return 1 + static_cast<unsigned>(std::ranges::count(source_text.substr(0, match->position), '\n'));
}

int todo_around(const std::string& source_text, unsigned line) {
  std::istringstream lines(source_text);
  std::string text;
  int open = 0;
  for (unsigned number = 1; number <= line && std::getline(lines, text); ++number) {
    const std::optional<Marker> marker = marker_of(text);
    if (marker && marker->name.starts_with("TODO("))
      open = marker->is_end ? 0 : std::atoi(marker->name.c_str() + 5);
  }
  return open;
}

std::optional<std::string> code_in_todo(const std::string& source_text, int number) {
  const std::vector<std::string> lines = lines_of(source_text);
  try {
    for (const Region& region : regions_of(lines)) {
      if (region.name != "TODO(" + std::to_string(number) + ")") continue;
      std::string inside;
      for (std::size_t i = region.first; i < region.last; ++i) inside += lines[i] + "\n";
      std::string code = without_comments(inside);
      std::erase_if(code, [](unsigned char c) { return std::isspace(c) != 0; });
      return code;
    }
  } catch (const MalformedRegion&) { // a student's file may have any markers
  }
  return {};
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace warpbook
