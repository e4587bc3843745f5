// cuda::atomic and cuda::atomic_ref: what they do, what they cost, and what their orders and scopes order.
#include <cuda/atomic>
#include <cuda/std/atomic>

namespace {

using cuda::memory_order;
template <class T>
using device_ref = cuda::atomic_ref<T, cuda::thread_scope_device>;

// ---- values

template <class T>
__device__ void
add_all(T* results) { // results[0] is the variable, the others are what each operation has returned
  device_ref<T> value(results[0]);
  results[1] = value.exchange(T(10));
  results[2] = value.fetch_add(T(5));
  results[3] = value.fetch_sub(T(3));
  results[4] = value.fetch_min(T(4));
  results[5] = value.fetch_max(T(20));
  results[6] = value += T(2);
  results[7] = value -= T(1);
  T expected = T(1);
  results[8] = value.compare_exchange_strong(expected, T(50)) ? T(1) : expected;
  results[9] = value.compare_exchange_weak(expected, T(50)) ? T(1) : T(0);
  results[10] = value.load();
  value.store(T(7));
  results[11] = value;
}

template <class T>
__global__ void all_operations(T* results) {
  add_all(results);
}

__global__ void bit_operations(unsigned* out) {
  cuda::atomic<unsigned, cuda::thread_scope_thread> bits(0xf0);
  out[0] = bits.fetch_and(0x3c);
  out[1] = bits.fetch_or(0x03);
  out[2] = bits.fetch_xor(0xff);
  out[3] = bits;
  out[4] = ++bits;
  out[5] = bits++;
  out[6] = --bits;
  out[7] = bits--;
  out[8] = bits = 12u;
  out[9] = (bits |= 1) + (bits &= 9) + (bits ^= 8);
}

__global__ void pointers_and_structures(int* values, long* out) {
  struct Pair {
    int first;
    float second;
  };
  __shared__ int* cursor;
  __shared__ cuda::atomic<Pair, cuda::thread_scope_block> pair;
  if (threadIdx.x == 0) {
    cursor = values;
    pair.store({1, 2.0f});
  }
  __syncthreads();
  const int* mine = cuda::atomic_ref<int*, cuda::thread_scope_block>(cursor).fetch_add(2);
  out[threadIdx.x] = mine - values;
  Pair old = pair.load();
  while (!pair.compare_exchange_weak(old, {old.first + 1, old.second * 2})) {
  }
  __syncthreads();
  if (threadIdx.x == 0) out[32] = pair.load().first;
  if (threadIdx.x == 0) out[33] = static_cast<long>(pair.load().second);
}

__device__ cuda::std::atomic<int> standard_counter{5};
__device__ cuda::std::atomic_flag standard_flag;
__global__ void standard_atomics(int* out) {
  standard_counter.fetch_add(1, cuda::std::memory_order_relaxed);
  if (!standard_flag.test_and_set()) cuda::std::atomic_fetch_add(&standard_counter, 100);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = cuda::std::atomic_load(&standard_counter);
  if (threadIdx.x == 0) out[1] = standard_flag.test();
}

// ---- counters

__global__ void one_of_each(int* data, int* out) {
  device_ref<int> element(data[threadIdx.x]);
  out[threadIdx.x] = element.load(cuda::memory_order_relaxed); // atomic load
  element.store(1, cuda::memory_order_relaxed);                // atomic store
  element.fetch_add(2, cuda::memory_order_relaxed);            // atomic update
}

__global__ void count_in_shared(int* out) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> count;
  if (threadIdx.x == 0) count.store(0, cuda::memory_order_relaxed);
  __syncthreads();
  count.fetch_add(1, cuda::memory_order_relaxed);
  __syncthreads();
  out[threadIdx.x] = count.load(cuda::memory_order_relaxed);
}

// ---- orders and scopes

