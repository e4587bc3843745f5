// cuda::barrier, cuda::pipeline, cuda::latch and semaphores: what they order, what they cost, and who waits for ever.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>

namespace {

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

#pragma nv_diag_suppress static_var_with_dynamic_init

// ---- all threads of a block

/// Threads exchange values; what they do between arrival and wait is not handed on.
__global__ void exchange(int* out, bool split, bool writes_between, bool reads_early) {
  __shared__ block_barrier barrier;
  __shared__ int values[96];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  const unsigned other = blockDim.x - 1 - threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    values[threadIdx.x] = static_cast<int>(threadIdx.x) + round; // before arrival
    if (split) {
      block_barrier::arrival_token token = barrier.arrive();
      if (writes_between) values[threadIdx.x] += 10;     // behind arrival
      if (reads_early) out[threadIdx.x] = values[other]; // before wait
      barrier.wait(static_cast<block_barrier::arrival_token&&>(token));
    } else {
      barrier.arrive_and_wait();
    }
    out[threadIdx.x] = values[other]; // behind wait
    barrier.arrive_and_wait();
  }
}

__global__ void global_memory(int* data, int* out) {
  __shared__ block_barrier barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  data[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<int>(threadIdx.x);
  barrier.arrive_and_wait();
  out[blockIdx.x * blockDim.x + threadIdx.x] = data[blockIdx.x * blockDim.x + blockDim.x - 1 - threadIdx.x];
}

// ---- some of them

/// The first warp fills buffers, the second one empties them.
__global__ void produce_and_consume(int* out, int rounds, bool early) {
  __shared__ int buffers[2][32];
  __shared__ block_barrier empty[2], full[2];
  if (threadIdx.x < 2) {
    init(&empty[threadIdx.x], 64);
    init(&full[threadIdx.x], 64);
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int i = 0; i < rounds; ++i) {
      empty[i % 2].arrive_and_wait();
      buffers[i % 2][threadIdx.x] = 100 * i + static_cast<int>(threadIdx.x); // fills
      (void)full[i % 2].arrive();
    }
  } else {
    (void)empty[0].arrive();
    (void)empty[1].arrive();
    int sum = 0;
    for (int i = 0; i < rounds; ++i) {
      full[i % 2].arrive_and_wait();
      if (early) (void)empty[i % 2].arrive();
      sum += buffers[i % 2][63 - threadIdx.x]; // empties
      if (!early) (void)empty[i % 2].arrive();
    }
    out[threadIdx.x - 32] = sum;
  }
}

/// Threads leave one after the other.
__global__ void drop_out(int* out) {
  __shared__ block_barrier barrier;
  __shared__ int left;
  if (threadIdx.x == 0) {
    init(&barrier, blockDim.x);
    left = 0;
  }
  __syncthreads();
  for (int round = 0; round < 4; ++round) {
    if (static_cast<int>(threadIdx.x) == round) {
      barrier.arrive_and_drop();
      return;
    }
    barrier.arrive_and_wait();
    if (static_cast<int>(threadIdx.x) == round + 1) ++left;
  }
  if (threadIdx.x == 4) *out = left;
}

struct CountPhases {
  int* phases;
  __device__ void operator()() { *phases += 1; }
};

__global__ void with_completion(int* out, int rounds) {
  using Barrier = cuda::barrier<cuda::thread_scope_block, CountPhases>;
  __shared__ alignas(Barrier) unsigned char storage[sizeof(Barrier)];
  __shared__ int phases;
  auto* barrier = reinterpret_cast<Barrier*>(storage);
  if (threadIdx.x == 0) {
    phases = 0;
    new (barrier) Barrier(blockDim.x, CountPhases{&phases});
  }
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    barrier->arrive_and_wait();
    if (threadIdx.x == 33) out[round] = phases; // reads what completion wrote
    barrier->arrive_and_wait();
  }
}

__global__ void poll(int* out, bool parity) {
  __shared__ block_barrier barrier;
  __shared__ int value;
  if (threadIdx.x == 0) init(&barrier, 2);
  __syncthreads();
  if (threadIdx.x == 0) {
    value = 5;
    (void)barrier.arrive();
  } else if (threadIdx.x == 32) {
    block_barrier::arrival_token token = barrier.arrive();
    if (parity) {
      barrier.wait_parity(false);
    } else {
      while (!barrier.try_wait_for(static_cast<block_barrier::arrival_token&&>(token),
                                   std::chrono::nanoseconds(50))) {
      }
    }
    *out = value;
  }
}

