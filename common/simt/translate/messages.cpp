#include "simt/translate/messages.hpp"

#include "simt/include/simt_shim/type_names.h"
#include "simt/translate/source.hpp"
#include "simt/translate/source_file.hpp"
#include "simt/translate/unset_variables.hpp"
#include "text/pattern.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

namespace simt::compiler {
namespace {

struct Replacement {
  warpbook::Pattern pattern;
  std::string text;
};

/// What compilers say of the simulator's classes, and what that means in CUDA's words.
const std::vector<Replacement>& replacements() {
  static const std::string open = "(?:'|\u2018)", close = "(?:'|\u2019)";
  static const std::string one_name_one_type =
      ", and of another one before: one name is one variable, for all kernels and all instances of a "
      "template. Give "
      "it one type, such as unsigned char, and let each kernel cast its address";
  static const std::vector<Replacement> list = {
      {warpbook::Pattern("suggest parentheses around assignment used as truth value|"
                         "using the result of an assignment as a condition without parentheses"),
       "= stores, and == compares: is a comparison meant?"},
      {warpbook::Pattern("suggest braces around empty body in an " + open + "(if|else)" + close +
                         " statement"),
       "this ; is all that belongs to the `$1`, and what stands below is always done: remove the ;"},
      {warpbook::Pattern("if statement has empty body"),
       "this ; is all that belongs to the `if`, and what stands below is always done: remove the ;"},
      {warpbook::Pattern("logical not is only applied to the left hand side of (?:this )?comparison"),
       "! is applied before the comparison, to what stands on its left alone: is != meant?"},
      {warpbook::Pattern("no match for call to " + open +
                         R"(\(simt::detail::KernelLauncher<(.*)>\) \((.*)\))" + close),
       "the kernel's parameters are ($1), and it is launched with ($2)"},
      {warpbook::Pattern(
           "no matching function for call to object of type '(?:simt::)?detail::KernelLauncher<(.*)>'"),
       "the kernel's parameters are ($1), and it is launched with other arguments"},
      {warpbook::Pattern("no matching function for call to " + open +
                         R"(simt::LaunchConfig::LaunchConfig\((.*)\))" + close),
       "a launch takes <<<grid, block, shared bytes, stream>>>, and here stand ($1)"},
      {warpbook::Pattern("no matching constructor for initialization of '(?:::)?simt::LaunchConfig'"),
       "a launch takes <<<grid, block, shared bytes, stream>>>, and here stands something else"},
      {warpbook::Pattern("conflicting declaration " + open +
                         R"((.*) (?:\S+::)?simt_extern_(\w+) ?(?:\[\])?)" + close),
       "extern __shared__ $2 is of type $1 here" + one_name_one_type},
      {warpbook::Pattern(
           R"(redeclaration of 'simt_extern_(\w+)' with a different type: '(?:.*\(aka ')?(.*?)(?:\[\])?'\)? vs .*)"),
       "extern __shared__ $1 is of type $2 here" + one_name_one_type},
      {warpbook::Pattern("previous declaration as " + open +
                         R"((.*) (?:\S+::)?simt_extern_(\w+) ?(?:\[\])?)" + close),
       "extern __shared__ $2 is of type $1 here"},
      {warpbook::Pattern(R"((?:::)?\bsimt::thread_index\(\))"), "threadIdx"},
      {warpbook::Pattern(R"((?:::)?\bsimt::block_index\(\))"), "blockIdx"},
      {warpbook::Pattern(R"((?:::)?\bsimt::block_extent\(\))"), "blockDim"},
      {warpbook::Pattern(R"((?:::)?\bsimt::grid_extent\(\))"), "gridDim"},
      {warpbook::Pattern(R"((?:::)?\bsimt::warp_size\(\))"), "warpSize"},
      {warpbook::Pattern(R"((?:int )?warp_size\(\))"), "warpSize"},
      {warpbook::Pattern(R"((?:::)?\bsimt::Index\b)"), "uint3"},
      {warpbook::Pattern(
           "((?:no match for .?.?.?operator.*operand types are|invalid operands to binary expression) "
           ".*\\buint3\\b.*)"),
       "$1; uint3 is three numbers, x, y and z: write which, as in blockIdx.x"},
      {warpbook::Pattern("(?:simt::)?\\bInUnion<(\\w+)>"), "$1"},
      {warpbook::Pattern("union member " + open + "[^\n]*" + close + " with non-trivial " + open +
                         "[^\n]*\\b((?:u?(?:char|short|int|long|longlong)|float|double)[2-4])::[^\n]*" +
                         close),
       "a union is copied as a whole only if its vectors are members of a type that is spelt out, as in "
       "$1 v; write $1 there, or copy the member alone, as in a.v = b.v"},
      {warpbook::Pattern("required from " + open + ".*<lambda\\(.*" + close), "required from here"},
      {warpbook::Pattern(open + "[^\n]*<lambda[^\n]*::operator [^\n]*" + close +
                         " is inaccessible within this context"),
       "a lambda for the device is no pointer to a function of the host; write __host__ __device__ behind "
       "its captures"},
      {warpbook::Pattern(
           "(?:simt::)?\\b(?:Host)?DeviceLambda(?:WithResult)?<([^<>]*<lambda\\([^()]*\\)>) ?>"),
       "$1"},
      {warpbook::Pattern("call to non-.?.?.?constexpr.?.?.? function [^\n]*computed_at_run_time[^\n]*"),
       "functions of the C library are no constants for nvcc"},
      {warpbook::Pattern("[;,] did you mean " + open + "simt_\\w+" + close + "\\?"), ""},
      {warpbook::Pattern("\\bsimt_type_(\\w+)"), "$1"}};
  return list;
}

std::string in_words_of_cuda(std::string message) {
  for (const Replacement& replacement : replacements())
    message = replacement.pattern.replace(message, replacement.text);
  return message;
}

bool read_number(std::string_view& text, std::uint32_t& number) {
  std::size_t i = 0;
  number = 0;
  while (i < text.size() && text[i] >= '0' && text[i] <= '9') number = number * 10 + (text[i++] - '0');
  if (i == 0 || i >= text.size() || text[i] != ':') return false;
  text.remove_prefix(i + 1);
  return true;
}

/// The tokens that the compiler saw for one line of one file, from column 1 of each piece of it.
class SeenLine {
public:
  SeenLine(const TokenStream& stream, const MessagePlace& place) : stream_(stream) {
    for (std::size_t i = 0; i + 1 < stream.tokens.size(); ++i)
      if (stream.tokens[i].line == place.line && stream.files[stream.tokens[i].file].name == place.file)
        tokens_.push_back(i);
  }

