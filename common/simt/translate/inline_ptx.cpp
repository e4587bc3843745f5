// Inline PTX in device code: each asm statement becomes a block of C++ with a variable for each register, and a call of a
// function of simt_shim/ptx.h for each instruction. What is in no table here is refused by its name.
#include "simt/translate/inline_ptx.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "text/pattern.hpp"

namespace simt::compiler {
namespace {

/// What CUDA C++ has for PTX's special registers, and their bits.
struct SpecialRegister {
  std::string_view expression;
  unsigned bits;
};
const std::map<std::string, SpecialRegister, std::less<>> special_registers = {
    {"laneid", {"::simt::lane_id()", 32}},
    {"warpid", {"::simt::warp_id()", 32}},
    {"nwarpid", {"64u", 32}},
    {"smid", {"::simt::multiprocessor_id()", 32}},
    {"nsmid", {"::simt::multiprocessor_count", 32}},
    {"lanemask_eq", {"(1u << ::simt::lane_id())", 32}},
    {"lanemask_lt", {"((1u << ::simt::lane_id()) - 1)", 32}},
    {"lanemask_le", {"((2u << ::simt::lane_id()) - 1)", 32}},
    {"lanemask_gt", {"(0u - (2u << ::simt::lane_id()))", 32}},
    {"lanemask_ge", {"(0u - (1u << ::simt::lane_id()))", 32}},
    {"clock", {"static_cast<unsigned>(::clock64())", 32}},
    {"clock64", {"::clock64()", 64}},
    {"globaltimer", {"::clock64()", 64}},
    {"globaltimer_lo", {"static_cast<unsigned>(::clock64())", 32}},
    {"tid.x", {"::simt::thread_index().x", 32}},
    {"tid.y", {"::simt::thread_index().y", 32}},
    {"tid.z", {"::simt::thread_index().z", 32}},
    {"ntid.x", {"::simt::block_extent().x", 32}},
    {"ntid.y", {"::simt::block_extent().y", 32}},
    {"ntid.z", {"::simt::block_extent().z", 32}},
    {"ctaid.x", {"::simt::block_index().x", 32}},
    {"ctaid.y", {"::simt::block_index().y", 32}},
    {"ctaid.z", {"::simt::block_index().z", 32}},
    {"nctaid.x", {"::simt::grid_extent().x", 32}},
    {"nctaid.y", {"::simt::grid_extent().y", 32}},
    {"nctaid.z", {"::simt::grid_extent().z", 32}},
};

/// What an instruction takes an operand for.
struct Type {
  std::string_view name, cpp;
  unsigned bits;
  char kind; ///< b: any bits, i: an integer, f: a floating-point number, p: a predicate
};
constexpr Type types[] = {{"b8", "unsigned char", 8, 'b'},
                          {"u8", "unsigned char", 8, 'i'},
                          {"s8", "signed char", 8, 'i'},
                          {"b16", "unsigned short", 16, 'b'},
                          {"u16", "unsigned short", 16, 'i'},
                          {"s16", "short", 16, 'i'},
                          {"b32", "unsigned", 32, 'b'},
                          {"u32", "unsigned", 32, 'i'},
                          {"s32", "int", 32, 'i'},
                          {"b64", "unsigned long long", 64, 'b'},
                          {"u64", "unsigned long long", 64, 'i'},
                          {"s64", "long long", 64, 'i'},
                          {"f16", "::simt::ptx::f16", 16, 'b'},
                          {"bf16", "::simt::ptx::bf16", 16, 'b'},
                          {"f16x2", "::simt::ptx::f16x2", 32, 'b'},
                          {"bf16x2", "::simt::ptx::bf16x2", 32, 'b'},
                          {"f32", "float", 32, 'f'},
                          {"f64", "double", 64, 'f'},
                          {"pred", "bool", 1, 'p'}};

const Type* find_type(std::string_view name) {
  const auto found = std::ranges::find(types, name, &Type::name);
  return found == std::end(types) ? nullptr : found;
}
const Type& type_of(std::string_view name) { return *find_type(name); }

/// The integer type of twice the width.
std::string_view wide_name(std::string_view name) {
  return name == "u16" ? "u32" : name == "s16" ? "s32" : name == "u32" ? "u64" : "s64";
}

/// A variable for a register.
struct Register {
  std::string variable;
  unsigned bits = 32;
  char kind = 'b'; ///< as in Type; n: a constant
  bool is_output = false;
};

std::string_view cpp_of(const Register& reg) {
  if (reg.kind == 'p') return "bool";
  if (reg.kind == 'f') return reg.bits == 32 ? "float" : "double";
  return reg.bits == 16 ? "unsigned short" : reg.bits == 32 ? "unsigned" : "unsigned long long";
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n\r\v\f");
  if (begin == text.npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\n\r\v\f") - begin + 1));
}

/// What stands between the commas of a list, not within brackets.
std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for (const char c : text) {
    depth += c == '{' || c == '[' || c == '(';
    depth -= c == '}' || c == ']' || c == ')';
    if (c == ',' && depth == 0) {
      parts.push_back(trimmed(part));
      part.clear();
    } else {
      part += c;
    }
  }
  if (!trimmed(part).empty() || !parts.empty()) parts.push_back(trimmed(part));
  return parts;
}

/// A refusal, in words.
struct Refusal {
  std::string text;
};

/// The value of an integer constant as C++ writes it.
std::optional<std::string> integer_constant(std::string text) {
  static const warpbook::Pattern number("(-?)(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)U?");
  const auto match = number.match(text);
  if (!match) return std::nullopt;
  return (*match)[1] + (*match)[2] + "ull";
}

/// Writes the C++ of one asm statement's text.
class Writer {
public:
  Writer(std::vector<Register> operands, std::string unique)
      : operands_(std::move(operands)), unique_(std::move(unique)) {
    scopes_.emplace_back();
  }

  /// The block's statements. Throws a Refusal.
  std::string write(const std::string& text) {
    const std::string plain = without_comments(text);
    std::size_t at = 0;
    while (at < plain.size()) {
      const char c = plain[at];
      if (std::isspace(static_cast<unsigned char>(c)) || c == ';') {
        ++at;
      } else if (c == '{' || c == '}') {
        if (c == '{') scopes_.emplace_back();
        if (c == '}' && scopes_.size() == 1) throw Refusal{"a } closes nothing"};
        if (c == '}') scopes_.pop_back();
        body_ += c;
        ++at;
      } else {
        at = statement(plain, at);
      }
    }
    if (scopes_.size() != 1) throw Refusal{"a { is not closed"};
    return (uses_carry_ ? "bool simt_carry = false; " : "") + body_;
  }

private:
  static std::string without_comments(const std::string& text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool is_long = text.compare(i, 2, "/*") == 0;
      if (!is_long && text.compare(i, 2, "//") != 0) {
        plain += text[i];
        continue;
      }
      const std::size_t end = is_long ? text.find("*/", i + 2) : text.find('\n', i);
      if (end == text.npos) break;
      i = is_long ? end + 1 : end;
      plain += ' ';
    }
    return plain;
  }

