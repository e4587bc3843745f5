// The functions that -fsanitize=shift-exponent and its like make the compiler call before arithmetic that C++ leaves undefined.
// The module is linked without the sanitizer's library, so these are the ones that run. Results are a GPU's where an x86 gives
// the same, or a signal, whose handler asks take_division().
#include "simt/runtime/machine/undefined_arithmetic.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/machine/call_site.hpp"
#include "simt/runtime/machine/machine.hpp"
#include "simt/runtime/machine/signals.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <sstream>
#include <string>
#include <utility>

namespace simt {

namespace {

/// As the compiler describes types and operations: gcc/ubsan.cc, and clang's CodeGenFunction::EmitCheckTypeDescriptor.
struct OperandType {
  enum Kind : std::uint16_t { integer = 0, real = 1 };
  std::uint16_t kind;
  std::uint16_t info; ///< of an integer: 1 if it is signed, and twice the logarithm of its bits; else its bits
  char name[1];       ///< "'int'"

  bool is_signed() const { return (info & 1) != 0; }
  unsigned bits() const { return kind == integer ? 1u << (info >> 1) : info; }
  std::string text() const {
    std::string quoted = name;
    return quoted.size() > 2 ? quoted.substr(1, quoted.find('\'', 1) - 1) : quoted;
  }
};
struct SanitizersPlace {
  const char* file;
  std::uint32_t line, column;
};
struct ArithmeticOperation {
  SanitizersPlace place;
  const OperandType* type;
};
struct OperandTypes {
  SanitizersPlace place;
  const OperandType* left;
  const OperandType* right;
};

/// A number of up to 64 bits as these functions get it; of more bits its address.
struct Operand {
  std::int64_t value = 0;
  double real = 0;
  bool is_negative = false;
  std::string text;
};

Operand operand(const OperandType& type, std::uintptr_t bits) {
  if (type.kind == OperandType::real) {
    const double value = type.bits() == 32 ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                                           : std::bit_cast<double>(static_cast<std::uint64_t>(bits));
    std::ostringstream out;
    out << value;
    return {0, value, std::signbit(value), std::isnan(value) ? "NaN" : out.str()};
  }
  const unsigned unused = 64 - std::min(type.bits(), 64u);
  if (!type.is_signed()) {
    const std::uint64_t value = static_cast<std::uint64_t>(bits) << unused >> unused;
    return {static_cast<std::int64_t>(value), 0, false, std::to_string(value)};
  }
  const std::int64_t value = static_cast<std::int64_t>(static_cast<std::uint64_t>(bits) << unused) >> unused;
  return {value, 0, value < 0, std::to_string(value)};
}

bool is_known(const OperandType& type) { return type.bits() <= 64 && (type.kind == OperandType::integer || type.bits() >= 32); }

Division division_waiting;
bool division_waits = false;

void report_shift(const OperandTypes& types, std::uintptr_t value, std::uintptr_t amount, std::uintptr_t site) {
  if (!machine.lane || !is_known(*types.left) || !is_known(*types.right)) return;
  const Operand by = operand(*types.right, amount);
  const fact::Subject type{types.left->text()};
  const fact::Amount places{static_cast<std::uint64_t>(by.value)};
  const fact::Limit bits{types.left->bits()};
  if (by.is_negative)
    report({"undefined-arithmetic", "shift-by-negative"}, site, type, fact::Other{by.text});
  else if (operand(*types.left, value).is_negative)
    report({"undefined-arithmetic", "shift-of-negative"}, site, type, places, bits);
  else
    report({"undefined-arithmetic", "shift"}, site, type, places, bits);
}

/// What a GPU makes of a number that does not fit into an integer type, as measured on an H200: the nearest one that does; of types
/// with less than 32 bits the lowest bits of what 32 have.
std::string converted(double number, const OperandType& type) {
  const unsigned bits = type.bits() < 64 ? 32 : 64;
  if (std::isnan(number)) return bits == 32 ? "0" : type.is_signed() ? std::to_string(INT64_MIN) : std::to_string(std::uint64_t{1} << 63);
  const double end = std::ldexp(1, static_cast<int>(type.is_signed() ? bits - 1 : bits));
  const double begin = type.is_signed() ? -end : 0;
  const std::uint64_t largest = ~std::uint64_t{0} >> (64 - bits + (type.is_signed() ? 1 : 0));
  const std::uint64_t smallest = type.is_signed() ? largest + 1 : 0;
  const std::uint64_t near = number >= end    ? largest
                             : number < begin ? smallest
                             : number < 0     ? static_cast<std::uint64_t>(static_cast<std::int64_t>(number))
                                              : static_cast<std::uint64_t>(number);
  return operand(type, near).text;
}

void report_conversion(const OperandTypes& types, std::uintptr_t value, std::uintptr_t site) {
  if (!machine.lane || !is_known(*types.left)) return;
  const Operand number = operand(*types.left, value);
  report({"undefined-arithmetic", "conversion"}, site, fact::Subject{number.text}, fact::Other{types.right->text()},
         fact::Result{converted(number.real, *types.right)});
}

void report_overflow(const ArithmeticOperation& operation, std::uintptr_t left, const char* sign, std::uintptr_t right,
                     std::uintptr_t site) {
  if (!machine.lane || !is_known(*operation.type)) return;
  const Operand second = operand(*operation.type, right);
  const std::string expression = operand(*operation.type, left).text + ' ' + sign + ' ' +
                                 (second.is_negative ? '(' + second.text + ')' : second.text);
  report({"undefined-arithmetic", "overflow"}, site, fact::Subject{expression}, fact::Other{operation.type->text()});
}

void report_negation(const ArithmeticOperation& operation, std::uintptr_t value, std::uintptr_t site) {
  if (!machine.lane || !is_known(*operation.type)) return;
  report({"undefined-arithmetic", "overflow"}, site, fact::Subject{"-(" + operand(*operation.type, value).text + ')'},
         fact::Other{operation.type->text()});
}

/// What a GPU gives: measured on an H200.
void divide(const ArithmeticOperation& operation, std::uintptr_t left, std::uintptr_t right, std::uintptr_t site) {
  if (!machine.lane || operation.type->kind != OperandType::integer || !is_known(*operation.type)) return;
  const Operand dividend = operand(*operation.type, left), divisor = operand(*operation.type, right);
  division_waits = true;
  if (divisor.value == 0) {
    // Numbers of 64 bits of which 32 suffice are divided as such.
    const bool is_short = operation.type->bits() == 64 && static_cast<std::uint64_t>(dividend.value) >> 32 == 0;
    division_waiting.quotient = division_waiting.remainder = is_short ? 0xffffffff : ~std::uint64_t{0};
    report({"division-by-zero", "of-number"}, site, fact::Subject{dividend.text});
  } else {
    division_waiting = {static_cast<std::uint64_t>(dividend.value), 0};
    report({"undefined-arithmetic", "overflow"}, site, fact::Subject{dividend.text + " / (-1)"},
           fact::Other{operation.type->text()});
  }
}

} // namespace

std::optional<Division> take_division() {
  return std::exchange(division_waits, false) ? std::optional(division_waiting) : std::nullopt;
}

} // namespace simt

