// Step 8: three bits.
//
// Idea        a counter of 3 bits: ten in a word, so that a block has counters for 560,000 bins, and no value is read twice.
//             They run over at every eighth value of a bin. That costs two global atomics that no thread waits for, and is worth
//             it as long as it is rare: with at most 4 values per counter on average, one counter in twenty runs over (values
//             spread over all bins; Poisson's distribution). Beyond that step 7 is taken.
//             The bins of a word lie 56,000 apart. So the lanes of a warp, which have neighbouring words, add up neighbouring
//             bins of the first counter, then of the second, and so on, without a division, and 10 counters for each read.
//             Of the four values of a vector all atomics are in flight before the first carry is tested, and one branch
//             tests all four.
// Bottleneck  instructions, and adding up: every block has counters for all bins, 69 million of them together with 524,288 bins.
// Counters    one shared atomic per value, none remote; every value read once up to 560,000 bins, if there are few values per bin.
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

int attribute(cudaDeviceAttr which) {
  int value = 0;
  cudaDeviceGetAttribute(&value, which, 0);
  return value;
}

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
  // Whether the values look as if many were equal; for all threads of the block, with its first round.
  __device__ bool is_skewed(std::size_t first, std::size_t count, unsigned nbins) const {
    const bool equal =
        first + threadIdx.x < count && bin_of(values[0].x, nbins) == bin_of(values[0].y, nbins);
    return __syncthreads_count(equal) > threads_per_block / 16;
  }
};

