#include "simt/translate/judge.hpp"

#include "simt/translate/architecture.hpp"
#include "simt/translate/declared_functions.hpp"
#include "simt/translate/messages.hpp"
#include "simt/translate/narrowing.hpp"
#include "simt/translate/sides.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

namespace simt::compiler {
namespace {

constexpr std::string_view deprecated_option = "[-Wdeprecated-declarations]";

constexpr std::string_view narrowing_option = " [-Wnarrowing]";

/// "narrowing conversion from 'double' to 'int'" of such a warning, which also writes the expression as the compiler sees it.
std::string sentence_of(std::string_view warning) {
  const std::size_t end = std::min(warning.find(narrowing_option), warning.size());
  const std::size_t begin = warning.substr(0, end).rfind(" from ");
  return concatenate(
      {"narrowing conversion", begin == warning.npos ? "" : warning.substr(begin, end - begin)});
}

bool says(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// A use of what is marked.
struct MarkUse {
  Mark mark;
  MessagePlace place;
  std::vector<MessagePlace> required; ///< of functions that the compiler makes: where that was first required
  bool in_instance = false;           ///< of a template
};

/// A message: its own line, with those that introduce it.
struct CompilerMessage {
  std::string_view introduction; ///< "In function", "In instantiation of", "required from"
  std::string_view line;
  MessagePlace place;
};

/// Takes a compiler's output apart.
class MessageReader {
public:
  explicit MessageReader(std::string_view said) : rest_(said) {}

  /// The next message; without a place where lines stand alone at the end.
  std::optional<CompilerMessage> next() {
    const std::string_view all = rest_;
    std::size_t introduced = 0;
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size() - 1) + 1;
      CompilerMessage message;
      message.line = rest_.substr(0, end);
      rest_.remove_prefix(end);
      const bool has_place = read_place(message.line, message.place);
      const std::string_view said = message.place.rest;
      const bool is_message = has_place && (said.starts_with("error:") || said.starts_with("warning:") ||
                                            said.starts_with("note:") || said.starts_with("fatal error:"));
      if (is_message || rest_.empty()) {
        message.introduction = all.substr(0, introduced);
        return message;
      }
      introduced += end;
    }
    return {};
  }

private:
  std::string_view rest_;
};

/// Separates what is said of marks from the rest.
class MarkMessages {
public:
  explicit MarkMessages(const JudgeOptions& options) : options_(options) {}

  void run(std::string_view said) {
    MessageReader reader(said);
    while (const std::optional<CompilerMessage> message = reader.next()) take(*message);
  }

  std::vector<MarkUse> uses;
  std::string said;

private:
  enum class Fate { kept, of_use, dropped };

  void take(const CompilerMessage& message) {
    const std::string_view text = message.place.rest;
    if (text.starts_with("note:")) {
      if (fate_ == Fate::of_use) add_note(message);
      if (fate_ == Fate::kept) keep(message);
      return;
    }
    Mark mark;
    const bool is_warning = text.starts_with("warning:");
    const bool is_deprecated = is_warning && says(text, deprecated_option);
    if (is_warning && text.find(narrowing_option) != text.npos)
      uses.push_back({{MarkKind::narrowing, sentence_of(text)}, message.place, {}, false});
    if (is_deprecated && read_mark(text, mark)) {
      fate_ = Fate::of_use;
      const bool in_instance =
          says(message.introduction, "In instantiation of") || says(message.introduction, "required from");
      uses.push_back({mark, message.place, {}, in_instance});
    } else if (is_warning && (options_.drops_warnings || (options_.drops_deprecated && is_deprecated))) {
      fate_ = Fate::dropped;
    } else {
      fate_ = Fate::kept;
    }
    if (fate_ == Fate::kept) {
      keep(message);
    } else if (!message.introduction.empty()) {
      function_ = message.introduction; // g++ tells it once for all messages about a function
    }
  }

  void add_note(const CompilerMessage& message) {
    if (says(message.place.rest, "first required here")) uses.back().required.push_back(message.place);
    if (says(message.place.rest, "in instantiation of")) uses.back().in_instance = true; // clang++
  }

