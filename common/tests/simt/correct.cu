// Correct kernels in many styles. The simulator must find nothing wrong with any of them, under no schedule.
// Every case reads `in` (1,024 integers) and writes `out` (1,024 integers, zero before); `scratch` holds
// 4,096 integers, zero before.

namespace {

constexpr int n = 1024;

__global__ void guard_exits_early(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[i] + 1;
}

// Threads that have ended are not waited for.
__global__ void exit_before_barrier(const int* in, int* out) {
  __shared__ int tile[40];
  if (threadIdx.x >= 40) return;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[39 - threadIdx.x];
}

__global__ void warp_sum_in_shared(const int* in, int* out) {
  __shared__ int s[256];
  unsigned lane = threadIdx.x % 32;
  int* mine = s + threadIdx.x / 32 * 32;
  mine[lane] = in[blockIdx.x * 256 + threadIdx.x];
  __syncwarp();
  for (unsigned step = 16; step > 0; step /= 2) {
    int other = lane < step ? mine[lane + step] : 0;
    __syncwarp();
    if (lane < step) mine[lane] += other;
    __syncwarp();
  }
  if (lane == 0) out[blockIdx.x * 8 + threadIdx.x / 32] = mine[0];
}

__device__ int warp_sum(int value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
  return value;
}

__global__ void warp_sum_by_shuffle(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = warp_sum(in[i]);
  if (threadIdx.x % 32 == 0) out[i / 32] = sum;
}

__global__ void butterfly(const int* in, int* out) {
  int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int mask = 1; mask < 32; mask *= 2) value = max(value, __shfl_xor_sync(0xffffffffu, value, mask));
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void block_sum(const int* in, int* out) {
  __shared__ int sums[8];
  int sum = warp_sum(in[blockIdx.x * 256 + threadIdx.x]);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = warp_sum(threadIdx.x < 8 ? sums[threadIdx.x] : 0);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
  }
}

__device__ unsigned blocks_done;

__global__ void sum_in_one_pass(const int* in, int* out, int* partial) {
  __shared__ int s[128];
  __shared__ bool last;
  s[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  for (unsigned step = 64; step > 0; step /= 2) {
    if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = s[0];
    __threadfence();
    last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < 32) {
    int sum = warp_sum(threadIdx.x < gridDim.x ? partial[threadIdx.x] : 0);
    if (threadIdx.x == 0) *out = sum;
  }
}

__global__ void two_shared_buffers(const int* in, int* out) {
  __shared__ int buffers[2][64];
  int base = blockIdx.x * 64;
  buffers[0][threadIdx.x] = in[base + threadIdx.x];
  for (int round = 0; round < 8; ++round) {
    __syncthreads(); // one is enough: the other buffer is written
    buffers[(round + 1) % 2][threadIdx.x] = buffers[round % 2][(threadIdx.x + 1) % 64];
  }
  __syncthreads();
  out[base + threadIdx.x] = buffers[0][threadIdx.x];
}

__global__ void two_global_buffers(const int* in, int* out, int* scratch) {
  int *from = scratch, *to = scratch + 256;
  from[threadIdx.x] = in[threadIdx.x];
  for (int round = 0; round < 4; ++round) {
    __syncthreads();
    to[threadIdx.x] = from[threadIdx.x] + from[(threadIdx.x + 1) % 256];
    int* other = from;
    from = to;
    to = other;
  }
  out[threadIdx.x] = from[threadIdx.x];
}

__global__ void smooth(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i > 0 ? i - 1 : 0] + in[i] + in[i + 1 < n ? i + 1 : n - 1];
}

__global__ void in_place_through_registers(int* data) {
  int i = threadIdx.x;
  int left = data[i > 0 ? i - 1 : 255], right = data[i < 255 ? i + 1 : 0];
  __syncthreads();
  data[i] = left + right;
}

__global__ void count_values(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&out[in[i] % 16], 1);
}

__global__ void count_values_in_shared(const int* in, int* out) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[in[blockIdx.x * blockDim.x + threadIdx.x] % 16], 1);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

