// What the functions of the driver API share: a result of theirs instead of one of the runtime API, and the state that they need.
#pragma once

#include "simt/runtime/api/errors.hpp"

#include "cuda.h"

namespace simt {

/// The same as a code of the driver API.
CUresult as_driver_result(cudaError_t error);

/// Why no function can be called now: cuInit was not, or no context is current to the thread.
CUresult missing_state(bool needs_context);

/// What `call` gives, which may call the runtime API: its last error is as it was before, because the driver API has none.
template <class Call>
CUresult driver_call(const Call& call, bool needs_context = true) {
  if (const CUresult missing = missing_state(needs_context); missing != CUDA_SUCCESS) return missing;
  const ErrorsAside aside;
  return as_driver_result(call());
}

inline void* to_pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }
inline CUdeviceptr address_of_pointer(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

} // namespace simt
