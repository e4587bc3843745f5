// A ring of blocks that hand a token on, with orders and fences of libcu++, and a queue that warps of a block fill
// and empty in shared memory under a ticket lock.
#include <cuda/atomic>
#include <cuda/std/atomic>

#include <cstdio>
#include <cstdlib>

constexpr int blocks = 6;

// Block k waits for block k - 1, adds its number to what that has left, and hands it on.
__global__ void hand_on(int* left, cuda::atomic<int, cuda::thread_scope_device>* turn) {
  if (threadIdx.x != 0) return;
  const int me = blockIdx.x;
  while (turn->load(cuda::memory_order_acquire) != me) {
  }
  left[me] = me == 0 ? 1 : left[me - 1] + me;
  turn->store(me + 1, cuda::memory_order_release);
}

// The same with fences around relaxed operations.
__global__ void hand_on_by_fences(int* left, int* turn) {
  if (threadIdx.x != 0) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> shared_turn(*turn);
  const int me = blockIdx.x;
  while (shared_turn.load(cuda::memory_order_relaxed) != me) {
  }
  cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
  left[me] = me == 0 ? 1 : left[me - 1] + me;
  cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
  shared_turn.store(me + 1, cuda::memory_order_relaxed);
}

class ticket_lock {
public:
  __device__ void initialise() {
    next_.store(0, cuda::memory_order_relaxed);
    serving_.store(0, cuda::memory_order_relaxed);
  }
  __device__ void lock() {
    const unsigned ticket = next_.fetch_add(1, cuda::memory_order_relaxed);
    while (serving_.load(cuda::memory_order_acquire) != ticket) {
    }
  }
  __device__ void unlock() { serving_.fetch_add(1, cuda::memory_order_release); }

private:
  cuda::atomic<unsigned, cuda::thread_scope_block> next_, serving_;
};

__global__ void fill_and_empty(int rounds, int* sum) {
  __shared__ ticket_lock lock;
  __shared__ int queue[256];
  __shared__ int length, total;
  if (threadIdx.x == 0) {
    lock.initialise();
    length = total = 0;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    for (int i = 0; i < rounds; ++i) {
      lock.lock();
      queue[length++] = static_cast<int>(threadIdx.x / 32) * 100 + i;
      lock.unlock();
    }
    for (int i = 0; i < rounds; ++i) {
      lock.lock();
      total += queue[--length];
      lock.unlock();
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) *sum = length == 0 ? total : -1;
}

int main() {
  using token = cuda::atomic<int, cuda::thread_scope_device>;
  int *left, *turn, *sum;
  token* atomic_turn;
  cudaMallocManaged(&left, 2 * blocks * sizeof(int));
  cudaMallocManaged(&turn, sizeof(int));
  cudaMallocManaged(&sum, sizeof(int));
  cudaMallocManaged(&atomic_turn, sizeof(token));
  new (atomic_turn) token(0);
  *turn = 0;
  hand_on<<<blocks, 32>>>(left, atomic_turn);
  hand_on_by_fences<<<blocks, 32>>>(left + blocks, turn);
  fill_and_empty<<<1, 128>>>(10, sum);
  const cudaError_t status = cudaDeviceSynchronize();
  int wrong = status != cudaSuccess;
  for (int k = 0; k < 2 * blocks; ++k) {
    const int me = k % blocks;
    wrong += left[k] != 1 + me * (me + 1) / 2;
  }
  int expected = 0;
  for (int warp = 0; warp < 4; ++warp)
    for (int i = 0; i < 10; ++i) expected += warp * 100 + i;
  wrong += *sum != expected;
  std::printf("the last block has %d, the turn is %d, the queue's sum %d\n", left[blocks - 1],
              atomic_turn->load(), *sum);
  cudaFree(left);
  cudaFree(turn);
  cudaFree(sum);
  cudaFree(atomic_turn);
  std::printf("%s\n", wrong == 0 ? "PASSED" : "FAILED");
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
