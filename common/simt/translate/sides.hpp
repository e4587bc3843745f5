#pragma once

#include "simt/translate/passes.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace simt::compiler {

/// What a mark says of the function or variable that has it.
enum class MarkKind {
  host_function,
  host_virtual_destructor,
  device_function,
  host_variable,
  host_array,
  host_constant_array,
  host_constant,    ///< whose value device code may use
  library_function, ///< of the C library, and of the host
  narrowing,        ///< no mark: a conversion in braces, of which `name` is the compiler's sentence
  constant,         ///< a __constant__ variable of a scalar type, which nothing assigns to
};

/// A function or variable that only one side has is marked with the attribute `deprecated`, so that the compiler, after
/// its own resolution of overloads, conversions and templates, reports each use, whatever way it is written.
struct Mark {
  MarkKind kind = MarkKind::host_function;
  std::string
      name; ///< qualified, as in "a::S::f"; empty for variables, of which one declaration can have several
};

/// The attribute with which a declaration is marked.
std::string attribute_of(const Mark& mark);

/// The mark that a compiler's message tells of; false if it tells of none.
bool read_mark(std::string_view message, Mark& mark);

/// The body of a lambda with `__device__`.
struct DeviceLambda {
  std::size_t open = none;
  std::size_t close = none;
  bool on_host = false; ///< __host__ __device__
};

/// The `{` of the lambda whose captures open at i; `none` if that is no lambda.
std::size_t body_of_lambda(const Source& source, std::size_t i);

std::vector<DeviceLambda> find_device_lambdas(const Source& source);

/// The initial value of a variable in device memory, if it may hold an address: of numbers only their values count.
struct DeviceValue {
  std::size_t begin = none; ///< where it begins: `=`, `{` or `(`
  std::size_t end = none;
};

/// All declarations of a file with the bodies among them, those of classes within functions too.
struct AllBodies {
  explicit AllBodies(const Source& source, const std::vector<Declaration>& declarations);
  AllBodies(const AllBodies&) = delete;
  AllBodies& operator=(const AllBodies&) = delete;

  std::vector<Declaration> declarations;
  std::vector<Body> bodies; ///< refer to `declarations`
  std::vector<DeviceLambda> lambdas;
  std::vector<DeviceValue> values;
};

/// Whether a function of <math.h> has this name, with or without the `f` of float.
bool is_mathematical_function(std::string_view name);

/// Whether the constant that is named at token i is asked for its place in memory: its address is taken, or it is bound to a
/// reference by a declaration, by std::min and std::max of what is known at run time only, or by the program's own functions of one name. Of other functions
/// that is not known.
bool is_needed_in_memory(const Source& source, const std::vector<Declaration>& declarations, std::size_t i);

/// Whether the variable that is named at token i is assigned to, or counted up or down, by its name alone.
bool is_assigned(const Source& source, std::size_t i);

/// The functions of a file by their qualified names. nvcc takes together what the declarations of one say.
class FunctionsByName {
public:
  FunctionsByName(const Source& source, const std::vector<Declaration>& declarations);

  /// "a::S::f", "a::S::~S", "a::operator+".
  std::string name_of(const Declaration& function) const;
  /// Whether `holds` is true of another declaration of what may be the same function.
  bool any_other(const Declaration& function, const std::function<bool(const Declaration&)>& holds) const;
  /// Whether a declaration gives it the device.
  bool is_on_device(const Declaration& function) const;
  /// Whether none gives it the device, or one gives it both.
  bool is_on_host(const Declaration& function) const;

private:
  const Source& source_;
  std::map<std::string, std::vector<const Declaration*>> functions_;
};

/// Marks what the code of the other side may use: functions and variables whose names that code mentions, and
/// constructors, destructors, conversions and operators, which need no mention.
/// True if there is any mark.
bool mark_sides(Source& source, const std::vector<Declaration>& declarations);

} // namespace simt::compiler