  std::size_t statement(const std::string& text, std::size_t at) {
    std::size_t word = at;
    while (word < text.size() && (is_word(text[word]) || text[word] == '%')) ++word;
    std::size_t behind = word;
    while (behind < text.size() && std::isspace(static_cast<unsigned char>(text[behind]))) ++behind;
    if (word > at && behind < text.size() && text[behind] == ':' && text.compare(behind, 2, "::") != 0) {
      body_ += label(text.substr(at, word - at)) + ":; ";
      return behind + 1;
    }
    const std::size_t end = text.find(';', at);
    if (end == text.npos)
      throw Refusal{"the instruction `" + trimmed(text.substr(at)) + "` does not end with ;"};
    instruction(trimmed(text.substr(at, end - at)));
    return end + 1;
  }

  std::string label(const std::string& name) const {
    std::string plain;
    for (const char c : name) plain += is_word(c) && c != '$' ? c : '_';
    return "simt_label_" + plain + "_" + unique_;
  }

  void declare(const std::string& text) {
    static const warpbook::Pattern form("\\.reg\\s+\\.(\\w+)\\s+(.*)");
    const auto match = form.match(text);
    const Type* type = match ? find_type((*match)[1]) : nullptr;
    if (!type || type->bits == 8) throw Refusal{"the declaration `" + text + "` is not simulated"};
    for (const std::string& name : split_list((*match)[2])) {
      static const warpbook::Pattern counted("(%?[\\w$]+)\\s*<(\\d+)>");
      std::vector<std::string> names = {name};
      if (const auto several = counted.match(name)) {
        names.clear();
        for (int i = 0; i < std::min(std::stoi((*several)[2].substr(0, 4)), 256); ++i)
          names.push_back((*several)[1] + std::to_string(i));
      }
      for (const std::string& one : names) {
        Register reg{"simt_reg_" + plain_name(one) + "_" + unique_, type->bits, type->kind, true};
        scopes_.back()[one] = reg;
        body_ += std::string(cpp_of(reg)) + " " + reg.variable + "; ";
      }
    }
  }
  static std::string plain_name(const std::string& name) {
    std::string plain;
    for (const char c : name) plain += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '_';
    return plain;
  }

  /// The register that an operand names, if it does.
  const Register* find_register(const std::string& text) const {
    if (text.size() > 1 && text[0] == '%' && std::isdigit(static_cast<unsigned char>(text[1]))) {
      const std::size_t number = std::stoul(text.substr(1, 3));
      if (text.find_first_not_of("0123456789", 1) != text.npos) return nullptr;
      if (number >= operands_.size())
        throw Refusal{text + " is no operand: there are " + std::to_string(operands_.size())};
      return &operands_[number];
    }
    for (std::size_t i = scopes_.size(); i-- > 0;)
      if (const auto found = scopes_[i].find(text); found != scopes_[i].end()) return &found->second;
    return nullptr;
  }

  [[noreturn]] void mismatch(const std::string& operand, const Type& type) const {
    throw Refusal{"the operand " + operand + " of " + opcode_ + " is no ." + std::string(type.name)};
  }

  /// The value of a source operand.
  std::string value(const std::string& text, const Type& type, bool may_be_wider = false) const {
    std::string name = text;
    const bool is_inverted = type.kind == 'p' && name.starts_with("!");
    if (is_inverted) name = trimmed(name.substr(1));
    if (const Register* reg = find_register(name)) {
      if (reg->kind == 'n') {
        if (type.kind != 'b' && type.kind != 'i') mismatch(text, type);
        return concatenate({"static_cast<", type.cpp, ">(", reg->variable, ")"});
      }
      require_fit(name, *reg, type, may_be_wider);
      if (type.kind == 'p') return (is_inverted ? "!" : "") + reg->variable;
      return concatenate(
          {"::simt::ptx::", may_be_wider ? "lowest" : "as", "<", type.cpp, ">(", reg->variable, ")"});
    }
    if (name == "_") throw Refusal{"_ is no source of " + opcode_};
    if (name.starts_with("%")) {
      const auto special = special_registers.find(name.substr(1));
      if (special == special_registers.end()) throw Refusal{"the register " + name + " is not simulated"};
      if (special->second.bits != type.bits || type.kind == 'f') mismatch(text, type);
      return concatenate({"static_cast<", type.cpp, ">(", special->second.expression, ")"});
    }
    return constant(name, type);
  }

  std::string constant(const std::string& text, const Type& type) const {
    static const warpbook::Pattern bits("0([fFdD])([0-9a-fA-F]{8}|[0-9a-fA-F]{16})");
    static const warpbook::Pattern decimal("-?[0-9]+\\.[0-9]*([eE][-+]?[0-9]+)?");
    if (const auto match = bits.match(text)) {
      const bool is_single = (*match)[2].size() == 8;
      if (type.kind != 'f') mismatch(text, type);
      return concatenate({"static_cast<", type.cpp, ">(::simt::ptx::as<", is_single ? "float" : "double",
                          ">(0x", (*match)[2], is_single ? "u" : "ull", "))"});
    }
    if (decimal.match(text)) {
      if (type.kind != 'f') mismatch(text, type);
      return concatenate({"static_cast<", type.cpp, ">(", text, ")"});
    }
    if (const auto number = integer_constant(text)) {
      if (type.kind == 'f') mismatch(text, type);
      if (type.name.find("f16") != type.name.npos) mismatch(text, type);
      return concatenate({"static_cast<", type.cpp, ">(", *number, ")"});
    }
    throw Refusal{"`" + text + "`, an operand of " + opcode_ + ", is no register and no number"};
  }

  void require_fit(const std::string& text, const Register& reg, const Type& type, bool may_be_wider) const {
    const bool is_predicate = type.kind == 'p';
    if (is_predicate != (reg.kind == 'p')) mismatch(text, type);
    if (is_predicate) return;
    if (reg.bits != type.bits && !(may_be_wider && reg.bits > type.bits && reg.kind != 'f'))
      mismatch(text, type);
    if (type.kind != 'b' && reg.kind != 'b' && type.kind != reg.kind && !may_be_wider) mismatch(text, type);
    if ((type.name == "f16" || type.name == "bf16") && reg.kind == 'f') mismatch(text, type);
  }

  /// Assigns `expression`, of the type, to a destination.
  std::string assignment(const std::string& text, const Type& type, const std::string& expression,
                         bool may_be_wider = false) const {
    if (text == "_") return expression + "; ";
    const Register* reg = find_register(text);
    if (!reg || !reg->is_output) throw Refusal{"`" + text + "` is nothing that " + opcode_ + " can write to"};
    require_fit(text, *reg, type, may_be_wider);
    return concatenate({reg->variable, " = ::simt::ptx::", may_be_wider ? "extended" : "as", "<",
                        cpp_of(*reg), ">(", expression, "); "});
  }

