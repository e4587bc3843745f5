// Device-side launches as lab 05 uses them: right ones.

namespace {

__global__ void nested_sum(int* data, int* out, int n, int step) {
  // Each block halves its own part; thread 0 then launches the next half of it.
  int* part = data + static_cast<long long>(blockIdx.x) * step;
  if (n == 1) {
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
    return;
  }
  int half = n / 2;
  if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  __syncthreads();
  if (threadIdx.x == 0) nested_sum<<<1, half>>>(part, out + blockIdx.x, half, 0);
}

__global__ void level_sum(int* data, int n) {
  // Whole levels: a tail launch starts when every block of this level has finished.
  int half = n / 2, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < half) data[i] += data[i + half];
  if (half > 1 && i == 0) level_sum<<<(half / 2 + 255) / 256, 256, 0, cudaStreamTailLaunch>>>(data, half);
}

__global__ void quick_sort(int* data, int low, int high) {
  // One thread partitions; the two sides are sorted by children that need no order between them.
  while (high - low > 8) {
    int pivot = data[(low + high) / 2], i = low, j = high - 1;
    while (i <= j) {
      while (data[i] < pivot) ++i;
      while (data[j] > pivot) --j;
      if (i <= j) {
        int swapped = data[i];
        data[i++] = data[j];
        data[j--] = swapped;
      }
    }
    quick_sort<<<1, 1, 0, cudaStreamFireAndForget>>>(data, low, j + 1);
    if (cudaGetLastError() != cudaSuccess) __trap();
    low = i;
  }
  for (int i = low + 1; i < high; ++i)
    for (int j = i; j > low && data[j] < data[j - 1]; --j) {
      int swapped = data[j];
      data[j] = data[j - 1];
      data[j - 1] = swapped;
    }
}

__device__ int dwell(float x, float y, int limit) {
  float a = x, b = y;
  int n = 0;
  for (; n < limit && a * a + b * b < 4.0f; ++n) {
    float t = a * a - b * b + x;
    b = 2.0f * a * b + y;
    a = t;
  }
  return n;
}

__device__ int dwell_at(int x, int y, int size, int limit) {
  return dwell(-2.0f + 3.0f * x / size, -1.5f + 3.0f * y / size, limit);
}

__global__ void pixels(int* out, int size, int limit, int x0, int y0, int side, int* computed) {
  int x = x0 + threadIdx.x, y = y0 + blockIdx.x;
  if (threadIdx.x < side) {
    out[y * size + x] = dwell_at(x, y, size, limit);
    atomicAdd(computed, 1);
  }
}

__global__ void fill(int* out, int size, int value, int x0, int y0, int side) {
  if (threadIdx.x < side) out[(y0 + blockIdx.x) * size + x0 + threadIdx.x] = value;
}

