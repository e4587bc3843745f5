// Races in global memory, between threads of one block and of different blocks, and code that is ordered by
// barriers, fences and atomics.

#include <cooperative_groups.h>

namespace {

// ---- within a block

__global__ void swap_neighbours(int* data, bool barrier) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = i; // own element
  if (barrier) __syncthreads();
  int other = data[i ^ 32]; // neighbour's element
  if (barrier) __syncthreads();
  if (other < 0) data[i] = other;
}

__global__ void pass_on_in_warp(int* data, int* out, bool synchronise) {
  data[threadIdx.x] = threadIdx.x; // lane writes
  if (synchronise) __syncwarp();
  out[threadIdx.x] = data[threadIdx.x ^ 1]; // other lane reads
}

// Rows: lane i accesses element i of an array. One lane goes elsewhere.
__global__ void read_in_row(int* data, int* out, int reader, int element) {
  const int i = threadIdx.x;
  data[i] = i;                             // row is written
  if (i == reader) out[0] = data[element]; // one of it is read
}
__global__ void write_in_row(const int* data, int* out, int* written, int writer, int element) {
  const int i = threadIdx.x;
  out[i] = data[i];                      // row is read
  if (i == writer) written[element] = 7; // one of it is written
}
// Every second lane writes, and they write one beside the other. A lane that has not takes a place of theirs.
__global__ void write_close_together(int* data, int* written) {
  const int i = threadIdx.x;
  if (i % 2 == 0) data[i / 2] = i; // close together
  if (i == 5) written[1] = 7;      // lane 2's place
}
__global__ void rows_of_two_warps(int* data, int lanes, int shift) {
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32 && lane < lanes) data[lane] = 1; // by the first warp
  if (threadIdx.x >= 32) data[lane + shift] = 2;        // by the second warp
}
__global__ void ranges_and_bytes(char* data, int first, int others) {
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) memset(data + 4 * lane, 1, lane == 0 ? first : others); // ranges
  if (threadIdx.x >= 32) data[4 * lane + 1] = 2;                                // bytes of them
}
struct alignas(8) Pair {
  double first, second;
};
__global__ void overlapping_pairs(double* data) {
  const int lane = threadIdx.x;
  const int element = lane < 2 ? lane : 2 * lane; // 0, 1, 4, 6, 8, ...
  Pair pair{100.0 + lane, 200.0 + lane};
  *reinterpret_cast<Pair*>(data + element) = pair; // pairs
}
__global__ void read_and_write_rows(int* data, const int* other) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] += other[i];
  __syncthreads();
  data[i] += other[i];
}

// ---- between blocks

__global__ void stencil_in_place(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int left = i > 0 ? data[i - 1] : 0, right = i + 1 < n ? data[i + 1] : 0; // reads neighbours
  __syncthreads();
  data[i] = left + right + 1; // writes in place
}

__global__ void stencil_to_other(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = (i > 0 ? in[i - 1] : 0) + (i + 1 < n ? in[i + 1] : 0);
}

__global__ void all_write_block_number(int* out) { out[0] = blockIdx.x + 1; } // all write
__global__ void all_write_one(int* out) { out[0] = 1; }
__global__ void count_without_atomic(int* out) {
  if (threadIdx.x == 0) out[0] += 1; // lost update
}
__global__ void all_add(int* out) { out[0] += static_cast<int>(threadIdx.x); }
__global__ void all_set(int* out) { out[0] = static_cast<int>(threadIdx.x); }
__global__ void count_with_atomic(int* out) {
  if (threadIdx.x == 0) atomicAdd(out, 1);
}

__global__ void read_while_counting(int* count, int* out) {
  atomicAdd(count, 1);                            // counts
  if (threadIdx.x == 0) out[blockIdx.x] = *count; // looks
}

