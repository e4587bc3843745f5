// Step 9: carries taken back.
//
// Idea        two changes to what step 8 pays for many bins.
//             A carry: the thread that finds its counter run over takes the carry out of the next counter again, by an atomic
//             on the same word in shared memory. Step 8 left it there and wrote down -1 for the next bin in global memory. So
//             one global atomic per carry is left, for the 2^bits that the bin's own counter lost.
//             Adding up: the blocks store their words, with the counters packed as they are, and wait for one another. Then
//             each block adds up a part of the words of all blocks and writes these bins once. Step 8 sends one global atomic
//             per bin and block.
// Why that is exact
//             Each of the two atomics on a word changes it by a known amount and returns what it was, so the thread knows
//             which counters it changed, and how. What the addition and the subtraction did to other bins' counters is nothing
//             together if the carry stopped in the next counter and the borrow did too. If not (the next counter was full, or
//             other threads changed it in between so that it was 0), the thread writes down the difference for each bin. At any
//             time a bin's counter, what is written down for it, and what a thread is just about to write down make up what was
//             counted; sums do not depend on an order, and a thread that comes between the two atomics goes by what it finds.
// Adding up   takes two neighbouring counters for one of twice the bits: one addition sums up every other counter of a word.
// In flight   four vectors per thread with counters of 16 and 8 bits; two with smaller ones, where four were slower.
// Bottleneck  the memory; from 262,144 bins on also adding up; with counters of 3 bits, counting and carries.
// Counters    as in step 8, but each carry costs one shared and one global atomic, and nothing else goes to `bins` by atomics.
// Beyond the readable solution: no item asks for this.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>

namespace {

namespace cg = cooperative_groups;

constexpr unsigned threads_per_block = 1024;
constexpr unsigned most_parts = 8;             // beyond, global atomics are as fast
constexpr unsigned values_a_counter = 4;       // that counters of three bits are good for, on average
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
  return static_cast<unsigned>(max(min(value, static_cast<int>(nbins - 1)), 0));
}

// The vectors of one round: this thread's are blockDim.x apart. Where there are none they stay as they are.
template <unsigned vectors_per_round>
struct Round {
  static constexpr unsigned vectors = vectors_per_round * threads_per_block; // of the block
  int4 values[vectors_per_round];
  __device__ void load(const int4* in, std::size_t first, std::size_t count) {
#pragma unroll
    for (unsigned k = 0; k < vectors_per_round; ++k) {
      const std::size_t i = first + k * blockDim.x + threadIdx.x;
      if (i < count) values[k] = in[i];
    }
  }
  // Calls visit(vector) for those that load() found.
  template <typename Visit>
  __device__ void each(std::size_t first, std::size_t count, Visit visit) const {
#pragma unroll
    for (unsigned k = 0; k < vectors_per_round; ++k) {
      if (first + k * blockDim.x + threadIdx.x < count) visit(values[k]);
    }
  }
  // Whether the values look as if many were equal; for all threads of the block, with its first round.
  __device__ bool is_skewed(std::size_t first, std::size_t count, unsigned nbins) const {
    const bool equal =
        first + threadIdx.x < count && bin_of(values[0].x, nbins) == bin_of(values[0].y, nbins);
    return __syncthreads_count(equal) > threads_per_block / 16;
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
  Round<4> now, next;
  const std::size_t step = gridDim.x * now.vectors;
  std::size_t first = blockIdx.x * now.vectors;
  now.load(vectors, first, n / 4);
  for (; first < n / 4; first += step) {
    next.load(vectors, first + step, n / 4); // under way while this round is counted
    now.each(first, n / 4, [&](int4 values) {
      count(values.x);
      count(values.y);
      count(values.z);
      count(values.w);
    });
    now = next;
  }
  if (const std::size_t last = n / 4 * 4 + threadIdx.x; blockIdx.x == 0 && last < n) count(in[last]);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[b], counts[b]);
  }
}

// ---- several counters in a word

// Sums of values that threads counted in a register: modulo 2^32, as `bins` itself.
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

// A call's parameters. Block p of every `parts` blocks owns the bins from p * in_a_word * words on, as many as it has
// counters for. The `parts` blocks together go through the same values.
struct Task {
  const int* in;
  std::size_t n;
  unsigned* bins;
  unsigned nbins, parts;
  unsigned words;      // of a block, a multiple of 4
  unsigned reciprocal; // 2^36 / words, the next larger integer
  uint4* stored;       // the words of one block after the other, four by four
};

