#include "simt/report/variables.hpp"

#include "simt/report/debug_information.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dwarf.h>
#include <sstream>

namespace simt {

namespace {

constexpr unsigned largest_structure = 64; ///< bytes whose members are shown
constexpr std::size_t most_members = 4;

/// A frame's memory as a diary has it.
struct Memory {
  std::uint64_t begin = 0;
  std::string_view bytes;

  std::optional<std::string_view> at(std::uint64_t address, std::size_t size) const {
    if (address < begin || address - begin > bytes.size() || bytes.size() - (address - begin) < size)
      return std::nullopt;
    return bytes.substr(address - begin, size);
  }
};

/// The type of `die`, without names and qualifiers.
std::optional<Dwarf_Die> type_of(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  Dwarf_Die type, peeled;
  if (!dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), &type) ||
      dwarf_peel_type(&type, &peeled) != 0)
    return std::nullopt;
  return peeled;
}

std::uint64_t bits_of(std::string_view bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), std::min(bytes.size(), sizeof bits));
  return bits;
}

template <typename T>
std::string floating_text(std::string_view bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  std::ostringstream text;
  text.precision(sizeof value == 4 ? 7 : 15);
  text << value;
  return text.str();
}

/// Fills in what the bytes are as a value of the type. Returns whether that is known.
bool read_value(VariableValue& value, Dwarf_Die type, std::uint64_t address, const Memory& memory,
                int depth = 0) {
  using Kind = VariableValue::Kind;
  const int tag = dwarf_tag(&type);
  if (tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type) {
    const auto target = memory.at(address, sizeof(std::uint64_t));
    const auto referred = type_of(&type);
    return target && referred && depth < 2 &&
           read_value(value, *referred, bits_of(*target), memory, depth + 1);
  }
  const auto size = tag == DW_TAG_pointer_type ? std::optional<Dwarf_Word>(sizeof(void*))
                                               : dwarf_number(&type, DW_AT_byte_size);
  if (!size || *size == 0 || *size > largest_structure) return false;
  const auto bytes = memory.at(address, *size);
  if (!bytes) return false;
  value.bytes = static_cast<unsigned>(*size);
  switch (tag) {
  case DW_TAG_pointer_type:
    value.kind = Kind::pointer;
    value.bits = bits_of(*bytes);
    return true;
  case DW_TAG_enumeration_type:
  case DW_TAG_base_type: {
    const Dwarf_Word encoding = dwarf_number(&type, DW_AT_encoding).value_or(DW_ATE_unsigned);
    if (encoding == DW_ATE_float) {
      value.kind = Kind::floating;
      value.bits = bits_of(*bytes);
      if (*size == sizeof(float))
        value.text = floating_text<float>(*bytes);
      else if (*size == sizeof(double))
        value.text = floating_text<double>(*bytes);
      return !value.text.empty();
    }
    if (*size > sizeof value.bits) return false;
    value.kind = Kind::integer;
    value.bits = bits_of(*bytes);
    value.is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
    if (encoding == DW_ATE_boolean)
      value.text = value.bits != 0 ? "true" : "false";
    else if (value.is_signed) {
      const int unused = 64 - 8 * static_cast<int>(*size);
      value.text = std::to_string(static_cast<std::int64_t>(value.bits << unused) >> unused);
    } else
      value.text = std::to_string(value.bits);
    return true;
  }
  case DW_TAG_structure_type: {
    if (depth > 1) return false;
    value.kind = Kind::structure;
    std::size_t members = 0;
    Dwarf_Die member;
    for (int found = dwarf_child(&type, &member); found == 0; found = dwarf_siblingof(&member, &member)) {
      if (dwarf_tag(&member) != DW_TAG_member || dwarf_number(&member, DW_AT_external)) continue;
      const auto place = dwarf_number(&member, DW_AT_data_member_location);
      const auto member_type = type_of(&member);
      VariableValue part;
      if (!place || !member_type || ++members > most_members ||
          !read_value(part, *member_type, address + *place, memory, depth + 1) || part.kind > Kind::floating)
        return false;
      value.text += (members > 1 ? ", " : "") + part.text;
    }
    value.text = "{" + value.text + "}";
    return members > 0;
  }
  default:
    return false;
  }
}

} // namespace

class Variables::Module {
public:
  explicit Module(const std::string& path) : debug_(path) {}

