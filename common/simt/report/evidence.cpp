#include "simt/report/evidence.hpp"

#include "simt/report/code_lines.hpp"
#include "simt/report/say.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>

namespace simt {

using warpbook::is_part_of_word, warpbook::words_in;

namespace {

constexpr std::size_t most_values = 6, most_origins = 3, most_comparisons = 3, most_reads = 3,
                      most_elements = 4;

// ---- text of the source -----------------------------------------------------------------------------------

struct Subscript {
  std::string array; ///< the word in front of the brackets
  std::string index;
};
/// All of the line, the innermost first where they are nested.
std::vector<Subscript> subscripts_in(const std::string& code) {
  std::vector<Subscript> found;
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i] == '[') open.push_back(i);
    if (code[i] != ']' || open.empty()) continue;
    std::size_t first = open.back();
    while (first > 0 && is_part_of_word(code[first - 1])) --first;
    found.push_back(
        {code.substr(first, open.back() - first), code.substr(open.back() + 1, i - open.back() - 1)});
    open.pop_back();
  }
  return found;
}

/// Where a comparison's sign begins, and its length, in the order of the line.
std::vector<std::pair<std::size_t, std::size_t>> comparisons_in(const std::string& code) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const char c = code[i], next = i + 1 < code.size() ? code[i + 1] : ' ';
    if ((c == '<' || c == '>') && next == c) {
      i += i + 2 < code.size() && code[i + 2] == c ? 2 : 1; // a shift, or a launch
      continue;
    }
    if (c == '-' && next == '>') {
      ++i;
      continue;
    }
    if (c == '<' || c == '>') {
      found.emplace_back(i, next == '=' ? 2 : 1);
      i += next == '=';
    } else if ((c == '=' || c == '!') && next == '=') {
      found.emplace_back(i, 2);
      ++i;
    } else if (c == '+' || c == '-' || c == '*' || c == '/' || c == '%' || c == '|' || c == '&' || c == '^') {
      i += next == '='; // an assignment
    }
  }
  return found;
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") + 1 - first));
}

/// The operands on both sides of the sign at `at`.
std::pair<std::string, std::string> operands(const std::string& code, std::size_t at, std::size_t length) {
  const auto ends = [&](std::size_t i, int step) {
    const char c = code[i];
    const auto other = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(i) + step);
    return c == ';' || c == ',' || c == '?' || c == ':' || c == '{' || c == '}' ||
           ((c == '&' || c == '|') && other < code.size() && code[other] == c) || (c == '=' && step < 0);
  };
  int depth = 0;
  std::size_t first = at;
  for (; first > 0; --first) {
    const char c = code[first - 1];
    depth += (c == ')' || c == ']') - (c == '(' || c == '[');
    if (depth < 0 || (depth == 0 && ends(first - 1, -1))) break;
  }
  depth = 0;
  std::size_t last = at + length;
  for (; last < code.size(); ++last) {
    const char c = code[last];
    depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    if (depth < 0 || (depth == 0 && ends(last, 1))) break;
  }
  std::string left = trimmed(code.substr(first, at - first));
  for (const std::string word : {"return ", "while ", "if "})
    if (left.starts_with(word)) left = trimmed(left.substr(word.size()));
  return {left, trimmed(code.substr(at + length, last - at - length))};
}

// ---- values -------------------------------------------------------------------------------------------------

std::int64_t extended(std::uint64_t bits, unsigned bytes) {
  const int unused = 64 - 8 * static_cast<int>(bytes);
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

const VariableValue* named(const std::vector<VariableValue>& variables, const std::string& name) {
  const auto found = std::ranges::find(variables, name, &VariableValue::name);
  return found == variables.end() ? nullptr : &*found;
}

/// As a reader is shown it: an unsigned number that would be a small negative one says so.
std::string shown(const VariableValue& value) {
  constexpr std::int64_t small = std::int64_t{1} << 24;
  if (value.kind != VariableValue::Kind::integer || value.is_signed || value.bytes < 4) return value.text;
  const std::int64_t as_signed = extended(value.bits, value.bytes);
  return as_signed < 0 && as_signed > -small
             ? say("{value} (which is {negative} below 0)", value.text, -as_signed)
             : value.text;
}

bool is_built_in(const std::string& word) {
  return word == "threadIdx" || word == "blockIdx" || word == "blockDim" || word == "gridDim";
}

/// "threadIdx.x" and its like.
std::optional<unsigned> built_in(const std::string& word, const std::string& member, const Diary& diary) {
  if (!is_built_in(word) || member.size() != 1 || member < "x" || member > "z") return std::nullopt;
  const Extent& extent = word == "threadIdx"  ? diary.thread
                         : word == "blockIdx" ? diary.block
                         : word == "blockDim" ? diary.block_extent
                                              : diary.grid;
  return extent[static_cast<std::size_t>(member[0] - 'x')];
}

/// Of the variables that the code names, in its order, those whose values are known; threadIdx.x and its like among them.
std::vector<ShownValue> values_of(const std::string& code, const std::vector<VariableValue>& variables,
                                  const Diary& diary) {
  std::vector<ShownValue> values;
  const auto add = [&](const std::string& name, const std::string& value) {
    if (values.size() < most_values && std::ranges::find(values, name, &ShownValue::first) == values.end())
      values.emplace_back(name, value);
  };
  const std::vector<std::string> words = words_in(code);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const VariableValue* value = named(variables, words[i]);
    if (value && value->kind != VariableValue::Kind::pointer) add(words[i], shown(*value));
    if (i + 1 < words.size())
      if (const auto number = built_in(words[i], words[i + 1], diary))
        add(words[i] + "." + words[i + 1], std::to_string(*number));
  }
  return values;
}