// Counts the values of all rounds from `now` on with add(bin), but in a register while a thread meets the same bin again
// and again: put_away(bin, times) writes that down. Values whose own_bin(value) is `own` or more are another block's;
// `own` is no_bin where all bins are this block's.
template <typename OwnBin, typename Add, typename PutAway>
__device__ void count_skewed(Round now, const int4* vectors, std::size_t first, std::size_t count,
                             std::size_t step, unsigned own, OwnBin own_bin, Add add, PutAway put_away) {
  unsigned usual = no_bin, times = 0, times_before = 0; // the bin that this thread counts in a register
  for (Round next; first < count; first += step) {
    next.load(vectors, first + step, count);
    if (times == times_before && first + threadIdx.x < count) { // it did not come up in the last round
      if (times > 0) put_away(usual, times);
      times = 0;
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
  if (times > 0) put_away(usual, times);
}

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
  const auto own_bin = [&](int value) { return bin_of(value, nbins) - first_bin; }; // large if another's
  const auto add = [&](unsigned bin) { Counters::add(counts, ledger, own, bin, 1); };
  if (!now.is_skewed(first, count, nbins)) {
    for (; first < count; first += step) {
      next.load(vectors, first + step, count);
      now.each(first, count, [&](int value) {
        if (const unsigned bin = own_bin(value); bin < own) add(bin);
      });
      now = next;
    }
  } else {
    count_skewed(now, vectors, first, count, step, own, own_bin, add, [&](unsigned bin, unsigned times) {
      if (times > Counters::highest)
        ledger.add(bin, times);
      else
        Counters::add(counts, ledger, own, bin, times);
    });
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

// ---- ten counters of three bits in a word, for few values per bin

// Counter k of word w is the one of bin k * words + w.
namespace three_bits {

constexpr unsigned bits = 3, in_a_word = 10, highest = (1u << bits) - 1;
constexpr unsigned words =
    56'000; // 224,000 bytes; with the table all but 256 bytes of what a block of an H200 may have
constexpr unsigned values_a_counter = 4;

__device__ unsigned counter(unsigned word, unsigned k) { return word >> k * bits & highest; }

// A carry has made counter k, that of `bin`, run over in a word that was `old`.
__device__ __noinline__ void carry_on(unsigned* bins, unsigned nbins, unsigned bin, unsigned k,
                                      unsigned old) {
  for (; bin < nbins && counter(old, k) == highest; ++k) {
    atomicAdd(&bins[bin], highest + 1);
    bin += words;
    if (bin < nbins) atomicAdd(&bins[bin], ~0U); // that is -1
  }
}

// A carry has made the bin's counter run over in a word that was `old`. What it changed is written down in `bins`, as in
// step 7.
__device__ void write_down(unsigned* bins, unsigned nbins, unsigned bin, unsigned old) {
  const unsigned k = bin / words;
  atomicAdd(&bins[bin], highest + 1);
  if (bin + words >= nbins) return;
  atomicAdd(&bins[bin + words], ~0U); // that is -1
  if (counter(old, k + 1) == highest) carry_on(bins, nbins, bin + words, k + 1, old);
}

// Adds one to the bin's counter.
__device__ void add(unsigned* counts, unsigned* bins, unsigned nbins, unsigned bin) {
  const unsigned k = bin / words;
  const unsigned old = atomicAdd(&counts[bin % words], 1u << k * bits);
  if (counter(old, k) == highest) write_down(bins, nbins, bin, old);
}

// Adds one to the counter of each of four bins: the four atomics are under way together, and one branch asks for carries.
__device__ void add_four(unsigned* counts, unsigned* bins, unsigned nbins, int4 values) {
  const unsigned bin[4] = {bin_of(values.x, nbins), bin_of(values.y, nbins), bin_of(values.z, nbins),
                           bin_of(values.w, nbins)};
  unsigned old[4];
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) old[i] = atomicAdd(&counts[bin[i] % words], 1u << bin[i] / words * bits);
  bool carried[4];
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) carried[i] = counter(old[i], bin[i] / words) == highest;
  if (!(carried[0] | carried[1] | carried[2] | carried[3])) return;
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    if (carried[i]) write_down(bins, nbins, bin[i], old[i]);
  }
}

__global__ void __launch_bounds__(threads_per_block)
    histogram_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  extern __shared__ unsigned counts[];
  __shared__ unsigned owners[places], sums[places];
  const Ledger ledger{owners, sums, bins};
  for (unsigned w = threadIdx.x; w < words; w += blockDim.x) counts[w] = 0;
  owners[threadIdx.x] = no_bin;
  sums[threadIdx.x] = 0;

  const int4* vectors = reinterpret_cast<const int4*>(in);
  const std::size_t count = n / 4, round = values_per_round / 4, step = gridDim.x * round;
  std::size_t first = blockIdx.x * round;
  Round now, next;
  now.load(vectors, first, count);
  if (!now.is_skewed(first, count, nbins)) {
    for (; first < count; first += step) {
      next.load(vectors, first + step, count);
#pragma unroll
      for (unsigned k = 0; k < vectors_per_round; ++k) {
        if (first + k * blockDim.x + threadIdx.x < count) add_four(counts, bins, nbins, now.values[k]);
      }
      now = next;
    }
  } else {
    count_skewed(
        now, vectors, first, count, step, no_bin, [&](int value) { return bin_of(value, nbins); },
        [&](unsigned bin) { add(counts, bins, nbins, bin); },
        [&](unsigned bin, unsigned times) { ledger.add(bin, times); });
  }
  if (const std::size_t last = 4 * count + threadIdx.x; blockIdx.x == 0 && last < n)
    add(counts, bins, nbins, bin_of(in[last], nbins));
  __syncthreads();
  for (unsigned w = threadIdx.x; w < words; w += blockDim.x) {
    const unsigned word = counts[w];
#pragma unroll
    for (unsigned k = 0; k < in_a_word; ++k) { // the lanes' bins are neighbours
      const unsigned bin = k * words + w, counted = counter(word, k);
      if (counted != 0 && bin < nbins) atomicAdd(&bins[bin], counted);
    }
  }
  if (owners[threadIdx.x] != no_bin) atomicAdd(&bins[owners[threadIdx.x]], sums[threadIdx.x]);
}

// Whether a block has counters for all bins, and the values of each are few.
bool suits(std::size_t n, unsigned nbins, std::size_t room) {
  const auto blocks =
      static_cast<std::size_t>(attribute(cudaDevAttrMultiProcessorCount)); // as they fill one each
  return words * sizeof(unsigned) + table_bytes <= room && nbins <= in_a_word * words &&
         n / values_a_counter <= nbins * blocks;
}

} // namespace three_bits

__global__ void histogram_global_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads)
    atomicAdd(&bins[bin_of(in[i], nbins)], 1u);
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
  const unsigned parts = parts_for(nbins, words, 5);
  if (parts != 1 && three_bits::suits(n, nbins, room)) {
    launch(three_bits::histogram_kernel, 1, three_bits::words * sizeof(unsigned), in, n, bins, nbins);
    return Regime::shared;
  }
  if (parts != 0) {
    launch_packed<5>(in, n, bins, nbins, parts);
    return Regime::shared;
  }
  launch(histogram_global_kernel, 1, 0, in, n, bins, nbins);
  return Regime::global;
}