// The counters of a block. Counter k of word w is that of its bin k * words + w. So the lanes of a warp, which add up
// neighbouring words, write neighbouring bins.
template <unsigned in_a_word>
struct Counters {
  static constexpr unsigned bits = 32 / in_a_word, highest = (1u << bits) - 1;
  static constexpr bool may_share_out = in_a_word == 5; // with others one block has counters for all bins
  using Values = Round<in_a_word <= 4 ? 4 : 2>;

  unsigned* counts; // in shared memory
  unsigned words, reciprocal;
  unsigned* bins; // from the block's first on
  unsigned first_bin, own, nbins;

  __device__ static unsigned counter(unsigned word, unsigned k) { return word >> k * bits & highest; }

  // bin / words. Exact: as bin * words < 2^36, the rounding of `reciprocal` adds less than 1 / words, and bin / words is at
  // least that far below the next integer.
  __device__ unsigned counter_of(unsigned bin) const { return __umulhi(bin, reciprocal) >> 4; }

  __device__ unsigned own_bin(int value) const { // large if another block's
    return bin_of(value, nbins) - (may_share_out ? first_bin : 0);
  }

  // An addition to counter k, that of `bin`, carried into a word that was `old`, and the subtraction that took the carry
  // back found the word as `then`. Writes down what both together did to the counters of other bins.
  static __device__ __noinline__ void write_down(unsigned* bins, unsigned own, unsigned words, unsigned bin,
                                                 unsigned k, unsigned old, unsigned then) {
    bool carries = true, borrows = true; // into the counter k
    for (++k, bin += words; k < in_a_word && bin < own; ++k, bin += words) {
      unsigned owed = 0; // modulo 2^32
      if (carries) {
        carries = counter(old, k) == highest; // then it became 0, else one more
        owed += carries ? highest : ~0U;
      }
      if (borrows) {
        borrows = counter(then, k) == 0; // then it became the highest, else one less
        owed += borrows ? 0 - highest : 1;
      }
      if (owed != 0) atomicAdd(&bins[bin], owed);
    }
  }

  // An addition to the bin's counter carried, in a word that was `old`. From the last counter, or into one without a bin, it
  // carries into bits that are not read.
  __device__ void take_back(unsigned bin, unsigned old) const {
    atomicAdd(&bins[bin], highest + 1);
    const unsigned k = counter_of(bin);
    if (k + 1 == in_a_word || bin + words >= own) return;
    const unsigned then = atomicSub(&counts[bin - k * words], 1u << (k + 1) * bits);
    if (counter(old, k + 1) == highest || counter(then, k + 1) == 0)
      write_down(bins, own, words, bin, k, old, then);
  }

  // Adds one to the counter of each value's bin, but to `times` for `usual` if values are skewed. All atomics are in flight
  // before the first carry is tested, and one branch tests all.
  template <bool skewed, unsigned size>
  __device__ void add(const int (&values)[size], unsigned usual, unsigned& times) const {
    unsigned bin[size], old[size], full[size];
#pragma unroll
    for (unsigned i = 0; i < size; ++i) {
      bin[i] = own_bin(values[i]);
      old[i] = 0;
      full[i] = highest;
      if (may_share_out && bin[i] >= own) continue;
      if (skewed && bin[i] == usual) {
        ++times;
        continue;
      }
      const unsigned k = counter_of(bin[i]), one = 1u << k * bits;
      full[i] = one * highest;
      old[i] = atomicAdd(&counts[bin[i] - k * words], one);
    }
    bool carried = false;
#pragma unroll
    for (unsigned i = 0; i < size; ++i) carried |= (old[i] & full[i]) == full[i];
    if (!carried) return;
#pragma unroll
    for (unsigned i = 0; i < size; ++i) {
      if ((old[i] & full[i]) == full[i]) take_back(bin[i], old[i]);
    }
  }

  // Counts the values of all rounds from `now` on. If they are skewed, a thread counts in a register while it meets the same
  // bin again and again.
  template <bool skewed>
  __device__ void add_all(Values now, const int4* in, std::size_t first, std::size_t count, std::size_t step,
                          Ledger ledger) const {
    unsigned usual = no_bin, times = 0, times_before = 0; // the bin that this thread counts in a register
    for (Values next; first < count; first += step) {
      next.load(in, first + step, count);
      if (skewed && times == times_before &&
          first + threadIdx.x < count) { // it did not come up in the last round
        if (times > 0) ledger.add(usual, times);
        times = 0;
        usual = own_bin(now.values[0].x);
      }
      times_before = times;
      now.each(first, count, [&](int4 v) {
        const int values[4] = {v.x, v.y, v.z, v.w};
        add<skewed>(values, usual, times);
      });
      now = next;
    }
    if (times > 0) ledger.add(usual, times);
  }
};

