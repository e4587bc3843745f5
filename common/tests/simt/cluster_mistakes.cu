// Clusters and their barriers, used wrongly.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

namespace {

__global__ void too_early(int* out) {
  __shared__ int value;
  auto cluster = cg::this_cluster();
  int* far = cluster.map_shared_rank(&value, cluster.block_rank() ^ 1);
  if (threadIdx.x == 0) atomicExch(far, 1); // early access
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = value;
}

__global__ void too_late(int* out) {
  __shared__ int value[32];
  auto cluster = cg::this_cluster();
  value[threadIdx.x] = static_cast<int>(blockIdx.x);
  cluster.sync();
  int far = cluster.map_shared_rank(value, cluster.block_rank() ^ 1)[threadIdx.x]; // late access
  out[blockIdx.x * 32 + threadIdx.x] = far;
}

__global__ void returns_early(int* out) {
  __shared__ int value[32];
  auto cluster = cg::this_cluster();
  value[threadIdx.x] = 1;
  cluster.sync();
  if (cluster.block_rank() != 0) return;                             // leaves before the others
  cluster.sync();                                                    // the other block has left
  out[threadIdx.x] = cluster.map_shared_rank(value, 1)[threadIdx.x]; // access to a block that has ended
}

__global__ void bad_rank(int* out) {
  __shared__ int value;
  value = 1;
  auto cluster = cg::this_cluster();
  cluster.sync();
  out[threadIdx.x] = *cluster.map_shared_rank(&value, cluster.block_rank() + 1); // bad rank
  cluster.sync();
}

__global__ void bad_address(int* out) {
  int* far = cg::this_cluster().map_shared_rank(out, 1); // bad address
  *far = 1;
}

__global__ void unsynchronised_write(int* out) {
  __shared__ int value[32];
  auto cluster = cg::this_cluster();
  cluster.sync();
  int* far = cluster.map_shared_rank(value, cluster.block_rank() ^ 1);
  far[threadIdx.x] = static_cast<int>(blockIdx.x) + 1; // remote write
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = value[threadIdx.x]; // local read
  cluster.sync();
}

__global__ void unsynchronised_atomics(int* out) {
  __shared__ int count;
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) count = 0; // local zero
  cluster.barrier_arrive();
  if (threadIdx.x == 0) count = 0; // second zero
  cluster.barrier_wait();
  atomicAdd(cluster.map_shared_rank(&count, cluster.block_rank() ^ 1), 1); // remote count
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = count;
}

__global__ void unwritten(int* out) {
  __shared__ int value[32];
  auto cluster = cg::this_cluster();
  if (cluster.block_rank() == 0) value[threadIdx.x] = 1;
  cluster.sync();
  out[blockIdx.x * 32 + threadIdx.x] = cluster.map_shared_rank(value, 1)[threadIdx.x]; // unwritten
  cluster.sync();
}

__global__ void past_the_end(int* out) {
  __shared__ int value[32];
  auto cluster = cg::this_cluster();
  value[threadIdx.x] = 1;
  cluster.sync();
  int* far = cluster.map_shared_rank(value, cluster.block_rank() ^ 1);
  out[blockIdx.x * 32 + threadIdx.x] = far[threadIdx.x + 1]; // past the end
  cluster.sync();
}

__global__ void other_barrier(int* out) {
  auto cluster = cg::this_cluster();
  if (cluster.block_rank() == 0 || threadIdx.x < 32)
    cluster.sync(); // some wait here
  else
    __syncthreads(); // others here
  out[threadIdx.x] = 1;
}

// 70 turns of a block of 64 threads.
__global__ void uneven_loop(int* out) {
  auto cluster = cg::this_cluster();
  for (unsigned k = threadIdx.x; k < 70; k += blockDim.x) {
    out[threadIdx.x] = 1;
    cluster.sync(); // in the loop
  }
  cluster.sync(); // behind the loop
}

__global__ void arrives_twice(int* out) {
  auto cluster = cg::this_cluster();
  cluster.barrier_arrive(); // first arrival
  cluster.barrier_arrive(); // second arrival
  cluster.barrier_wait();
  out[threadIdx.x] = 1;
}

__global__ void never_waits(int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  cg::this_cluster().barrier_arrive(); // lonely arrival
}

__global__ void never_arrives(int* out) {
  cg::this_cluster().barrier_wait(); // lonely wait
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

template <class Kernel, class... Arguments>
int launch_pair(Kernel kernel, unsigned grid, Arguments... arguments) {
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = 32;
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}

} // namespace

extern "C" {
void run_too_early(int* out) { launch_pair(too_early, 4, out); }
void run_too_late(int* out) { launch_pair(too_late, 4, out); }
void run_returns_early(int* out) { launch_pair(returns_early, 2, out); }
void run_bad_rank(int* out) { launch_pair(bad_rank, 2, out); }
void run_bad_rank_alone(int* out) { bad_rank<<<1, 32>>>(out); }
void run_bad_address(int* out) { launch_pair(bad_address, 2, out); }
void run_unsynchronised_write(int* out) { launch_pair(unsynchronised_write, 2, out); }
void run_unsynchronised_atomics(int* out) { launch_pair(unsynchronised_atomics, 2, out); }
void run_unwritten(int* out) { launch_pair(unwritten, 2, out); }
void run_past_the_end(int* out) { launch_pair(past_the_end, 2, out); }
void run_other_barrier(int* out) {
  cudaLaunchConfig_t config = {};
  config.gridDim = 2;
  config.blockDim = 64;
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {2, 1, 1};
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, other_barrier, out);
}
void run_uneven_loop_alone(int* out) { uneven_loop<<<1, 64>>>(out); }
void run_arrives_twice(int* out) { launch_pair(arrives_twice, 2, out); }
void run_arrives_twice_alone(int* out) { arrives_twice<<<1, 32>>>(out); }
void run_never_waits(int* out) { launch_pair(never_waits, 2, out); }
void run_never_arrives(int* out) { launch_pair(never_arrives, 2, out); }
}
