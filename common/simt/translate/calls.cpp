#include "simt/translate/architecture.hpp"
#include "simt/translate/declared_functions.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace simt::compiler {
namespace {

/// By plain names, over all namespaces and classes.
using Functions = std::map<std::string_view, Sides>;

Functions find_functions(const Source& source, const std::vector<Declaration>& declarations) {
  Functions functions;
  for (const Declaration& declaration : declarations) {
    if (!declaration.is_function || declaration.name == none) continue;
    functions[source.spelling(declaration.name)].add(source, declaration);
  }
  return functions;
}

/// Whether `name` is declared within the function, as a parameter, a variable or a lambda.
bool is_local(const Source& source, const Body& body, std::string_view name) {
  for (std::size_t i = body.function->parameters; i < body.close; ++i) {
    if (!source.is(i, name)) continue;
    const bool after_type =
        source.is_any(i - 1, {"*", "&", "&&", ">", "auto", "int", "float", "double", "bool", "char"});
    if (after_type || source.is_name(i - 1)) return true;
  }
  return false;
}

/// Whether token i names the function of a plain, unqualified call.
bool is_call(const Source& source, std::size_t i) {
  if (!source.is_name(i) || source.is_any(i - 1, {".", "->", "::", "~", "*", ">"}) || source.is_name(i - 1))
    return false;
  return is_called(source, i);
}

/// Kernels that are called like functions.
void check_calls(Source& source, const Body& body, const Functions& functions) {
  for (std::size_t i = body.open; i < body.close; ++i) {
    if (!is_call(source, i)) continue;
    const auto found = functions.find(source.spelling(i));
    if (found == functions.end() || found->second.member) continue;
    const auto& [name, sides] = *found;
    if (!sides.kernel || sides.host || sides.device || is_local(source, body, name)) continue;
    source.error(i, concatenate({"the kernel ", name, " is called like a function; write ", name,
                                 "<<<grid, block>>>(arguments)"}));
  }
}

/// A launch whose kernel is a function without __global__. Names of variables, which may hold a kernel, are none.
void check_launches(Source& source, const Body& body, const Functions& functions) {
  for (std::size_t i = body.open; i < body.close; ++i) {
    if (!source.is_name(i) || !source.is(i + 1, "<") || source.is_any(i - 1, {".", "->"})) continue;
    const std::size_t open = i + 1;
    if (!source.opens_launch(open)) { // behind template arguments
      const std::size_t close = source.closing_angle(open);
      if (close == none || !source.opens_launch(close + 1)) continue;
    }
    const auto found = functions.find(source.spelling(i));
    if (found == functions.end()) continue;
    const auto& [name, sides] = *found;
    if (sides.kernel || sides.member || !sides.own || is_local(source, body, name)) continue;
    source.error(
        i, concatenate({name, " is launched but is not a kernel; write __global__ before its declaration"}));
  }
}

std::string line_of(const Source& source, std::size_t i) {
  return std::to_string(source.stream().tokens[i].line);
}

std::string file_and_line(const Source& source, std::size_t i) {
  const std::string& file = source.stream().files[source.stream().tokens[i].file].name;
  return file.substr(file.rfind('/') + 1) + ":" + line_of(source, i);
}

/// Functions of cuda_fp16.h and cuda_bf16.h that are for device code alone: fused products, roundings to integers that C++ does
/// not have, and hsin's and h2sin's kind. The others are for the host, too.
bool is_small_float_intrinsic(std::string_view name) {
  static const std::set<std::string_view> functions = {
      "ceil", "cos",  "exp",   "exp10", "exp2", "floor", "log",         "log10", "log2",
      "rcp",  "rint", "rsqrt", "sin",   "sqrt", "tanh",  "tanh_approx", "trunc"};
  if (name.starts_with("__hfma") || name.starts_with("__hcmadd")) return true;
  const auto is_conversion = [&](std::string_view begin, std::string_view type, std::string_view end) {
    return name.size() == begin.size() + type.size() + end.size() && name.starts_with(begin) &&
           name.substr(begin.size()).starts_with(type) && name.ends_with(end);
  };
  for (const std::string_view type : {"short", "ushort", "int", "uint", "ll", "ull"}) {
    for (const std::string_view end : {"_rn", "_rd", "_ru"})
      if (is_conversion("__half2", type, end) || is_conversion("__bfloat162", type, end)) return true;
    for (const std::string_view end : {"2bfloat16_rd", "2bfloat16_ru", "2bfloat16_rz"})
      if (is_conversion("__", type, end)) return true;
  }
  if (name.starts_with("h2")) return functions.contains(name.substr(2));
  return name.starts_with("h") && functions.contains(name.substr(1));
}

/// Whether the file names a 16-bit float, of which __hadd is a function for both sides. That of integers is for device code alone.
bool has_small_floats(const Source& source) {
  for (std::size_t i = 0; i < source.size(); ++i)
    if (source.is_own(i) && (source.spelling(i).find("half") != std::string_view::npos ||
                             source.spelling(i).find("bfloat16") != std::string_view::npos))
      return true;
  return false;
}

/// Functions that nvcc has in device code alone.
bool is_intrinsic(std::string_view name) {
  static const std::set<std::string_view> names = {"__activemask",
                                                   "__all_sync",
                                                   "__any_sync",
                                                   "__ballot_sync",
                                                   "__brev",
                                                   "__brevll",
                                                   "__byte_perm",
                                                   "__clz",
                                                   "__clzll",
                                                   "__cosf",
                                                   "__dp2a_hi",
                                                   "__dp2a_lo",
                                                   "__dp4a",
                                                   "__cvta_constant_to_generic",
                                                   "__cvta_generic_to_constant",
                                                   "__cvta_generic_to_global",
                                                   "__cvta_generic_to_grid_constant",
                                                   "__cvta_generic_to_local",
                                                   "__cvta_generic_to_shared",
                                                   "__cvta_global_to_generic",
                                                   "__cvta_grid_constant_to_generic",
                                                   "__cvta_local_to_generic",
                                                   "__cvta_shared_to_generic",
                                                   "__double_as_longlong",
                                                   "__exp10f",
                                                   "__expf",
                                                   "__fdividef",
                                                   "__ffs",
                                                   "__ffsll",
                                                   "__float_as_int",
                                                   "__float_as_uint",
                                                   "__fns",
                                                   "__int_as_float",
                                                   "__isClusterShared",
                                                   "__isConstant",
                                                   "__isGlobal",
                                                   "__isGridConstant",
                                                   "__isLocal",
                                                   "__isShared",
                                                   "__ldca",
                                                   "__ldcg",
                                                   "__ldcs",
                                                   "__ldcv",
                                                   "__ldg",
                                                   "__ldlu",
                                                   "__log10f",
                                                   "__log2f",
                                                   "__logf",
                                                   "__longlong_as_double",
                                                   "__mul24",
                                                   "__mul64hi",
                                                   "__mulhi",
                                                   "__nanosleep",
                                                   "__popc",
                                                   "__popcll",
                                                   "__powf",
                                                   "__rhadd",
                                                   "__sad",
                                                   "__saturatef",
                                                   "__sincosf",
                                                   "__sinf",
                                                   "__stcg",
                                                   "__stcs",
                                                   "__stwb",
                                                   "__stwt",
                                                   "__syncwarp",
                                                   "__tanf",
                                                   "__trap",
                                                   "__uhadd",
                                                   "__uint_as_float",
                                                   "__umul24",
                                                   "__umul64hi",
                                                   "__umulhi",
                                                   "__urhadd",
                                                   "__usad",
                                                   "clock64",
                                                   "coalesced_threads",
                                                   "fill_fragment",
                                                   "load_matrix_sync",
                                                   "mma_sync",
                                                   "store_matrix_sync",
                                                   "this_cluster",
                                                   "this_grid",
                                                   "this_thread_block",
                                                   "cudaGraphSetConditional",
                                                   "cudaGridDependencySynchronize",
                                                   "cudaTriggerProgrammaticLaunchCompletion"};
  if (names.contains(name) || is_small_float_intrinsic(name)) return true;
  const auto is_one_of = [&](std::initializer_list<std::string_view> beginnings) {
    return std::ranges::any_of(beginnings, [&](std::string_view begin) { return name.starts_with(begin); });
  };
  // __fadd_rn, __dmul_rz, __float2int_rn
  const bool is_rounded = name.size() > 3 && (name.ends_with("_rn") || name.ends_with("_rz") ||
                                              name.ends_with("_ru") || name.ends_with("_rd"));
  if (is_rounded &&
      is_one_of({"__fadd",   "__fsub",   "__fmul",    "__fmaf", "__fdiv",  "__frcp", "__fsqrt",
                 "__frsqrt", "__dadd",   "__dsub",    "__dmul", "__fma_",  "__ddiv", "__drcp",
                 "__dsqrt",  "__float2", "__double2", "__int2", "__uint2", "__ll2",  "__ull2"}) &&
      name.find("half") == name.npos && name.find("bfloat") == name.npos)
    return true;
  return is_one_of(
             {"__syncthreads", "__shfl_", "__threadfence", "__match_", "__reduce_", "__funnelshift_"}) ||
         (name.starts_with("atomic") && name.size() > 6 && name[6] >= 'A' && name[6] <= 'Z');
}

/// Whether `name` stands in the function as one of several declarators, as in `dim3 a(1), name(2);`.
bool is_declarator(const Source& source, const Body& body, std::string_view name) {
  for (std::size_t i = body.open; i < body.close; ++i)
    if (source.is(i, name) && source.is(i - 1, ",") && source.is_any(i + 1, {"(", "{", ";", "=", ","}))
      return true;
  return false;
}

/// Parameter types without the std:: that one declaration may have and another not.
std::vector<std::string> plain_parameter_types(const Source& source, const Declaration& function) {
  std::vector<std::string> types = parameter_types(source, function);
  for (std::string& type : types)
    for (const std::string_view part : {"std ::", "std::"})
      for (std::size_t at = type.find(part); at != type.npos; at = type.find(part))
        type.erase(at, part.size() + (type.substr(at + part.size(), 1) == " " ? 1 : 0));
  return types;
}

/// Where a function without CUDA's keywords, of the same name and parameters, is declared before this one; null if nowhere.
const Declaration* earlier_host_declaration(const Source& source,
                                            const std::vector<Declaration>& declarations,
                                            const Declaration& function) {
  for (const Declaration& earlier : declarations) {
    if (&earlier == &function || earlier.begin >= function.begin) break;
    if (earlier.is_function && earlier.name != none && earlier.scope == Scope::namespace_scope &&
        !earlier.is_template && source.is_own(earlier.begin) &&
        source.spelling(earlier.name) == source.spelling(function.name) &&
        DeclaredFunctions::owner_of(source, earlier) == DeclaredFunctions::owner_of(source, function) &&
        !earlier.has(source, "__global__") && !earlier.has(source, "__device__") &&
        !earlier.is_constexpr(source) &&
        plain_parameter_types(source, earlier) == plain_parameter_types(source, function))
      return &earlier;
  }
  return nullptr;
}

/// What the caller asks for as a function of the host, such as one of a lab's contract, cannot be a kernel.
void check_declared_sides(Source& source, const std::vector<Declaration>& declarations) {
  for (const Declaration& function : declarations) {
    if (!function.is_function || function.name == none || function.is_template ||
        function.scope != Scope::namespace_scope || !function.has(source, "__global__") ||
        !source.is_own(function.begin))
      continue;
    const Declaration* earlier = earlier_host_declaration(source, declarations, function);
    if (!earlier) continue;
    const std::string_view name = source.spelling(function.name);
    source.error(
        function.name,
        concatenate({name, " is declared as a function of the host at ", file_and_line(source, earlier->name),
                     ", and __global__ makes it a kernel. Give the kernel a name of its own, and let ", name,
                     " launch it"}));
  }
}

/// What only threads of a kernel can do, in a function that runs on the host, alone or too.
void check_intrinsics(Source& source, const Body& body, const Functions& functions,
                      const DeclaredFunctions& known, const std::vector<Declaration>& declarations) {
  const bool on_both = body.on_device || body.function->is_constexpr(source);
  if (!body.on_host || !source.is_own(body.open) || has_device_lambda(source, body) ||
      (on_both && (known.is_of_template(*body.function) || body.function->is_constexpr(source))))
    return;
  const bool in_class = body.function->scope == Scope::class_scope;
  const bool has_name = body.function->name != none;
  const std::string_view name = has_name ? source.spelling(body.function->name) : "this function";
  // What a contract declares for the host stays there.
  const bool is_for_host = has_name && earlier_host_declaration(source, declarations, *body.function);
  const std::string cure =
      on_both       ? concatenate({"Leave __host__ out before ", name,
                                   ", or put what is for the device between #ifdef __CUDA_ARCH__ and #endif"})
      : is_for_host ? concatenate({"That is for a kernel, which ", name, " launches"})
                    : concatenate({"Is __global__ or __device__ missing before ", name, "?"});
  for (std::size_t i = body.open; i < body.close; ++i) {
    // The host has no such variable when nvcc links the program. Other code may have them as its own.
    if (source.is_any(i, {"threadIdx", "blockIdx"}) && !on_both && !in_class && source.is(i + 1, ".") &&
        !source.is_any(i - 1, {".", "->", "::", ","}) && !is_local(source, body, source.spelling(i)) &&
        !is_declarator(source, body, source.spelling(i)))
      source.error(i, concatenate({name, has_name ? " (line " : "",
                                   has_name ? line_of(source, body.function->name) : "", has_name ? ")" : "",
                                   " runs on the host, where no thread has a number: ", source.spelling(i),
                                   " means nothing there. ", cure}));
    const bool is_group =
        source.is(i - 2, "cooperative_groups") && source.is(i - 1, "::") && is_called(source, i);
    if (!(is_call(source, i) || is_group)) continue;
    if (!is_intrinsic(source.spelling(i)) && (!source.is(i, "__hadd") || has_small_floats(source))) continue;
    if (on_both && half_of(source, body.open, i).device) continue;
    const auto found = functions.find(source.spelling(i));
    if (found != functions.end() && found->second.own) continue;
    source.error(
        i, concatenate(
               {source.spelling(i),
                on_both ? " is called from a function that runs on the host too; only kernels and __device__ "
                          "functions can. "
                        : " is called from host code; only kernels and __device__ functions can. ",
                cure}));
  }
}

} // namespace

void check_calls(Source& source, const std::vector<Declaration>& declarations,
                 const std::vector<Body>& bodies, const TranslationOptions& options) {
  const Functions functions = find_functions(source, declarations);
  const DeclaredFunctions known(source, declarations);
  check_declared_sides(source, declarations);
  for (const Body& body : bodies) {
    if (source.is_shim(body.open)) continue;
    if (known.is_surely_used(*body.function)) check_calls(source, body, functions);
    check_launches(source, body, functions);
    check_intrinsics(source, body, functions, known, declarations);
  }
  check_library(source, known, declarations, bodies, options.has_constexpr_library);
}

} // namespace simt::compiler