std::string listed_values(const std::vector<ShownValue>& values) {
  std::string text;
  for (const auto& [name, value] : values) text += (text.empty() ? "" : ", ") + name + " = " + value;
  return text;
}

/// "window[0] to window[6]", "tile[1][0]", "in[0], in[64], in[128], … (9 in all)"
std::string elements_text(const std::string& array, const std::vector<std::vector<std::int64_t>>& elements) {
  const auto name = [&](const std::vector<std::int64_t>& element) {
    std::string text = array;
    for (const std::int64_t index : element) text += "[" + std::to_string(index) + "]";
    return text;
  };
  const auto is_next = [](const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
    return !a.empty() && a.size() == b.size() && std::equal(a.begin(), a.end() - 1, b.begin()) &&
           a.back() + 1 == b.back();
  };
  std::string text;
  std::size_t shown = 0;
  for (std::size_t first = 0, last = 0; first < elements.size(); first = last + 1) {
    last = first;
    while (last + 1 < elements.size() && is_next(elements[last], elements[last + 1])) ++last;
    if (last < first + 2) last = first;
    if (shown++ == most_elements) return say("{elements}, … ({count} in all)", text, elements.size());
    text += (text.empty() ? "" : ", ");
    text += last == first ? name(elements[first])
                          : say("{first} to {last}", name(elements[first]), name(elements[last]));
  }
  return text;
}

/// The index of an access outside of an array.
std::optional<std::int64_t> index_outside(const Finding& finding) {
  const Outside* outside = finding.get<Outside>();
  if (!outside || outside->element_bytes == 0) return std::nullopt;
  const auto size = static_cast<std::int64_t>(outside->element_bytes),
             distance = static_cast<std::int64_t>(outside->distance),
             all = static_cast<std::int64_t>(outside->array_bytes);
  if (outside->side == Outside::Side::before)
    return distance % size == 0 ? std::optional(-distance / size) : std::nullopt;
  return outside->side == Outside::Side::past && (all + distance) % size == 0
             ? std::optional((all + distance) / size)
             : std::nullopt;
}

Moment::Kind kind_of(Access access) {
  return access == Access::read    ? Moment::Kind::read
         : access == Access::write ? Moment::Kind::write
                                   : Moment::Kind::atomic;
}

/// Whether the code sets the variable.
bool sets(const std::string& code, const std::string& variable) {
  for (const Assignment& assignment : assignments_in(code))
    if (assignment.target == variable) return true;
  return false;
}

