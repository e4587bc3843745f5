#include "simt/translate/passes.hpp"

#include <algorithm>
#include <tuple>

namespace simt::compiler {
namespace {

/// The parts of `kernel<<<config>>>(`, as token indices.
struct Launch {
  std::size_t kernel = none; ///< first token of the kernel's expression
  std::size_t open = none;   ///< first `<` of `<<<`
  std::size_t close = none;  ///< first `>` of `>>>`
};

std::size_t run_of_angles(const Source& source, std::size_t i) {
  std::size_t length = 0;
  while (source.is(i + length, ">")) ++length;
  return length;
}

/// The `>>>` of the launch that opens at `open`. Several template arguments may close right before it,
/// and `A<B<C<int>>>(3)` inside the configuration looks like one: the angles that are open decide.
std::size_t closing(const Source& source, std::size_t open) {
  std::size_t first = none;
  int nested = 0;
  for (std::size_t i = open + 3; i < source.size(); ++i) {
    if (source.opens(i)) {
      i = source.match(i);
    } else if (source.is_any(i, {";", ")", "]", "}", "{"}) || source.opens_launch(i)) {
      break;
    } else if (source.is(i, "<")) {
      if (source.is_name(i - 1)) ++nested;
    } else if (source.is(i, ">")) {
      const std::size_t length = run_of_angles(source, i);
      if (length >= 3 && source.is(i + length, "(")) {
        if (length >= 3u + static_cast<unsigned>(std::max(nested, 0))) return i + length - 3;
        first = i + length - 3;
      }
      nested -= static_cast<int>(length);
      i += length - 1;
    }
  }
  return first;
}

/// The first token of the postfix expression that ends right before `end`.
std::size_t kernel_begin(const Source& source, std::size_t end) {
  std::size_t i = end;
  while (i > 0) {
    const std::size_t last = i - 1;
    if (source.is(last, ">")) {
      const std::size_t open = source.opening_angle(last);
      if (open == none) return none;
      i = open; // the template's name must follow
      continue;
    }
    if (source.is_any(last, {")", "]"})) {
      if (!source.closes(last)) return none;
      i = source.match(last);
      const bool continues = i > 0 && (source.is_name(i - 1) || source.is_any(i - 1, {")", "]", ">"}));
      const bool statement =
          i > 0 && source.is(i - 1, ")") && source.match(i - 1) != none && source.match(i - 1) > 0 &&
          source.is_any(source.match(i - 1) - 1, {"if", "for", "while", "switch", "constexpr"});
      if (continues && !statement) continue;
      return i;
    }
    if (!source.is_name(last)) return none;
    i = last;
    while (i > 0 && source.is_any(i - 1, {"::", ".", "->", "template"})) {
      --i;
      if (source.is(i, "template")) continue;
      if (i > 0 && source.is(i, "::") && !source.is_name(i - 1) && !source.is(i - 1, ">")) return i;
      break;
    }
    if (!source.is_any(i, {"::", ".", "->"})) return i;
  }
  return none;
}

/// Whether the arguments must decide which kernel is meant, so that it has no address of its own.
bool is_deduced(const Source& source, const Kernels& kernels, const Launch& launch) {
  std::size_t name = launch.open - 1;
  std::size_t given = 0;
  if (source.is(name, ">")) {
    const std::size_t open = source.opening_angle(name);
    if (open == none || open == 0) return false;
    for (std::size_t i = open + 1; i <= name; ++i) {
      if ((source.is(i, ",") || i == name) && name > open + 1)
        ++given;
      else if (source.is(i, "<") && source.closing_angle(i) != none)
        i = source.closing_angle(i);
      else
        i = source.behind(i) - 1;
    }
    const auto found = kernels.find(source.spelling(open - 1));
    if (found == kernels.end()) return false;
    return found->second.has_default_argument || found->second.has_template_pack ||
           found->second.shares_name || given < found->second.required_template_arguments;
  }
  if (!source.is_name(name)) return false;
  const auto found = kernels.find(source.spelling(name));
  if (found == kernels.end()) return false;
  return found->second.is_overloaded() || found->second.has_default_argument;
}

/// Whether the expression that ends before `end` names a kernel, perhaps with template arguments.
bool names_kernel(const Source& source, const Kernels& kernels, std::size_t end) {
  std::size_t name = end - 1;
  if (source.is(name, ">") && source.opening_angle(name) != none) name = source.opening_angle(name) - 1;
  return kernels.contains(source.spelling(name));
}

/// The arguments of a call as token ranges.
std::vector<TokenRange> arguments_of(const Source& source, std::size_t open) {
  return source.pieces(open, source.match(open));
}

/// Whether the tokens [begin, end) are a constant whose spelling decides what it converts to: 0 is a null pointer, and
/// a variable of the same value is none.
bool is_literal(const Source& source, std::size_t begin, std::size_t end) {
  while (begin < end && source.is_any(begin, {"+", "-"})) ++begin;
  return begin + 1 == end &&
         (source.kind(begin) == TokenKind::number || source.is_any(begin, {"__null", "nullptr"}));
}

/// The parameters of the function object that calls a kernel whose template arguments are deduced, and the arguments
/// that it passes on.
struct Forwarded {
  std::string parameters, arguments;
  unsigned count = 0;
  bool is_needed =
      false; ///< an argument is a literal or a list in braces, which `auto` does not hand on as it is
  bool is_possible = true;
  std::vector<std::pair<std::size_t, const char*>>
      edits; ///< tokens of the braces, and what takes their place
};

/// Adds the tokens [begin, end) of an argument: braces stay in the call, and what they hold are arguments of their own.
void forward(const Source& source, std::size_t begin, std::size_t end, Forwarded& forwarded) {
  if (source.is(begin, "{") && source.match(begin) + 1 == end) {
    forwarded.is_needed = true;
    forwarded.arguments += "{";
    const bool is_empty = begin + 2 == end;
    forwarded.edits.emplace_back(begin, is_empty ? "0" : ""); // a place in the call, for nothing
    if (is_empty) forwarded.parameters += forwarded.count++ == 0 ? "auto" : ", auto";
    const auto elements = arguments_of(source, begin);
    for (std::size_t i = 0; i < elements.size() && !is_empty; ++i) {
      const auto& [from, to] = elements[i];
      if (from == to) {
        forwarded.edits.emplace_back(from - 1, ""); // {1, 2,}
      } else {
        if (i > 0) forwarded.arguments += ", ";
        forward(source, from, to, forwarded);
      }
    }
    forwarded.edits.emplace_back(end - 1, "");
    forwarded.arguments += "}";
    return;
  }
  if (source.is(begin, ".") || source.is(end - 1, "...")) forwarded.is_possible = false; // {.x = 1}; a pack
  forwarded.parameters += forwarded.count == 0 ? "auto" : ", auto";
  if (is_literal(source, begin, end)) {
    forwarded.is_needed = true;
    forwarded.arguments += source.flat(begin, end);
  } else {
    const std::string name = "simt_argument_" + std::to_string(forwarded.count);
    forwarded.parameters += " " + name;
    forwarded.arguments += name;
  }
  ++forwarded.count;
}

/// The function object for the arguments that stand in the parentheses at `open`: each as `auto`, or where that would not
/// do, by number.
std::string caller(Source& source, const std::string& kernel, std::size_t open) {
  Forwarded forwarded;
  if (source.is(open, "(") && source.opens(open)) {
    for (const auto& [begin, end] : arguments_of(source, open)) {
      if (begin == end) continue; // none at all, or a mistake that the compiler tells
      if (!forwarded.arguments.empty()) forwarded.arguments += ", ";
      forward(source, begin, end, forwarded);
    }
  }
  if (!forwarded.is_needed || !forwarded.is_possible)
    return concatenate({"[&](auto... simt_arguments) { ", kernel, "(simt_arguments...); }"});
  for (const auto& [token, text] : forwarded.edits) source.replace(token, text);
  return concatenate({"[&](", forwarded.parameters, ") { ", kernel, "(", forwarded.arguments, "); }"});
}

/// Rewrites one launch; true if its template arguments are deduced, so that it has no kernel's address.
bool rewrite(Source& source, const Kernels& kernels, const Launch& launch) {
  const std::string kernel = source.flat(launch.kernel, launch.open);
  const bool deduced = is_deduced(source, kernels, launch);
  std::size_t values = 1;
  for (std::size_t i = launch.open + 3; i < launch.close; i = source.behind(i))
    values += source.is_any(i, {",", "..."});
  if (values == 1)
    source.warning(launch.kernel,
                   concatenate({"the launch of ", kernel,
                                " gives no block size, and CUDA takes blocks of one thread; write <<<",
                                source.flat(launch.open + 3, launch.close), ", threads>>>"}));
  source.replace(launch.kernel, concatenate({deduced ? "::simt::launch_generic(" : "::simt::launch_kernel(",
                                             "::simt::LaunchSite{\"", escaped(kernel), "\", ",
                                             source.place(launch.kernel), "}, ::simt::LaunchConfig("}));
  source.erase(launch.kernel + 1, launch.open + 3);
  source.replace(launch.close,
                 concatenate({"), ", deduced ? caller(source, kernel, launch.close + 3) : kernel, ")"}));
  source.erase(launch.close + 1, launch.close + 3);
  return deduced;
}

} // namespace

Launches rewrite_launches(Source& source, const Kernels& kernels) {
  Launches result;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (!source.opens_launch(i)) continue;
    Launch launch;
    launch.open = i;
    launch.close = closing(source, i);
    launch.kernel = kernel_begin(source, i);
    if (launch.kernel == none) {
      source.error(i, "<<< needs a kernel before it; write kernel<<<grid, block>>>(arguments)");
    } else if (launch.close == none) {
      source.error(
          i, "this launch has no >>>( behind its configuration; write kernel<<<grid, block>>>(arguments)");
    } else if (launch.close == i + 3) {
      source.error(
          i, "a launch needs at least a grid and a block size; write kernel<<<grid, block>>>(arguments)");
    } else {
      result.by_variable |= !source.is_shim(i) && !names_kernel(source, kernels, launch.open);
      result.deduced |= rewrite(source, kernels, launch);
    }
    i += 2;
  }
  return result;
}

