#include "simt/translate/passes.hpp"

namespace simt::compiler {
namespace {

bool is_assembly(const Source& source, std::size_t i) {
  return source.is_identifier(i) && source.is_any(i, {"asm", "__asm__", "__asm"});
}

/// Attributes under which a function's accesses are not those that stand there, or are not seen.
void refuse_attributes(Source& source) {
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::size_t behind = source.behind_attribute(i);
    for (std::size_t k = i; k < behind; ++k)
      if (source.is_any(k, {"no_sanitize", "__no_sanitize__", "no_sanitize_thread", "__no_sanitize_thread__",
                            "disable_sanitizer_instrumentation", "optimize", "__optimize__"}))
        source.error(k, std::string(source.spelling(k)) +
                            " changes what the simulator sees of a function; leave this attribute out");
    if (behind > i) i = behind - 1;
  }
}

/// Of what makes textures and surfaces, and of what reads and writes through them.
bool is_of_textures(std::string_view name) {
  if (name == "cudaCreateTextureObject" || name == "cudaCreateSurfaceObject" || name == "cuTexObjectCreate" ||
      name == "cuSurfObjectCreate")
    return true;
  for (const std::string_view kind : {"tex", "surf"})
    for (const std::string_view shape : {"1D", "2D", "3D", "Cubemap"})
      if (name.starts_with(kind) && name.substr(kind.size()).starts_with(shape)) return true;
  return false;
}

/// Reads through textures and surfaces are no global loads, and most have no sectors that could be counted.
void refuse_textures(Source& source) {
  for (std::size_t i = 0; i < source.size(); ++i)
    if (source.is_identifier(i) && is_of_textures(source.spelling(i)) && !source.is_shim(i))
      source.error(
          i, "textures and surfaces are no part of a lab's submission: the items count accesses to global "
             "memory; read the array itself, through a const __restrict__ pointer or __ldg");
}

/// While kernels run, memory of the host is closed to them (simt/runtime/memory/host_memory.hpp), but not this.
void refuse_thread_variables(Source& source) {
  for (std::size_t i = 0; i < source.size(); ++i)
    if (source.is_any(i, {"thread_local", "__thread", "_Thread_local"}) && source.is_own(i))
      source.error(
          i, "variables of threads of the host are no part of a lab's submission; use a local variable, or "
             "a static one");
}

} // namespace

void refuse_hidden_accesses(Source& source, const std::vector<Declaration>& declarations) {
  refuse_attributes(source);
  refuse_textures(source);
  refuse_thread_variables(source);
  for (const Declaration& declaration : declarations) {
    const std::size_t end = declaration.body != none ? declaration.body : declaration.end;
    for (std::size_t i = declaration.begin; i < std::min(end, source.size()); i = source.behind(i))
      if (is_assembly(source, i))
        source.error(
            i, "assembly outside of functions, and names for the assembler, are no part of a submission; "
               "leave them out");
  }
}

} // namespace simt::compiler
