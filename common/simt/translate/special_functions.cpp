#include "simt/translate/special_functions.hpp"

#include "simt/translate/lexer.hpp"

#include <algorithm>
#include <array>

namespace simt::compiler {
namespace {

/// Each function's name contains one of these.
constexpr std::array<std::string_view, 11> parts_of_names = {"airy_",    "beta",    "cyl_",   "ellint",
                                                             "expint",   "hermite", "hyperg", "laguerre",
                                                             "legendre", "riemann", "sph_"};

} // namespace

bool may_use_special_functions(std::string_view text) {
  return std::ranges::any_of(parts_of_names,
                             [&](std::string_view part) { return text.find(part) != text.npos; });
}

std::string without_special_functions(std::string_view headers) {
  std::string rest;
  rest.reserve(headers.size());
  LineMarker place;
  bool is_within = false; // the header of these functions, or what it includes
  std::string_view outside;
  while (!headers.empty()) {
    const std::string_view line = headers.substr(0, headers.find('\n') + 1);
    if (line.empty()) break;
    headers.remove_prefix(line.size());
    if (line[0] == '#' && parse_line_marker(line, place)) {
      if (!is_within && place.literal.ends_with("/bits/specfun.h"))
        is_within = true;
      else if (is_within && place.literal == outside)
        is_within = false;
      if (!is_within) outside = place.literal;
      rest += line;
    } else if (!is_within || !(place.literal.ends_with("/bits/specfun.h") ||
                               place.literal.find("/tr1/") != place.literal.npos)) {
      rest += line;
    }
  }
  return rest += headers;
}

} // namespace simt::compiler
