// The block size that keeps a device full, asked for kernels of every kind: functions, instances of templates, pointers
// with and without a type.
#include <cstdio>
#include <helper_cuda.h>

__global__ void plain(float* a) { a[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
template <class T, int N>
__global__ void of_template(T* a) {
  a[blockIdx.x * blockDim.x + threadIdx.x] += N;
}
__global__ void __launch_bounds__(256) bounded(float* a, int n) { a[0] = static_cast<float>(n); }
__global__ void with_shared(float* a) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

int main() {
  int grid = 0, block = 0, blocks = 0, multiprocessors = 0;
  checkCudaErrors(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));

  checkCudaErrors(cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain));
  if (block != 1024 || grid != 2 * multiprocessors) return 1;
  checkCudaErrors(cudaOccupancyMaxPotentialBlockSize(&grid, &block, of_template<double, 3>, 0, 0));
  if (block != 1024) return 2;
  checkCudaErrors(cudaOccupancyMaxPotentialBlockSize(&grid, &block, (void*)plain, 0, 512));
  if (block != 512 || grid != 4 * multiprocessors) return 3;
  const void* untyped = reinterpret_cast<const void*>(bounded);
  checkCudaErrors(
      cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, untyped, 0, 0, cudaOccupancyDefault));
  if (block != 256 || grid != 8 * multiprocessors) return 4;
  // 96 bytes for each thread: two blocks of 1024 take 194 KiB of the 228 that a multiprocessor has.
  auto shared_bytes = [](int threads) { return threads * 24 * sizeof(float); };
  checkCudaErrors(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 96 * 1024));
  checkCudaErrors(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, with_shared, shared_bytes));
  if (block != 1024 || grid != 2 * multiprocessors) return 5;
  checkCudaErrors(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&grid, &block, with_shared,
                                                                          shared_bytes, 100, 0));
  if (block != 64 || grid != 32 * multiprocessors) return 6; // 21 blocks of 96 threads are fewer threads
  void (*pointer)(float*) = of_template<float, 1>;
  checkCudaErrors(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, pointer, 256, 0));
  if (blocks != 8) return 7;
  checkCudaErrors(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (void*)pointer, 256, 0));
  if (blocks != 8) return 8;
  cudaFuncAttributes attributes;
  checkCudaErrors(cudaFuncGetAttributes(&attributes, (const void*)bounded));
  if (attributes.maxThreadsPerBlock != 256) return 9;
  checkCudaErrors(cudaFuncSetCacheConfig((void*)plain, cudaFuncCachePreferL1));

  cudaLaunchConfig_t config = {};
  config.gridDim = 64;
  config.blockDim = 256;
  cudaLaunchAttribute cluster;
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = 4;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  config.attrs = &cluster;
  config.numAttrs = 1;
  int clusters = 0, size = 0;
  checkCudaErrors(cudaOccupancyMaxActiveClusters(&clusters, plain, &config));
  config.numAttrs = 0;
  checkCudaErrors(cudaOccupancyMaxPotentialClusterSize(&size, (void*)plain, &config));
  if (clusters < 1 || size != 8) return 10;

  float* a;
  checkCudaErrors(cudaMallocManaged(&a, 96 * sizeof(float)));
  for (int i = 0; i < 96; ++i) a[i] = static_cast<float>(i);
  with_shared<<<1, 96, shared_bytes(96)>>>(a);
  checkCudaErrors(cudaDeviceSynchronize());
  std::printf("%g %g\n", a[0], a[95]);
  return a[0] != 95 || a[95] != 0;
}
