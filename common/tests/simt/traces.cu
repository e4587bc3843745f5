// Kernels whose accesses a trace is to show.
#include <cuda_runtime.h>

__global__ void matrix_kernel(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[8][33];
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
  if (r < rows && c < cols) tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
  __syncthreads();
  if (r < rows && c < cols) out[c * rows + r] = tile[threadIdx.y][threadIdx.x];
}

__global__ void strided_kernel(int* out, const int* in, int n) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(~0u, sum, distance);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

__global__ void squares_kernel(int* out) { out[threadIdx.x * threadIdx.x] = 1; }

__global__ void copy_kernel(int* out, const int* in) { out[threadIdx.x] = in[threadIdx.x]; }

extern "C" {
void run_matrix(float* out, const float* in, int rows, int cols) {
  matrix_kernel<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(out, in, rows, cols);
}
void run_strided(int* out, const int* in, int n) {
  cudaMemset(out, 0, sizeof(int));
  strided_kernel<<<2, 64>>>(out, in, n);
}
void run_squares(int* out) { squares_kernel<<<1, 32>>>(out); }

// The second kernel gets what the host, or another copy, has put into `between`.
void run_through_host(int* out, const int* in, int* between) {
  copy_kernel<<<1, 32>>>(between, in);
  int values[32];
  cudaMemcpy(values, between, sizeof values, cudaMemcpyDeviceToHost);
  cudaMemcpy(between, values, sizeof values, cudaMemcpyHostToDevice);
  copy_kernel<<<1, 32>>>(out, between);
}
void run_twice(int* out, const int* in, int* between) {
  copy_kernel<<<1, 32>>>(between, in);
  copy_kernel<<<1, 32>>>(out, between);
}
void run_cleared(int* out, const int* in, int* between) {
  copy_kernel<<<1, 32>>>(between, in);
  cudaMemset(between, 0, 32 * sizeof(int));
  copy_kernel<<<1, 32>>>(out, between);
}
}

__global__ void child_kernel(int* out, int value) { out[threadIdx.x] = value; }

__global__ void parent_kernel(int* out, const int* in) {
  if (threadIdx.x == 3) child_kernel<<<1, 4>>>(out, in[9]);
}

extern "C" void run_argument(int* out, const int* in) { parent_kernel<<<1, 32>>>(out, in); }

#include <cooperative_groups.h>

__global__ void misplaced_kernel(int* out) {
  out[static_cast<int>(threadIdx.x) - 2] = 1; // two elements before the array
}

__global__ void halved_barrier_kernel(int* out) {
  __shared__ int part[64];
  part[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x < 32) __syncthreads();
  out[threadIdx.x] = part[63 - threadIdx.x];
  if (threadIdx.x >= 32)
    while (*static_cast<volatile int*>(out) != 7) {}
}

__global__ void __cluster_dims__(2) cluster_kernel(int* out) {
  namespace cg = cooperative_groups;
  __shared__ int counts[32];
  cg::cluster_group cluster = cg::this_cluster();
  counts[threadIdx.x] = 0;
  cluster.sync();
  atomicAdd(cluster.map_shared_rank(counts, threadIdx.x % 2) + threadIdx.x, 1);
  cluster.sync();
  out[blockIdx.x * 32 + threadIdx.x] = counts[threadIdx.x];
}

extern "C" {
void run_misplaced(int* out) { misplaced_kernel<<<1, 32>>>(out); }
void run_halved_barrier(int* out) { halved_barrier_kernel<<<1, 64>>>(out); }
void run_cluster(int* out) { cluster_kernel<<<2, 32>>>(out); }
}