__global__ void subdivide(int* out, int size, int limit, int x0, int y0, int side, int* computed) {
  // One block per square: equal along the border means equal inside.
  __shared__ int lowest, highest;
  x0 += blockIdx.x * side;
  y0 += blockIdx.y * side;
  if (threadIdx.x == 0) {
    lowest = limit + 1;
    highest = -1;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < side; i += blockDim.x) {
    int border[4] = {dwell_at(x0 + i, y0, size, limit), dwell_at(x0 + i, y0 + side - 1, size, limit),
                     dwell_at(x0, y0 + i, size, limit), dwell_at(x0 + side - 1, y0 + i, size, limit)};
    for (int value : border) {
      atomicMin(&lowest, value);
      atomicMax(&highest, value);
    }
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  if (lowest == highest)
    fill<<<side, side>>>(out, size, lowest, x0, y0, side);
  else if (side <= 16)
    pixels<<<side, side>>>(out, size, limit, x0, y0, side, computed);
  else
    subdivide<<<dim3(2, 2), 32>>>(out, size, limit, x0, y0, side / 2, computed);
}

__global__ void append(int* log, int* used, int value) { log[atomicAdd(used, 1)] = value; }

__global__ void streams_in_order(int* log, int* used) {
  // Per block, in order; blocks among themselves in any order.
  int base = blockIdx.x * 10;
  if (threadIdx.x == 0) {
    append<<<1, 1, 0, cudaStreamTailLaunch>>>(log, used, 100 + base);
    append<<<1, 1>>>(log, used, base);
    append<<<1, 1>>>(log, used, base + 1);
    append<<<1, 1, 0, cudaStreamTailLaunch>>>(log, used, 101 + base);
  }
  __syncthreads();
  if (threadIdx.x == 32) append<<<1, 1>>>(log, used, base + 2);
}

__global__ void named_streams(int* log, int* used) {
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  append<<<1, 1, 0, first>>>(log, used, 0);
  append<<<1, 1, 0, second>>>(log, used, 10);
  append<<<1, 1, 0, first>>>(log, used, 1);
  append<<<1, 1, 0, second>>>(log, used, 11);
  append<<<1, 1, 0, cudaStreamFireAndForget>>>(log, used, 20);
  append<<<1, 1, 0, cudaStreamFireAndForget>>>(log, used, 21);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}

__global__ void tail_of_tail(int* log, int* used, int level) {
  if (level == 0) {
    append<<<1, 1, 0, cudaStreamTailLaunch>>>(log, used, 1);
    tail_of_tail<<<1, 1, 0, cudaStreamTailLaunch>>>(log, used, 1);
    append<<<1, 1, 0, cudaStreamTailLaunch>>>(log, used, 5);
  } else {
    append<<<1, 1, 0, cudaStreamTailLaunch>>>(log, used, 4);
    append<<<1, 1>>>(log, used, 2);
    append<<<1, 1>>>(log, used, 3);
  }
}

__global__ void look(const int* phase, int* seen) { *seen = *phase; }
__global__ void launch_look(int* phase, int* seen) {
  if (blockIdx.x == 0 && threadIdx.x == 0) look<<<1, 1>>>(phase, seen);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(phase, 1);
}

__global__ void deep(int* out, int levels) {
  __shared__ int here;
  if (threadIdx.x == 0) here = levels;
  __syncthreads();
  if (levels > 1 && threadIdx.x == 0) deep<<<1, 64>>>(out, levels - 1);
  __syncthreads();
  if (threadIdx.x == 40 && here == levels) atomicAdd(out, 1);
}

__global__ void tail_chain(int* out, int levels) {
  atomicAdd(out, 1);
  if (levels > 1) tail_chain<<<1, 1, 0, cudaStreamTailLaunch>>>(out, levels - 1);
}

__global__ void two_per_grid(int* out, int levels) {
  atomicAdd(out, 1);
  if (levels == 1) return;
  two_per_grid<<<1, 1, 0, cudaStreamFireAndForget>>>(out, levels - 1);
  two_per_grid<<<1, 1>>>(out, levels - 1);
}

__global__ void add_one(int* out) { atomicAdd(out, 1); }
template <class T>
__global__ void add_value(T* out, T value) {
  atomicAdd(out, value);
}
struct Pair {
  int a, b;
};
__global__ void add_pair(int* out, Pair pair) { atomicAdd(out, pair.a * 100 + pair.b); }
__global__ void arguments_by_value(int* out) {
  int value = threadIdx.x + 1;
  add_value<<<1, 1>>>(out, value);
  add_value<int><<<1, 1>>>(out, value);
  add_pair<<<1, 1>>>(out, Pair{value, value});
  value = 1000; // the children have got their copies
}

// Launches that fail.

__global__ void bounded_launches(int* errors, int what, unsigned long long stream) {
  switch (what) {
  case 0:
    add_one<<<1, 1025>>>(errors + 4);
    break;
  case 1:
    add_one<<<0, 32>>>(errors + 4);
    break;
  case 2:
    add_one<<<dim3(1, 65536), 1>>>(errors + 4);
    break;
  case 3:
    add_one<<<1, 1, 48 * 1024 + 4>>>(errors + 4);
    break;
  case 4:
    add_one<<<1, 1, 0, reinterpret_cast<cudaStream_t>(stream)>>>(errors + 4);
    break;
  }
  errors[0] = cudaPeekAtLastError();
  errors[1] = cudaGetLastError();
  errors[2] = cudaGetLastError();
  add_one<<<1, 1>>>(errors + 4);
  errors[3] = cudaGetLastError();
}

__global__ void launch_each(int* out, int* errors, int n, int kind) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (kind == 0) add_one<<<1, 1>>>(out);
  if (kind == 1) add_one<<<1, 1, 0, cudaStreamFireAndForget>>>(out);
  if (kind == 2) add_one<<<1, 1, 0, cudaStreamTailLaunch>>>(out);
  if (cudaError_t error = cudaGetLastError()) {
    atomicAdd(errors, 1);
    errors[1] = error;
  }
}