/// A number as C++ writes it.
std::optional<std::int64_t> literal(std::string_view text) {
  while (!text.empty() &&
         (text.back() == 'u' || text.back() == 'U' || text.back() == 'l' || text.back() == 'L'))
    text.remove_suffix(1);
  const bool is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  std::int64_t value = 0;
  const char* first = text.data() + (is_hexadecimal ? 2 : 0);
  const auto [end, error] =
      std::from_chars(first, text.data() + text.size(), value, is_hexadecimal ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

/// What integers a piece of code may name.
using Known = std::function<std::optional<std::int64_t>(const std::string& name)>;

/// The value of an expression of integers; nothing where it holds anything else.
class Calculation {
public:
  Calculation(std::string_view code, const Known& known) : code_(code), known_(known) {}

  std::optional<std::int64_t> result() {
    const auto value = sum();
    return value && next() == '\0' ? value : std::nullopt;
  }

private:
  char next() {
    while (!code_.empty() && (code_[0] == ' ' || code_[0] == '\t')) code_.remove_prefix(1);
    return code_.empty() ? '\0' : code_[0];
  }
  char take() {
    const char c = next();
    code_.remove_prefix(1);
    return c;
  }
  std::optional<std::int64_t> sum() {
    auto value = product();
    while (value && (next() == '+' || next() == '-')) {
      const char sign = take();
      const auto other = product();
      if (!other) return std::nullopt;
      std::int64_t all = 0;
      if (sign == '+' ? __builtin_add_overflow(*value, *other, &all)
                      : __builtin_sub_overflow(*value, *other, &all))
        return std::nullopt;
      value = all;
    }
    return value;
  }
  std::optional<std::int64_t> product() {
    auto value = operand();
    while (value && (next() == '*' || next() == '/' || next() == '%')) {
      const char sign = take();
      const auto other = operand();
      std::int64_t all = 0;
      if (!other || (sign == '*' ? __builtin_mul_overflow(*value, *other, &all) : *other <= 0))
        return std::nullopt;
      value = sign == '*' ? all : sign == '/' ? *value / *other : *value % *other;
    }
    return value;
  }
  std::optional<std::int64_t> operand() {
    if (next() == '-') {
      take();
      const auto value = operand();
      return value ? std::optional(-*value) : std::nullopt;
    }
    if (next() == '(') {
      take();
      const auto value = sum();
      return value && next() == ')' ? (take(), value) : std::nullopt;
    }
    std::string word;
    while (!code_.empty() && (is_part_of_word(code_[0]) || code_[0] == '.')) word += take_as_it_is();
    if (const auto value = literal(word)) return value;
    return known_(word);
  }
  char take_as_it_is() {
    const char c = code_[0];
    code_.remove_prefix(1);
    return c;
  }

  std::string_view code_;
  const Known& known_;
};

/// How the numbers of a comparison are meant.
enum class Signs { both, none, unsure };

/// Of an operand in a comparison of so many bytes: unsigned operands of that size, or more, make both unsigned.
Signs signs_of(const std::string& operand, unsigned bytes, const std::vector<VariableValue>& variables) {
  Signs signs = Signs::both;
  for (const std::string& word : words_in(operand)) {
    const VariableValue* variable = named(variables, word);
    if (is_built_in(word) && bytes == 4) return Signs::none;
    if (is_built_in(word) || word.size() == 1 || literal(word)) {
      if (!variable && bytes >= 4 && (word.back() == 'u' || word.back() == 'U') && word.size() > 1)
        return Signs::none;
      if (!variable) continue;
    }
    const bool is_number =
        variable && (variable->kind == VariableValue::Kind::integer ||
                     (variable->kind == VariableValue::Kind::pointer && variable->is_signed));
    if (!is_number)
      signs = Signs::unsure;
    else if (!variable->is_signed && variable->bytes >= 4 && variable->bytes >= bytes)
      return Signs::none;
  }
  return signs;
}

} // namespace

EvidenceReader::EvidenceReader(Diaries diaries) : diaries_(std::move(diaries)), variables_(diaries_) {}

const Diary* EvidenceReader::diary(const std::string& kernel, std::uint32_t launch, const Extent& block,
                                   const Extent& thread) const {
  const auto is_it = [&](const Diary& diary) {
    return (kernel.empty() || diary.kernel == kernel) && (launch == 0 || diary.launch == launch) &&
           diary.block == block && diary.thread == thread;
  };
  const auto found = std::find_if(diaries_.of.rbegin(), diaries_.of.rend(), is_it);
  return found == diaries_.of.rend() ? nullptr : &*found;
}

std::optional<EvidenceReader::Step> EvidenceReader::step(const Moment& moment) const {
  std::vector<FunctionScope> scopes = variables_.scopes(moment);
  for (std::size_t depth = 0; depth < scopes.size(); ++depth)
    if (scopes[depth].is_own) return Step{&moment, std::move(scopes[depth]), depth};
  return std::nullopt;
}

std::optional<std::int64_t> EvidenceReader::constant(const std::string& name, const SourceLine& before) {
  for (unsigned number = before.line; number-- > 1;) {
    const std::string code = without_comment(text_of({before.file, number}));
    const std::size_t at = code.find(name);
    if (at == code.npos) continue;
    std::string_view value = std::string_view(code).substr(at + name.size());
    if (code.starts_with("#define ") && trimmed(code.substr(8, at - 8)).empty() && value.starts_with(' '))
      return literal(trimmed(value));
    if (code.find("const") >= at ||
        (value = value.substr(std::min(value.find_first_not_of(' '), value.size())), !value.starts_with('=')))
      continue;
    return literal(trimmed(value.substr(1, value.find(';') - 1)));
  }
  return std::nullopt;
}

std::function<std::optional<std::int64_t>(const std::string&)>
EvidenceReader::known_at(const FunctionScope& scope, const Diary& diary) {
  return [&](const std::string& name) -> std::optional<std::int64_t> {
    const std::size_t dot = std::min(name.find('.'), name.size());
    if (const VariableValue* variable = named(scope.variables, name)) {
      if (variable->kind != VariableValue::Kind::integer) return std::nullopt;
      return variable->is_signed ? extended(variable->bits, variable->bytes)
                                 : static_cast<std::int64_t>(variable->bits);
    }
    if (const auto number = built_in(name.substr(0, dot), name.substr(std::min(dot + 1, name.size())), diary))
      return *number;
    return name.empty() || dot < name.size() ? std::nullopt : constant(name, {scope.file, scope.line});
  };
}

std::optional<ShownComparison> EvidenceReader::comparison(const Diary& diary, const Step& step) {
  const Moment& moment = *step.moment;
  if (step.depth != 0 || moment.bytes == 0) return std::nullopt; // it is in a function of a header
  const SourceLine line{step.scope.file, step.scope.line};
  const std::string code = without_comment(text_of(line));
  const auto& variables = step.scope.variables;
  const Known known = known_at(step.scope, diary);
  // The one at whose sides the numbers stand. A compiler may change the sides, and make `k <= 2` of `k < 3`, `k - 2 <= n` of `k - 3 < n`.
  const unsigned unused = 64 - 8 * moment.bytes;
  const auto fits = [&](const std::optional<std::int64_t>& value, std::uint64_t bits, bool may_be_near) {
    if (!value) return 0;
    const std::uint64_t away = (static_cast<std::uint64_t>(*value) - bits) << unused >> unused;
    if (away == 0) return 2;
    return may_be_near && (away == 1 || away == ~std::uint64_t{0} >> unused) ? 1 : -9;
  };
  std::optional<ShownComparison> best;
  int best_score = 0;
  for (const auto& [at, length] : comparisons_in(code)) {
    const std::string sign = code.substr(at, length);
    const auto [left, right] = operands(code, at, length);
    const std::optional<std::int64_t> values[] = {Calculation(left, known).result(),
                                                  Calculation(right, known).result()};
    for (const bool is_changed : {moment.is_constant, !moment.is_constant}) {
      const std::uint64_t bits[] = {is_changed ? moment.right : moment.left,
                                    is_changed ? moment.left : moment.right};
      const int constant = !moment.is_constant ? -1 : is_changed ? 1 : 0;
      const auto may_be_near = [&](int side, const std::string& operand) {
        return sign != "==" && sign != "!=" &&
               (side == constant || operand.find_first_of("+-") != operand.npos);
      };
      const int score =
          fits(values[0], bits[0], may_be_near(0, left)) + fits(values[1], bits[1], may_be_near(1, right));
      if (score <= best_score || (constant >= 0 && !values[constant])) continue;
      const Signs signs[] = {signs_of(left, moment.bytes, variables),
                             signs_of(right, moment.bytes, variables)};
      const bool is_unsigned = signs[0] == Signs::none || signs[1] == Signs::none;
      const bool is_unsure = !is_unsigned && (signs[0] == Signs::unsure || signs[1] == Signs::unsure);
      std::int64_t numbers[2];
      bool is_known = true;
      for (const int side : {0, 1}) {
        if (values[side] && !is_unsigned)
          numbers[side] = *values[side];
        else if (values[side] && side == constant)
          numbers[side] =
              static_cast<std::int64_t>(static_cast<std::uint64_t>(*values[side]) << unused >> unused);
        else
          numbers[side] =
              is_unsigned ? static_cast<std::int64_t>(bits[side]) : extended(bits[side], moment.bytes);
        is_known = is_known && (values[side] || !is_unsure || numbers[side] >= 0);
      }
      if (!is_known) continue;
      best_score = score;
      const auto text = [&](std::int64_t v) {
        return is_unsigned ? std::to_string(static_cast<std::uint64_t>(v)) : std::to_string(v);
      };
      const auto [a, b] = numbers;
      const bool less = is_unsigned ? static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b) : a < b;
      best = ShownComparison{line, left + " " + sign + " " + right, text(a) + " " + sign + " " + text(b),
                             sign == "<"    ? less
                             : sign == "<=" ? less || a == b
                             : sign == ">"  ? !less && a != b
                             : sign == ">=" ? !less
                             : sign == "==" ? a == b
                                            : a != b};
    }
  }
  return best;
}