/// Block 0 hands data on to block 1, or warp 0 to warp 1 of one block.
template <cuda::thread_scope Scope>
__device__ void hand_on(int* data, int* flag, int* out, bool gives, bool takes, memory_order stores,
                        memory_order loads) {
  cuda::atomic_ref<int, Scope> ready(*flag);
  if (gives) {
    *data = 42; // handed on
    ready.store(1, stores);
  } else if (takes) {
    while (ready.load(loads) == 0) {
    }
    *out = *data; // taken
  }
}

template <cuda::thread_scope Scope>
__global__ void between_blocks(int* data, int* flag, int* out, int stores, int loads) {
  hand_on<Scope>(data, flag, out, blockIdx.x == 0, true, static_cast<memory_order>(stores),
                 static_cast<memory_order>(loads));
}

__global__ void within_block(int* data, int* flag, int* out, int stores, int loads) {
  hand_on<cuda::thread_scope_block>(data, flag, out, threadIdx.x == 0, threadIdx.x == 32,
                                    static_cast<memory_order>(stores), static_cast<memory_order>(loads));
}

__global__ void in_shared(int* out, int stores, int loads) {
  __shared__ int data, flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  hand_on<cuda::thread_scope_block>(&data, &flag, out, threadIdx.x == 0, threadIdx.x == 32,
                                    static_cast<memory_order>(stores), static_cast<memory_order>(loads));
}

__global__ void with_fences(int* data, int* flag, int* out, bool release, bool acquire) {
  device_ref<int> ready(*flag);
  if (blockIdx.x == 0) {
    *data = 42; // before the fence
    if (release) cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
    ready.store(1, cuda::memory_order_relaxed);
  } else {
    while (ready.load(cuda::memory_order_relaxed) == 0) {
    }
    if (acquire) cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    *out = *data; // behind the fence
  }
}

/// Warps of one block pass data on in shared memory, through a flag for each.
__global__ void chain_in_shared(int* out) {
  __shared__ int values[4];
  __shared__ cuda::atomic<int, cuda::thread_scope_block> turn;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  const int warp = static_cast<int>(threadIdx.x / 32);
  if (threadIdx.x % 32 != 0) return;
  while (turn.load(cuda::memory_order_acquire) != warp) {
  }
  int sum = 1;
  for (int i = 0; i < warp; ++i) sum += values[i];
  values[warp] = sum;
  turn.store(warp + 1, cuda::memory_order_release);
  if (warp == 3) *out = sum;
}

/// What a warp does after its release is not handed on.
__global__ void write_behind_release(int* out) {
  __shared__ int early, late;
  __shared__ cuda::atomic<int, cuda::thread_scope_block> ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    early = 1;
    ready.store(1, cuda::memory_order_release);
    late = 2; // behind the release
  } else if (threadIdx.x == 32) {
    while (ready.load(cuda::memory_order_acquire) == 0) {
    }
    out[0] = early;
    out[1] = late; // not handed on
  }
}

__global__ void lock_in_shared(int* out, int rounds) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> lock;
  __shared__ int guarded;
  if (threadIdx.x == 0) {
    lock = 0;
    guarded = 0;
  }
  __syncthreads();
  for (int i = 0; i < rounds; ++i) {
    while (lock.exchange(1, cuda::memory_order_acquire) != 0) {
    }
    guarded += 1;
    lock.store(0, cuda::memory_order_release);
  }
  __syncthreads();
  if (threadIdx.x == 0) *out = guarded;
}

template <cuda::thread_scope Scope>
__global__ void count_in_scope(int* count) {
  cuda::atomic_ref<int, Scope>(*count).fetch_add(1, cuda::memory_order_relaxed); // counts in scope
}
__global__ void count_by_function(int* count) { atomicAdd_block(count, 1); } // counts in block
__global__ void store_and_load(int* flag, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_block> narrow(*flag);
  if (blockIdx.x == 0) narrow.store(1);        // stores in block
  if (blockIdx.x == 1) out[0] = narrow.load(); // loads in block
}

__global__ void plain_beside_atomic(int* count, int* out) {
  if (threadIdx.x == 0) device_ref<int>(*count).fetch_add(1); // atomic
  if (threadIdx.x == 32) *out = *count;                       // plain
}

