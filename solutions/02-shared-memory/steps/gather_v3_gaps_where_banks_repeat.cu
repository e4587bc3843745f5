// Step 3 of gather_strided: a gap where the banks repeat.
//
// Idea        lanes `stride` words apart come back to the first lane's bank after lcm(stride, 32) words, and not
//             earlier. One free word there moves the following lanes on by one bank. It is a multiple of 32, so no gap
//             comes between the lanes of a request that brings neighbours. Words of 8 or 16 bytes are served to 16
//             or 8 lanes at a time: the same with these numbers.
// Bottleneck  memory bandwidth.
// Counters    wavefronts at their ideal, in both directions, at every stride.
// Measured    H200, 4-byte words, stride 4, 16 and 32: 2,655, 3,057 and 2,658 GB/s.

#include <cuda_runtime.h>

namespace {

std::size_t pieces(std::size_t n, std::size_t size) { return (n + size - 1) / size; }

} // namespace

namespace {

constexpr unsigned records_per_block = 64;

// In which place of the buffer element j lies, below. It grows with j: the last element ends the buffer.
template <typename T>
__host__ __device__ unsigned place(unsigned j, unsigned stride);

// One block for 64 records, which are 64 * stride neighbouring elements of `in`.
template <typename T>
__global__ void gather_kernel(T* out, const T* in, std::size_t n, unsigned stride) {
  extern __shared__ float4 gather_buffer[];
  T* const kept = reinterpret_cast<T*>(gather_buffer);
  const std::size_t first = std::size_t{blockIdx.x} * records_per_block; // record
  const unsigned records = n - first < records_per_block ? n - first : records_per_block;
  for (unsigned j = threadIdx.x; j < records * stride; j += blockDim.x)
    kept[place<T>(j, stride)] = in[first * stride + j];
  __syncthreads();
  if (threadIdx.x >= records) return;
  for (unsigned k = 0; k < stride; ++k)
    out[k * n + first + threadIdx.x] = kept[place<T>(threadIdx.x * stride + k, stride)];
}

// Words of the buffer are 4, 8 or 16 bytes, as T.
template <typename T>
__host__ __device__ unsigned place(unsigned j, unsigned stride) {
  constexpr unsigned together = 128 / sizeof(T); // words in all banks: so many lanes are served at once
  const unsigned power = stride & (~stride + 1); // the largest power of two that divides stride
  const unsigned common = power < together ? power : together;
  const unsigned apart = stride / common * together; // least common multiple of the two
  return j + j / apart; // every `apart` elements the banks repeat: move on by one
}

template <typename T>
void gather_strided(T* out, const T* in, std::size_t n, std::size_t stride) {
  if (n == 0) return;
  const auto words = static_cast<unsigned>(stride);
  const std::size_t bytes = (place<T>(records_per_block * words - 1, words) + 1) * sizeof(T);
  gather_kernel<T><<<pieces(n, records_per_block), records_per_block, bytes>>>(out, in, n, words);
}

} // namespace

void gather_strided_f32(float* out, const float* in, std::size_t n, std::size_t stride) {
  gather_strided(out, in, n, stride);
}

void gather_strided_f64(double* out, const double* in, std::size_t n, std::size_t stride) {
  gather_strided(out, in, n, stride);
}

void gather_strided_f32x4(Four* out, const Four* in, std::size_t n, std::size_t stride) {
  gather_strided(reinterpret_cast<float4*>(out), reinterpret_cast<const float4*>(in), n, stride);
}
