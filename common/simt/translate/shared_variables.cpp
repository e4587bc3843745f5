#include "simt/translate/declared_functions.hpp"
#include "simt/translate/passes.hpp"

#include <algorithm>
#include <set>

namespace simt::compiler {
namespace {

struct Declarator {
  std::size_t name = none;
  std::string spelling;
};

/// A declaration with `__shared__` among its specifiers.
struct SharedDeclaration {
  std::size_t begin = none;
  std::size_t end = none;  ///< its `;`
  bool is_dynamic = false; ///< `extern __shared__`
  std::vector<Declarator> declarators;
  std::vector<std::size_t> dropped;                            ///< storage keywords
  std::vector<std::pair<std::size_t, std::size_t>> attributes; ///< token ranges
  std::string alignment;                                       ///< as one or several `alignas(...)`, or empty
};

/// What an alignment attribute asks for, as `alignas(...)`; empty for any other attribute.
std::string alignment_of(const Source& source, std::size_t begin, std::size_t end) {
  if (source.is(begin, "alignas")) return source.flat(begin, end);
  for (std::size_t i = begin; i < end; ++i)
    if (source.is_any(i, {"aligned", "__aligned__"}))
      return source.is(i + 1, "(") ? "alignas" + source.flat(i + 1, source.behind(i + 1)) : "alignas(16)";
  return "";
}

/// Behind a class key: past the definition where one follows, else right behind the key.
std::size_t behind_class_key(const Source& source, std::size_t key) {
  std::size_t i = key + 1;
  while (source.behind_attribute(i) != i) i = source.behind_attribute(i);
  if (source.is_name(i)) ++i;
  return source.is(i, "{") ? source.behind(i) : key + 1;
}

bool is_extern(const Source& source, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i)
    if (source.is(i, "extern")) return true;
  return false;
}

/// Reads the declaration that has `__shared__` at `keyword`. Returns false, with an error where it is ours
/// to report, if it is not one that can be rewritten.
bool read(Source& source, std::size_t keyword, SharedDeclaration& result) {
  result.begin = source.declaration_begin(keyword);
  std::size_t candidate = none;
  bool complete = false; // the declarator has its dimensions: only another one, `,` or `;` may follow
  const auto missing_semicolon = [&](std::size_t i) {
    source.error(i, "a ; is missing behind the __shared__ declaration before this");
    return false;
  };
  for (std::size_t i = result.begin; i < source.size();) {
    if (const std::size_t behind = source.behind_attribute(i); behind != i) {
      result.attributes.emplace_back(i, behind);
      const std::string alignment = alignment_of(source, i, behind);
      if (!alignment.empty()) result.alignment += alignment + ' ';
      i = behind;
    } else if (source.is_any(i, {"__shared__", "static", "extern", "__device__"})) {
      result.is_dynamic |= source.is(i, "extern");
      result.dropped.push_back(i++);
    } else if (source.is_any(i, {"decltype", "typeof", "__typeof__"}) && source.is(i + 1, "(")) {
      i = source.behind(i + 1);
    } else if (source.is_any(i, {"struct", "union", "class", "enum"})) {
      i = behind_class_key(source, i);
    } else if (source.is(i, "<") && source.closing_angle(i) != none) {
      i = source.closing_angle(i) + 1;
    } else if (source.is_name(i)) {
      if (complete) return missing_semicolon(i);
      candidate = i++;
    } else if (source.is(i, "(") && source.opens(i) && source.is_any(i + 1, {"*", "&"})) {
      for (std::size_t k = i + 1; k < source.match(i); ++k)
        if (source.is_name(k)) candidate = k;
      complete = true;
      i = source.behind(i);
    } else if (source.is(i, "[")) {
      if (!complete && candidate != none && source.match(i) == i + 1 && !is_extern(source, result.begin, i)) {
        source.error(
            candidate,
            concatenate({"the __shared__ array ", source.spelling(candidate),
                         " has no size; write one, or extern __shared__ and the bytes in the launch: "
                         "<<<grid, block, bytes>>>"}));
        return false;
      }
      complete = true;
      i = source.behind(i);
    } else if (source.is_any(i, {",", ";"})) {
      if (candidate == none) return false; // the compiler's message says more
      result.declarators.push_back({candidate, std::string(source.spelling(candidate))});
      candidate = none;
      complete = false;
      if (source.is(i, ";")) {
        result.end = i;
        return true;
      }
      ++i;
    } else if (source.is_any(i, {"=", "{", "("})) {
      const auto line = [&](std::size_t k) { return source.stream().tokens[k].line; };
      if (candidate != none && source.is_name(candidate - 1) && line(candidate - 1) != line(candidate))
        return missing_semicolon(candidate);
      const std::string name = candidate == none ? "it" : std::string(source.spelling(candidate));
      source.error(
          candidate == none ? i : candidate,
          concatenate({"a __shared__ variable cannot be initialised where it is declared; let one thread "
                       "assign ",
                       name, ", then call __syncthreads()"}));
      return false;
    } else if (source.is_any(i, {")", "}", "]"}) || source.kind(i) == TokenKind::end) {
      return false;
    } else {
      const bool qualifier = source.is_any(i, {"const", "volatile"});
      if (source.is_identifier(i) && !qualifier && candidate != none) return missing_semicolon(i);
      ++i;
    }
  }
  return false;
}

/// Memory of a block that its kernel's own declarations take, as far as the compiler is to add it up.
struct StaticArray {
  std::string type;      ///< of the variable, as the translated text calls it
  std::size_t to = none; ///< the brace behind which that name is none
};

/// Has the compiler refuse an array that is too large, by itself or with those that are visible where it stands.
std::string size_assertion(const Source& source, const Declarator& declarator,
                           const std::vector<StaticArray>& before) {
  const std::string type = "simt_type_" + declarator.spelling;
  std::string sum; // of those before: the array that is too much is named, and none behind it
  for (const StaticArray& array : before)
    if (array.type != type) sum += concatenate({sum.empty() ? "sizeof(" : " + sizeof(", array.type, ")"});
  const bool is_first = sum.empty();
  const std::string total = concatenate({is_first ? "" : sum + " + ", "sizeof(", type, ")"});
  return source.assertion("sizeof(" + type + ") > 0", declarator.name,
                          "the __shared__ array " + declarator.spelling +
                              " has no elements; give it a size, or write extern "
                              "__shared__ and the bytes in the launch") +
         source.assertion(
             concatenate({is_first ? "" : sum + " > 49152 || ", total, " <= 49152"}), declarator.name,
             "the __shared__ array " + declarator.spelling +
                 (is_first ? " takes" : " and those before it take") +
                 " more than 48 KiB, the most that a block's declared variables may have; take less, "
                 "or extern __shared__ with cudaFuncSetAttribute, which allows 227 KiB");
}

struct Rewritten {
  std::string definitions; ///< types that belong behind the declaration
  std::string references;  ///< one reference per variable, into the block's memory
};

/// Turns the declaration itself into a typedef of the variables' types.
Rewritten rewrite(Source& source, const SharedDeclaration& declaration) {
  Rewritten result;
  std::string keys;
  for (const Declarator& declarator : declaration.declarators) {
    const std::string& name = declarator.spelling;
    const std::string type = "simt_type_" + name;
    source.replace(declarator.name, type);
    std::string value = concatenate({"::simt::dynamic_shared<", type, ">(\"", name, "\")"});
    if (!declaration.is_dynamic) {
      // The key is a static of its own, so that every instantiation of a template has its own variable.
      const std::string key = "simt_name_" + name;
      keys += concatenate({"static const char ", key, "[] = \"", name, "\"; "});
      const std::string aligned = "simt_aligned_" + name;
      const bool is_aligned = !declaration.alignment.empty();
      if (is_aligned)
        result.definitions +=
            concatenate({" struct ", aligned, " { ", declaration.alignment, type, " value; };"});
      value = concatenate({"::simt::shared_variable<", type, is_aligned ? ", alignof(" + aligned + ")" : "",
                           ">(", key, ", ", source.place(declarator.name), ")"});
    }
    // As on the device, all extern __shared__ of one name and namespace are one variable: of one type.
    if (declaration.is_dynamic)
      result.definitions += concatenate({" extern ", type, " simt_extern_", name, ";"});
    result.references += concatenate({" ", type, "& ", name, " = ", value, ";"});
  }
  for (const std::size_t i : declaration.dropped) source.erase(i);
  for (const auto& [begin, end] : declaration.attributes) source.erase(begin, end);
  source.insert_before(declaration.begin, keys + "typedef ");
  return result;
}

/// nvcc takes classes with constructors and runs none, as it also says in a warning.
void warn_of_constructors(Source& source, const SharedDeclaration& declaration,
                          const std::set<std::string>& filled) {
  for (std::size_t i = declaration.begin; i < declaration.declarators.front().name; ++i)
    if (source.is_name(i) && filled.contains(std::string(source.spelling(i))))
      source.warning(i,
                     concatenate({"the constructor and the destructor of ", source.spelling(i),
                                  " do not run for __shared__ variables; let one thread assign ",
                                  declaration.declarators.front().spelling, ", then call __syncthreads()"}));
}

/// Shared variables of one function's body.
void rewrite_body(Source& source, const Body& body, const std::set<std::string>& filled,
                  std::vector<SharedName>& names) {
  std::vector<std::size_t> braces;
  std::vector<StaticArray> arrays;
  for (std::size_t i = body.open; i <= body.close; ++i) {
    if (source.is(i, "{"))
      braces.push_back(i);
    else if (source.is(i, "}") && !braces.empty())
      braces.pop_back();
    if (!source.is(i, "__shared__") || source.is_edited(i)) continue;
    if (body.on_host && !source.is_shim(i) && !has_device_lambda(source, body)) {
      source.error(
          i, concatenate({"a __shared__ variable belongs to a block of threads, and ",
                          source.spelling(body.function->name),
                          body.on_device ? " is a function for the host, too" : " is a function of the host",
                          "; declare it in a kernel or a __device__ function"}));
      continue;
    }
    SharedDeclaration declaration;
    if (!read(source, i, declaration)) continue;
    warn_of_constructors(source, declaration, filled);
    Rewritten rewritten = rewrite(source, declaration);
    std::erase_if(arrays, [&](const StaticArray& array) { return array.to < i; });
    for (const Declarator& declarator : declaration.declarators) {
      if (declaration.is_dynamic) continue;
      if (source.mentions(declaration.begin, declarator.name, "const"))
        rewritten.definitions +=
            source.assertion("!::simt::is_read_only<simt_type_" + declarator.spelling + ">", declarator.name,
                             "nothing can be written to the __shared__ variable " + declarator.spelling +
                                 ", because it is const; leave const out");
      // An array that nothing uses takes no memory.
      if (!source.is(declarator.name + 1, "[") ||
          !source.mentions(declaration.end, body.close, declarator.spelling))
        continue;
      rewritten.definitions += size_assertion(source, declarator, arrays);
      arrays.push_back(
          {"simt_type_" + declarator.spelling, braces.empty() ? body.close : source.match(braces.back())});
    }
    source.insert_behind(declaration.end, rewritten.definitions + rewritten.references);
    for (const Declarator& declarator : declaration.declarators)
      names.push_back({declarator.spelling, declaration.end,
                       braces.empty() ? body.close : source.match(braces.back()), declaration.is_dynamic});
  }
}

/// A shared variable at namespace scope becomes a reference in every device function that names it.
void rewrite_namespace_scope(Source& source, const Declaration& found, const std::vector<Body>& bodies,
                             std::vector<SharedName>& names) {
  std::size_t keyword = none;
  for (const std::size_t i : found.cuda_keywords)
    if (source.is(i, "__shared__")) keyword = i;
  if (source.is_edited(keyword)) return; // it means nothing
  if (found.scope == Scope::class_scope) {
    if (!drop_memory_space_of_member(source, found))
      source.error(keyword, "a __shared__ variable cannot be a static member; declare it in the kernel");
    return;
  }
  if (found.is_template) {
    source.error(
        keyword,
        "a __shared__ variable template is not simulated; declare the variable in the kernel, or in a "
        "function template that returns a reference to it");
    return;
  }
  SharedDeclaration declaration;
  if (!read(source, keyword, declaration)) return;
  const Rewritten rewritten = rewrite(source, declaration);
  source.insert_behind(declaration.end, rewritten.definitions);
  for (const Declarator& declarator : declaration.declarators)
    if (!declaration.is_dynamic && source.is(declarator.name + 1, "["))
      source.insert_behind(declaration.end, size_assertion(source, declarator, {}));
  const auto mentions_any = [&](std::size_t from, std::size_t to) {
    return std::any_of(declaration.declarators.begin(), declaration.declarators.end(),
                       [&](const Declarator& one) { return source.mentions(from, to, one.spelling); });
  };
  for (const Body& body : bodies) {
    const std::size_t parameters = body.function->parameters;
    if (!body.on_device || body.open < declaration.end || !mentions_any(body.open, body.close) ||
        mentions_any(parameters, source.match(parameters)))
      continue;
    // Braces of their own: the body may declare the same name for something else.
    source.insert_behind(body.open, rewritten.references + " {");
    source.insert_before(body.close, "}");
    for (const Declarator& declarator : declaration.declarators)
      names.push_back({declarator.spelling, body.open, body.close, declaration.is_dynamic});
  }
}

/// Whether `NAME =` at i is a pointer's declarator, or one whose type the compiler finds.
bool declares_pointer(const Source& source, std::size_t i) {
  if (!source.is_name(i) || !source.is(i + 1, "=")) return false;
  std::size_t before = i - 1;
  while (source.is_any(before, {"const", "__restrict__", "__restrict"})) --before;
  return source.is_any(before, {"*", "auto"});
}

/// What is declared in the statement [begin, end) with one of `names` in its value is announced to the simulator, and joins
/// the names.
void name_pointers(Source& source, std::size_t begin, std::size_t end, std::set<std::string>& names,
                   std::vector<CarvedPointer>& carved) {
  for (std::size_t i = begin; i < end; i = source.behind(i)) {
    if (!declares_pointer(source, i)) continue;
    std::size_t behind = i + 2;
    while (behind < end && !source.is(behind, ",")) behind = source.behind(behind);
    const bool is_shared = std::ranges::any_of(
        names, [&](const std::string& name) { return source.mentions(i + 2, behind, name); });
    if (!is_shared || source.mentions(i + 2, behind, "threadIdx")) continue; // no other thread has it
    const std::string name(source.spelling(i));
    source.insert_behind(end, concatenate({" ::simt::name_shared(", name, ", \"", name, "\");"}));
    names.insert(name);
    std::size_t to = end;
    while (to < source.size() && !source.is(to, "}")) to = source.behind(to);
    carved.push_back({name, i, behind, to});
  }
}

} // namespace