  /// The column in `line` (on disk) of what the compiler saw at `column`; 0 if it is not there.
  std::uint32_t restore(std::uint32_t column, const std::string& line) const {
    std::size_t at = tokens_.size();
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      const std::uint32_t begin = column_of(tokens_[k]);
      const bool holds = begin <= column && column < begin + stream_.tokens[tokens_[k]].length;
      if (holds || begin + stream_.tokens[tokens_[k]].length == column) at = k;
      if (holds) break;
    }
    if (at == tokens_.size()) return 0;
    if (is_word(at)) return word(at, line);
    // Brackets and operators are also inserted; the word before this one shows where to look.
    std::size_t before = at;
    while (before > 0 && !(is_word(before) && word(before, line) != 0)) --before;
    const std::uint32_t start = is_word(before) ? word(before, line) : 0;
    if (start == 0) return static_cast<std::uint32_t>(line.find_first_not_of(" \t")) + 1;
    const std::size_t found = line.find(stream_.spelling(tokens_[at]), start - 1);
    return found == line.npos ? start : static_cast<std::uint32_t>(found) + 1;
  }

  /// The name of the array whose size the compiler reads at `column`, where device code has it be a constant; empty for
  /// any other place.
  std::string array_at(std::uint32_t column) const {
    std::string name;
    for (std::size_t k = 5; k < tokens_.size() && column_of(tokens_[k]) <= column; ++k) {
      if (spelling(k) != "constant_size" || spelling(k - 4) != "[") continue;
      std::size_t before = k - 5;
      for (int open = 0; before > 0 && (open > 0 || spelling(before) == "]");
           --before) // dimensions before this one
        open += spelling(before) == "]" ? 1 : spelling(before) == "[" ? -1 : 0;
      name = spelling(before);
    }
    return name;
  }

