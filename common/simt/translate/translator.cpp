#include "simt/translate/translator.hpp"

#include "simt/translate/narrowing.hpp"
#include "simt/translate/passes.hpp"
#include "simt/translate/sides.hpp"

namespace simt::compiler {
namespace {

/// Keywords that no pass has taken: those that mean nothing here, and those that stand in a wrong place.
void rewrite_remaining_keywords(Source& source) {
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (!source.is_identifier(i) || source.is_edited(i)) continue;
    const bool in_attribute = i > 0 && source.is_any(i - 1, {"(", ",", "::"});
    if (source.is(i, "__noinline__") && !in_attribute) {
      source.erase(
          i); // in a function of its own g++ reads a structure that it takes by value where no hook tells of it
    } else if (source.is(i, "__forceinline__")) {
      source.replace(i, "inline __attribute__((always_inline))");
    } else if (source.is_any(i, {"__device__", "__host__", "__grid_constant__", "__shared__"})) {
      source.erase(i);
    } else if (source.is_any(i, {"__constant__", "__managed__"})) {
      source.error(i, std::string(source.spelling(i)) +
                          " belongs to a variable at namespace scope; move it there");
      source.erase(i);
    } else if (source.is(i, "__global__")) {
      source.error(i, "__global__ belongs to a function at namespace scope; move the kernel there");
      source.erase(i);
    }
  }
}

/// Vectors that are members of a union get types whose copies are trivial: else nothing could copy the union.
void rewrite_unions(Source& source) {
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (!source.is(i, "union") || !source.is_own(i)) continue;
    std::size_t open = source.behind_attribute(i + 1);
    while (source.is_name(open) || source.is(open, "::")) ++open;
    if (!source.is(open, "{") || !source.opens(open)) continue;
    for (std::size_t j = open + 1; j < source.match(open); ++j) {
      if (source.is(j, "{") && source.is_any(j - 1, {")", "const", "noexcept"})) {
        j = source.match(j); // a function's body
      } else if (is_vector_type(source.spelling(j)) && source.spelling(j).back() != '1' &&
                 source.is_any(j - 1, {"{", "}", ";", ":", "const"}) && source.is_name(j + 1) &&
                 source.is_any(j + 2, {";", ",", "[", "=", "{"}) && !source.is_edited(j)) {
        source.replace(j, concatenate({"::simt::InUnion<", source.spelling(j), ">"}));
      }
    }
  }
}

/// `#pragma GCC diagnostic ignored "-Wdeprecated-declarations"`, or a group with this warning.
bool is_about_deprecated(std::string_view pragma) {
  if (pragma.find("diagnostic") == pragma.npos) return false;
  for (const std::string_view warning :
       {"\"-Wdeprecated", "\"-Wno-deprecated", "\"-Wall\"", "\"-Weverything\"", "\"-Wmost\"", "\"-Wextra\""})
    if (pragma.find(warning) != pragma.npos) return true;
  return false;
}

/// `#pragma unroll` would make one source line several instructions, which the counters tell apart; `#pragma GCC optimize`
/// could make one access of several. Warnings of what is deprecated are how the compiler tells of the code of one side that
/// uses the other's.
void blank_pragmas(Source& source) {
  for (const PragmaLine& pragma : source.stream().pragmas) {
    const std::string_view line = source.stream().text.substr(pragma.offset, pragma.length);
    if (line.find("unroll") != line.npos || line.find("optimize") != line.npos ||
        line.find("clang loop") != line.npos || is_about_deprecated(line))
      source.blank(pragma.offset, pragma.length);
  }
}

/// Whether anything gives kernels attributes, which a launch has to find again.
bool mentions_attributes(const Source& source) {
  for (std::size_t i = 0; i < source.size(); ++i)
    if (!source.is_shim(i) &&
        source.is_any(i, {"__launch_bounds__", "__cluster_dims__", "cudaFuncSetAttribute"}))
      return true;
  return false;
}

/// Whether a kernel is used by its address, or by what takes one: it is then called from its address alone.
bool uses_kernels_by_address(const Source& source, const Kernels& kernels) {
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (!source.is_identifier(i) || source.is_shim(i)) continue;
    if (source.is_any(i, {"cudaKernelNodeParams", "cudaKernelNodeParamsV2", "cudaGraphNodeParams",
                          "cudaGetFuncBySymbol", "cudaGetKernel"}))
      return true;
    if (!kernels.contains(source.spelling(i))) continue;
    const bool is_cast =
        i > 1 && (source.is_any(i - 1, {")", "&", "="}) ||
                  (source.is(i - 1, "(") && source.is(i - 2, ">"))); // static_cast<...>(kernel)
    if (is_cast && source.is_any(i + 1, {";", ",", ")", "<", "}"}) && !source.opens_launch(i + 1))
      return true;
  }
  return false;
}