  void keep(const CompilerMessage& message) {
    const bool is_first = message.introduction.empty() && !message.place.rest.starts_with("note:");
    if (is_first) said += function_;
    said += message.introduction;
    said += message.line;
    function_ = {};
  }

  JudgeOptions options_;
  Fate fate_ = Fate::kept;
  std::string_view function_;
};

/// Finds the tokens of the preprocessed text that compilers' places in the translated text mean.
class TokenPlaces {
public:
  TokenPlaces(const Source& source, const Translation& translation)
      : source_(source), translation_(translation), stream_(tokenize(translation.text)) {
    std::uint32_t line_begin = 0, looked_at = 0;
    for (std::size_t i = 0; i + 1 < stream_.tokens.size(); ++i) {
      const Token& token = stream_.tokens[i];
      if (const std::size_t newline = stream_.text.substr(looked_at, token.offset - looked_at).rfind('\n');
          newline != std::string_view::npos)
        line_begin = looked_at + static_cast<std::uint32_t>(newline) + 1;
      looked_at = token.offset;
      order_.push_back({token.file, token.line, token.offset - line_begin + 1, i});
    }
    std::ranges::sort(order_);
  }

  /// The tokens, from the last one; none if the place is in no file of the program. Where a macro has left code for both sides
  /// on one line, several stand at a place.
  std::vector<std::size_t> tokens_at(const MessagePlace& place) const {
    std::vector<std::size_t> tokens;
    for (std::uint32_t file = 0; file < stream_.files.size() && tokens.empty(); ++file) {
      if (stream_.files[file].name != place.file) continue;
      const auto behind = std::ranges::upper_bound(order_, Entry{file, place.line, place.column, none});
      for (auto entry = behind; entry != order_.begin();) {
        const auto& [found, line, column, i] = *--entry;
        if (found != file || line != place.line) break;
        if (place.column < column + stream_.tokens[i].length)
          tokens.push_back(token_from(translation_.origins.original_of(stream_.tokens[i].offset)));
      }
    }
    return tokens;
  }

private:
  std::size_t token_from(std::size_t offset) const {
    const std::vector<Token>& tokens = source_.stream().tokens;
    const auto found = std::partition_point(tokens.begin(), tokens.end(), [&](const Token& token) {
      return token.offset + token.length <= offset;
    });
    return found == tokens.end() ? none : static_cast<std::size_t>(found - tokens.begin());
  }

  const Source& source_;
  const Translation& translation_;
  TokenStream stream_;
  using Entry =
      std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::size_t>; ///< file, line, column, token
  std::vector<Entry> order_;
};

/// Whether what stands at token i, within code that begins at `begin`, is not evaluated.
bool is_in_unevaluated_operand(const Source& source, std::size_t i, std::size_t begin) {
  for (std::size_t k = i; k-- > begin;) {
    if (source.closes(k)) {
      k = source.match(k);
      continue;
    }
    if (source.is(k, "(") && source.is_any(k - 1, {"sizeof", "alignof", "decltype", "noexcept", "requires",
                                                   "typeid", "__typeof__", "alignas"}))
      return true;
    if (source.is(k, "{") && (source.is(k - 1, "requires") ||
                              (source.closes(k - 1) && source.is(source.match(k - 1) - 1, "requires"))))
      return true;
    if (source.is(k, "sizeof") && !source.is(k + 1, "(")) { // of an expression without parentheses
      bool is_operand = true;
      for (std::size_t q = k + 1; q < i && is_operand; q = source.behind(q))
        is_operand = source.is_name(q) || source.is_any(q, {".", "->", "::", "*", "&", "(", "[", "!", "~"});
      if (is_operand) return true;
    }
  }
  return false;
}

/// Judges the uses.
class SideJudge {
public:
  SideJudge(std::string_view preprocessed, const Translation& translation, const TranslationOptions& options)
      : source_(preprocessed, options), all_(source_, find_declarations(source_)),
        functions_(source_, all_.declarations), known_(source_, all_.declarations),
        places_(source_, translation) {}