std::optional<ShownComparison> EvidenceReader::comparison(const Diary& diary, const Moment& moment) {
  const auto made = step(moment);
  return made ? comparison(diary, *made) : std::nullopt;
}

void EvidenceReader::add_origins(std::vector<ShownValues>& origins, std::set<std::string>& names,
                                 const ShownValues& there, const FunctionScope& scope, const Diary& diary) {
  // Line by line upwards.
  std::set<std::string> wanted = names;
  constexpr unsigned most_lines = 60;
  for (unsigned back = 1; back <= most_lines && back < there.line.line && !wanted.empty(); ++back) {
    const SourceLine above{there.line.file, there.line.line - back};
    const std::string text = without_comment(text_of(above));
    if (text.find("__global__") != text.npos || text.find("__device__") != text.npos) break;
    std::erase_if(
        wanted, [&](const std::string& name) { // a loop's variable: none of that name further up is meant
          const std::size_t at = warpbook::find_word(text, name);
          return is_loop(text) && at != text.npos && text.substr(at + name.size()).starts_with(" = ");
        });
    const auto set = std::ranges::find_if(wanted, [&](const std::string& name) { return sets(text, name); });
    if (set == wanted.end()) continue;
    const std::string name = *set;
    wanted.erase(set);
    std::vector<ShownValue> values = values_of(text, scope.variables, diary);
    std::erase_if(values, [&](const ShownValue& value) {
      return value.first == name || std::ranges::find(there.values, value) != there.values.end();
    });
    for (const std::string& word : words_in(text))
      if (named(scope.variables, word) && names.emplace(word).second) wanted.emplace(word);
    if (origins.size() < most_origins && text.find("for") != 0) origins.push_back({above, values});
  }
}