using namespace simt;

extern "C" {

void __ubsan_handle_shift_out_of_bounds(const OperandTypes* types, std::uintptr_t value, std::uintptr_t amount) {
  report_shift(*types, value, amount, SIMT_SITE);
}
void __ubsan_handle_float_cast_overflow(const OperandTypes* types, std::uintptr_t value) {
  report_conversion(*types, value, SIMT_SITE);
}
void __ubsan_handle_add_overflow(const ArithmeticOperation* operation, std::uintptr_t left, std::uintptr_t right) {
  report_overflow(*operation, left, "+", right, SIMT_SITE);
}
void __ubsan_handle_sub_overflow(const ArithmeticOperation* operation, std::uintptr_t left, std::uintptr_t right) {
  report_overflow(*operation, left, "-", right, SIMT_SITE);
}
void __ubsan_handle_mul_overflow(const ArithmeticOperation* operation, std::uintptr_t left, std::uintptr_t right) {
  report_overflow(*operation, left, "*", right, SIMT_SITE);
}
void __ubsan_handle_negate_overflow(const ArithmeticOperation* operation, std::uintptr_t value) {
  report_negation(*operation, value, SIMT_SITE);
}
void __ubsan_handle_divrem_overflow(const ArithmeticOperation* operation, std::uintptr_t left, std::uintptr_t right) {
  divide(*operation, left, right, SIMT_SITE);
}
[[noreturn]] void __ubsan_handle_builtin_unreachable(const SanitizersPlace*) { reach_impossible_code(SIMT_SITE); }
}
