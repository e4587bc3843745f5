// What functions of the API that copy share.
#pragma once

#include "simt/runtime/machine/call_site.hpp"

#include "driver_types.h"
#include "simt_shim/graph_types.h"

#include <cstddef>
#include <cstdint>

namespace simt {

/// A function of the API that the program calls, and the call's place in it.
struct ApiCall {
  const char* function;
  std::uintptr_t site;
};
/// In the body of such a function: this call of it.
#define SIMT_CALL (ApiCall{__func__, SIMT_SITE})

/// Copies a box, as cudaMemcpy3D has it, without the result being recorded as the last error; memory of CUDA arrays counts as the
/// device's. The stream is that of IntoStream.
cudaError_t copy_box(const cudaMemcpy3DParms& box, const ApiCall& call);
/// Whether it could be made; memory that a graph is yet to allocate counts as there.
cudaError_t check_box(const cudaMemcpy3DParms& box);

/// Makes the copy now, in a stream that records nothing; a null pointer as in issue_copy.
cudaError_t copy_now(const cudaStream_t* stream, const cudaMemcpy3DParms& box, const ApiCall& call);
/// Makes the copy now, or records it where the stream does that. A null pointer: now, in the legacy stream, and the host
/// waits.
cudaError_t issue_copy(const cudaStream_t* stream, const cudaMemcpy3DParms& box, const ApiCall& call);

/// Sets elements of 1, 2 or 4 bytes, row by row.
cudaError_t set_elements(const cudaMemsetParams& set, const ApiCall& call);
cudaError_t check_set(const cudaMemsetParams& set);
/// As issue_copy.
cudaError_t issue_set(const cudaStream_t* stream, const cudaMemsetParams& set, const ApiCall& call);

/// The copies of the API as boxes. Widths in bytes; those to and from symbols give an error where the symbol has no room.
cudaMemcpy3DParms linear_box(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t box_to_symbol(cudaMemcpy3DParms& box, const void* symbol, const void* from, std::size_t bytes,
                          std::size_t offset, cudaMemcpyKind kind);
cudaError_t box_from_symbol(cudaMemcpy3DParms& box, void* to, const void* symbol, std::size_t bytes,
                            std::size_t offset, cudaMemcpyKind kind);

/// Memory of the device as cudaMalloc gives it, and back; results are not recorded as the last error.
cudaError_t allocate_device(void** pointer, std::size_t bytes, std::uintptr_t site);
cudaError_t free_device(void* pointer, std::uintptr_t site);

/// Whether kernels may use these bytes, be they of the host and mapped.
bool is_on_the_device(const void* pointer, std::size_t bytes);

/// A string literal lies in device memory if a kernel uses it, and __FILE__ is one. Here it is a constant of the module: how many
/// bytes there are from `pointer` to its end; 0 if no constant is there.
std::size_t bytes_of_literal(const void* pointer);

} // namespace simt