  /// An address: `[reg]`, `[reg+16]`, `[16]`; in the window of shared memory if `is_shared`.
  std::string address(const std::string& text, bool is_shared) const {
    static const warpbook::Pattern form("\\[\\s*([%\\w$]+)\\s*(([-+])\\s*(-?\\w+))?\\s*\\]");
    const auto match = form.match(text);
    if (!match) throw Refusal{"`" + text + "` is no address that is simulated"};
    std::string base;
    if (const Register* reg = find_register((*match)[1])) {
      if (reg->kind == 'f' || reg->kind == 'p' || reg->bits < 32)
        throw Refusal{"the operand " + (*match)[1] + " of " + opcode_ + " is no address"};
      base = "static_cast<unsigned long long>(" + reg->variable + ")";
    } else {
      base = constant((*match)[1], type_of("u64"));
    }
    if (match->has(4)) {
      std::string offset;
      if (const Register* reg = find_register((*match)[4]))
        offset = "static_cast<unsigned long long>(" + reg->variable + ")";
      else
        offset = constant((*match)[4], type_of("s64"));
      base += " " + (*match)[3] + " " + offset;
    }
    return std::string(is_shared ? "::simt::ptx::from_shared(" : "::simt::ptx::generic(") + base + ")";
  }

  void instruction(const std::string& whole) {
    std::string text = whole;
    if (text.starts_with(".reg")) return declare(text);
    std::string guard;
    if (text.starts_with("@")) {
      static const warpbook::Pattern form("@\\s*(!?)\\s*([%\\w$]+)\\s+(.*)");
      const auto match = form.match(newlines_as_blanks(text));
      if (!match) throw Refusal{"`" + text + "` is not simulated"};
      const Register* predicate = find_register((*match)[2]);
      if (!predicate || predicate->kind != 'p') throw Refusal{(*match)[2] + " is no predicate"};
      guard = "if (" + (*match)[1] + predicate->variable + ") ";
      text = (*match)[3];
    }
    text = newlines_as_blanks(text);
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    opcode_ = text.substr(0, end);
    arguments_ = split_list(trimmed(std::string_view(text).substr(end)));
    if (opcode_.starts_with(".")) throw Refusal{"the directive `" + opcode_ + "` is not simulated"};
    const std::string done = translated();
    body_ += guard + "{ " + done + "} ";
  }
  static std::string newlines_as_blanks(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return std::isspace(static_cast<unsigned char>(c)); }, ' ');
    return text;
  }

  void require_arguments(std::size_t least, std::size_t most) const {
    if (arguments_.size() < least || arguments_.size() > most)
      throw Refusal{opcode_ + " has " + std::to_string(least) +
                    (most > least ? " or " + std::to_string(most) : "") + " operands, not " +
                    std::to_string(arguments_.size())};
  }

  /// d = function(sources), where `signature` has the types of d and of the sources.
  std::string call(std::initializer_list<std::string_view> signature, const std::string& function) const {
    require_arguments(signature.size(), signature.size());
    std::string inner;
    for (std::size_t i = 1; i < signature.size(); ++i)
      inner += (i > 1 ? ", " : "") + value(arguments_[i], type_of(signature.begin()[i]));
    return assignment(arguments_[0], type_of(signature.begin()[0]),
                      "::simt::ptx::" + function + "(" + inner + ")");
  }
  /// The same, with .ftz and .sat of floats.
  std::string float_call(std::size_t sources, std::string_view type, const std::string& function,
                         bool flushes, bool saturates) const {
    require_arguments(sources + 1, sources + 1);
    const bool is_single = type == "f32";
    if ((flushes || saturates) && !is_single) throw Refusal{opcode_ + " is not simulated"};
    std::string inner;
    for (std::size_t i = 1; i <= sources; ++i) {
      const std::string source = value(arguments_[i], type_of(type));
      inner += (i > 1 ? ", " : "") + (flushes ? "::simt::ptx::flushed(" + source + ")" : source);
    }
    std::string result = "::simt::ptx::" + function + "(" + inner + ")";
    if (flushes) result = "::simt::ptx::flushed(" + result + ")";
    if (saturates) result = "::simt::ptx::saturated(" + result + ")";
    return assignment(arguments_[0], type_of(type), result);
  }
  static std::string of(const std::string& function, std::string_view type) {
    return function + "<" + std::string(type_of(type).cpp) + ">";
  }

  /// One family of instructions: the C++, or nothing if the instruction is none of them.
  using Family = std::optional<std::string> (Writer::*)();

  std::string translated() {
    static constexpr Family families[] = {&Writer::moves,   &Writer::integers,    &Writer::bits,
                                          &Writer::floats,  &Writer::comparisons, &Writer::conversions,
                                          &Writer::memory,  &Writer::atomics,     &Writer::warps,
                                          &Writer::control, &Writer::copies};
    for (const Family family : families)
      if (auto done = (this->*family)()) return *done;
    throw Refusal{"the PTX instruction " + opcode_ + " is not simulated"};
  }

  std::optional<warpbook::Match> is(const char* expression) const {
    // Compiled once each: the expressions are literals.
    static std::map<const char*, warpbook::Pattern> patterns;
    const auto found = patterns.try_emplace(expression, expression).first;
    return found->second.match(opcode_);
  }

  std::optional<std::string> moves() {
    if (const auto match = is("mov\\.([bus](16|32|64)|f32|f64|pred)")) {
      const std::string type = (*match)[1];
      require_arguments(2, 2);
      if (arguments_[0].starts_with("{") || arguments_[1].starts_with("{")) return packed(type_of(type));
      return call({type, type}, of("same", type));
    }
    if (const auto match = is("cvta(\\.to)?\\.(shared|global|const|local|param)(::cta)?\\.u(32|64)")) {
      const std::string type = "u" + (*match)[4];
      require_arguments(2, 2);
      const bool is_shared = (*match)[2] == "shared", to = match->has(1);
      const std::string from = value(arguments_[1], type_of(type));
      return assignment(arguments_[0], type_of(type),
                        concatenate({"static_cast<", type_of(type).cpp, ">(::simt::ptx::",
                                     !is_shared ? "generic"
                                     : to       ? "to_shared"
                                                : "from_shared",
                                     "(", from, "))"}));
    }
    if (const auto match = is("selp\\.([busf](16|32|64))")) {
      const std::string type = (*match)[1];
      require_arguments(4, 4);
      return assignment(
          arguments_[0], type_of(type),
          concatenate({value(arguments_[3], type_of("pred")), " ? ", value(arguments_[1], type_of(type)),
                       " : ", value(arguments_[2], type_of(type))}));
    }
    return std::nullopt;
  }

  std::vector<std::string> parts_of(const std::string& text) const {
    return split_list(std::string_view(text).substr(1, text.size() - 2));
  }
  /// mov.b64 %0, {%1, %2}; and the other way.
  std::string packed(const Type& type) const {
    const bool packs = arguments_[1].starts_with("{");
    const std::vector<std::string> parts = parts_of(arguments_[packs ? 1 : 0]);
    if (type.kind != 'b' || (parts.size() != 2 && parts.size() != 4) || type.bits / parts.size() < 16)
      throw Refusal{"the PTX instruction " + opcode_ + " of these operands is not simulated"};
    const unsigned width = type.bits / static_cast<unsigned>(parts.size());
    const Type& part = type_of("b" + std::to_string(width));
    std::string result;
    if (packs) {
      for (std::size_t i = 0; i < parts.size(); ++i)
        result += concatenate({i > 0 ? " | " : "", "static_cast<unsigned long long>(", value(parts[i], part),
                               ") << ", std::to_string(i * width)});
      return assignment(arguments_[0], type, concatenate({"static_cast<", type.cpp, ">(", result, ")"}));
    }
    result = concatenate({"const ", type.cpp, " simt_whole = ", value(arguments_[1], type), "; "});
    for (std::size_t i = 0; i < parts.size(); ++i)
      result += assignment(
          parts[i], part,
          concatenate({"static_cast<", part.cpp, ">(simt_whole >> ", std::to_string(i * width), ")"}));
    return result;
  }

  std::optional<std::string> integers() {
    if (const auto match = is("(add|sub)\\.([us](16|32|64))")) {
      const std::string type = (*match)[2];
      return call({type, type, type}, of((*match)[1], type));
    }
    if (const auto match = is("(add|sub)\\.sat\\.s32"))
      return call({"s32", "s32", "s32"}, (*match)[1] + "_sat");
    if (const auto match = is("(add|sub)(c?)(\\.cc)?\\.([us](32|64))");
        match && (match->has(3) || (*match)[2] == "c"))
      return with_carry((*match)[1] + "_carry", (*match)[4], (*match)[2] == "c", match->has(3), "");
    if (const auto match = is("mad(c?)\\.(lo|hi)(\\.cc)?\\.([us](32|64))");
        match && (match->has(3) || (*match)[1] == "c"))
      return with_carry("add_carry", (*match)[4], (*match)[1] == "c", match->has(3), "mul_" + (*match)[2]);
    if (const auto match = is("(mul|mul24)\\.(lo|hi)\\.([us](16|32|64))");
        match && !((*match)[1] == "mul24" && ((*match)[2] == "hi" || (*match)[4] != "32"))) {
      const std::string type = (*match)[3];
      return call({type, type, type}, of((*match)[1] + "_" + (*match)[2], type));
    }
    if (const auto match = is("(mad|mad24)\\.(lo|hi)\\.([us](16|32|64))");
        match && !((*match)[1] == "mad24" && ((*match)[2] == "hi" || (*match)[4] != "32"))) {
      const std::string type = (*match)[3];
      return call({type, type, type, type}, of((*match)[1] + "_" + (*match)[2], type));
    }
    if (const auto match = is("mul\\.wide\\.([us](16|32))")) {
      const std::string type = (*match)[1];
      return call({wide_name(type), type, type}, of("mul_wide", type));
    }
    if (const auto match = is("mad\\.wide\\.([us](16|32))")) {
      const std::string type = (*match)[1];
      return call({wide_name(type), type, type, wide_name(type)}, of("mad_wide", type));
    }
    if (const auto match = is("(div|rem|min|max)\\.([us](16|32|64))")) {
      const std::string type = (*match)[2];
      return call({type, type, type}, of((*match)[1], type));
    }
    if (const auto match = is("(neg|abs)\\.(s(16|32|64))")) {
      const std::string type = (*match)[2];
      return call({type, type}, of((*match)[1], type));
    }
    if (const auto match = is("sad\\.([us](16|32|64))")) {
      const std::string type = (*match)[1];
      return call({type, type, type, type}, of("sad", type));
    }
    if (const auto match = is("dp4a\\.([us])32\\.([us])32")) {
      const auto byte = [](const std::string& sign) { return sign == "u" ? "unsigned char" : "signed char"; };
      return call({"b32", "b32", "b32", "b32"},
                  concatenate({"dp4a<", byte((*match)[1]), ", ", byte((*match)[2]), ">"}));
    }
    if (is("vabsdiff4\\.u32\\.u32\\.u32\\.add")) return call({"u32", "u32", "u32", "u32"}, "vabsdiff4_add");
    return std::nullopt;
  }

  std::string with_carry(const std::string& function, const std::string& type, bool takes, bool leaves,
                         const std::string& product) {
    const std::size_t sources = product.empty() ? 2 : 3;
    require_arguments(sources + 1, sources + 1);
    if (takes && !uses_carry_)
      throw Refusal{opcode_ +
                    " takes a carry that no instruction of this asm has left; put those that belong together "
                    "into one asm"};
    uses_carry_ = true;
    std::string first = value(arguments_[1], type_of(type)), second = value(arguments_[2], type_of(type));
    if (!product.empty()) {
      first = "::simt::ptx::" + of(product, type) + "(" + first + ", " + second + ")";
      second = value(arguments_[3], type_of(type));
    }
    return std::string(leaves ? "bool& simt_out = simt_carry; " : "bool simt_out = false; ") +
           assignment(arguments_[0], type_of(type),
                      concatenate({"::simt::ptx::", of(function, type), "(", first, ", ", second, ", ",
                                   takes ? "simt_carry" : "false", ", simt_out)"})) +
           "(void)simt_out; ";
  }

  std::optional<std::string> bits() {
    if (const auto match = is("(and|or|xor)\\.(b16|b32|b64|pred)")) {
      const std::string type = (*match)[2];
      return call({type, type, type}, of("bits_" + (*match)[1], type));
    }
    if (const auto match = is("not\\.(b16|b32|b64|pred)")) {
      const std::string type = (*match)[1];
      return call({type, type}, of("bits_not", type));
    }
    if (const auto match = is("(shl|shr)\\.([bus](16|32|64))");
        match && !((*match)[1] == "shl" && (*match)[2][0] != 'b')) {
      const std::string type = (*match)[2];
      return call({type, type, "u32"}, of((*match)[1], type));
    }
    if (const auto match = is("shf\\.(l|r)\\.(wrap|clamp)\\.b32"))
      return call({"b32", "b32", "b32", "u32"}, "shf_" + (*match)[1] + "_" + (*match)[2]);
    if (const auto match = is("bfe\\.([us](32|64))")) {
      const std::string type = (*match)[1];
      return call({type, type, "u32", "u32"}, of("bfe", type));
    }
    if (const auto match = is("bfi\\.(b32|b64)")) {
      const std::string type = (*match)[1];
      return call({type, type, type, "u32", "u32"}, of("bfi", type));
    }
    if (const auto match = is("bfind(\\.shiftamt)?\\.([us](32|64))")) {
      const std::string type = (*match)[2];
      require_arguments(2, 2);
      return assignment(
          arguments_[0], type_of("u32"),
          concatenate({"::simt::ptx::", of("bfind", type), "(", value(arguments_[1], type_of(type)), ", ",
                       match->has(1) ? "true" : "false", ")"}));
    }
    if (const auto match = is("(clz|popc)\\.(b32|b64)"))
      return call({"u32", (*match)[2]}, of((*match)[1], (*match)[2]));
    if (const auto match = is("brev\\.(b32|b64)"))
      return call({(*match)[1], (*match)[1]}, of("brev", (*match)[1]));
    if (is("prmt\\.b32")) return call({"b32", "b32", "b32", "b32"}, "prmt");
    if (is("lop3\\.b32")) return call({"b32", "b32", "b32", "b32", "u32"}, "lop3");
    return std::nullopt;
  }

  std::optional<std::string> floats() {
    if (const auto match = is("(add|sub|mul)(\\.(rn|rz|rm|rp))?(\\.ftz)?(\\.sat)?\\.(f32|f64)"))
      return float_call(2, (*match)[6], (*match)[1] + "_" + (match->has(3) ? (*match)[3] : "rn"),
                        match->has(4), match->has(5));
    if (const auto match = is("(fma|mad)\\.(rn|rz|rm|rp)(\\.ftz)?(\\.sat)?\\.(f32|f64)"))
      return float_call(3, (*match)[5], "fma_" + (*match)[2], match->has(3), match->has(4));
    if (const auto match = is("(add|sub|mul)(\\.rn)?\\.(f16|f16x2|bf16|bf16x2)")) {
      const std::string type = (*match)[3];
      return call({type, type, type}, (*match)[1] + "_rn");
    }
    if (const auto match = is("fma\\.rn\\.(f16|f16x2|bf16|bf16x2)")) {
      const std::string type = (*match)[1];
      return call({type, type, type, type}, "fma_rn");
    }
    if (const auto match = is("div\\.(rn|rz|rm|rp|approx|full)(\\.ftz)?\\.(f32|f64)")) {
      const bool is_approximate = (*match)[1] == "approx" || (*match)[1] == "full";
      if (is_approximate && (*match)[3] == "f64") return std::nullopt;
      return float_call(2, (*match)[3], "div_" + (is_approximate ? "rn" : (*match)[1]), match->has(2), false);
    }
    if (const auto match = is("(rcp|sqrt)\\.(rn|rz|rm|rp|approx)(\\.ftz)?\\.(f32|f64)")) {
      if ((*match)[2] == "approx" && (*match)[4] == "f64") return std::nullopt;
      return float_call(1, (*match)[4], (*match)[1] + "_" + ((*match)[2] == "approx" ? "rn" : (*match)[2]),
                        match->has(3), false);
    }
    if (const auto match = is("(rsqrt)\\.approx(\\.ftz)?\\.(f32|f64)"))
      return float_call(1, (*match)[3], "rsqrt", match->has(2), false);
    if (const auto match = is("(ex2|lg2|sin|cos|tanh)\\.approx(\\.ftz)?\\.f32"))
      return (*match)[1] == "tanh" && match->has(2)
                 ? std::nullopt
                 : std::optional(float_call(1, "f32", (*match)[1], match->has(2), false));
    if (const auto match = is("(min|max)(\\.ftz)?(\\.NaN)?\\.f32"))
      return float_call(2, "f32", (*match)[1] + (match->has(3) ? "_nan" : "") + "<float>", match->has(2),
                        false);
    if (const auto match = is("(min|max)\\.f64"))
      return call({"f64", "f64", "f64"}, (*match)[1] + "<double>");
    if (const auto match = is("(neg|abs)(\\.ftz)?\\.(f32|f64)"))
      return float_call(1, (*match)[3], of((*match)[1], (*match)[3]), match->has(2), false);
    if (const auto match = is("copysign\\.(f32|f64)"))
      return call({(*match)[1], (*match)[1], (*match)[1]}, "copysign");
    return std::nullopt;
  }

  std::optional<std::string> comparisons() {
    const auto match = is("(setp|set)\\.(eq|ne|lt|le|gt|ge|lo|ls|hi|hs|equ|neu|ltu|leu|gtu|geu|num|nan)(\\.("
                          "and|or|xor))?(\\.ftz)?"
                          "(\\.(u32|s32|f32))?\\.([bus](16|32|64)|f32|f64)");
    if (!match || ((*match)[1] == "set") != match->has(6)) return std::nullopt;
    static const std::map<std::string, std::string> unsigned_names = {
        {"lo", "lt"}, {"ls", "le"}, {"hi", "gt"}, {"hs", "ge"}};
    const std::string comparison = (*match)[2], type = (*match)[8];
    const auto of_unsigned = unsigned_names.find(comparison);
    const bool is_float = type[0] == 'f';
    const bool for_floats = comparison.size() == 3; // equ, num
    if (!is_float && (for_floats || (type[0] == 'b' && comparison != "eq" && comparison != "ne")))
      return std::nullopt;
    if (of_unsigned != unsigned_names.end() && type[0] != 'u') return std::nullopt;
    const bool combines = match->has(4);
    require_arguments(combines ? 4 : 3, combines ? 4 : 3);
    const auto operand = [&](std::size_t i) {
      const std::string source = value(arguments_[i], type_of(type));
      return match->has(5) ? "::simt::ptx::flushed(" + source + ")" : source;
    };
    const std::string function = of_unsigned == unsigned_names.end() ? comparison : of_unsigned->second;
    std::string result = concatenate(
        {"const bool simt_holds = ::simt::ptx::", function, "(", operand(1), ", ", operand(2), "); "});
    std::string combined = "simt_holds", opposite = "!simt_holds";
    if (combines) {
      const std::string other = value(arguments_[3], type_of("pred"));
      const std::string_view sign = (*match)[4] == "and" ? " & " : (*match)[4] == "or" ? " | " : " ^ ";
      result += "const bool simt_other = " + other + "; ";
      combined = concatenate({"static_cast<bool>(simt_holds", sign, "simt_other)"});
      opposite = concatenate({"static_cast<bool>(!simt_holds", sign, "simt_other)"});
    }
    if ((*match)[1] == "set") {
      const std::string to = (*match)[7];
      const std::string one = to == "f32" ? "1.0f" : to == "s32" ? "-1" : "~0u";
      return result + assignment(arguments_[0], type_of(to),
                                 concatenate({combined, " ? ", one, " : ",
                                              to == "f32"   ? "0.0f"
                                              : to == "s32" ? "0"
                                                            : "0u"}));
    }
    const std::size_t bar = arguments_[0].find('|');
    if (bar == std::string::npos) return result + assignment(arguments_[0], type_of("pred"), combined);
    return result + assignment(trimmed(arguments_[0].substr(0, bar)), type_of("pred"), combined) +
           assignment(trimmed(arguments_[0].substr(bar + 1)), type_of("pred"), opposite);
  }

  std::optional<std::string> conversions() {
    if (is("cvt\\.rna\\.tf32\\.f32")) return call({"b32", "f32"}, "to_tf32");
    if (const auto match = is("cvt\\.(rn|rz)\\.(f16x2|bf16x2)\\.f32"))
      return call({(*match)[2], "f32", "f32"},
                  concatenate({"converted_pair<", type_of((*match)[2]).cpp,
                               ", ::simt::ptx::Round::", (*match)[1] == "rn" ? "nearest" : "zero", ">"}));
    const auto match =
        is("cvt(\\.(rni|rzi|rmi|rpi|rn|rz|rm|rp))?(\\.ftz)?(\\.sat)?\\.([us](8|16|32|64)|f16|bf16|f32|f64)\\."
           "([us](8|16|32|64)|f16|bf16|f32|f64)");
    if (!match) return std::nullopt;
    require_arguments(2, 2);
    const Type &to = type_of((*match)[5]), &from = type_of((*match)[7]);
    const bool to_integer = to.kind == 'i', from_integer = from.kind == 'i';
    const std::string rounding = (*match)[2];
    const bool is_whole = rounding.size() == 3;
    const unsigned to_digits = to.name == "bf16" ? 8 : to.bits == 16 ? 11 : to.bits == 32 ? 24 : 53;
    const unsigned from_digits = from.name == "bf16" ? 8 : from.bits == 16 ? 11 : from.bits == 32 ? 24 : 53;
    // What ptxas asks for: a rounding to whole numbers for integers, one of floats where digits can be lost, none else.
    const bool needs_whole = to_integer && !from_integer;
    const bool needs_float = !to_integer && (from_integer || from_digits > to_digits);
    if (needs_whole && !is_whole) throw Refusal{opcode_ + " needs a rounding: .rni, .rzi, .rmi or .rpi"};
    if (needs_float && (rounding.empty() || is_whole))
      throw Refusal{opcode_ + " needs a rounding: .rn, .rz, .rm or .rp"};
    if (to_integer && from_integer && !rounding.empty()) throw Refusal{opcode_ + " has no rounding"};
    if (!rounding.empty() && !is_whole && !needs_float)
      throw Refusal{opcode_ + " loses nothing, and has no rounding"};
    static const std::map<char, std::string_view> names = {
        {'n', "nearest"}, {'z', "zero"}, {'m', "down"}, {'p', "up"}};
    std::string source = value(arguments_[1], from, from_integer);
    if (match->has(3)) {
      if (from.name != "f32" && to.name != "f32") throw Refusal{opcode_ + " has no .ftz"};
      if (from.name == "f32") source = "::simt::ptx::flushed(" + source + ")";
    }
    std::string result =
        concatenate({"::simt::ptx::converted<", to.cpp,
                     ", ::simt::ptx::Round::", rounding.empty() ? "none" : names.at(rounding[1]), ", ",
                     is_whole ? "true" : "false", ", ", match->has(4) ? "true" : "false", ">(", source, ")"});
    if (match->has(3) && to.name == "f32") result = "::simt::ptx::flushed(" + result + ")";
    return assignment(arguments_[0], to, result, to_integer);
  }

  /// The order and the scope of an access, as an argument.
  static std::string ordering(const std::string& order, const std::string& scope) {
    const std::string_view name = order == "acquire"   ? "acquire"
                                  : order == "release" ? "release"
                                  : order == "acq_rel" ? "acq_rel"
                                                       : "relaxed";
    const std::string_view where = scope == "cta"   ? "simt_scope_block"
                                   : scope == "sys" ? "simt_scope_system"
                                                    : "simt_scope_device";
    return concatenate({"::simt::ptx::ordering(::simt::ptx::", name, ", ", where, ")"});
  }

  std::optional<std::string> memory() {
    if (is("prefetch(u)?(\\.(global|local))?\\.L[12](::\\w+)?|discard\\.global\\.L2")) {
      if (arguments_.empty()) require_arguments(1, 2);
      address(arguments_[0], false);
      return "";
    }
    static constexpr const char* hints = "((\\.(ca|cg|cs|cv|lu|wb|wt|nc|L1::\\w+|L2::\\w+))*)";
    static const std::string load_form =
        concatenate({"ldu?(\\.(weak|volatile|(relaxed|acquire)\\.(cta|gpu|sys|cluster)))?"
                     "(\\.(global|shared(::cta)?|const|local))?",
                     hints, "(\\.(v2|v4))?\\.([bus](8|16|32|64)|f32|f64)"});
    static const std::string store_form =
        concatenate({"st(\\.(weak|volatile|(relaxed|release)\\.(cta|gpu|sys|cluster)))?"
                     "(\\.(global|shared(::cta)?|local))?",
                     hints, "(\\.(v2|v4))?\\.([bus](8|16|32|64)|f32|f64)"});
    const auto load = is(load_form.c_str()), store = load ? std::nullopt : is(store_form.c_str());
    if (!load && !store) return std::nullopt;
    const warpbook::Match& match = load ? *load : *store;
    const Type& type = type_of(match[13]);
    const bool is_shared = match[6].starts_with("shared");
    const unsigned count = match.has(12) ? static_cast<unsigned>(match[12][1] - '0') : 1;
    require_arguments(2, 2);
    const std::string place = address(arguments_[load ? 1 : 0], is_shared);
    const std::string& data = arguments_[load ? 0 : 1];
    const bool is_ordered = match.has(3), is_volatile = match[2] == "volatile";
    if (count == 1) {
      const std::string kind =
          is_ordered ? "_ordered<" + std::string(type.cpp) + ", " + ordering(match[3], match[4]) + ">"
                     : concatenate({is_volatile ? "_volatile<" : "<", type.cpp, ">"});
      if (load)
        return assignment(data, type, concatenate({"::simt::ptx::load", kind, "(", place, ")"}), true);
      return concatenate({"::simt::ptx::store", kind, "(", place, ", ", value(data, type, true), "); "});
    }
    if (!data.starts_with("{") || is_ordered || is_volatile || type.bits * count > 128 ||
        type.bits * count < 16)
      throw Refusal{"the PTX instruction " + opcode_ + " of these operands is not simulated"};
    const std::vector<std::string> parts = parts_of(data);
    if (parts.size() != count)
      throw Refusal{opcode_ + " has " + std::to_string(count) + " registers between braces"};
    const std::string vector =
        concatenate({"::simt::ptx::Vector<", type.cpp, ", ", std::to_string(count), ">"});
    std::string result;
    if (load) {
      result = concatenate(
          {"const ", vector, " simt_vector(*reinterpret_cast<const ", vector, "*>(", place, ")); "});
      for (unsigned i = 0; i < count; ++i)
        result +=
            assignment(parts[i], type, concatenate({"simt_vector.part[", std::to_string(i), "]"}), true);
      return result;
    }
    result = vector + " simt_vector; ";
    for (unsigned i = 0; i < count; ++i)
      result +=
          concatenate({"simt_vector.part[", std::to_string(i), "] = ", value(parts[i], type, true), "; "});
    return result + concatenate({"*reinterpret_cast<", vector, "*>(", place, ") = simt_vector; "});
  }

  std::optional<std::string> atomics() {
    const auto match = is("(atom|red)(\\.(relaxed|acquire|release|acq_rel))?(\\.(cta|gpu|sys|cluster))?(\\.("
                          "global|shared(::cta)?))?"
                          "\\.(add|min|max|and|or|xor|inc|dec|exch|cas)(\\.noftz)?\\.([bus](32|64)|f32|f64|"
                          "f16|f16x2|bf16|bf16x2)");
    if (!match) return std::nullopt;
    const bool is_atom = (*match)[1] == "atom";
    const std::string what = (*match)[9], type_name = (*match)[11];
    const Type& type = type_of(type_name);
    static const std::map<std::string, std::string> operations = {{"add u32", "add"},
                                                                  {"add s32", "add"},
                                                                  {"add u64", "add"},
                                                                  {"add f32", "add_float"},
                                                                  {"add f64", "add_double"},
                                                                  {"add f16", "add_half"},
                                                                  {"add f16x2", "add_half2"},
                                                                  {"add bf16", "add_bfloat16"},
                                                                  {"add bf16x2", "add_bfloat162"},
                                                                  {"min u32", "min_unsigned"},
                                                                  {"min u64", "min_unsigned"},
                                                                  {"min s32", "min_signed"},
                                                                  {"min s64", "min_signed"},
                                                                  {"max u32", "max_unsigned"},
                                                                  {"max u64", "max_unsigned"},
                                                                  {"max s32", "max_signed"},
                                                                  {"max s64", "max_signed"},
                                                                  {"and b32", "and"},
                                                                  {"and b64", "and"},
                                                                  {"or b32", "or"},
                                                                  {"or b64", "or"},
                                                                  {"xor b32", "xor"},
                                                                  {"xor b64", "xor"},
                                                                  {"inc u32", "increment_wrap"},
                                                                  {"dec u32", "decrement_wrap"},
                                                                  {"exch b32", "exchange"},
                                                                  {"exch b64", "exchange"},
                                                                  {"cas b32", "compare_exchange"},
                                                                  {"cas b64", "compare_exchange"}};
    const auto operation = operations.find(what + " " + type_name);
    if (operation == operations.end() || (!is_atom && (what == "exch" || what == "cas"))) return std::nullopt;
    const bool is_small = type_name.find("f16") != std::string::npos;
    if (is_small != match->has(10)) return std::nullopt;
    const std::size_t first = is_atom ? 1 : 0, values = what == "cas" ? 2 : 1;
    require_arguments(first + 1 + values, first + 1 + values);
    const std::string order = ordering((*match)[3], match->has(5) ? (*match)[5] : "gpu");
    const std::string place = address(arguments_[first], (*match)[7].starts_with("shared"));
    std::string operands = value(arguments_[first + values], type);
    if (what == "cas") operands += ", " + value(arguments_[first + 1], type);
    const std::string expression =
        concatenate({"::simt::ptx::atomic<", type.cpp, ", simt_atomic_", operation->second, ", ", order, ">(",
                     place, ", ", operands, ")"});
    return is_atom ? assignment(arguments_[0], type, expression) : expression + "; ";
  }

  std::optional<std::string> warps() {
    const Type &u32 = type_of("u32"), &b32 = type_of("b32"), &pred = type_of("pred");
    if (is("activemask\\.b32")) {
      require_arguments(1, 1);
      return assignment(arguments_[0], b32, "::__activemask()");
    }
    if (const auto match = is("vote\\.sync\\.(ballot\\.b32|any\\.pred|all\\.pred|uni\\.pred)")) {
      require_arguments(3, 3);
      const std::string mask = value(arguments_[2], b32), predicate = value(arguments_[1], pred);
      if ((*match)[1] == "ballot.b32")
        return assignment(arguments_[0], b32, concatenate({"::__ballot_sync(", mask, ", ", predicate, ")"}));
      if ((*match)[1] == "uni.pred")
        return concatenate({"const unsigned simt_mask = ", mask, ", simt_votes = ::__ballot_sync(simt_mask, ",
                            predicate, "); "}) +
               assignment(arguments_[0], pred, "simt_votes == 0 || simt_votes == simt_mask");
      return assignment(
          arguments_[0], pred,
          concatenate({"::__", (*match)[1].substr(0, 3), "_sync(", mask, ", ", predicate, ") != 0"}));
    }
    if (const auto match = is("shfl\\.sync\\.(up|down|bfly|idx)\\.b32")) {
      require_arguments(5, 5);
      static const std::map<std::string, std::pair<std::string, std::string>> kinds = {
          {"up", {"__shfl_up_sync", "simt_warp_shuffle_up"}},
          {"down", {"__shfl_down_sync", "simt_warp_shuffle_down"}},
          {"bfly", {"__shfl_xor_sync", "simt_warp_shuffle_xor"}},
          {"idx", {"__shfl_sync", "simt_warp_shuffle_index"}}};
      const auto& [function, kind] = kinds.at((*match)[1]);
      std::string result = concatenate({"const unsigned simt_by = ", value(arguments_[2], u32),
                                        ", simt_segment = ", value(arguments_[3], u32), "; "});
      const std::size_t bar = arguments_[0].find('|');
      const std::string to = trimmed(arguments_[0].substr(0, bar));
      result += concatenate({"const unsigned simt_got = ::", function, "(", value(arguments_[4], b32), ", ",
                             value(arguments_[1], b32),
                             ", static_cast<int>(simt_by & 31), ::simt::ptx::width_of(simt_segment)); "});
      result += assignment(to, b32, "simt_got");
      if (bar != std::string::npos)
        result +=
            assignment(trimmed(arguments_[0].substr(bar + 1)), pred,
                       concatenate({"::simt::ptx::shuffle_is_inside(", kind, ", simt_by, simt_segment)"}));
      return result;
    }
    if (const auto match = is("match\\.any\\.sync\\.(b32|b64)")) {
      require_arguments(3, 3);
      return assignment(arguments_[0], b32,
                        concatenate({"::__match_any_sync(", value(arguments_[2], b32), ", ",
                                     value(arguments_[1], type_of((*match)[1])), ")"}));
    }
    if (const auto match = is("redux\\.sync\\.(add|min|max|and|or|xor)\\.([bus]32)")) {
      const bool is_bits = (*match)[1] == "and" || (*match)[1] == "or" || (*match)[1] == "xor";
      if (is_bits != ((*match)[2] == "b32")) return std::nullopt;
      require_arguments(3, 3);
      const Type& type = type_of((*match)[2]);
      return assignment(arguments_[0], type,
                        concatenate({"::__reduce_", (*match)[1], "_sync(", value(arguments_[2], b32), ", ",
                                     value(arguments_[1], type), ")"}));
    }
    return std::nullopt;
  }

  std::optional<std::string> control() {
    if (const auto match = is("(bar|barrier)(\\.cta)?\\.sync(\\.aligned)?")) {
      require_arguments(1, 2);
      const std::optional<std::string> number = integer_constant(arguments_[0]);
      if (number != "0ull" || arguments_.size() != 1)
        throw Refusal{opcode_ + " " + arguments_[0] +
                      " with a barrier other than 0, or with a number of threads, is not simulated"};
      return "::__syncthreads(); ";
    }
    if (is("bar\\.warp\\.sync")) {
      require_arguments(1, 1);
      return "::__syncwarp(" + value(arguments_[0], type_of("b32")) + "); ";
    }
    if (const auto match = is("membar\\.(cta|gl|sys)|fence(\\.(sc|acq_rel))?\\.(cta|gpu|sys|cluster)")) {
      require_arguments(0, 0);
      const std::string scope = (*match)[1] + (*match)[4];
      return scope == "cta"   ? "::__threadfence_block(); "
             : scope == "sys" ? "::__threadfence_system(); "
                              : "::__threadfence(); ";
    }
    if (is("nanosleep\\.u32")) {
      require_arguments(1, 1);
      return "::__nanosleep(" + value(arguments_[0], type_of("u32")) + "); ";
    }
    if (is("griddepcontrol\\.(launch_dependents|wait)|pmevent(\\.mask)?")) return "";
    if (is("trap")) return "::__trap(); ";
    if (is("bra(\\.uni)?")) {
      require_arguments(1, 1);
      return "goto " + label(arguments_[0]) + "; ";
    }
    return std::nullopt;
  }

  std::optional<std::string> copies() {
    if (const auto match = is("cp\\.async\\.(ca|cg)\\.shared(::cta)?\\.global(\\.L2::\\w+)*")) {
      require_arguments(3, 4);
      const std::string to = address(arguments_[0], true), from = address(arguments_[1], false);
      const std::string bytes = value(arguments_[2], type_of("u32"));
      if (arguments_.size() == 4)
        return concatenate({"::simt::ptx::copy_async(", to, ", ", from, ", ", bytes, ", ",
                            value(arguments_[3], type_of("u32")), "); "});
      return concatenate({"::simt::ptx::copy_async(", to, ", ", from, ", ", bytes, ", ", bytes, "); "});
    }
    if (is("cp\\.async\\.commit_group")) return "::__simt_copy_commit(); ";
    if (is("cp\\.async\\.wait_group")) {
      require_arguments(1, 1);
      return "::__simt_copy_wait(" + value(arguments_[0], type_of("u32")) + "); ";
    }
    if (is("cp\\.async\\.wait_all")) return "::__simt_copy_commit(); ::__simt_copy_wait(0); ";
    return std::nullopt;
  }

  std::vector<Register> operands_;
  std::string unique_, body_, opcode_;
  std::vector<std::string> arguments_;
  std::vector<std::map<std::string, Register>> scopes_;
  bool uses_carry_ = false;
};

