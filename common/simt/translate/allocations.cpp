#include "simt/translate/passes.hpp"

namespace simt::compiler {
namespace {

constexpr std::size_t longest_name = 40;

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

std::string quoted(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

} // namespace

void rewrite_allocations(Source& source) {
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (!is_allocation(source, i) || source.is_shim(i)) continue;
    if (i > 0 && (source.is_name(i - 1) || source.is_any(i - 1, {".", "->", "&", "*"}))) continue;
    if (!source.is(i + 1, "(") || !source.opens(i + 1)) continue;
    std::size_t begin = i + 2, end = first_comma(source, i + 1);
    if (end == none || end == begin) continue; // the compiler says what is missing
    const bool cast = take_cast(source, begin, end);
    while (source.is(begin, "(") && source.opens(begin) && source.behind(begin) == end) ++begin, --end;
    if (source.is(begin, "&")) ++begin;
    std::string name = source.flat(begin, end);
    if (name.size() > longest_name) name.clear();
    source.insert_behind(i + 1, concatenate({"::simt::AllocationName<", cast ? "true" : "false", ">{\"",
                                             quoted(name), "\"}, "}));
  }
}

} // namespace simt::compiler