Evidence EvidenceReader::at(const Diary& diary, std::size_t number, std::optional<std::int64_t> index) {
  Evidence evidence;
  const Moment& moment = diary.moments[number];
  if (!index && moment.place.element.size() == 1) index = moment.place.element.front();
  const auto there = step(moment);
  if (!there) return evidence;
  const FunctionScope& scope = there->scope;
  const SourceLine line{scope.file, scope.line};
  const std::string code = without_comment(text_of(line));

  // The index that is meant: of the array, or of a pointer with another name where the line has no other.
  const std::vector<Subscript> subscripts = subscripts_in(code);
  const Known known = known_at(scope, diary);
  auto named_so = std::ranges::find_if(subscripts, [&](const Subscript& each) {
    return each.array == moment.place.variable && index && Calculation(each.index, known).result() == index;
  });
  if (named_so == subscripts.end())
    named_so = std::ranges::find(subscripts, moment.place.variable, &Subscript::array);
  if (named_so == subscripts.end()) // or by where a pointer leads
    named_so = std::ranges::find_if(subscripts, [&](const Subscript& each) {
      const VariableValue* to = named(scope.variables, each.array);
      const auto value = Calculation(each.index, known).result();
      return to && to->kind == VariableValue::Kind::pointer && value &&
             to->bits + static_cast<std::uint64_t>(*value) * moment.bytes == moment.address;
    });
  std::string made_of, pointer;
  for (const Subscript& subscript : subscripts) made_of += subscript.index + ' ';
  if (named_so != subscripts.end() || subscripts.size() == 1) {
    const Subscript& meant = named_so != subscripts.end() ? *named_so : subscripts.front();
    made_of = meant.index;
    if (meant.array != moment.place.variable) pointer = meant.array; // where it points to matters as well
    if (const auto words = words_in(meant.index);
        index && pointer.empty() && !words.empty() && words.front() != trimmed(meant.index)) {
      evidence.index = trimmed(meant.index);
      evidence.element = *index;
    }
  }
  std::set<std::string> wanted;
  if (named(scope.variables, pointer)) wanted.emplace(pointer);
  for (const std::string& word : words_in(made_of.empty() ? code : made_of))
    if (named(scope.variables, word)) wanted.emplace(word);
  evidence.there = {line, values_of(made_of.empty() ? code : made_of, scope.variables, diary)};
  if (evidence.there.values.size() == 1 && evidence.there.values.front().first == evidence.index)
    evidence.index.clear();

  // Who has called the function, and with what.
  const std::vector<FunctionScope> scopes = variables_.scopes(moment);
  for (std::size_t depth = there->depth + 1; depth < scopes.size() && evidence.origins.size() < most_origins;
       ++depth) {
    if (!scopes[depth].is_own) continue;
    const SourceLine call{scopes[depth].file, scopes[depth].line};
    const std::string text = without_comment(text_of(call));
    if (text.find("<<<") != text.npos) continue; // the launch
    std::vector<ShownValue> values = values_of(text, scopes[depth].variables, diary);
    std::erase_if(values, [&](const ShownValue& value) { return sets(text, value.first); }); // not yet
    evidence.origins.push_back({call, std::move(values)});
  }

  std::set<std::string> all = wanted;
  add_origins(evidence.origins, all, evidence.there, scope, diary);

  if (!evidence.index.empty() || !made_of.empty()) {
    std::string all_code = made_of;
    for (const ShownValues& origin : evidence.origins)
      all_code += ' ' + without_comment(text_of(origin.line));
    const std::vector<std::string> words = words_in(all_code);
    const auto has = [&](const char* word) { return std::ranges::find(words, word) != words.end(); };
    evidence.lacks_block = has("threadIdx") && !has("blockIdx") && evidence.origins.size() < most_origins;
  }

  // The last comparisons of these.
  std::set<std::uint64_t> places;
  for (std::size_t i = number; i-- > 0 && evidence.passed.size() < most_comparisons;) {
    const Moment& earlier = diary.moments[i];
    if (earlier.kind != Moment::Kind::comparison || earlier.frames.empty() ||
        !places.insert(earlier.frames.front().offset).second)
      continue;
    const auto made = step(earlier);
    if (!made || made->scope.function != scope.function) continue;
    auto shown = comparison(diary, *made);
    if (!shown ||
        std::ranges::find(evidence.passed, shown->code, &ShownComparison::code) != evidence.passed.end() ||
        (shown->holds == false && shown->line.line != line.line && is_loop(text_of(shown->line))))
      continue;
    if (std::ranges::any_of(words_in(shown->code),
                            [&](const std::string& word) { return all.contains(word); }))
      evidence.passed.insert(evidence.passed.begin(), std::move(*shown));
  }
  return evidence;
}

