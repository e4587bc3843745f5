// Step 4: four bodies per thread.
//
// Idea        each body that is read from shared memory serves four bodies of the thread, which wait in registers: a quarter of
//             the shared loads, and four independent pairs to work on while a root is under way.
// Bottleneck  no unit is full: in some cycles an instruction cannot be issued (Nsight Compute: dispatch stall), see step 5.
//             At small n the grid: four times fewer threads.
// Counters    a quarter of step 1's shared load requests and global loads; 2 barriers per tile.

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

// Adds to `sum` what `other` does to `me`: 13 instructions. Both are x, y, z and mass.
__device__ __forceinline__ void add_pull(float3& sum, const float4& me, const float4& other,
                                         float softening2) {
  const float dx = other.x - me.x;
  const float dy = other.y - me.y;
  const float dz = other.z - me.z;
  const float distance2 = fmaf(dz, dz, fmaf(dy, dy, fmaf(dx, dx, softening2)));
  float inverse;
  RECIPROCAL_ROOT(inverse, distance2);
  const float pull = (other.w * inverse) * (inverse * inverse);
  sum.x = fmaf(pull, dx, sum.x);
  sum.y = fmaf(pull, dy, sum.y);
  sum.z = fmaf(pull, dz, sum.z);
}

// The 1 asks for one block per multiprocessor at least, so the compiler may use as many registers as that leaves.
__global__ void __launch_bounds__(threads_per_block, 1)
    accelerations_kernel(float4* acc, const float4* bodies, std::size_t n, float softening2) {
  __shared__ float4 tile[threads_per_block];
  const std::size_t own = std::size_t{blockIdx.x} * bodies_per_block +
                          threadIdx.x; // the first; the next one is a block's width on
  float4 me[bodies_per_thread];
  float3 sum[bodies_per_thread];
#pragma unroll
  for (unsigned b = 0; b < bodies_per_thread; ++b) {
    const std::size_t i = own + b * threads_per_block;
    me[b] = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
    sum[b] = make_float3(0, 0, 0);
  }
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads(); // the whole tile is there
#pragma unroll 8
    for (unsigned k = 0; k < threads_per_block; ++k) {
      const float4 other = tile[k];
#pragma unroll
      for (unsigned b = 0; b < bodies_per_thread; ++b) add_pull(sum[b], me[b], other, softening2);
    }
    __syncthreads(); // no thread reads it any more
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
