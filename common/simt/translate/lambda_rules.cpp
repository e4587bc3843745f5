// What nvcc takes as a lambda for the device (an extended lambda), and which lambdas a kernel can be given.
#include "simt/translate/sides.hpp"

#include <algorithm>
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

bool has_deduced_result(const Source& source, const Declaration& function) {
  bool is_auto = false;
  for (std::size_t i = function.begin; i < function.name; ++i) is_auto |= source.is(i, "auto");
  const std::size_t close = source.match(function.parameters);
  for (std::size_t i = close; close != none && i < function.body; ++i)
    if (source.is(i, "->")) return false;
  return is_auto;
}

/// The `[` of the lambda whose body opens at `brace`; `none` if it is no lambda's.
std::size_t lambda_of_body(const Source& source, std::size_t brace) {
  for (std::size_t j = brace; j-- > 0 && !source.is_any(j, {";", "{"});) {
    if (!source.closes(j)) {
      if (source.is(j, "}")) break;
      continue;
    }
    const std::size_t open = source.match(j);
    if (source.is(j, "]") && body_of_lambda(source, open) == brace) return open;
    if (source.is(j, "}")) break;
    j = open;
  }
  return none;
}

bool is_generic(const Source& source, std::size_t lambda) {
  std::size_t j = source.behind(lambda);
  while (source.is_any(j, {"__host__", "__device__"}) || source.behind_attribute(j) != j)
    j = std::max(source.behind_attribute(j), j + 1);
  return source.is(j, "<") ||
         (source.is(j, "(") && source.opens(j) && source.mentions(j, source.match(j), "auto"));
}

/// The first parameter of the function's templates that has no name; `none` if all have one.
std::size_t unnamed_template_parameter(const Source& source, const Declaration& function) {
  for (std::size_t i = function.begin; i < function.name; ++i) {
    if (!source.is(i, "template") || !source.is(i + 1, "<") || source.closing_angle(i + 1) == none) continue;
    for (const auto& [begin, end] : source.pieces(i + 1, source.closing_angle(i + 1))) {
      std::size_t last = begin;
      for (std::size_t k = begin; k < end && !source.is(k, "="); ++k) last = k;
      const bool is_named = last > begin && source.is_name(last) && !source.is(last - 1, "::");
      if (begin < end && !is_named) return begin;
    }
    i = source.closing_angle(i + 1);
  }
  return none;
}

/// Why nvcc cannot name the function that the lambda stands in, from outside; empty if it can.
std::string why_function_has_no_name(const Source& source, const Declaration& function) {
  const std::string name(source.spelling(function.name));
  if (has_deduced_result(source, function))
    return "whose result is to be deduced, and nvcc cannot name the lambda then; write the type of the "
           "result in "
           "place of auto";
  if (const std::size_t unnamed = unnamed_template_parameter(source, function); unnamed != none)
    return "which has a template parameter without a name, and nvcc cannot name the lambda then; give each "
           "template "
           "parameter a name";
  if (source.mentions(function.parameters, source.match(function.parameters), "auto"))
    return "which has a parameter of type auto, and nvcc cannot name the lambda then; write a template, as "
           "in "
           "template <class T>";
  if (function.scope != Scope::class_scope) return {};
  for (std::size_t i = function.begin; i < function.name; ++i)
    if (source.is(i, "friend"))
      return "a friend that is defined within a class, and nvcc cannot name the lambda then; define it "
             "outside of the "
             "class";
  if (const std::string_view access = access_of(source, function.begin); access != "public")
    return concatenate(
        {"which is ", access, ", and nvcc has to name the lambda from outside; make ", name, " public"});
  for (std::size_t brace = brace_around(source, function.begin, 0); brace != none;) {
    const std::size_t keyword = class_of_body(source, brace);
    if (keyword == none) return {};
    std::size_t class_name = keyword + 1;
    while (source.behind_attribute(class_name) != class_name)
      class_name = source.behind_attribute(class_name);
    if (!source.is_name(class_name))
      return "a member of a class without a name, and nvcc has to name the lambda from outside; give the "
             "class a name";
    brace = brace_around(source, keyword, 0);
    if (brace == none || class_of_body(source, brace) == none) return {};
    if (const std::string_view access = access_of(source, keyword); access != "public")
      return concatenate({"a member of ", source.spelling(class_name), ", which is ", access,
                          ", and nvcc has to name the lambda from outside; make ",
                          source.spelling(class_name), " public"});
  }
  return {};
}