std::optional<Evidence> EvidenceReader::of(const Finding& finding, const Participant& participant) {
  if (!participant.thread || !participant.access) return std::nullopt;
  const std::string& kernel = participant.kernel.empty() ? finding.kernel : participant.kernel;
  const auto source = source_of(participant, symbolizer_);
  // The latest of its line: to the finding's element, or at least of its kind, if there is one. Several grids may have such a thread.
  const Moment::Kind kind = kind_of(*participant.access);
  const Diary* own = nullptr;
  std::size_t latest = 0;
  int best = -1;
  bool is_one_of_many = false;
  for (auto each = diaries_.of.rbegin(); each != diaries_.of.rend() && best < 2; ++each) {
    if ((!kernel.empty() && each->kernel != kernel) || each->block != participant.thread->block ||
        each->thread != participant.thread->thread)
      continue;
    is_one_of_many = is_one_of_many || own || each->left_out > 0;
    for (std::size_t i = each->moments.size(); i-- > 0 && best < 2;) {
      const Moment& moment = each->moments[i];
      if (moment.kind < Moment::Kind::read) continue;
      const auto made = step(moment);
      if (!made || (source && (made->scope.line != source->line))) continue;
      const bool is_alike = moment.kind == kind && moment.place.variable == finding.variable;
      const int likeness = is_alike + (is_alike && moment.place.element == finding.element);
      if (likeness <= best) continue;
      best = likeness;
      latest = i;
      own = &*each;
    }
  }
  if (!own) return std::nullopt;
  // Numbers of another element are none of this one.
  if (best == 1 && is_one_of_many && !finding.element.empty() && !own->moments[latest].place.element.empty())
    return std::nullopt;
  Evidence evidence = at(*own, latest, index_outside(finding));
  if (finding.id.ends_with("-race")) evidence.passed.clear(); // no order comes of them
  if (evidence.is_empty()) return std::nullopt;
  return evidence;
}

std::optional<std::size_t> EvidenceReader::write_in(const Diary* diary, const std::string& array,
                                                    const std::vector<std::int64_t>& element) {
  for (std::size_t i = diary ? diary->moments.size() : 0; i-- > 0;) {
    const Moment& moment = diary->moments[i];
    if (moment.kind >= Moment::Kind::write && moment.place.variable == array &&
        moment.place.element == element)
      return i;
  }
  return std::nullopt;
}