/// The characters that a string literal stands for.
std::string unescaped(std::string_view literal) {
  std::string text;
  if (const std::size_t raw = literal.find("R\""); raw < 3) {
    const std::size_t open = literal.find('(', raw);
    const std::size_t mark = open == literal.npos ? 0 : open - raw - 2; // the length of the delimiter
    if (open == literal.npos || literal.size() < open + 3 + mark) throw Refusal{"this string is not closed"};
    return std::string(literal.substr(open + 1, literal.size() - open - 3 - mark));
  }
  for (std::size_t i = 1; i + 1 < literal.size(); ++i) {
    if (literal[i] != '\\') {
      text += literal[i];
      continue;
    }
    const char c = literal[++i]; // of an escape sequence, of which PTX needs the blanks alone
    text += c == 'n' || c == 't' || c == 'r' || c == 'v' || c == 'f' ? ' ' : c;
    if (c == 'n') text.back() = '\n';
  }
  return text;
}

struct Operand {
  std::string constraint;
  std::size_t open = none; ///< the parenthesis of its expression
  bool is_output = false;
};

/// An asm statement, taken apart.
struct Statement {
  std::string text;
  std::vector<Operand> operands;
  std::size_t open = none, close = none;
};

Statement take_apart(const Source& source, std::size_t i) {
  Statement statement;
  std::size_t open = i + 1;
  while (source.is_any(open, {"volatile", "__volatile__", "inline", "__inline__"})) ++open;
  if (!source.is(open, "(") || !source.opens(open)) throw Refusal{"this asm has no parentheses"};
  statement.open = open;
  statement.close = source.match(open);
  std::size_t k = open + 1;
  for (; source.kind(k) == TokenKind::string; ++k) statement.text += unescaped(source.spelling(k));
  unsigned section = 0; // outputs, inputs, clobbers
  while (k < statement.close) {
    if (source.is(k, ":") || source.is(k, "::")) {
      section += source.is(k, "::") ? 2 : 1;
      ++k;
    } else if (source.is(k, ",")) {
      ++k;
    } else if (source.kind(k) == TokenKind::string && section >= 1) {
      std::string constraint; // or a clobber
      for (; source.kind(k) == TokenKind::string; ++k) constraint += unescaped(source.spelling(k));
      if (section >= 3) continue;
      if (!source.is(k, "(") || !source.opens(k))
        throw Refusal{"the constraint \"" + constraint + "\" has no operand in parentheses"};
      statement.operands.push_back({constraint, k, section == 1});
      k = source.behind(k);
    } else {
      throw Refusal{"`" + std::string(source.spelling(k)) + "` in this asm is not simulated"};
    }
  }
  return statement;
}

