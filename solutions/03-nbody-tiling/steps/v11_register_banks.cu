// Step 11: fewer operands wait for a register bank.
// fails: accelerations gives each body of a tile to a whole warp at once: no-broadcast
// fails: accelerations waits at most twice a tile: no-barrier
//
// Idea        the schedulers issue in 82% of all cycles in step 10, and yet almost always have a warp that is ready: instructions
//             wait for operands. A scheduler's registers lie in two banks, the even and the odd ones, and each bank gives one
//             operand for 32 lanes per cycle. 17 instructions read 42 registers per two directed pairs; what the next instruction of
//             the warp reads again (`.reuse` in SASS) saves some, and 35 are left: 17.7 cycles if every cycle read from both banks.
//             It does not. 168 registers per thread leave the compiler room to put operands into different banks and instructions
//             with a common operand side by side; a body's members are loaded one by one, because a load of 16 bytes takes
//             four registers in a row and so fixes their banks. Three warps per scheduler are enough for that.
// Bottleneck  the register banks: 20.9 cycles per two directed pairs (measured before sums were cut at 8,192 pulls), where the
//             instructions take 17.7 issue slots and, evenly spread over both banks, the operands 17.2 cycles. Without its roots and
//             shuffles the loop of step 10 is only 5% faster.
// Counters    n^2 / 576 shared load requests of a whole warp's 32 bodies each; no barriers; n^2 / 576 atomic additions to bodies
//             that come by, and n^2 / 16,384 + n to a lane's own.
// Beyond what the lab asks for.

#include <cuda_runtime.h>

#include <algorithm>

namespace {

constexpr unsigned whole_warp = 0xffffffff;
constexpr unsigned lanes = 32;
constexpr unsigned threads_per_block = 384;
constexpr unsigned warps_per_block = threads_per_block / lanes;
constexpr unsigned blocks_per_multiprocessor = 1; // so that a thread may use 168 registers
constexpr unsigned bodies_per_lane = 9;
constexpr unsigned bodies_per_row = bodies_per_lane * lanes;
constexpr unsigned units_per_sum = 256; // a sum of more than 8,192 pulls rounds too coarsely

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

// Adds to `sum` what `other` does to `me`. Both are mass, x, y, z, as they lie in the tile.
__device__ __forceinline__ void add_pull(float3& sum, const float4& me, const float4& other,
                                         float softening2) {
  const float dx = other.y - me.y;
  const float dy = other.z - me.z;
  const float dz = other.w - me.w;
  const float distance2 = fmaf(dz, dz, fmaf(dy, dy, fmaf(dx, dx, softening2)));
  float inverse;
  RECIPROCAL_ROOT(inverse, distance2);
  const float pull = (other.x * inverse) * (inverse * inverse);
  sum.x = fmaf(pull, dx, sum.x);
  sum.y = fmaf(pull, dy, sum.y);
  sum.z = fmaf(pull, dz, sum.z);
}

// The same, and adds to `others_sum` what `me` does to `other`: 17 instructions for two directed pairs instead of 26. Nine
// serve both: the differences, the squared distance, the root, and its third power.
__device__ __forceinline__ void add_both_pulls(float3& sum, float3& others_sum, const float4& me,
                                               const float4& other, float softening2) {
  const float dx = other.y - me.y;
  const float dy = other.z - me.z;
  const float dz = other.w - me.w;
  const float distance2 = fmaf(dz, dz, fmaf(dy, dy, fmaf(dx, dx, softening2)));
  float inverse;
  RECIPROCAL_ROOT(inverse, distance2);
  const float cube = (inverse * inverse) * inverse;
  const float pull = other.x * cube;
  const float back = me.x * cube; // the other way
  others_sum.x = fmaf(-back, dx, others_sum.x);
  others_sum.y = fmaf(-back, dy, others_sum.y);
  others_sum.z = fmaf(-back, dz, others_sum.z);
  sum.x = fmaf(pull, dx, sum.x);
  sum.y = fmaf(pull, dy, sum.y);
  sum.z = fmaf(pull, dz, sum.z);
}

// ---- which pairs: the circle and the line ----------------------------------------------------------------

// The bodies stand in rows of 288, and the rows in a circle. Each row meets itself and the rows at distances 1 to rows / 2 ahead
// of it; those behind meet it. With an even number of rows two opposite rows would meet twice at the distance
// rows / 2, so there only the first half of the rows does.
//
// A row meets another 32 bodies at a time, which is a unit of work. All units lie in a line, the first row's first, and
// each warp has an equal piece of the line: as many warps as the GPU holds at once, and none waits for a last round.
class Line {
public:
  __host__ __device__ Line(unsigned rows, unsigned most_warps)
      : rows_(rows), fewer_(units_at(rows / 2 + rows % 2)), more_(units_at(rows / 2 + 1)),
        rows_with_more_(rows % 2 == 0 ? rows / 2 : 0), units_with_more_(std::size_t{rows_with_more_} * more_),
        units_(units_with_more_ + std::size_t{rows - rows_with_more_} * fewer_),
        warps_(units_ < most_warps ? unsigned(units_) : most_warps) {}

