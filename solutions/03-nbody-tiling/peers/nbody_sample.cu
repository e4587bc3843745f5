// Peer: the loop of NVIDIA's sample nbody.
//
// Source      github.com/NVIDIA/cuda-samples, Samples/5_Domain_Specific/nbody, after chapter 31 of GPU Gems 3 (Nyland, Harris and
//             Prins 2007). This file is our own, after what they describe.
// Idea        a thread has one body, a block of 256 threads a tile of 256 bodies in shared memory, with a barrier before and one
//             after its use. A pair takes 20 operations as they are counted there: rsqrtf, and its third power. The inner loop is
//             unrolled 128 times.
// Changed     the sample moves the bodies in the same kernel, and wants a softening and whole tiles. Here the accelerations
//             are the result, bodies without mass fill the last tile, and a tiny softening stands for none.

#include <cuda_runtime.h>

namespace {

constexpr unsigned bodies_per_tile = 256; // and threads in a block

// Below what rounding notices at the least distance (2^-20); a body at distance zero adds 0 * finite.
constexpr float least_softening2 = 0x1p-66F;

__device__ float3 with_pull(float3 sum, const float4& me, const float4& other, float softening2) {
  const float dx = other.x - me.x;
  const float dy = other.y - me.y;
  const float dz = other.z - me.z;
  const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening2);
  // The order keeps the product finite where two bodies are at one place.
  const float pull = other.w * (inverse * inverse * inverse);
  return make_float3(sum.x + dx * pull, sum.y + dy * pull, sum.z + dz * pull);
}

__global__ void accelerations_kernel(float4* acc, const float4* bodies, std::size_t n, float softening2) {
  __shared__ float4 tile[bodies_per_tile];
  const std::size_t own = std::size_t{blockIdx.x} * bodies_per_tile + threadIdx.x;
  const float4 empty = make_float4(0, 0, 0, 0);
  const float4 me = own < n ? bodies[own] : empty;
  float3 sum = make_float3(0, 0, 0);
  for (std::size_t first = 0; first < n; first += bodies_per_tile) {
    const std::size_t fetched = first + threadIdx.x;
    tile[threadIdx.x] = fetched < n ? bodies[fetched] : empty;
    __syncthreads();
#pragma unroll 128
    for (unsigned k = 0; k < bodies_per_tile; ++k) sum = with_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  if (own < n) acc[own] = make_float4(sum.x, sum.y, sum.z, 0);
}

} // namespace

void accelerations(float4* acc, const float4* bodies, std::size_t n, float softening) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + bodies_per_tile - 1) / bodies_per_tile);
  accelerations_kernel<<<blocks, bodies_per_tile>>>(acc, bodies, n,
                                                    fmaxf(softening * softening, least_softening2));
}