__global__ void wait_for_ever(int* flag) { device_ref<int>(*flag).wait(0); }
__global__ void wait_for_store(int* flag, int* out) {
  device_ref<int> ready(*flag);
  if (blockIdx.x == 1) {
    ready.wait(0);
    *out = ready.load();
  } else {
    ready.store(3);
    ready.notify_all();
  }
}

} // namespace

extern "C" {
void run_all_ints(int* results) { all_operations<<<1, 1>>>(results); }
void run_all_longs(long long* results) { all_operations<<<1, 1>>>(results); }
void run_all_bytes(unsigned char* results) { all_operations<<<1, 1>>>(results); }
void run_all_shorts(short* results) { all_operations<<<1, 1>>>(results); }
void run_all_floats(float* results) { all_operations<<<1, 1>>>(results); }
void run_all_doubles(double* results) { all_operations<<<1, 1>>>(results); }
void run_bit_operations(unsigned* out) { bit_operations<<<1, 1>>>(out); }
void run_pointers_and_structures(int* values, long* out) { pointers_and_structures<<<1, 32>>>(values, out); }
void run_standard_atomics(int* out) { standard_atomics<<<1, 64>>>(out); }
void run_one_of_each(int* data, int* out) { one_of_each<<<1, 32>>>(data, out); }
void run_count_in_shared(int* out) { count_in_shared<<<1, 32>>>(out); }
void run_between_blocks(int* data, int* flag, int* out, int stores, int loads) {
  between_blocks<cuda::thread_scope_device><<<2, 1>>>(data, flag, out, stores, loads);
}
void run_between_blocks_of_system(int* data, int* flag, int* out, int stores, int loads) {
  between_blocks<cuda::thread_scope_system><<<2, 1>>>(data, flag, out, stores, loads);
}
void run_within_block(int* data, int* flag, int* out, int stores, int loads) {
  within_block<<<1, 64>>>(data, flag, out, stores, loads);
}
void run_in_shared(int* out, int stores, int loads) { in_shared<<<1, 64>>>(out, stores, loads); }
void run_with_fences(int* data, int* flag, int* out, bool release, bool acquire) {
  with_fences<<<2, 1>>>(data, flag, out, release, acquire);
}
void run_chain_in_shared(int* out) { chain_in_shared<<<1, 128>>>(out); }
void run_write_behind_release(int* out) { write_behind_release<<<1, 64>>>(out); }
void run_lock_in_shared(int* out, int rounds) { lock_in_shared<<<2, 96>>>(out, rounds); }
void run_count_in_scope(int* count, int scope) {
  if (scope == cuda::thread_scope_system) count_in_scope<cuda::thread_scope_system><<<2, 64>>>(count);
  if (scope == cuda::thread_scope_device) count_in_scope<cuda::thread_scope_device><<<2, 64>>>(count);
  if (scope == cuda::thread_scope_block) count_in_scope<cuda::thread_scope_block><<<2, 64>>>(count);
  if (scope == cuda::thread_scope_thread) count_in_scope<cuda::thread_scope_thread><<<1, 64>>>(count);
}
void run_count_in_one_block(int* count) { count_in_scope<cuda::thread_scope_block><<<1, 64>>>(count); }
void run_count_by_function(int* count) { count_by_function<<<2, 64>>>(count); }
void run_store_and_load(int* flag, int* out) { store_and_load<<<2, 1>>>(flag, out); }
void run_plain_beside_atomic(int* count, int* out) { plain_beside_atomic<<<1, 64>>>(count, out); }
void run_wait_for_ever(int* flag) { wait_for_ever<<<1, 1>>>(flag); }
void run_wait_for_store(int* flag, int* out) { wait_for_store<<<2, 1>>>(flag, out); }
int count_on_host() {
  cuda::atomic<int> count{40};
  count.fetch_add(1);
  ++count;
  cuda::std::atomic_ref<long> other(*new long(3));
  other += 4;
  return static_cast<int>(count * 100 + other.load());
}
}
