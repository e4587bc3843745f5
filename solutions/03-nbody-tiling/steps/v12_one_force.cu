// Step 12: one force for both bodies, added where it is still at hand.
// fails: accelerations gives each body of a tile to a whole warp at once: no-broadcast
//
// Idea        in step 11 the two directions of a pair are added with two factors, one per mass. With *forces* instead of accelerations
//             one factor serves both (mass * mass / distance^3): an addition to one sum and the addition to the other sum
//             differ in the sum alone. So two of their three operands need not come from the register banks again, if the
//             two instructions stand side by side. The compiler mixes the instructions of ten pairs and tears them apart. A branch
//             that is always taken keeps it from that, as no instruction moves across: ahead of it are all ten factors
//             (IS_THERE sees to that), behind it the sixty additions. The next body is loaded from the tile ahead of it, too.
// Exact       a force is divided by the body's mass when a sum leaves its lane. Masses are scaled by a power of two, so that
//             the largest is about 1 and no product overflows; one of less than 2^-64 of the largest, or of 0, counts as 2^-64:
//             its own acceleration is right, and its pull on others is below what rounding notices.
// Bottleneck  the register banks, still: the first addition of a pair reads three operands, which takes two cycles.
// Counters    n^2 / 640 shared load requests of a whole warp's 32 bodies each; no barriers but one per block in the kernel that
//             looks for the largest mass; n^2 / 640 atomic additions to bodies that come by, and n^2 / 16,384 + n to a lane's own.
// Beyond what the lab asks for.

#include <cuda_runtime.h>

#include <algorithm>

namespace {

constexpr unsigned whole_warp = 0xffffffff;
constexpr unsigned lanes = 32;
constexpr unsigned threads_per_block = 384;
constexpr unsigned warps_per_block = threads_per_block / lanes;
constexpr unsigned blocks_per_multiprocessor = 1; // so that a thread may use 168 registers
constexpr unsigned bodies_per_lane = 10;
constexpr unsigned bodies_per_row = bodies_per_lane * lanes;
constexpr unsigned units_per_sum = 256; // a sum of more than 8,192 pulls rounds too coarsely

// RECIPROCAL_ROOT  1 / sqrt(x) in one instruction, to 2^-22.9; step 3 says why
// IS_THERE         x has to be computed by here: the compiler does not know whether its value changes
#ifdef __SIMT__ // the simulator runs no PTX
#define RECIPROCAL_ROOT(y, x) y = rsqrtf(x)
#define IS_THERE(x)
#else
#define RECIPROCAL_ROOT(y, x) asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x))
#define IS_THERE(x) asm volatile("mov.f32 %0, %0;" : "+f"(x))
#endif

// Stands for softening 0: below what rounding notices at the least distance (2^-20), and large enough that at distance
// zero everything stays finite: 0 * finite is 0, and no test is needed.
constexpr float least_softening2 = 0x1p-66F;

constexpr float least_mass = 0x1p-64F; // of the largest

// ---- masses ----------------------------------------------------------------------------------------------

constexpr unsigned preparing_blocks = 128, preparing_threads = 256;
__device__ unsigned largest_masses[preparing_blocks]; // each block's largest |mass|, as bits: they have the same order

// Sets `acc` to zero, and looks for the largest mass.
__global__ void prepare_kernel(float4* acc, const float4* bodies, unsigned n) {
  __shared__ unsigned largest;
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  float mass = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    mass = fmaxf(mass, fabsf(bodies[i].w));
    acc[i] = make_float4(0, 0, 0, 0);
  }
  atomicMax(&largest, __float_as_uint(mass));
  __syncthreads();
  if (threadIdx.x == 0) largest_masses[blockIdx.x] = largest;
}

// The power of two by which masses are scaled, and its inverse.
struct Scale {
  float there, back;
};