/// `%%` is one sign, and %= and the like are nothing that nvcc has.
std::string with_single_signs(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text[i] == '%' && i + 1 < text.size() && text[i + 1] == '%') ++i;
  }
  return result;
}

std::string_view what_fits(char constraint) {
  switch (constraint) {
  case 'h':
    return "integers of 2 bytes";
  case 'r':
    return "integers of 4 bytes";
  case 'l':
    return "integers of 8 bytes, and pointers";
  case 'f':
    return "float";
  case 'd':
    return "double";
  default:
    return "constants";
  }
}

void rewrite(Source& source, std::size_t i) {
  const Statement statement = take_apart(source, i);
  std::vector<Register> registers;
  std::string before, behind;
  for (std::size_t k = 0; k < statement.operands.size(); ++k) {
    const Operand& operand = statement.operands[k];
    std::string_view constraint = operand.constraint;
    const bool reads = constraint.starts_with("+");
    if (operand.is_output != (reads || constraint.starts_with("=")))
      throw Refusal{"the constraint \"" + operand.constraint + "\" does not go with this operand"};
    if (operand.is_output) constraint.remove_prefix(1);
    if (constraint.starts_with("&")) constraint.remove_prefix(1);
    if (constraint.size() != 1 || std::string_view("hrlfdn").find(constraint[0]) == std::string_view::npos ||
        (operand.is_output && constraint == "n"))
      throw Refusal{"the constraint \"" + operand.constraint + "\" is none of h, r, l, f, d and n"};
    const char letter = constraint[0];
    const std::string number = std::to_string(k);
    Register reg{"simt_ptx_" + number,
                 letter == 'h'                    ? 16u
                 : letter == 'l' || letter == 'd' ? 64u
                                                  : 32u,
                 letter == 'f' || letter == 'd' ? 'f'
                 : letter == 'n'                ? 'n'
                                                : 'b',
                 operand.is_output};
    const std::string kept = "simt_operand_" + number;
    const std::string check = source.assertion(
        concatenate({"::simt::ptx::fits<'", constraint, "', decltype(", kept, ")>()"}), operand.open - 1,
        concatenate({"the constraint \"", operand.constraint, "\" is for ", what_fits(letter),
                     ", and this is something else"}));
    source.insert_before(operand.open, concatenate({operand.is_output ? "auto& "
                                                    : letter == 'n'   ? "constexpr auto "
                                                                      : "const auto ",
                                                    kept, " = "}));
    std::string text = ";" + check;
    if (letter == 'n')
      text += concatenate({" constexpr auto ", reg.variable, " = ", kept, ";"});
    else if (operand.is_output && !reads)
      text += concatenate({" ", cpp_of(reg), " ", reg.variable, ";"});
    else
      text += concatenate(
          {" ", cpp_of(reg), " ", reg.variable, " = ::simt::ptx::input<", cpp_of(reg), ">(", kept, ");"});
    source.insert_behind(source.match(operand.open), text);
    if (operand.is_output) behind += concatenate({"::simt::ptx::output(", kept, ", ", reg.variable, "); "});
    registers.push_back(std::move(reg));
  }
  Writer writer(registers, std::to_string(i));
  const std::string body = writer.write(with_single_signs(statement.text));
  std::size_t next = i + 1;
  source.replace(i, "do {");
  for (const Operand& operand : statement.operands) {
    source.erase(next, operand.open);
    next = source.match(operand.open) + 1;
  }
  source.erase(next, statement.close);
  source.replace(statement.close, concatenate({" { ", body, "} ", behind, "} while (false)"}));
}

} // namespace

bool rewrite_inline_ptx(Source& source, std::size_t i) {
  try {
    rewrite(source, i);
    return true;
  } catch (const Refusal& refusal) {
    source.error(i, concatenate({"inline PTX: ", refusal.text,
                                 ". Write the CUDA intrinsic or plain C++ that does the same"}));
    return false;
  }
}

} // namespace simt::compiler
