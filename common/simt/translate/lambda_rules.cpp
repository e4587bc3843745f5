// What nvcc takes as a lambda for the device (an extended lambda), and which lambdas a kernel can be given.
#include "simt/translate/passes.hpp"

#include <set>

namespace simt::compiler {
namespace {

/// A lambda with `__device__` behind its captures or its parameters.
struct LambdaHead {
  std::size_t open = none; ///< the `[` of its captures
  bool is_for_host_too = false;
};

/// The lambda's `[` whose `__device__` stands at i, or `none`.
std::size_t introducer(const Source& source, std::size_t i) {
  while (source.is_any(i - 1, {"__device__", "__host__"})) --i;
  if (source.is(i - 1, ")") && source.closes(i - 1)) i = source.match(i - 1);
  if (source.is(i - 1, ">") && source.opening_angle(i - 1) != none) i = source.opening_angle(i - 1);
  return source.is(i - 1, "]") && source.closes(i - 1) ? source.match(i - 1) : none;
}

/// Who may use a member declared at i: public, protected or private.
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

bool has_deduced_result(const Source& source, const Declaration& function) {
  bool is_auto = false;
  for (std::size_t i = function.begin; i < function.name; ++i) is_auto |= source.is(i, "auto");
  const std::size_t close = source.match(function.parameters);
  for (std::size_t i = close; close != none && i < function.body; ++i)
    if (source.is(i, "->")) return false;
  return is_auto;
}

/// Where the lambda stands in the function, of which nvcc has to name its type from outside.
void check_function_around(Source& source, const Body& body, std::size_t open) {
  const Declaration& function = *body.function;
  if (function.name == none || function.parameters == none) return;
  const std::string name(source.spelling(function.name));
  if (has_deduced_result(source, function))
    source.error(
        open,
        "a lambda for the device stands in " + name +
            ", whose result is to be deduced, and nvcc cannot name the lambda then; write the type of the "
            "result in place of auto");
  if (function.scope != Scope::class_scope) return;
  const std::string_view access = access_of(source, function.begin);
  if (function.name == function.begin && function.owner.ends_with(name))
    source.error(
        open, "a lambda for the device cannot stand in a constructor; move the launch into a member function "
              "that the constructor calls");
  else if (access != "public")
    source.error(open,
                 concatenate({"a lambda for the device stands in ", name, ", which is ", access,
                              ", and nvcc has to name the lambda from outside; make ", name, " public"}));
}

void check_captures(Source& source, const LambdaHead& lambda) {
  bool begins = true; // of a capture
  for (std::size_t i = lambda.open + 1; i < source.match(lambda.open); i = source.behind(i)) {
    if (begins && source.is(i, "&")) {
      source.error(
          i,
          "a lambda for the device captures by reference, and threads of a kernel have no access to the "
          "variables of the function that launches it; capture by value, as in [=], and pass a pointer for "
          "results");
      return;
    }
    if (lambda.is_for_host_too && source.is(i, "=") && source.is_name(i - 1)) {
      source.error(i - 1, concatenate({"a lambda for both sides has no captures with initial values; make ",
                                       source.spelling(i - 1), " a variable before it, and capture that"}));
      return;
    }
    begins = source.is(i, ",");
  }
}

/// Variables that a function of the host gives lambdas to: `auto f = [...] ...`.
struct Named {
  std::set<std::string> of_device; ///< and not of the host
  std::set<std::string> of_host;
};

/// Whether a lambda begins at the `[` at i, and for whom.
bool is_lambda(const Source& source, std::size_t i, bool& on_device, bool& on_host) {
  if (!source.is(i, "[") || !source.opens(i) || source.is(i + 1, "[")) return false;
  std::size_t j = source.behind(i);
  on_device = false, on_host = true;
  bool is_marked_host = false;
  for (; j < source.size() && !source.is(j, "{"); j = source.behind(j)) {
    if (source.is_any(j, {";", ",", ")", "]", "}", "="})) return false;
    on_device |= source.is(j, "__device__");
    is_marked_host |= source.is(j, "__host__");
  }
  on_host = !on_device || is_marked_host;
  return source.opens(j);
}

void check_uses(Source& source, const Body& body) {
  Named named;
  for (std::size_t i = body.open; i < body.close; ++i) {
    bool on_device = false, on_host = false;
    if (source.is(i, "auto") && source.is_name(i + 1) && source.is(i + 2, "=") &&
        is_lambda(source, i + 3, on_device, on_host)) {
      if (!on_host) named.of_device.emplace(source.spelling(i + 1));
      if (!on_device) named.of_host.emplace(source.spelling(i + 1));
    }
    const std::string name(source.spelling(i));
    if (source.is_name(i) && source.is(i + 1, "(") && named.of_device.contains(name) &&
        !source.is_any(i - 1, {".", "->", "::"}))
      source.error(
          i, name +
                 " is a lambda for the device, and host code calls it; launch a kernel that does, or write "
                 "__host__ __device__");
    if (!source.opens_launch(i)) continue;
    std::size_t close = i + 3;
    while (close < body.close &&
           !(source.is(close, ">") && source.is(close + 1, ">") && source.is(close + 2, ">")))
      close = source.behind(close);
    if (!source.is(close + 3, "(") || !source.opens(close + 3)) continue;
    const std::size_t end = source.match(close + 3);
    for (std::size_t k = close + 4; k < end; k = source.behind(k)) {
      if (!source.is_any(k - 1, {"(", ","})) continue;
      const bool is_variable = source.is_name(k) && source.is_any(k + 1, {",", ")"}) &&
                               named.of_host.contains(std::string(source.spelling(k)));
      if (is_variable || (is_lambda(source, k, on_device, on_host) && !on_device))
        source.error(
            k,
            concatenate({is_variable ? source.spelling(k) : "this lambda",
                         " is a function of the host, and a kernel cannot call it; write __device__ behind "
                         "the captures, as in [=] __device__ (int i) { ... }"}));
    }
  }
}

} // namespace

void check_lambdas(Source& source, const std::vector<Body>& bodies) {
  for (const Body& body : bodies) {
    if (!body.on_host || body.close == none || !source.is_own(body.open)) continue;
    for (std::size_t i = body.open; i < body.close; ++i) {
      if (!source.is(i, "__device__")) continue;
      const LambdaHead lambda{introducer(source, i),
                              source.is(i - 1, "__host__") || source.is(i + 1, "__host__")};
      if (source.match(lambda.open) == none) continue;
      check_captures(source, lambda);
      check_function_around(source, body, lambda.open);
    }
    if (!body.on_device) check_uses(source, body);
  }
}

} // namespace simt::compiler