  /// The strings in the last assertion that the translator has put before `column`, its text behind those of its
  /// condition; empty where none stands.
  std::vector<std::string> assertion_before(std::uint32_t column) const {
    std::vector<std::string> strings;
    for (std::size_t k = 0; k < tokens_.size() && column_of(tokens_[k]) <= column; ++k) {
      if (spelling(k) != "static_assert") continue;
      strings.clear();
      for (std::size_t i = k + 1; i < tokens_.size() && spelling(i) != ";"; ++i)
        if (spelling(i).starts_with('"')) strings.push_back(unquoted(spelling(i)));
    }
    return strings;
  }
  bool mentions(std::string_view word) const {
    return std::ranges::any_of(tokens_, [&](std::size_t token) { return stream_.spelling(token) == word; });
  }

private:
  static std::string unquoted(std::string_view literal) {
    std::string text;
    for (std::size_t i = 1; i + 1 < literal.size(); ++i) text += literal[literal[i] == '\\' ? ++i : i];
    return text;
  }
  std::string_view spelling(std::size_t k) const { return stream_.spelling(tokens_[k]); }
  std::uint32_t column_of(std::size_t token) const {
    const std::uint32_t offset = stream_.tokens[token].offset;
    const std::size_t newline = offset == 0 ? stream_.text.npos : stream_.text.rfind('\n', offset - 1);
    return newline == stream_.text.npos ? offset + 1 : offset - static_cast<std::uint32_t>(newline);
  }
  bool is_word(std::size_t k) const { return stream_.tokens[tokens_[k]].kind != TokenKind::punctuation; }
  std::uint32_t word(std::size_t k, const std::string& line) const {
    std::string_view spelling = stream_.spelling(tokens_[k]);
    for (const std::string_view added : {"simt_type_", "simt_extern_"})
      if (spelling.starts_with(added)) spelling.remove_prefix(added.size());
    std::size_t ordinal = 0;
    for (std::size_t i = 0; i < k; ++i) ordinal += stream_.spelling(tokens_[i]) == spelling;
    return find_word(line, spelling, ordinal);
  }

  const TokenStream& stream_;
  std::vector<std::size_t> tokens_;
};

/// What a compiler says where a shared variable's type is none, in one message or several. An unknown name in the
/// declaration has had an error of its own before; without one it is the array's size that is no constant.
class SharedVariableErrors {
public:
  bool begins_with(const MessagePlace& place) {
    const bool begins =
        has(place.rest, "no matching function for call to") && has(place.rest, "shared_variable");
    inside_ |= begins;
    return begins;
  }
  /// Whether the message goes on with the error before it, and has no introduction of its own.
  bool goes_on_with(const MessagePlace& place, bool introduced) {
    const std::string_view rest = place.rest;
    const bool is_new =
        rest.starts_with("error:") || rest.starts_with("warning:") || rest.starts_with("note:");
    if (is_new && !has(rest, "is a variably modified type") && !has(rest, "trying to instantiate"))
      inside_ = false;
    return inside_ && !introduced;
  }
  bool goes_on_with(std::string_view introduction) const {
    return inside_ && has(introduction, "shared_variable");
  }

private:
  static bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }
  bool inside_ = false;
};