/// The function's name; of variables every identifier that may be one.
void add_names(const Source& source, const Declaration& declaration, std::set<std::string>& names) {
  if (declaration.is_function) {
    if (declaration.name != none) names.emplace(source.spelling(declaration.name));
    return;
  }
  for (std::size_t i = declaration.begin; i < declaration.end; ++i)
    if (source.is_identifier(i) && source.is_any(i + 1, {"[", "=", ";", ",", "{"}))
      names.emplace(source.spelling(i));
}

Translation translate(Source& source, const TranslationOptions& options) {
  const std::vector<Declaration> declarations = find_declarations(source);
  if (const std::string text = with_plain_names(source, declarations); !text.empty()) {
    Source same(text, options);
    return translate(same, options);
  }
  const std::vector<Body> bodies = find_bodies(source, declarations);
  const bool with_attributes = mentions_attributes(source); // before they are erased
  drop_memory_spaces(source);
  drop_keywords_of_typed_functions(source, declarations);
  check_kernels(source, declarations);
  check_template_arguments(source, declarations, bodies);
  check_lambdas(source, declarations, bodies);
  check_overrides(source, declarations);
  const Kernels kernels = rewrite_kernels(source, declarations);
  const std::set<std::string> filled = mark_constructors(source, declarations);
  const std::vector<SharedName> shared = rewrite_shared_variables(source, declarations, bodies, filled);
  mark_uses_of_shared_names(source, bodies, shared, name_pointers_into_shared(source, bodies, shared));
  rewrite_device_variables(source, declarations, bodies);
  capture_shared_variables(source, shared);
  const bool by_address = uses_kernels_by_address(source, kernels);
  mark_host_symbols(source, declarations, bodies);
  const Launches launches = rewrite_launches(source, kernels);
  const bool calls_by_variable = rewrite_launch_calls(source, kernels);
  if (options.registers_kernels || by_address || calls_by_variable || launches.by_variable ||
      (launches.deduced && with_attributes))
    register_names(source, declarations);
  mark_function_addresses(source, declarations, bodies);
  warn_of_slips(source, declarations, bodies);
  mark_unheard_calls(source, declarations, bodies);
  rewrite_allocations(source, bodies);
  mark_branches_around_barriers(source, bodies);
  mark_returns(source, bodies);
  mark_early_returns(source, bodies);
  record_arms(source, bodies);
  source.record_foreign_folders();
  mark_stored_results(source, declarations, bodies);
  rewrite_builtin_variables(source);
  mark_expected_values(source, bodies);
  const bool uses_ptx = check_device_code(source, declarations, bodies, options);
  if (options.is_submission) refuse_hidden_accesses(source, declarations);
  check_calls(source, declarations, bodies, options);
  const bool has_marks = mark_sides(source, declarations) || may_narrow(source, declarations);
  rewrite_unions(source);
  rewrite_remaining_keywords(source);
  blank_pragmas(source);

  Translation result;
  result.text = source.result(&result.origins);
  result.has_marks = has_marks;
  result.uses_ptx = uses_ptx;
  result.errors = source.errors();
  result.warnings = source.warnings();
  result.balanced = source.balanced();
  for (const Declaration& declaration : declarations) {
    const bool on_device = declaration.has(source, "__device__") || declaration.has(source, "__constant__") ||
                           declaration.has(source, "__managed__");
    if (on_device && !declaration.has(source, "__host__") && !source.is_shim(declaration.begin))
      add_names(source, declaration, result.device_names);
  }
  for (const SourceFile& file : source.stream().files)
    if (!file.is_system && !file.name.starts_with('<')) result.files.push_back(file.name);
  return result;
}

/// The text with another name, of the same length, for a namespace of the program's that is called like the simulator's; empty if it
/// has none.
std::string with_own_namespace_apart(const Source& source) {
  constexpr std::string_view simulators = "simt", programs = "s1mt";
  std::vector<std::size_t> own;
  bool is_declared = false;
  for (std::size_t i = 1; i < source.size(); ++i) {
    if (!source.is(i, simulators) || !source.is_own(i)) continue;
    own.push_back(source.stream().tokens[i].offset);
    is_declared |= source.is_any(i - 1, {"namespace", "::"});
  }
  if (!is_declared) return {};
  std::string text(source.stream().text);
  for (const std::size_t offset : own) text.replace(offset, simulators.size(), programs);
  return text;
}

} // namespace

Translation translate(std::string_view preprocessed, const TranslationOptions& options) {
  Source source(preprocessed, options);
  if (const std::string apart = with_own_namespace_apart(source); !apart.empty()) return translate(apart, options);
  if (!source.stream().has_other_spellings) return translate(source, options);
  const std::string text = with_usual_spellings(std::string(preprocessed));
  Source same(text, options);
  return translate(same, options);
}

std::string to_string(const TranslationError& error, const char* severity) {
  std::string place = error.file + ":" + std::to_string(error.line) + ":";
  if (error.column != 0) place += std::to_string(error.column) + ":";
  return concatenate({place, " ", severity, ": ", error.text});
}

} // namespace simt::compiler