  /// Judges them in the order of the text: compilers look at templates last.
  const std::vector<TranslationError>& errors_of(const std::vector<MarkUse>& uses) {
    std::vector<Found> found;
    for (const MarkUse& use : uses) find(use, found);
    std::ranges::stable_sort(found, {}, [](const Found& one) { return one.code.token; });
    constexpr std::size_t most = 100; // what follows is mostly the same mistake again
    for (const Found& one : found)
      if (source_.errors().size() < most) judge(*one.use, one.code, one.is_made_by_compiler);
    return source_.errors();
  }

private:
  /// Where a use stands.
  struct CodeAround {
    std::size_t token = none;
    const Body* function = nullptr;
    const DeviceLambda* lambda = nullptr; ///< in which it stands, within the function if there is one
    const DeviceValue* value = nullptr;   ///< of a variable in device memory
    bool on_device = false;
    bool on_host = false;
    std::size_t begin = none;
  };

  struct Found {
    const MarkUse* use;
    CodeAround code;
    bool
        is_made_by_compiler; ///< in a function that the compiler makes, of which `code` is where it is first needed
  };

  void find(const MarkUse& use, std::vector<Found>& found) const {
    const auto add = [&](const MessagePlace& place, bool is_made_by_compiler) {
      const CodeAround code = code_at(token_at(place, use.mark.name));
      const bool is_code = code.function || code.lambda || code.value;
      if (is_code) found.push_back({&use, code, is_made_by_compiler});
      return is_code;
    };
    if (add(use.place, false)) return;
    for (const MessagePlace& place : use.required)
      if (add(place, true)) return;
  }

  /// The token at a place; of several the one that stands for what is called `name`, or the last.
  std::size_t token_at(const MessagePlace& place, std::string_view name) const {
    const std::vector<std::size_t> tokens = places_.tokens_at(place);
    const auto is_named = [&](std::size_t i) {
      return source_.is(name_token(i), name.substr(name.rfind(':') + 1)); // npos + 1 is 0
    };
    const auto found = std::ranges::find_if(tokens, is_named);
    return found != tokens.end() ? *found : tokens.empty() ? none : tokens.front();
  }

  CodeAround code_at(std::size_t token) const {
    CodeAround code;
    code.token = token;
    if (token == none) return code;
    for (const Body& body : all_.bodies) {
      const std::size_t begin = source_.match(body.function->parameters);
      if (begin == none || token <= begin || body.close == none || token >= body.close) continue;
      if (code.function && body.open < code.function->open) continue;
      code.function = &body;
      code.begin = begin;
      code.on_device = functions_.is_on_device(*body.function) || body.on_device;
      code.on_host = !body.function->has(source_, "__global__") && functions_.is_on_host(*body.function);
    }
    for (const DeviceLambda& lambda : all_.lambdas) {
      if (token <= lambda.open || token >= lambda.close || (code.begin != none && lambda.open < code.begin))
        continue;
      code.lambda = &lambda;
      code.begin = lambda.open;
      code.on_device = true;
      code.on_host = lambda.on_host;
    }
    for (const DeviceValue& value : all_.values)
      if (code.begin == none && value.begin < token && token < value.end) {
        code.value = &value;
        code.begin = value.begin;
        code.on_device = true;
      }
    if (code.begin != none && source_.is_shim(code.begin)) return CodeAround{};
    return code;
  }

  void judge(const MarkUse& use, const CodeAround& code, bool is_made_by_compiler) {
    if (use.mark.kind == MarkKind::constant) return constant(use, code);
    if (use.mark.kind == MarkKind::narrowing) return narrowing(use, code);
    const bool is_of_device = use.mark.kind == MarkKind::device_function;
    const bool is_wrong = is_of_device                 ? code.on_host
                          : is_variable(use.mark.kind) ? code.on_device
                                                       : code.on_device && !code.on_host;
    if (!is_wrong || (!is_of_device && !is_used(use, code)) || is_template_argument(code.token) ||
        is_in_unevaluated_operand(source_, code.token, code.begin) ||
        (!use.in_instance && is_chosen_when_compiled(code)))
      return;
    if (code.value)
      address_of_host(use, code);
    else if (is_of_device)
      device_function(use, code);
    else if (use.mark.kind == MarkKind::library_function)
      library_function(use, code);
    else if (!is_variable(use.mark.kind))
      host_function(use, code, is_made_by_compiler);
    else if (!is_made_by_compiler)
      host_variable(use, code);
  }