/// What a compiler says of an array's size that is no constant, and of the name that then is none.
class LocalArrayErrors {
public:
  /// What to say of an error instead, empty for another one; and the name that it is about.
  std::string explain(std::string_view said, const std::string& array) {
    static const warpbook::Pattern no_constant(
        "error: .*(constant expression|non-.*constexpr.* function).*\\s*");
    if (array.empty() || !said.starts_with("error:") || !no_constant.match(std::string(said))) return {};
    unknown_.insert(array);
    return "error: the size of the array " + array +
           " must be a constant that the compiler knows: a number, a constexpr or a template parameter; "
           "device code "
           "has no arrays of other sizes\n";
  }
  /// Whether a message only follows from such an error.
  bool goes_on_with(std::string_view said) const {
    if (said.find("was not declared in this scope") == said.npos) return false;
    for (const std::string& name : unknown_)
      for (const std::string_view open : {"'", "\u2018"})
        if (said.find(std::string(open) + name) == 7) return true;
    return false;
  }

private:
  std::set<std::string> unknown_;
};

/// What a compiler says of a static_assert that the translator has added: the text in it is all that is to be said.
class AssertionErrors {
public:
  /// A message in place of the compiler's.
  struct Said {
    std::uint32_t line = 0;
    std::string word; ///< what it is about: the occurrence number `ordinal` of that word in the line
    std::size_t ordinal = 0;
    std::string text;
    std::vector<std::string> known; ///< strings in its condition
  };

  /// Whether the message is about such an assertion: the first of them is in said(), what follows is empty there.
  bool takes(const MessagePlace& place, const SeenLine& seen) {
    said_ = {};
    const std::string where = place.file + ":" + std::to_string(place.line);
    if (place.rest.starts_with("error:") && has_failed(place.rest)) {
      if (read(seen.assertion_before(place.column))) {
        last_ = where;
        const bool is_about_instance = said_.text.starts_with(unnameable_mark);
        if (!is_about_instance &&
            !told_.insert(place.file + ':' + std::to_string(said_.line) + said_.text).second)
          said_ = {};
        return true;
      }
    }
    // Why it has failed, or is no constant.
    const bool follows = where == last_ && (place.rest.starts_with("note:") || is_no_constant(place.rest));
    if (place.rest.starts_with("error:") && !follows) last_.clear();
    return follows || (!last_.empty() && place.rest.starts_with("note:"));
  }
  const Said& said() const { return said_; }

private:
  static bool has_failed(std::string_view said) {
    for (const std::string_view part :
         {"static assertion failed", "non-constant condition for static assertion", "static_assert failed",
          "static_assert expression is not an integral constant"})
      if (said.find(part) != said.npos) return true;
    return false;
  }
  static bool is_no_constant(std::string_view said) {
    for (const std::string_view part : {"constant expression", "call to non-"})
      if (said.find(part) != said.npos) return true;
    return false;
  }
  bool read(std::vector<std::string> strings) {
    static const warpbook::Pattern form(std::string(assertion_mark) + "(\\d+) (\\d+) ([^ ]+): (.*)");
    if (strings.empty()) return false;
    const auto match = form.match(strings.back());
    if (!match) return false;
    strings.pop_back();
    said_ = {static_cast<std::uint32_t>(std::stoul((*match)[1])), (*match)[3], std::stoul((*match)[2]),
             (*match)[4], std::move(strings)};
    return true;
  }

  Said said_;
  std::string last_;           ///< file and line of the last of them
  std::set<std::string> told_; ///< each is reported once, whatever instances of a template it fails in
};

