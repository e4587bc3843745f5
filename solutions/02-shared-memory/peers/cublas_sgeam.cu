// Peer of transpose: cublasSgeam.
//
// Idea        the library's matrix addition, 1 * transposed + 0 * nothing. cuBLAS counts columns first: our row-major
//             matrix of rows x cols is its matrix of cols x rows.

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace {

void require(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string("cuBLAS: ") + cublasGetStatusString(status));
}

cublasHandle_t handle() {
  static const cublasHandle_t the_handle = [] {
    cublasHandle_t created = nullptr;
    require(cublasCreate(&created));
    return created;
  }();
  return the_handle;
}

} // namespace

void transpose(float* out, const float* in, std::size_t rows, std::size_t cols) {
  if (rows == 0 || cols == 0) return;
  const float one = 1, zero = 0;
  const int m = static_cast<int>(rows), n = static_cast<int>(cols);
  require(cublasSgeam(handle(), CUBLAS_OP_T, CUBLAS_OP_N, m, n, &one, in, n, &zero, nullptr, m, out, m));
}
