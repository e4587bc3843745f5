#include "simt/translate/architecture.hpp"
#include "simt/translate/declared_functions.hpp"
#include "simt/translate/inline_ptx.hpp"
#include "simt/translate/passes.hpp"

#include <map>

#include "text/pattern.hpp"

namespace simt::compiler {
namespace {

struct Forbidden {
  std::string_view name;
  std::string_view text;
};

/// Host functions of the CUDA API that device code may not call, with what to do instead.
constexpr Forbidden host_only[] = {
    {"cudaDeviceSynchronize",
     "cudaDeviceSynchronize is a host function since CUDA 12, device code cannot wait for its "
     "child grids; launch what needs their results into cudaStreamTailLaunch"},
    {"cudaStreamSynchronize",
     "cudaStreamSynchronize is a host function, device code cannot wait for a stream; launch "
     "what comes next into the same stream or into cudaStreamTailLaunch"},
    {"cudaEventSynchronize",
     "cudaEventSynchronize is a host function, device code cannot wait for an event; launch "
     "what comes next into the same stream or into cudaStreamTailLaunch"},
    {"cudaMemcpy", "cudaMemcpy is a host function; in device code write a loop"},
    {"cudaMemset", "cudaMemset is a host function; in device code write a loop"},
    {"cudaMemcpyAsync",
     "cudaMemcpyAsync in device code is not simulated; write a loop, or launch a kernel that "
     "copies"},
    {"cudaMemsetAsync",
     "cudaMemsetAsync in device code is not simulated; write a loop, or launch a kernel that "
     "fills"},
    {"cudaStreamCreate", "cudaStreamCreate is a host function; in device code write "
                         "cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)"},
    {"cudaStreamQuery", "cudaStreamQuery is a host function, device code cannot ask whether a stream has "
                        "finished; launch what comes next into the same stream or into cudaStreamTailLaunch"},
    {"cudaEventQuery", "cudaEventQuery is a host function, device code cannot ask whether an event has come"},
    {"cudaEventElapsedTime", "cudaEventElapsedTime is a host function; in device code use clock64()"},
    {"cudaEventCreate",
     "events in device code are not simulated; launch into one stream what has to be in order"},
    {"cudaEventCreateWithFlags",
     "events in device code are not simulated; launch into one stream what has to be in order"},
    {"cudaEventRecord",
     "events in device code are not simulated; launch into one stream what has to be in order"},
    {"cudaStreamWaitEvent",
     "events in device code are not simulated; launch into one stream what has to be in order"},
    {"cudaDeviceSetLimit", "cudaDeviceSetLimit is a host function; call it before the kernel's launch"},
    {"cudaFuncSetAttribute", "cudaFuncSetAttribute is a host function; call it before the kernel's launch"},
    {"cudaLaunchKernelEx",
     "cudaLaunchKernelEx in device code is not simulated; write kernel<<<grid, block, shared "
     "bytes, stream>>>(arguments)"},
    {"cudaLaunchKernel",
     "cudaLaunchKernel is a host function; in device code write kernel<<<grid, block, shared "
     "bytes, stream>>>(arguments)"},
    {"cudaLaunchCooperativeKernel",
     "device code cannot launch cooperative grids; launch this one from the host"},
    {"cudaSetDevice",
     "cudaSetDevice is a host function; a child grid always runs on the device of its parent"},
    {"__brkpt", "__brkpt stops in a debugger, and the simulator has none; use printf or assert"},
    {"__prof_trigger", "__prof_trigger is for a profiler of the device; leave it out"},
};

/// `asm volatile("" ::: "memory");` has no instruction: it keeps the compiler from moving accesses. One that is a comment
/// becomes such a one. True if it is that.
bool has_no_instruction(Source& source, std::size_t i) {
  std::size_t open = i + 1;
  while (source.is_any(open, {"volatile", "__volatile__"})) ++open;
  if (!source.is(open, "(") || !source.opens(open) || source.kind(open + 2) == TokenKind::string)
    return false;
  const std::string_view text = source.stream().spelling(open + 1);
  if (text == "\"\"") return true;
  if (!text.starts_with("\"//") || text.find("\\n") != text.npos) return false;
  source.replace(open + 1, "\"\"");
  return true;
}

/// Whether `NAME [` at i declares a local array: what stands before it in its statement is a type.
bool declares_local_array(const Source& source, std::size_t i) {
  if (!source.is_name(i) || !source.is(i + 1, "[") || !source.opens(i + 1)) return false;
  const std::size_t begin = source.declaration_begin(i);
  if (begin == i || !source.is_any(begin - 1, {";", "{", "}", ":"}) ||
      source.is_any(begin, {"return", "case"}))
    return false;
  for (std::size_t k = begin; k < i; ++k)
    if (source.is_any(k, {"__shared__", "extern", "delete", "throw", "new", "sizeof", "co_yield", "goto"}))
      return false;
  return true;
}

/// Has the compiler refuse an array in a function whose size is no constant. g++ and clang++ have such arrays, and device
/// code has not.
void require_constant_size(Source& source, std::size_t name) {
  if (!declares_local_array(source, name)) return;
  for (std::size_t open = name + 1; source.is(open, "[") && source.opens(open); open = source.behind(open)) {
    bool has_name = false;
    for (std::size_t k = open + 1; k < source.match(open); ++k) has_name |= source.is_name(k);
    if (!has_name) continue;
    source.insert_behind(open, "::simt::constant_size<static_cast<decltype(sizeof(0))>(");
    source.insert_before(source.match(open), ")>");
  }
}

/// `__syncthreads;` or `cluster.sync;`, a statement that names a barrier or a fence and does not call it: compilers take
/// it. The threads that come there tell the simulator.
void check_barrier_call(Source& source, std::size_t i) {
  if (!source.is(i + 1, ";") || source.is_edited(i)) return;
  const bool is_member = source.is(i, "sync") && source.is_any(i - 1, {".", "->"});
  if (!is_member && !source.is_any(i, {"__syncthreads", "__syncwarp", "__threadfence", "__threadfence_block",
                                       "__threadfence_system"}))
    return;
  std::size_t named = i;
  if (is_member) named = source.closes(i - 2) ? source.match(i - 2) - 1 : i - 2; // this_cluster().sync
  std::size_t begin = named;
  while (source.is(begin - 1, "::")) begin -= 2;
  if (!source.is_any(begin - 1, {";", "{", "}", ")", "else", "do", ":"})) return;
  const std::string name = source.flat(named, i + 1);
  source.warning(
      i, concatenate(
             {name, "; is no call: without parentheses it only names the function, and does nothing; write ",
              name, "()"}));
  const std::string told = concatenate({"::__simt_not_called(\"", name, "\", ", source.place(i), ")"});
  if (is_member)
    source.insert_behind(i, ", " + told);
  else
    source.replace(i, told);
}

/// Functions of the runtime API that device code has as well: cuda_device_runtime_api.h of CUDA 13.0 lists them. With
/// those of the simulator that stand for a launch, and those that have a sentence of their own.
bool is_for_device_code(std::string_view name) {
  static const std::set<std::string_view> names = {"cudaCreateChannelDesc",
                                                   "cudaDeviceGetAttribute",
                                                   "cudaDeviceGetCacheConfig",
                                                   "cudaDeviceGetLimit",
                                                   "cudaDeviceGetSharedMemConfig",
                                                   "cudaEventCreateWithFlags",
                                                   "cudaEventDestroy",
                                                   "cudaEventRecord",
                                                   "cudaEventRecordWithFlags",
                                                   "cudaFree",
                                                   "cudaFuncGetAttributes",
                                                   "cudaGetDevice",
                                                   "cudaGetDeviceCount",
                                                   "cudaGetErrorName",
                                                   "cudaGetErrorString",
                                                   "cudaGetLastError",
                                                   "cudaGetParameterBuffer",
                                                   "cudaGraphLaunch",
                                                   "cudaGraphSetConditional",
                                                   "cudaGridDependencySynchronize",
                                                   "cudaLaunchKernelEx",
                                                   "cudaMalloc",
                                                   "cudaMemcpy2DAsync",
                                                   "cudaMemcpy3DAsync",
                                                   "cudaMemcpyAsync",
                                                   "cudaMemset2DAsync",
                                                   "cudaMemset3DAsync",
                                                   "cudaMemsetAsync",
                                                   "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
                                                   "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
                                                   "cudaPeekAtLastError",
                                                   "cudaRuntimeGetVersion",
                                                   "cudaStreamCreateWithFlags",
                                                   "cudaStreamDestroy",
                                                   "cudaStreamWaitEvent",
                                                   "cudaTriggerProgrammaticLaunchCompletion"};
  return names.contains(name);
}

/// The functions of the runtime API that the simulator's headers declare.
std::set<std::string_view> find_api_functions(const Source& source,
                                              const std::vector<Declaration>& declarations) {
  std::set<std::string_view> names;
  for (const Declaration& function : declarations)
    if (function.is_function && function.name != none && source.is_shim(function.name) &&
        function.scope == Scope::namespace_scope && source.spelling(function.name).starts_with("cuda"))
      names.insert(source.spelling(function.name));
  return names;
}

/// A function of the runtime API at token i that the host alone has.
void check_api_call(Source& source, std::size_t i, const std::set<std::string_view>& api) {
  const std::string_view name = source.spelling(i);
  if (!name.starts_with("cuda") || !api.contains(name) || is_for_device_code(name) ||
      source.is_any(i - 1, {".", "->", "::"}) || source.is_name(i - 1))
    return;
  for (const Forbidden& forbidden : host_only)
    if (name == forbidden.name) return;
  source.error(i, concatenate({name, " is a host function, which device code cannot call; call it before or "
                                     "after the launch, and pass the kernel what it needs"}));
}

/// True if the body has inline PTX.
bool check_device_body(Source& source, const Body& body, const DeclaredFunctions& functions,
                       const std::set<std::string_view>& api) {
  bool uses_ptx = false;
  const auto is_used = [&] {
    return !functions.is_of_template(*body.function) || functions.is_surely_used(*body.function);
  };
  for (std::size_t i = body.open; i < body.close; ++i) {
    if (!source.is_identifier(i)) continue;
    check_barrier_call(source, i);
    require_constant_size(source, i);
    if (source.is_any(i, {"asm", "__asm__", "__asm"})) {
      if (!has_no_instruction(source, i)) uses_ptx |= rewrite_inline_ptx(source, i);
    } else if (source.is_any(i, {"throw", "try"})) {
      if (!half_of(source, body.open, i).host && is_used())
        source.error(
            i, body.on_host
                   ? "device code has no exceptions, and this function runs on the device too; put what is "
                     "for the host alone between #ifndef __CUDA_ARCH__ and #endif"
                   : "device code has no exceptions; to end with an error write __trap() or assert");
    } else if (source.is_any(i, {"typeid", "dynamic_cast"}) && !half_of(source, body.open, i).host &&
               is_used()) {
      source.error(i, concatenate({"device code has no ", source.spelling(i),
                                   ": types are not known when it runs; ask a "
                                   "virtual function or a member of the object instead"}));
    } else if (source.is(i, "goto") && source.is(i + 1, "*")) {
      source.error(i, "device code cannot jump to an address; write a switch, or goto with a label");
    } else if (source.is_any(i, {"__float128", "_Float128"}) && !half_of(source, body.open, i).host) {
      source.error(i,
                   concatenate({source.spelling(i), " does not exist in device code for sm_90; use double"}));
    } else if (source.is(i, "thread_local") && !half_of(source, body.open, i).host) {
      source.error(
          i, "device code has no thread_local variables; local variables belong to their thread already");
    } else if (source.is_any(i, {"cout", "cerr", "clog"}) && source.is(i - 1, "::") &&
               source.is(i - 2, "std") && !body.on_host) {
      source.error(i,
                   concatenate({"std::", source.spelling(i), " does not exist in device code; use printf"}));
    } else if (source.is(i + 1, "(") && !body.on_host) {
      for (const Forbidden& forbidden : host_only)
        if (source.is(i, forbidden.name)) source.error(i, std::string(forbidden.text));
      if (is_used()) check_api_call(source, i, api);
      // The C library has a function of that name, which tells the time of the host.
      if (source.is(i, "clock") && source.is(i + 2, ")") && !source.is_any(i - 1, {".", "->", "::"}))
        source.replace(i, "clock64");
    }
  }
  return uses_ptx;
}

/// What the simulator does not have at all: exact names, or the beginnings of names.
struct Unsupported {
  std::initializer_list<std::string_view> names;
  bool prefixes;
  std::string_view text;
};

const Unsupported unsupported[] = {
    {{"cudaGetCurrentGraphExec", "cudaGraphKernelNodeUpdatesApply", "cudaGraphKernelNodeSetGridDim",
      "cudaGraphKernelNodeSetEnabled", "cudaGraphKernelNodeSetParam"},
     false,
     "kernels cannot launch or change CUDA graphs on the simulator; launch the graph from the host, or "
     "launch its "
     "kernels from the kernel"},
    {{"cudaBindTexture", "cudaBindTexture2D", "cudaBindTextureToArray", "cudaUnbindTexture",
      "cudaBindSurfaceToArray", "cudaGetTextureReference"},
     false,
     "texture references are gone since CUDA 12; make a texture object with cudaCreateTextureObject, and "
     "pass it to the "
     "kernel"},
    {{"cudaMallocMipmappedArray", "cudaFreeMipmappedArray", "cudaGetMipmappedArrayLevel"},
     false,
     "mipmapped arrays are not simulated; make an array for each level, or use level 0 alone"},
    {{"cudaArraySparse", "cudaArrayDeferredMapping"},
     true,
     "arrays without memory of their own are not simulated; make an ordinary array"},
    {{"cudaMemPoolExport", "cudaMemPoolImport"},
     true,
     "memory of other processes is not simulated; use one process"},
    {{"cudaIpc", "cuIpc", "cuMemExportToShareableHandle", "cuMemImportFromShareableHandle"},
     true,
     "memory of other processes is not simulated; use one process"},
};

/// Warp functions without a mask, which devices since 2017 do not have, and how those with one are called.
constexpr Forbidden maskless[] = {
    {"__shfl", "__shfl_sync(0xffffffff, value, lane)"},
    {"__shfl_up", "__shfl_up_sync(0xffffffff, value, distance)"},
    {"__shfl_down", "__shfl_down_sync(0xffffffff, value, distance)"},
    {"__shfl_xor", "__shfl_xor_sync(0xffffffff, value, mask)"},
    {"__ballot", "__ballot_sync(0xffffffff, predicate)"},
    {"__any", "__any_sync(0xffffffff, predicate)"},
    {"__all", "__all_sync(0xffffffff, predicate)"},
};

void check_maskless(Source& source, std::size_t i, bool is_submission) {
  for (const Forbidden& old : maskless)
    if (source.is(i, old.name))
      source.error(i, concatenate({old.name, " is gone since the devices of 2017; write ", old.text,
                                   is_submission ? "" : ", or build with --legacy-warp-functions"}));
}

void check_unsupported_api(Source& source, const std::vector<Declaration>& declarations,
                           const TranslationOptions& options) {
  const FunctionNames own = names_of_functions(source, declarations);
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (!source.is_identifier(i) || source.is_shim(i)) continue;
    const std::string_view name = source.spelling(i);
    if (!name.starts_with("__") && !name.starts_with("cu") && !name.starts_with("tex") &&
        !name.starts_with("surf"))
      continue;
    if (i > 0 && source.is_any(i - 1, {".", "->"})) continue;
    const bool called = source.is(i + 1, "(") || source.is(i + 1, "<");
    for (const Unsupported& part : unsupported)
      for (const std::string_view known : part.names)
        if (part.prefixes ? name.starts_with(known) : name == known && (called || name.ends_with("_t")))
          source.error(i, std::string(part.text));
    if (name == "texture" && source.is(i + 1, "<") && source.kind(i + 2) == TokenKind::identifier &&
        (i == 0 || source.is_any(i - 1, {";", "}", "static"})))
      source.error(i, "texture references are gone since CUDA 12; make a texture object with "
                      "cudaCreateTextureObject, and pass "
                      "it to the kernel");
    if (source.is(i + 1, "(") && !options.legacy_warp_functions && !own.contains(name))
      check_maskless(source, i, options.is_submission);
  }
}

/// What the device cannot have of what is declared for it.
void check_declarations(Source& source, const std::vector<Declaration>& declarations) {
  for (const Declaration& declaration : declarations) {
    const bool on_device = declaration.has(source, "__device__") || declaration.has(source, "__constant__") ||
                           declaration.has(source, "__managed__") || declaration.has(source, "__global__");
    if (!on_device || source.is_shim(declaration.begin)) continue;
    if (declaration.is_function && declaration.scope == Scope::namespace_scope && declaration.owner.empty() &&
        source.is(declaration.name, "main"))
      source.error(declaration.name,
                   "main begins the program, which is on the host; leave CUDA's keywords out before it");
    for (std::size_t i = declaration.begin; !declaration.is_function && i < declaration.end; ++i)
      if (source.is(i, "thread_local"))
        source.error(
            i,
            "a variable in device memory is one for all threads, and cannot be thread_local; leave that out");
  }
}

} // namespace

bool check_device_code(Source& source, const std::vector<Declaration>& declarations,
                       const std::vector<Body>& bodies, const TranslationOptions& options) {
  check_declarations(source, declarations);
  check_unsupported_api(source, declarations, options);
  const DeclaredFunctions functions(source, declarations);
  const std::set<std::string_view> api = find_api_functions(source, declarations);
  bool uses_ptx = false;
  for (const Body& body : bodies)
    if (body.on_device && !source.is_shim(body.open))
      uses_ptx |= check_device_body(source, body, functions, api);
  return uses_ptx;
}

} // namespace simt::compiler