/// What is wrong with the template arguments of a kernel. `introduction` is what the compiler says before the message:
/// "In instantiation of 'void k(T) [with T = f(int*)::L]'".
std::string explain_unnameable(const AssertionErrors::Said& said, const std::string& introduction) {
  const std::string kernel = said.text.substr(unnameable_mark.size());
  const std::string begin = "error: the kernel " + kernel + " has ";
  const std::size_t line = introduction.find("In instantiation of ");
  const std::string text =
      line == introduction.npos ? "" : introduction.substr(line, introduction.find('\n', line) - line);
  const bool is_known = said.known.size() >= 2;
  const UnnameableType found = find_unnameable(text.c_str(), is_known ? said.known[0].c_str() : "",
                                               is_known ? said.known[1].c_str() : "");
  const std::string type = text.substr(found.begin, found.end - found.begin);
  const std::string function = text.substr(found.function_begin, found.function_end - found.function_begin);
  switch (found.why) {
  case Unnameable::local:
    return concatenate({begin, type, " among its template arguments, which is local to the function ",
                        function, " of the host, and CUDA has no such kernels; declare ", type,
                        " outside of ", function, "\n"});
  case Unnameable::of_lambda:
    return begin + "a lambda of the host among its template arguments, and cannot call it; write __device__ "
                   "behind the "
                   "captures, as in [=] __device__ (int i) { ... }\n";
  case Unnameable::unnamed:
    return begin + "a type without a name among its template arguments, and CUDA has no such kernels; give "
                   "the struct, "
                   "union or enum a name\n";
  case Unnameable::not_public:
    return concatenate({begin, type,
                        " among its template arguments, which is not public, and CUDA has no such kernels; "
                        "declare it behind public:, or outside of its class\n"});
  case Unnameable::none:
    break;
  }
  return begin +
         "a type among its template arguments that is local, private or without a name, and CUDA has no such "
         "kernels; declare the type at namespace scope, and write __device__ for lambdas\n";
}

/// Where a compiler says before a message that the instance is asked for: "file.cu:3:50:   required from here". Of several
/// the nearest in the program; false if there is none.
bool read_request(std::string_view introduction, const std::string& shim_folder, MessagePlace& place) {
  while (!introduction.empty()) {
    const std::size_t end = std::min(introduction.find('\n'), introduction.size() - 1);
    const std::string_view line = introduction.substr(0, end + 1);
    introduction.remove_prefix(end + 1);
    if (read_place(line, place) && place.rest.find("required from") != place.rest.npos &&
        !lies_below(place.file, shim_folder))
      return true;
  }
  return false;
}

/// The error for a variable in device memory whose initial value is no constant; empty for any other.
std::string explain_no_constant(std::string_view said, const SeenLine& seen) {
  static const warpbook::Pattern form(
      "error: .*?variable (?:(?:'|\u2018)(?:\\S*::)?(\\w+)\\S* )?does not have a constant initializer\\s*");
  if (!seen.mentions("__constinit") && !seen.mentions("require_constant_initialization")) return {};
  const auto match = form.match(std::string(said));
  if (!match) return {};
  const std::string name = (*match)[1].empty() ? "this variable" : (*match)[1];
  return "error: the initial value of " + name +
         " is no constant that the compiler knows, and device memory is filled before any code runs; assign "
         "it in a "
         "kernel, or on the host by cudaMemcpyToSymbol, or let it be computed by what is constexpr\n";
}

/// Such an error with its place and the line there: where the instance is asked for, or else the kernel.
std::string at_request(const AssertionErrors::Said& said, std::string_view introduction,
                       const TokenStream& stream, const std::string& shim_folder, const MessagePlace& place) {
  MessagePlace at;
  const bool is_known = read_request(introduction, shim_folder, at);
  if (!is_known) at = {place.file, said.line, 0, {}};
  const std::string line = line_of_source(at.file, at.line);
  std::uint32_t column = at.column;
  if (!is_known)
    column = find_word(line, said.word, said.ordinal);
  else if (const std::uint32_t known = line.empty() ? 0 : SeenLine(stream, at).restore(at.column, line);
           known != 0)
    column = known;
  return concatenate({at.file, ":", std::to_string(at.line), ":", std::to_string(column), ": ",
                      explain_unnameable(said, std::string(introduction)),
                      line.empty() ? "" : excerpt(line, at.line, column)});
}

