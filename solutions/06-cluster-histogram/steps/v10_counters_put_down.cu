// Step 10: counters put down half-way.
//
// Idea        a block stores its words before they are full, sets them to 0 and counts on. With 524,288 bins and 2^28 values,
//             a block of step 9 counts 3.9 values per bin, and a counter of 3 bits holds 7. Now a set of counters gets 1.9.
//             This is half as many, but counters run over 24 times less often. The price is one more set of words per block,
//             to be stored and to be added up.
// When        after every `rounds` rounds of loads a block asks how many of its threads have seen a counter run over, and puts
//             the counters down if it was more than one in eight. The launch chooses `rounds` so that a counter of 3 bits
//             gets at most 2 values on average, unless that takes more than four sets per block. With skewed values few reach
//             the counters; they seldom run over, and nothing is put down.
// Why that is exact
//             A carry is still noticed, taken back and written down as in step 9. A set that was put down is one more block's
//             words to those that add up. All threads of a block ask after the same round, and two barriers enclose the
//             stores: no thread counts in words that are being stored.
// Besides     what step 9 lost without need. "Is the bin mine?" is asked only where blocks share out the bins: with 262,144
//             bins, where they do not, that took 42 of 317 us. Rounds that are full, all but the last, are not tested
//             vector by vector. The blocks set `bins` to 0 while their first loads are under way. Where a counter has a word
//             of its own, a kernel sets `bins` to 0, for which the blocks wait when they have counted, and a thread has six
//             vectors under way, not four.
// Bottleneck  the memory; with 524,288 bins also storing and adding up the second set.
// Counters    as in step 9, but fewer atomics and more bytes stored.
// Beyond the readable solution: no item asks for this.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <utility>

namespace {

namespace cg = cooperative_groups;

constexpr unsigned threads_per_block = 1024;
constexpr unsigned most_parts = 8;  // beyond, global atomics are as fast
constexpr unsigned most_sets = 4;   // of words that a block stores
constexpr unsigned good_values = 2; // per bin, on average, for a set of counters of 3 bits
constexpr unsigned most_values = 4; // for which such a set is still better than to share out the bins
constexpr unsigned places = threads_per_block; // of the table
constexpr unsigned own_bytes =
    2 * places * sizeof(unsigned) + sizeof(uint4); // the table, and where the next set goes
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
  // Calls visit(k, index of vector k) for those that there are.
  template <typename Visit>
  __device__ static void each_index(std::size_t first, std::size_t count, Visit visit) {
    if (first + vectors <= count) { // all, in every round but the last: one test for the block
#pragma unroll
      for (unsigned k = 0; k < vectors_per_round; ++k) visit(k, first + k * blockDim.x + threadIdx.x);
    } else {
#pragma unroll
      for (unsigned k = 0; k < vectors_per_round; ++k) {
        const std::size_t i = first + k * blockDim.x + threadIdx.x;
        if (i < count) visit(k, i);
      }
    }
  }
  __device__ void load(const int4* in, std::size_t first, std::size_t count) {
    each_index(first, count, [&](unsigned k, std::size_t i) { values[k] = in[i]; });
  }
  // Calls visit(vector) for those that load() found.
  template <typename Visit>
  __device__ void each(std::size_t first, std::size_t count, Visit visit) const {
    each_index(first, count, [&](unsigned k, std::size_t) { visit(values[k]); });
  }
  // Whether the values look as if many were equal; for all threads of the block, with its first round.
  __device__ bool is_skewed(std::size_t first, std::size_t count, unsigned nbins) const {
    const bool equal =
        first + threadIdx.x < count && bin_of(values[0].x, nbins) == bin_of(values[0].y, nbins);
    return __syncthreads_count(equal) > threads_per_block / 16;
  }
};

// ---- a word for a counter, as in step 3

using WordsRound = Round<6>; // the most for which the registers suffice

__device__ void let_the_next_kernel_begin() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

// Until all that the kernel before has written can be seen.
__device__ void wait_for_the_kernel_before() {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

__global__ void clear_kernel(unsigned* bins, unsigned nbins) {
  let_the_next_kernel_begin();
  const unsigned b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b < nbins) bins[b] = 0;
}

