// Step 1 of gather_strided: through shared memory, word beside word.
// fails: gather_strided reads shared memory without conflicts at every stride: bank-conflict-reading
//
// Idea        a block brings 64 records in as one row of neighbouring words, coalesced, and takes them out array by
//             array. It is in shared memory that lanes are `stride` words apart.
// Bottleneck  bank conflicts at even strides: with words of 4 bytes, gcd(stride, 32) lanes meet in a bank.
// Counters    4, 8 or 16 sectors per request on both sides; up to 32 wavefronts for a shared read request.
// Measured    H200, 4-byte words, stride 4, 16 and 32: 3,172, 2,484 and 1,530 GB/s.

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
  return j;
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