/// The error for a shared array whose name stands at `column` of its line; empty where no array stands.
std::string explain_array_size(const std::string& line, std::uint32_t column) {
  std::size_t end = column - 1;
  while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '_'))
    ++end;
  if (column == 0 || end >= line.size() || line[end] != '[') return "";
  const std::string name = line.substr(column - 1, end - column + 1);
  return "error: the size of the __shared__ array " + name +
         " must be a constant that the compiler knows: a number, a constexpr or a template parameter. For a "
         "size "
         "that is known only at the launch write extern __shared__ and " +
         name + "[] without a size, and give its bytes in the launch: <<<grid, block, bytes>>>\n";
}

} // namespace

bool read_place(std::string_view text, MessagePlace& place) {
  for (std::size_t colon = text.find(':'); colon != text.npos; colon = text.find(':', colon + 1)) {
    std::string_view rest = text.substr(colon + 1);
    if (!read_number(rest, place.line)) continue;
    if (!read_number(rest, place.column) || rest.substr(0, 1) != " ") return false;
    place.file = text.substr(0, colon);
    place.rest = rest.substr(1);
    return true;
  }
  return false;
}

std::string excerpt(const std::string& line, std::uint32_t number, std::uint32_t column) {
  std::string label = std::to_string(number);
  label.insert(0, label.size() < 5 ? 5 - label.size() : 0, ' ');
  std::string marker;
  for (std::uint32_t i = 0; i + 1 < column && i < line.size(); ++i) marker += line[i] == '\t' ? '\t' : ' ';
  return label + " | " + line + "\n" + std::string(label.size(), ' ') + " | " + marker + "^\n";
}

std::string restore_messages(std::string_view messages, std::string_view translated,
                             const std::string& shim_folder) {
  const TokenStream stream = tokenize(translated);
  std::string result;
  std::string pending;      // "In file included from", "required from": belong to the message that follows
  std::string introduction; // the same as the compiler says it
  bool dropped = false;
  SharedVariableErrors shared;
  LocalArrayErrors arrays;
  AssertionErrors assertions;
  bool drops_notes = false;
  std::string array_said; // file and line of the last error, if it is one of these
  std::string error_line; // file and line of the last error
  while (!messages.empty()) {
    const std::size_t end = std::min(messages.find('\n'), messages.size() - 1);
    const std::string_view line = messages.substr(0, end + 1);
    messages.remove_prefix(end + 1);
    MessagePlace place;
    if (!read_place(line, place)) {
      const bool introduces = line.starts_with("In file included") || line.starts_with("       ") ||
                              line.find(": In ") != line.npos || line.find(": At ") != line.npos;
      if (shared.goes_on_with(line)) continue;
      if (introduces)
        pending += line, introduction += line;
      else if (!dropped)
        result += in_words_of_cuda(std::string(line));
      continue;
    }
    const bool requires_instance = place.rest.starts_with("  required from");
    const bool follows = place.rest.starts_with("note:") || requires_instance;
    if (requires_instance) introduction += line;
    const SaidOfUnset of_unset = said_of_unset(stream, place.file, place.line, place.rest);
    drops_notes = of_unset.nothing || (drops_notes && follows);
    if (drops_notes) introduction.clear(), pending.clear();
    dropped = drops_notes || (follows && lies_below(place.file, shim_folder));
    if (!dropped) {
      const std::string text = line_of_source(place.file, place.line);
      const SeenLine seen(stream, place);
      if (assertions.takes(place, seen)) {
        pending.clear();
        const std::string introduced = std::exchange(introduction, {});
        dropped = true; // the lines behind it
        const AssertionErrors::Said& said = assertions.said();
        if (said.text.empty()) continue;
        if (said.text.starts_with(unnameable_mark)) {
          const std::string told = at_request(said, introduced, stream, shim_folder, place);
          if (result.find(told) == result.npos) result += told;
          continue;
        }
        const std::string line = line_of_source(place.file, said.line);
        const std::uint32_t column = find_word(line, said.word, said.ordinal);
        result += place.file + ":" + std::to_string(said.line) + ":" +
                  (column == 0 ? "" : std::to_string(column) + ":") + " error: " + said.text + "\n";
        if (column != 0) result += excerpt(line, said.line, column);
        continue;
      }
      std::uint32_t known = text.empty() ? 0 : seen.restore(place.column, text);
      const std::string array = seen.array_at(place.column);
      const std::string of_array = arrays.explain(place.rest, array);
      if (!of_array.empty() && !text.empty()) known = find_word(text, array, 0);
      const std::uint32_t column = known != 0 ? known : place.column;
      const std::string where = place.file + ":" + std::to_string(place.line);
      std::string said = in_words_of_cuda(std::string(place.rest));
      if (const std::string explained = explain_no_constant(place.rest, seen); !explained.empty())
        said = explained;
      if (!of_unset.text.empty()) said = of_unset.text;
      if (shared.begins_with(place)) {
        dropped = error_line == where;
        if (const std::string explained = explain_array_size(text, column); !explained.empty())
          said = explained;
      } else if (!of_array.empty()) {
        said = of_array;
        dropped = error_line == where;
      } else {
        dropped = shared.goes_on_with(place, !pending.empty()) || arrays.goes_on_with(place.rest) ||
                  (follows && array_said == where);
      }
      if (place.rest.starts_with("error:")) array_said = of_array.empty() ? "" : where;
      if (place.rest.starts_with("error:")) error_line = where;
      if (dropped) {
        pending.clear();
        if (!requires_instance) introduction.clear();
        continue;
      }
      pending += where + ":" + std::to_string(column) + ": " + said;
      if (!text.empty()) pending += excerpt(text, place.line, column);
      if (requires_instance) continue;
      result += pending;
    }
    if (!requires_instance) introduction.clear();
    pending.clear();
  }
  return result + pending;
}