  /// Whether a function is named at token i as the argument of a template; g++ points behind it.
  bool is_template_argument(std::size_t i) const {
    if (source_.is(i, ">")) return true;
    std::size_t open = i;
    while (open > 0 && (source_.is_name(open) || source_.is_any(open, {",", "::", "&"}))) --open;
    const std::size_t close = source_.is(open, "<") ? source_.closing_angle(open) : none;
    return close != none && close > i && open < i;
  }

  /// Whether the code is a branch of an `if constexpr`, of which only the instances tell whether it is there at all.
  bool is_chosen_when_compiled(const CodeAround& code) const {
    for (std::size_t i = code.begin; i < code.token; ++i) {
      if (!source_.is(i, "if") || !source_.is(i + 1, "constexpr")) continue;
      const std::size_t end = behind_statement(source_, i, source_.size());
      if (code.token > source_.behind(i + 2) && (end == none || code.token < end)) return true;
    }
    return false;
  }

  bool is_used(const MarkUse& use, const CodeAround& code) const {
    return code.lambda || code.value || use.in_instance || known_.is_surely_used(*code.function->function);
  }

  /// The token of the function's name, where that is spelt; g++ points at the parenthesis behind it.
  std::size_t name_token(std::size_t i) const {
    if (source_.is(i, ")") && source_.closes(i)) i = source_.match(i);
    std::size_t name = source_.is(i, "(") ? i - 1 : i;
    if (source_.is(name, ">") && source_.opening_angle(name) != none) name = source_.opening_angle(name) - 1;
    return source_.is_name(name) ? name : i;
  }

  /// Whether the function is only named: without a call its address is taken.
  bool is_only_named(const MarkUse& use, std::size_t i) const {
    const std::string_view name = use.mark.name;
    const std::string_view last = name.substr(name.rfind(':') + 1); // npos + 1 is 0
    return !is_constructor(name) && source_.is(i, last) && !is_called(source_, i);
  }

  static bool is_constructor(std::string_view name) {
    const std::size_t last = name.rfind("::");
    if (last == name.npos) return false;
    const std::string_view own = name.substr(last + 2), owner = name.substr(0, last);
    return owner.substr(owner.rfind(':') + 1) == own;
  }

  /// Whether the object at token i is that of a `delete`.
  bool is_deleted(std::size_t i) const {
    for (; i > 0 && !source_.is_any(i, {";", "{", "}"}); --i)
      if (source_.is(i, "delete")) return true;
    return false;
  }

  /// Constructors have the destructors of bases at hand for where an exception comes.
  bool is_in_constructor(const CodeAround& code) const {
    return code.function && is_constructor(functions_.name_of(*code.function->function));
  }

  void host_function(const MarkUse& use, const CodeAround& code, bool is_made_by_compiler) {
    const std::size_t i = name_token(code.token);
    // What runs is the destructor of the object's own class.
    if (use.mark.kind == MarkKind::host_virtual_destructor &&
        (is_made_by_compiler || is_deleted(code.token) || is_in_constructor(code)))
      return;
    const std::string& name = use.mark.name;
    if (is_made_by_compiler)
      source_.error(
          i,
          concatenate({"the host function ", name,
                       " is called from device code, by a function that the compiler makes for the class "
                       "of this object; write __device__ before its declaration, or __host__ __device__ if "
                       "both call it"}));
    else if (is_only_named(use, i))
      source_.error(
          i,
          concatenate({"device code takes the address of the host function ", name,
                       "; write __device__ before its declaration, or __host__ __device__ if both call it"}));
    else
      refuse_host_function(source_, i, name);
  }

