// Kernels for occupancy queries and launch errors.

namespace {

__global__ void plain(int* out) {
  if (out) *out = 1;
}
__global__ void __cluster_dims__(2, 1, 1) fixed2(int* out) {
  if (out) *out = 1;
}
__global__ void __cluster_dims__(16, 1, 1) fixed16(int* out) {
  if (out) *out = 1;
}
__global__ void static_memory(int* out) {
  __shared__ int values[8192];
  values[threadIdx.x] = 1;
  __syncthreads();
  if (out) out[threadIdx.x] = values[threadIdx.x];
}
__global__ void __launch_bounds__(256, 1) bounded(int* out) {
  if (out) *out = 1;
}
__global__ void dynamic(int* out) {
  extern __shared__ int values[];
  values[threadIdx.x] = 1;
  if (out) out[threadIdx.x] = values[threadIdx.x];
}

} // namespace

extern "C" {
/// The kernel of that name, for the C functions.
const void* kernel_named(char name) {
  switch (name) {
  case '2':
    return (const void*)fixed2;
  case '6':
    return (const void*)fixed16;
  case 's':
    return (const void*)static_memory;
  case 'b':
    return (const void*)bounded;
  case 'd':
    return (const void*)dynamic;
  default:
    return (const void*)plain;
  }
}

int launch_with(char name, dim3 grid, int threads, dim3 cluster, int other_attribute) {
  cudaLaunchAttribute attributes[2];
  cudaLaunchConfig_t config = {.gridDim = grid, .blockDim = dim3(threads), .attrs = attributes};
  if (cluster.x != 0) {
    attributes[config.numAttrs].id = cudaLaunchAttributeClusterDimension;
    attributes[config.numAttrs++].val.clusterDim = {cluster.x, cluster.y, cluster.z};
  }
  if (other_attribute != 0) {
    attributes[config.numAttrs].val.priority = 0;
    attributes[config.numAttrs++].id = static_cast<cudaLaunchAttributeID>(other_attribute);
  }
  int* none = nullptr;
  if (name == '2') return cudaLaunchKernelEx(&config, fixed2, none);
  if (name == '6') return cudaLaunchKernelEx(&config, fixed16, none);
  return cudaLaunchKernelEx(&config, plain, none);
}

int launch_ordinary(char name, int blocks) {
  if (name == '2') fixed2<<<blocks, 32>>>(nullptr);
  if (name == '6') fixed16<<<blocks, 32>>>(nullptr);
  if (name == 's') static_memory<<<blocks, 256>>>(nullptr);
  return cudaGetLastError();
}

int potential_block_size(char name, int limit, int* blocks, int* threads) {
  if (name == 'b') return cudaOccupancyMaxPotentialBlockSize(blocks, threads, bounded, 0, limit);
  if (name == 's') return cudaOccupancyMaxPotentialBlockSize(blocks, threads, static_memory, 0, limit);
  return cudaOccupancyMaxPotentialBlockSize(blocks, threads, plain, 0, limit);
}
}
