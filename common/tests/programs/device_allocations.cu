// cudaMalloc and cudaFree in kernels: they take from the heap of malloc, and another kernel may free what one has allocated.
#include <cstdio>

struct Row {
  int length;
  int* values;
};

/// Each thread allocates a row of its own length.
__global__ void allocate(Row* rows, int n, int* errors) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  rows[i].length = i % 7 + 1;
  const cudaError_t error = cudaMalloc(&rows[i].values, rows[i].length * sizeof(int));
  if (error != cudaSuccess) {
    atomicAdd(errors, 1);
    return;
  }
  for (int k = 0; k < rows[i].length; ++k) rows[i].values[k] = i + k;
}

__global__ void add_up(const Row* rows, int n, int* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int own = 0;
  for (int k = 0; k < rows[i].length; ++k) own += rows[i].values[k];
  atomicAdd(sum, own);
}

__global__ void release(Row* rows, int n, int* errors) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && cudaFree(rows[i].values) != cudaSuccess) atomicAdd(errors, 1);
}

/// A block's scratch memory, of a size that is known only here.
__global__ void reverse_blocks(int* data) {
  __shared__ int* scratch;
  if (threadIdx.x == 0 && cudaMalloc((void**)&scratch, blockDim.x * sizeof(int)) != cudaSuccess)
    scratch = nullptr;
  __syncthreads();
  if (!scratch) return;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  scratch[blockDim.x - 1 - threadIdx.x] = data[i];
  __syncthreads();
  data[i] = scratch[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) cudaFree(scratch);
}

/// More than the heap has, which leaves the pointer as it is.
__global__ void ask_for_too_much(int* seen) {
  void* pointer = seen;
  seen[0] = cudaMalloc(&pointer, size_t(1) << 40);
  seen[1] = pointer == seen;
  seen[2] = cudaGetLastError();
  seen[3] = cudaGetLastError();
  seen[4] = cudaFree(nullptr);
}

int main() {
  const int n = 200, blocks = 4, threads = 64;
  Row* rows;
  int *errors, *sum, *data, *seen;
  cudaMalloc(&rows, n * sizeof(Row));
  cudaMallocManaged(&errors, sizeof(int));
  cudaMallocManaged(&sum, sizeof(int));
  cudaMallocManaged(&data, blocks * threads * sizeof(int));
  cudaMallocManaged(&seen, 5 * sizeof(int));
  *errors = *sum = 0;
  for (int i = 0; i < blocks * threads; ++i) data[i] = i;

  allocate<<<blocks, threads>>>(rows, n, errors);
  add_up<<<blocks, threads>>>(rows, n, sum);
  release<<<blocks, threads>>>(rows, n, errors);
  reverse_blocks<<<blocks, threads>>>(data);
  ask_for_too_much<<<1, 1>>>(seen);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;

  int expected = 0;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < i % 7 + 1; ++k) expected += i + k;
  bool right = *errors == 0 && *sum == expected;
  for (int i = 0; i < blocks * threads; ++i)
    right = right && data[i] == i / threads * threads + threads - 1 - i % threads;
  right = right && seen[0] == cudaErrorMemoryAllocation && seen[1] == 1 &&
          seen[2] == cudaErrorMemoryAllocation && seen[3] == cudaSuccess && seen[4] == cudaSuccess;
  std::printf("errors: %d, sum: %d of %d, first: %d\n%s\n", *errors, *sum, expected, data[0],
              right ? "right" : "wrong");
  cudaFree(rows);
  cudaFree(errors);
  cudaFree(sum);
  cudaFree(data);
  cudaFree(seen);
  return right ? 0 : 1;
}