__global__ void hand_over(const int* in, int* out, int* data, volatile int* flags) {
  if (blockIdx.x % 2 == 0) {
    data[blockIdx.x * 64 + threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) flags[blockIdx.x] = 1;
  } else {
    if (threadIdx.x == 0) {
      while (flags[blockIdx.x - 1] == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = data[(blockIdx.x - 1) * 64 + threadIdx.x];
  }
}

__global__ void add_under_lock(const int* in, int* out, int* lock) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  out[0] += in[blockIdx.x];
  out[1] += 1;
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void largest_by_cas(const int* in, int* out) {
  int mine = in[blockIdx.x * blockDim.x + threadIdx.x];
  int seen = atomicAdd(out, 0);
  while (mine > seen) {
    int found = atomicCAS(out, seen, mine);
    if (found == seen) break;
    seen = found;
  }
}

__global__ void through_volatile(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile int* mine = out + i;
  *mine = in[i];
  *mine = *mine + 1;
  *mine = *mine * 2;
}

__global__ void parity_bits(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned odd = __ballot_sync(0xffffffffu, in[i] & 1);
  if (threadIdx.x % 32 == 0) out[i / 32] = __popc(odd) * 100 + __ffs(odd) + (__brev(odd) >> 31);
}

struct Item {
  char tag;
  short small;
  int large;
};

__global__ void write_items(const int* in, Item* items) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Item item;
  item.tag = static_cast<char>(in[i]);
  item.small = static_cast<short>(in[i] * 2);
  item.large = in[i] * 3;
  items[i] = item;
}

__global__ void add_items(const Item* items, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Item item = items[n - 1 - i];
  out[i] = item.tag + item.small + item.large;
}

__global__ void swap_components(const int4* in, int4* out) {
  int4 v = in[threadIdx.x];
  out[threadIdx.x] = make_int4(v.w, v.z, v.y, v.x);
}

template <typename T, int Factor>
__global__ void scale(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] += static_cast<int>(static_cast<T>(in[i]) * Factor);
}

template <typename Function>
__global__ void apply(const int* in, int* out, Function function) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = function(in[i], i);
}

__constant__ int weights[5] = {1, 2, 3, 4, 5};

__global__ void weighted(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int k = 0; k < 5; ++k) sum += weights[k] * in[(i + k) % n];
  out[i] = sum;
}

