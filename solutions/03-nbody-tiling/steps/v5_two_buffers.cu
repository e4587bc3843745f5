// Step 5: two buffers, one barrier; the mass first.
//
// Idea        while a tile is worked through, each thread already has its body of the next one under way, and writes it into the other
//             buffer: no waiting for global memory, and one barrier per tile. The tile holds mass, x, y, z instead of
//             x, y, z, mass, which changes nothing but the registers that the numbers come into.
// Bottleneck  the 13 instructions, and what is left of the stalls.
// Counters    as step 4; 1 barrier per tile.

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256; // and bodies in a tile
constexpr unsigned bodies_per_thread = 4;
constexpr unsigned bodies_per_block = threads_per_block * bodies_per_thread;

unsigned blocks_for(std::size_t n) {
  return static_cast<unsigned>((n + bodies_per_block - 1) / bodies_per_block);
}

// 1 / sqrt(x) in one instruction, to 2^-22.9. rsqrtf() is the same instruction between four more that rescale
// denormal x, which our distances never are; __frsqrt_rn(), the correctly rounded one, takes some fifteen.
#ifdef __SIMT__ // the simulator runs no PTX
#define RECIPROCAL_ROOT(y, x) y = rsqrtf(x)
#else
#define RECIPROCAL_ROOT(y, x) asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x))
#endif

// Stands for softening 0: below what rounding notices at the least distance (2^-20), and large enough that at distance
// zero everything stays finite: 0 * finite is 0, and no test is needed.
constexpr float least_softening2 = 0x1p-66F;

// Adds to `sum` what `other` does to `me`: 13 instructions. `me` is x, y, z and mass; `other` is mass, x, y, z, as it lies in
// the tile.
__device__ __forceinline__ void add_pull(float3& sum, const float4& me, const float4& other,
                                         float softening2) {
  const float dx = other.y - me.x;
  const float dy = other.z - me.y;
  const float dz = other.w - me.z;
  const float distance2 = fmaf(dz, dz, fmaf(dy, dy, fmaf(dx, dx, softening2)));
  float inverse;
  RECIPROCAL_ROOT(inverse, distance2);
  const float pull = (other.x * inverse) * (inverse * inverse);
  sum.x = fmaf(pull, dx, sum.x);
  sum.y = fmaf(pull, dy, sum.y);
  sum.z = fmaf(pull, dz, sum.z);
}

// Body i with its mass first, or one that changes no sum. With the mass last a pair takes 0.9 issue slots more (measured). The
// likely reason: a vector of four comes into four registers in a row that begin at a multiple of four, so x of a body and x of
// its partner would lie in the same register bank, and a difference of two from one bank takes two turns.
__device__ float4 fetch(const float4* bodies, std::size_t i, std::size_t n) {
  const float4 body = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  return make_float4(body.w, body.x, body.y, body.z);
}

__global__ void __launch_bounds__(threads_per_block)
    accelerations_kernel(float4* acc, const float4* bodies, std::size_t n, float softening2) {
  __shared__ float4 tile[2][threads_per_block];
  const std::size_t own = std::size_t{blockIdx.x} * bodies_per_block + threadIdx.x;
  float4 me[bodies_per_thread];
  float3 sum[bodies_per_thread];
#pragma unroll
  for (unsigned b = 0; b < bodies_per_thread; ++b) {
    const std::size_t i = own + b * threads_per_block;
    me[b] = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
    sum[b] = make_float3(0, 0, 0);
  }
  float4 next = fetch(bodies, threadIdx.x, n);
  unsigned buffer = 0;
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    tile[buffer][threadIdx.x] = next;
    __syncthreads(); // this tile is there; and all are done with the one before, so its buffer may be overwritten
    next = fetch(bodies, first + threads_per_block + threadIdx.x, n);
#pragma unroll 16
    for (unsigned k = 0; k < threads_per_block; ++k) {
      const float4 other = tile[buffer][k];
#pragma unroll
      for (unsigned b = 0; b < bodies_per_thread; ++b) add_pull(sum[b], me[b], other, softening2);
    }
    buffer ^= 1;
  }
#pragma unroll
  for (unsigned b = 0; b < bodies_per_thread; ++b) {
    const std::size_t i = own + b * threads_per_block;
    if (i < n) acc[i] = make_float4(sum[b].x, sum[b].y, sum[b].z, 0);
  }
}

} // namespace

void accelerations(float4* acc, const float4* bodies, std::size_t n, float softening) {
  if (n == 0) return;
  accelerations_kernel<<<blocks_for(n), threads_per_block>>>(acc, bodies, n,
                                                             fmaxf(softening * softening, least_softening2));
}