std::optional<Evidence> EvidenceReader::of_write(std::uint32_t launch, const Extent& block,
                                                 const Extent& thread, const std::string& array,
                                                 const std::vector<std::int64_t>& element) {
  const Diary* own = diary({}, launch, block, thread);
  const auto write = write_in(own, array, element);
  if (!write) return std::nullopt;
  Evidence evidence = at(*own, *write);
  if (const auto there = step(own->moments[*write])) // what it writes, too
    evidence.there.values =
        values_of(without_comment(text_of(evidence.there.line)), there->scope.variables, *own);
  add_reads(evidence, *own, *write);
  // The thread of the element's number is the one that is meant: then nothing more is to be said of the index.
  const std::uint64_t linear = block[0] * std::uint64_t{own->block_extent[0]} + thread[0];
  if (element.size() == 1 && static_cast<std::uint64_t>(element[0]) == linear &&
      volume(own->grid) == own->grid[0] && volume(own->block_extent) == own->block_extent[0]) {
    evidence.origins.clear();
    evidence.passed.clear();
  }
  return evidence;
}

std::optional<Place> EvidenceReader::read_last(std::uint32_t launch, const Extent& block,
                                               const Extent& thread, const std::string& array,
                                               const std::vector<std::int64_t>& element) {
  const Diary* own = diary({}, launch, block, thread);
  for (std::size_t i = write_in(own, array, element).value_or(0); i-- > 0;)
    if (own->moments[i].kind == Moment::Kind::read) return own->moments[i].place;
  return std::nullopt;
}

void EvidenceReader::add_reads(Evidence& evidence, const Diary& diary, std::size_t write) {
  if (diary.left_out > 0) return; // what has not been kept may have been read, and a loop entered
  evidence.is_write = true;
  struct Read {
    SourceLine line;
    std::string array;
    std::vector<std::vector<std::int64_t>> elements;
  };
  std::vector<Read> reads; // the latest first
  for (std::size_t i = write; i-- > 0;) {
    const Moment& earlier = diary.moments[i];
    if (earlier.kind >= Moment::Kind::write && earlier.place.variable == diary.moments[write].place.variable)
      break;
    if (earlier.kind != Moment::Kind::read || earlier.place.variable.empty()) continue;
    const std::vector<FunctionScope> scopes = variables_.scopes(earlier);
    const auto kernel =
        std::find_if(scopes.rbegin(), scopes.rend(), [](const FunctionScope& scope) { return scope.is_own; });
    if (kernel == scopes.rend()) continue;
    auto known = std::ranges::find_if(reads, [&](const Read& read) {
      return read.line.line == kernel->line && read.array == earlier.place.variable;
    });
    if (known == reads.end())
      known = reads.insert(known, {{kernel->file, kernel->line}, earlier.place.variable, {}});
    known->elements.insert(known->elements.begin(), earlier.place.element);
  }
  if (reads.size() > most_reads) reads.resize(most_reads);
  for (std::size_t i = reads.size(); i-- > 0;)
    evidence.reads.push_back({reads[i].line, elements_text(reads[i].array, reads[i].elements)});

  for (std::size_t i = evidence.reads.empty() ? write : 0; i-- > 0 && evidence.refusals.size() < 2;) {
    const Moment& earlier = diary.moments[i];
    if (earlier.kind >= Moment::Kind::write) break;
    if (earlier.kind != Moment::Kind::comparison) continue;
    auto shown = comparison(diary, earlier);
    if (shown && shown->holds == false && !is_loop(text_of(shown->line)))
      evidence.refusals.insert(evidence.refusals.begin(), std::move(*shown));
  }

  // Loops that it has come to and never entered.
  std::set<std::uint64_t> entered;
  std::vector<std::pair<std::uint64_t, ShownComparison>> heads;
  for (std::size_t i = 0; i < write; ++i) {
    const Moment& earlier = diary.moments[i];
    if (earlier.kind != Moment::Kind::comparison || earlier.frames.empty()) continue;
    const std::uint64_t site = earlier.frames.front().offset;
    if (entered.contains(site)) continue;
    const auto made = step(earlier);
    auto shown = made ? comparison(diary, *made) : std::nullopt;
    if (!shown || !is_loop(text_of(shown->line))) continue;
    if (shown->holds)
      entered.insert(site);
    else
      heads.emplace_back(site, std::move(*shown));
  }
  const auto is_entered = [&](const ShownComparison& head) {
    return std::ranges::any_of(heads, [&](const auto& other) {
      return other.second.line.line == head.line.line && entered.contains(other.first);
    });
  };
  for (auto& [site, head] : heads)
    if (!entered.contains(site) && !is_entered(head) && evidence.not_entered.size() < 2 &&
        std::ranges::find(evidence.not_entered, head.code, &ShownComparison::code) ==
            evidence.not_entered.end())
      evidence.not_entered.push_back(std::move(head));
}