// For whole warps.
__device__ Scale scale_of_masses(unsigned lane) {
  unsigned largest = 0;
  for (unsigned b = lane; b < preparing_blocks; b += lanes) largest = max(largest, largest_masses[b]);
  for (unsigned distance = lanes / 2; distance > 0; distance /= 2)
    largest = max(largest, __shfl_xor_sync(whole_warp, largest, distance));
  const unsigned exponent = min(max(largest >> 23, 1U), 253U); // of floats, 127 is 2^0
  return {__uint_as_float((254 - exponent) << 23), largest == 0 ? 0.0F : __uint_as_float(exponent << 23)};
}

// ---- a pair ----------------------------------------------------------------------------------------------

// Two bodies: the one minus the other, and what to multiply that with for the force between them. Bodies are mass, x, y, z,
// as they lie in the tile.
struct Pair {
  float dx, dy, dz, factor;

  __device__ __forceinline__ Pair(const float4& me, const float4& other, float softening2)
      : dx(other.y - me.y), dy(other.z - me.z), dz(other.w - me.w) {
    const float distance2 = fmaf(dz, dz, fmaf(dy, dy, fmaf(dx, dx, softening2)));
    float inverse;
    RECIPROCAL_ROOT(inverse, distance2);
    factor = (me.x * other.x) * ((inverse * inverse) * inverse);
  }
  Pair() = default;

  __device__ __forceinline__ void add_to(float3& sum) const {
    sum.x = fmaf(factor, dx, sum.x);
    sum.y = fmaf(factor, dy, sum.y);
    sum.z = fmaf(factor, dz, sum.z);
  }
  // And the same force, the other way, to the other body's sum: 17 instructions in all for two directed pairs.
  __device__ __forceinline__ void add_to_both(float3& sum, float3& others_sum) const {
    others_sum.x = fmaf(-factor, dx, others_sum.x);
    sum.x = fmaf(factor, dx, sum.x);
    others_sum.y = fmaf(-factor, dy, others_sum.y);
    sum.y = fmaf(factor, dy, sum.y);
    others_sum.z = fmaf(-factor, dz, others_sum.z);
    sum.z = fmaf(factor, dz, sum.z);
  }
};

// ---- which pairs: the circle and the line ----------------------------------------------------------------

// The bodies stand in rows of 320, and the rows in a circle. Each row meets itself and the rows at distances 1 to rows / 2 ahead
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

// Body i, or one without mass where there is none.
__device__ __forceinline__ float4 fetch(const float4* bodies, unsigned i, unsigned n) {
  return i < n ? bodies[i] : make_float4(0, 0, 0, 0);
}

// The same with its mass first (step 5 says why) and scaled; one that changes no sum where there is none. Apart from fetch(), so that
// a body is under way while the one before it is met.
__device__ __forceinline__ float4 prepared(const float4& body, bool is_there, const Scale& scale) {
  const float mass = body.w * scale.there;
  return make_float4(is_there && fabsf(mass) < least_mass ? least_mass : mass, body.x, body.y, body.z);
}

// Of a body whose mass is scaled to `mass`.
__device__ __forceinline__ void add_to(float4* acc, unsigned i, unsigned n, float mass, const float3& force,
                                       const Scale& scale) {
  if (i >= n) return;
  const float inverse = 1 / mass;
  const float3 sum = make_float3(force.x * inverse * scale.back, force.y * inverse * scale.back,
                                 force.z * inverse * scale.back);
#if __CUDA_ARCH__ >= 900
  atomicAdd(acc + i, make_float4(sum.x, sum.y, sum.z, 0)); // each member by itself; one request
#else
  atomicAdd(&acc[i].x, sum.x);
  atomicAdd(&acc[i].y, sum.y);
  atomicAdd(&acc[i].z, sum.z);
#endif
}

