#include "simt/translate/passes.hpp"

#include <algorithm>

namespace simt::compiler {
namespace {

/// Functions that fail for a mistake of the program's, and not to tell it something. A launch says what an attribute lacks.
bool is_of_api(const Source& source, std::size_t i) {
  return source.is_any(i, {"cudaMalloc",
                           "cudaMallocManaged",
                           "cudaMallocAsync",
                           "cudaMallocPitch",
                           "cudaMallocHost",
                           "cudaHostAlloc",
                           "cudaMallocArray",
                           "cudaMalloc3D",
                           "cudaMalloc3DArray",
                           "cudaFree",
                           "cudaFreeAsync",
                           "cudaFreeHost",
                           "cudaFreeArray",
                           "cudaMemcpy",
                           "cudaMemcpyAsync",
                           "cudaMemcpy2D",
                           "cudaMemcpy2DAsync",
                           "cudaMemcpy3D",
                           "cudaMemcpy3DAsync",
                           "cudaMemcpyToSymbol",
                           "cudaMemcpyFromSymbol",
                           "cudaMemcpyToSymbolAsync",
                           "cudaMemcpyFromSymbolAsync",
                           "cudaMemcpyToArray",
                           "cudaMemcpy2DToArray",
                           "cudaMemcpy2DToArrayAsync",
                           "cudaMemcpy2DFromArray",
                           "cudaMemcpy2DFromArrayAsync",
                           "cudaMemset",
                           "cudaMemsetAsync",
                           "cudaMemset2D",
                           "cudaMemset2DAsync",
                           "cudaMemset3D",
                           "cudaGetSymbolAddress",
                           "cudaDeviceGetAttribute",
                           "cudaGetDeviceProperties",
                           "cudaHostRegister",
                           "cudaHostGetDevicePointer",

                           "cudaSetDevice",
                           "cudaStreamSynchronize",
                           "cudaStreamWaitEvent",
                           "cudaLaunchHostFunc",
                           "cudaEventRecord",
                           "cudaEventSynchronize",
                           "cudaEventElapsedTime",
                           "cudaEventDestroy",
                           "cudaStreamDestroy"});
}

/// Whether the call at i is a copy whose arguments are two pointers, as far as their spelling says: 0 is one, and has the type of a number.
bool copies_from_pointer(const Source& source, std::size_t i) {
  if (!source.is_any(i, {"cudaMemcpy", "cudaMemcpyAsync"})) return false;
  const auto arguments = source.pieces(i + 1, source.match(i + 1));
  const auto is_pointer = [&](const TokenRange& range) {
    return range.first < range.second && source.kind(range.first) != TokenKind::number &&
           !source.is_any(range.first, {"__null", "{"}) && !source.is(range.second - 1, "...");
  };
  return arguments.size() >= 4 && is_pointer(arguments[0]) && is_pointer(arguments[1]);
}

} // namespace

bool begins_statement(const Source& source, std::size_t i) {
  if (source.is_any(i - 1, {";", "{", "}", "else", "do"})) return true;
  if (!source.is(i - 1, ")") || !source.closes(i - 1)) return false;
  const std::size_t open = source.match(i - 1);
  return open > 0 && source.is_any(open - 1, {"if", "for", "while", "constexpr"});
}

void mark_unheard_calls(Source& source, const std::vector<Declaration>& declarations,
                        const std::vector<Body>& bodies) {
  const FunctionNames own = names_of_functions(source, declarations);
  for (const Body& body : bodies) {
    if (body.on_device || !source.is_own(body.open)) continue;
    for (std::size_t i = body.open + 1; i < body.close; ++i) {
      if (!is_of_api(source, i)) continue;
      const std::size_t begin = source.is(i - 1, "::") ? i - 1 : i;
      const bool is_of_other = source.is_any(begin - 1, {"::", ".", "->"}) ||
                               (begin < i && source.is_name(begin - 1) &&
                                !source.is_any(begin - 1, {"return", "else", "do", "case"}));
      if (!source.is(i + 1, "(") || !source.opens(i + 1) || is_of_other || own.contains(source.spelling(i)))
        continue;
      if (begins_statement(source, begin) && source.is(source.behind(i + 1), ";")) {
        source.insert_before(begin, concatenate({"::simt::unheard(\"", source.spelling(i), "\", "}));
        source.insert_behind(source.match(i + 1), ")");
      }
      if (copies_from_pointer(source, i))
        source.replace(i, concatenate({begin < i ? "simt::typed::" : "::simt::typed::", source.spelling(i)}));
    }
  }
}

} // namespace simt::compiler
