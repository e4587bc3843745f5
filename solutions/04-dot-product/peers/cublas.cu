// Peer: cuBLAS, cublasSdot and cublasDdot with the result on the device.
//
// The handle is made in the first call, and kept; it works on the default stream.

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace {

cublasHandle_t handle() {
  static const cublasHandle_t the_handle = [] {
    cublasHandle_t made = nullptr;
    cublasCreate(&made);
    cublasSetPointerMode(made, CUBLAS_POINTER_MODE_DEVICE);
    return made;
  }();
  return the_handle;
}

} // namespace

void dot_f32(float* result, const float* a, const float* b, std::size_t n) {
  cublasSdot_64(handle(), static_cast<std::int64_t>(n), a, 1, b, 1, result);
}

void dot_f64(double* result, const double* a, const double* b, std::size_t n) {
  cublasDdot_64(handle(), static_cast<std::int64_t>(n), a, 1, b, 1, result);
}
