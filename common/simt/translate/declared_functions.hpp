#pragma once

#include "simt/translate/passes.hpp"

#include <map>
#include <set>
#include <string>

namespace simt::compiler {

/// On which side functions may be called.
struct Sides {
  bool host = false;
  bool device = false;
  bool kernel = false;
  bool member = false; ///< a class has a member of that name
  bool own = false;    ///< one is declared in the program, and not in a header of the simulator or the system

  void add(const Source& source, const Declaration& function);
};

/// What is known of the functions and classes of a translation unit.
class DeclaredFunctions {
public:
  DeclaredFunctions(const Source& source, const std::vector<Declaration>& declarations);

  /// The qualified name of the namespace or class that a function belongs to, wherever it is defined.
  static std::string owner_of(const Source& source, const Declaration& function);

  /// Whether the program has a class of this name, in whatever namespace.
  bool has_class(std::string_view name) const { return classes_.contains(name); }

  /// Whether code is made of the function: nvcc looks at calls in templates and inline functions only where they are used.
  bool is_surely_used(const Declaration& function) const;

  /// Whether it is a template, or a member of one: nvcc looks at instances.
  bool is_of_template(const Declaration& function) const;

  /// Whether `using namespace std` stands somewhere before token i.
  bool uses_std_before(std::size_t i) const { return using_std_ < i; }

private:
  const Source& source_;
  std::set<std::string, std::less<>> classes_; ///< by their plain names
  std::map<std::string_view, std::size_t> mentions_;
  std::vector<std::pair<std::size_t, std::size_t>> class_templates_; ///< where they begin and end
  std::size_t using_std_ = none;                                     ///< where that is said first
};

/// Whether the name at token i is followed by a call's arguments.
bool is_called(const Source& source, std::size_t i);

/// Whether a body has a lambda for the device.
bool has_device_lambda(const Source& source, const Body& body);

/// Says that the function at token i, which the calling side does not have, is the other side's.
void refuse_host_function(Source& source, std::size_t i, std::string_view name);
void refuse_device_function(Source& source, std::size_t i, std::string_view name);

/// Classes and functions of the standard library in device code.
/// `has_constexpr_library`: algorithms and the members of std::vector and std::string are constexpr, as in C++20.
void check_library(Source& source, const DeclaredFunctions& functions,
                   const std::vector<Declaration>& declarations, const std::vector<Body>& bodies,
                   bool has_constexpr_library);

} // namespace simt::compiler
