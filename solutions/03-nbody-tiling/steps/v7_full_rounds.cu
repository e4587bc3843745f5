// Step 7: full rounds.
//
// Idea        a GPU works in rounds: as many blocks as it holds at once, then as many again. A last round that is half empty
//             costs as much as a full one. How full the rounds are depends on n, on the bodies that a thread works for and on the
//             shares that the tiles are split into; so the host computes the time for each grid it may launch, and takes
//             the best. Five bodies per thread save a few loads more than four, and the loop is shorter.
// Bottleneck  instruction issue. The inner loop has 13.3 instructions per pair, of which 13 are the pair's own, and the
//             schedulers issue in 88 of 100 cycles (Nsight Compute). The rest they wait for a pipeline: the 12 additions and
//             multiplications have to alternate between two of them, and the root uses a third for eight cycles.
// Counters    as step 6, with n / 1280 blocks where that pays.
// Beyond what the lab asks for.

#include <cuda_runtime.h>

#include <algorithm>
#include <limits>

namespace {

constexpr unsigned most_shares = 16;
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

// One block on a multiprocessor is enough (the second bound), so that the compiler may give a thread as many registers as it
// can use; without it five bodies per thread are squeezed into 63.
//
// Block (x, y) works for the x-th bodies of the grid, with the y-th share of the tiles. `acc` gets its sums at n * y.
template <unsigned threads_per_block, unsigned bodies_per_thread, unsigned unrolled>
__global__ void __launch_bounds__(threads_per_block, 1)
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
#pragma unroll unrolled
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

// Split into shares of `tiles` tiles each, the work of n bodies takes `time`, in a unit that is the same for every grid.
struct Plan {
  unsigned blocks, shares, tiles;
  double time;
};

// Blocks of one size, and how many issue slots a pair takes in their loop.
template <unsigned threads_per_block, unsigned bodies_per_thread, unsigned unrolled>
struct Shape {
  static constexpr auto kernel = accelerations_kernel<threads_per_block, bodies_per_thread, unrolled>;

  static Plan best_plan(unsigned n, double slots_a_pair) {
    int device = 0, multiprocessors = 1, on_each = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&on_each, kernel, threads_per_block, 0);
    const unsigned at_once = static_cast<unsigned>(multiprocessors * std::max(on_each, 1));
    const unsigned blocks = ceil_div(n, bodies_per_thread * threads_per_block);
    const unsigned tiles = ceil_div(n, threads_per_block);
    const auto most = static_cast<unsigned>(std::min<std::size_t>(room / n, std::min(tiles, most_shares)));
    Plan best{0, 0, 0, std::numeric_limits<double>::infinity()};
    for (unsigned wanted = 1; wanted <= std::max(most, 1U); ++wanted) {
      const unsigned in_a_share = ceil_div(tiles, wanted);
      const unsigned shares = ceil_div(tiles, in_a_share); // none is empty
      const double rounds = ceil_div(blocks * shares, at_once);
      const double pairs_a_thread = double{bodies_per_thread} * in_a_share * threads_per_block;
      const double time = rounds * on_each * threads_per_block * pairs_a_thread * slots_a_pair;
      if (time < best.time) best = {blocks, shares, in_a_share, time};
    }
    return best;
  }

  static void launch(float4* acc, const float4* bodies, unsigned n, float softening2, const Plan& plan) {
    float4* sums = acc;
    if (plan.shares > 1) cudaGetSymbolAddress(reinterpret_cast<void**>(&sums), partial);
    kernel<<<dim3(plan.blocks, plan.shares), threads_per_block>>>(sums, bodies, n, plan.tiles, softening2);
    if (plan.shares > 1) add_up_kernel<<<ceil_div(n, 256), 256>>>(acc, n, plan.shares);
  }
};

} // namespace

void accelerations(float4* acc, const float4* bodies, std::size_t n, float softening) {
  if (n == 0) return;
  const float softening2 = fmaxf(softening * softening, least_softening2);
  const auto count = static_cast<unsigned>(n);
  using One = Shape<128, 1, 16>;
  using Four = Shape<512, 4, 16>;
  using Five = Shape<256, 5, 8>;
  if (n < small) {
    One::launch(acc, bodies, count, softening2, One::best_plan(count, 1));
    return;
  }
  const Plan four = Four::best_plan(count, 15.2),
             five = Five::best_plan(count, 14.7); // slots: measured on an H200
  if (five.time < four.time)
    Five::launch(acc, bodies, count, softening2, five);
  else
    Four::launch(acc, bodies, count, softening2, four);
}