namespace {

/// Parts of the toolkit that are not simulated, by the headers that belong to them.
struct Missing {
  const char* headers; ///< a pattern
  const char* sentence;
};

/// Those of libcu++ that need nothing of the machine.
constexpr const char* libcxx_headers =
    "cuda/std/.*|cuda/(bit|cmath|functional|numeric|type_traits|utility|version)|nv/target";

constexpr Missing missing_parts[] = {
    {"(thrust|cub)/.*", "Thrust and CUB are not simulated: their kernels are made for nvcc alone. Write the "
                        "step as a kernel of your "
                        "own, or do it on the host with <algorithm> and <numeric>"},
    {libcxx_headers,
     "This header of libcu++ is NVIDIA's, and is not on this machine (atomics, barriers and pipelines are "
     "always "
     "there). `pip install nvidia-cuda-cccl` gets it for ./warpbook sim, the CUDA toolkit has it too, and "
     "--cccl DIR names another folder that holds cuda/std. A hand-in that is graded has to do without it"},
    {"cuda/.*|nv/.*", "Of libcu++ there are atomics, barriers, pipelines, latches, semaphores and cuda::std. "
                      "This part is for a "
                      "GPU alone and is not simulated: do without it, or build this program for a GPU"},
    {"cublas.*|cufft.*|curand.*|cusolver.*|cusparse.*|cudnn.*|cutensor.*|nccl.*|npp.*|nvjpeg.*|nvblas.*|"
     "cutlass/.*|cute/.*",
     "This library is code for a GPU and is not simulated. Do without it, or build this program for a GPU"},
    {"nvtx3/.*",
     "Of the marks for NVIDIA's profilers, which mean nothing on the simulator, only nvToolsExt.h is there. "
     "Leave the others out here, for example between #ifndef __SIMT__ and #endif"},
    {"texture.*|cuda_texture.*|surface.*|cuda_surface.*",
     "Headers for texture references are gone since CUDA 12. cuda_runtime.h has texture and surface objects"},
    {"cuda_fp8\\.h(pp)?|cuda_fp6\\.h(pp)?|cuda_fp4\\.h(pp)?",
     "Of the small floating-point types half (cuda_fp16.h) and bfloat16 (cuda_bf16.h) are simulated. Use one "
     "of these"},
    {"cudaGL\\.h|cuda_gl_interop\\.h|cudaEGL.*|cupti.*|nvml\\.h|GL/.*",
     "Graphics and profiling are not simulated. Leave this part out here, for example between #ifndef "
     "__SIMT__ and #endif"},
    {"cu(da|dart)?_.*|cuda[A-Z].*|nv_.*|device_.*|sm_.*",
     "This header of the CUDA toolkit is not there on the simulator. Do without it, or build this program "
     "for a GPU"},
    {"helper_.*|exception\\.h|nvrtc_helper\\.h", "This header belongs to the folder Common of NVIDIA's "
                                                 "samples, and the simulator has no part of it. Add -I with "
                                                 "that folder"},
};

/// Whether `file`, which is included as `header`, belongs to an installed CUDA toolkit: one of its main headers lies in the
/// folder where the search for it began.
bool lies_in_toolkit(std::string_view file, std::string_view header) {
  if (!file.ends_with(header)) return false;
  const std::string folder(file.substr(0, file.size() - header.size()));
  std::error_code ignored;
  return std::filesystem::exists(folder + "cuda_runtime_api.h", ignored);
}

/// Whether a header of NVIDIA's libcu++ is plain C++, which kernels of the simulator can use.
bool is_plain_library(const std::string& header) {
  static const warpbook::Pattern plain(libcxx_headers);
  return plain.match(header).has_value();
}

/// The error at an #include, or "" if the header belongs to no part that is known.
std::string explain(const std::string& header, const std::string& file, std::uint32_t line,
                    std::uint32_t column) {
  for (const Missing& part : missing_parts) {
    if (!warpbook::Pattern(part.headers).match(header)) continue;
    const std::string text = line_of_source(file, line);
    const std::string place = file + ":" + std::to_string(line) + ":" + std::to_string(column);
    return place + ": error: " + header + ": " + part.sentence + ".\n" +
           (text.empty() ? "" : excerpt(text, line, column));
  }
  return "";
}

/// The header that a line of a source names.
std::string included_header(const std::string& line) {
  static const warpbook::Pattern pattern("\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"].*");
  const std::optional<warpbook::Match> match = pattern.match(line);
  return match ? (*match)[1] : "";
}

} // namespace

