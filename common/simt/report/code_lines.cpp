#include "simt/report/code_lines.hpp"

#include "text/words.hpp"

#include <algorithm>

namespace simt {

using warpbook::find_word, warpbook::is_part_of_word, warpbook::words_in;

namespace {

/// Where the bracket that opens at `open` is closed; the text's end if it is not.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '[' || text[i] == '{';
    depth -= text[i] == ')' || text[i] == ']' || text[i] == '}';
    if (depth == 0) return i;
  }
  return text.size();
}

/// Calls `on_part` for what stands between the separators outside of all brackets.
void for_each_between(std::string_view text, std::string_view separators, const auto& on_part) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : separators[0];
    if (depth <= 0 && separators.find(c) != separators.npos) {
      on_part(text.substr(begin, i - begin));
      begin = i + 1;
      depth = 0;
    }
    depth += c == '(' || c == '[';
    depth -= c == ')' || c == ']';
  }
}

/// Behind the heads of loops and branches.
std::string_view without_heads(std::string_view statement) {
  for (;;) {
    statement.remove_prefix(std::min(statement.find_first_not_of(" \t\r"), statement.size()));
    const std::string_view words[] = {"if", "for", "while", "else", "do"};
    const auto found =
        std::ranges::find_if(words, [&](std::string_view word) { return find_word(statement, word) == 0; });
    if (found == std::end(words)) return statement;
    statement.remove_prefix(found->size());
    if (*found == "else" || *found == "do") continue;
    const std::size_t open = statement.find('(');
    statement.remove_prefix(
        open == statement.npos ? statement.size() : std::min(closing(statement, open) + 1, statement.size()));
  }
}

/// What an assignment sets: of a declaration the variable alone.
std::string target_in(std::string_view text) {
  text = text.substr(0, text.find_last_not_of(" \t") + 1);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  std::size_t last = text.size();
  while (last > 0 && is_part_of_word(text[last - 1])) --last;
  const std::size_t before = text.find_last_not_of(" \t*&", last == 0 ? 0 : last - 1);
  const bool is_name = last < text.size() && last > 0;
  if (is_name && before != text.npos && before < last &&
      (is_part_of_word(text[before]) || text[before] == '>'))
    return std::string(text.substr(last));
  std::string target = without_spaces(std::string(text));
  if (target.starts_with('(') && closing(target, 0) + 1 == target.size())
    target = target.substr(1, target.size() - 2);
  return target;
}

/// Where a sign of assignment stands outside of all brackets.
std::size_t sign_in(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '[';
    depth -= text[i] == ')' || text[i] == ']';
    if (text[i] != '=' || depth != 0 || i == 0) continue;
    if (i + 1 < text.size() && text[i + 1] == '=') {
      ++i;
      continue;
    }
    const bool is_shift = i > 1 && text[i - 1] == text[i - 2];
    if (text[i - 1] == '!' || ((text[i - 1] == '<' || text[i - 1] == '>') && !is_shift)) continue;
    return i;
  }
  return text.npos;
}

} // namespace

std::string without_comment(const std::string& text) { return text.substr(0, text.find("//")); }

std::string kernel_until(const SourceLine& line, Symbolizer& symbolizer) {
  std::string text;
  for (unsigned back = 0; back < std::min(100u, line.line); ++back) {
    const std::string code = without_comment(symbolizer.excerpt({line.file, line.line - back}));
    text = code + '\n' + text;
    if (code.find("__global__") != code.npos || code.find("__device__") != code.npos) break;
  }
  return text;
}

std::string without_spaces(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
  return text;
}

std::string code_of(const SourceLine& first, unsigned last, Symbolizer& symbolizer) {
  std::string code;
  for (unsigned line = first.line; line <= last; ++line)
    code += without_comment(symbolizer.excerpt({first.file, line})) + '\n';
  return code;
}

bool is_loop(const std::string& code) {
  return std::ranges::any_of(words_in(code), [](const std::string& word) {
    return word == "for" || word == "while" || word == "do";
  });
}

