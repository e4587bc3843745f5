#include "simt/compiler/passes.hpp"

#include <algorithm>

namespace simt::compiler {
namespace {

/// The parts of `kernel<<<config>>>(`, as token indices.
struct Launch {
  std::size_t kernel = none; ///< first token of the kernel's expression
  std::size_t open = none;   ///< first `<` of `<<<`
  std::size_t close = none;  ///< first `>` of `>>>`
};

bool opens_launch(const Source& source, std::size_t i) {
  return source.is(i, "<") && source.is(i + 1, "<") && source.is(i + 2, "<") &&
         source.touches_previous(i + 1) && !(i > 0 && source.is_any(i - 1, {"operator", "<"}));
}

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
    } else if (source.is_any(i, {";", ")", "]", "}", "{"}) || opens_launch(source, i)) {
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
    return found->second.has_template_pack || given < found->second.required_template_arguments;
  }
  if (!source.is_name(name)) return false;
  const auto found = kernels.find(source.spelling(name));
  if (found == kernels.end()) return false;
  return found->second.has_template || found->second.signatures.size() > 1;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

void rewrite(Source& source, const Kernels& kernels, const Launch& launch) {
  const std::string kernel = source.flat(launch.kernel, launch.open);
  const bool deduced = is_deduced(source, kernels, launch);
  source.replace(launch.kernel, concatenate({deduced ? "::simt::launch_generic(" : "::simt::launch_kernel(",
                                             "::simt::LaunchSite{\"", escaped(kernel), "\", ",
                                             source.place(launch.kernel), "}, ::simt::LaunchConfig("}));
  source.erase(launch.kernel + 1, launch.open + 3);
  source.replace(launch.close, deduced ? concatenate({"), [&](auto... simt_arguments) { ", kernel,
                                                      "(simt_arguments...); })"})
                                       : concatenate({"), ", kernel, ")"}));
  source.erase(launch.close + 1, launch.close + 3);
}

} // namespace

void rewrite_launches(Source& source, const Kernels& kernels) {
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (!opens_launch(source, i)) continue;
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
      rewrite(source, kernels, launch);
    }
    i += 2;
  }
}

} // namespace simt::compiler
