// Histograms with cuda::atomic_ref: straight into global memory, and through counters in shared memory, of which
// the threads of a block add their own with the scope of the block. The blocks then merge theirs with the device's.
#include <cuda/atomic>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(expression)                                                                                    \
  do {                                                                                                       \
    const cudaError_t status = (expression);                                                                 \
    if (status != cudaSuccess) {                                                                             \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));                   \
      std::exit(EXIT_FAILURE);                                                                               \
    }                                                                                                        \
  } while (0)

constexpr int bins = 64;

__global__ void histogram_in_global(const unsigned* values, int n, unsigned* counts) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> count(counts[values[i] % bins]);
    count.fetch_add(1, cuda::memory_order_relaxed);
  }
}

__global__ void histogram_in_shared(const unsigned* values, int n, unsigned* counts) {
  __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> own[bins];
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) own[bin].store(0, cuda::memory_order_relaxed);
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    own[values[i] % bins].fetch_add(1, cuda::memory_order_relaxed);
  __syncthreads();
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    const unsigned found = own[bin].load(cuda::memory_order_relaxed);
    cuda::atomic_ref<unsigned, cuda::thread_scope_device>(counts[bin])
        .fetch_add(found, cuda::memory_order_relaxed);
  }
}

// The last block of the grid, by a counter that orders what all have added, looks for the fullest bin.
__device__ cuda::atomic<unsigned, cuda::thread_scope_device> blocks_done{0};

__global__ void fullest_bin(const unsigned* counts, unsigned* partial, unsigned* result) {
  const unsigned bin = blockIdx.x * blockDim.x + threadIdx.x;
  partial[bin] = counts[bin] << 8 | bin;
  __shared__ bool is_last;
  __syncthreads();
  if (threadIdx.x == 0) is_last = blocks_done.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
  __syncthreads();
  if (!is_last || threadIdx.x != 0) return;
  unsigned best = 0;
  for (int i = 0; i < bins; ++i) best = partial[i] > best ? partial[i] : best;
  *result = best & 0xff;
  blocks_done.store(0, cuda::memory_order_relaxed);
}

int main() {
  const int n = 20000;
  std::vector<unsigned> values(n), expected(bins);
  unsigned state = 12345;
  for (unsigned& value : values) {
    state = state * 1664525u + 1013904223u;
    value = (state >> 16) % 97;
    ++expected[value % bins];
  }
  unsigned *device_values, *counts, *partial, *result;
  CHECK(cudaMalloc(&device_values, n * sizeof(unsigned)));
  CHECK(cudaMalloc(&counts, bins * sizeof(unsigned)));
  CHECK(cudaMalloc(&partial, bins * sizeof(unsigned)));
  CHECK(cudaMalloc(&result, sizeof(unsigned)));
  CHECK(cudaMemcpy(device_values, values.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
  int wrong = 0;
  std::vector<unsigned> found(bins);
  for (int version = 0; version < 2; ++version) {
    CHECK(cudaMemset(counts, 0, bins * sizeof(unsigned)));
    if (version == 0)
      histogram_in_global<<<8, 128>>>(device_values, n, counts);
    else
      histogram_in_shared<<<8, 128>>>(device_values, n, counts);
    fullest_bin<<<4, bins / 4>>>(counts, partial, result);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(found.data(), counts, bins * sizeof(unsigned), cudaMemcpyDeviceToHost));
    for (int bin = 0; bin < bins; ++bin) wrong += found[bin] != expected[bin];
    unsigned answer;
    CHECK(cudaMemcpy(&answer, result, sizeof answer, cudaMemcpyDeviceToHost));
    unsigned fullest = 0;
    for (unsigned bin = 0; bin < bins; ++bin)
      if (expected[bin] >= expected[fullest]) fullest = bin;
    wrong += answer != fullest;
    std::printf("version %d: the fullest bin is %u with %u values\n", version, answer, found[answer]);
  }
  CHECK(cudaFree(device_values));
  CHECK(cudaFree(counts));
  CHECK(cudaFree(partial));
  CHECK(cudaFree(result));
  std::printf("%s\n", wrong == 0 ? "PASSED" : "FAILED");
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