bool has_comparison(std::string_view expression) {
  std::string code(expression);
  for (std::size_t arrow = code.find("->"); arrow != code.npos; arrow = code.find("->"))
    code.replace(arrow, 2, ".");
  for (std::size_t i = code.find_first_of("<>"); i != code.npos; i = code.find_first_of("<>", i + 1)) {
    const char before = i == 0 ? ' ' : code[i - 1], behind = i + 1 < code.size() ? code[i + 1] : ' ';
    if (before == '<' || before == '>' || behind == '<' || behind == '>') continue;
    const bool may_be_bracket = code[i] == '<' && before != ' ' && code.find('>', i) != code.npos;
    const bool may_close = code[i] == '>' && code.substr(0, i).find('<') != code.npos;
    if (behind == '=' || (!may_be_bracket && !may_close)) return true;
  }
  return false;
}

std::string value_of(const std::string& variable, const SourceLine& below, Symbolizer& symbolizer,
                     bool also_of_loops) {
  constexpr unsigned most = 30;
  for (unsigned back = 1; back < std::min(most, below.line); ++back) {
    const std::string code = without_comment(symbolizer.excerpt({below.file, below.line - back}));
    if (code.find("__global__") != code.npos || code.find("__device__") != code.npos) break;
    if (!also_of_loops && find_word(code, "for") != code.npos) continue;
    for (std::size_t at = find_word(code, variable); at != code.npos;
         at = find_word(code, variable, at + 1)) {
      const std::size_t set = code.find_first_not_of(' ', at + variable.size());
      if (set == code.npos || code[set] != '=' || code.compare(set, 2, "==") == 0) continue;
      int depth = 0;
      std::size_t end = set + 1;
      for (; end < code.size() && code[end] != ';' && (code[end] != ',' || depth > 0); ++end)
        depth += code[end] == '(' ? 1 : code[end] == ')' ? -1 : 0;
      return code.substr(set + 1, end - set - 1);
    }
  }
  return "";
}

namespace {

constexpr unsigned most_of_file = 5000; ///< lines that are looked at

/// The name that stands before the parentheses of a function's head, or before `=` of a lambda.
struct FunctionHead {
  std::string name;
  unsigned line = 0;
};
/// Of the function or lambda that the line is in; none where it is a kernel.
std::optional<FunctionHead> head_above(const SourceLine& line, Symbolizer& symbolizer) {
  int closed = 0;
  for (unsigned number = line.line; number > 0 && line.line - number < 100; --number) {
    const std::string code = without_comment(symbolizer.excerpt({line.file, number}));
    if (code.find("__global__") != code.npos) return std::nullopt;
    const bool is_function = code.find("__device__") != code.npos;
    const std::size_t lambda = code.find("= [");
    if (is_function || (lambda != code.npos && closed == 0 && code.find("](", lambda) != code.npos)) {
      const std::vector<std::string> names = words_in(code.substr(0, is_function ? code.find('(') : lambda));
      return names.empty() ? std::nullopt : std::optional(FunctionHead{names.back(), number});
    }
    const int opened = static_cast<int>(std::ranges::count(code, '{') - std::ranges::count(code, '}'));
    if (number != line.line) closed = std::max(0, closed - opened);
  }
  return std::nullopt;
}

/// Whether the name is called from two lines, or from within itself or a loop.
bool is_called_again(const FunctionHead& head, const std::string& file, Symbolizer& symbolizer) {
  unsigned calls = 0;
  bool is_in_loop = false;
  for (unsigned number = 1; number < most_of_file; ++number) {
    const std::string code = without_comment(symbolizer.excerpt({file, number}));
    const bool loops = find_word(code, "for") != code.npos || find_word(code, "while") != code.npos;
    const std::size_t at = number == head.line ? code.npos : find_word(code, head.name);
    const std::size_t next = at == code.npos ? at : code.find_first_not_of(' ', at + head.name.size());
    if (next != code.npos && (code[next] == '(' || code[next] == '<')) {
      ++calls;
      const auto caller = head_above({file, number}, symbolizer);
      is_in_loop |= loops || (caller && caller->line == head.line);
      for (unsigned back = 1; back < 6 && back < number; ++back) {
        const std::string above = without_comment(symbolizer.excerpt({file, number - back}));
        if (above.find('}') != above.npos) break;
        is_in_loop |= find_word(above, "for") != above.npos || find_word(above, "while") != above.npos;
      }
    }
  }
  return calls > 1 || is_in_loop;
}

/// The macro that begins a line, which the file defines.
std::string macro_of(const SourceLine& line, Symbolizer& symbolizer) {
  const std::string code = without_comment(symbolizer.excerpt(line));
  const std::size_t end = code.find('(');
  const std::string name = code.substr(0, std::min(end, code.size()));
  if (end == code.npos || name.empty() || !std::ranges::all_of(name, is_part_of_word)) return "";
  for (unsigned number = 1; number < line.line; ++number) {
    const std::string text = symbolizer.excerpt({line.file, number});
    if (text.starts_with("#define") && find_word(text, name) != text.npos) return name;
  }
  return "";
}

} // namespace