/// Where the lambda stands in the function, of which nvcc has to name its type from outside.
void check_function_around(Source& source, const Body& body, std::size_t open) {
  const Declaration& function = *body.function;
  if (function.name == none || function.parameters == none) return;
  const std::string name(source.spelling(function.name));
  for (std::size_t brace = brace_around(source, open, body.open); brace != none && brace > body.open;
       brace = brace_around(source, brace, body.open)) {
    if (const std::size_t lambda = lambda_of_body(source, brace);
        lambda != none && is_generic(source, lambda)) {
      source.error(
          open,
          "a lambda for the device stands in a generic lambda, of which nvcc cannot name the instances; "
          "give the parameters of the lambda around it their types, or make it a function template");
      return;
    }
    if (class_of_body(source, brace) != none) {
      source.error(
          open,
          concatenate({"a lambda for the device stands in a class that is local to ", name,
                       ", and nvcc has to name the lambda from outside; move the class out of ", name}));
      return;
    }
  }
  const bool is_in_class = function.scope == Scope::class_scope;
  if (is_in_class && source.is(function.name - 1, "~"))
    source.error(
        open, "a lambda for the device cannot stand in a destructor; move the launch into a member function "
              "that the destructor calls");
  else if (is_in_class && function.name == function.begin && function.owner.ends_with(name))
    source.error(
        open, "a lambda for the device cannot stand in a constructor; move the launch into a member function "
              "that the constructor calls");
  else if (const std::string why = why_function_has_no_name(source, function); !why.empty())
    source.error(open, concatenate({"a lambda for the device stands in ", name, ", ", why}));
}

/// Whether the variable at token i, in a lambda, is the `name` of the function around it.
bool is_variable(const Source& source, std::size_t i, std::string_view name) {
  return source.is(i, name) && !source.is_any(i - 1, {".", "->", "::"}) && !source.is(i + 1, "::");
}

/// Whether the lambda captures what is called `name` if it mentions it: by `=`, or by its name.
bool may_capture(const Source& source, std::size_t open, std::string_view name) {
  for (std::size_t i = open + 1; i < source.match(open); ++i)
    if ((i == open + 1 && source.is(i, "=")) || is_variable(source, i, name)) return true;
  return false;
}

/// Names of the packs among the function's parameters that the lambda captures.
void check_packs(Source& source, const Declaration& function, std::size_t open, std::size_t body) {
  for (std::size_t i = function.parameters; i < source.match(function.parameters); ++i) {
    if (!source.is(i, "...") || !source.is_name(i + 1)) continue;
    const std::string_view name = source.spelling(i + 1);
    if (!may_capture(source, open, name)) continue;
    for (std::size_t k = open + 1; k < source.match(body); ++k) {
      if (!is_variable(source, k, name)) continue;
      if (source.is(k - 1, "(") && source.is(k - 2, "...") && source.is(k - 3, "sizeof")) continue;
      source.error(
          k, concatenate({"a lambda for the device captures ", name,
                          ", which is a parameter pack, and nvcc captures none; compute what you need of ",
                          name, " before the lambda, or put it into a std::tuple or an array"}));
      return;
    }
  }
}

/// Arrays of the function that the lambda captures: the compiler knows what they are made of.
void check_arrays(Source& source, const Body& around, std::size_t open, std::size_t body) {
  for (std::size_t i = around.open; i < open; ++i) {
    if (!source.is_name(i) || !source.is(i + 1, "[") || !source.is_identifier(i - 1) ||
        source.is_any(i - 1, {"return", "delete", "throw", "case", "else", "new", "co_return"}))
      continue;
    const std::string name(source.spelling(i));
    if (!may_capture(source, open, name) || !source.mentions(body, source.match(body), name)) continue;
    source.insert_behind(
        body,
        source.assertion(concatenate({"::simt::is_array_to_capture<decltype(", name, ")>"}), open,
                         concatenate({"a lambda for the device captures the array ", name,
                                      ", and nvcc captures arrays of at most seven dimensions whose elements "
                                      "have a default constructor; put the array into a structure, or pass a "
                                      "pointer"})));
  }
}

/// Whether `name` is a parameter of the function around or a variable in it, before the lambda at `open`, whose value is no
/// constant.
bool is_variable_of_function(const Source& source, const Body& around, std::size_t open,
                             std::string_view name) {
  for (std::size_t i = around.function->parameters; i < open; ++i) {
    if (!source.is(i, name) || !source.is_any(i + 1, {"=", ";", ",", ")", "[", "{", "("})) continue;
    const bool is_declared =
        source.is_any(i - 1, {"*", "&", ">"}) ||
        (source.is_identifier(i - 1) && !source.is_any(i - 1, {"return", "delete", "throw"}));
    if (!is_declared) continue;
    for (std::size_t k = source.declaration_begin(i); k < i; ++k)
      if (source.is_any(k, {"constexpr", "static"})) return false;
    return true;
  }
  return false;
}