__global__ void __launch_bounds__(threads_per_block)
    histogram_words_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  extern __shared__ unsigned counts[];
  const int4* vectors = reinterpret_cast<const int4*>(in);
  WordsRound now, next;
  const std::size_t step = gridDim.x * now.vectors;
  std::size_t first = blockIdx.x * now.vectors;
  now.load(vectors, first, n / 4);
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  const auto count = [&](int value) { atomicAdd(&counts[bin_of(value, nbins)], 1u); };
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
  wait_for_the_kernel_before();
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
  unsigned sets;       // of words that a block may store
  std::size_t rounds;  // that a block counts before it may put its words down
  uint4* stored;       // one set of words of each part, then the next of each part, and so on
};

// The sets of words of a part, four by four: first those that its blocks store at the end, then those put down before.
struct Sets {
  uint4* first;
  std::size_t stride;
  unsigned blocks;
  unsigned* put_down; // how many
};

__device__ unsigned sets_put_down[most_parts];

// What a thread keeps to itself.
struct Own {
  unsigned usual = no_bin, times = 0; // the bin that it counts in a register, and how often that came up
  bool ran_over = false;              // whether it saw a counter run over since the words were last put down
};

// The counters of a block. Counter k of word w is that of its bin k * words + w. So the lanes of a warp, which add up
// neighbouring words, write neighbouring bins.
// share_out: this block has counters for some of the bins only.
template <unsigned in_a_word, bool share_out>
struct Counters {
  static constexpr unsigned bits = 32 / in_a_word, highest = (1u << bits) - 1;
  static constexpr bool puts_down = bits < 8; // larger ones hardly run over
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
    return bin_of(value, nbins) - (share_out ? first_bin : 0);
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
  __device__ void add(const int (&values)[size], Own& thread) const {
    unsigned bin[size], old[size], full[size];
#pragma unroll
    for (unsigned i = 0; i < size; ++i) {
      bin[i] = own_bin(values[i]);
      old[i] = 0;
      full[i] = highest;
      if (share_out && bin[i] >= own) continue;
      if (skewed && bin[i] == thread.usual) {
        ++thread.times;
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
    thread.ran_over = true;
#pragma unroll
    for (unsigned i = 0; i < size; ++i) {
      if ((old[i] & full[i]) == full[i]) take_back(bin[i], old[i]);
    }
  }

  // Stores the words as one more set, and sets them to 0. All threads of the block have counted.
  __device__ void put_down(Sets sets) const {
    __shared__ unsigned set;
    if (threadIdx.x == 0) set = sets.blocks + atomicAdd(sets.put_down, 1u);
    __syncthreads(); // `set` is known
    uint4 *quads = reinterpret_cast<uint4*>(counts), *stored = sets.first + set * sets.stride;
    for (unsigned i = threadIdx.x; i < words / 4; i += blockDim.x) {
      stored[i] = quads[i];
      quads[i] = uint4{0, 0, 0, 0};
    }
    __syncthreads(); // no thread counts before all are 0
  }

  // Counts the values of all rounds from `now` on, and puts the words down where they run over. If the values are skewed, a
  // thread counts in a register while it meets the same bin again and again.
  template <bool skewed>
  __device__ void add_all(Values now, std::size_t first, std::size_t count, std::size_t step,
                          const Task& task, Sets sets, Ledger ledger) const {
    const int4* in = reinterpret_cast<const int4*>(task.in);
    const unsigned all_sets = puts_down ? task.sets : 1;
    Own thread;
    unsigned times_before = 0;
    Values next;
    for (unsigned set = 1;; ++set) {
      const std::size_t end = set < all_sets ? min(first + task.rounds * step, count) : count;
      for (; first < end; first += step) {
        next.load(in, first + step, count);
        if (skewed && thread.times == times_before &&
            first + threadIdx.x < count) { // the usual bin did not come up in the last round
          if (thread.times > 0) ledger.add(thread.usual, thread.times);
          thread.times = 0;
          thread.usual = own_bin(now.values[0].x);
        }
        times_before = thread.times;
        now.each(first, count, [&](int4 v) {
          const int values[4] = {v.x, v.y, v.z, v.w};
          add<skewed>(values, thread);
        });
        now = next;
      }
      if (set == all_sets) break;
      if (__syncthreads_count(thread.ran_over) > threads_per_block / 8) {
        put_down(sets);
        thread.ran_over = false;
      }
    }
    if (thread.times > 0) ledger.add(thread.usual, thread.times);
  }
};

// Adds to `bins` what the blocks of a part have stored. This block does so for the quads from first_quad on. `sums` is shared
// memory.
template <unsigned in_a_word, bool share_out>
__device__ void add_up(Counters<in_a_word, share_out> counters, Sets sets, unsigned first_quad,
                       unsigned last_quad, unsigned* sums) {
  constexpr unsigned bits = 32 / in_a_word, highest = (1u << bits) - 1;
  constexpr unsigned columns = 128, groups = threads_per_block / columns; // of threads
  // Words whose counters add up to less than 2^(2 bits), or 2^8 where the last of five counters has but 8 bits.
  constexpr unsigned at_once = in_a_word == 10 ? 9 : in_a_word == 5 ? 4 : 8;
  constexpr auto wide = static_cast<unsigned>((1ull << 2 * bits) - 1);
  unsigned every_other = 0; // counter, from the first on
#pragma unroll
  for (unsigned k = 0; k < in_a_word; k += 2) every_other |= highest << k * bits;

  const unsigned column = threadIdx.x % columns, group = threadIdx.x / columns;
  const unsigned all_sets = sets.blocks + *sets.put_down;
  for (; first_quad < last_quad; first_quad += columns) {
    for (unsigned i = threadIdx.x; i < in_a_word * 4 * columns; i += blockDim.x) sums[i] = 0;
    __syncthreads();
    if (first_quad + column < last_quad) {
      const uint4* from = sets.first + first_quad + column;
      for (unsigned s = group; s < all_sets; s += groups * at_once) {
        uint4 quads[at_once];
#pragma unroll
        for (unsigned j = 0; j < at_once; ++j) {
          const unsigned set = s + j * groups;
          quads[j] = set < all_sets ? from[set * sets.stride] : uint4{0, 0, 0, 0};
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

template <unsigned in_a_word, bool share_out>
__global__ void __launch_bounds__(threads_per_block) histogram_packed_kernel(Task task) {
  extern __shared__ uint4 quads[];
  __shared__ unsigned owners[places], sums[places];
  const unsigned parts = share_out ? task.parts : 1;
  const unsigned part = blockIdx.x % parts, rank = blockIdx.x / parts, blocks = gridDim.x / parts;
  const unsigned first_bin = part * in_a_word * task.words,
                 own = min(in_a_word * task.words, task.nbins - first_bin);
  const Counters<in_a_word, share_out> counters{reinterpret_cast<unsigned*>(quads),
                                                task.words,
                                                task.reciprocal,
                                                task.bins + first_bin,
                                                first_bin,
                                                own,
                                                task.nbins};
  const Ledger ledger{owners, sums, counters.bins};
  const unsigned all_quads = task.words / 4;
  const Sets sets{task.stored + std::size_t{part} * all_quads, std::size_t{parts} * all_quads, blocks,
                  &sets_put_down[part]};
  const auto grid = cg::this_grid();

  typename Counters<in_a_word, share_out>::Values now;
  const std::size_t count = task.n / 4, step = std::size_t{blocks} * now.vectors;
  const std::size_t first = std::size_t{rank} * now.vectors;
  now.load(reinterpret_cast<const int4*>(task.in), first, count);
  for (unsigned b = blockIdx.x * blockDim.x + threadIdx.x; b < task.nbins; b += gridDim.x * blockDim.x)
    task.bins[b] = 0;
  if (rank == 0 && threadIdx.x == 0) *sets.put_down = 0;
  auto arrived = grid.barrier_arrive();
  for (unsigned i = threadIdx.x; i < all_quads; i += blockDim.x) quads[i] = uint4{0, 0, 0, 0};
  owners[threadIdx.x] = no_bin;
  sums[threadIdx.x] = 0;
  grid.barrier_wait(std::move(arrived)); // no thread adds to a bin, or puts down a set, before all are 0
  if (now.is_skewed(first, count, task.nbins))
    counters.template add_all<true>(now, first, count, step, task, sets, ledger);
  else
    counters.template add_all<false>(now, first, count, step, task, sets, ledger);
  if (const std::size_t last = 4 * count + threadIdx.x; rank == 0 && last < task.n) {
    const int value[1] = {task.in[last]};
    Own thread;
    counters.template add<false>(value, thread);
  }
  __syncthreads();

  uint4* stored = sets.first + rank * sets.stride;
  for (unsigned i = threadIdx.x; i < all_quads; i += blockDim.x) stored[i] = quads[i];
  if (owners[threadIdx.x] != no_bin) atomicAdd(&counters.bins[owners[threadIdx.x]], sums[threadIdx.x]);
  grid.sync();
  const unsigned slice = (all_quads + blocks - 1) / blocks;
  add_up(counters, sets, rank * slice, min((rank + 1) * slice, all_quads), counters.counts);
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

void launch_words(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  constexpr unsigned threads_that_clear = 256;
  clear_kernel<<<divide_up(nbins, threads_that_clear), threads_that_clear>>>(bins, nbins);
  const std::size_t shared_bytes = nbins * sizeof(unsigned);
  cudaLaunchAttribute may_begin{};
  may_begin.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  may_begin.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = blocks_for(histogram_words_kernel, 1, shared_bytes, n, WordsRound::vectors);
  config.blockDim = threads_per_block;
  config.dynamicSmemBytes = shared_bytes;
  config.attrs = &may_begin;
  static const bool can_wait = attribute(cudaDevAttrComputeCapabilityMajor) >= 9;
  config.numAttrs = can_wait ? 1 : 0;
  cudaLaunchKernelEx(&config, histogram_words_kernel, in, n, bins, nbins);
}

void launch_global(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const unsigned blocks = blocks_for(histogram_global_kernel, 1, 0, n, 4 * threads_per_block);
  cudaMemsetAsync(bins, 0, nbins * sizeof(unsigned));
  histogram_global_kernel<<<blocks, threads_per_block>>>(in, n, bins, nbins);
}

template <unsigned in_a_word, bool share_out>
void launch_packed(uint4* stored, const int* in, std::size_t n, unsigned* bins, unsigned nbins,
                   unsigned parts) {
  using C = Counters<in_a_word, share_out>;
  const auto words = static_cast<unsigned>(4 * divide_up(divide_up(nbins, parts), 4 * in_a_word));
  const auto kernel = histogram_packed_kernel<in_a_word, share_out>;
  const std::size_t shared_bytes = words * sizeof(unsigned);
  const unsigned blocks = blocks_for(kernel, parts, shared_bytes, n, C::Values::vectors),
                 of_a_part = blocks / parts;
  const std::size_t good_for = in_a_word == 10 ? good_values : C::highest / 2; // values per bin, on average
  const auto sets = std::clamp<std::size_t>(divide_up(n, good_for * nbins * of_a_part), 1, most_sets);
  const std::size_t rounds = divide_up(divide_up(n, std::size_t{4} * C::Values::vectors * of_a_part), sets);
  Task task{in,
            n,
            bins,
            nbins,
            parts,
            words,
            static_cast<unsigned>((1ull << 36) / words + 1),
            static_cast<unsigned>(sets),
            rounds,
            stored};
  void* arguments[] = {&task};
  cudaLaunchCooperativeKernel(kernel, blocks, threads_per_block, arguments, shared_bytes);
}

} // namespace

Regime histogram(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const auto room = static_cast<unsigned>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  const auto multiprocessors = static_cast<std::size_t>(attribute(cudaDevAttrMultiProcessorCount));
  const unsigned words = (room - own_bytes) / sizeof(uint4) * 4;
  const std::size_t parts = divide_up(nbins, 5 * words);
  if (nbins <= room / sizeof(unsigned)) {
    launch_words(in, n, bins, nbins);
    return Regime::shared;
  }
  if (parts > most_parts) {
    launch_global(in, n, bins, nbins);
    return Regime::global;
  }
  // Room for the sets of all blocks of a launch, kept from call to call: a block fills a multiprocessor.
  static uint4* stored = nullptr;
  if (stored == nullptr &&
      cudaMalloc(&stored, most_sets * multiprocessors * words * sizeof(unsigned)) != cudaSuccess)
    return Regime::shared; // the error stays for whoever asks
  if (nbins <= 2 * words)
    launch_packed<2, false>(stored, in, n, bins, nbins, 1);
  else if (nbins <= 4 * words)
    launch_packed<4, false>(stored, in, n, bins, nbins, 1);
  else if (parts == 1)
    launch_packed<5, false>(stored, in, n, bins, nbins, 1);
  else if (nbins <= 10 * words && n / (most_sets * most_values) <= nbins * multiprocessors)
    launch_packed<10, false>(stored, in, n, bins, nbins, 1);
  else
    launch_packed<5, true>(stored, in, n, bins, nbins, static_cast<unsigned>(parts));
  return Regime::shared;
}
