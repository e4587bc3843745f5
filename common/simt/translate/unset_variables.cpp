#include "simt/translate/unset_variables.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace simt::compiler {
namespace {

/// The tokens of the function around the place, without its braces.
std::pair<std::size_t, std::size_t> function_around(const TokenStream& stream, const std::string& file, std::uint32_t line) {
  std::size_t begin = 0, depth = 0;
  const auto holds = [&](std::size_t k) {
    return stream.tokens[k].line == line && stream.files[stream.tokens[k].file].name == file;
  };
  bool is_here = false;
  for (std::size_t i = 0; i + 1 < stream.tokens.size(); ++i) {
    const std::string_view token = stream.spelling(i);
    if (token == "{" && depth++ == 0) begin = i + 1, is_here = false;
    is_here = is_here || holds(i);
    if (token == "}" && depth != 0 && --depth == 0 && is_here) return {begin, i};
  }
  return {0, 0};
}

/// Whether the function stores in the variable, and never anything that is not made of what is in it.
bool is_never_set(const TokenStream& stream, std::string_view name, std::pair<std::size_t, std::size_t> function) {
  const auto is = [&](std::size_t i, std::string_view text) { return stream.spelling(i) == text; };
  const auto [begin, end] = function;
  bool is_stored = false;
  for (std::size_t i = std::max<std::size_t>(begin, 2); i < end; ++i) {
    if (!is(i, name)) continue;
    if (is(i - 1, "&") || is(i - 1, ">")) return false; // its address is taken, or a stream reads into it
    for (const char* sign : {"+", "-"})
      if ((is(i - 1, sign) && is(i - 2, sign)) || (is(i + 1, sign) && is(i + 2, sign))) is_stored = true;
    const std::string_view next = stream.spelling(i + 1);
    if (next.size() == 2 && next[1] == '=' && std::string_view("=!<>").find(next[0]) == std::string_view::npos)
      is_stored = true;
    if (next != "=") continue;
    std::size_t k = i + 2;
    while (k < end && !is(k, ";") && !is(k, name)) ++k;
    if (k >= end || !is(k, name)) return false;
    is_stored = true;
  }
  return is_stored;
}

} // namespace

SaidOfUnset said_of_unset(const TokenStream& stream, const std::string& file, std::uint32_t line, std::string_view message) {
  constexpr std::string_view begin = "warning: ", may_be = " may be used uninitialized";
  const std::size_t end = message.find(may_be);
  if (!message.starts_with(begin) || end == message.npos) return {};
  const std::string_view quoted = message.substr(begin.size(), end - begin.size());
  constexpr std::string_view quotes = "'\"\xe2\x80\x98\x99";
  const std::size_t from = quoted.find_first_not_of(quotes), to = quoted.find_last_not_of(quotes);
  if (from == quoted.npos || !is_never_set(stream, quoted.substr(from, to - from + 1), function_around(stream, file, line)))
    return {"", true};
  return {std::string(begin) + std::string(quoted) + " is used uninitialized: it never gets a first value\n"};
}

} // namespace simt::compiler
