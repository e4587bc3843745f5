// Step 4 of reduce_nested_by_level: what is read once leaves the L2 cache to what is read again.
// Beyond what the lab asks for.
//
// Idea        the ints are read once, and what the first level makes of them is read again soon after. In the L2
//             cache the two compete for the same places. __ldcs is a load of what is not needed again: its places
//             are the first to be taken, so more of the results are still there when the second level reads them.
//             The rest is step 3: a launch made early, on a device that has room for it.
// Bottleneck  the time from the end of the child to that of its parent, which nothing hides.
// Counters    1 launch, fire and forget, depth 1.
// fails: reduce_nested_by_level is a chain of tail launches: not-a-tail-launch

#include <cuda/atomic>
#include <cuda_runtime.h>

#include <algorithm>

namespace {

constexpr unsigned all_lanes = 0xffffffff;
constexpr unsigned per_load = 4;                        // ints
constexpr unsigned quarter = part_size / 4;             // results of the first level per part
constexpr unsigned lanes_per_part = quarter / per_load; // each has four results, 16 bytes
constexpr unsigned first_threads = 1024, last_threads = 256;
// For how many threads a multiprocessor has room: both kernels do with as few registers as all of them can have.
#if __CUDA_ARCH__ >= 900
constexpr unsigned room = 2048;
#else
constexpr unsigned room = 1024; // at the least
#endif
constexpr unsigned loads = 4; // of each thread of the last level, each for another part
constexpr unsigned parts_apart = last_threads / lanes_per_part;
constexpr unsigned parts_per_tile =
    parts_apart * loads; // a tile is what a block of the first level writes at once
static_assert(parts_per_tile * lanes_per_part == first_threads);
constexpr unsigned most_groups = 4096; // of tiles; a block of the last level waits for a group

// How many tiles of each group are there. All are 0 between two calls: whoever waited for them puts them back.
__device__ unsigned written[most_groups];

__device__ int added(int4 v) { return v.x + v.y + (v.z + v.w); }

__device__ int element(const int* from, std::size_t n, std::size_t i) { return i < n ? from[i] : 0; }

__device__ int4 four_elements(const int* from, std::size_t n, std::size_t i) {
  return {element(from, n, i), element(from, n, i + 1), element(from, n, i + 2), element(from, n, i + 3)};
}

__device__ void wait_for(unsigned group, unsigned tiles) {
  if (threadIdx.x == 0) {
    const cuda::atomic_ref<unsigned, cuda::thread_scope_device> there(written[group]);
    // What is read behind the acquire was written before the release.
    while (there.load(cuda::memory_order_acquire) < tiles) __nanosleep(100);
    there.store(0, cuda::memory_order_relaxed);
  }
  __syncthreads();
}

// Half a warp for a part, and four parts per thread: all four loads are under way before the first is needed.
__global__ void __launch_bounds__(last_threads, room / last_threads)
    last_kernel(int* sums, const int* work, std::size_t parts, unsigned tiles, unsigned tiles_per_group) {
  const unsigned begin = blockIdx.x * tiles_per_group, end = min(tiles, begin + tiles_per_group);
  wait_for(blockIdx.x, end - begin);
  const unsigned lane = threadIdx.x % lanes_per_part;
  const int4* results = reinterpret_cast<const int4*>(work);
  for (unsigned tile = begin; tile < end; ++tile) {
    const std::size_t first = std::size_t{tile} * parts_per_tile + threadIdx.x / lanes_per_part;
    int4 loaded[loads];
    for (unsigned j = 0; j < loads; ++j) {
      const std::size_t k = first + j * parts_apart;
      loaded[j] = k < parts ? results[k * lanes_per_part + lane] : int4{0, 0, 0, 0};
    }
    for (unsigned j = 0; j < loads; ++j) {
      const std::size_t k = first + j * parts_apart;
      int value = added(loaded[j]);
      for (unsigned distance = lanes_per_part / 2; distance > 0; distance /= 2) // by all lanes of the warp
        value += __shfl_down_sync(all_lanes, value, distance, lanes_per_part);
      if (k < parts && lane == 0) sums[k] = value;
    }
  }
}

// Block 0 launches. In the others a thread adds up, four times over, four elements that lie a quarter of the part apart.
__global__ void __launch_bounds__(first_threads, room / first_threads)
    first_kernel(int* sums, int* work, const int* in, std::size_t n, std::size_t parts, unsigned tiles,
                 unsigned tiles_per_group) {
  if (blockIdx.x == 0) {
    if (threadIdx.x != 0) return;
    last_kernel<<<(tiles + tiles_per_group - 1) / tiles_per_group, last_threads, 0,
                  cudaStreamFireAndForget>>>(sums, work, parts, tiles, tiles_per_group);
    if (cudaGetLastError() != cudaSuccess) __trap();
    return;
  }
  for (unsigned tile = blockIdx.x - 1; tile < tiles; tile += gridDim.x - 1) {
    const std::size_t i = std::size_t{tile} * first_threads + threadIdx.x; // of four results side by side
    const std::size_t k = i / lanes_per_part;
    if (k < parts) {
      const std::size_t first = k * part_size + i % lanes_per_part * per_load;
      int4 a, b, c, d;
      if ((k + 1) * part_size <= n) { // one test for four loads
        const int4* const from = reinterpret_cast<const int4*>(in + first);
        a = __ldcs(from), b = __ldcs(from + lanes_per_part);
        c = __ldcs(from + 2 * lanes_per_part), d = __ldcs(from + 3 * lanes_per_part);
      } else { // the last part
        a = four_elements(in, n, first), b = four_elements(in, n, first + quarter);
        c = four_elements(in, n, first + 2 * quarter), d = four_elements(in, n, first + 3 * quarter);
      }
      reinterpret_cast<int4*>(work)[i] = int4{a.x + b.x + (c.x + d.x), a.y + b.y + (c.y + d.y),
                                              a.z + b.z + (c.z + d.z), a.w + b.w + (c.w + d.w)};
    }
    __syncthreads(); // thread 0 speaks for the whole block
    if (threadIdx.x == 0) {
      const cuda::atomic_ref<unsigned, cuda::thread_scope_device> there(written[tile / tiles_per_group]);
      there.fetch_add(1, cuda::memory_order_release);
    }
  }
}

// One per multiprocessor, if there is room for the block that launches as well: all of them are at work before the child is.
unsigned blocks_that_add_up() {
  static const int found = [] {
    int device = 0, multiprocessors = 1, on_each = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&on_each, first_kernel, first_threads, 0);
    return std::max(std::min(multiprocessors, multiprocessors * on_each - 1), 1);
  }();
  return static_cast<unsigned>(found);
}

} // namespace

void reduce_nested_by_level(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  const std::size_t parts = (n + part_size - 1) / part_size;
  const auto tiles = static_cast<unsigned>((parts + parts_per_tile - 1) / parts_per_tile); // of n < 2^46
  const unsigned tiles_per_group = (tiles + most_groups - 1) / most_groups;
  const unsigned blocks = 1 + std::min(tiles, blocks_that_add_up());
  first_kernel<<<blocks, first_threads>>>(sums, work, in, n, parts, tiles, tiles_per_group);
}