/// Variables that `=` captures in a branch of `if constexpr`, and not before.
void check_captures_in_branches(Source& source, const Body& around, std::size_t open, std::size_t body) {
  if (!source.is(open + 1, "=")) return;
  std::set<std::string_view> captured;
  std::size_t branch_end = body; // tokens before this are in such a branch
  for (std::size_t i = body + 1; i < source.match(body); ++i) {
    if (source.is(i, "if") && source.is(i + 1, "constexpr")) {
      const std::size_t end = behind_statement(source, i, source.match(body));
      if (end != none) branch_end = std::max(branch_end, end);
      i = source.behind(i + 2) - 1;
      continue;
    }
    if (!source.is_name(i) || source.is_any(i - 1, {".", "->", "::"}) || source.is(i + 1, "::")) continue;
    const std::string_view name = source.spelling(i);
    if (captured.contains(name)) continue;
    captured.insert(name);
    if (i >= branch_end || !is_variable_of_function(source, around, open, name)) continue;
    source.error(
        i, concatenate({"a lambda for the device captures ", name,
                        " in a branch of if constexpr, where nvcc does not take a first capture; name it in "
                        "the captures, as in [",
                        name, "]"}));
    return;
  }
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
    if (source.is(i, "=") && source.is_name(i - 1)) {
      const std::string_view name = source.spelling(i - 1);
      if (lambda.is_for_host_too)
        source.error(i - 1, concatenate({"a lambda for both sides has no captures with initial values; make ",
                                         name, " a variable before it, and capture that"}));
      else if (source.is(i - 2, "..."))
        source.error(
            i - 1, concatenate({"a lambda for the device captures ", name,
                                ", which is a parameter pack, and nvcc captures none; put the values into a "
                                "std::tuple or an array before the lambda"}));
      else if (source.is(i + 1, "{"))
        source.error(
            i - 1,
            concatenate({"a lambda for the device captures ", name,
                         ", a std::initializer_list, whose values stay with the function that launches "
                         "it; make ",
                         name, " an array before the lambda"}));
      else
        continue;
      return;
    }
    begins = source.is(i, ",");
  }
}