  __host__ __device__ unsigned warps() const { return warps_; }
  __device__ std::size_t begin_of_piece(unsigned warp) const { return units_ * warp / warps_; }
  __device__ unsigned row_of(std::size_t unit) const {
    return unit < units_with_more_ ? unsigned(unit / more_)
                                   : rows_with_more_ + unsigned((unit - units_with_more_) / fewer_);
  }
  __device__ std::size_t begin_of_row(unsigned row) const {
    return row < rows_with_more_ ? std::size_t{row} * more_
                                 : units_with_more_ + std::size_t{row - rows_with_more_} * fewer_;
  }
  __device__ unsigned units_of_row(unsigned row) const { return row < rows_with_more_ ? more_ : fewer_; }
  // The first of the 32 bodies that the row meets in its unit of this number.
  __device__ unsigned first_body(unsigned row, unsigned number) const {
    unsigned other_row = row + number / bodies_per_lane;
    if (other_row >= rows_) other_row -= rows_;
    return (other_row * bodies_per_lane + number % bodies_per_lane) * lanes;
  }

private:
  static __host__ __device__ unsigned units_at(unsigned distances) { return distances * bodies_per_lane; }

  unsigned rows_;
  unsigned fewer_, more_; // units of a row; of an even number of rows the first half has more
  unsigned rows_with_more_;
  std::size_t units_with_more_, units_;
  unsigned warps_;
};

// ---- the kernel ------------------------------------------------------------------------------------------

// Body i with its mass first (step 5 says why), or one that changes no sum.
__device__ __forceinline__ float4 fetch(const float4* bodies, unsigned i, unsigned n) {
  const float4 body = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  return make_float4(body.w, body.x, body.y, body.z);
}

// The same, member by member: volatile, or the compiler makes one load of 16 bytes of them.
__device__ __forceinline__ float4 fetch_apart(const float4* bodies, unsigned i, unsigned n) {
  if (i >= n) return make_float4(0, 0, 0, 0);
  const volatile float* const body = &bodies[i].x;
  const float x = body[0], y = body[1], z = body[2];
  return make_float4(body[3], x, y, z);
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

// `acc` is zero at first.
__global__ void __launch_bounds__(threads_per_block, blocks_per_multiprocessor)
    accelerations_kernel(float4* acc, const float4* __restrict__ bodies, unsigned n, Line line,
                         float softening2) {
  // 32 bodies, twice in a row: in step s lane l reads place l + s, which is never beyond the end. Two buffers per warp, so that one
  // __syncwarp() per unit is enough.
  __shared__ float4 places[warps_per_block][2][2 * lanes];
  const unsigned lane = threadIdx.x % lanes;
  const unsigned next_lane = (lane + 1) % lanes;
  // From lane 0, so that the compiler knows that all lanes have the same value. It guards every shuffle of the inner loop otherwise.
  const unsigned warp_of_block = __shfl_sync(whole_warp, threadIdx.x / lanes, 0);
  const unsigned warp = blockIdx.x * warps_per_block + warp_of_block;
  if (warp >= line.warps()) return;
  const std::size_t end = line.begin_of_piece(warp + 1);
  unsigned buffer = 0;
  for (std::size_t unit = line.begin_of_piece(warp); unit < end;) {
    const unsigned row = line.row_of(unit);
    const std::size_t begin_of_row = line.begin_of_row(row);
    const unsigned own = row * bodies_per_row + lane; // and each 32nd from there
    float4 me[bodies_per_lane];
    float3 sum[bodies_per_lane];
#pragma unroll
    for (unsigned b = 0; b < bodies_per_lane; ++b) {
      me[b] = fetch_apart(bodies, own + b * lanes, n);
      sum[b] = make_float3(0, 0, 0);
    }
    unsigned number = unsigned(unit - begin_of_row);
    const unsigned past = min(number + units_per_sum,
                              unsigned(min(end - begin_of_row, std::size_t{line.units_of_row(row)})));
    float4 next = fetch(bodies, line.first_body(row, number) + lane, n);
    for (; number < past; ++number) {
      float4* const tile = places[warp_of_block][buffer];
      tile[lane] = next;
      tile[lane + lanes] = next;
      __syncwarp(); // the 32 bodies are there
      const unsigned other = line.first_body(row, number) + lane;
      if (number + 1 < past) next = fetch(bodies, line.first_body(row, number + 1) + lane, n);
      const float4* const place = tile + lane;
      if (number < bodies_per_lane) { // the row meets itself: each pair comes twice, once from either side
#pragma unroll 1
        for (unsigned s = 0; s < lanes; ++s) {
          const float4 met = place[s];
#pragma unroll
          for (unsigned b = 0; b < bodies_per_lane; ++b) add_pull(sum[b], me[b], met, softening2);
        }
      } else {
        float3 others_sum =
            make_float3(0, 0, 0); // of the body at place[s]: it goes from lane to lane with the body
#pragma unroll 2
        for (unsigned s = 0; s < lanes; ++s) {
          const float4 met = place[s];
#pragma unroll
          for (unsigned b = 0; b < bodies_per_lane; ++b)
            add_both_pulls(sum[b], others_sum, me[b], met, softening2);
          others_sum.x = __shfl_sync(whole_warp, others_sum.x, next_lane);
          others_sum.y = __shfl_sync(whole_warp, others_sum.y, next_lane);
          others_sum.z = __shfl_sync(whole_warp, others_sum.z, next_lane);
        }
        add_to(acc, other, n, others_sum); // after 32 steps it is back
      }
      buffer ^= 1;
    }
#pragma unroll
    for (unsigned b = 0; b < bodies_per_lane; ++b) add_to(acc, own + b * lanes, n, sum[b]);
    unit = begin_of_row + past;
  }
}

} // namespace

void accelerations(float4* acc, const float4* bodies, std::size_t n, float softening) {
  if (n == 0) return;
  int device = 0, multiprocessors = 1, on_each = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&on_each, accelerations_kernel, threads_per_block, 0);
  const auto count = static_cast<unsigned>(n);
  const unsigned rows = (count + bodies_per_row - 1) / bodies_per_row;
  const Line line(rows, static_cast<unsigned>(multiprocessors * std::max(on_each, 1)) * warps_per_block);
  const unsigned blocks = (line.warps() + warps_per_block - 1) / warps_per_block;
  cudaMemsetAsync(acc, 0, n * sizeof(float4));
  accelerations_kernel<<<blocks, threads_per_block>>>(acc, bodies, count, line,
                                                      fmaxf(softening * softening, least_softening2));
}
