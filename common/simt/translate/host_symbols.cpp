#include "simt/translate/passes.hpp"

#include <set>

namespace simt::compiler {
namespace {

bool names_variable(const Source& source, std::size_t i) {
  return source.is_name(i) && source.is_any(i + 1, {"[", "=", ";", ",", "{"}) && !source.is(i - 1, "=");
}

/// Names of the program's variables in device memory that host code cannot use by their names, and that nothing else has.
std::set<std::string_view> device_names(const Source& source, const std::vector<Declaration>& declarations) {
  std::set<std::string_view> names, others;
  for (const Declaration& variable : declarations) {
    if (variable.is_function || variable.scope != Scope::namespace_scope || !source.is_own(variable.begin))
      continue;
    // A constant's value is one that both sides may have.
    bool is_other = (!variable.has(source, "__device__") && !variable.has(source, "__constant__")) ||
                    variable.has(source, "__managed__") || variable.is_template;
    for (std::size_t i = variable.begin; i < variable.end; i = source.behind(i)) {
      is_other |= source.is_any(i, {"const", "constexpr", "&"});
      if (names_variable(source, i)) (is_other ? others : names).insert(source.spelling(i));
    }
  }
  std::erase_if(names, [&](std::string_view name) { return others.contains(name); });
  return names;
}

/// Whether the parentheses at `open` are those of a launch's arguments.
bool are_arguments_of_launch(const Source& source, std::size_t open) {
  if (!source.is(open, "(") || !source.is(open - 1, ">") || !source.is(open - 2, ">") ||
      !source.is(open - 3, ">"))
    return false;
  for (std::size_t i = open - 3; i > 0 && !source.is_any(i, {";", "{", "}"}); --i)
    if (source.opens_launch(i)) return true;
  return false;
}

/// Whether the parentheses at `open` are those of a call that copies or sets memory.
bool are_arguments_of_copy(const Source& source, std::size_t open) {
  return source.is(open, "(") &&
         source.is_any(open - 1, {"cudaMemcpy", "cudaMemcpyAsync", "cudaMemcpy2D", "cudaMemcpy2DAsync",
                                  "cudaMemset", "cudaMemsetAsync", "cudaMemset2D", "cudaMemset2DAsync"});
}

/// Whether the variable that is named at token i becomes a pointer: `p = table;`, `p = &table[1];`, or an argument of a launch or a copy.
bool becomes_pointer(const Source& source, std::size_t i, std::size_t from) {
  std::size_t before = source.is(i - 1, "&") ? i - 2 : i - 1;
  if (source.is(before, ")") && source.closes(before) && source.is(before - 1, "*")) // a cast
    before = source.match(before) - 1;
  if (source.is(before, "=")) {
    std::size_t behind = i + 1;
    while (source.is(behind, "[")) behind = source.behind(behind);
    return source.is_any(behind, {";", ",", "+"});
  }
  if (!source.is_any(before, {"(", ",", "{"})) return false;
  for (std::size_t k = before + 1; k-- > from;) {
    if (source.closes(k))
      k = source.match(k);
    else if (source.is(k, "{") && source.opens(k) && source.is_any(k - 1, {"(", ",", "{"}))
      continue; // a structure among the arguments
    else if (source.opens(k))
      return are_arguments_of_launch(source, k) || are_arguments_of_copy(source, k);
  }
  return false;
}

bool is_declared_in(const Source& source, const Body& body, std::string_view name) {
  for (std::size_t i = body.function->parameters; i < body.close; ++i)
    if (source.is(i, name) && follows_type(source, i) && !source.is(i - 1, "sizeof")) return true;
  return false;
}

} // namespace

void mark_host_symbols(Source& source, const std::vector<Declaration>& declarations,
                       const std::vector<Body>& bodies) {
  const std::set<std::string_view> names = device_names(source, declarations);
  if (names.empty()) return;
  for (const Body& body : bodies) {
    // What a name means in a member function may be another member.
    if (body.on_device || !source.is_own(body.open) || body.function->scope == Scope::class_scope) continue;
    for (std::size_t i = body.open + 1; i < body.close; ++i) {
      const std::string_view name = source.spelling(i);
      if (!source.is_name(i) || !names.contains(name) || source.is_edited(i) ||
          !becomes_pointer(source, i, body.open) || is_declared_in(source, body, name))
        continue;
      source.insert_before(i, "::simt::host_symbol(");
      source.insert_behind(i, concatenate({", \"", name, "\")"}));
    }
  }
}

} // namespace simt::compiler
