// Step 8: each pair once.
// fails: accelerations reads each body from global memory once a block: no-tiles
// fails: accelerations gives each body of a tile to a whole warp at once: no-tiles
// fails: accelerations waits at most twice a tile: no-tiles
//
// Idea        the steps before compute every distance twice, once for either body, and 13 instructions per directed pair were
//             the wall. But bodies pull each other with equal forces (Newton's third law): one distance serves both directions,
//             17 instructions for two directed pairs instead of 26. To whom does the second pull go? Each lane of a warp has a
//             body. Another 32 bodies go round the lanes, each together with the sum of what it has met, by shuffles; after 32
//             steps each body is back, and so is its sum. A sum takes one atomic addition for 32 pairs, not one per pair.
//             From molecular dynamics: the tiles of 32 x 32 of OpenMM (Eastman and Pande, 2010).
// Bottleneck  shuffles: seven per step for x, y, z, mass and the sum, and a multiprocessor makes one per cycle, while its four
//             schedulers issue the other 17 instructions in little more than four cycles.
// Counters    7 shuffles per 32 pairs; no shared memory, no barriers; n^2 / 64 + n^2 / 1024 atomic additions.
// Beyond what the lab asks for.

#include <cuda_runtime.h>

namespace {

constexpr unsigned whole_warp = 0xffffffff;
constexpr unsigned lanes = 32;
constexpr unsigned distances_per_warp = 16;

// 1 / sqrt(x) in one instruction, to 2^-22.9; step 3 says why.
#ifdef __SIMT__ // the simulator runs no PTX
#define RECIPROCAL_ROOT(y, x) y = rsqrtf(x)
#else
#define RECIPROCAL_ROOT(y, x) asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x))
#endif

// Stands for softening 0: below what rounding notices at the least distance (2^-20), and large enough that at distance
// zero everything stays finite: 0 * finite is 0, and no test is needed.
constexpr float least_softening2 = 0x1p-66F;

// ---- a pair ----------------------------------------------------------------------------------------------

// Adds to `sum` what `other` does to `me`. Both are x, y, z and mass.
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

// The same, and adds to `others_sum` what `me` does to `other`: 17 instructions for two directed pairs instead of 26. Nine
// serve both: the differences, the squared distance, the root, and its third power.
__device__ __forceinline__ void add_both_pulls(float3& sum, float3& others_sum, const float4& me,
                                               const float4& other, float softening2) {
  const float dx = other.x - me.x;
  const float dy = other.y - me.y;
  const float dz = other.z - me.z;
  const float distance2 = fmaf(dz, dz, fmaf(dy, dy, fmaf(dx, dx, softening2)));
  float inverse;
  RECIPROCAL_ROOT(inverse, distance2);
  const float cube = (inverse * inverse) * inverse;
  const float pull = other.w * cube;
  sum.x = fmaf(pull, dx, sum.x);
  sum.y = fmaf(pull, dy, sum.y);
  sum.z = fmaf(pull, dz, sum.z);
  const float back = me.w * cube; // the other way
  others_sum.x = fmaf(-back, dx, others_sum.x);
  others_sum.y = fmaf(-back, dy, others_sum.y);
  others_sum.z = fmaf(-back, dz, others_sum.z);
}

// ---- the kernel ------------------------------------------------------------------------------------------

// Body i, or one that changes no sum.
__device__ __forceinline__ float4 fetch(const float4* bodies, unsigned i, unsigned n) {
  return i < n ? bodies[i] : make_float4(0, 0, 0, 0);
}

// The value of the next lane; the last lane gets the first one's.
__device__ __forceinline__ float from_next(float value) {
  return __shfl_sync(whole_warp, value, (threadIdx.x + 1) % lanes);
}

__device__ __forceinline__ void add_to(float4* acc, unsigned i, unsigned n, const float3& sum) {
  if (i >= n) return;
#if __CUDA_ARCH__ >= 900
  atomicAdd(acc + i, make_float4(sum.x, sum.y, sum.z, 0)); // each member by itself; one request
#else
  atomicAdd(&acc[i].x, sum.x);
  atomicAdd(&acc[i].y, sum.y);
  atomicAdd(&acc[i].z, sum.z);
#endif
}

// A block is one warp, and works for a tile of 32 bodies. The tiles stand in a circle: each meets itself and the tiles at distances
// 1 to tiles / 2 ahead of it; those behind meet it. With an even number of tiles two opposite ones would meet twice at the distance
// tiles / 2, so there only the first half of the tiles does. Block (x, y) has the distances from y * distances_per_warp on of
// tile x. `acc` is zero at first.
__global__ void __launch_bounds__(lanes)
    accelerations_kernel(float4* acc, const float4* bodies, unsigned n, float softening2) {
  const unsigned tiles = (n + lanes - 1) / lanes, tile = blockIdx.x;
  const unsigned furthest = tiles % 2 == 0 && tile >= tiles / 2 ? tiles / 2 - 1 : tiles / 2;
  const unsigned first = blockIdx.y * distances_per_warp;
  const unsigned i = tile * lanes + threadIdx.x;
  const float4 me = fetch(bodies, i, n);
  float3 sum = make_float3(0, 0, 0);
  for (unsigned distance = first; distance < first + distances_per_warp && distance <= furthest; ++distance) {
    const unsigned j = (tile + distance) % tiles * lanes + threadIdx.x;
    float4 other = fetch(bodies, j, n);
    float3 others_sum = make_float3(0, 0, 0);
#pragma unroll 8
    for (unsigned s = 0; s < lanes; ++s) {
      if (distance == 0) // the tile meets itself: each pair comes twice, once from either side
        add_pull(sum, me, other, softening2);
      else
        add_both_pulls(sum, others_sum, me, other, softening2);
      other = make_float4(from_next(other.x), from_next(other.y), from_next(other.z), from_next(other.w));
      others_sum = make_float3(from_next(others_sum.x), from_next(others_sum.y), from_next(others_sum.z));
    }
    if (distance != 0) add_to(acc, j, n, others_sum); // it is back at its own lane
  }
  add_to(acc, i, n, sum);
}

} // namespace

void accelerations(float4* acc, const float4* bodies, std::size_t n, float softening) {
  if (n == 0) return;
  const auto count = static_cast<unsigned>(n);
  const unsigned tiles = (count + lanes - 1) / lanes, distances = tiles / 2 + 1;
  cudaMemsetAsync(acc, 0, n * sizeof(float4));
  accelerations_kernel<<<dim3(tiles, (distances + distances_per_warp - 1) / distances_per_warp), lanes>>>(
      acc, bodies, count, fmaxf(softening * softening, least_softening2));
}