std::string explain_missing_header(std::string_view messages) {
  if (messages.empty()) return "";
  static const warpbook::Pattern missing(
      "(.*?):(\\d{1,9}):(\\d{1,9}): fatal error: '?([^':]+)'?(?:: No such file.*| file not found)");
  const std::optional<warpbook::Match> match = missing.search(messages);
  if (!match) return "";
  return explain((*match)[4], (*match)[1], static_cast<std::uint32_t>(std::stoul((*match)[2])),
                 static_cast<std::uint32_t>(std::stoul((*match)[3])));
}

std::string explain_toolkit_header(std::string_view preprocessed, const std::string& shim_folder) {
  std::string here; // the user's file, and the line in it that comes next
  std::uint32_t next = 0;
  for (std::size_t begin = 0; begin < preprocessed.size();) {
    const std::size_t end = std::min(preprocessed.find('\n', begin), preprocessed.size());
    const std::string_view line = preprocessed.substr(begin, end - begin);
    begin = end + 1;
    if (!line.starts_with("# ")) {
      ++next;
      continue;
    }
    LineMarker marker;
    if (!parse_line_marker(line, marker)) continue;
    const std::string_view file = marker.literal;
    if (marker.enters && !here.empty() && !lies_below(file, shim_folder)) {
      const std::string text = line_of_source(here, next), header = included_header(text);
      const std::size_t column = text.find_first_of("<\"");
      if (!header.empty() && file.ends_with("/" + header) && !is_plain_library(header) &&
          (marker.is_system || lies_in_toolkit(file, header)))
        if (std::string said = explain(header, here, next, static_cast<std::uint32_t>(column + 1));
            !said.empty())
          return said;
    }
    const bool own = !marker.is_system && !file.starts_with('<') && !lies_below(file, shim_folder);
    here = own ? std::string(file) : std::string();
    next = marker.line;
  }
  return "";
}

} // namespace simt::compiler
