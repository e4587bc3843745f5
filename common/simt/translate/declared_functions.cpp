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

namespace {

/// Classes of the standard library whose constructors, destructors and members are functions of the host.
bool is_host_class(std::string_view name) {
  static const std::set<std::string_view> names = {
      "vector",        "string",         "map",        "set",           "unordered_map", "unordered_set",
      "multimap",      "multiset",       "deque",      "list",          "forward_list",  "queue",
      "stack",         "priority_queue", "function",   "shared_ptr",    "unique_ptr",    "ostringstream",
      "istringstream", "stringstream",   "ifstream",   "ofstream",      "fstream",       "thread",
      "any",           "mt19937",        "mt19937_64", "random_device", "valarray",      "regex"};
  return names.contains(name);
}

/// Where the variable's name stands that is declared as of the class whose name is token i, as in `std::vector<int> v`.
std::size_t declared_name(const Source& source, std::size_t i) {
  const bool has_arguments = source.is(i + 1, "<") && source.closing_angle(i + 1) != none;
  std::size_t name = has_arguments ? source.closing_angle(i + 1) + 1 : i + 1;
  while (source.is_any(name, {"&", "const"})) ++name;
  return source.is_name(name) ? name : none;
}

/// `std::vector<int> v(n)`, and `v[0]` or `v.size()` of a parameter of that type.
void check_host_classes(Source& source, const DeclaredFunctions& functions, const Body& body) {
  std::map<std::string_view, std::string_view> parameters; ///< of such classes, by their names
  const auto tell = [&](std::size_t i, std::string_view name) {
    source.error(
        i,
        concatenate({"std::", name,
                     " is a class of the host, and its functions do not exist in device code; use an array "
                     "of a constant size there, or a pointer to memory from cudaMalloc"}));
  };
  const std::size_t begin = body.function->parameters, end = source.match(begin);
  for (std::size_t i = begin; i < body.close; ++i) {
    if (!source.is_name(i)) continue;
    const std::string_view name = source.spelling(i);
    const bool is_plain = !source.is_any(i - 1, {"::", ".", "->"});
    const bool is_std = source.is(i - 1, "::") && source.is(i - 2, "std");
    const bool is_class =
        is_host_class(name) &&
        (is_std || (is_plain && functions.uses_std_before(body.open) && !functions.has_class(name)));
    const std::size_t declared = is_class ? declared_name(source, i) : none;
    if (declared != none && i < end)
      parameters.emplace(source.spelling(declared), name);
    else if (declared != none && i > body.open && source.is_any(declared + 1, {";", "(", "{", "=", "["}))
      tell(i, name);
    else if (const auto found = parameters.find(name);
             found != parameters.end() && i > body.open && is_plain && source.is_any(i + 1, {"[", "."}))
      tell(i, found->second);
  }
}

} // namespace

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

void check_host_classes(Source& source, const DeclaredFunctions& functions, const std::vector<Body>& bodies) {
  for (const Body& body : bodies)
    if (body.on_device && !body.on_host && source.is_own(body.open) && body.function->name != none &&
        functions.is_surely_used(*body.function))
      check_host_classes(source, functions, body);
}

} // namespace simt::compiler
