#include "simt/translate/passes.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace simt::compiler {
namespace {

constexpr std::size_t longest_name = 40;
constexpr std::size_t most_passed_names = 8; ///< as in the simulator's allocation.h

bool is_allocation(const Source& source, std::size_t i) {
  return source.is_any(i, {"cudaMalloc", "cudaMallocManaged", "cudaMallocAsync", "cudaMallocPitch",
                           "cudaMallocHost", "cudaHostAlloc", "cudaMallocArray", "cudaMalloc3DArray"});
}

/// The end of the first argument of the call whose bracket is at `open`, or `none` if it is the only one.
std::size_t first_comma(const Source& source, std::size_t open) {
  for (std::size_t i = open + 1; i < source.match(open); ++i) {
    if (source.is(i, ",")) return i;
    if (source.is(i, "<") && source.closing_angle(i) != none)
      i = source.closing_angle(i);
    else if (source.opens(i))
      i = source.match(i);
  }
  return none;
}

/// Whether [from, to) is `void**`.
bool is_void_pointers(const Source& source, std::size_t from, std::size_t to) {
  return to == from + 3 && source.is(from, "void") && source.is(from + 1, "*") && source.is(from + 2, "*");
}

/// Erases a cast to void** around [begin, end), and makes the range what is left.
bool take_cast(Source& source, std::size_t& begin, std::size_t& end) {
  if (source.is(begin, "(") && source.opens(begin) &&
      is_void_pointers(source, begin + 1, source.match(begin)) && source.behind(begin) < end) {
    const std::size_t behind = source.behind(begin);
    source.erase(begin, behind);
    begin = behind;
    return true;
  }
  if (source.is(begin, "reinterpret_cast") && source.is(begin + 1, "<")) {
    const std::size_t close = source.closing_angle(begin + 1);
    if (close == none || !source.opens(close + 1) || source.behind(close + 1) != end ||
        !is_void_pointers(source, begin + 2, close))
      return false;
    source.erase(begin, close + 1); // its brackets stay
    begin = close + 2;
    --end;
    return true;
  }
  return false;
}

/// The parameter that the function of a body calls so, by number from 0; `none` if there is no such one.
std::size_t parameter_named(const Source& source, const Body& body, std::string_view name) {
  const std::size_t open = body.function ? body.function->parameters : none;
  if (open == none || !source.opens(open)) return none;
  const std::vector<TokenRange> parameters = source.pieces(open, source.match(open));
  for (std::size_t number = 0; number < std::min(parameters.size(), most_passed_names); ++number) {
    auto [begin, end] = parameters[number];
    for (std::size_t i = begin; i < end; ++i)
      if (source.is(i, "=")) end = i;
    if (end - begin > 1 && source.is(end - 1, name)) return number;
  }
  return none;
}

/// Whether the parameter is a pointer by value that the function does not use behind token i: what it is set to there is lost.
bool is_lost(const Source& source, const Body& body, std::size_t parameter, std::size_t i) {
  const std::size_t open = body.function->parameters;
  const auto [begin, end] = source.pieces(open, source.match(open))[parameter];
  unsigned stars = 0;
  for (std::size_t k = begin; k < end && !source.is(k, "="); ++k) {
    if (source.is_any(k, {"&", "&&", "[", "("})) return false;
    stars += source.is(k, "*");
  }
  return stars == 1 && !source.mentions(source.behind(i + 1), body.close, source.spelling(end - 1));
}

/// Functions that allocate for their callers, and the parameters that they do it for, by number.
using Wrappers = std::map<std::string, std::set<std::size_t>, std::less<>>;

/// What an argument is called where it names a variable, an element or a member, or the address of one; empty for any other.
std::string name_of_argument(const Source& source, std::size_t begin, std::size_t end) {
  while (source.is(begin, "(") && source.opens(begin) && source.behind(begin) < end) begin = source.behind(begin); // a cast
  if (source.is(begin, "&")) ++begin;
  if (begin == end || !source.is_name(begin)) return {};
  for (std::size_t i = begin; i < end; i = source.behind(i))
    if (!source.is_name(i) && !source.is(i, "[") && !source.is_any(i, {".", "->", "::", "this"})) return {};
  const std::string name = source.flat(begin, end);
  return name.size() > longest_name ? std::string() : name;
}

void pass_names(Source& source, const std::vector<Body>& bodies, const Wrappers& wrappers) {
  for (const Body& body : bodies) {
    if (!body.on_host || body.on_device) continue;
    for (std::size_t i = body.open + 1; i < body.close; ++i) {
      const auto wrapper = source.is_identifier(i) ? wrappers.find(source.spelling(i)) : wrappers.end();
      if (wrapper == wrappers.end() || source.is_any(i - 1, {".", "->"})) continue;
      const std::size_t angle = source.is(i + 1, "<") ? source.closing_angle(i + 1) : none;
      const std::size_t open = angle == none ? i + 1 : angle + 1;
      if (!source.is(open, "(") || !source.opens(open)) continue;
      const std::vector<TokenRange> arguments = source.pieces(open, source.match(open));
      for (const std::size_t number : wrapper->second) {
        if (number >= arguments.size()) continue;
        const auto [begin, end] = arguments[number];
        const std::string name = name_of_argument(source, begin, end);
        if (name.empty()) continue;
        source.insert_before(begin, concatenate({"::simt::passed<", std::to_string(number), ">(\"", escaped(name), "\", "}));
        source.insert_behind(end - 1, ")");
      }
    }
  }
}

} // namespace

void rewrite_allocations(Source& source, const std::vector<Body>& bodies) {
  Wrappers wrappers;
  const auto body_of = [&](std::size_t i) {
    return std::ranges::find_if(bodies, [&](const Body& body) { return body.open < i && i < body.close; });
  };
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (!is_allocation(source, i) || source.is_shim(i)) continue;
    if (i > 0 && (source.is_name(i - 1) || source.is_any(i - 1, {".", "->", "&", "*"}))) continue;
    if (!source.is(i + 1, "(") || !source.opens(i + 1)) continue;
    std::size_t begin = i + 2, end = first_comma(source, i + 1);
    if (end == none || end == begin) continue; // the compiler says what is missing
    const bool cast = take_cast(source, begin, end);
    while (source.is(begin, "(") && source.opens(begin) && source.behind(begin) == end) ++begin, --end;
    const bool is_address = source.is(begin, "&");
    if (is_address) ++begin;
    std::string name = source.flat(begin, end);
    if (name.size() > longest_name) name.clear();
    std::string text = concatenate({"\"", escaped(name), "\""});
    if (const auto body = body_of(i); body != bodies.end() && body->function)
      if (const std::size_t number = parameter_named(source, *body, name); number != none) {
        if (is_address && is_lost(source, *body, number, i))
          source.warning(begin, concatenate({source.spelling(i), " sets the function's own copy of ", name,
                                             ", and the caller's pointer stays as it is; take it by reference, as in T*& ", name,
                                             ", or take its address, T** ", name}));
        wrappers[std::string(source.spelling(body->function->name))].insert(number);
        text = concatenate({"::simt::name_of_passed(", std::to_string(number), ", ", text, ")"});
      }
    source.insert_behind(i + 1, concatenate({"::simt::AllocationName<", cast ? "true" : "false", ">{", text, "}, "}));
  }
  pass_names(source, bodies, wrappers);
}

} // namespace simt::compiler
