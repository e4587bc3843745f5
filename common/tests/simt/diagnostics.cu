// One mistake of every kind that the simulator names, each as a student might make it.

namespace {

constexpr int n = 64;

__global__ void missing_barrier(const int* in, int* out) {
  __shared__ int tile[2][n];
  tile[1][threadIdx.x] = in[threadIdx.x] + 1;                       // shared write
  out[blockIdx.x * n + threadIdx.x] = tile[1][n - 1 - threadIdx.x]; // shared read
}

__global__ void both_write_shared(int* out) {
  __shared__ int winner;
  if (threadIdx.x % 32 == 7) winner = threadIdx.x; // shared writes
  __syncthreads();
  if (threadIdx.x == 0) *out = winner;
}

__global__ void overlapping_arrays(double* out) {
  extern __shared__ double numbers[];
  char* const letters = reinterpret_cast<char*>(numbers + n / 4); // numbers has n / 2 elements
  if (threadIdx.x < n / 2) letters[threadIdx.x] = 'a';            // writes one byte
  if (threadIdx.x >= n / 2) numbers[threadIdx.x - n / 2] = 0.5;   // writes eight
  __syncthreads();
  out[threadIdx.x] = numbers[threadIdx.x % 4];
}

__global__ void two_sizes(int* out) {
  char* const bytes = reinterpret_cast<char*>(out);
  if (threadIdx.x == 7) bytes[1] = 1;  // one byte of it
  if (threadIdx.x == 39) out[0] = -99; // all four
}

__global__ void unguarded(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 1]; // one too far
}

__global__ void unwritten_tile(int* out) {
  __shared__ int tile[n];
  if (threadIdx.x != 9) tile[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x]; // unwritten element
}

__global__ void accumulate(int* sums) {
  sums[threadIdx.x] += 1; // never zeroed
}

__global__ void barrier_in_branch(int* out) {
  if (threadIdx.x < 32)
    __syncthreads(); // barrier of some
  else
    __syncthreads(); // barrier of others
  out[threadIdx.x] = 1;
}

__global__ void barrier_missed_by_waiting_warp(int* out, volatile int* flag) {
  if (threadIdx.x < 32) {
    __syncthreads(); // waits here
    *flag = 1;
  } else {
    while (*flag == 0) { // spins here
    }
    __syncthreads();
  }
  out[threadIdx.x] = 1;
}

__device__ int bring_some(int* piece, int count) {
  if (threadIdx.x >= count) return 0; // leaves before the barrier
  piece[threadIdx.x] = 1;
  __syncthreads(); // barrier of the function
  return piece[count - 1 - threadIdx.x];
}

__device__ void bring_others(int* piece, int first) {
  if (threadIdx.x < first) return; // leaves before the other barrier
  piece[threadIdx.x] = 1;
  __syncthreads(); // barrier of the other function
}

// Each half leaves a function in which the other one waits.
__global__ void halves_leave_before_barriers(int* out) {
  __shared__ int piece[n];
  if (threadIdx.x < 32) bring_others(piece, 32);
  bring_some(piece, 32);
  if (threadIdx.x >= 32) bring_others(piece, 32);
  out[threadIdx.x] = 1;
}

__global__ void some_leave_before_barrier(int* out, int first_count) {
  __shared__ int piece[n];
  if (first_count >= 0) bring_some(piece, first_count);
  if (first_count < 0 || threadIdx.x < 32) bring_some(piece, 32);
  __syncthreads(); // barrier of the kernel
  out[threadIdx.x] = 1;
}

// Of the first block half leave before the barrier, and end; of the second one they do not come there.
__global__ void some_leave_in_first_block(int* out) {
  __shared__ int piece[n];
  if (blockIdx.x == 0 || threadIdx.x < 32) bring_some(piece, 32);
  if (blockIdx.x == 1) __syncthreads(); // barrier of the second block
  out[threadIdx.x] = 1;
}

