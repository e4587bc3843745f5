// Rounding down, up and towards zero: the processor's own, for one operation at a time.

#include "simt_shim/directed_rounding.h"

#include <cfenv>
#include <cmath>

namespace simt {
namespace {

/// Rounds in a direction for as long as it lives. What is to be rounded goes through volatile variables in between, so that
/// compilers neither compute it before they run the program nor move it.
class Rounding {
public:
  explicit Rounding(simt_direction direction) : before_(std::fegetround()) {
    std::fesetround(direction == simt_down ? FE_DOWNWARD : direction == simt_up ? FE_UPWARD : FE_TOWARDZERO);
  }
  ~Rounding() { std::fesetround(before_); }
  Rounding(const Rounding&) = delete;
  Rounding& operator=(const Rounding&) = delete;

private:
  int before_;
};

template <class Real>
Real directed(simt_direction direction, simt_operation operation, Real a_, Real b_, Real c_) {
  const Rounding rounding(direction);
  volatile Real a = a_, b = b_, c = c_, result = 0;
  switch (operation) {
  case simt_add:
    result = a + b;
    break;
  case simt_subtract:
    result = a - b;
    break;
  case simt_multiply:
    result = a * b;
    break;
  case simt_divide:
    result = a / b;
    break;
  case simt_multiply_add:
    result = std::fma(a, b, c);
    break;
  case simt_square_root:
    result = std::sqrt(a);
    break;
  }
  return result;
}

template <class Real, class From>
Real converted(simt_direction direction, From x_) {
  const Rounding rounding(direction);
  volatile From x = x_;
  volatile Real result = static_cast<Real>(x);
  return result;
}

} // namespace
} // namespace simt

extern "C" {

float __simt_directed_float(simt_direction direction, simt_operation operation, float a, float b, float c) {
  return simt::directed(direction, operation, a, b, c);
}
double __simt_directed_double(simt_direction direction, simt_operation operation, double a, double b,
                              double c) {
  return simt::directed(direction, operation, a, b, c);
}
float __simt_float_of_double(simt_direction direction, double x) {
  return simt::converted<float>(direction, x);
}
float __simt_float_of_signed(simt_direction direction, long long x) {
  return simt::converted<float>(direction, x);
}
float __simt_float_of_unsigned(simt_direction direction, unsigned long long x) {
  return simt::converted<float>(direction, x);
}
double __simt_double_of_signed(simt_direction direction, long long x) {
  return simt::converted<double>(direction, x);
}
double __simt_double_of_unsigned(simt_direction direction, unsigned long long x) {
  return simt::converted<double>(direction, x);
}

} // extern "C"