// `acc` is zero at first; behind prepare_kernel.
__global__ void __launch_bounds__(threads_per_block, blocks_per_multiprocessor)
    accelerations_kernel(float4* acc, const float4* __restrict__ bodies, unsigned n, Line line,
                         float softening2) {
  // 32 bodies, twice in a row: ahead of step s lane l reads place l + s, and after the last step l + 32. Two buffers per warp, so
  // that one __syncwarp() per unit is enough.
  __shared__ float4 places[warps_per_block][2][2 * lanes];
  const unsigned lane = threadIdx.x % lanes;
  const unsigned next_lane = (lane + 1) % lanes;
  // From lane 0, so that the compiler knows that all lanes have the same value. It guards every shuffle of the inner loop otherwise.
  const unsigned warp_of_block = __shfl_sync(whole_warp, threadIdx.x / lanes, 0);
  const unsigned warp = blockIdx.x * warps_per_block + warp_of_block;
  if (warp >= line.warps()) return;
  __shared__ Scale scales[warps_per_block]; // not in registers: they are scarce in the inner loop
  const Scale& scale = scales[warp_of_block];
  if (const Scale found = scale_of_masses(lane); lane == 0) scales[warp_of_block] = found;
  __syncwarp();
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
      me[b] = prepared(fetch(bodies, own + b * lanes, n), own + b * lanes < n, scale);
      sum[b] = make_float3(0, 0, 0);
    }
    unsigned number = unsigned(unit - begin_of_row);
    const unsigned past = min(number + units_per_sum,
                              unsigned(min(end - begin_of_row, std::size_t{line.units_of_row(row)})));
    float4 next = fetch(bodies, line.first_body(row, number) + lane, n);
    for (; number < past; ++number) {
      float4* const tile = places[warp_of_block][buffer];
      const unsigned other = line.first_body(row, number) + lane;
      tile[lane] = tile[lane + lanes] = prepared(next, other < n, scale);
      __syncwarp(); // the 32 bodies are there
      if (number + 1 < past) next = fetch(bodies, line.first_body(row, number + 1) + lane, n);
      const float4* const place = tile + lane;
      if (number < bodies_per_lane) { // the row meets itself: each pair comes twice, once from either side
#pragma unroll 1
        for (unsigned s = 0; s < lanes; ++s) {
          const float4 met = place[s];
#pragma unroll
          for (unsigned b = 0; b < bodies_per_lane; ++b) Pair(me[b], met, softening2).add_to(sum[b]);
        }
      } else {
        float3 others_sum =
            make_float3(0, 0, 0); // of the body at place[s]: it goes from lane to lane with the body
        float4 met = place[0];
#pragma unroll 2
        for (unsigned s = 0; s < lanes; ++s) {
          Pair pairs[bodies_per_lane];
#pragma unroll
          for (unsigned b = 0; b < bodies_per_lane; ++b) {
            pairs[b] = Pair(me[b], met, softening2);
            IS_THERE(pairs[b].factor);
          }
          met = place[s + 1]; // not needed after the last one
          if (n > 0) { // always
#pragma unroll
            for (unsigned b = 0; b < bodies_per_lane; ++b) pairs[b].add_to_both(sum[b], others_sum);
          }
          others_sum.x = __shfl_sync(whole_warp, others_sum.x, next_lane);
          others_sum.y = __shfl_sync(whole_warp, others_sum.y, next_lane);
          others_sum.z = __shfl_sync(whole_warp, others_sum.z, next_lane);
        }
        add_to(acc, other, n, tile[lane].x, others_sum, scale); // after 32 steps it is back
      }
      buffer ^= 1;
    }
#pragma unroll
    for (unsigned b = 0; b < bodies_per_lane; ++b) add_to(acc, own + b * lanes, n, me[b].x, sum[b], scale);
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
  prepare_kernel<<<preparing_blocks, preparing_threads>>>(acc, bodies, count);
  accelerations_kernel<<<blocks, threads_per_block>>>(acc, bodies, count, line,
                                                      fmaxf(softening * softening, least_softening2));
}