__global__ void unchecked_launch(int* out) {
  add_one<<<1, 2000>>>(out); // unchecked
}

__global__ void traps_on_refusal(int* out, unsigned threads) {
  add_one<<<1, threads>>>(out);
  if (cudaGetLastError() != cudaSuccess) __trap(); // gives up
}

__global__ void endless(int* out) {
  endless<<<1, 1, 0, cudaStreamTailLaunch>>>(out); // endless
}

__global__ void endless_recursion(int* out) {
  if (threadIdx.x == 0) endless_recursion<<<1, 128>>>(out); // again and again
}

__global__ void read_one(const int* in, int* out) { *out = *in; }
__global__ void passes_shared(int* out) {
  __shared__ int value;
  value = 3;
  read_one<<<1, 1>>>(&value, out); // shared pointer
}
__global__ void passes_local(int* out) {
  int value = static_cast<int>(clock64());
  read_one<<<1, 1>>>(&value, out); // local pointer
}

__global__ void broken_child(int* out) { out[1 << 20] = 1; }
__global__ void launches_broken(int* out) {
  broken_child<<<1, 1>>>(out);
  __syncthreads();
  add_one<<<1, 1>>>(out);
}

__global__ void waits_for_child(volatile int* flag) {
  if (threadIdx.x == 0) add_one<<<1, 1>>>(const_cast<int*>(flag));
  while (*flag == 0) {
  }
}

} // namespace

extern "C" {
void run_nested_sum(int* data, int* out, int blocks, int per_block) {
  nested_sum<<<blocks, per_block / 2>>>(data, out, per_block, per_block);
}
void run_level_sum(int* data, int n) { level_sum<<<(n / 2 + 255) / 256, 256>>>(data, n); }
void run_quick_sort(int* data, int n) { quick_sort<<<1, 1>>>(data, 0, n); }
void run_mandelbrot(int* out, int size, int limit, int* computed) {
  subdivide<<<dim3(4, 4), 32>>>(out, size, limit, 0, 0, size / 4, computed);
}
void run_flat_mandelbrot(int* out, int size, int limit, int* computed) {
  pixels<<<size, size>>>(out, size, limit, 0, 0, size, computed);
}
void run_streams_in_order(int* log, int* used) { streams_in_order<<<2, 64>>>(log, used); }
void run_named_streams(int* log, int* used) { named_streams<<<1, 1>>>(log, used); }
void run_tail_of_tail(int* log, int* used) { tail_of_tail<<<1, 1>>>(log, used, 0); }
void run_launch_look(int* phase, int* seen) { launch_look<<<8, 64>>>(phase, seen); }
void run_deep(int* out, int levels) { deep<<<1, 64>>>(out, levels); }
void run_tail_chain(int* out, int levels) { tail_chain<<<1, 1>>>(out, levels); }
void run_two_per_grid(int* out, int levels) { two_per_grid<<<1, 1>>>(out, levels); }
void run_arguments_by_value(int* out) { arguments_by_value<<<1, 4>>>(out); }
void run_bounded_launches(int* errors, int what, unsigned long long stream) {
  bounded_launches<<<1, 1>>>(errors, what, stream);
}
void run_launch_each(int* out, int* errors, int n, int kind) {
  launch_each<<<(n + 255) / 256, 256>>>(out, errors, n, kind);
}
void run_unchecked_launch(int* out) { unchecked_launch<<<1, 2>>>(out); }
void run_traps_on_refusal(int* out, unsigned threads) { traps_on_refusal<<<1, 1>>>(out, threads); }
void run_endless(int* out) { endless<<<1, 1>>>(out); }
void run_endless_recursion(int* out) { endless_recursion<<<1, 128>>>(out); }
void run_passes_shared(int* out) { passes_shared<<<1, 1>>>(out); }
void run_passes_local(int* out) { passes_local<<<1, 1>>>(out); }
void run_launches_broken(int* out) { launches_broken<<<1, 1>>>(out); }
void run_waits_for_child(int* flag) { waits_for_child<<<1, 1>>>(flag); }
}

