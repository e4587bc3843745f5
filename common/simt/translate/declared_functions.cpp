#include "simt/translate/declared_functions.hpp"

namespace simt::compiler {
namespace {

std::string joined(const std::string& owner, std::string_view name) {
  return owner.empty() ? std::string(name) : concatenate({owner, "::", name});
}

/// "a::b" for "a::b::c", and "" for "c".
std::string outer(const std::string& name) {
  const std::size_t last = name.rfind("::");
  return last == name.npos ? std::string() : name.substr(0, last);
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
    if (!source.is_own(i) || !source.is_name(i)) continue;
    ++mentions_[source.spelling(i)];
    if (source.is(i + 1, ";") && source.is(i - 1, "::")) { // using a::f;
      std::size_t begin = i;
      while (source.is(begin - 1, "::") || source.is_name(begin - 1)) --begin;
      if (source.is(begin - 1, "using")) introduced_.insert(source.spelling(i));
    }
  }
  for (const Declaration& declaration : declarations) {
    if (declaration.scope == Scope::class_scope && !declaration.owner.empty())
      classes_.insert(declaration.owner);
    if (!declaration.is_function || declaration.name == none) continue;
    const std::string_view name = source.spelling(declaration.name);
    if (source.is_own(declaration.name)) --mentions_[name];
    bool is_friend = false;
    for (std::size_t i = declaration.begin; i < declaration.name; ++i) is_friend |= source.is(i, "friend");
    if (is_friend) {
      introduced_.insert(name);
    } else {
      const bool is_destructor = source.is(declaration.name - 1, "~");
      functions_[joined(owner_of(source, declaration), concatenate({is_destructor ? "~" : "", name}))].add(
          source, declaration);
    }
  }
}

const Sides* DeclaredFunctions::find(const std::string& owner, const std::string& name) const {
  const std::size_t qualified = name.rfind("::");
  if (introduced_.contains(std::string_view(name).substr(qualified == name.npos ? 0 : qualified + 2)))
    return nullptr;
  for (std::string within = owner;; within = outer(within)) {
    const auto found = functions_.find(joined(within, name));
    if (found != functions_.end()) return &found->second;
    if (within.empty()) return nullptr;
  }
}

const Sides* DeclaredFunctions::member(const std::string& class_name, const std::string& name) const {
  if (introduced_.contains(name)) return nullptr;
  const auto found = functions_.find(joined(class_name, name));
  return found == functions_.end() ? nullptr : &found->second;
}

std::string DeclaredFunctions::class_named(const std::string& owner, const std::string& name) const {
  if (introduced_.contains(name)) return {};
  for (std::string within = owner;; within = outer(within)) {
    if (const std::string whole = joined(within, name); classes_.contains(whole)) return whole;
    if (within.empty()) return {};
  }
}

bool DeclaredFunctions::is_surely_used(const Declaration& function) const {
  if (function.name == none) return false;
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

/// A local variable's or parameter's declaration, as far as its type is a class by name.
struct ObjectType {
  std::string name; ///< perhaps qualified; empty if it is no class's name or is not known
  bool is_pointer = false;
  bool is_array = false;
};

/// Looks at the calls of one body.
class BodyCheck {
public:
  BodyCheck(Source& source, const Body& body, const DeclaredFunctions& functions)
      : source_(source), body_(body), functions_(functions),
        owner_(DeclaredFunctions::owner_of(source, *body.function)),
        uses_std_(functions.uses_std_before(body.open)) {}

  void run() {
    for (std::size_t i = body_.open + 1; i < body_.close; ++i) {
      if (!source_.is_name(i)) continue;
      if (!body_.on_host) {
        host_class(i);
        constructor(i);
      }
      if (is_called(source_, i)) call(i);
    }
  }

private:
  /// The name that ends at token i, with the names of namespaces and classes in front; `begin` is where it begins.
  std::string qualified(std::size_t i, std::size_t& begin) const {
    std::string name(source_.spelling(i));
    for (begin = i; source_.is(begin - 1, "::") && source_.is_name(begin - 2);) {
      begin -= 2;
      name = joined(std::string(source_.spelling(begin)), name);
    }
    return name;
  }

  void call(std::size_t i) {
    const std::string name(source_.spelling(i));
    if (source_.is(i - 1, "::")) {
      std::size_t k = i;
      const std::string whole = qualified(i, k);
      const bool is_global = source_.is(k - 1, "::");
      if (is_global && (source_.is(k - 2, ">") || source_.is_any(k - 2, {")"})))
        return; // T<int>::f(), decltype(t)::f()
      if (source_.is_any(k - 1, {".", "->"}) || (k == i && !is_global)) return;
      complain(i, functions_.find(is_global ? "" : owner_, whole), whole);
    } else if (source_.is_any(i - 1, {".", "->"})) {
      const std::string class_name = class_of_object(i - 1);
      if (!class_name.empty()) complain(i, functions_.member(class_name, name), joined(class_name, name));
    } else if (!owner_.empty() && !source_.is_name(i - 1) && !source_.is_any(i - 1, {"~", ">", "*", "&"})) {
      const Sides* sides = functions_.member(functions_.class_named("", owner_), name);
      if (sides && !declaration_of(i, name).is_known) complain(i, sides, joined(owner_, name));
    }
  }

  /// Says so if the side that this body runs on does not have the function.
  void complain(std::size_t i, const Sides* sides, const std::string& name) {
    if (!sides || !sides->own || sides->kernel) return;
    if (body_.on_device && !body_.on_host && !sides->device)
      refuse_host_function(source_, i, name);
    else if (!body_.on_device && !sides->host)
      refuse_device_function(source_, i, name);
  }

  struct Known {
    bool is_known = false; ///< a declaration is there, whatever its type
    ObjectType type;
  };

  /// The innermost declaration of `name` that token i sees in its function.
  Known declaration_of(std::size_t i, std::string_view name) const {
    const std::size_t parameters = body_.function->parameters;
    for (std::size_t k = i - 1; k > parameters; --k) {
      if (!source_.is(k, name) || source_.is_any(k - 1, {".", "->", "::"})) continue;
      std::size_t type = k - 1;
      bool is_pointer = false;
      for (; source_.is_any(type, {"*", "&", "&&", "const", "__restrict__", "__restrict"}); --type)
        is_pointer |= source_.is(type, "*");
      const bool is_basic = source_.is_any(type, {"auto", "int", "unsigned", "long", "short", "char", "bool",
                                                  "float", "double", "void", ")", "]", ","});
      if (source_.is(type, ">") && source_.opening_angle(type) != none)
        type = source_.opening_angle(type) - 1;
      if (!is_visible(k, i)) continue;
      if (is_basic && !source_.is_any(type, {")", "]", ","})) return {true, {}};
      if (!source_.is_name(type)) {
        // One of several declarators, or of a structured binding: known, without a type.
        if (source_.is_any(type, {",", "["}) && source_.is_any(k + 1, {"=", ";", "]"})) return {true, {}};
        continue;
      }
      const std::string written = qualified(type, type);
      const bool is_parameter = k < source_.match(parameters);
      const bool begins =
          source_.is_any(type - 1, {";", "{", "}", "const", "static", "volatile", "__shared__", "struct",
                                    "class", "extern", "__grid_constant__"}) ||
          (source_.is_any(type - 1, {"(", ","}) && (is_parameter || !is_pointer));
      if (!begins) continue;
      return {true, {written, is_pointer, source_.is(k + 1, "[")}};
    }
    return {};
  }

  /// Whether what is declared at k is in scope at i.
  bool is_visible(std::size_t k, std::size_t i) const {
    for (std::size_t q = k; q < i; ++q)
      if (source_.is(q, "}") && source_.match(q) != none && source_.match(q) < k) return false;
    return true;
  }

  /// The program's class that the object before the `.` or `->` at `dot` is of; empty where that is not sure.
  std::string class_of_object(std::size_t dot) const {
    std::size_t object = dot - 1;
    const bool is_arrow = source_.is(dot, "->");
    if (source_.is(object, "this")) return is_arrow ? functions_.class_named("", owner_) : std::string();
    const bool is_element = source_.is(object, "]") && source_.closes(object);
    if (is_element) object = source_.match(object) - 1;
    if (!source_.is_name(object) || source_.is_any(object - 1, {".", "->", "::"})) return {};
    const ObjectType type = declaration_of(object, source_.spelling(object)).type;
    if (type.name.empty()) return {};
    const bool is_class = is_element ? !is_arrow && (type.is_pointer || type.is_array)
                                     : is_arrow == type.is_pointer && !type.is_array;
    return is_class ? functions_.class_named(owner_, type.name) : std::string();
  }

  /// `S s;` where all constructors of S are functions of the host.
  void constructor(std::size_t i) {
    if (!source_.is(i + 1, ";") || !source_.is_name(i - 1) || source_.is_any(i - 2, {"__shared__", "extern"}))
      return;
    std::size_t begin = i - 1;
    const std::string written = qualified(begin, begin);
    if (!source_.is_any(begin - 1, {";", "{", "}"})) return;
    const std::string class_name = functions_.class_named(owner_, written);
    if (class_name.empty()) return;
    const std::string name = class_name.substr(outer(class_name).empty() ? 0 : outer(class_name).size() + 2);
    complain(i, functions_.member(class_name, name), joined(class_name, name));
  }

  /// `std::vector<int> v(n)`, and `v[0]` or `v.size()` of a parameter of that type.
  void host_class(std::size_t i) {
    const bool is_std = source_.is(i - 1, "::") && source_.is(i - 2, "std");
    const std::string_view name = source_.spelling(i);
    if (is_host_class(name) && (is_std || (uses_std_ && !source_.is_any(i - 1, {"::", ".", "->"}) &&
                                           functions_.class_named(owner_, std::string(name)).empty()))) {
      std::size_t variable = i + 1;
      if (source_.is(variable, "<") && source_.closing_angle(variable) != none)
        variable = source_.closing_angle(variable) + 1;
      if (source_.is_name(variable) && source_.is_any(variable + 1, {";", "(", "{", "=", "["}))
        tell_class(i, name);
    }
    if (!source_.is_any(i + 1, {"[", "."}) || source_.is_any(i - 1, {".", "->", "::"})) return;
    const ObjectType type = declaration_of(i, name).type;
    if (type.name.starts_with("std::") && is_host_class(std::string_view(type.name).substr(5)) &&
        !type.is_pointer && !type.is_array && i > body_.open && is_parameter(name))
      tell_class(i, std::string_view(type.name).substr(5));
  }

  bool is_parameter(std::string_view name) const {
    return source_.mentions(body_.function->parameters, source_.match(body_.function->parameters), name);
  }

  void tell_class(std::size_t i, std::string_view name) {
    source_.error(
        i,
        concatenate({"std::", name,
                     " is a class of the host, and its functions do not exist in device code; use an array "
                     "of a constant size there, or a pointer to memory from cudaMalloc"}));
  }

  Source& source_;
  const Body& body_;
  const DeclaredFunctions& functions_;
  std::string owner_;
  bool uses_std_;
};

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

void check_qualified_calls(Source& source, const DeclaredFunctions& functions,
                           const std::vector<Body>& bodies) {
  for (const Body& body : bodies) {
    if (!source.is_own(body.open) || body.function->name == none || !functions.is_surely_used(*body.function))
      continue;
    if ((body.on_device || !has_device_lambda(source, body)) && !(body.on_device && body.on_host))
      BodyCheck(source, body, functions).run();
  }
}

} // namespace simt::compiler