namespace {

/// Where the code went on after the comparison.
std::optional<std::uint64_t> next_block(const Diary& diary, std::size_t comparison) {
  for (std::size_t i = comparison + 1; i < diary.moments.size(); ++i)
    if (diary.moments[i].kind == Moment::Kind::block) return diary.moments[i].frames.front().offset;
  return std::nullopt;
}

bool is_comparison_at(const Moment& moment, std::uint64_t offset) {
  return moment.kind == Moment::Kind::comparison && !moment.frames.empty() &&
         moment.frames.front().offset == offset;
}

} // namespace

std::optional<ShownComparison> EvidenceReader::refusal(std::uint32_t launch,
                                                       const std::pair<Extent, Extent>& absent,
                                                       const std::pair<Extent, Extent>& present,
                                                       const SourceLine& line) {
  const Diary* without = diary({}, launch, absent.first, absent.second);
  const Diary* with = diary({}, launch, present.first, present.second);
  if (!without || !with) return std::nullopt;
  std::size_t arrival = with->moments.size();
  for (std::size_t i = with->moments.size(); i-- > 0 && arrival == with->moments.size();) {
    if (with->moments[i].kind < Moment::Kind::write) continue;
    const auto made = step(with->moments[i]);
    if (made && made->scope.line == line.line) arrival = i;
  }
  for (std::size_t i = without->moments.size(); i-- > 0;) {
    const Moment& moment = without->moments[i];
    if (moment.kind != Moment::Kind::comparison || moment.frames.empty()) continue;
    const std::uint64_t site = moment.frames.front().offset;
    std::size_t other = std::min(arrival, with->moments.size());
    while (other > 0 && !is_comparison_at(with->moments[other - 1], site)) --other;
    if (other == 0 || next_block(*without, i) == next_block(*with, other - 1)) continue;
    const auto made = step(moment);
    auto shown = made ? comparison(*without, *made) : std::nullopt;
    if (!shown) continue;
    std::set<std::string> names;
    for (const std::string& word : words_in(shown->code))
      if (named(made->scope.variables, word)) names.insert(word);
    add_origins(shown->origins, names, {shown->line, {}}, made->scope, *without);
    return shown;
  }
  return std::nullopt;
}

bool is_found_again(const Finding& finding, const std::vector<Finding>& second_run) {
  const auto same_thread = [](const Participant& one, const Participant& other) {
    return one.thread == other.thread && one.access == other.access;
  };
  return std::ranges::any_of(second_run, [&](const Finding& other) {
    return other.id == finding.id && other.kernel == finding.kernel && other.grid == finding.grid &&
           other.block == finding.block &&
           static_cast<const Place&>(other) == static_cast<const Place&>(finding) &&
           std::ranges::equal(other.participants, finding.participants, same_thread);
  });
}

std::string comparison_text(const ShownComparison& comparison) {
  return say("`{code}`: {numbers} is {holds?true|false}", comparison.code, comparison.numbers,
             comparison.holds);
}

std::string origin_text(const ShownValues& origin, Symbolizer& symbolizer) {
  std::string line = quoted(origin.line, symbolizer);
  return origin.values.empty() ? line : line + "   " + say("with {values}", listed_values(origin.values));
}

std::vector<std::string> evidence_lines(const Evidence& evidence, Symbolizer& symbolizer) {
  std::vector<std::string> lines;
  if (!evidence.there.values.empty())
    lines.push_back("      " + say("there {values}{has_index?, and `{index}` is {element}}",
                                   listed_values(evidence.there.values), !evidence.index.empty(),
                                   evidence.index, evidence.element));
  for (const ShownReads& reads : evidence.reads) {
    if (reads.line.line == evidence.there.line.line)
      lines.push_back("      " + say("it reads {elements} there", reads.elements));
    else
      lines.push_back("      " + say("before, it reads {elements}: {line}", reads.elements,
                                     quoted(reads.line, symbolizer)));
  }
  if (evidence.is_write && evidence.reads.empty())
    lines.push_back("      " + say("it reads nothing from memory for it"));
  for (const ShownComparison& refusal : evidence.refusals)
    lines.push_back("      " + say("line {line}, {comparison}", refusal.line.line, comparison_text(refusal)));
  for (const ShownComparison& head : evidence.not_entered)
    lines.push_back("      " + say("the loop of line {line} is never entered, {comparison}", head.line.line,
                                   comparison_text(head)));
  for (const ShownValues& origin : evidence.origins)
    lines.push_back("      " + origin_text(origin, symbolizer));
  for (const ShownComparison& passed : evidence.passed)
    lines.push_back("      " + say("line {line}, {comparison}", passed.line.line, comparison_text(passed)));
  return lines;
}

} // namespace simt
