// Step 5: the bins shared out over the blocks, and every value read by each of them.
//
// Idea        with more than 116,224 bins the blocks share out the bins, not the values: `parts` blocks
//             together go through the same values, and each counts those of its own bins. All atomics stay at
//             home.
// Bottleneck  the L2 cache: it hands out every value `parts` times (2 for 131,072 bins, 5 for 524,288), and
//             every multiprocessor looks at values of which it counts one in `parts`.
// Counters    one shared atomic a value, none remote; every value read `parts` times, 16 bytes a lane.
// Beyond the readable solution: no item asks for this. (The counters are those of step 4, with its rule.)

#include <cuda_runtime.h>

#include <algorithm>

namespace {

constexpr unsigned threads_per_block = 1024;
constexpr unsigned vectors_per_round = 4; // of four values, for each thread
constexpr unsigned most_parts = 12;       // beyond, global atomics are faster
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

// Blocks p, p + parts, p + 2 parts and so on own the `share` bins from p * share on, in share / 2 words of
// two counters each; `share` is even. Together with its parts - 1 neighbours a block goes through the same
// values.
__global__ void histogram_parts_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins,
                                       unsigned parts, unsigned share) {
  extern __shared__ unsigned counts[];
  const unsigned words = share / 2;
  const unsigned first_bin = blockIdx.x % parts * share;
  unsigned* own_bins = bins + first_bin;
  for (unsigned w = threadIdx.x; w < words; w += blockDim.x) counts[w] = 0;
  __syncthreads();
  const int4* vectors = reinterpret_cast<const int4*>(in);
  const auto count = [&](int value) {
    const unsigned bin = bin_of(value, nbins) - first_bin; // below first_bin: a very large number
    if (bin < share) count_packed(counts, own_bins, bin);
  };
  // All threads of the block take part in every round, also those that have run out of values: it ends in a
  // barrier.
  const std::size_t per_round = std::size_t{vectors_per_round} * blockDim.x;
  for (std::size_t first = blockIdx.x / parts * per_round; first < n / 4;
       first += gridDim.x / parts * per_round) {
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
  if (const std::size_t last = n / 4 * 4 + threadIdx.x; blockIdx.x < parts && last < n) count(in[last]);
  __syncthreads();
  for (unsigned w = threadIdx.x; w < words; w += blockDim.x) {
    const unsigned low = counts[w] & 0xffff, high = counts[w] >> 16;
    if (low != 0) atomicAdd(&own_bins[2 * w], low);
    if (high != 0) atomicAdd(&own_bins[2 * w + 1], high);
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

} // namespace

Regime histogram(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const auto most_bins =
      static_cast<unsigned>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) / 2) / 2 * 2;
  const auto parts = static_cast<unsigned>(divide_up(nbins, most_bins));
  const auto multiprocessors = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
  cudaMemsetAsync(bins, 0, nbins * sizeof(unsigned));
  if (parts > most_parts) {
    histogram_global_kernel<<<2 * multiprocessors, threads_per_block>>>(in, n, bins, nbins);
    return Regime::global;
  }
  const auto share = static_cast<unsigned>(divide_up(divide_up(nbins, parts), 2) * 2);
  const std::size_t shared_bytes = share / 2 * sizeof(unsigned);
  int on_each = 0;
  cudaFuncSetAttribute(histogram_parts_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(shared_bytes));
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&on_each, histogram_parts_kernel, threads_per_block,
                                                shared_bytes);
  const std::size_t most = multiprocessors * static_cast<std::size_t>(on_each) / parts;
  const auto groups = static_cast<unsigned>(
      std::clamp<std::size_t>(divide_up(n, 4 * vectors_per_round * threads_per_block), 1, most));
  histogram_parts_kernel<<<groups * parts, threads_per_block, shared_bytes>>>(in, n, bins, nbins, parts,
                                                                              share);
  return Regime::shared;
}
