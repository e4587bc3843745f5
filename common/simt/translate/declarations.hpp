#pragma once

#include "simt/translate/source.hpp"

#include <set>

namespace simt::compiler {

enum class Scope { namespace_scope, class_scope, function_scope };

/// One declaration, as far as CUDA's keywords need it understood. Indices are token indices.
struct Declaration {
  Scope scope = Scope::namespace_scope;
  std::string owner; ///< the qualified name of the namespace or class in which this stands, as in "a::S"
  std::size_t begin = none;
  std::size_t end = none; ///< its `;`, or the `}` of its body
  std::size_t specifiers =
      none; ///< the first token behind template headers, attributes, CUDA's keywords and extern "C"
  std::vector<std::size_t>
      cuda_keywords; ///< __global__, __device__, __launch_bounds__, ... among its specifiers

  bool is_template = false;
  bool is_specialization = false;
  bool is_instantiation = false;            ///< `template void f<int>();`
  unsigned required_template_arguments = 0; ///< parameters without a default
  bool has_template_pack = false;

  bool is_function = false;
  std::size_t name = none;       ///< the function's name (last part of a qualified one)
  std::size_t parameters = none; ///< the `(` of its parameters
  std::size_t body = none;       ///< the `{` of its body

  bool has(const Source& source, std::string_view keyword) const;
  bool is_constexpr(const Source& source) const; ///< of a function: constexpr or consteval
};

/// Everything declared at namespace or class scope, in order, and the function bodies' places.
/// Bodies are not looked into. Follows any C++ loosely: what it does not understand it leaves out.
std::vector<Declaration> find_declarations(const Source& source);

/// The text without the parentheses around names of functions that are declared: `void (f)(int)`; empty if there are none.
std::string with_plain_names(const Source& source, const std::vector<Declaration>& declarations);

/// The members of the classes that are defined in the body of a function, between its braces at `open` and `close`.
std::vector<Declaration> find_local_members(const Source& source, std::size_t open, std::size_t close);

/// The declaration in a function body that starts at `begin`.
Declaration read_local_declaration(const Source& source, std::size_t begin);

/// What names function types have: `typedef void work(int*);`, `using work = void(int*);`.
std::set<std::string_view> names_of_function_types(const Source& source);

/// Names of the program's own functions.
using FunctionNames = std::set<std::string_view>;
FunctionNames names_of_functions(const Source& source, const std::vector<Declaration>& declarations);

/// Whether what stands before the name at token i makes it the name of a variable that is declared there: a type, or the end of one.
bool follows_type(const Source& source, std::size_t i);

/// The parameter types of a function, normalised so that its declarations and its definition agree.
std::vector<std::string> parameter_types(const Source& source, const Declaration& function);

} // namespace simt::compiler
