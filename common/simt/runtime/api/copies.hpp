// What functions of the API that copy share.
#pragma once

#include "simt/runtime/machine/call_site.hpp"

#include "driver_types.h"

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

/// cudaMemcpy without its result being recorded as the last error; memory of CUDA arrays counts as the device's.
cudaError_t copy_memory(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                        const ApiCall& call);

/// `height` rows of `width` bytes, each by copy_memory; the first bytes of the rows lie `to_pitch` and `from_pitch` bytes apart.
cudaError_t copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                      std::size_t width, std::size_t height, cudaMemcpyKind kind, const ApiCall& call);

/// Whether kernels may use these bytes, be they of the host and mapped.
bool is_on_the_device(const void* pointer, std::size_t bytes);

} // namespace simt