// Adds to `bins` what the blocks of a part have stored: `blocks` of them, `stride` quads of words apart. This block does so
// for the quads from first_quad on. `sums` is shared memory.
template <unsigned in_a_word>
__device__ void add_up(Counters<in_a_word> counters, const uint4* stored, unsigned blocks, std::size_t stride,
                       unsigned first_quad, unsigned last_quad, unsigned* sums) {
  constexpr unsigned bits = Counters<in_a_word>::bits, highest = Counters<in_a_word>::highest;
  constexpr unsigned columns = 128, groups = threads_per_block / columns; // of threads
  // Words whose counters add up to less than 2^(2 bits), or 2^8 where the last of five counters has but 8 bits.
  constexpr unsigned at_once = in_a_word == 10 ? 9 : in_a_word == 5 ? 4 : 8;
  constexpr auto wide = static_cast<unsigned>((1ull << 2 * bits) - 1);
  unsigned every_other = 0; // counter, from the first on
#pragma unroll
  for (unsigned k = 0; k < in_a_word; k += 2) every_other |= highest << k * bits;

  const unsigned column = threadIdx.x % columns, group = threadIdx.x / columns;
  for (; first_quad < last_quad; first_quad += columns) {
    for (unsigned i = threadIdx.x; i < in_a_word * 4 * columns; i += blockDim.x) sums[i] = 0;
    __syncthreads();
    if (first_quad + column < last_quad) {
      const uint4* from = stored + first_quad + column;
      for (unsigned b = group; b < blocks; b += groups * at_once) {
        uint4 quads[at_once];
#pragma unroll
        for (unsigned j = 0; j < at_once; ++j) {
          const unsigned block = b + j * groups;
          quads[j] = block < blocks ? from[block * stride] : uint4{0, 0, 0, 0};
        }
        unsigned pairs[2][4] = {}; // sums of the even counters, and of the odd ones
#pragma unroll
        for (unsigned j = 0; j < at_once; ++j) {
          const unsigned words[4] = {quads[j].x, quads[j].y, quads[j].z, quads[j].w};
#pragma unroll
          for (unsigned q = 0; q < 4; ++q) {
            pairs[0][q] += words[q] & every_other;
            pairs[1][q] += words[q] >> bits & every_other;
          }
        }
#pragma unroll
        for (unsigned k = 0; k < in_a_word; ++k) {
#pragma unroll
          for (unsigned q = 0; q < 4; ++q)
            atomicAdd(&sums[(k * 4 + q) * columns + column], pairs[k % 2][q] >> k / 2 * 2 * bits & wide);
        }
      }
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < in_a_word * 4 * columns;
         i += blockDim.x) { // the lanes' bins are neighbours
      const unsigned k = i / (4 * columns), w = i % (4 * columns),
                     bin = k * counters.words + 4 * first_quad + w;
      if (4 * first_quad + w < 4 * last_quad && bin < counters.own)
        counters.bins[bin] += sums[(k * 4 + w % 4) * columns + w / 4];
    }
    __syncthreads();
  }
}

template <unsigned in_a_word>
__global__ void __launch_bounds__(threads_per_block) histogram_packed_kernel(Task task) {
  extern __shared__ uint4 quads[];
  __shared__ unsigned owners[places], sums[places];
  const unsigned part = blockIdx.x % task.parts, rank = blockIdx.x / task.parts,
                 blocks = gridDim.x / task.parts;
  const unsigned first_bin = part * in_a_word * task.words,
                 own = min(in_a_word * task.words, task.nbins - first_bin);
  const Counters<in_a_word> counters{reinterpret_cast<unsigned*>(quads),
                                     task.words,
                                     task.reciprocal,
                                     task.bins + first_bin,
                                     first_bin,
                                     own,
                                     task.nbins};
  const Ledger ledger{owners, sums, counters.bins};

  const int4* vectors = reinterpret_cast<const int4*>(task.in);
  typename Counters<in_a_word>::Values now;
  const std::size_t count = task.n / 4, step = std::size_t{blocks} * now.vectors;
  const std::size_t first = std::size_t{rank} * now.vectors;
  now.load(vectors, first, count);
  const unsigned all_quads = task.words / 4;
  for (unsigned i = threadIdx.x; i < all_quads; i += blockDim.x) quads[i] = uint4{0, 0, 0, 0};
  owners[threadIdx.x] = no_bin;
  sums[threadIdx.x] = 0;
  if (now.is_skewed(first, count, task.nbins))
    counters.template add_all<true>(now, vectors, first, count, step, ledger);
  else
    counters.template add_all<false>(now, vectors, first, count, step, ledger);
  if (const std::size_t last = 4 * count + threadIdx.x; rank == 0 && last < task.n) {
    const int value[1] = {task.in[last]};
    unsigned none = 0;
    counters.template add<false>(value, no_bin, none);
  }
  __syncthreads();

  uint4* mine = task.stored + std::size_t{blockIdx.x} * all_quads;
  for (unsigned i = threadIdx.x; i < all_quads; i += blockDim.x) mine[i] = quads[i];
  if (owners[threadIdx.x] != no_bin) atomicAdd(&counters.bins[owners[threadIdx.x]], sums[threadIdx.x]);
  cg::this_grid().sync();
  const unsigned slice = (all_quads + blocks - 1) / blocks;
  add_up(counters, task.stored + std::size_t{part} * all_quads, blocks, std::size_t{task.parts} * all_quads,
         rank * slice, min((rank + 1) * slice, all_quads), counters.counts);
}

