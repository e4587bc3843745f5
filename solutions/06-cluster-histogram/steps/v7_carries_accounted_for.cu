// Step 7: carries that are accounted for.
//
// Idea        counters of 16, 8 or 6 bits: 2, 4 or 5 in a word, so that a block holds up to 290,560 of them. No counter is
//             kept from running over. The thread that makes it run over sees that in what atomicAdd returns, and corrects what
//             the carry did: 2^bits more in the bin itself, 1 less in the neighbour whose counter received the carry.
// Why that is exact
//             Each addition changes a word by a known amount, and the old value tells which counters it carried over. After
//             it, what a bin's counter holds and what has been written down for the bin have grown together by just what
//             was to be counted, whatever other threads do in between: sums do not depend on an order. No barrier is
//             needed while counting, and no guard.
// Beside it   what carries write down goes to a small table in shared memory, as bins that run over once will do so
//             again, and into `bins` only where the table's place is taken. A block that finds many equal neighbours among
//             its first values keeps a counter in a register for the bin that comes up most.
//             The code for carries is a function that is not inlined. Inlined, it is among the counting of the values
//             that follow, and a warp whose lanes parted there came together only much later: up to seven times slower
//             with skewed values.
// Bottleneck  the memory up to 58,112 bins; then instructions (17 per value), and adding up: every block has all counters
//             of its part to add to `bins`. With 524,288 bins two blocks look at each value.
// Counters    at most one shared atomic per value, none remote; every value read once up to 290,560 bins.
// Beyond the readable solution: no item asks for this.

#include <cuda_runtime.h>

#include <algorithm>

namespace {

constexpr unsigned threads_per_block = 1024;
constexpr unsigned vectors_per_round = 4; // of four values, for each thread
constexpr unsigned values_per_round = 4 * vectors_per_round * threads_per_block;
constexpr unsigned most_parts = 8;             // beyond, global atomics are as fast
constexpr unsigned places = threads_per_block; // of the table
constexpr unsigned table_bytes = 2 * places * sizeof(unsigned);
constexpr unsigned no_bin = 0xffffffff;

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

// ---- a word for a counter, as in step 3

__global__ void __launch_bounds__(threads_per_block)
    histogram_words_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  extern __shared__ unsigned counts[];
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  const auto count = [&](int value) { atomicAdd(&counts[bin_of(value, nbins)], 1u); };
  const int4* vectors = reinterpret_cast<const int4*>(in);
  const std::size_t round = values_per_round / 4, step = gridDim.x * round;
  Round now, next;
  std::size_t first = blockIdx.x * round;
  now.load(vectors, first, n / 4);
  for (; first < n / 4; first += step) {
    next.load(vectors, first + step, n / 4); // under way while this round is counted
    now.each(first, n / 4, count);
    now = next;
  }
  if (const std::size_t last = n / 4 * 4 + threadIdx.x; blockIdx.x == 0 && last < n) count(in[last]);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[b], counts[b]);
  }
}

// ---- several counters in a word

// Sums for bins of which there is more to write down than a counter holds: modulo 2^32, as `bins` itself.
struct Ledger {
  unsigned* owners; // of each place: a bin, or no_bin
  unsigned* sums;
  unsigned* bins; // for those that come to a place that is taken

  __device__ void add(unsigned bin, unsigned amount) const {
    const unsigned place = bin % places;
    const unsigned owner = atomicCAS(&owners[place], no_bin, bin);
    atomicAdd(owner == no_bin || owner == bin ? &sums[place] : &bins[bin], amount);
  }
};

template <unsigned in_a_word>
struct Packed {
  static constexpr unsigned bits = 32 / in_a_word, highest = (1u << bits) - 1;

  __device__ static unsigned counter(unsigned word, unsigned k) { return word >> k * bits & highest; }

  // An addition to the bin's counter, in a word that was `old`, has carried. From the last counter of a word it carries
  // into bits that are not read.
  static __device__ __noinline__ void write_down(Ledger ledger, unsigned nbins, unsigned bin, unsigned old) {
    ledger.add(bin, highest + 1);
    for (unsigned k = bin % in_a_word + 1; k < in_a_word && ++bin < nbins; ++k) {
      ledger.add(bin, ~0U); // that is -1
      if (counter(old, k) != highest) return;
      ledger.add(bin, highest + 1);
    }
  }

  // Adds `amount`, at most `highest`, to the bin's counter.
  __device__ static void add(unsigned* counts, Ledger ledger, unsigned nbins, unsigned bin, unsigned amount) {
    const unsigned k = bin % in_a_word;
    const unsigned old = atomicAdd(&counts[bin / in_a_word], amount << k * bits);
    if (counter(old, k) + amount > highest) write_down(ledger, nbins, bin, old);
  }
};

