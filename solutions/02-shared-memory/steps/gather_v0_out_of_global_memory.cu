// Step 0 of gather_strided: straight from record to array.
// fails: gather_strided is coalesced on both sides of shared memory: uncoalesced
// fails: gather_strided reads shared memory without conflicts at every stride: shared-memory-not-used
// fails: gather_strided writes shared memory without conflicts at every stride: shared-memory-not-used
//
// Idea        a thread for a record: it reads its words one after the other, each into its array.
// Bottleneck  sectors: the lanes are a record apart. A cache may keep the rest of a sector until the next word is
//             asked for, if 32 records of every warp fit.
// Counters    up to 32 sectors per read request; 4, 8 or 16 per write request.
// Measured    H200, 4-byte words, stride 4, 16 and 32: 4,106, 3,483 and 1,765 GB/s.

#include <cuda_runtime.h>

namespace {

std::size_t pieces(std::size_t n, std::size_t size) { return (n + size - 1) / size; }

} // namespace

namespace {

constexpr unsigned threads_per_block = 256;

// One thread for one record.
template <typename T>
__global__ void gather_kernel(T* out, const T* in, std::size_t n, std::size_t stride) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (std::size_t k = 0; k < stride; ++k) out[k * n + i] = in[i * stride + k];
}

template <typename T>
void gather_strided(T* out, const T* in, std::size_t n, std::size_t stride) {
  if (n == 0) return;
  gather_kernel<T><<<pieces(n, threads_per_block), threads_per_block>>>(out, in, n, stride);
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