__global__ void transpose(const int* in, int* out) {
  __shared__ int tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * 32 + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
  out[y * 32 + x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void three_dimensions(const int* in, int* out) {
  dim3 at(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
          blockIdx.z * blockDim.z + threadIdx.z);
  int i = (at.z * 16 + at.y) * 8 + at.x;
  out[i] = in[i] * 2;
}

__global__ void two_arrays_in_dynamic_memory(const int* in, int* out) {
  extern __shared__ int memory[];
  int* values = memory;
  short* places = reinterpret_cast<short*>(memory + 64);
  values[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  places[threadIdx.x] = static_cast<short>(63 - threadIdx.x);
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = values[places[threadIdx.x]];
}

__global__ void grid_stride(const int* in, int* out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[i] * in[i];
}

__global__ void write_bytes(const int* in, unsigned char* bytes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bytes[i] = static_cast<unsigned char>(in[i]);
}
__global__ void read_words(const unsigned* words, int* out) {
  int i = threadIdx.x;
  unsigned word = words[i];
  for (int b = 0; b < 4; ++b) out[4 * i + b] = static_cast<int>(word >> 8 * b & 255);
}

__global__ void shorts_in_shared(const int* in, int* out) {
  __shared__ short s[64];
  s[threadIdx.x] = static_cast<short>(in[blockIdx.x * 64 + threadIdx.x]);
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x ^ 1];
}

__global__ void multiply(const int* in, int* out) {
  __shared__ int a[8][8], b[8][8];
  int row = blockIdx.y * 8 + threadIdx.y, column = blockIdx.x * 8 + threadIdx.x, sum = 0;
  for (int k = 0; k < 32; k += 8) {
    a[threadIdx.y][threadIdx.x] = in[row * 32 + k + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = in[(k + threadIdx.y) * 32 + column];
    __syncthreads();
    for (int j = 0; j < 8; ++j) sum += a[threadIdx.y][j] * b[j][threadIdx.x];
    __syncthreads();
  }
  out[row * 32 + column] = sum;
}

__global__ void scan_with_two_buffers(const int* in, int* out) {
  __shared__ int s[2][256];
  int from = 0;
  s[0][threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (unsigned step = 1; step < 256; step *= 2) {
    s[1 - from][threadIdx.x] = s[from][threadIdx.x] + (threadIdx.x >= step ? s[from][threadIdx.x - step] : 0);
    from = 1 - from;
    __syncthreads();
  }
  out[threadIdx.x] = s[from][threadIdx.x];
}

__global__ void scan_up_and_down(const int* in, int* out) {
  __shared__ int s[256];
  s[threadIdx.x] = in[threadIdx.x];
  for (unsigned step = 1; step < 256; step *= 2) {
    __syncthreads();
    unsigned i = (threadIdx.x + 1) * step * 2 - 1;
    if (i < 256) s[i] += s[i - step];
  }
  for (unsigned step = 64; step > 0; step /= 2) {
    __syncthreads();
    unsigned i = (threadIdx.x + 1) * step * 2 - 1;
    if (i + step < 256) s[i + step] += s[i];
  }
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}

__global__ void bitonic_sort(const int* in, int* out) {
  __shared__ int s[256];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  for (unsigned size = 2; size <= 256; size *= 2)
    for (unsigned step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      unsigned other = t ^ step;
      if (other > t && ((t & size) == 0) == (s[t] > s[other])) {
        int kept = s[t];
        s[t] = s[other];
        s[other] = kept;
      }
    }
  __syncthreads();
  out[t] = s[t];
}

// Each block adds its sum to that of the blocks before it as soon as that is there.
__global__ void chained_scan(const int* in, int* out, int* sums, int* ready) {
  __shared__ int s[64];
  __shared__ int before;
  int i = blockIdx.x * 64 + threadIdx.x;
  s[threadIdx.x] = in[i];
  __syncthreads();
  for (unsigned step = 1; step < 64; step *= 2) {
    int add = threadIdx.x >= step ? s[threadIdx.x - step] : 0;
    __syncthreads();
    s[threadIdx.x] += add;
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    before = 0;
    if (blockIdx.x > 0) {
      while (atomicAdd(&ready[blockIdx.x - 1], 0) == 0) {
      }
      __threadfence();
      before = sums[blockIdx.x - 1];
    }
    sums[blockIdx.x] = before + s[63];
    __threadfence();
    atomicExch(&ready[blockIdx.x], 1);
  }
  __syncthreads();
  out[i] = before + s[threadIdx.x];
}

__global__ void column_sums(const int* in, int* out) {
  __shared__ int s[32];
  s[threadIdx.x] = in[threadIdx.x * 32 + blockIdx.x];
  for (unsigned step = 16; step > 0; step /= 2) {
    __syncthreads();
    if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

// Whoever finds it writes the same.
__global__ void find(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] == 50) *out = 1;
}

__global__ void one_atomic_per_warp(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool wanted = in[i] > 40;
  unsigned who = __ballot_sync(0xffffffffu, wanted);
  unsigned lane = threadIdx.x % 32;
  int place = 0;
  if (lane == 0) place = atomicAdd(&out[n - 1], __popc(who));
  place = __shfl_sync(0xffffffffu, place, 0) + __popc(who & ((1u << lane) - 1));
  if (wanted) out[place] = 1;
}

__global__ void votes_of_the_block(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int odd = __syncthreads_count(in[i] & 1), any = __syncthreads_or(in[i] == 100),
      all = __syncthreads_and(in[i] < 101);
  if (threadIdx.x == 0) out[blockIdx.x] = odd * 4 + (any != 0) * 2 + (all != 0);
}

__global__ void copy_by_memcpy(const int* in, int* out) {
  struct Row {
    int values[8];
  };
  Row row;
  memcpy(&row, in + threadIdx.x * 8, sizeof row);
  for (int k = 0; k < 4; ++k) {
    int kept = row.values[k];
    row.values[k] = row.values[7 - k];
    row.values[7 - k] = kept;
  }
  memcpy(out + threadIdx.x * 8, &row, sizeof row);
}

__device__ int fibonacci(int k) { return k < 2 ? k : fibonacci(k - 1) + fibonacci(k - 2); }
__global__ void recursion(const int* in, int* out) { out[threadIdx.x] = fibonacci(in[threadIdx.x] % 10); }

__global__ void nested_divergence(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int a = 0; a < i % 5; ++a) {
    if (a % 2 == 0)
      for (int b = 0; b < i % 3; ++b) sum += in[(i + a * b) % n];
    else
      sum -= in[i];
  }
  switch (i % 4) {
  case 0:
    sum += 1;
    break;
  case 1:
    sum *= 2;
    [[fallthrough]];
  case 2:
    sum -= in[0];
    break;
  default:
    break;
  }
  out[i] = sum;
}

// A list that grows at its head: `next` of every element, and the head in scratch[n].
__global__ void push(int* scratch) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  scratch[i] = atomicExch(&scratch[n], i + 1);
}
__global__ void walk(const int* scratch, int* out) {
  int length = 0;
  for (int at = scratch[n]; at != 0; at = scratch[at - 1]) out[at - 1] = ++length > 0;
}

__global__ void halves_of_a_warp(const int* in, int* out) {
  __shared__ int s[32];
  unsigned half = threadIdx.x < 16 ? 0x0000ffffu : 0xffff0000u;
  s[threadIdx.x] = in[threadIdx.x];
  __syncwarp(half);
  if (threadIdx.x < 16)
    out[threadIdx.x] = s[15 - threadIdx.x];
  else
    out[threadIdx.x] = s[47 - threadIdx.x];
}

__global__ void owners_of_rows(const int* in, int* out) {
  int* row = out + (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  for (int k = 0; k < 16; ++k) row[k] = k > 0 ? row[k - 1] + in[k] : in[0];
}

// No thread reads what the exchange finds.
__global__ void exchange_is_a_write(const int* in, int* out) {
  __shared__ int tile[128];
  atomicExch(&tile[threadIdx.x], in[blockIdx.x * 128 + threadIdx.x]);
  __syncthreads();
  out[blockIdx.x * 128 + threadIdx.x] = tile[127 - threadIdx.x];
}

// More than is needed, as a careful beginner writes it. Barriers tell the threads all that fences and volatile do.
__global__ void volatile_tile_with_fences(const int* in, int* out) {
  __shared__ volatile int tile[256];
  int sum = 0;
  for (int turn = 0; turn < 16; ++turn) {
    tile[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x] + turn;
    __threadfence_block();
    __syncthreads();
    for (int k = 0; k < 256; ++k) sum += tile[k];
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

__global__ void volatile_tree_with_fences(const int* in, int* out) {
  __shared__ volatile int part[256];
  unsigned t = threadIdx.x;
  part[t] = in[blockIdx.x % 4 * 256 + t];
  for (unsigned half = 128; half > 0; half /= 2) {
    __threadfence();
    __syncthreads();
    if (t < half) part[t] = part[t] + part[t + half];
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

} // namespace

#define CASE(name, ...)                                                                                      \
  void name##_case(const int* in, int* out, int* scratch) {                                                  \
    (void)in, (void)out, (void)scratch;                                                                      \
    __VA_ARGS__;                                                                                             \
  }

extern "C" {
CASE(guard_exits_early, guard_exits_early<<<9, 128>>>(in, out))
CASE(exit_before_barrier, exit_before_barrier<<<1, 64>>>(in, out))
CASE(warp_sum_in_shared, warp_sum_in_shared<<<4, 256>>>(in, out))
CASE(warp_sum_by_shuffle, warp_sum_by_shuffle<<<8, 128>>>(in, out))
CASE(butterfly, butterfly<<<8, 128>>>(in, out))
CASE(block_sum, block_sum<<<4, 256>>>(in, out))
CASE(sum_in_one_pass, sum_in_one_pass<<<8, 128>>>(in, out, scratch);
     sum_in_one_pass<<<8, 128>>>(in, out, scratch))
CASE(two_shared_buffers, two_shared_buffers<<<16, 64>>>(in, out))
CASE(two_global_buffers, two_global_buffers<<<1, 256>>>(in, out, scratch))
CASE(smooth, smooth<<<8, 128>>>(in, scratch); smooth<<<8, 128>>>(scratch, out))
CASE(in_place_through_registers, guard_exits_early<<<8, 128>>>(in, out);
     in_place_through_registers<<<1, 256>>>(out))
CASE(count_values, count_values<<<8, 128>>>(in, out))
CASE(count_values_in_shared, count_values_in_shared<<<8, 128>>>(in, out))
CASE(hand_over, hand_over<<<16, 64>>>(in, out, scratch, scratch + n))
CASE(add_under_lock, add_under_lock<<<20, 32>>>(in, out, scratch))
CASE(largest_by_cas, largest_by_cas<<<8, 128>>>(in, out))
CASE(through_volatile, through_volatile<<<8, 128>>>(in, out))
CASE(parity_bits, parity_bits<<<8, 128>>>(in, out))
CASE(structures, write_items<<<8, 128>>>(in, reinterpret_cast<Item*>(scratch));
     add_items<<<8, 128>>>(reinterpret_cast<Item*>(scratch), out))
CASE(swap_components,
     swap_components<<<1, 256>>>(reinterpret_cast<const int4*>(in), reinterpret_cast<int4*>(out)))
CASE(templates, scale<int, 2><<<8, 128>>>(in, out); scale<short, 3><<<8, 128>>>(in, out))
CASE(lambdas, int add = 5; apply<<<8, 128>>>(in, out, [=] __device__(int x, int i) { return x * add + i; }))
CASE(constants, weighted<<<8, 128>>>(in, out))
CASE(transpose, transpose<<<dim3(2, 2), dim3(16, 16)>>>(in, out))
CASE(three_dimensions, three_dimensions<<<dim3(2, 4, 2), dim3(4, 4, 4)>>>(in, out))
CASE(two_arrays_in_dynamic_memory, two_arrays_in_dynamic_memory<<<16, 64, 64 * 6>>>(in, out))
CASE(grid_stride, grid_stride<<<3, 96>>>(in, out))
CASE(bytes, write_bytes<<<8, 128>>>(in, reinterpret_cast<unsigned char*>(scratch));
     read_words<<<1, 256>>>(reinterpret_cast<const unsigned*>(scratch), out))
CASE(shorts_in_shared, shorts_in_shared<<<16, 64>>>(in, out))
CASE(multiply, multiply<<<dim3(4, 4), dim3(8, 8)>>>(in, out))
CASE(scan_with_two_buffers, scan_with_two_buffers<<<1, 256>>>(in, out))
CASE(scan_up_and_down, scan_up_and_down<<<1, 256>>>(in, out))
CASE(bitonic_sort, bitonic_sort<<<1, 256>>>(in, out))
CASE(chained_scan, chained_scan<<<16, 64>>>(in, out, scratch, scratch + 64))
CASE(column_sums, column_sums<<<32, 32>>>(in, out))
CASE(find, find<<<8, 128>>>(in, out))
CASE(one_atomic_per_warp, one_atomic_per_warp<<<8, 128>>>(in, out))
CASE(votes_of_the_block, votes_of_the_block<<<8, 128>>>(in, out))
CASE(copy_by_memcpy, copy_by_memcpy<<<1, 128>>>(in, out))
CASE(recursion, recursion<<<1, 128>>>(in, out))
CASE(nested_divergence, nested_divergence<<<8, 128>>>(in, out))
CASE(linked_list, push<<<8, 128>>>(scratch); walk<<<1, 1>>>(scratch, out))
CASE(halves_of_a_warp, halves_of_a_warp<<<1, 32>>>(in, out))
CASE(owners_of_rows, owners_of_rows<<<2, 32>>>(in, out))
CASE(exchange_is_a_write, exchange_is_a_write<<<8, 128>>>(in, out))
CASE(volatile_tile_with_fences, volatile_tile_with_fences<<<4, 256>>>(in, out))
CASE(volatile_tree_with_fences, volatile_tree_with_fences<<<200, 256>>>(in, out))
}
