#include "simt/translate/passes.hpp"

#include <algorithm>

namespace simt::compiler {
namespace {

struct Builtin {
  std::string_view name;
  std::string_view text;
};

constexpr Builtin builtins[] = {{"threadIdx", "(::simt::thread_index())"},
                                {"blockIdx", "(::simt::block_index())"},
                                {"blockDim", "(::simt::block_extent())"},
                                {"gridDim", "(::simt::grid_extent())"},
                                {"warpSize", "(::simt::warp_size())"}};

/// Whether token i is declared here: `dim3 gridDim`, `dim3 blockDim(256), gridDim(n)`, `dim3& blockDim`.
bool is_declared(const Source& source, std::size_t i) {
  if (i == 0) return false;
  if (source.is_name(i - 1) || source.is_any(i - 1, {"int", "unsigned", "auto", "const"})) return true;
  if (source.is_any(i - 1, {"*", "&", "&&"})) return source.is_any(i - 2, {"dim3", "uint3", "auto", "const"});
  if (!source.is(i - 1, ",")) return false;
  std::size_t begin = i;
  while (begin > 0 && !source.is_any(begin - 1, {";", "{", "}", "(", "["}))
    begin = source.closes(begin - 1) && source.is_any(begin - 1, {")", "]"}) ? source.match(begin - 1)
                                                                             : begin - 1;
  return !source.is_any(begin - 1, {"(", "["}) && source.is_any(begin, {"dim3", "uint3", "const", "auto"});
}

/// Where the name that is declared at i ends to be visible; `open` is the innermost bracket around it.
std::size_t end_of_scope(const Source& source, std::size_t i, std::size_t open) {
  if (open == none || source.match(open) == none) return source.size();
  if (source.is(open, "{")) return source.match(open);
  // A parameter, or what an `if` or a `for` declares: through the body that follows, if one does.
  for (std::size_t k = source.match(open); k < source.size(); k = source.behind(k)) {
    if (source.is(k, ";")) return std::max(i, source.match(open));
    if (source.is(k, "{")) return source.match(k);
    if (source.is(k, ")")) continue;
    if (source.is(k, "}")) break;
  }
  return source.match(open);
}

} // namespace

void rewrite_builtin_variables(Source& source) {
  struct Hidden {
    std::string_view name;
    std::size_t end;
  };
  std::vector<Hidden> hidden;
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source.opens(i)) open.push_back(i);
    if (source.closes(i) && !open.empty()) open.pop_back();
    if (!source.is_identifier(i)) continue;
    const auto builtin = std::find_if(std::begin(builtins), std::end(builtins),
                                      [&](const Builtin& b) { return source.is(i, b.name); });
    if (builtin == std::end(builtins) || (i > 0 && source.is_any(i - 1, {".", "->", "::"}))) continue;
    std::erase_if(hidden, [i](const Hidden& h) { return h.end < i; });
    if (is_declared(source, i)) {
      hidden.push_back({builtin->name, end_of_scope(source, i, open.empty() ? none : open.back())});
      continue;
    }
    const bool is_hidden =
        std::any_of(hidden.begin(), hidden.end(), [&](const Hidden& h) { return h.name == builtin->name; });
    if (!is_hidden && !source.is_edited(i)) source.replace(i, std::string(builtin->text));
  }
}

} // namespace simt::compiler