// The programming guide's own: the first read is a plain one, and only feeds the compare-and-swap.
__device__ double add_by_exchange(double* address, double value) {
  unsigned long long* bits = (unsigned long long*)address;
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
__global__ void sum_by_exchange(double* sum) { add_by_exchange(sum, threadIdx.x + blockIdx.x); }
__global__ void sum_by_exchange_in_shared(double* sum, unsigned* count) {
  __shared__ double of_block;
  __shared__ unsigned counted;
  if (threadIdx.x == 0) of_block = counted = 0;
  __syncthreads();
  add_by_exchange(&of_block, threadIdx.x + blockIdx.x);
  unsigned old;
  do {
    old = counted;
  } while (atomicCAS(&counted, old, old + 1) != old);
  __syncthreads();
  if (threadIdx.x == 0) add_by_exchange(sum, of_block);
  if (threadIdx.x == 0) count[blockIdx.x] = counted;
}
__global__ void look_and_exchange(unsigned* count, unsigned* out) {
  unsigned old = *count, assumed; // looks for itself, too
  out[blockIdx.x * blockDim.x + threadIdx.x] = old;
  do {
    assumed = old;
    old = atomicCAS(count, assumed, assumed + 1); // exchanges
  } while (assumed != old);
}
__global__ void exchange_beside_plain_write(unsigned* count) {
  if (blockIdx.x == 1) {
    *count = 7; // plain write
    return;
  }
  unsigned old;
  do {
    old = *count;
  } while (atomicCAS(count, old, old + 1) != old); // exchange beside it
}

__global__ void bytes_between_blocks(char* data, unsigned step) {
  data[(blockIdx.x * blockDim.x + threadIdx.x) * step / 2] = static_cast<char>(blockIdx.x); // byte
}

__global__ void vectors_between_blocks(float4* data, float* words) {
  if (blockIdx.x == 0) data[threadIdx.x] = make_float4(1, 2, 3, 4); // whole vector
  if (blockIdx.x == 1) words[4 * threadIdx.x + 2] = 5;              // one component
}

__device__ unsigned device_counter;
__device__ int device_value;

__global__ void share_device_variable(int* out) {
  if (threadIdx.x == 0) device_value = blockIdx.x; // sets variable
  atomicAdd(&device_counter, 1);
  if (threadIdx.x == 0) out[blockIdx.x] = device_value; // gets variable
}

// ---- ordered by fences and atomics

__global__ void sum_in_last_block(const int* in, int* partial, unsigned* ticket, int* out, bool fence) {
  __shared__ int s[64];
  __shared__ bool is_last;
  s[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (unsigned step = 32; step > 0; step /= 2) {
    if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = s[0]; // partial sum
    if (fence) __threadfence();
    is_last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b]; // last block reads
    *out = sum;
  }
}

// Every thread writes and fences; after the barrier one of them counts.
__global__ void fence_then_barrier(int* data, unsigned* ticket, int* out) {
  __shared__ bool is_last;
  data[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(ticket, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return;
  int sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x) sum += data[i];
  atomicAdd(out, sum);
}

// Every thread writes; after the barrier one of them fences for all.
__global__ void barrier_then_fence(int* data, unsigned* ticket, int* out) {
  __shared__ bool is_last;
  data[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicAdd(ticket, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  int sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x) sum += data[i];
  atomicAdd(out, sum);
}

// The block that counts last sets the counter back, by a plain write; or the first does, before the others have counted.
__global__ void count_and_reset(int* partial, unsigned* ticket, int* out, bool too_early) {
  if (threadIdx.x != 0) return;
  partial[blockIdx.x] = 1;
  __threadfence();
  const unsigned before = atomicAdd(ticket, 1u); // takes a number
  if (before != (too_early ? 0 : gridDim.x - 1)) return;
  int sum = 0;
  for (unsigned b = 0; b <= before; ++b) sum += too_early ? 1 : partial[b];
  *out = sum;
  *ticket = too_early ? 100 : 0; // sets the counter back
}

// The write that matters comes after the fence.
__global__ void fence_too_early(int* partial, unsigned* ticket, int* out) {
  if (threadIdx.x != 0) return;
  __threadfence();
  partial[blockIdx.x] = 1; // behind the fence
  if (atomicAdd(ticket, 1u) != gridDim.x - 1) return;
  int sum = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b]; // unpublished
  *out = sum;
}

__global__ void fence_for_block_only(int* partial, unsigned* ticket, int* out) {
  if (threadIdx.x != 0) return;
  partial[blockIdx.x] = 1; // narrow fence
  __threadfence_block();
  if (atomicAdd(ticket, 1u) != gridDim.x - 1) return;
  int sum = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b]; // other block reads
  *out = sum;
}

__global__ void warp_then_fence(int* data, unsigned* ticket, int* out) {
  data[blockIdx.x * 32 + threadIdx.x] = 1;
  __syncwarp();
  int last = 0;
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(ticket, 1u) == gridDim.x - 1;
  }
  __syncwarp();
  last = __shfl_sync(0xffffffffu, last, 0);
  if (!last) return;
  int sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x * 32; i += 32) sum += data[i];
  atomicAdd(out, sum);
}

