// Step 6: the tiles split over several blocks.
//
// Idea        at small n there are fewer blocks than multiprocessors, and at any n the last round of blocks leaves some of them
//             idle. So several blocks work for the same bodies, each with a share of the tiles; a second kernel adds their sums up in
//             a fixed order. Small systems also get one body per thread instead of four.
// Bottleneck  below 4,096 bodies the two launches; above, as step 5.
// Counters    as step 5; besides n loads and stores of partial sums for each share.

#include <cuda_runtime.h>

#include <algorithm>

namespace {

constexpr unsigned blocks_per_multiprocessor =
    4; // that we should like to have: then a last, half empty round costs little
constexpr unsigned most_shares = 8;
constexpr std::size_t room = std::size_t{1} << 21; // partial sums; without room there is one share
constexpr unsigned small = 1 << 16;                // bodies, below which a thread works for one

__device__ float4 partial[room];

unsigned ceil_div(unsigned a, unsigned b) { return (a + b - 1) / b; }

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

// Block (x, y) works for the x-th bodies of the grid, with the y-th share of the tiles. `acc` gets its sums at n * y.
template <unsigned threads_per_block, unsigned bodies_per_thread>
__global__ void __launch_bounds__(threads_per_block)
    accelerations_kernel(float4* acc, const float4* bodies, unsigned n, unsigned tiles_per_share,
                         float softening2) {
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
  const unsigned begin = blockIdx.y * tiles_per_share * threads_per_block;
  const unsigned end = min(n, begin + tiles_per_share * threads_per_block);
  float4 next = fetch(bodies, begin + threadIdx.x, end);
  unsigned buffer = 0;
  for (unsigned first = begin; first < end; first += threads_per_block) {
    tile[buffer][threadIdx.x] = next;
    __syncthreads(); // this tile is there, and all are done with the one before
    next = fetch(bodies, first + threads_per_block + threadIdx.x, end);
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
    const unsigned i = own + b * threads_per_block;
    if (i < n) acc[std::size_t{n} * blockIdx.y + i] = make_float4(sum[b].x, sum[b].y, sum[b].z, 0);
  }
}

__global__ void add_up_kernel(float4* acc, unsigned n, unsigned shares) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float3 sum = make_float3(0, 0, 0);
  for (unsigned share = 0; share < shares; ++share) {
    const float4 part = partial[std::size_t{n} * share + i];
    sum.x += part.x;
    sum.y += part.y;
    sum.z += part.z;
  }
  acc[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

template <unsigned threads_per_block, unsigned bodies_per_thread>
void launch(float4* acc, const float4* bodies, unsigned n, float softening2) {
  int device = 0, multiprocessors = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  const unsigned blocks = ceil_div(n, bodies_per_thread * threads_per_block);
  const unsigned tiles = ceil_div(n, threads_per_block);
  const unsigned wanted =
      ceil_div(blocks_per_multiprocessor * static_cast<unsigned>(multiprocessors), blocks);
  const unsigned most = static_cast<unsigned>(std::min<std::size_t>(room / n, std::min(tiles, most_shares)));
  const unsigned tiles_per_share = ceil_div(tiles, std::clamp(wanted, 1U, std::max(most, 1U)));
  const unsigned shares = ceil_div(tiles, tiles_per_share); // none is empty
  float4* sums = acc;
  if (shares > 1) cudaGetSymbolAddress(reinterpret_cast<void**>(&sums), partial);
  accelerations_kernel<threads_per_block, bodies_per_thread>
      <<<dim3(blocks, shares), threads_per_block>>>(sums, bodies, n, tiles_per_share, softening2);
  if (shares > 1) add_up_kernel<<<ceil_div(n, 256), 256>>>(acc, n, shares);
}

} // namespace

void accelerations(float4* acc, const float4* bodies, std::size_t n, float softening) {
  if (n == 0) return;
  const float softening2 = fmaxf(softening * softening, least_softening2);
  const auto count = static_cast<unsigned>(n);
  if (n < small)
    launch<128, 1>(acc, bodies, count, softening2);
  else
    launch<512, 4>(acc, bodies, count, softening2);
}