std::optional<Helper> repeated_helper(const SourceLine& first, const SourceLine& second,
                                      Symbolizer& symbolizer) {
  if (first.file != second.file) return std::nullopt;
  if (first.line != second.line)
    if (const std::string macro = macro_of(first, symbolizer);
        !macro.empty() && macro == macro_of(second, symbolizer))
      return Helper{macro, true};
  const auto head = head_above(first, symbolizer), other = head_above(second, symbolizer);
  if (!head || !other || head->line != other->line || !is_called_again(*head, first.file, symbolizer))
    return std::nullopt;
  return Helper{head->name};
}

std::string with_macros(std::string code, const SourceLine& line, Symbolizer& symbolizer) {
  for (unsigned number = 1; number < line.line; ++number) {
    constexpr std::string_view define = "#define ";
    const std::string text = symbolizer.excerpt({line.file, number});
    const std::size_t open = text.find('('), close = text.find(')', std::min(open, text.size()));
    if (!text.starts_with(define) || close == text.npos) continue;
    const std::string name = text.substr(define.size(), open - define.size());
    const std::size_t at = find_word(code, name), begin = at == code.npos ? at : at + name.size();
    if (!std::ranges::all_of(name, is_part_of_word) || begin >= code.size() || code[begin] != '(') continue;
    const std::size_t end = closing(code, begin);
    std::vector<std::string> values;
    for_each_between(std::string_view(code).substr(begin + 1, end - begin - 1), ",",
                     [&](std::string_view part) { values.emplace_back(part.substr(part.starts_with(','))); });
    const std::string body = without_comment(text.substr(close + 1));
    const std::vector<std::string> parameters = words_in(text.substr(open, close - open));
    std::string made;
    for (std::size_t i = 0, after = 0; i < body.size(); i = after) {
      after = i + 1;
      while (is_part_of_word(body[i]) && after < body.size() && is_part_of_word(body[after])) ++after;
      const std::string word = body.substr(i, after - i);
      const auto place = static_cast<std::size_t>(std::ranges::find(parameters, word) - parameters.begin());
      made += place < std::min(parameters.size(), values.size()) ? values[place] : word;
    }
    code = code.substr(0, at) + made + code.substr(std::min(end + 1, code.size()));
  }
  return code;
}