namespace {

/// Takes the cast to a pointer without a type off a kernel, because its type tells the parameters. Returns
/// the range of what is left.
std::pair<std::size_t, std::size_t> without_cast(Source& source, std::size_t begin, std::size_t end) {
  const auto is_void_pointer = [&](std::size_t from, std::size_t to) {
    bool is_void = false;
    for (std::size_t i = from; i < to; ++i) {
      if (!source.is_any(i, {"const", "void", "*"})) return false;
      is_void |= source.is(i, "void");
    }
    return is_void;
  };
  if (source.is(begin, "(") && source.opens(begin) && source.match(begin) + 1 < end &&
      is_void_pointer(begin + 1, source.match(begin))) {
    const std::size_t behind = source.behind(begin);
    source.erase(begin, behind);
    return {behind, end};
  }
  if (source.is_any(begin, {"reinterpret_cast", "static_cast"}) && source.is(begin + 1, "<")) {
    const std::size_t close = source.closing_angle(begin + 1);
    if (close == none || !source.opens(close + 1) || source.behind(close + 1) != end ||
        !is_void_pointer(begin + 2, close))
      return {begin, end};
    source.erase(begin, close + 2);
    source.erase(end - 1, end);
    return {close + 2, end - 1};
  }
  return {begin, end};
}

} // namespace

bool rewrite_launch_calls(Source& source, const Kernels& kernels) {
  bool by_variable = false;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const bool configured = source.is_any(i, {"cudaLaunchKernelEx", "cudaLaunchKernelExC"});
    if (!configured && !source.is_any(i, {"cudaLaunchKernel", "cudaLaunchCooperativeKernel"})) continue;
    if (!source.is(i + 1, "(") || !source.opens(i + 1) || source.is_shim(i)) continue;
    const auto arguments = arguments_of(source, i + 1);
    if (arguments.size() < 2) continue; // the compiler says what is missing
    auto [begin, end] = arguments[configured ? 1 : 0];
    std::tie(begin, end) = without_cast(source, begin, end);
    by_variable |= !names_kernel(source, kernels, end);
    const std::size_t name = source.is(begin, "&") ? begin + 1 : begin;
    source.insert_behind(i + 1, concatenate({"::simt::LaunchSite{\"", escaped(source.flat(name, end)), "\", ",
                                             source.place(i), "}, "}));
  }
  return by_variable;
}

} // namespace simt::compiler