// ---- mistakes

__global__ void one_too_few(int n) {
  __shared__ block_barrier barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  if (static_cast<int>(threadIdx.x) < n) barrier.arrive_and_wait(); // waits for ever
}
__global__ void not_initialised() {
  __shared__ block_barrier barrier;
  barrier.arrive_and_wait(); // no init
}
__global__ void no_barrier_behind_init() {
  __shared__ block_barrier barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x); // init
  barrier.arrive_and_wait();                        // too early
}
__global__ void too_many() {
  __shared__ block_barrier barrier;
  if (threadIdx.x == 0) init(&barrier, 2);
  __syncthreads();
  if (threadIdx.x == 0) (void)barrier.arrive(3); // three of two
}
__global__ void beside_syncthreads() {
  __shared__ block_barrier barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  if (threadIdx.x < 32)
    barrier.arrive_and_wait(); // one half here
  else
    __syncthreads(); // the other half there
}

// ---- between blocks

__device__ cuda::barrier<cuda::thread_scope_device> device_barrier;
__global__ void set_up_device_barrier(int blocks) { init(&device_barrier, blocks); }
__global__ void meet(int* data, int* out) {
  if (threadIdx.x != 0) return;
  data[blockIdx.x] = static_cast<int>(blockIdx.x) + 1;
  device_barrier.arrive_and_wait();
  int sum = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) sum += data[i];
  out[blockIdx.x] = sum;
}

// ---- copies

__global__ void copy_with_barrier(const int* in, int* out, bool waits) {
  __shared__ block_barrier barrier;
  __shared__ alignas(16) int tile[256];
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(sizeof tile), barrier); // starts copy
  if (waits)
    barrier.arrive_and_wait();
  else
    block.sync();
  out[threadIdx.x] = tile[255 - threadIdx.x]; // uses copy
  (void)barrier.arrive();
}

