#include "simt/translate/passes.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>

namespace simt::compiler {
namespace {

struct NamedElement {
  std::size_t begin = none, last = none; ///< tokens of `name[i].member[k]`
  std::size_t name = none;               ///< which of the names
  const char* use = "";
};

/// Functions that take values, and change none.
bool takes_values(const Source& source, std::size_t i) {
  return source.is_any(i, {"min",    "max",   "fmin",  "fmax",  "fminf",  "fmaxf",  "abs",
                           "fabs",   "fabsf", "sqrt",  "sqrtf", "exp",    "expf",   "log",
                           "logf",   "pow",   "powf",  "sin",   "cos",    "sinf",   "cosf",
                           "printf", "if",    "while", "for",   "switch", "return", "assert"});
}

/// Whether the `&` at i takes an address.
bool takes_address_of(const Source& source, std::size_t i) {
  return source.is(i, "&") && !source.is_name(i - 1) && !source.is_any(i - 1, {")", "]"}) &&
         source.kind(i - 1) != TokenKind::number;
}

/// The `(` of the call that token i is in as an argument of its own, or a part of one; `none` if it is in none.
std::size_t call_around(const Source& source, std::size_t i) {
  for (std::size_t k = i; k-- > 0 && !source.is_any(k, {";", "{", "}"});) {
    if (source.closes(k))
      k = source.match(k);
    else if (source.opens(k))
      return source.is(k, "(") ? k : none;
  }
  return none;
}

/// Of `T& r = name[i]`, after which r is another name of the element.
bool binds_reference(const Source& source, std::size_t assignment) {
  std::size_t i = assignment - 1;
  if (source.is(i, "]") && source.closes(i)) i = source.match(i);
  return source.is_any(i - 1, {"&", "&&"});
}

/// How the element is used; null if it may be used by something other than its name from then on.
const char* use_of(const Source& source, const NamedElement& element) {
  const std::size_t before = element.begin - 1, behind = element.last + 1;
  if (source.is_any(before, {"++", "--"}) ||
      source.is_any(behind, {"++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}))
    return "simt_use_update";
  if (takes_address_of(source, before)) {
    const bool is_atomic = source.is(before - 1, "(") && source.spelling(before - 2).starts_with("atomic") &&
                           source.is_any(behind, {",", ")"});
    return is_atomic ? "simt_use_update" : nullptr;
  }
  if (source.is(behind, "=")) return "simt_use_write";
  if (source.is(before, "=") && binds_reference(source, before)) return nullptr;
  if (source.is_any(before, {"(", ","}) && source.is_any(behind, {",", ")"})) {
    const std::size_t open = call_around(source, element.begin);
    if (open == none) return "simt_use_read";
    if (source.kind(open - 1) == TokenKind::string) return nullptr; // of assembly
    if ((source.is_name(open - 1) || source.is(open - 1, ">")) && !takes_values(source, open - 1))
      return "simt_use_unknown";
  }
  return "simt_use_read";
}

bool has_bit_fields(const Source& source) {
  for (std::size_t i = 1; i + 2 < source.size(); ++i)
    if (source.is(i, ":") && source.is_own(i) && source.is_name(i - 1) &&
        source.kind(i + 1) == TokenKind::number && source.is_any(i + 2, {";", ","}))
      return true;
  return false;
}

/// The element that is named from token i on; nothing if the name stands for more than an element.
std::optional<NamedElement> element_at(const Source& source, std::size_t i) {
  if (!source.is(i + 1, "[") || !source.opens(i + 1)) return {};
  NamedElement element{i, source.match(i + 1)};
  for (;;) {
    const std::size_t next = element.last + 1;
    if (source.is(next, "[") && source.opens(next)) {
      element.last = source.match(next);
    } else if (source.is(next, ".")) {
      if (!source.is_name(next + 1) || source.is_any(next + 2, {"(", "<"}) || has_bit_fields(source))
        return {};
      element.last = next + 1;
    } else {
      break;
    }
  }
  if (source.is_any(element.last + 1, {"(", "->*", ".*"})) return {};
  element.use = use_of(source, element);
  return element.use ? std::optional(element) : std::nullopt;
}

/// Whether the element is set to a number: `a[i] = 0;`, as a whole buffer is, of which other pointers lead to parts.
bool is_set_to_number(const Source& source, const NamedElement& element) {
  std::size_t value = element.last + 2;
  if (source.is(value, "-")) ++value;
  if (source.is_name(value) && source.is(value + 1, "(")) value += 2; // T(0)
  return source.kind(value) == TokenKind::number && source.is_any(value + 1, {";", ",", ")"});
}

/// All elements that a name stands for between two tokens; false if it stands for another thing there.
bool add_elements(const Source& source, const std::string& name, std::size_t number, std::size_t from,
                  std::size_t to, std::span<const CarvedPointer> carved,
                  std::vector<NamedElement>& elements) {
  for (std::size_t i = from; i < to; ++i) {
    const bool sets_pointer = std::ranges::any_of(
        carved, [&](const CarvedPointer& each) { return i >= each.name && i < each.behind; });
    if (sets_pointer || !source.is(i, name) || source.is_any(i - 1, {".", "->", "::"})) continue;
    std::optional<NamedElement> element = element_at(source, i);
    if (!element) return false;
    element->name = number;
    elements.push_back(*element);
  }
  return true;
}

void mark(Source& source, const std::vector<NamedElement>& elements, const std::vector<std::string>& names) {
  for (const NamedElement& element : elements) {
    source.insert_before(element.begin, concatenate({"::simt::by_name<", element.use, ">("}));
    source.insert_behind(
        element.last, concatenate({", ", std::to_string(element.name), ", \"", names[element.name], "\")"}));
  }
}

/// The same of one array that is divided by hand.
void mark_carved(Source& source, const SharedName& array, const std::vector<CarvedPointer>& carved) {
  std::vector<std::string> names{array.name};
  std::vector<NamedElement> elements;
  if (!add_elements(source, array.name, 0, array.from + 1, array.to, carved, elements)) return;
  for (NamedElement& element : elements) element.use = "simt_use_unknown";
  for (const CarvedPointer& pointer : carved) {
    if (std::ranges::find(names, pointer.spelling) != names.end()) return;
    const std::size_t first = elements.size();
    if (!add_elements(source, pointer.spelling, names.size(), pointer.behind, pointer.to, carved, elements))
      return;
    for (NamedElement& element : std::span(elements).subspan(first))
      if (element.use == std::string_view("simt_use_write") && is_set_to_number(source, element))
        element.use = "simt_use_unknown";
    names.push_back(pointer.spelling);
  }
  mark(source, elements, names);
}

} // namespace

void mark_uses_of_shared_names(Source& source, const std::vector<Body>& bodies,
                               const std::vector<SharedName>& shared,
                               const std::vector<CarvedPointer>& carved) {
  const auto arrays_in = [&](const Body& body) {
    std::vector<SharedName> arrays;
    std::ranges::copy_if(shared, std::back_inserter(arrays), [&](const SharedName& name) {
      return name.is_dynamic && name.from >= body.open && name.to <= body.close;
    });
    return arrays;
  };
  const auto is_kernel = [&](const Body& body) { return body.function->has(source, "__global__"); };
  if (std::ranges::any_of(bodies,
                          [&](const Body& body) { return !is_kernel(body) && !arrays_in(body).empty(); }))
    return; // what a function does with the same memory is not seen from its caller
  for (const Body& body : bodies) {
    const std::vector<SharedName> arrays = arrays_in(body);
    std::vector<CarvedPointer> pointers;
    std::ranges::copy_if(carved, std::back_inserter(pointers), [&](const CarvedPointer& pointer) {
      return pointer.name > body.open && pointer.name < body.close;
    });
    if (arrays.size() == 1 && pointers.size() > 1) mark_carved(source, arrays[0], pointers);
    std::vector<std::string> names;
    for (const SharedName& array : arrays)
      if (std::ranges::find(names, array.name) == names.end()) names.push_back(array.name);
    if (names.size() < 2) continue;
    std::vector<NamedElement> elements;
    if (std::ranges::all_of(arrays, [&](const SharedName& array) {
          const auto number = std::ranges::find(names, array.name) - names.begin();
          return add_elements(source, array.name, static_cast<std::size_t>(number), array.from + 1, array.to,
                              {}, elements);
        }))
      mark(source, elements, names);
  }
}

} // namespace simt::compiler