  FunctionScope scope(const DiaryFrame& frame, const Memory& memory) {
    FunctionScope scope;
    const Dwarf_Addr at = frame.offset - 1; // within the call, which frame.offset stands behind
    std::optional<Dwarf_Die> unit = debug_.unit_at(at);
    if (!unit) return scope;
    Dwarf_Line* line = dwarf_getsrc_die(&*unit, at);
    int number = 0, column = 0;
    const char* file = dwarf_linesrc(line, nullptr, nullptr);
    if (!file || dwarf_lineno(line, &number) != 0) return scope;
    static_cast<void>(dwarf_linecol(line, &column));
    scope.file = file;
    scope.line = static_cast<unsigned>(std::max(number, 0));
    scope.column = static_cast<unsigned>(std::max(column, 0));
    scope.is_own = !debug_.is_foreign(scope.file);
    Dwarf_Die* dies = nullptr;
    const int count = dwarf_getscopes(&*unit, at, &dies);
    for (int i = 0; i < count; ++i) {
      const int tag = dwarf_tag(&dies[i]);
      if (tag == DW_TAG_compile_unit) break;
      if (const char* name = dwarf_diename(&dies[i]); name && tag == DW_TAG_subprogram) scope.function = name;
      add_variables(scope, dies[i], dies, count, frame, memory);
      if (tag == DW_TAG_subprogram) break;
    }
    std::free(dies);
    return scope;
  }

private:
  /// What DW_OP_fbreg counts from.
  static std::optional<std::uint64_t> frame_base(Dwarf_Die* dies, int count, const DiaryFrame& frame) {
    for (int i = 0; i < count; ++i) {
      if (dwarf_tag(&dies[i]) != DW_TAG_subprogram) continue;
      Dwarf_Attribute attribute;
      Dwarf_Op* operations = nullptr;
      std::size_t length = 0;
      if (dwarf_getlocation(dwarf_attr_integrate(&dies[i], DW_AT_frame_base, &attribute), &operations,
                            &length) != 0 ||
          length != 1)
        return std::nullopt;
      constexpr int rbp = 6;
      if (operations[0].atom == DW_OP_call_frame_cfa) return frame.base + 2 * sizeof(void*);
      if (operations[0].atom == DW_OP_reg0 + rbp) return frame.base;
      return std::nullopt;
    }
    return std::nullopt;
  }

  static void add_variables(FunctionScope& scope, Dwarf_Die around, Dwarf_Die* dies, int count,
                            const DiaryFrame& frame, const Memory& memory) {
    const auto base = frame_base(dies, count, frame);
    Dwarf_Die child;
    for (int found = dwarf_child(&around, &child); found == 0; found = dwarf_siblingof(&child, &child)) {
      const int tag = dwarf_tag(&child);
      if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) continue;
      const char* name = dwarf_diename(&child);
      const auto type = type_of(&child);
      int declared = 0;
      static_cast<void>(dwarf_decl_line(&child, &declared));
      if (!name || !type || (tag == DW_TAG_variable && declared > static_cast<int>(scope.line))) continue;
      if (std::ranges::find(scope.variables, name, &VariableValue::name) != scope.variables.end())
        continue; // hidden
      VariableValue value;
      value.name = name;
      Dwarf_Attribute attribute;
      Dwarf_Op* operations = nullptr;
      std::size_t length = 0;
      if (base &&
          dwarf_getlocation(dwarf_attr_integrate(&child, DW_AT_location, &attribute), &operations, &length) ==
              0 &&
          length == 1 && operations[0].atom == DW_OP_fbreg) {
        if (read_value(value, *type, *base + operations[0].number, memory))
          scope.variables.push_back(std::move(value));
      } else if (const auto constant = dwarf_number(&child, DW_AT_const_value)) {
        Dwarf_Die of = *type;
        value.bytes = static_cast<unsigned>(dwarf_number(&of, DW_AT_byte_size).value_or(8));
        value.bits = *constant;
        value.text = std::to_string(static_cast<std::int64_t>(*constant));
        if (dwarf_tag(&of) == DW_TAG_base_type && dwarf_number(&of, DW_AT_encoding) != DW_ATE_float)
          scope.variables.push_back(std::move(value));
      }
    }
  }

  DebugInformation debug_;
};

Variables::Variables(const Diaries& diaries) {
  for (const std::string& path : diaries.modules) modules_.push_back(std::make_unique<Module>(path));
}
Variables::~Variables() = default;

std::vector<FunctionScope> Variables::scopes(const Moment& moment) const {
  std::vector<FunctionScope> scopes;
  const Memory memory{moment.stack_begin, moment.stack};
  for (const DiaryFrame& frame : moment.frames)
    scopes.push_back(modules_.at(frame.module)->scope(frame, memory));
  return scopes;
}

} // namespace simt
