// Step 9: several bodies per lane, others in shared memory, and sums in a fixed order.
// fails: accelerations reads each body from global memory once a block: read-more-than-once
// fails: accelerations gives each body of a tile to a whole warp at once: no-broadcast
// fails: accelerations waits at most twice a tile: no-barrier
//
// Idea        1. A lane has eight bodies, and each body that comes by meets all eight: of the shuffles of step 8 an eighth is
//             left. 2. Bodies that only come by are read from shared memory, where each warp keeps them twice in a row: one
//             load of 16 bytes instead of four shuffles. Only their sums go from lane to lane. 3. Each warp has an equal piece of
//             all the work. 4. Every sum is stored at a place of its own, and a second kernel adds them up in a fixed order: two
//             runs on one GPU give the same bits, which atomic additions do not.
// Bottleneck  instruction issue. The inner loop has 17.7 instructions per two directed pairs, of which 17 are the pair's own. Storing
//             sums and reading them again costs n^2 / 8 bytes of traffic.
// Counters    n^2 / 512 shared load requests of a whole warp's 32 bodies each; no barriers; no atomics; n^2 / 512 partial sums
//             stored and read.
// Beyond what the lab asks for.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

namespace {

constexpr unsigned whole_warp = 0xffffffff;
constexpr unsigned lanes = 32;
constexpr unsigned threads_per_block = 256;
constexpr unsigned warps_per_block = threads_per_block / lanes;
constexpr unsigned blocks_per_multiprocessor = 2; // so that a thread may use 128 registers
constexpr unsigned bodies_per_lane = 8;
constexpr unsigned bodies_per_row = bodies_per_lane * lanes;

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
  sum.x = fmaf(pull, dx, sum.x);
  sum.y = fmaf(pull, dy, sum.y);
  sum.z = fmaf(pull, dz, sum.z);
  const float back = me.x * cube; // the other way
  others_sum.x = fmaf(-back, dx, others_sum.x);
  others_sum.y = fmaf(-back, dy, others_sum.y);
  others_sum.z = fmaf(-back, dz, others_sum.z);
}

// ---- which pairs: the circle and the line ----------------------------------------------------------------

// The bodies stand in rows of 256, and the rows in a circle. Each row meets itself and the rows at distances 1 to rows / 2 ahead
// of it; those behind meet it. With an even number of rows two opposite rows would meet twice at the distance
// rows / 2, so there only the first half of the rows does.
//
// A row meets another 32 bodies at a time, which is a unit of work. The units of some distances lie in a line, the first row's
// first, and each warp has an equal piece of the line: as many warps as the GPU holds at once, and none waits for a last round.
class Line {
public:
  // Distances `first` to `past` - 1.
  __host__ __device__ Line(unsigned rows, unsigned first, unsigned past, unsigned most_warps)
      : rows_(rows), first_(first), past_(past) {
    const bool has_half = rows % 2 == 0 && past == rows / 2 + 1;
    more_ = (past - first) * bodies_per_lane;
    fewer_ = has_half ? more_ - bodies_per_lane : more_;
    rows_with_more_ = has_half ? rows / 2 : 0;
    units_with_more_ = std::size_t{rows_with_more_} * more_;
    units_ = units_with_more_ + std::size_t{rows - rows_with_more_} * fewer_;
    warps_ = units_ < most_warps ? unsigned(units_) : most_warps;
  }

  __host__ __device__ unsigned warps() const { return warps_; }
  __host__ __device__ unsigned distances() const { return past_ - first_; }
  __host__ __device__ std::size_t padded() const { return std::size_t{rows_} * bodies_per_row; }
  // That the units of one row lie in, at most.
  __host__ __device__ unsigned most_pieces() const {
    const std::size_t pieces = std::size_t{more_} * warps_ / units_ + 2;
    return pieces < more_ ? unsigned(pieces) : more_;
  }

  __device__ bool has_own() const { return first_ == 0; }
  __device__ std::size_t begin_of_piece(unsigned warp) const { return units_ * warp / warps_; }
  __device__ unsigned warp_of(std::size_t unit) const { return unsigned(((unit + 1) * warps_ - 1) / units_); }
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
    unsigned other_row = row + first_ + number / bodies_per_lane;
    if (other_row >= rows_) other_row -= rows_;
    return (other_row * bodies_per_lane + number % bodies_per_lane) * lanes;
  }
  // Whether a row behind meets this one at the distance first_ + d.
  __device__ bool is_met(unsigned row, unsigned d) const {
    const unsigned distance = first_ + d;
    return distance != 0 && (2 * distance != rows_ || row >= rows_ / 2);
  }

  // Where the sums of body i are: those from each distance at which another row meets it, and behind them those from each piece
  // of its own row's units.
  __device__ std::size_t place_of_distance(unsigned d, unsigned i) const { return d * padded() + i; }
  __device__ std::size_t place_of_piece(unsigned piece, unsigned i) const {
    return (distances() + piece) * padded() + i;
  }
  __host__ std::size_t places() const { return (distances() + most_pieces()) * padded(); }

private:
  unsigned rows_, first_, past_;
  unsigned more_,
      fewer_; // units of a row; where the first half of the rows has one distance more, the others have fewer
  unsigned rows_with_more_;
  std::size_t units_with_more_, units_;
  unsigned warps_;
};

// ---- the kernels -----------------------------------------------------------------------------------------

// Body i with its mass first (step 5 says why), or one that changes no sum.
__device__ __forceinline__ float4 fetch(const float4* bodies, unsigned i, unsigned n) {
  const float4 body = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  return make_float4(body.w, body.x, body.y, body.z);
}

