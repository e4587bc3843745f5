#include "simt/runtime/api/errors.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/reset.hpp"
#include "simt/runtime/schedule/device_launch.hpp"

#include "simt/diagnostics/diagnose.hpp"

#include "cuda_runtime_api.h"

namespace simt {

namespace {

thread_local cudaError_t last = cudaSuccess; ///< each thread of the host has its own
cudaError_t sticky = cudaSuccess;
bool was_used = false;
const OnReset forget_errors([] { last = sticky = cudaSuccess; });

} // namespace

cudaError_t api_result(cudaError_t error) {
  was_used = true;
  if (sticky != cudaSuccess) return sticky;
  if (error != cudaSuccess) last = error;
  return error;
}

void set_sticky_error(cudaError_t error) {
  if (sticky == cudaSuccess) sticky = error;
}

cudaError_t sticky_error() { return sticky; }

bool runtime_was_used() { return was_used; }

ErrorsAside::ErrorsAside() : last_(last), was_used_(was_used) {}
ErrorsAside::~ErrorsAside() {
  last = last_;
  was_used = was_used_;
}

} // namespace simt

extern "C" cudaError_t cudaGetLastError(void) {
  const simt::HostCall turn;
  if (simt::machine.lane) return simt::device_last_error(true);
  simt::note_error_query(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
  if (simt::sticky != cudaSuccess) return simt::sticky;
  cudaError_t error = simt::last;
  simt::last = cudaSuccess;
  return error;
}

extern "C" cudaError_t cudaPeekAtLastError(void) {
  const simt::HostCall turn;
  if (simt::machine.lane) return simt::device_last_error(false);
  simt::note_error_query(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
  return simt::sticky != cudaSuccess ? simt::sticky : simt::last;
}

extern "C" const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define SIMT_ERROR(name, value, sentence)                                                                    \
  case name:                                                                                                 \
    return #name;
#include "simt_shim/error_codes.inc"
#undef SIMT_ERROR
  }
  return "unrecognized error code";
}

extern "C" const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define SIMT_ERROR(name, value, sentence)                                                                    \
  case name:                                                                                                 \
    return sentence;
#include "simt_shim/error_codes.inc"
#undef SIMT_ERROR
  }
  return "unrecognized error code";
}