template <int Stages>
__global__ void copy_in_stages(const int* in, int* out, int batches, bool waits, bool releases) {
  extern __shared__ int tiles[];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int size = static_cast<int>(block.size());
  int sum = 0, fetched = 0;
  for (int batch = 0; batch < batches; ++batch) {
    for (; fetched < batches && fetched < batch + Stages; ++fetched) {
      if (releases) pipe.producer_acquire();
      int* stage = tiles + fetched % Stages * size;
      cuda::memcpy_async(block, stage, in + fetched * size, sizeof(int) * size, pipe); // fills stage
      pipe.producer_commit();
    }
    if (waits) pipe.consumer_wait();
    sum += tiles[batch % Stages * size + (static_cast<int>(threadIdx.x) + 1) % size]; // reads stage
    if (releases) pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

__global__ void copy_by_roles(const int* in, int* out, int batches, bool by_count) {
  constexpr int stages = 2;
  __shared__ int tiles[stages][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  const auto block = cg::this_thread_block();
  const bool produces = block.thread_rank() < 32;
  auto pipe =
      by_count ? cuda::make_pipeline(block, &state, 32)
               : cuda::make_pipeline(
                     block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  if (produces) {
    for (int batch = 0; batch < batches; ++batch) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tiles[batch % stages][threadIdx.x], in + batch * 32 + threadIdx.x, sizeof(int),
                         pipe);
      pipe.producer_commit();
    }
  } else {
    int sum = 0;
    for (int batch = 0; batch < batches; ++batch) {
      pipe.consumer_wait();
      sum += tiles[batch % stages][63 - threadIdx.x];
      pipe.consumer_release();
    }
    out[threadIdx.x - 32] = sum;
  }
}

__global__ void copy_alone(const int* in, int* out, int batches) {
  __shared__ int own[2][64];
  auto pipe = cuda::make_pipeline();
  int sum = 0;
  auto fetch = [&](int batch) {
    pipe.producer_acquire();
    cuda::memcpy_async(&own[batch % 2][threadIdx.x], in + batch * 64 + threadIdx.x, sizeof(int), pipe);
    pipe.producer_commit();
  };
  fetch(0);
  for (int batch = 0; batch < batches; ++batch) {
    if (batch + 1 < batches) fetch(batch + 1);
    if (batch + 1 < batches)
      cuda::pipeline_consumer_wait_prior<1>(pipe);
    else
      cuda::pipeline_consumer_wait_prior<0>(pipe);
    sum += own[batch % 2][threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// ---- tiles of several warps

__global__ void share_in_tiles(int* out, bool beyond, bool leaves) {
  __shared__ int values[256];
  const auto tile = cg::tiled_partition<128>(cg::this_thread_block());
  if (leaves && threadIdx.x == 130) return;
  values[threadIdx.x] = static_cast<int>(threadIdx.x);                      // own value
  tile.sync();                                                              // of the tile
  out[threadIdx.x] = values[beyond ? 255 - threadIdx.x : threadIdx.x ^ 64]; // another's value
}

// ---- latches and semaphores

__global__ void wait_for_latch(int* out) {
  using Latch = cuda::latch<cuda::thread_scope_block>;
  __shared__ alignas(Latch) unsigned char storage[sizeof(Latch)];
  __shared__ int values[64];
  auto* latch = reinterpret_cast<Latch*>(storage);
  if (threadIdx.x == 0) new (latch) Latch(64);
  __syncthreads();
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  latch->arrive_and_wait();
  out[threadIdx.x] = values[63 - threadIdx.x];
}

__global__ void take_turns(int* out, int rounds) {
  using Semaphore = cuda::binary_semaphore<cuda::thread_scope_block>;
  __shared__ alignas(Semaphore) unsigned char storage[sizeof(Semaphore)];
  __shared__ int sum;
  auto* semaphore = reinterpret_cast<Semaphore*>(storage);
  if (threadIdx.x == 0) {
    new (semaphore) Semaphore(1);
    sum = 0;
  }
  __syncthreads();
  for (int i = 0; i < rounds; ++i) {
    semaphore->acquire();
    sum += 1;
    semaphore->release();
  }
  __syncthreads();
  if (threadIdx.x == 0) *out = sum;
}

} // namespace

extern "C" {
void run_exchange(int* out, bool split, bool writes_between, bool reads_early) {
  exchange<<<1, 96>>>(out, split, writes_between, reads_early);
}
void run_global_memory(int* data, int* out) { global_memory<<<2, 64>>>(data, out); }
void run_produce_and_consume(int* out, int rounds, bool early) {
  produce_and_consume<<<1, 64>>>(out, rounds, early);
}
void run_drop_out(int* out) { drop_out<<<1, 40>>>(out); }
void run_with_completion(int* out, int rounds) { with_completion<<<1, 64>>>(out, rounds); }
void run_poll(int* out, bool parity) { poll<<<1, 64>>>(out, parity); }
void run_one_too_few(int n) { one_too_few<<<1, 64>>>(n); }
void run_not_initialised() { not_initialised<<<1, 64>>>(); }
void run_no_barrier_behind_init() { no_barrier_behind_init<<<1, 64>>>(); }
void run_too_many() { too_many<<<1, 32>>>(); }
void run_beside_syncthreads() { beside_syncthreads<<<1, 64>>>(); }
void run_meet(int* data, int* out, int blocks) {
  set_up_device_barrier<<<1, 1>>>(blocks);
  meet<<<blocks, 32>>>(data, out);
}
void run_copy_with_barrier(const int* in, int* out, bool waits) {
  copy_with_barrier<<<1, 256>>>(in, out, waits);
}
void run_copy_in_stages(const int* in, int* out, int batches, bool waits, bool releases) {
  copy_in_stages<2><<<1, 64, 2 * 64 * sizeof(int)>>>(in, out, batches, waits, releases);
}
void run_copy_in_three_stages(const int* in, int* out, int batches, bool waits, bool releases) {
  copy_in_stages<3><<<1, 64, 3 * 64 * sizeof(int)>>>(in, out, batches, waits, releases);
}
void run_copy_by_roles(const int* in, int* out, int batches, bool by_count) {
  copy_by_roles<<<1, 64>>>(in, out, batches, by_count);
}
void run_copy_alone(const int* in, int* out, int batches) { copy_alone<<<1, 64>>>(in, out, batches); }
void run_share_in_tiles(int* out, bool beyond, bool leaves) {
  share_in_tiles<<<1, 256>>>(out, beyond, leaves);
}
void run_wait_for_latch(int* out) { wait_for_latch<<<1, 64>>>(out); }
void run_take_turns(int* out, int rounds) { take_turns<<<1, 64>>>(out, rounds); }
}
