// For the bench: step 5 with any tile and any number of bodies per thread.
//
// Idea        how large should a tile be, and how many bodies should a thread have? One kernel for every pair of the two, and the
//             bench tries them all.
// Bottleneck  few bodies per thread: shared loads. Many: registers, and so few warps that waiting shows.
// Counters    n / (tile * bodies_per_thread) global loads per body; 1 barrier per tile.

#include <cuda_runtime.h>

namespace {

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

// As step 5, for any tile and any number of bodies per thread.
template <unsigned threads_per_block, unsigned bodies_per_thread>
__global__ void __launch_bounds__(threads_per_block)
    accelerations_kernel(float4* acc, const float4* bodies, unsigned n, float softening2) {
  __shared__ float4 tile[2][threads_per_block];
  const unsigned own = blockIdx.x * bodies_per_thread * threads_per_block + threadIdx.x;
  float4 me[bodies_per_thread];
  float3 sum[bodies_per_thread];
#pragma unroll
  for (unsigned b = 0; b < bodies_per_thread; ++b) {
    const unsigned i = own + b * threads_per_block;
    me[b] = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
    sum[b] = make_float3(0, 0, 0);
  }
  float4 next = fetch(bodies, threadIdx.x, n);
  unsigned buffer = 0;
  for (unsigned first = 0; first < n; first += threads_per_block) {
    tile[buffer][threadIdx.x] = next;
    __syncthreads(); // this tile is there, and all are done with the one before
    next = fetch(bodies, first + threads_per_block + threadIdx.x, n);
#pragma unroll 64 / bodies_per_thread
    for (unsigned k = 0; k < threads_per_block; ++k) {
      const float4 other = tile[buffer][k];
#pragma unroll
      for (unsigned b = 0; b < bodies_per_thread; ++b) add_pull(sum[b], me[b], other, softening2);
    }
    buffer ^= 1;
  }
#pragma unroll
  for (unsigned b = 0; b < bodies_per_thread; ++b) {
    const unsigned i = own + b * threads_per_block;
    if (i < n) acc[i] = make_float4(sum[b].x, sum[b].y, sum[b].z, 0);
  }
}

template <unsigned tile, unsigned bodies_per_thread>
void launch(float4* acc, const float4* bodies, unsigned n, float softening2) {
  const unsigned blocks = (n + tile * bodies_per_thread - 1) / (tile * bodies_per_thread);
  accelerations_kernel<tile, bodies_per_thread><<<blocks, tile>>>(acc, bodies, n, softening2);
}

template <unsigned tile>
void launch(float4* acc, const float4* bodies, unsigned n, float softening2, int bodies_per_thread) {
  if (bodies_per_thread == 1) launch<tile, 1>(acc, bodies, n, softening2);
  if (bodies_per_thread == 2) launch<tile, 2>(acc, bodies, n, softening2);
  if (bodies_per_thread == 4) launch<tile, 4>(acc, bodies, n, softening2);
  if (bodies_per_thread == 8) launch<tile, 8>(acc, bodies, n, softening2);
}

} // namespace

void accelerations_tuned(float4* acc, const float4* bodies, std::size_t n, float softening, int tile,
                         int bodies_per_thread) {
  if (n == 0) return;
  const float softening2 = fmaxf(softening * softening, least_softening2);
  const auto count = static_cast<unsigned>(n);
  if (tile == 64) launch<64>(acc, bodies, count, softening2, bodies_per_thread);
  if (tile == 128) launch<128>(acc, bodies, count, softening2, bodies_per_thread);
  if (tile == 256) launch<256>(acc, bodies, count, softening2, bodies_per_thread);
  if (tile == 512) launch<512>(acc, bodies, count, softening2, bodies_per_thread);
}