__global__ void produce_and_consume(int* data, volatile int* flag, int* out, bool fence) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 42; // produces
    if (fence) __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    out[blockIdx.x] = *data; // consumes
  }
}

__global__ void flag_by_plain_write(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 42;
    __threadfence();
    *flag = 1; // plain flag
  } else {
    while (*static_cast<volatile int*>(flag) == 0) { // watched flag
    }
    out[0] = 2;
  }
}

// As reductions ended before 2017: one warp in step, on volatile elements.
__global__ void last_warp_in_step(volatile int* data, bool synchronise) {
  const unsigned i = threadIdx.x;
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    const int other = data[i + distance];
    if (synchronise) __syncwarp();
    data[i] = data[i] + other;
    if (synchronise) __syncwarp();
  }
}

// Volatile places that lanes of one warp watch while others set them: one for all, and one a lane with a fence.
__global__ void search(const int* data, volatile int* found, int wanted) {
  for (int i = threadIdx.x; i < 512 && *found == 0; i += blockDim.x)
    if (data[i] == wanted) *found = i + 1;
}
__global__ void pass_on(volatile int* flags, int* data) {
  const unsigned i = threadIdx.x;
  if (i > 0)
    while (flags[i - 1] == 0) {
    }
  __threadfence();
  data[i] = i == 0 ? 1 : data[i - 1] + 1;
  __threadfence();
  flags[i] = 1;
}

// Each block waits for the one before it: the last knows of the first through all the others.
__global__ void chain(int* data, int* flags, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 7;
  } else {
    while (atomicAdd(&flags[blockIdx.x - 1], 0) == 0) {
    }
    if (blockIdx.x == gridDim.x - 1) *out = data[0];
  }
  __threadfence();
  atomicExch(&flags[blockIdx.x], 1);
}

__global__ void add_under_lock(int* lock, int* sum, bool fence) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  if (fence) __threadfence();
  *sum += 1; // guarded
  if (fence) __threadfence();
  atomicExch(lock, 0);
}

// ---- between the blocks of a cooperative grid and of a cluster

__global__ void share_in_grid(int* data, int* out, bool synchronise) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = i; // grid writes
  if (synchronise) cooperative_groups::this_grid().sync();
  out[i] = data[(i + 64) % (gridDim.x * blockDim.x)]; // grid reads
}

__global__ void __cluster_dims__(2, 1, 1) share_in_cluster(int* data, int* out, bool synchronise) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = i; // cluster writes
  if (synchronise) cooperative_groups::this_cluster().sync();
  out[i] = data[i ^ 64]; // cluster reads
}

// ---- between parent and child grids

__global__ void read_all(const int* data, int* out) {
  out[threadIdx.x] = data[threadIdx.x]; // child reads
}
__global__ void write_all(int* data) { data[threadIdx.x] = 5; } // child writes

__global__ void launch_reader(int* data, int* out, bool barrier) {
  data[threadIdx.x] = threadIdx.x; // parent writes
  if (barrier) __syncthreads();
  if (threadIdx.x == 0) read_all<<<1, 64>>>(data, out);
}