// Block p of every `parts` blocks owns the `share` bins from p * share on; `share` is a multiple of in_a_word. The `parts`
// blocks together go through the same values.
template <unsigned in_a_word>
__global__ void __launch_bounds__(threads_per_block)
    histogram_packed_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins, unsigned parts,
                            unsigned share) {
  using Counters = Packed<in_a_word>;
  extern __shared__ unsigned counts[];
  __shared__ unsigned owners[places], sums[places];
  const unsigned first_bin = blockIdx.x % parts * share;
  const unsigned own = min(share, nbins - first_bin);
  const Ledger ledger{owners, sums, bins + first_bin};
  for (unsigned w = threadIdx.x; w < share / in_a_word; w += blockDim.x) counts[w] = 0;
  owners[threadIdx.x] = no_bin;
  sums[threadIdx.x] = 0;

  const int4* vectors = reinterpret_cast<const int4*>(in);
  const std::size_t count = n / 4, round = values_per_round / 4, step = gridDim.x / parts * round;
  std::size_t first = blockIdx.x / parts * round;
  Round now, next;
  now.load(vectors, first, count);
  const int4 start = now.values[0];
  const bool equal = first + threadIdx.x < count && bin_of(start.x, nbins) == bin_of(start.y, nbins);
  const bool is_skewed = __syncthreads_count(equal) > threads_per_block / 16;

  const auto own_bin = [&](int value) { return bin_of(value, nbins) - first_bin; }; // large if another's
  const auto add = [&](unsigned bin) { Counters::add(counts, ledger, own, bin, 1); };
  if (!is_skewed) {
    for (; first < count; first += step) {
      next.load(vectors, first + step, count);
      now.each(first, count, [&](int value) {
        if (const unsigned bin = own_bin(value); bin < own) add(bin);
      });
      now = next;
    }
  } else {
    unsigned usual = no_bin, times = 0, times_before = 0; // the bin that this thread counts in a register
    const auto put_away = [&] {
      if (times > Counters::highest)
        ledger.add(usual, times);
      else if (times > 0)
        Counters::add(counts, ledger, own, usual, times);
      times = 0;
    };
    for (; first < count; first += step) {
      next.load(vectors, first + step, count);
      if (times == times_before && first + threadIdx.x < count) { // it did not come up in the last round
        put_away();
        usual = own_bin(now.values[0].x);
        if (usual >= own) usual = no_bin;
      }
      times_before = times;
      now.each(first, count, [&](int value) {
        const unsigned bin = own_bin(value);
        if (bin >= own) return;
        if (bin == usual)
          ++times;
        else
          add(bin);
      });
      now = next;
    }
    put_away();
  }
  if (const std::size_t last = 4 * count + threadIdx.x; blockIdx.x < parts && last < n) {
    if (const unsigned bin = own_bin(in[last]); bin < own) add(bin);
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < own; b += blockDim.x) { // a lane a bin: neighbours go to memory together
    const unsigned counted = Counters::counter(counts[b / in_a_word], b % in_a_word);
    if (counted != 0) atomicAdd(&bins[first_bin + b], counted);
  }
  if (owners[threadIdx.x] != no_bin) atomicAdd(&bins[first_bin + owners[threadIdx.x]], sums[threadIdx.x]);
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

// Blocks that share out the bins, with words for `in_a_word` counters; 0 if they would be too many.
unsigned parts_for(unsigned nbins, unsigned words, unsigned in_a_word) {
  const std::size_t parts = divide_up(nbins, words * in_a_word);
  return parts > most_parts ? 0 : static_cast<unsigned>(parts);
}

template <unsigned in_a_word>
void launch_packed(const int* in, std::size_t n, unsigned* bins, unsigned nbins, unsigned parts) {
  const auto words = static_cast<unsigned>(divide_up(divide_up(nbins, parts), in_a_word));
  launch(histogram_packed_kernel<in_a_word>, parts, words * sizeof(unsigned), in, n, bins, nbins, parts,
         words * in_a_word);
}

} // namespace

Regime histogram(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const auto room = static_cast<unsigned>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  const unsigned words = (room - table_bytes) / sizeof(unsigned);
  if (nbins <= room / sizeof(unsigned)) {
    launch(histogram_words_kernel, 1, nbins * sizeof(unsigned), in, n, bins, nbins);
    return Regime::shared;
  }
  if (parts_for(nbins, words, 2) == 1) {
    launch_packed<2>(in, n, bins, nbins, 1);
    return Regime::shared;
  }
  if (parts_for(nbins, words, 4) == 1) {
    launch_packed<4>(in, n, bins, nbins, 1);
    return Regime::shared;
  }
  if (const unsigned parts = parts_for(nbins, words, 5); parts != 0) {
    launch_packed<5>(in, n, bins, nbins, parts);
    return Regime::shared;
  }
  launch(histogram_global_kernel, 1, 0, in, n, bins, nbins);
  return Regime::global;
}