__device__ int sum_of_some(int value, int count) {
  if (static_cast<int>(threadIdx.x) >= count) { // more than one statement
    value = 0;
    return value; // leaves before the shuffle
  }
  return value + __shfl_down_sync(0xffffffffu, value, 16); // shuffle of the function
}

__global__ void some_leave_before_shuffle(int* out, int count, bool goes_on) {
  const int sum = sum_of_some(threadIdx.x, count);
  if (goes_on) __syncthreads();
  if (threadIdx.x == 0) *out = sum;
}

__global__ void lane_away(int* out) {
  int value = threadIdx.x;
  if (threadIdx.x < 16)
    value += __shfl_down_sync(0xffffffffu, value, 8); // half a warp
  else
    __syncthreads();
  out[threadIdx.x] = value;
}

__global__ void mask_without_self(int* out) {
  out[threadIdx.x] = __ballot_sync(0x0000fffeu, 1); // wrong mask
}

__global__ void load_vector(const float* in, float* out) {
  float4 four = *reinterpret_cast<const float4*>(in + threadIdx.x); // vector
  out[threadIdx.x] = four.x;
}

__global__ void read_pointer(const int* in, int* out) { *out = *in; } // follows pointer

__constant__ int table[4];
__global__ void write_table(int i) { const_cast<int*>(table)[i] = 1; } // writes constant

__global__ void spin(int* flag) {
  while (atomicAdd(flag, 0) == 0) { // waits for no thread
  }
}

__global__ void wait_for_host(volatile int* flag, int* out) {
  if (threadIdx.x == 0)
    while (*flag == 0) { // waits for the host
    }
  __syncthreads();
  out[threadIdx.x] = *flag;
}

__managed__ int host_flag;
__global__ void wait_for_managed_variable() {
  while (atomicAdd(&host_flag, 0) == 0) { // asks for the variable
  }
}

// Either of two ends the loop, so that no read is like the last one.
__global__ void wait_for_either(volatile int* flags, int* out) {
  int turns = 0;
  while (flags[0] == 0 && flags[1] == 0) ++turns; // asks for both
  *out = turns;
}

// The first block sets what the second one waits for, and waits itself.
__global__ void wait_for_each_other(volatile int* flags) {
  flags[blockIdx.x] = 1;
  while (flags[1 - blockIdx.x] != 2) { // waits for the other block
  }
}

// i is even in every round.
__global__ void spin_without_memory(int* out, unsigned odd) {
  int rounds = 0;
  for (unsigned i = 0; i != odd; ++rounds) i = i * 4 + 2; // computes for ever
  *out = rounds;
}

__global__ void spin_with_memory(int* out) {
  if (blockIdx.x + threadIdx.x > 0) return;
  for (unsigned i = 0; out[i % 2] >= 0; ++i) out[i % 2] ^= 2; // works for ever
}

__global__ void add_one(int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] += 1; // adds again and again
}

__device__ int depth(const int* in, int level) {
  volatile int ballast[64];
  ballast[0] = level;
  return in[0] == 0 ? depth(in, level + 1) + ballast[0] : level; // calls itself
}
__global__ void recurse(const int* in, int* out) { *out = depth(in, 0); }

__global__ void divide(int* out, int by) { out[threadIdx.x] = 100 / by; } // divides

__global__ void no_work(int* out) { *out = 1; }

__global__ void barrier_in_if(int* out) {
  for (unsigned distance = 1; distance < 64; distance *= 2)
    if (threadIdx.x % (2 * distance) == 0) { // not entered by all
      out[threadIdx.x] += out[threadIdx.x + distance];
      __syncthreads(); // skipped by the others
    }
}

__global__ void barrier_in_else(int* out) {
  if (threadIdx.x >= 32) { // the second warp
    out[threadIdx.x] = 1;
  } else {
    if (out == nullptr) out[0] = 2;
    __syncthreads(); // of the first warp
  }
}

