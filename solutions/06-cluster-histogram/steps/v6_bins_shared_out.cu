// Step 6: every block reads all of its values.
//
// Idea        up to 58,112 bins, a block has a counter of 32 bits for each, as in step 3. Beyond, `parts`
//             blocks share out the bins and go through the same values, each counting those of its own bins,
//             in packed counters of 16 bits. The L2 cache hands out a value as often as it is read, so
//             no block has to pass it on or wait for a cluster. Equal values in a row are counted in a
//             register first: one atomic for a run.
// Bottleneck  the memory up to 58,112 bins; then the L2 cache, which hands out every value `parts` times (1
//             up to 116,224 bins, 5 at 524,288), and the work for values that belong to other blocks.
// Counters    at most one shared atomic per value, none remote; every value read `parts` times, 16 bytes per
//             lane.
// Why no counter runs over
//             As in step 4: below 2^15 before a barrier, at most 1024 * 16 = 2^14 more until the next. An
//             addition of a run of k goes from below the guard to the guard or beyond it (by less than k) for
//             exactly one thread, which takes off 2^15 before the barrier.
// Beyond the readable solution: no item asks for this.

#include <cuda_runtime.h>

#include <algorithm>

namespace {

constexpr unsigned threads_per_block = 1024;
constexpr unsigned vectors_per_round = 4; // of four values, for each thread
constexpr unsigned values_per_round = 4 * vectors_per_round * threads_per_block;
constexpr unsigned most_parts = 12; // beyond, global atomics are as fast
constexpr unsigned guard = 1u << 15;
static_assert(values_per_round <= guard, "a counter could run over between two barriers");

constexpr std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

__device__ unsigned bin_of(int value, unsigned nbins) {
  return min(static_cast<unsigned>(max(value, 0)), nbins - 1);
}

// The vectors of one round: this thread's are blockDim.x apart. Where there are none they stay as they are.
struct Round {
  int4 values[vectors_per_round];
  __device__ void load(const int4* vectors, std::size_t first, std::size_t count) {
#pragma unroll
    for (unsigned k = 0; k < vectors_per_round; ++k) {
      const std::size_t i = first + k * blockDim.x + threadIdx.x;
      if (i < count) values[k] = vectors[i];
    }
  }
  // Calls visit(value) for those that load() found.
  template <typename Visit>
  __device__ void each(std::size_t first, std::size_t count, Visit visit) const {
#pragma unroll
    for (unsigned k = 0; k < vectors_per_round; ++k) {
      if (first + k * blockDim.x + threadIdx.x >= count) continue;
      visit(values[k].x);
      visit(values[k].y);
      visit(values[k].z);
      visit(values[k].w);
    }
  }
};

// Visits the values of block `index` of `blocks`, a round at a time; the next one is under way meanwhile.
// After each, all threads of the block call done(), also those that have run out of values.
template <typename Visit, typename Done>
__device__ void for_each_value(const int* in, std::size_t n, unsigned index, unsigned blocks, Visit visit,
                               Done done) {
  const int4* vectors = reinterpret_cast<const int4*>(in);
  const std::size_t count = n / 4, round = values_per_round / 4;
  std::size_t first = index * round;
  Round now, next;
  now.load(vectors, first, count);
  for (; first < count; first += blocks * round) {
    next.load(vectors, first + blocks * round, count);
    now.each(first, count, visit);
    done();
    now = next;
  }
  if (const std::size_t last = 4 * count + threadIdx.x; index == 0 && last < n) visit(in[last]);
  done();
}

__global__ void __launch_bounds__(threads_per_block)
    histogram_words_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  extern __shared__ unsigned counts[];
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  for_each_value(
      in, n, blockIdx.x, gridDim.x, [&](int value) { atomicAdd(&counts[bin_of(value, nbins)], 1u); }, [] {});
  __syncthreads();
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[b], counts[b]);
  }
}

// Adds `run` to the bin's half of counts[bin / 2]. A counter that reaches the guard gives up 2^15 to `bins`.
__device__ void add_packed(unsigned* counts, unsigned* bins, unsigned bin, unsigned run) {
  const unsigned shift = bin % 2 * 16;
  const unsigned old = atomicAdd(&counts[bin / 2], run << shift) >> shift & 0xffff;
  if (old >= guard || old + run < guard) return;
  atomicSub(&counts[bin / 2], guard << shift);
  atomicAdd(&bins[bin], guard);
}

// Block p of every `parts` blocks owns the `share` bins from p * share on, in share / 2 words of two counters
// each; `share` is even. The `parts` blocks together go through the same values.
__global__ void __launch_bounds__(threads_per_block)
    histogram_parts_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins, unsigned parts,
                           unsigned share) {
  extern __shared__ unsigned counts[];
  const unsigned first_bin = blockIdx.x % parts * share;
  unsigned* own_bins = bins + first_bin;
  for (unsigned w = threadIdx.x; w < share / 2; w += blockDim.x) counts[w] = 0;
  __syncthreads();
  unsigned current = 0, run = 0; // of the value counted last: run times in a row
  const auto flush = [&] {
    if (run != 0) add_packed(counts, own_bins, current, run);
    run = 0;
  };
  const auto visit = [&](int value) {
    const unsigned bin = bin_of(value, nbins) - first_bin; // below first_bin: a very large number
    if (bin >= share) return;
    if (bin != current) flush();
    current = bin;
    ++run;
  };
  for_each_value(in, n, blockIdx.x / parts, gridDim.x / parts, visit, [&] {
    flush();
    __syncthreads();
  });
  for (unsigned w = threadIdx.x; w < share / 2; w += blockDim.x) {
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

// Launches a multiple of `parts` blocks: as many as there is work for, and as the device holds at once.
template <typename Kernel, typename... Arguments>
void launch(Kernel kernel, unsigned parts, std::size_t shared_bytes, const int* in, std::size_t n,
            unsigned* bins, unsigned nbins, Arguments... arguments) {
  int on_each = 0;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes));
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&on_each, kernel, threads_per_block, shared_bytes);
  const auto most = static_cast<std::size_t>(attribute(cudaDevAttrMultiProcessorCount) * on_each) / parts;
  const std::size_t groups = std::clamp<std::size_t>(divide_up(n, values_per_round), 1, most);
  cudaMemsetAsync(bins, 0, nbins * sizeof(unsigned));
  kernel<<<static_cast<unsigned>(groups) * parts, threads_per_block, shared_bytes>>>(in, n, bins, nbins,
                                                                                     arguments...);
}

} // namespace

Regime histogram(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const auto most_words = static_cast<unsigned>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)) / 4;
  if (nbins <= most_words) {
    launch(histogram_words_kernel, 1, nbins * sizeof(unsigned), in, n, bins, nbins);
    return Regime::shared;
  }
  const auto parts = static_cast<unsigned>(divide_up(nbins, 2 * most_words));
  if (parts > most_parts) {
    launch(histogram_global_kernel, 1, 0, in, n, bins, nbins);
    return Regime::global;
  }
  const auto share = static_cast<unsigned>(2 * divide_up(divide_up(nbins, parts), 2));
  launch(histogram_parts_kernel, parts, share / 2 * sizeof(unsigned), in, n, bins, nbins, parts, share);
  return Regime::shared;
}
