// The compiler's own atomic functions, with order and scope: sums, extremes, a lock, a message from block to block, and loops
// around a compare-and-exchange.
#include <cstdio>

struct Pair {
  int least, most;
};

struct Results {
  int sum, difference, least, most, any, all, parity;
  unsigned long long large;
  float real;
  double precise;
  Pair range;
  unsigned short words[2];
  int lock, guarded;
};

__global__ void compute(Results* r) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  __nv_atomic_fetch_add(&r->sum, i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_sub(&r->difference, i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_min(&r->least, -i, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_max(&r->most, i, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_or(&r->any, 1 << i % 8, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_and(&r->all, ~(1 << i % 8), __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_xor(&r->parity, i, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_add(&r->large, 1ull << 33, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_add(&r->real, 0.5f, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_sub(&r->precise, 0.25, __NV_ATOMIC_RELAXED);

  // Two values at once.
  Pair seen, wanted;
  __nv_atomic_load(&r->range, &seen, __NV_ATOMIC_RELAXED);
  do {
    wanted = {i < seen.least ? i : seen.least, i > seen.most ? i : seen.most};
  } while (!__nv_atomic_compare_exchange(&r->range, &seen, &wanted, false, __NV_ATOMIC_RELAXED,
                                         __NV_ATOMIC_RELAXED));

  // A value of 16 bits, for which there is no function that adds.
  unsigned short old = __nv_atomic_load_n(&r->words[i % 2], __NV_ATOMIC_RELAXED);
  while (!__nv_atomic_compare_exchange_n(&r->words[i % 2], &old, static_cast<unsigned short>(old + 1), true,
                                         __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED)) {
  }

  // What is plain is ordered by the lock.
  while (__nv_atomic_exchange_n(&r->lock, 1, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) != 0) {
  }
  r->guarded += i;
  __nv_atomic_store_n(&r->lock, 0, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}

// Block 0 writes a plain value and says so; block 1 takes it, by fences and relaxed operations.
__global__ void send(int* value, int* flag, int* received) {
  if (blockIdx.x == 0) {
    *value = 42;
    __nv_atomic_thread_fence(__NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    int one = 1, before = -1;
    __nv_atomic_exchange(flag, &one, &before, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  } else {
    while (__nv_atomic_load_n(flag, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE) == 0) {
    }
    __nv_atomic_thread_fence(__NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_store(received, value, __NV_ATOMIC_RELAXED);
  }
}

int main() {
  const int blocks = 4, threads = 64, n = blocks * threads;
  Results* r;
  int* message;
  cudaMallocManaged(&r, sizeof *r);
  cudaMallocManaged(&message, 3 * sizeof(int));
  *r = {};
  r->all = 0xfff;
  r->range = {1000, -1000};
  message[0] = message[1] = message[2] = 0;
  compute<<<blocks, threads>>>(r);
  send<<<2, 1>>>(&message[0], &message[1], &message[2]);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;

  const int sum = n * (n - 1) / 2;
  const bool ok = r->sum == sum && r->difference == -sum && r->least == 1 - n && r->most == n - 1 &&
                  r->any == 0xff && r->all == 0xf00 && r->parity == 0 && r->large == (1ull << 33) * n &&
                  r->real == 0.5f * n && r->precise == -0.25 * n && r->range.least == 0 &&
                  r->range.most == n - 1 && r->words[0] == n / 2 && r->words[1] == n / 2 &&
                  r->guarded == sum && r->lock == 0 && message[2] == 42;
  std::printf("sum %d, range %d to %d, under the lock %d, received %d: %s\n", r->sum, r->range.least,
              r->range.most, r->guarded, message[2], ok ? "right" : "wrong");
  cudaFree(r);
  cudaFree(message);
  return ok ? 0 : 1;
}