/// Barriers in branches that all threads enter which are still there.
__global__ void barriers_after_returns(int* out) {
  for (unsigned distance = 1; distance < 64; distance *= 2) {
    if (distance > 2) __syncthreads();
    if (threadIdx.x % (2 * distance) != 0) return;
    if (distance % 2 == 0)
      __syncthreads();
    else if (distance == 1) {
      if (blockDim.x == 64) __syncthreads_count(1);
    }
    out[threadIdx.x] += 1;
  }
}

// Brings 70 values for 64 threads, and the barrier belongs behind the loop: six threads come to it twice.
__global__ void barrier_in_uneven_loop(const int* in, int* out) {
  __shared__ int window[n + 6];
  for (unsigned k = threadIdx.x; k < n + 6; k += blockDim.x) { // left by most
    window[k] = in[k];                                         // brings
    __syncthreads();                                           // of those who stay
  }
  out[threadIdx.x] = window[threadIdx.x + 6]; // uses
}

// The same with a barrier behind the loop, where most of the threads wait meanwhile.
__global__ void barriers_in_and_behind_uneven_loop(const int* in, int* out) {
  __shared__ int taken[n + 6];
  for (unsigned k = threadIdx.x; k < n + 6; k += blockDim.x) {
    taken[k] = in[k];
    __syncthreads(); // in the loop
  }
  __syncthreads(); // behind the loop
  out[threadIdx.x] = taken[threadIdx.x];
}

__global__ void barrier_in_uneven_while(int* out) {
  unsigned turns = threadIdx.x % 32 == 5 ? 3 : 1;
  while (turns-- > 0) { // of different length
    out[threadIdx.x] += 1;
    __syncthreads(); // three times or once
  }
}

__global__ void barrier_in_uneven_do(int* out) {
  unsigned turns = threadIdx.x % 32 == 5 ? 3 : 1;
  do { // a turn is made in any case
    out[threadIdx.x] += 1;
    __syncthreads(); // three times, or only once
  } while (--turns > 0);
}

/// Loops with barriers that threads leave together, or by ending.
__global__ void barriers_in_even_loops(int* out, unsigned turns) {
  for (unsigned k = 0; k < turns; ++k) {
    out[threadIdx.x] += 1;
    __syncthreads();
  }
  unsigned k = 0;
  do {
    out[threadIdx.x] += 1;
    __syncthreads();
  } while (++k < turns);
  for (unsigned k = 0;; ++k) {
    if (k == threadIdx.x % 4) return;
    __syncthreads();
  }
}

// Each turn brings 8 rows, and takes out what later turns bring.
__global__ void take_before_all_is_there(const int* in, int* out) {
  __shared__ int tile[32][33];
  for (unsigned y = threadIdx.y; y < 32; y += 8) {
    tile[y][threadIdx.x] = in[y * 32 + threadIdx.x]; // a row comes
    __syncthreads();
    out[y * 32 + threadIdx.x] = tile[threadIdx.x][y]; // a column goes
  }
}

// The same element is used again in every turn, and one of them was never written.
__global__ void reuse_without_second_barrier(const int* in, int* out) {
  __shared__ int piece[n + 1];
  for (unsigned turn = 0; turn < 4; ++turn) {
    piece[threadIdx.x] = in[threadIdx.x] + turn; // comes again
    __syncthreads();
    out[turn * n + threadIdx.x] = piece[threadIdx.x + 1]; // goes again
  }
}

__global__ void index_below_zero(const int* in, int* out, unsigned last) {
  __shared__ int piece[n];
  extern __shared__ double queue[];
  piece[threadIdx.x] = in[threadIdx.x];
  queue[threadIdx.x] = 1;
  __syncthreads();
  if (last < n) out[threadIdx.x] = piece[last - threadIdx.x];                      // wraps in piece
  if (last == n) out[threadIdx.x] = static_cast<int>(queue[n - 2u - threadIdx.x]); // wraps in queue
  if (last > n) out[threadIdx.x] = in[threadIdx.x - 1u];                           // wraps in global memory
}