/// What stands between the captures and the body.
void check_head(Source& source, const LambdaHead& lambda, std::size_t keyword, std::size_t body) {
  for (std::size_t i = source.match(lambda.open) + 1; i < body; i = source.behind(i))
    if (source.is_any(i, {"constexpr", "consteval"}))
      source.error(i,
                   concatenate({"a lambda for the device cannot be ", source.spelling(i), "; leave it out"}));
  if (lambda.is_for_host_too && is_generic(source, lambda.open))
    source.error(lambda.open,
                 "a lambda for both sides cannot be generic; give its parameters their types, or write "
                 "__device__ alone");
  while (source.is_any(keyword - 1, {"__host__", "__device__"})) --keyword;
  if (!source.is(keyword - 1, "]"))
    source.error(keyword,
                 "__device__ stands directly behind the captures of a lambda, before its parameters; write "
                 "[=] __device__ (int i) { ... }");
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
  const std::vector<DeviceLambda> lambdas = find_device_lambdas(source);
  for (std::size_t i = body.open; i < body.close; ++i) {
    bool on_device = false, on_host = false;
    const auto is_in_lambda = [&](const DeviceLambda& lambda) { return lambda.open < i && i < lambda.close; };
    if (source.is(i, "auto") && source.is_name(i + 1) && source.is(i + 2, "=") &&
        is_lambda(source, i + 3, on_device, on_host)) {
      if (!on_host) named.of_device.emplace(source.spelling(i + 1));
      if (!on_device) named.of_host.emplace(source.spelling(i + 1));
    }
    const std::string name(source.spelling(i));
    if (source.is_name(i) && source.is(i + 1, "(") && named.of_device.contains(name) &&
        !source.is_any(i - 1, {".", "->", "::"}) && std::ranges::none_of(lambdas, is_in_lambda))
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

/// Whether the lambda says what its result is, without the help of its parameters: nvcc then knows it in host code.
bool has_known_result(const Source& source, std::size_t open, std::size_t body) {
  std::vector<TokenRange> parameters;
  std::size_t i = source.match(open) + 1;
  for (; i < body && !source.is(i, "->"); i = std::max(source.behind_attribute(i), source.behind(i)))
    if (source.is(i, "(") && source.opens(i)) parameters = source.pieces(i, source.match(i));
  for (const auto& [begin, end] : parameters)
    for (std::size_t name = begin; name < end && !source.is(name, "="); ++name)
      if (source.is_name(name) && (name + 1 == end || source.is_any(name + 1, {"=", "["})) &&
          source.mentions(i, body, source.spelling(name)))
        return false;
  return i < body;
}

/// Gives a lambda for the device a class of its own, as nvcc does: the host's lambdas are no template arguments of kernels.
void tell_from_lambdas_of_host(Source& source, std::size_t open, std::size_t body, bool is_for_host_too,
                               bool may_capture_this) {
  source.insert_before(open,
                       concatenate({may_capture_this ? "::simt::capturing(this, " : "",
                                    is_for_host_too                        ? "::simt::HostDeviceLambda{"
                                    : has_known_result(source, open, body) ? "::simt::DeviceLambdaWithResult{"
                                                                           : "::simt::DeviceLambda{"}));
  source.insert_behind(source.match(body), may_capture_this ? "})" : "}");
}

bool is_class(const Source& source, std::string_view name) {
  for (std::size_t i = 1; i + 1 < source.size(); ++i)
    if (source.is(i, name) && source.is_any(i - 1, {"struct", "class"}) &&
        source.is_any(i + 1, {"{", ":", "final"}))
      return true;
  return false;
}

/// Whether the function is declared as `static` or a friend.
bool lacks_object(const Source& source, const Declaration& function) {
  for (std::size_t i = function.begin; i < function.name; ++i)
    if (source.is_any(i, {"static", "friend"})) return true;
  return false;
}

/// Whether `this` can be used where the function's body begins.
bool has_object(const Source& source, const std::vector<Declaration>& declarations,
                const Declaration& function) {
  if (function.name == none) return false;
  if (function.scope == Scope::class_scope) return !lacks_object(source, function);
  std::size_t owner = function.name - 2;
  if (!source.is(function.name - 1, "::")) return false;
  if (source.is(owner, ">") && source.opening_angle(owner) != none) owner = source.opening_angle(owner) - 1;
  return is_class(source, source.spelling(owner)) &&
         std::ranges::none_of(declarations, [&](const Declaration& other) {
           return other.name != none && source.is(other.name, source.spelling(function.name)) &&
                  other.scope == Scope::class_scope && lacks_object(source, other);
         });
}

/// Whether the lambda at `open` captures `this` if its body mentions a member.
bool may_capture_object(const Source& source, const std::vector<Declaration>& declarations,
                        const Body& around, std::size_t open) {
  bool is_named = false, is_copied = false;
  for (std::size_t i = open + 1; i < source.match(open); ++i)
    if (source.is(i, "this")) (source.is(i - 1, "*") ? is_copied : is_named) = true;
  if (is_named || is_copied || !source.is(open + 1, "=")) return is_named;
  for (std::size_t brace = brace_around(source, open, around.open); brace != none && brace > around.open;
       brace = brace_around(source, brace, around.open))
    if (lambda_of_body(source, brace) != none || class_of_body(source, brace) != none) return false;
  return has_object(source, declarations, *around.function);
}

} // namespace

void check_lambdas(Source& source, const std::vector<Declaration>& declarations,
                   const std::vector<Body>& bodies) {
  for (const Body& body : bodies) {
    if (!body.on_host || body.close == none || !source.is_own(body.open) ||
        source.match(body.function->parameters) == none)
      continue;
    for (std::size_t i = body.open; i < body.close; ++i) {
      if (source.is(i, "__global__") && introducer(source, i) != none) {
        source.warning(i, "a lambda is no kernel, so __global__ is taken as not written; write __device__ "
                          "for a lambda that "
                          "a kernel calls");
        source.erase(i);
      }
      if (!source.is(i, "__device__")) continue;
      const LambdaHead lambda{introducer(source, i),
                              source.is(i - 1, "__host__") || source.is(i + 1, "__host__")};
      const std::size_t inside = lambda.open == none ? none : body_of_lambda(source, lambda.open);
      if (inside == none) continue;
      check_head(source, lambda, i, inside);
      check_captures(source, lambda);
      check_function_around(source, body, lambda.open);
      check_packs(source, *body.function, lambda.open, inside);
      check_arrays(source, body, lambda.open, inside);
      check_captures_in_branches(source, body, lambda.open, inside);
      tell_from_lambdas_of_host(source, lambda.open, inside, lambda.is_for_host_too,
                                may_capture_object(source, declarations, body, lambda.open));
    }
    if (!body.on_device) check_uses(source, body);
  }
}

} // namespace simt::compiler
