// The C++ library of kernels, from NVIDIA's own headers: tuples, arrays, spans, optional and variant values, complex
// numbers, limits, functions and durations, in code that host and device share.
#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/chrono>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda/std/variant>

#include <cmath>
#include <cstdio>
#include <cstdlib>

using complex = cuda::std::complex<float>;
using statistics = cuda::std::tuple<float, float, int>; // least, largest, count

template <class T>
__host__ __device__ cuda::std::enable_if_t<cuda::std::is_floating_point<T>::value, cuda::std::optional<T>>
root_of(T x) {
  if (x < 0) return cuda::std::nullopt;
  return cuda::std::sqrt(x);
}

__host__ __device__ statistics statistics_of(cuda::std::span<const float> values) {
  statistics result{cuda::std::numeric_limits<float>::max(), cuda::std::numeric_limits<float>::lowest(), 0};
  auto& [least, largest, count] = result;
  for (float value : values) {
    least = value < least ? value : least;
    largest = value > largest ? value : largest;
    ++count;
  }
  return result;
}

__host__ __device__ float polynomial(float x) {
  const cuda::std::array<float, 4> coefficients{1.0f, -2.0f, 0.5f, 3.0f};
  return cuda::std::accumulate(coefficients.rbegin(), coefficients.rend(), 0.0f,
                               [x](float sum, float c) { return sum * x + c; });
}

__global__ void describe_rows(cuda::std::span<const float> matrix, int columns, statistics* rows) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row * columns < matrix.size()) rows[row] = statistics_of(matrix.subspan(row * columns, columns));
}

__global__ void rotate(complex* points, int n, complex by,
                       cuda::atomic<int, cuda::thread_scope_device>* far) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  points[i] = points[i] * by + complex(0, 1);
  if (cuda::std::norm(points[i]) > 100.0f) far->fetch_add(1, cuda::std::memory_order_relaxed);
}

__global__ void roots_and_variants(float* out, int n) {
  const int i = static_cast<int>(threadIdx.x);
  if (i >= n) return;
  cuda::std::variant<int, float> value;
  if (i % 2 == 0)
    value = i;
  else
    value = 0.5f * static_cast<float>(i);
  const float x = cuda::std::visit([](auto v) { return static_cast<float>(v); }, value) - 4.0f;
  out[i] = root_of(x).value_or(-1.0f) + polynomial(x);
}

int main() {
  using namespace cuda::std::chrono_literals;
  const int columns = 20, rows = 50, n = columns * rows;
  float *matrix, *out;
  statistics* found;
  complex* points;
  cuda::atomic<int, cuda::thread_scope_device>* far;
  cudaMallocManaged(&matrix, n * sizeof(float));
  cudaMallocManaged(&out, 32 * sizeof(float));
  cudaMallocManaged(&found, rows * sizeof(statistics));
  cudaMallocManaged(&points, n * sizeof(complex));
  cudaMallocManaged(&far, sizeof *far);
  new (far) cuda::atomic<int, cuda::thread_scope_device>(0);
  for (int i = 0; i < n; ++i) {
    matrix[i] = static_cast<float>(i * 37 % 101) - 50.0f;
    points[i] = complex(matrix[i], 1.0f);
  }
  describe_rows<<<1, 64>>>(cuda::std::span<const float>(matrix, n), columns, found);
  rotate<<<4, 256>>>(points, n, complex(0.6f, 0.8f), far);
  roots_and_variants<<<1, 32>>>(out, 32);
  int wrong = cudaDeviceSynchronize() != cudaSuccess;
  for (int row = 0; row < rows; ++row)
    wrong += found[row] != statistics_of(cuda::std::span<const float>(matrix + row * columns, columns));
  int expected_far = 0;
  for (int i = 0; i < n; ++i) {
    const float x = 0.6f * matrix[i] - 0.8f, y = 0.8f * matrix[i] + 0.6f + 1.0f;
    wrong += std::fabs(points[i].real() - x) > 1e-4f || std::fabs(points[i].imag() - y) > 1e-4f;
    expected_far += cuda::std::norm(points[i]) > 100.0f;
  }
  wrong += far->load() != expected_far;
  for (int i = 0; i < 32; ++i) {
    const float x = (i % 2 == 0 ? static_cast<float>(i) : 0.5f * static_cast<float>(i)) - 4.0f;
    const float expected = (x < 0 ? -1.0f : std::sqrt(x)) + polynomial(x);
    wrong += std::fabs(out[i] - expected) > 1e-3f * std::fabs(expected);
  }
  wrong += cuda::std::chrono::duration_cast<cuda::std::chrono::microseconds>(3ms).count() != 3000;
  std::printf("%d points are far away, row 3 goes from %g to %g\n", far->load(), cuda::std::get<0>(found[3]),
              cuda::std::get<1>(found[3]));
  cudaFree(matrix);
  cudaFree(out);
  cudaFree(found);
  cudaFree(points);
  cudaFree(far);
  std::printf("%s\n", wrong == 0 ? "PASSED" : "FAILED");
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
