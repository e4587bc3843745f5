// Lines of a kernel's code, as far as advice needs to read them.
#pragma once

#include "simt/report/symbolizer.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simt {

std::string without_comment(const std::string& code);
std::string without_spaces(std::string text);
/// The code of these lines, without comments and beginnings of lines.
std::string code_of(const SourceLine& first, unsigned last, Symbolizer& symbolizer);
/// The code of a kernel from its name to the line.
std::string kernel_until(const SourceLine& line, Symbolizer& symbolizer);

/// Whether there is the head or the end of a loop.
bool is_loop(const std::string& code);
/// Whether there is `<`, `<=`, `>` or `>=` in an expression, beside shifts, arrows and the brackets of templates.
bool has_comparison(std::string_view code);

/// What the last line above that declares or sets the variable sets it to; empty if there is none in the kernel.
/// Heads of loops count as asked.
std::string value_of(const std::string& variable, const SourceLine& below, Symbolizer& symbolizer,
                     bool also_of_loops = true);

/// A piece of code that is one step of several: a function or lambda of device code, or a macro.
struct Helper {
  std::string name;
  bool is_macro = false;
};
/// The one that both lines are in, or are made by, if it is used more than once.
std::optional<Helper> repeated_helper(const SourceLine& first, const SourceLine& second,
                                      Symbolizer& symbolizer);

/// The code with the macros written out that the file defines with parameters before the line, each once.
std::string with_macros(std::string code, const SourceLine& line, Symbolizer& symbolizer);

/// Where the function of device code that the line is in is called: by its name in its file, or where it is an `operator()`, by what is
/// passed to the kernel.
std::vector<SourceLine> calls_of_function_at(const SourceLine& line, const std::string& kernel,
                                             Symbolizer& symbolizer);

/// Whether a condition is true for all values: `i != 0 || i != n - 1`.
bool is_always_true(const std::string& code);

/// `target = value`, `target += value`, `target++`, all without spaces.
struct Assignment {
  std::string target, sign, value;
};
/// All in the code, in their order; of loops and branches those behind their heads.
std::vector<Assignment> assignments_in(const std::string& code);

/// The parts of the conditions of branches and loops that `&&` and `||` join, without spaces.
std::vector<std::string> conditions_in(const std::string& code);

/// Whether an expression without spaces has this one in it, and not as a part of a longer name.
bool has_expression(const std::string& expression, const std::string& part);

} // namespace simt
