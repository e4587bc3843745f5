// Cooperative launches: a grid that synchronises as a whole.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

namespace {

/// Sums n values: each block its share, then the first block the blocks' sums.
__global__ void grid_sum(const int* in, int n, int* partial, int* out) {
  __shared__ int sum;
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  if (block.thread_rank() == 0) sum = 0;
  block.sync();
  for (unsigned long long i = grid.thread_rank(); i < static_cast<unsigned>(n); i += grid.size())
    atomicAdd(&sum, in[i]);
  block.sync();
  if (block.thread_rank() == 0) partial[blockIdx.x] = sum;
  grid.sync();
  if (grid.thread_rank() == 0) {
    int total = 0;
    for (unsigned i = 0; i < grid.num_blocks(); ++i) total += partial[i];
    *out = total;
  }
}

/// A value wanders from block to block, one grid barrier per step.
__global__ void wave(int* values, int steps) {
  cg::grid_group grid = cg::this_grid();
  for (int step = 0; step < steps; ++step) {
    int value = values[(blockIdx.x + 1) % gridDim.x];
    cg::sync(grid);
    if (threadIdx.x == 0) values[blockIdx.x] = value;
    grid.sync();
  }
}

__global__ void split(int* values, int* out) {
  cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) values[blockIdx.x] = static_cast<int>(blockIdx.x) + 1;
  auto token = grid.barrier_arrive();
  int own = static_cast<int>(blockIdx.x);
  grid.barrier_wait(std::move(token));
  if (threadIdx.x == 0) out[blockIdx.x] = own * 100 + values[gridDim.x - 1 - blockIdx.x];
}

/// Blocks form clusters, and the grid is resident as a whole, too.
__global__ void clusters_in_grid(int* out) {
  __shared__ int value;
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) value = static_cast<int>(blockIdx.x);
  cg::this_grid().sync(); // orders the blocks of the clusters, too
  int far = *cluster.map_shared_rank(&value, cluster.num_blocks() - 1 - cluster.block_rank());
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = far;
}

__global__ void is_valid(int* out) { *out = cg::this_grid().is_valid(); }

__global__ void ordinary(int* out) {
  cg::this_grid().sync(); // ordinary launch
  *out = 1;
}

__global__ void one_block_leaves(int* out) {
  if (blockIdx.x == 1) return; // leaves before the barrier
  cg::this_grid().sync();      // never complete
  *out = 1;
}

template <class Kernel, class... Arguments>
int launch_attribute(Kernel kernel, dim3 grid, dim3 block, unsigned cluster, Arguments... arguments) {
  cudaLaunchAttribute attributes[2];
  attributes[0].id = cudaLaunchAttributeCooperative;
  attributes[0].val.cooperative = 1;
  attributes[1].id = cudaLaunchAttributeClusterDimension;
  attributes[1].val.clusterDim = {cluster, 1, 1};
  cudaLaunchConfig_t config = {.gridDim = grid, .blockDim = block};
  config.attrs = attributes;
  config.numAttrs = cluster > 1 ? 2 : 1;
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}

} // namespace

extern "C" {
int run_grid_sum(const int* in, int n, int* partial, int* out, int blocks) {
  void* arguments[] = {&in, &n, &partial, &out};
  return cudaLaunchCooperativeKernel((void*)grid_sum, blocks, 64, arguments);
}
int run_wave(int* values, int steps) {
  dim3 gridDim(12), blockDim(32);
  void* arguments[] = {&values, &steps};
  return cudaLaunchCooperativeKernel(wave, gridDim, blockDim, arguments, 0, nullptr);
}
int run_split(int* values, int* out) { return launch_attribute(split, 10, 32, 1, values, out); }
int run_clusters_in_grid(int* out) { return launch_attribute(clusters_in_grid, 16, 32, 4, out); }
int run_is_valid(int* out, bool cooperative) {
  if (!cooperative) is_valid<<<1, 1>>>(out);
  return cooperative ? launch_attribute(is_valid, 1, 1, 1, out) : 0;
}
void run_ordinary(int* out) { ordinary<<<2, 32>>>(out); }
int run_one_block_leaves(int* out) { return launch_attribute(one_block_leaves, 3, 32, 1, out); }
int run_cooperative(int blocks, int threads) {
  int *values = nullptr, steps = 0;
  void* arguments[] = {&values, &steps};
  return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&wave), blocks, threads, arguments, 0, 0);
}
int run_untyped(int blocks) {
  const void* kernel = (const void*)wave;
  return cudaLaunchCooperativeKernel(kernel, blocks, 32, nullptr); // untyped launch
}
}