__global__ void shared_overrun(int* out, unsigned turns, int shift) {
  __shared__ int sum[n];
  extern __shared__ int rest[];
  for (unsigned k = threadIdx.x; k < turns; k += n) sum[static_cast<int>(k) + shift] = 1; // beyond the array
  if (turns == 0) rest[threadIdx.x] = 1;                                                  // beyond the bytes
  out[threadIdx.x] = 0;
}

__global__ void before_the_start(const int* in, int* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = in[i - 1]; // one too low
}

__global__ void swap_in_block(const int* in, int* out) {
  __shared__ int tile[n];
  tile[threadIdx.x] = in[threadIdx.x];            // writes its own
  out[threadIdx.x] = tile[(threadIdx.x + 1) % n]; // reads the next one
}

__global__ void swap_in_global(int* data, int* out) {
  data[threadIdx.x] = threadIdx.x;                // writes its own there
  out[threadIdx.x] = data[(threadIdx.x + 1) % n]; // reads the next one there
}

__global__ void without_block_index(const int* in, int* data, int shift, unsigned from) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x + shift;
  const int own = data[i % (gridDim.x * blockDim.x)]; // right index
  __syncthreads();
  if (threadIdx.x >= from) data[threadIdx.x] = own + in[i] + 1; // block forgotten
}

// The first thread of a block is no sign of an index that lacks the block: it often speaks for all of them.
__global__ void pass_on_by_first(int* data, int* out) {
  if (threadIdx.x == 0 && blockIdx.x == 0) *data = 1;    // first block passes on
  if (threadIdx.x == 0 && blockIdx.x == 1) *out = *data; // second block takes
}

__global__ void index_of_16_bits(int* data, int count) {
  const short i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] = 1; // index overflows
}

struct Cell {
  int first, second;
};
__device__ Cell cells[2][4];
__device__ int total;

__global__ void use_parts(int* out, int which) {
  extern __shared__ float4 raw[];
  int* const numbers = reinterpret_cast<int*>(raw);
  char *letters = (char*)(numbers + n), *const own = letters + threadIdx.x % 2;
  if (which == 0) out[threadIdx.x] = numbers[33];   // takes a number
  if (which == 1) out[threadIdx.x] = own[3];        // takes a letter
  if (which == 2) cells[1][2].second = threadIdx.x; // sets a cell
  if (which == 3) total = threadIdx.x;              // sets the total
}

__global__ void barrier_not_called(int* data, bool reversed) {
  __shared__ int piece[n];
  piece[threadIdx.x] = threadIdx.x;                                        // fills the piece
  __syncthreads;                                                           // barrier without parentheses
  data[threadIdx.x] = piece[reversed ? n - 1 - threadIdx.x : threadIdx.x]; // takes from the piece
}

__global__ void one_too_far_in_two_arms(const int* in, int* out) {
  extern __shared__ int window[];
  for (int k = threadIdx.x; k <= n; k += blockDim.x) {
    if (k >= 1 && k < n)
      window[k] = in[k - 1]; // first of two arms
    else
      window[k] = 0; // second of two arms
  }
  __syncthreads();
  out[threadIdx.x] = window[threadIdx.x];
}

__global__ void one_too_far_in_three_arms(const int* in, int* out) {
  extern __shared__ int window[];
  const int k = threadIdx.x + 1;
  if (k < 10) {
    window[k] = in[k]; // first of three arms
  } else if (k < 20) {
    window[k] = 1; // second of three arms
  } else {
    window[k] = 0; // last of three arms
  }
  out[threadIdx.x] = window[k];
}

__global__ void one_too_far_in_a_switch(const int* in, int* out) {
  extern __shared__ int window[];
  const int k = threadIdx.x + 1;
  switch (k / 32) {
  case 0:
    window[k] = in[k]; // first case
    break;
  case 1:
    window[k] = 1; // second case
    break;
  default:
    window[k] = 0; // last case
  }
  out[threadIdx.x] = window[k];
}

