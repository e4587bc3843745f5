// Step 4: packed counters of 16 bits, guarded.
//
// Idea        half the bytes per counter: a block's 227 KiB hold 116,224 bins, and no atomic leaves the
//             multiprocessor. The top bit of each counter is a guard. The one thread whose addition sets it
//             takes 2^15 off the counter and adds them to `bins`, before the block's next barrier.
// Why that is safe
//             Before a barrier all guards are clear: a counter is below 2^15. Between two barriers the
//             block's 1024 threads add at most 16 each, 2^14 together, so that a counter stays below 2^15 +
//             2^14 < 2^16 and never carries into its neighbour. Whether it passes 2^15 or not, it does so
//             once at most, one thread sees that, and after the next barrier the counter is below 2^15 again.
// Bottleneck  shared atomics that have to return the old count; with more than 116,224 bins, global atomics.
// Counters    one shared atomic per value, none of them remote; a barrier for every 16,384 values of a block.
// Beyond the readable solution: no item asks for this.
//
// fails: histogram takes the nearest memory that holds the counters and says which: farther-than-needed

#include <cuda_runtime.h>

#include <algorithm>

namespace {

constexpr unsigned threads_per_block = 1024;
constexpr unsigned vectors_per_round = 4; // of four values, for each thread
constexpr unsigned guard = 1u << 15;
static_assert(threads_per_block * vectors_per_round * 4 <= guard,
              "a counter could run over between two barriers");

constexpr std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

__device__ unsigned bin_of(int value, unsigned nbins) {
  return min(static_cast<unsigned>(max(value, 0)), nbins - 1);
}

// Adds one to the bin's half of counts[bin / 2]. A counter that reaches the guard is emptied into `bins`.
__device__ void count_packed(unsigned* counts, unsigned* bins, unsigned bin) {
  const unsigned shift = bin % 2 * 16;
  const unsigned old = atomicAdd(&counts[bin / 2], 1u << shift) >> shift & 0xffff;
  if (old != guard - 1) return;
  atomicSub(&counts[bin / 2], guard << shift);
  atomicAdd(&bins[bin], guard);
}

// counts: (nbins + 1) / 2 words, two counters in each.
__global__ void histogram_packed_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  extern __shared__ unsigned counts[];
  const unsigned words = (nbins + 1) / 2;
  for (unsigned w = threadIdx.x; w < words; w += blockDim.x) counts[w] = 0;
  __syncthreads();
  const int4* vectors = reinterpret_cast<const int4*>(in);
  const auto count = [&](int value) { count_packed(counts, bins, bin_of(value, nbins)); };
  // All threads of the block take part in every round, also those that have run out of values: it ends in a
  // barrier.
  const std::size_t per_round = std::size_t{vectors_per_round} * blockDim.x;
  for (std::size_t first = blockIdx.x * per_round; first < n / 4; first += gridDim.x * per_round) {
    int4 values[vectors_per_round];
    for (unsigned k = 0; k < vectors_per_round; ++k) {
      const std::size_t i = first + k * blockDim.x + threadIdx.x;
      if (i < n / 4) values[k] = vectors[i];
    }
    for (unsigned k = 0; k < vectors_per_round; ++k) {
      if (first + k * blockDim.x + threadIdx.x >= n / 4) continue;
      count(values[k].x);
      count(values[k].y);
      count(values[k].z);
      count(values[k].w);
    }
    __syncthreads();
  }
  if (const std::size_t last = n / 4 * 4 + threadIdx.x; blockIdx.x == 0 && last < n) count(in[last]);
  __syncthreads();
  for (unsigned w = threadIdx.x; w < words; w += blockDim.x) {
    const unsigned low = counts[w] & 0xffff, high = counts[w] >> 16;
    if (low != 0) atomicAdd(&bins[2 * w], low);
    if (high != 0) atomicAdd(&bins[2 * w + 1], high);
  }
}

__global__ void histogram_global_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads)
    atomicAdd(&bins[bin_of(in[i], nbins)], 1u);
}

int attribute(cudaDeviceAttr which) {
  int value = 0;
  cudaDeviceGetAttribute(&value, which, 0);
  return value;
}

template <typename Kernel>
void launch(Kernel kernel, std::size_t shared_bytes, const int* in, std::size_t n, unsigned* bins,
            unsigned nbins) {
  int blocks_on_each = 0;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes));
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_on_each, kernel, threads_per_block, shared_bytes);
  const auto most = static_cast<std::size_t>(attribute(cudaDevAttrMultiProcessorCount) * blocks_on_each);
  const std::size_t blocks = std::clamp<std::size_t>(divide_up(n, 4 * threads_per_block), 1, most);
  cudaMemsetAsync(bins, 0, nbins * sizeof(unsigned));
  kernel<<<static_cast<unsigned>(blocks), threads_per_block, shared_bytes>>>(in, n, bins, nbins);
}

} // namespace

bool histogram_shared(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const std::size_t shared_bytes = (nbins + 1) / 2 * sizeof(unsigned);
  if (shared_bytes > static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)))
    return false;
  launch(histogram_packed_kernel, shared_bytes, in, n, bins, nbins);
  return true;
}

Regime histogram(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  if (histogram_shared(in, n, bins, nbins)) return Regime::shared;
  launch(histogram_global_kernel, 0, in, n, bins, nbins);
  return Regime::global;
}