  /// Whether an element of the array that is named at token i is read, or the array is handed to a function of constants.
  bool is_read_as_constant(std::size_t i, const CodeAround& code) const {
    std::size_t begin = i;
    while (source_.is(begin - 1, "::") && source_.is_name(begin - 2)) begin -= 2;
    if (source_.is(i + 1, "[")) return !source_.is(begin - 1, "&");
    for (std::size_t k = begin - 1; k > code.begin; --k) {
      if (source_.closes(k))
        k = source_.match(k);
      else if (source_.is(k, "(") && source_.opens(k) && source_.is_name(k - 1))
        return true;
    }
    return false;
  }

  /// Of what else the host has, the compiler says itself that it is no constant.
  void address_of_host(const MarkUse& use, const CodeAround& code) {
    const std::size_t i = name_token(code.token);
    const bool is_object = is_variable(use.mark.kind);
    if (!source_.is_name(i) ||
        (is_object ? use.mark.kind == MarkKind::host_constant_array && is_read_as_constant(i, code)
                   : !is_only_named(use, i)))
      return;
    if (use.mark.kind == MarkKind::host_constant && !is_needed_in_memory(source_, all_.declarations, i))
      return;
    if (source_.mentions(code.begin, code.token, "?")) return; // the address may be left out
    std::size_t begin = i;
    while (source_.is(begin - 1, "::") && source_.is_name(begin - 2)) begin -= 2;
    source_.error(
        i, concatenate({source_.flat(begin, i + 1),
                        is_object ? " lies in the host's memory" : " is a function of the host",
                        ", and its address cannot be the initial value of a variable in device memory, where "
                        "kernels could not use it; write ",
                        is_object ? "__device__ or __constant__" : "__device__ or __host__ __device__",
                        " before its declaration"}));
  }

  void library_function(const MarkUse& use, const CodeAround& code) {
    const std::string_view name = use.mark.name;
    const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
      return std::ranges::find(names, name) != names.end();
    };
    const char* remedy = "write what it does as a function with __device__";
    if (is_one_of({"puts", "putchar", "putc", "fputs", "fputc", "fprintf", "vfprintf", "perror", "fflush",
                   "fwrite"}))
      remedy = "use printf, whose text comes when the kernel has ended";
    else if (is_one_of({"exit", "abort", "quick_exit"}))
      remedy = "to end a thread write return, to end with an error __trap() or assert";
    else if (is_one_of({"rand", "rand_r", "random", "drand48", "lrand48", "mrand48", "srand", "srandom",
                        "srand48"}))
      remedy =
          "use cuRAND's device functions, or a generator that keeps its state in a variable of the thread";
    else if (is_one_of({"time", "clock_gettime", "gettimeofday"}))
      remedy = "use clock64() in device code, or measure on the host";
    else if (is_one_of({"calloc", "realloc", "aligned_alloc", "posix_memalign"}))
      remedy = "device code has malloc and free alone of these";
    else if (is_one_of({"usleep", "sleep", "nanosleep"}))
      remedy = "use __nanosleep";
    source_.error(name_token(code.token),
                  concatenate({name, " is a function of the C library that the host alone has; ", remedy}));
  }

  static bool is_variable(MarkKind kind) {
    return kind == MarkKind::host_variable || kind == MarkKind::host_array ||
           kind == MarkKind::host_constant_array || kind == MarkKind::host_constant;
  }

  void host_variable(const MarkUse& use, const CodeAround& code) {
    const std::size_t i = code.token;
    const bool is_constant = use.mark.kind == MarkKind::host_constant_array;
    if (!source_.is_name(i) || (is_constant && is_in_constant_expression(i)) ||
        (code.on_host && !code.lambda && half_of(source_, code.function->open, i).host))
      return;
    if (code.on_host && code.function && code.function->function->is_constexpr(source_)) return;
    std::size_t begin = i;
    while (source_.is(begin - 1, "::") && source_.is_name(begin - 2)) begin -= 2;
    if (use.mark.kind == MarkKind::host_constant) {
      if (is_needed_in_memory(source_, all_.declarations, i))
        source_.error(
            i, concatenate(
                   {source_.flat(begin, i + 1),
                    " is a constant of the host, of which device code has the value alone, and here its "
                    "address is needed; copy it into a local variable first, or write __constant__ before "
                    "its declaration"}));
      return;
    }
    const char* remedy = is_constant ? "write __constant__ before its declaration"
                         : use.mark.kind == MarkKind::host_array
                             ? "write __device__ before its declaration, or copy it to "
                               "the device and pass a pointer"
                             : "pass it as an argument, or make it constexpr if it "
                               "never changes";
    source_.error(i, concatenate({source_.flat(begin, i + 1),
                                  " is a variable of the host, and device code does not have it; ", remedy}));
  }