__global__ void __launch_bounds__(threads_per_block, blocks_per_multiprocessor)
    accelerations_kernel(float4* partial, const float4* __restrict__ bodies, unsigned n, Line line,
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
      me[b] = fetch(bodies, own + b * lanes, n);
      sum[b] = make_float3(0, 0, 0);
    }
    unsigned number = unsigned(unit - begin_of_row);
    const unsigned past = unsigned(min(end - begin_of_row, std::size_t{line.units_of_row(row)}));
    float4 next = fetch(bodies, line.first_body(row, number) + lane, n);
    for (; number < past; ++number) {
      float4* const tile = places[warp_of_block][buffer];
      tile[lane] = next;
      tile[lane + lanes] = next;
      __syncwarp(); // the 32 bodies are there
      const unsigned other = line.first_body(row, number) + lane;
      if (number + 1 < past) next = fetch(bodies, line.first_body(row, number + 1) + lane, n);
      const float4* const place = tile + lane;
      if (line.has_own() &&
          number < bodies_per_lane) { // the row meets itself: each pair comes twice, once from either side
#pragma unroll 1
        for (unsigned s = 0; s < lanes; ++s) {
          const float4 met = place[s];
#pragma unroll
          for (unsigned b = 0; b < bodies_per_lane; ++b) add_pull(sum[b], me[b], met, softening2);
        }
      } else {
        float3 others_sum =
            make_float3(0, 0, 0); // of the body at place[s]: it goes from lane to lane with the body
#pragma unroll 4
        for (unsigned s = 0; s < lanes; ++s) {
          const float4 met = place[s];
#pragma unroll
          for (unsigned b = 0; b < bodies_per_lane; ++b)
            add_both_pulls(sum[b], others_sum, me[b], met, softening2);
          others_sum.x = __shfl_sync(whole_warp, others_sum.x, next_lane);
          others_sum.y = __shfl_sync(whole_warp, others_sum.y, next_lane);
          others_sum.z = __shfl_sync(whole_warp, others_sum.z, next_lane);
        }
        partial[line.place_of_distance(number / bodies_per_lane, other)] =
            make_float4(others_sum.x, others_sum.y, others_sum.z, 0); // after 32 steps it is back
      }
      buffer ^= 1;
    }
    const unsigned piece = warp - line.warp_of(begin_of_row);
#pragma unroll
    for (unsigned b = 0; b < bodies_per_lane; ++b)
      partial[line.place_of_piece(piece, own + b * lanes)] = make_float4(sum[b].x, sum[b].y, sum[b].z, 0);
    unit = begin_of_row + past;
  }
}

// One thread for one body. The first distances begin the sum, the others go on with what is there.
__global__ void add_up_kernel(float4* acc, const float4* partial, unsigned n, Line line) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 sum = line.has_own() ? make_float4(0, 0, 0, 0) : acc[i];
  const auto add = [&](std::size_t place) {
    const float4 part = partial[place];
    sum.x += part.x;
    sum.y += part.y;
    sum.z += part.z;
  };
  const unsigned row = i / bodies_per_row;
  if (const unsigned units = line.units_of_row(row); units != 0) {
    const std::size_t begin = line.begin_of_row(row);
    const unsigned pieces = line.warp_of(begin + units - 1) - line.warp_of(begin) + 1;
    for (unsigned piece = 0; piece < pieces; ++piece) add(line.place_of_piece(piece, i));
  }
#pragma unroll 4
  for (unsigned d = 0; d < line.distances(); ++d)
    if (line.is_met(row, d)) add(line.place_of_distance(d, i));
  acc[i] = sum;
}

// ---- the host --------------------------------------------------------------------------------------------

// For partial sums, of which the distances of one launch have at most so many; a single distance may have more.
constexpr std::size_t room = std::size_t{1} << 24; // 256 MiB

// How many distances go into one launch: each launch about the same number.
unsigned distances_per_launch(unsigned rows, unsigned most_warps) {
  const unsigned all = rows / 2 + 1;
  unsigned most =
      all; // the last ones are the most: the first have each row meet itself, but the half distance leaves units out
  while (most > 1 && Line(rows, all - most, all, most_warps).places() > room) --most;
  const unsigned launches = (all + most - 1) / most;
  return (all + launches - 1) / launches;
}

// Memory that a call frees stays in the pool, and the next call takes it again without asking the driver for it.
void keep_freed_memory(int device) {
  cudaMemPool_t pool;
  if (cudaDeviceGetDefaultMemPool(&pool, device) != cudaSuccess) return;
  std::uint64_t all = UINT64_MAX;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
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
  const unsigned most_warps = static_cast<unsigned>(multiprocessors * std::max(on_each, 1)) * warps_per_block;
  const unsigned at_once = distances_per_launch(rows, most_warps);
  const unsigned distances = rows / 2 + 1;
  std::size_t places = 0;
  for (unsigned first = 0; first < distances; first += at_once)
    places = std::max(places, Line(rows, first, std::min(first + at_once, distances), most_warps).places());
  keep_freed_memory(device);
  float4* partial = nullptr;
  cudaMallocAsync(&partial, places * sizeof(float4), cudaStream_t{});
  for (unsigned first = 0; first < distances; first += at_once) {
    const Line line(rows, first, std::min(first + at_once, distances), most_warps);
    const unsigned blocks = (line.warps() + warps_per_block - 1) / warps_per_block;
    accelerations_kernel<<<blocks, threads_per_block>>>(partial, bodies, count, line,
                                                        fmaxf(softening * softening, least_softening2));
    add_up_kernel<<<(count + 255) / 256, 256>>>(acc, partial, count, line);
  }
  cudaFreeAsync(partial, cudaStream_t{});
}