__global__ void write_behind_launch(int* data, int* out) {
  if (threadIdx.x == 0) {
    read_all<<<1, 64>>>(data, out);
    data[7] = 1; // late write
  }
}

__global__ void use_child_result(int* data, int* out) {
  if (threadIdx.x != 0) return;
  write_all<<<1, 64, 0, cudaStreamFireAndForget>>>(data);
  out[0] = data[0]; // too early
}

__global__ void chain_of_children(int* data, int* out, bool tail) {
  if (threadIdx.x != 0) return;
  write_all<<<1, 64>>>(data);
  if (tail)
    read_all<<<1, 64, 0, cudaStreamTailLaunch>>>(data, out);
  else
    read_all<<<1, 64>>>(data, out);
}

__global__ void siblings_without_order(int* data, int* out) {
  if (threadIdx.x != 0) return;
  write_all<<<1, 64, 0, cudaStreamFireAndForget>>>(data);
  read_all<<<1, 64, 0, cudaStreamFireAndForget>>>(data, out);
}

__global__ void fill(int* data, int value) { data[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void reverse(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[n - 1 - i];
}

// Elements that other warps have read before the last barrier, and then lanes of one warp without any.
__global__ void last_rounds_without_barrier(int* data) {
  unsigned t = threadIdx.x;
  for (unsigned half = 128; half > 0; half /= 2) {
    if (t < half) data[t] += data[t + half]; // a round of the tree
    if (half > 32) __syncthreads();
  }
}

} // namespace

extern "C" {
void run_write_close_together(int* data, int* written) { write_close_together<<<1, 32>>>(data, written); }
void run_swap_neighbours(int* data, bool barrier) { swap_neighbours<<<2, 64>>>(data, barrier); }
void run_pass_on_in_warp(int* data, int* out, bool synchronise) {
  pass_on_in_warp<<<1, 32>>>(data, out, synchronise);
}
void run_read_in_row(int* data, int* out, int reader, int element) {
  read_in_row<<<1, 32>>>(data, out, reader, element);
}
void run_write_in_row(int* data, int* out, int writer, int element) {
  write_in_row<<<1, 32>>>(data, out, data, writer, element);
}
void run_rows_of_two_warps(int* data, int lanes, int shift) {
  rows_of_two_warps<<<1, 64>>>(data, lanes, shift);
}
void run_ranges_and_bytes(char* data, int first, int others) {
  ranges_and_bytes<<<1, 64>>>(data, first, others);
}
void run_overlapping_pairs(double* data) { overlapping_pairs<<<1, 32>>>(data); }
void run_read_and_write_rows(int* data, const int* other) { read_and_write_rows<<<2, 64>>>(data, other); }
void run_stencil_in_place(int* data, int n) { stencil_in_place<<<n / 64, 64>>>(data, n); }
void run_stencil_to_other(const int* in, int* out, int n) { stencil_to_other<<<n / 64, 64>>>(in, out, n); }
void run_all_write_block_number(int* out) { all_write_block_number<<<3, 1>>>(out); }
void run_all_write_one(int* out) { all_write_one<<<3, 32>>>(out); }
void run_count_without_atomic(int* out) { count_without_atomic<<<8, 32>>>(out); }
void run_all_add(int* out) { all_add<<<1, 64>>>(out); }
void run_all_set(int* out) { all_set<<<1, 64>>>(out); }
void run_count_with_atomic(int* out) { count_with_atomic<<<8, 32>>>(out); }
void run_sum_by_exchange(double* sum) { sum_by_exchange<<<4, 64>>>(sum); }
void run_sum_by_exchange_in_shared(double* sum, unsigned* count) {
  sum_by_exchange_in_shared<<<4, 64>>>(sum, count);
}
void run_look_and_exchange(unsigned* count, unsigned* out) { look_and_exchange<<<2, 32>>>(count, out); }
void run_exchange_beside_plain_write(unsigned* count) { exchange_beside_plain_write<<<2, 1>>>(count); }
void run_read_while_counting(int* count, int* out) { read_while_counting<<<4, 32>>>(count, out); }
void run_bytes_between_blocks(char* data, unsigned step) { bytes_between_blocks<<<2, 31>>>(data, step); }
void run_vectors_between_blocks(float* data) {
  vectors_between_blocks<<<2, 32>>>(reinterpret_cast<float4*>(data), data);
}
void run_share_device_variable(int* out) { share_device_variable<<<3, 32>>>(out); }
void run_sum_in_last_block(const int* in, int* partial, unsigned* ticket, int* out, bool fence) {
  sum_in_last_block<<<16, 64>>>(in, partial, ticket, out, fence);
}
void run_fence_then_barrier(int* data, unsigned* ticket, int* out) {
  fence_then_barrier<<<8, 64>>>(data, ticket, out);
}
void run_barrier_then_fence(int* data, unsigned* ticket, int* out) {
  barrier_then_fence<<<8, 64>>>(data, ticket, out);
}
void run_count_and_reset(int* partial, unsigned* ticket, int* out, bool too_early) {
  count_and_reset<<<8, 32>>>(partial, ticket, out, too_early);
}
void run_fence_too_early(int* partial, unsigned* ticket, int* out) {
  fence_too_early<<<8, 32>>>(partial, ticket, out);
}
void run_fence_for_block_only(int* partial, unsigned* ticket, int* out) {
  fence_for_block_only<<<8, 32>>>(partial, ticket, out);
}
void run_warp_then_fence(int* data, unsigned* ticket, int* out) {
  warp_then_fence<<<8, 32>>>(data, ticket, out);
}
void run_produce_and_consume(int* data, int* flag, int* out, bool fence) {
  produce_and_consume<<<4, 32>>>(data, flag, out, fence);
}
void run_flag_by_plain_write(int* data, int* flag, int* out) {
  flag_by_plain_write<<<2, 1>>>(data, flag, out);
}
void run_last_warp_in_step(int* data, bool synchronise) { last_warp_in_step<<<1, 32>>>(data, synchronise); }
void run_search(const int* data, int* found, int wanted) { search<<<1, 64>>>(data, found, wanted); }
void run_pass_on(int* flags, int* data) { pass_on<<<1, 32>>>(flags, data); }
void run_chain(int* data, int* flags, int* out) { chain<<<6, 32>>>(data, flags, out); }
void run_add_under_lock(int* lock, int* sum, bool fence) { add_under_lock<<<6, 32>>>(lock, sum, fence); }
void run_share_in_grid(int* data, int* out, bool synchronise) {
  void* arguments[] = {&data, &out, &synchronise};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(share_in_grid), dim3(4), dim3(64), arguments, 0,
                              nullptr);
}
void run_share_in_cluster(int* data, int* out, bool synchronise) {
  share_in_cluster<<<4, 64>>>(data, out, synchronise);
}
void run_launch_reader(int* data, int* out, bool barrier) { launch_reader<<<1, 64>>>(data, out, barrier); }
void run_write_behind_launch(int* data, int* out) { write_behind_launch<<<1, 64>>>(data, out); }
void run_use_child_result(int* data, int* out) { use_child_result<<<1, 64>>>(data, out); }
void run_chain_of_children(int* data, int* out, bool tail) { chain_of_children<<<1, 64>>>(data, out, tail); }
void run_siblings_without_order(int* data, int* out) { siblings_without_order<<<1, 64>>>(data, out); }
void run_two_kernels(int* data, int* out) {
  fill<<<8, 64>>>(data, 3);
  reverse<<<8, 64>>>(data, out, 512);
  fill<<<8, 64>>>(data, 4);
}
void run_fill(int* data, int blocks) { fill<<<blocks, 256>>>(data, 1); }
void run_last_rounds_without_barrier(int* data) { last_rounds_without_barrier<<<1, 256>>>(data); }
}