std::vector<SourceLine> calls_of_function_at(const SourceLine& line, const std::string& kernel,
                                             Symbolizer& symbolizer) {
  const auto head = head_above(line, symbolizer);
  if (!head) return {};
  const bool is_functor = head->name == "operator";
  const std::string kernel_name = kernel.substr(0, kernel.find('<'));
  std::vector<std::string> names = {head->name};
  std::vector<SourceLine> calls;
  bool is_in_kernel = !is_functor;
  for (unsigned number = 1; number < most_of_file; ++number) {
    const std::string code = without_comment(symbolizer.excerpt({line.file, number}));
    std::size_t from = 0;
    if (is_functor && code.find("__global__") != code.npos) {
      is_in_kernel = find_word(code, kernel_name) != code.npos;
      const std::size_t open = code.find('(');
      from = std::min(closing(code, std::min(open, code.size())), code.size());
      names = words_in(code.substr(std::min(open, code.size()), from - std::min(open, code.size())));
    }
    if (!is_in_kernel || number == head->line) continue;
    for (const std::string& name : names)
      if (const std::size_t at = find_word(code, name, from);
          at != code.npos && code.substr(at + name.size()).starts_with('(')) {
        calls.push_back({line.file, number});
        break;
      }
  }
  return calls;
}

bool is_always_true(const std::string& code) {
  const std::string text = without_spaces(code);
  for (std::size_t at = text.find("||"); at != text.npos; at = text.find("||", at + 2)) {
    const std::size_t begin = at == 0 ? text.npos : text.find_last_of("(&|", at - 1),
                      end = text.find_first_of(")&|", at + 2);
    if (begin == text.npos || end == text.npos || text[begin] == '&' || text[end] == '&') continue;
    const std::string one = text.substr(begin + 1, at - begin - 1), other = text.substr(at + 2, end - at - 2);
    const std::size_t sign = one.find("!=");
    if (sign != one.npos && one != other && other.starts_with(one.substr(0, sign + 2))) return true;
  }
  return false;
}

std::vector<Assignment> assignments_in(const std::string& code) {
  std::vector<Assignment> found;
  const auto add = [&](std::string_view part) {
    const std::size_t sign = sign_in(part);
    if (sign != part.npos) {
      std::size_t begin = sign;
      while (begin > 0 && std::string_view("+-*/%|&^<>").find(part[begin - 1]) != std::string_view::npos)
        --begin;
      found.push_back({target_in(part.substr(0, begin)), std::string(part.substr(begin, sign + 1 - begin)),
                       without_spaces(std::string(part.substr(sign + 1)))});
      return;
    }
    for (const std::string_view step : {"++", "--"}) {
      const std::size_t at = part.find(step);
      if (at == part.npos) continue;
      std::string target(part);
      found.push_back({target_in(target.erase(at, step.size())), std::string(step), ""});
    }
  };
  for_each_between(code, ";{}",
                [&](std::string_view statement) { for_each_between(without_heads(statement), ",", add); });
  return found;
}

std::vector<std::string> conditions_in(const std::string& code) {
  std::vector<std::string> found;
  for (const std::string_view word : {"if", "while"})
    for (std::size_t at = find_word(code, word); at != code.npos; at = find_word(code, word, at + 1)) {
      const std::size_t open = code.find('(', at);
      if (open == code.npos) break;
      std::string condition = code.substr(open + 1, closing(code, open) - open - 1);
      for (const std::string_view sign : {"&&", "||"})
        for (std::size_t i = condition.find(sign); i != condition.npos; i = condition.find(sign))
          condition.replace(i, 2, ";");
      for_each_between(condition, ";",
                    [&](std::string_view part) { found.push_back(without_spaces(std::string(part))); });
    }
  return found;
}

bool has_expression(const std::string& expression, const std::string& part) {
  if (part.empty()) return false;
  for (std::size_t at = expression.find(part); at != expression.npos; at = expression.find(part, at + 1)) {
    const std::size_t end = at + part.size();
    const bool begins = at == 0 || !is_part_of_word(part[0]) || !is_part_of_word(expression[at - 1]);
    const bool ends =
        end == expression.size() || !is_part_of_word(part.back()) || !is_part_of_word(expression[end]);
    if (begins && ends) return true;
  }
  return false;
}

} // namespace simt