// ---- in global memory

__global__ void histogram_global_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads)
    atomicAdd(&bins[bin_of(in[i], nbins)], 1u);
}

// ---- launches

// Prepares a launch: as many times `parts` blocks as there is work for, and as the device holds at once.
template <typename Kernel>
unsigned blocks_for(Kernel kernel, unsigned parts, std::size_t shared_bytes, std::size_t n,
                    unsigned vectors_per_round) {
  int on_each = 0;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes));
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&on_each, kernel, threads_per_block, shared_bytes);
  const auto most = static_cast<std::size_t>(attribute(cudaDevAttrMultiProcessorCount) * on_each) / parts;
  return static_cast<unsigned>(std::clamp<std::size_t>(divide_up(n, 4 * vectors_per_round), 1, most)) * parts;
}

template <typename Kernel>
void launch(Kernel kernel, std::size_t shared_bytes, const int* in, std::size_t n, unsigned* bins,
            unsigned nbins) {
  const unsigned blocks = blocks_for(kernel, 1, shared_bytes, n, Round<4>::vectors);
  kernel<<<blocks, threads_per_block, shared_bytes>>>(in, n, bins, nbins);
}

template <unsigned in_a_word>
void launch_packed(uint4* stored, const int* in, std::size_t n, unsigned* bins, unsigned nbins,
                   unsigned parts) {
  const auto words = static_cast<unsigned>(4 * divide_up(divide_up(nbins, parts), 4 * in_a_word));
  const auto kernel = histogram_packed_kernel<in_a_word>;
  const std::size_t shared_bytes = words * sizeof(unsigned);
  const unsigned blocks = blocks_for(kernel, parts, shared_bytes, n, Counters<in_a_word>::Values::vectors);
  Task task{in, n, bins, nbins, parts, words, static_cast<unsigned>((1ull << 36) / words + 1), stored};
  void* arguments[] = {&task};
  cudaLaunchCooperativeKernel(kernel, blocks, threads_per_block, arguments, shared_bytes);
}

} // namespace

Regime histogram(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const auto room = static_cast<unsigned>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  const auto multiprocessors = static_cast<std::size_t>(attribute(cudaDevAttrMultiProcessorCount));
  const unsigned words = (room - table_bytes) / sizeof(uint4) * 4; // beside the table
  const std::size_t parts = divide_up(nbins, 5 * words);
  cudaMemsetAsync(bins, 0, nbins * sizeof(unsigned));
  if (nbins <= room / sizeof(unsigned)) {
    launch(histogram_words_kernel, nbins * sizeof(unsigned), in, n, bins, nbins);
    return Regime::shared;
  }
  if (parts > most_parts) {
    launch(histogram_global_kernel, 0, in, n, bins, nbins);
    return Regime::global;
  }
  // Room for what all blocks of a launch store, kept from call to call: a block fills a multiprocessor.
  static uint4* stored = nullptr;
  if (stored == nullptr && cudaMalloc(&stored, multiprocessors * words * sizeof(unsigned)) != cudaSuccess)
    return Regime::shared; // the error stays for whoever asks
  if (nbins <= 2 * words)
    launch_packed<2>(stored, in, n, bins, nbins, 1);
  else if (nbins <= 4 * words)
    launch_packed<4>(stored, in, n, bins, nbins, 1);
  else if (parts > 1 && nbins <= 10 * words && n / values_a_counter <= nbins * multiprocessors)
    launch_packed<10>(stored, in, n, bins, nbins, 1);
  else
    launch_packed<5>(stored, in, n, bins, nbins, static_cast<unsigned>(parts));
  return Regime::shared;
}