// What the schedules may hide: a child sees only what its launching thread knew.
namespace {

__global__ void nested_sum_without_barrier(int* data, int* out, int n) {
  int half = n / 2;
  if (threadIdx.x < half) data[threadIdx.x] += data[threadIdx.x + half]; // half is written
  if (threadIdx.x == 0) nested_sum<<<1, half / 2>>>(data, out, half, 0);
}

__global__ void level_sum_too_early(int* data, int n) {
  int half = n / 2, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < half) data[i] += data[i + half]; // level is written
  __syncthreads();
  if (half > 1 && i == 0) level_sum_too_early<<<(half / 2 + 255) / 256, 256>>>(data, half);
}

__global__ void write_both(int* data, int value) { data[0] = value; }
__global__ void writes_after_launch(int* data, int* out) {
  data[0] = 1;
  read_one<<<1, 1>>>(data, out);
  data[0] = 2; // too late
}
__global__ void reads_result(int* data, int* out) {
  write_both<<<1, 1>>>(data, 5);
  __syncthreads();
  *out = *data; // not yet there
}
__global__ void unordered_siblings(int* data) {
  write_both<<<1, 1, 0, cudaStreamFireAndForget>>>(data, 5);
  write_both<<<1, 1, 0, cudaStreamFireAndForget>>>(data, 6);
}
__global__ void ordered_siblings(int* data, int* out) {
  write_both<<<1, 1>>>(data, 5);
  read_one<<<1, 1>>>(data, out);
  write_both<<<1, 1, 0, cudaStreamTailLaunch>>>(data, 6);
  read_one<<<1, 1, 0, cudaStreamTailLaunch>>>(data, out + 1);
}

} // namespace

extern "C" {
void run_nested_sum_without_barrier(int* data, int* out, int n) {
  nested_sum_without_barrier<<<1, n / 2>>>(data, out, n);
}
void run_level_sum_too_early(int* data, int n) { level_sum_too_early<<<(n / 2 + 255) / 256, 256>>>(data, n); }
void run_writes_after_launch(int* data, int* out) { writes_after_launch<<<1, 1>>>(data, out); }
void run_reads_result(int* data, int* out) { reads_result<<<1, 1>>>(data, out); }
void run_unordered_siblings(int* data) { unordered_siblings<<<1, 1>>>(data); }
void run_ordered_siblings(int* data, int* out) { ordered_siblings<<<1, 1>>>(data, out); }
}

// Grids that wait for each other while both run: a child that is launched early polls what its parent has yet to do.
namespace {

enum : int { right, without_fence, without_wait, never_comes };

__device__ void wait_until(unsigned* count, unsigned expected) {
  while (atomicAdd(count, 0) != expected) { // asks for the count
    __nanosleep(20);
  }
}

// More blocks than the parent has, and each keeps something in shared memory and in its threads while it waits.
__global__ void adds_up_early(const int* data, int* out, unsigned* count, unsigned expected, int mistake) {
  __shared__ int kept[64];
  kept[threadIdx.x] = blockIdx.x * 100 + threadIdx.x;
  const int own = kept[threadIdx.x] + 1;
  if (threadIdx.x == 0 && mistake != without_wait) wait_until(count, expected);
  __syncthreads();
  const int read = data[blockIdx.x * blockDim.x + threadIdx.x]; // is read early
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      kept[63 - threadIdx.x] == own + 62 - 2 * int(threadIdx.x) ? read : -1;
}

__global__ void launches_early(int* data, int* out, unsigned* count, unsigned children, int mistake) {
  __shared__ int half[32];
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    adds_up_early<<<children, 64, 0, cudaStreamFireAndForget>>>(
        data, out, count, gridDim.x + (mistake == never_comes), mistake);
    if (cudaGetLastError() != cudaSuccess) __trap();
  }
  if (threadIdx.x < 32) half[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const unsigned per_block = children * 64 / gridDim.x;
  for (unsigned i = threadIdx.x; i < per_block; i += blockDim.x)
    data[blockIdx.x * per_block + i] = blockIdx.x + half[i % 32]; // is written meanwhile
  __syncthreads();
  if (threadIdx.x == 0) {
    if (mistake != without_fence) __threadfence();
    atomicAdd(count, 1);
  }
}

// A question and an answer, there and back, in several rounds: neither grid can finish before the other goes on.
__global__ void answers(volatile int* turn, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    while (*turn != 2 * i + 1) {
    }
    *turn = 2 * i + 2;
  }
}
__global__ void asks(volatile int* turn, int rounds) {
  answers<<<1, 1, 0, cudaStreamFireAndForget>>>(turn, rounds);
  __syncthreads();
  for (int i = 0; i < rounds; ++i) {
    *turn = 2 * i + 1;
    while (*turn != 2 * i + 2) {
    }
  }
}