  /// On both sides, and also where it is not evaluated.
  void narrowing(const MarkUse& use, const CodeAround& code) {
    if (code.token == none || !source_.is_own(code.token) ||
        !refuses_narrowing_at(source_, all_.declarations, code.token))
      return;
    source_.error(code.token,
                  concatenate({use.mark.name, " in braces; nvcc refuses it here, because the value may not "
                                              "fit: write static_cast to the type that is wanted"}));
  }

  /// An assignment is wrong on both sides, and also where it is not evaluated.
  void constant(const MarkUse& use, const CodeAround& code) {
    const std::size_t i = code.token;
    const bool is_looked_at = use.in_instance || code.lambda || !code.function ||
                              !known_.is_of_template(*code.function->function) ||
                              known_.is_surely_used(*code.function->function);
    if (!is_looked_at || !source_.is_name(i) || !is_assigned(source_, i)) return;
    const std::string name(source_.spelling(i));
    source_.error(i, concatenate({name,
                                  " is in constant memory, and an assignment cannot change it; the host "
                                  "writes it before the launch, with cudaMemcpyToSymbol(",
                                  name,
                                  ", &value, sizeof(value)), and kernels that write want a __device__ "
                                  "variable"}));
  }

  /// Whether the value at token i is needed by the compiler, which knows it.
  bool is_in_constant_expression(std::size_t i) const {
    for (std::size_t k = i; k > 0 && !source_.is_any(k, {";", "{", "}"}); --k)
      if (source_.is_any(k, {"constexpr", "static_assert", "case"})) return true;
    return false;
  }

  void device_function(const MarkUse& use, const CodeAround& code) {
    if (!code.on_host || use.in_instance || !code.function || code.lambda) return;
    const Declaration& function = *code.function->function;
    const std::size_t i = name_token(code.token);
    if (is_only_named(use, i)) return; // its address is a number for the host
    if (!code.on_device) {
      refuse_device_function(source_, i, use.mark.name);
    } else if (!known_.is_of_template(function) && !half_of(source_, code.function->open, i).device) {
      const std::string_view caller = source_.spelling(function.name);
      source_.error(
          i,
          concatenate({"the device function ", use.mark.name, " is called from ", caller,
                       ", which runs on the host too; write __host__ __device__ before the declaration of ",
                       use.mark.name, ", or __device__ alone before that of ", caller}));
    }
  }

  Source source_;
  AllBodies all_;
  FunctionsByName functions_;
  DeclaredFunctions known_;
  TokenPlaces places_;
};

bool is_about_marks(const std::string& warning) {
  return warning == "-w" || warning == "-Wno-deprecated-declarations" || warning == "-Wno-deprecated";
}

} // namespace

Judged judge(std::string_view said, std::string_view preprocessed, const Translation& translation,
             const TranslationOptions& options, const JudgeOptions& further) {
  MarkMessages sorting(further);
  sorting.run(said);
  Judged judged;
  judged.said = std::move(sorting.said);
  if (sorting.uses.empty()) return judged;
  SideJudge judge(preprocessed, translation, options);
  judged.errors = judge.errors_of(sorting.uses);
  return judged;
}

std::vector<std::string> with_marks_told(const std::vector<std::string>& warnings) {
  std::vector<std::string> result;
  for (const std::string& warning : warnings)
    if (!is_about_marks(warning)) result.push_back(warning);
  result.push_back("-Wdeprecated-declarations");
  result.push_back("-Wno-error=deprecated-declarations");
  return result;
}

} // namespace simt::compiler