std::vector<CarvedPointer> name_pointers_into_shared(Source& source, const std::vector<Body>& bodies,
                                                     const std::vector<SharedName>& shared) {
  std::vector<CarvedPointer> carved;
  for (const Body& body : bodies) {
    std::set<std::string> names;
    for (const SharedName& name : shared)
      if (name.is_dynamic && name.from >= body.open && name.to <= body.close) names.insert(name.name);
    if (names.empty()) continue;
    std::size_t begin = body.open + 1;
    for (std::size_t i = begin; i < body.close; ++i) {
      if (source.is(i, ";")) name_pointers(source, begin, i, names, carved);
      if (source.is_any(i, {";", "{", "}"})) begin = i + 1;
      if (source.is(i, "(") && source.opens(i)) i = source.match(i);
    }
  }
  return carved;
}

std::set<std::string> mark_constructors(Source& source, const std::vector<Declaration>& declarations) {
  std::set<std::string> filled;
  for (const Declaration& member : declarations) {
    if (member.scope != Scope::class_scope || member.body == none || member.name == none ||
        source.is_shim(member.begin) || member.name + 1 != member.parameters ||
        source.match(member.parameters) == none)
      continue;
    // NAME() or ~NAME(), and nothing but specifiers before.
    const bool is_destructor = member.name > member.begin && source.is(member.name - 1, "~");
    bool has_type = false, is_constexpr = false;
    for (std::size_t i = member.begin; i < member.name - (is_destructor ? 1 : 0); ++i) {
      has_type |= !source.is_any(i, {"__device__", "__host__", "__forceinline__", "__noinline__",
                                     "__inline__", "inline", "constexpr", "explicit", "virtual"});
      is_constexpr |= source.is(i, "constexpr");
    }
    const std::size_t close = source.match(member.parameters);
    const bool has_parameters = close != member.parameters + 1;
    std::size_t first =
        member.parameters + 1; // behind the first parameter, or where its default argument begins
    while (first < close && !source.is_any(first, {"=", ","})) first = source.behind(first);
    if (has_type || (has_parameters && !source.is(first, "="))) continue;
    const bool is_empty =
        !has_parameters && member.body == close + 1 && source.match(member.body) == member.body + 1;
    if (is_empty) continue;
    filled.emplace(source.spelling(member.name));
    if (is_destructor || !is_constexpr)
      source.insert_before(member.begin,
                           concatenate({"using simt_filled_", is_destructor ? "destructor" : "constructor",
                                        " = ", source.spelling(member.name), "; "}));
  }
  return filled;
}

std::vector<SharedName> rewrite_shared_variables(Source& source, const std::vector<Declaration>& declarations,
                                                 const std::vector<Body>& bodies,
                                                 const std::set<std::string>& filled) {
  std::vector<SharedName> names;
  for (const Body& body : bodies) rewrite_body(source, body, filled, names);
  for (const Declaration& declaration : declarations)
    if (declaration.has(source, "__shared__")) rewrite_namespace_scope(source, declaration, bodies, names);
  for (std::size_t i = 0; i < source.size(); ++i)
    if (source.is(i, "__shared__") && !source.is_edited(i) && source.errors().empty())
      source.error(i, "this __shared__ declaration cannot be translated; write one variable as "
                      "__shared__ TYPE name[SIZE]; in the kernel");
  return names;
}

} // namespace simt::compiler
