#include "simt/translate/declared_functions.hpp"

#include <map>

namespace simt::compiler {
namespace {

std::string joined(const std::string& owner, std::string_view name) {
  return owner.empty() ? std::string(name) : concatenate({owner, "::", name});
}

bool is_inline_or_static(const Source& source, const Declaration& function) {
  for (std::size_t i = function.begin; i < function.parameters; ++i)
    if (source.is_any(i, {"inline", "__inline__", "__inline", "__forceinline__", "static"})) return true;
  return function.is_constexpr(source);
}

} // namespace

void Sides::add(const Source& source, const Declaration& function) {
  const bool is_kernel = function.has(source, "__global__");
  const bool on_device = function.has(source, "__device__");
  // constexpr functions run on both sides with nvcc's --expt-relaxed-constexpr, the simulator's own everywhere.
  const bool both = function.is_constexpr(source) || source.is_shim(function.begin) ||
                    (function.end != none && source.is_any(function.end - 1, {"default", "delete"}));
  kernel |= is_kernel;
  member |= function.scope == Scope::class_scope;
  own |= source.is_own(function.begin);
  device |= both || (on_device && !is_kernel);
  host |= both || (!is_kernel && (!on_device || function.has(source, "__host__")));
}

std::string DeclaredFunctions::owner_of(const Source& source, const Declaration& function) {
  std::string qualifiers;
  std::size_t i = function.name;
  if (source.is(i - 1, "~")) --i;
  while (i > function.begin + 1 && source.is(i - 1, "::")) {
    i -= 2;
    if (source.is(i, ">") && source.opening_angle(i) != none) i = source.opening_angle(i) - 1;
    if (!source.is_name(i)) break;
    qualifiers = qualifiers.empty() ? std::string(source.spelling(i))
                                    : joined(std::string(source.spelling(i)), qualifiers);
  }
  return qualifiers.empty() ? function.owner : joined(function.owner, qualifiers);
}

DeclaredFunctions::DeclaredFunctions(const Source& source, const std::vector<Declaration>& declarations)
    : source_(source) {
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (using_std_ == none && source.is(i, "using") && source.is(i + 1, "namespace") &&
        source.is(i + 2, "std"))
      using_std_ = i + 2;
    if (source.is_own(i) && source.is_name(i)) ++mentions_[source.spelling(i)];
  }
  for (const Declaration& declaration : declarations) {
    if (declaration.scope == Scope::class_scope && !declaration.owner.empty())
      classes_.insert(declaration.owner.substr(declaration.owner.rfind(':') + 1)); // npos + 1 is 0
    if (declaration.is_template && !declaration.is_function)
      class_templates_.emplace_back(declaration.begin, declaration.end);
    if (declaration.is_function && declaration.name != none && source.is_own(declaration.name) &&
        !declaration.is_instantiation)
      --mentions_[source.spelling(declaration.name)];
  }
}

bool DeclaredFunctions::is_of_template(const Declaration& function) const {
  if (function.is_template) return true;
  for (const auto& [begin, end] : class_templates_)
    if (begin < function.begin && function.begin < end) return true;
  return false;
}

bool DeclaredFunctions::is_surely_used(const Declaration& function) const {
  if (function.name == none) return false;
  if (source_.is(function.name, "operator")) return true; // it is called without its name
  const bool may_be_left_out =
      function.is_template || function.scope == Scope::class_scope || is_inline_or_static(source_, function);
  if (!may_be_left_out || function.is_specialization) return true;
  const auto found = mentions_.find(source_.spelling(function.name));
  return found != mentions_.end() && found->second > 0;
}

bool is_called(const Source& source, std::size_t i) {
  if (source.is(i + 1, "(")) return true;
  const std::size_t close = source.is(i + 1, "<") ? source.closing_angle(i + 1) : none;
  return close != none && source.is(close + 1, "(") && !source.is(close - 1, "<");
}

bool has_device_lambda(const Source& source, const Body& body) {
  for (std::size_t i = body.open; i < body.close; ++i)
    if (source.is(i, "__device__") && source.is_any(i - 1, {"]", ")", "__host__"})) return true;
  return false;
}

void refuse_host_function(Source& source, std::size_t i, std::string_view name) {
  source.error(i, concatenate({"the host function ", name,
                               " is called from device code; write __device__ before its declaration, or "
                               "__host__ __device__ if both call it"}));
}

void refuse_device_function(Source& source, std::size_t i, std::string_view name) {
  source.error(i, concatenate({"the device function ", name,
                               " is called from host code; call it in a kernel, or write __host__ __device__ "
                               "before its declaration"}));
}

} // namespace simt::compiler
