#include "grader/definitions.hpp"

#include <algorithm>

#include "text/words.hpp"

namespace warpbook {
namespace {

// A line without comments, and without what stands between quotes. `in_comment` goes on with the next line.
std::string code_of(const std::string& line, bool& in_comment) {
  std::string code;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (in_comment) {
      if (line.compare(i, 2, "*/") == 0) in_comment = false, ++i;
    } else if (line.compare(i, 2, "//") == 0) {
      break;
    } else if (line.compare(i, 2, "/*") == 0) {
      in_comment = true;
      ++i;
    } else if (line[i] == '"' || (line[i] == '\'' && (i == 0 || !is_part_of_word(line[i - 1])))) { // no 1'000
      const char quote = line[i];
      for (++i; i < line.size() && line[i] != quote; ++i) i += line[i] == '\\' ? 1 : 0;
      code += {quote, quote};
    } else {
      code += line[i];
    }
  }
  code.erase(code.find_last_not_of(" \t\r") + 1);
  return code.substr(std::min(code.find_first_not_of(" \t"), code.size()));
}

// The place behind the bracket that closes the one at `open`.
std::size_t behind(const std::string& code, std::size_t open, char opening, char closing) {
  int depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    if (code[i] == opening) ++depth;
    if (code[i] == closing && --depth == 0) return i + 1;
  }
  return code.size();
}

std::vector<std::string> words_of(const std::string& code) {
  std::vector<std::string> words = words_in(code);
  std::ranges::sort(words);
  words.erase(std::ranges::unique(words).begin(), words.end());
  return words;
}

// A name is the word in front of `(`, `[`, `{`, `=`, `:`, `,` or `;`; behind `(`, `{`, `=` and `:` there are no more.
std::vector<std::string> names_of(const std::string& code) {
  std::vector<std::string> names;
  std::size_t i = 0;
  while (i < code.size()) {
    if (!is_part_of_word(code[i])) {
      if (code[i] == ';') return names;
      i = code[i] == '[' ? behind(code, i, '[', ']') : i + 1;
      continue;
    }
    std::size_t end = i;
    while (end < code.size() && is_part_of_word(code[end])) ++end;
    const std::string word = code.substr(i, end - i);
    i = std::min(code.find_first_not_of(' ', end), code.size());
    if (i < code.size() && code[i] == '<')
      i = std::min(code.find_first_not_of(' ', behind(code, i, '<', '>')), code.size());
    const char next = i < code.size() ? code[i] : ';';
    if (word == "operator") return {};
    if (code.compare(i, 2, "::") == 0) {
      i += 2;
    } else if (next == '(' && (word.starts_with("__") || word == "alignas" || word == "decltype")) {
      i = behind(code, i, '(', ')');
    } else if (std::string("([{=:,;").find(next) != std::string::npos) {
      names.push_back(word);
      if (std::string("({=:").find(next) != std::string::npos) return names;
    }
  }
  return names;
}

} // namespace

bool Definition::declares(const std::string& name) const {
  return std::ranges::find(names, name) != names.end();
}

std::vector<Definition> definitions_of(const std::vector<std::string>& lines) {
  std::vector<Definition> found;
  bool in_comment = false, is_open = false, in_directive = false;
  int namespaces = 0, depth = 0;
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string code = code_of(lines[i], in_comment);
    const bool is_directive = in_directive || code.starts_with('#');
    in_directive = is_directive && code.ends_with('\\');
    if (is_directive || code.empty()) continue;
    if (!is_open) {
      if (code.starts_with("namespace") && code.ends_with('{')) {
        ++namespaces;
        continue;
      }
      if (code == "}" && namespaces > 0) {
        --namespaces;
        continue;
      }
      found.emplace_back().first = i;
      found.back().is_contract = namespaces == 0;
      is_open = true;
      depth = 0;
      text.clear();
    }
    text += code + " ";
    for (const char c : code) depth += (c == '{' || c == '(') - (c == '}' || c == ')');
    found.back().last = i + 1;
    if (depth > 0 || (code.back() != ';' && code.back() != '}')) continue;
    found.back().names = names_of(text);
    found.back().words = words_of(text);
    found.back().has_body = text.find('{') != std::string::npos;
    is_open = false;
  }
  return found;
}

} // namespace warpbook
