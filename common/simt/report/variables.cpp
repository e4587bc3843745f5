#include "simt/report/variables.hpp"

#include "simt/report/debug_information.hpp"

#include <algorithm>
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
  constexpr int most_names = 16; // debug information is a submission's own word
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  if (!dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), &type)) return std::nullopt;
  for (int i = 0; i < most_names; ++i) {
    const int tag = dwarf_tag(&type);
    if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type &&
        tag != DW_TAG_restrict_type)
      return type;
    Dwarf_Die named = type;
    if (!dwarf_formref_die(dwarf_attr_integrate(&named, DW_AT_type, &attribute), &type)) return std::nullopt;
  }
  return std::nullopt;
}

/// Of an enumeration, g++ says it beside the values, clang of the integer below.
Dwarf_Word encoding_of(Dwarf_Die type) {
  const auto encoding = dwarf_number(&type, DW_AT_encoding);
  const auto below = !encoding && dwarf_tag(&type) == DW_TAG_enumeration_type ? type_of(&type) : std::nullopt;
  return below ? encoding_of(*below) : encoding.value_or(DW_ATE_unsigned);
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

bool is_signed(Dwarf_Word encoding) { return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char; }

void set_integer(VariableValue& value, Dwarf_Word encoding, std::uint64_t bits) {
  const int unused = 64 - 8 * static_cast<int>(value.bytes);
  value.kind = VariableValue::Kind::integer;
  value.bits = bits << unused >> unused;
  value.is_signed = is_signed(encoding);
  if (encoding == DW_ATE_boolean)
    value.text = value.bits != 0 ? "true" : "false";
  else if (value.is_signed)
    value.text = std::to_string(static_cast<std::int64_t>(bits << unused) >> unused);
  else
    value.text = std::to_string(value.bits);
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
    if (const auto to = type_of(&type)) value.is_signed = is_signed(encoding_of(*to));
    return true;
  case DW_TAG_enumeration_type:
  case DW_TAG_base_type: {
    const Dwarf_Word encoding = encoding_of(type);
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
    set_integer(value, encoding, bits_of(*bytes));
    return true;
  }
  case DW_TAG_class_type:
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
  explicit Module(const std::string& path) : debug_(path) {
    Dwarf_CU* unit = nullptr;
    Dwarf_Die die;
    while (debug_.next_unit(unit, die)) add_functions(die, die);
  }

  /// Adds the function, and those that the compiler has put into its code, from the innermost outwards.
  void add_scopes(std::vector<FunctionScope>& scopes, const DiaryFrame& frame, const Memory& memory) {
    const Dwarf_Addr at = frame.offset - 1; // within the call, which frame.offset stands behind
    auto function = functions_.upper_bound(at);
    if (function == functions_.begin() || !dwarf_haspc(&(--function)->second.die, at)) {
      scopes.emplace_back();
      return;
    }
    Dwarf_Die unit = function->second.unit;
    FunctionScope scope;
    Dwarf_Line* line = dwarf_getsrc_die(&unit, at);
    int number = 0, column = 0;
    const char* file = dwarf_linesrc(line, nullptr, nullptr);
    if (file && dwarf_lineno(line, &number) == 0) {
      static_cast<void>(dwarf_linecol(line, &column));
      set_line(scope, file, number, column);
    }
    std::vector<Dwarf_Die> around = {function->second.die};
    while (const auto inner = block_within(around.back(), at)) around.push_back(*inner);
    const auto base = frame_base(around.front(), frame);
    for (auto die = around.rbegin(); die != around.rend(); ++die) {
      add_variables(scope, *die, base, memory);
      const int tag = dwarf_tag(&*die);
      if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine) continue;
      if (const char* name = dwarf_diename(&*die)) scope.function = name;
      scopes.push_back(std::move(scope));
      scope = {};
      if (tag == DW_TAG_inlined_subroutine) set_line_of_call(scope, *die, unit);
    }
  }

private:
  struct Function {
    Dwarf_Die die, unit;
  };

  /// Those with code; of a lambda it stands in the function around, whose code is elsewhere.
  void add_functions(Dwarf_Die around, const Dwarf_Die& unit) {
    Dwarf_Die child;
    for (int found = dwarf_child(&around, &child); found == 0; found = dwarf_siblingof(&child, &child)) {
      Dwarf_Addr begin = 0;
      if (dwarf_tag(&child) == DW_TAG_subprogram && dwarf_lowpc(&child, &begin) == 0)
        functions_.emplace(begin, Function{child, unit});
      add_functions(child, unit);
    }
  }

  static std::optional<Dwarf_Die> block_within(Dwarf_Die around, Dwarf_Addr at) {
    Dwarf_Die child;
    for (int found = dwarf_child(&around, &child); found == 0; found = dwarf_siblingof(&child, &child)) {
      const int tag = dwarf_tag(&child);
      if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_try_block ||
           tag == DW_TAG_catch_block) &&
          dwarf_haspc(&child, at) > 0)
        return child;
    }
    return std::nullopt;
  }

  void set_line(FunctionScope& scope, const char* file, int line, int column) const {
    scope.file = file;
    scope.line = static_cast<unsigned>(std::max(line, 0));
    scope.column = static_cast<unsigned>(std::max(column, 0));
    scope.is_own = !debug_.is_foreign(scope.file);
  }

  void set_line_of_call(FunctionScope& scope, Dwarf_Die inlined, Dwarf_Die unit) const {
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    const auto file = dwarf_number(&inlined, DW_AT_call_file), line = dwarf_number(&inlined, DW_AT_call_line);
    if (!file || !line || dwarf_getsrcfiles(&unit, &files, &count) != 0 || *file >= count) return;
    const char* name = dwarf_filesrc(files, *file, nullptr, nullptr);
    const auto column = dwarf_number(&inlined, DW_AT_call_column).value_or(0);
    if (name) set_line(scope, name, static_cast<int>(*line), static_cast<int>(column));
  }

  /// What DW_OP_fbreg counts from.
  static std::optional<std::uint64_t> frame_base(Dwarf_Die function, const DiaryFrame& frame) {
    Dwarf_Attribute attribute;
    Dwarf_Op* operations = nullptr;
    std::size_t length = 0;
    if (dwarf_getlocation(dwarf_attr_integrate(&function, DW_AT_frame_base, &attribute), &operations,
                          &length) != 0 ||
        length != 1)
      return std::nullopt;
    constexpr int rbp = 6;
    if (operations[0].atom == DW_OP_call_frame_cfa) return frame.base + 2 * sizeof(void*);
    if (operations[0].atom == DW_OP_reg0 + rbp) return frame.base;
    return std::nullopt;
  }

  /// Where a variable lies: in the frame, or where a pointer of it points to.
  static std::optional<std::uint64_t> address_of(Dwarf_Die variable, std::optional<std::uint64_t> base,
                                                 const Memory& memory) {
    Dwarf_Attribute attribute;
    Dwarf_Op* operations = nullptr;
    std::size_t length = 0;
    if (!base ||
        dwarf_getlocation(dwarf_attr_integrate(&variable, DW_AT_location, &attribute), &operations,
                          &length) != 0 ||
        length == 0 || operations[0].atom != DW_OP_fbreg)
      return std::nullopt;
    std::uint64_t address = *base + operations[0].number;
    for (std::size_t i = 1; i < length; ++i) {
      if (operations[i].atom == DW_OP_plus_uconst) {
        address += operations[i].number;
        continue;
      }
      const auto pointer =
          operations[i].atom == DW_OP_deref ? memory.at(address, sizeof address) : std::nullopt;
      if (!pointer) return std::nullopt;
      address = bits_of(*pointer);
    }
    return address;
  }

  static void add(FunctionScope& scope, VariableValue value) {
    if (std::ranges::find(scope.variables, value.name, &VariableValue::name) == scope.variables.end())
      scope.variables.push_back(std::move(value)); // else it is hidden
  }

  static void add_variables(FunctionScope& scope, Dwarf_Die around, std::optional<std::uint64_t> base,
                            const Memory& memory) {
    Dwarf_Die child;
    for (int found = dwarf_child(&around, &child); found == 0; found = dwarf_siblingof(&child, &child)) {
      const int tag = dwarf_tag(&child);
      if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter && tag != DW_TAG_template_value_parameter)
        continue;
      const char* name = dwarf_diename(&child);
      const auto type = type_of(&child);
      int declared = 0;
      static_cast<void>(dwarf_decl_line(&child, &declared));
      if (!name || !type || (tag == DW_TAG_variable && declared > static_cast<int>(scope.line))) continue;
      VariableValue value;
      value.name = name;
      if (const auto address = address_of(child, base, memory)) {
        if (value.name == "this")
          add_members(scope, *type, *address, memory);
        else if (read_value(value, *type, *address, memory))
          add(scope, std::move(value));
      } else if (const auto constant = dwarf_number(&child, DW_AT_const_value)) {
        Dwarf_Die of = *type;
        const Dwarf_Word encoding = encoding_of(of), bytes = dwarf_number(&of, DW_AT_byte_size).value_or(0);
        if (encoding == DW_ATE_float || bytes == 0 || bytes > sizeof value.bits) continue;
        value.bytes = static_cast<unsigned>(bytes);
        set_integer(value, encoding, *constant);
        add(scope, std::move(value));
      }
    }
  }

  /// Of the object whose function it is, where that lies in a frame.
  static void add_members(FunctionScope& scope, Dwarf_Die pointer, std::uint64_t address,
                          const Memory& memory) {
    const auto target = memory.at(address, sizeof address);
    auto type = type_of(&pointer);
    if (!target || !type) return;
    Dwarf_Die member;
    for (int found = dwarf_child(&*type, &member); found == 0; found = dwarf_siblingof(&member, &member)) {
      const char* name = dwarf_diename(&member);
      const auto place = dwarf_number(&member, DW_AT_data_member_location);
      const auto of = type_of(&member);
      VariableValue value;
      if (dwarf_tag(&member) != DW_TAG_member || !name || !place || !of) continue;
      value.name = name;
      if (read_value(value, *of, bits_of(*target) + *place, memory)) add(scope, std::move(value));
    }
  }

  DebugInformation debug_;
  std::map<Dwarf_Addr, Function> functions_; ///< by where their code begins
};

Variables::Variables(const Diaries& diaries) {
  for (const std::string& path : diaries.modules) modules_.push_back(std::make_unique<Module>(path));
}
Variables::~Variables() = default;

std::vector<FunctionScope> Variables::scopes(const Moment& moment) const {
  std::vector<FunctionScope> scopes;
  const Memory memory{moment.stack_begin, moment.stack};
  for (const DiaryFrame& frame : moment.frames)
    modules_.at(frame.module)->add_scopes(scopes, frame, memory);
  return scopes;
}

} // namespace simt
