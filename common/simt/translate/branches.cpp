#include "simt/translate/passes.hpp"

#include <algorithm>
#include <utility>

namespace simt::compiler {

std::size_t behind_statement(const Source& source, std::size_t i, std::size_t end, unsigned nesting) {
  constexpr unsigned most = 200; // what is nested more deeply is left alone
  if (i >= end || nesting > most) return none;
  if (source.is(i, "{")) return source.match(i) == none ? none : source.match(i) + 1;
  if (source.is_any(i, {"if", "for", "while", "switch"})) {
    std::size_t k = i + 1;
    if (source.is_any(k, {"constexpr", "consteval", "!"})) ++k;
    if (!source.is(k, "(") || source.match(k) == none) return none;
    k = behind_statement(source, source.match(k) + 1, end, nesting + 1);
    if (k == none || !source.is(i, "if") || !source.is(k, "else")) return k;
    return behind_statement(source, k + 1, end, nesting + 1);
  }
  if (source.is(i, "do")) {
    const std::size_t k = behind_statement(source, i + 1, end, nesting + 1);
    if (k == none || !source.is(k, "while") || !source.opens(k + 1)) return none;
    return source.behind(k + 1) + 1;
  }
  for (; i < end; i = source.behind(i)) {
    if (source.is(i, ";")) return i + 1;
    if (source.closes(i)) return none;
  }
  return none;
}

namespace {

/// Whether the condition within these parentheses is an expression: no declaration, and no statement before it.
bool is_expression(const Source& source, std::size_t open) {
  const std::size_t close = source.match(open);
  for (std::size_t i = open + 1; i < close; i = source.behind(i))
    if (source.is_any(i, {";", "=", "{"})) return false;
  return close > open + 1;
}

/// The semicolons in the head at `open` of a `for` loop between which its condition stands; `none` twice where it
/// has no condition, or one that is no expression.
std::pair<std::size_t, std::size_t> for_condition(const Source& source, std::size_t open) {
  const std::size_t close = source.match(open);
  std::vector<std::size_t> semicolons;
  bool expression = true;
  for (std::size_t i = open + 1; i < close; i = source.behind(i)) {
    if (source.is(i, ";")) semicolons.push_back(i);
    if (semicolons.size() == 1 && source.is_any(i, {"=", "{"})) expression = false;
  }
  if (semicolons.size() != 2 || semicolons[0] + 1 == semicolons[1] || !expression) return {none, none};
  return {semicolons[0], semicolons[1]};
}

bool is_loop(const Source& source, std::size_t i) {
  if (source.is_shim(i) || !source.opens(i + 1)) return false;
  return source.is_any(i, {"for", "while"}) || (source.is(i, "do") && source.is(i + 1, "{"));
}

/// The tokens before and behind a loop's condition, and the line in which the loop ends.
struct LoopCondition {
  std::size_t before = none, behind = none;
  std::uint32_t last_line = 0;
};

/// Of the loop at i; `before` is none if it has no barrier, or no condition that can be marked.
template <class HasBarrier>
LoopCondition loop_condition(const Source& source, std::size_t i, std::size_t end,
                             const HasBarrier& has_barrier) {
  const bool is_do = source.is(i, "do"), is_for = source.is(i, "for");
  const std::size_t from = is_do ? i + 1 : source.match(i + 1) + 1, to = behind_statement(source, from, end);
  if (to == none || !has_barrier(from, to)) return {};
  if (is_for) {
    const auto [before, behind] = for_condition(source, i + 1);
    return {before, behind, source.stream().tokens[to - 1].line};
  }
  const std::size_t open = is_do ? to + 1 : i + 1;
  if (is_do && (!source.is(to, "while") || !source.opens(open))) return {};
  if (!is_expression(source, open)) return {};
  const std::size_t close = source.match(open), last = is_do ? close : to - 1;
  return {open, close, source.stream().tokens[last].line};
}

/// Whether the brace at `open` begins statements of the function around it, and neither a lambda's nor a class's.
bool is_block(const Source& source, std::size_t open) {
  const std::size_t before = open - 1;
  if (source.is_any(before, {"{", "}", ";", ":", "else", "do"})) return true;
  if (!source.is(before, ")") || source.match(before) == none) return false;
  const std::size_t head = source.match(before) - 1;
  return source.is_any(head, {"if", "for", "while", "switch", "constexpr"});
}

/// Whether a barrier or an exchange of the warp, the block, the cluster or the grid is called here.
bool is_collective(const Source& source, std::size_t i) {
  if (!source.is_identifier(i) || !source.is(i + 1, "(")) return false;
  const std::string_view name = source.spelling(i);
  if (source.is_any(i - 1, {".", "->"})) return name == "sync" || name.starts_with("shfl");
  return name.starts_with("__syncthreads") || name == "__syncwarp" ||
         (name.ends_with("_sync") && name.starts_with("__"));
}

/// Whether a barrier of the block is called here, or of a group, which may be one of the block or the cluster.
bool is_barrier(const Source& source, std::size_t i) {
  if (source.is_shim(i) || !source.is(i + 1, "(")) return false;
  if (source.is(i, "sync")) return i != 0 && source.is_any(i - 1, {".", "->"}) && source.is(i + 2, ")");
  return source.is_any(i, {"__syncthreads", "__syncthreads_count", "__syncthreads_and", "__syncthreads_or"});
}

} // namespace

void mark_returns(Source& source, const std::vector<Body>& bodies) {
  for (const Body& body : bodies) {
    if (body.close == none || !body.function->has(source, "__global__")) continue;
    for (std::size_t i = body.open + 1; i < body.close; ++i) {
      if (source.is(i, "{") && !is_block(source, i) && source.match(i) != none) i = source.match(i);
      if (!source.is_shim(i) && source.is(i, "return") && source.is(i + 1, ";"))
        source.insert_behind(i, concatenate({" ::__simt_return(", source.place(i), ")"}));
    }
  }
}

void mark_early_returns(Source& source, const std::vector<Body>& bodies) {
  for (const Body& body : bodies) {
    if (!body.on_device || body.close == none || source.is_shim(body.open) ||
        body.function->has(source, "__global__"))
      continue;
    std::vector<std::size_t> returns;
    std::size_t last = none;
    for (std::size_t i = body.open + 1; i < body.close; ++i) {
      if (source.is(i, "{") && !is_block(source, i) && source.match(i) != none) i = source.match(i);
      if (source.is(i, "return")) returns.push_back(i);
      if (is_collective(source, i)) last = i;
    }
    if (last == none) continue;
    const std::string last_line = std::to_string(source.stream().tokens[last].line);
    for (const std::size_t i : returns) {
      const std::size_t behind = behind_statement(source, i, body.close);
      if (i > last || behind == none || behind > last) continue;
      source.insert_before(i, concatenate({"{ ::__simt_left(", source.place(i), ", ", last_line, "); "}));
      source.insert_behind(behind - 1, " }");
    }
  }
}

void mark_branches_around_barriers(Source& source, const std::vector<Body>& bodies) {
  std::vector<std::size_t> barriers;
  for (std::size_t i = 0; i < source.size(); ++i)
    if (is_barrier(source, i)) barriers.push_back(i);
  if (barriers.empty()) return;
  const auto has_barrier = [&](std::size_t from, std::size_t to) {
    const auto next = std::lower_bound(barriers.begin(), barriers.end(), from);
    return next != barriers.end() && *next < to;
  };
  for (const Body& body : bodies) {
    if (!body.on_device || body.close == none || !has_barrier(body.open, body.close)) continue;
    for (std::size_t i = body.open; i < body.close; ++i) {
      const std::size_t open = i + 1;
      if (is_loop(source, i)) {
        const LoopCondition condition = loop_condition(source, i, body.close, has_barrier);
        if (condition.before == none) continue;
        if (source.is(i, "do")) source.insert_behind(i + 1, " ::__simt_enter_loop();");
        source.insert_behind(condition.before, "::__simt_loop(static_cast<bool>(");
        source.insert_before(condition.behind, concatenate({"), ", source.place(i), ", ",
                                                            std::to_string(condition.last_line), ")"}));
        continue;
      }
      if (!source.is(i, "if") || source.is_shim(i) || !source.opens(open) || !is_expression(source, open))
        continue;
      const std::size_t close = source.match(open);
      std::size_t from = close + 1, to = behind_statement(source, from, body.close);
      bool entered_if = true;
      if (to == none) continue;
      if (!has_barrier(from, to)) {
        if (!source.is(to, "else")) continue;
        from = to + 1;
        to = behind_statement(source, from, body.close);
        entered_if = false;
        if (to == none || !has_barrier(from, to)) continue;
      }
      const std::uint32_t last = source.stream().tokens[to - 1].line;
      source.insert_behind(open, "::__simt_branch(static_cast<bool>(");
      source.insert_before(close, concatenate({"), ", entered_if ? "true" : "false", ", ", source.place(i),
                                               ", ", std::to_string(last), ")"}));
    }
  }
}

} // namespace simt::compiler