// Two children of which the first waits for the second, which the first one has launched before.
__global__ void raises(unsigned* flag) { atomicAdd(flag, 1); }
__global__ void waits_for_sibling(unsigned* flag, int* out) {
  wait_until(flag, 1);
  *out = 1;
}
__global__ void launches_two(unsigned* flag, int* out) {
  waits_for_sibling<<<1, 1, 0, cudaStreamFireAndForget>>>(flag, out);
  raises<<<1, 1, 0, cudaStreamFireAndForget>>>(flag);
}

// Gives up by itself.
__global__ void tries(unsigned* flag, int* out) {
  int attempts = 0;
  while (atomicAdd(flag, 0) == 0 && attempts < 500) ++attempts;
  *out = attempts;
}
__global__ void launches_try(unsigned* flag, int* out) {
  tries<<<1, 1, 0, cudaStreamFireAndForget>>>(flag, out);
}

// How far the parent is when its child goes on.
__global__ void notes_count(unsigned* count, unsigned* out) {
  while (atomicAdd(count, 0) < 4) {
  }
  *out = atomicAdd(count, 0);
}
__global__ void counts_blocks(unsigned* count, unsigned* out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) notes_count<<<1, 1, 0, cudaStreamFireAndForget>>>(count, out);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(count, 1);
}

// More grids than there is room for beside each other.
__global__ void adds_one_after(unsigned* flag, int* out) {
  wait_until(flag, 1);
  atomicAdd(out, 1);
}
__global__ void launches_many(unsigned* flag, int* out, int children) {
  for (int i = 0; i < children; ++i) adds_one_after<<<4, 1, 0, cudaStreamFireAndForget>>>(flag, out);
  __syncthreads();
  atomicAdd(flag, 1);
}

// What a parent that waits for its child learns from it.
__global__ void leaves_value(int* data, unsigned* flag, bool fence) {
  data[threadIdx.x] = 5; // left by the child
  __syncthreads();
  if (threadIdx.x != 0) return;
  if (fence) __threadfence();
  atomicAdd(flag, 1);
}
__global__ void takes_value(int* data, unsigned* flag, int* out, bool fence) {
  leaves_value<<<1, 64, 0, cudaStreamFireAndForget>>>(data, flag, fence);
  __syncthreads();
  wait_until(flag, 1);
  *out = data[63]; // taken by the parent
}

} // namespace

extern "C" {
void run_launches_early(int* data, int* out, unsigned* count, unsigned blocks, unsigned children,
                        int mistake) {
  launches_early<<<blocks, 64>>>(data, out, count, children, mistake);
}
void run_asks(int* turn, int rounds) { asks<<<1, 1>>>(turn, rounds); }
void run_launches_two(unsigned* flag, int* out) { launches_two<<<1, 1>>>(flag, out); }
void run_launches_try(unsigned* flag, int* out) { launches_try<<<1, 1>>>(flag, out); }
void run_counts_blocks(unsigned* count, unsigned* out) { counts_blocks<<<32, 64>>>(count, out); }
void run_launches_many(unsigned* flag, int* out, int children) {
  launches_many<<<1, 1>>>(flag, out, children);
}
void run_takes_value(int* data, unsigned* flag, int* out, bool fence) {
  takes_value<<<1, 1>>>(data, flag, out, fence);
}
}
