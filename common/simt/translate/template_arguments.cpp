// Which types nvcc takes as template arguments of kernels. The compiler tells what they are, in the instances.
#include "simt/translate/passes.hpp"

namespace simt::compiler {
namespace {

/// Whether the function has types of its own, lambdas among them.
bool has_local_types(const Source& source, const Body& body) {
  for (std::size_t i = body.open; i < body.close; ++i) {
    if (source.is_any(i, {"struct", "class", "union", "enum"})) return true;
    if (source.is(i, "[") && !source.is_name(i - 1) && !source.is_any(i - 1, {")", "]", "["})) return true;
  }
  return false;
}

/// The names of device functions whose local types kernels may have, with a blank between them.
std::string device_functions(const Source& source, const std::vector<Body>& bodies) {
  std::string names;
  for (const Body& body : bodies)
    if (body.on_device && body.close != none && body.function->name != none && source.is_own(body.open) &&
        has_local_types(source, body))
      names += concatenate({names.empty() ? "" : " ", source.spelling(body.function->name)});
  return names;
}

/// The qualified names of the types that classes keep for themselves.
std::vector<std::string> types_not_public(const Source& source,
                                          const std::vector<Declaration>& declarations) {
  std::vector<std::string> names;
  for (const Declaration& type : declarations) {
    if (type.scope != Scope::class_scope || type.is_function || type.specifiers == none ||
        !source.is_any(type.specifiers, {"struct", "class", "union", "enum"}) || !source.is_own(type.begin))
      continue;
    std::size_t name = type.specifiers + 1;
    if (source.is_any(name, {"struct", "class"})) ++name; // enum class
    while (source.behind_attribute(name) != name) name = source.behind_attribute(name);
    if (source.is_name(name) && source.is_any(name + 1, {"{", ":", "final"}) &&
        access_of(source, type.begin) != "public")
      names.push_back(concatenate({type.owner, "::", source.spelling(name)}));
  }
  return names;
}

/// The names with a blank between them, as the compiler tells them in a function of the namespace `owner`: it leaves out what
/// both have in common.
std::string as_told_in(std::string_view owner, const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) {
    list += (list.empty() ? "" : " ") + name;
    for (std::size_t end = owner.size(); end != owner.npos && end > 0; end = owner.rfind("::", end - 1)) {
      const std::string before = concatenate({owner.substr(0, end), "::"});
      if (!name.starts_with(before)) continue;
      list += " " + name.substr(before.size());
      break;
    }
  }
  return list;
}

/// `using P = struct { ... };` becomes `typedef struct { ... } P;`, which gives the structure a name for compilers too.
void name_structures_of_aliases(Source& source) {
  for (std::size_t i = 0; i + 4 < source.size(); ++i) {
    if (!source.is(i, "using") || !source.is_name(i + 1) || !source.is(i + 2, "=") ||
        !source.is_any(i + 3, {"struct", "class", "union", "enum"}) || !source.is_own(i))
      continue;
    std::size_t body = i + 4;
    while (source.is_any(body, {"struct", "class"})) ++body;
    if (!source.is(body, "{") || !source.opens(body) || !source.is(source.behind(body), ";")) continue;
    source.replace(i, "typedef");
    source.erase(i + 1, i + 3);
    source.insert_behind(source.match(body), concatenate({" ", source.spelling(i + 1)}));
  }
}

/// A parameter of the kernel template that is a pointer to a member.
void check_pointers_to_members(Source& source, const Declaration& kernel) {
  std::size_t open = kernel.begin;
  while (open < kernel.name && !source.is(open, "template")) ++open;
  if (!source.is(++open, "<") || source.closing_angle(open) == none) return;
  for (const auto& [begin, end] : source.pieces(open, source.closing_angle(open)))
    for (std::size_t i = begin; i < end && !source.is(i, "="); ++i)
      if (source.is(i, "::") && source.is(i + 1, "*"))
        source.error(
            i + 1,
            concatenate({"the kernel ", source.spelling(kernel.name),
                         " has a pointer to a member as a template parameter, of which nvcc makes code "
                         "that does not compile; make it a parameter of the function"}));
}

bool has_template_arguments(const Source& source, const Declaration& kernel) {
  return kernel.is_template || (source.opens(kernel.parameters) &&
                                source.mentions(kernel.parameters, source.match(kernel.parameters), "auto"));
}

} // namespace

std::size_t brace_around(const Source& source, std::size_t i, std::size_t from) {
  while (i-- > from) {
    if (source.closes(i))
      i = source.match(i);
    else if (source.is(i, "{"))
      return i;
    if (i == none) break;
  }
  return none;
}

std::size_t class_of_body(const Source& source, std::size_t brace) {
  for (std::size_t j = brace; j-- > 0 && !source.is_any(j, {";", "{", "}", "("});) {
    if (source.closes(j)) j = source.match(j);
    if (source.is(j, ">") && source.opening_angle(j) != none) j = source.opening_angle(j);
    if (source.is_any(j, {"struct", "class", "union"})) return source.is(j - 1, "enum") ? none : j;
  }
  return none;
}

std::string_view access_of(const Source& source, std::size_t i) {
  while (i-- > 0) {
    if (source.is(i, ":") && source.is_any(i - 1, {"public", "protected", "private"}))
      return source.spelling(i - 1);
    if (source.closes(i)) {
      i = source.match(i);
    } else if (source.is(i, "{")) {
      while (i-- > 0 && !source.is_any(i, {";", "}", "{"})) {
        if (source.is(i, "class")) return "private";
        if (source.is_any(i, {"struct", "union"})) return "public";
      }
      return "public";
    }
  }
  return "public";
}

void check_template_arguments(Source& source, const std::vector<Declaration>& declarations,
                              const std::vector<Body>& bodies) {
  std::string functions;
  std::vector<std::string> types;
  bool is_known = false;
  for (const Declaration& kernel : declarations) {
    if (!kernel.has(source, "__global__") || kernel.body == none || kernel.name == none ||
        source.is_shim(kernel.begin) || !has_template_arguments(source, kernel))
      continue;
    if (!is_known) {
      functions = device_functions(source, bodies);
      types = types_not_public(source, declarations);
      name_structures_of_aliases(source);
      is_known = true;
    }
    check_pointers_to_members(source, kernel);
    source.insert_behind(
        kernel.body,
        source.assertion(concatenate({"::simt::are_nameable(__PRETTY_FUNCTION__, \"", functions, "\", \"",
                                      as_told_in(kernel.owner, types), "\")"}),
                         kernel.name, concatenate({unnameable_mark, source.spelling(kernel.name)})));
  }
}

} // namespace simt::compiler