// Each arm has an address of its own, so compilers leave two stores.
__global__ void one_too_far_in_two_stores(const int* in, int* out) {
  const int k = threadIdx.x + 1;
  if (k < 10)
    out[k] = in[k];
  else
    out[k] = 0; // a store of its own
}

__global__ void far_before(int* data, int distance) { data[-distance] = 1; } // far before

} // namespace

extern "C" {
void run_missing_barrier(const int* in, int* out) { missing_barrier<<<3, n>>>(in, out); }
void run_both_write_shared(int* out) { both_write_shared<<<1, n>>>(out); }
void run_overlapping_arrays(double* out) { overlapping_arrays<<<1, n, n * sizeof(double)>>>(out); }
void run_two_sizes(int* out) { two_sizes<<<1, n>>>(out); }
void run_unguarded(const int* in, int* out) { unguarded<<<2, 32>>>(in, out); }
void run_index_below_zero(const int* in, int* out, unsigned last) {
  index_below_zero<<<1, n, n * sizeof(double)>>>(in, out, last);
}
void run_shared_overrun(int* out, unsigned turns, int shift) {
  shared_overrun<<<1, n, 100>>>(out, turns, shift);
}
void run_before_the_start(const int* in, int* out) { before_the_start<<<2, 32>>>(in, out); }
void run_swap_in_block(const int* in, int* out) { swap_in_block<<<1, n>>>(in, out); }
void run_swap_in_global(int* data, int* out) { swap_in_global<<<1, n>>>(data, out); }
void run_without_block_index(const int* in, int* data, int shift, unsigned from) {
  without_block_index<<<2, n>>>(in, data, shift, from);
}
void run_pass_on_by_first(int* data, int* out) { pass_on_by_first<<<2, n>>>(data, out); }
void run_unwritten_tile(int* out) { unwritten_tile<<<2, n>>>(out); }
void run_accumulate(int* sums) { accumulate<<<1, 32>>>(sums); }
void run_copy_the_wrong_way(int* sums) {
  const int zero[32] = {};
  cudaMemcpy(sums, zero, sizeof zero, cudaMemcpyDeviceToHost); // wrong way
  accumulate<<<1, 32>>>(sums);
}
void run_set_the_pointer(int* sums) {
  cudaMemsetAsync(&sums, 0, 32 * sizeof(int)); // the pointer's own address
  accumulate<<<1, 32>>>(sums);
}
void run_set_afterwards(int* sums) {
  accumulate<<<1, 32>>>(sums);
  cudaMemset(sums, 0, 32 * sizeof(int)); // too late
}
void write_on_host(int* device) { device[5] = 1; } // host writes
void run_barrier_in_if(int* out) { barrier_in_if<<<1, n>>>(out); }
void run_barrier_in_else(int* out) { barrier_in_else<<<2, n>>>(out); }
void run_barrier_in_uneven_loop(const int* in, int* out) { barrier_in_uneven_loop<<<1, n>>>(in, out); }
void run_barriers_in_and_behind_uneven_loop(const int* in, int* out) {
  barriers_in_and_behind_uneven_loop<<<1, n>>>(in, out);
}
void run_barrier_in_uneven_while(int* out) { barrier_in_uneven_while<<<1, n>>>(out); }
void run_barrier_in_uneven_do(int* out) { barrier_in_uneven_do<<<1, n>>>(out); }

void run_barriers_in_even_loops(int* out, unsigned turns) { barriers_in_even_loops<<<1, n>>>(out, turns); }
void run_take_before_all_is_there(const int* in, int* out) {
  take_before_all_is_there<<<1, dim3(32, 8)>>>(in, out);
}
void run_reuse_without_second_barrier(const int* in, int* out) {
  reuse_without_second_barrier<<<1, n>>>(in, out);
}
void run_barriers_after_returns(int* out) { barriers_after_returns<<<1, n>>>(out); }
void run_barrier_in_branch(int* out) { barrier_in_branch<<<2, n>>>(out); }
void run_barrier_missed(int* out, int* flag) { barrier_missed_by_waiting_warp<<<1, n>>>(out, flag); }
void run_some_leave_before_barrier(int* out, int first_count) {
  some_leave_before_barrier<<<1, n>>>(out, first_count);
}
void run_halves_leave_before_barriers(int* out) { halves_leave_before_barriers<<<1, n>>>(out); }
void run_some_leave_in_first_block(int* out) { some_leave_in_first_block<<<2, n>>>(out); }
void run_some_leave_before_shuffle(int* out, int count, bool goes_on) {
  some_leave_before_shuffle<<<1, 32>>>(out, count, goes_on);
}
void run_lane_away(int* out) { lane_away<<<1, 32>>>(out); }
void run_mask_without_self(int* out) { mask_without_self<<<1, 32>>>(out); }
void run_load_vector(const float* in, float* out) { load_vector<<<1, 4>>>(in, out); }
void run_read_pointer(const int* in, int* out) { read_pointer<<<1, 1>>>(in, out); }
void run_write_table(int i) { write_table<<<1, 1>>>(i); }
int read_on_host(const int* device) { return device[5]; } // host reads
void run_spin(int* flag) { spin<<<1, 1>>>(flag); }
void run_wait_for_host(int* flag, int* out) { wait_for_host<<<1, 64>>>(flag, out); }
void run_wait_for_managed_variable() { wait_for_managed_variable<<<1, 1>>>(); }
void run_wait_for_either(int* flags, int* out) { wait_for_either<<<1, 1>>>(flags, out); }
void run_wait_for_each_other(int* flags) { wait_for_each_other<<<2, 1>>>(flags); }
void run_spin_without_memory(int* out, unsigned odd) { spin_without_memory<<<1, 1>>>(out, odd); }
void run_add_one(int* out, unsigned times) {
  for (unsigned i = 0; i < times; ++i) add_one<<<4, 64>>>(out);
}
void run_spin_with_memory(int* out) { spin_with_memory<<<1, 1>>>(out); }
void run_spin_in_many_blocks(int* out) { spin_with_memory<<<300, 1024>>>(out); }
void run_recurse(const int* in, int* out) { recurse<<<1, 1>>>(in, out); }
void run_divide(int* out, int by) { divide<<<1, 32>>>(out, by); }
void run_grid(int* out, unsigned blocks, unsigned threads) { no_work<<<blocks, threads>>>(out); } // launch
int run_grid_and_ask(int* out, unsigned threads) {
  no_work<<<1, threads>>>(out); // asked about
  return cudaGetLastError();
}
void run_index_of_16_bits(int* data, int count) {
  index_of_16_bits<<<(count + 255) / 256, 256>>>(data, count);
}
void run_use_parts(int* out, int which) { use_parts<<<1, n, n * 5>>>(out, which); }
void run_barrier_not_called(int* data, bool reversed) { barrier_not_called<<<1, n>>>(data, reversed); }
void run_one_too_far(int which, const int* in, int* out) {
  if (which == 0) one_too_far_in_two_arms<<<1, n, n * sizeof(int)>>>(in, out);
  if (which == 1) one_too_far_in_three_arms<<<1, n, n * sizeof(int)>>>(in, out);
  if (which == 2) one_too_far_in_a_switch<<<1, n, n * sizeof(int)>>>(in, out);
  if (which == 3) one_too_far_in_two_stores<<<1, n>>>(in, out);
}
void run_far_before(int* data, int distance) { far_before<<<1, 1>>>(data, distance); }
int free_block(void* block) { return cudaFree(block); }                                         // frees
int allocate_block(void** block, unsigned long long bytes) { return cudaMalloc(block, bytes); } // allocates
}
