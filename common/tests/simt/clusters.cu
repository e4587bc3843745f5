// Thread block clusters that are used rightly.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

namespace {

constexpr int bins = 64;

/// Each block of the cluster owns an equal part of the bins; all of them count into all parts.
__global__ void histogram(const int* in, int n, int* out) {
  __shared__ int counts[bins];
  cg::cluster_group cluster = cg::this_cluster();
  unsigned share = bins / cluster.num_blocks();
  for (unsigned i = threadIdx.x; i < share; i += blockDim.x) counts[i] = 0;
  cluster.sync(); // every block has started and zeroed its part
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned bin = in[i] % bins;
    int* owner = cluster.map_shared_rank(counts, bin / share);
    atomicAdd(&owner[bin % share], 1);
  }
  cluster.sync(); // no thread counts any more
  for (unsigned i = threadIdx.x; i < share; i += blockDim.x)
    atomicAdd(&out[cluster.block_rank() * share + i], counts[i]);
}

/// Every block reads what its right neighbour has, round after round.
__global__ void ring(int* out, int rounds) {
  __shared__ int mine[32];
  auto cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank(), blocks = cluster.num_blocks();
  mine[threadIdx.x] = static_cast<int>(blockIdx.x * 100 + threadIdx.x);
  const int* right = cluster.map_shared_rank(mine, (rank + 1) % blocks);
  for (int round = 0; round < rounds; ++round) {
    cluster.sync();
    int value = right[threadIdx.x];
    cluster.sync();
    mine[threadIdx.x] = value;
  }
  out[blockIdx.x * 32 + threadIdx.x] = mine[threadIdx.x];
}

/// The first block sums what all blocks left in their shared memory.
__global__ void cluster_sum(const int* in, int* out) {
  __shared__ int partial;
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) partial = 0;
  __syncthreads();
  atomicAdd(&partial, in[blockIdx.x * blockDim.x + threadIdx.x]);
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    int sum = 0;
    for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank)
      sum += *cluster.map_shared_rank(&partial, rank);
    out[blockIdx.x / cluster.num_blocks()] = sum;
  }
  cluster.sync(); // the others stay until it has read
}

/// Arrival and wait apart: in between only registers and the block's own data are used.
__global__ void split_barrier(int* out) {
  extern __shared__ int values[];
  auto cluster = cg::this_cluster();
  values[threadIdx.x] = static_cast<int>(cluster.thread_rank());
  auto token = cluster.barrier_arrive();
  int own = values[threadIdx.x];
  cluster.barrier_wait(token);
  unsigned other = (cluster.block_rank() + 1) % cluster.num_blocks();
  int far = cluster.map_shared_rank(values, other)[blockDim.x - 1 - threadIdx.x];
  __cluster_barrier_arrive();
  out[blockIdx.x * blockDim.x + threadIdx.x] = own * 1000 + far;
  __cluster_barrier_wait();
}

/// Only one thread of a block waits early; the block's own barrier passes on what it knows.
__global__ void one_waits_for_all(int* out) {
  __shared__ int value;
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) value = static_cast<int>(cluster.block_rank()) + 5;
  cluster.barrier_arrive();
  if (threadIdx.x == 0) cluster.barrier_wait();
  __syncthreads();
  int far = *cluster.map_shared_rank(&value, cluster.num_blocks() - 1 - cluster.block_rank());
  if (threadIdx.x != 0) cluster.barrier_wait();
  out[blockIdx.x * blockDim.x + threadIdx.x] = far;
  cluster.sync();
}

/// Blocks of a cluster tell each other something in global memory.
__global__ void exchange_global(int* values, int* out, bool synchronise) {
  auto cluster = cg::this_cluster();
  unsigned other = blockIdx.x - cluster.block_rank() + (cluster.block_rank() + 1) % cluster.num_blocks();
  if (threadIdx.x == 0) values[blockIdx.x] = static_cast<int>(blockIdx.x) * 3;
  if (synchronise) cluster.sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = values[other];
}

__global__ void ranks(unsigned* out) {
  auto cluster = cg::this_cluster();
  __shared__ int anything;
  if (blockIdx.x != 5 || blockIdx.y != 1 || threadIdx.x != 3) return;
  unsigned values[] = {cluster.num_blocks(),
                       cluster.block_rank(),
                       cluster.thread_rank(),
                       cluster.num_threads(),
                       cluster.dim_blocks().x,
                       cluster.dim_blocks().y,
                       cluster.block_index().x,
                       cluster.block_index().y,
                       cluster.dim_threads().x,
                       cluster.dim_threads().y,
                       cluster.thread_index().x,
                       cluster.thread_index().y,
                       cg::cluster_group::size(),
                       cluster.query_shared_rank(&anything),
                       cluster.query_shared_rank(cluster.map_shared_rank(&anything, 2)),
                       __clusterGridDimInClusters().x,
                       __clusterGridDimInClusters().y,
                       __clusterIdx().x,
                       __clusterIdx().y};
  for (unsigned i = 0; i < sizeof values / sizeof *values; ++i) out[i] = values[i];
}

/// Blocks of a cluster make one another's flags visible in shared memory, byte by byte.
__global__ void bytes(unsigned char* out) {
  __shared__ unsigned char row[16];
  auto cluster = cg::this_cluster();
  cluster.sync();
  for (unsigned rank = threadIdx.x; rank < cluster.num_blocks(); rank += blockDim.x)
    cluster.map_shared_rank(row, rank)[cluster.block_rank()] =
        static_cast<unsigned char>(cluster.block_rank());
  cluster.sync();
  if (threadIdx.x < cluster.num_blocks()) out[blockIdx.x * 16 + threadIdx.x] = row[threadIdx.x];
}

__global__ void __cluster_dims__(4, 1, 1) four_blocks(unsigned* out) {
  if (threadIdx.x == 0)
    out[blockIdx.x] = cg::this_cluster().num_blocks() * 10 + cg::this_cluster().block_rank();
}

template <int Blocks, class T>
__global__ void __cluster_dims__(Blocks) template_blocks(T* out) {
  if (threadIdx.x == 0)
    out[blockIdx.x] = cg::this_cluster().num_blocks() * 10 + cg::this_cluster().block_rank();
}

namespace {

/// As above, where a kernel has no name that the loader knows, and others have none either.
template <class T>
__global__ void __cluster_dims__(2) nameless_pairs(T* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = cg::this_cluster().num_blocks();
}

template <class T>
__global__ void nameless_blocks(T* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = cg::this_cluster().num_blocks();
}

template <class T>
__global__ void nameless_with_room(T* out) {
  extern __shared__ unsigned char bytes[];
  T* room = reinterpret_cast<T*>(bytes);
  room[12999] = cg::this_cluster().num_blocks();
  *out = room[12999];
}

} // namespace

/// Counts for the counters' test: per block 32 remote loads, stores and atomics, and 32 of each at home.
__global__ void count_remote(int* out) {
  __shared__ int a[32], b[32];
  auto cluster = cg::this_cluster();
  a[threadIdx.x] = 1;
  b[threadIdx.x] = 2;
  cluster.sync();
  int* far = cluster.map_shared_rank(a, cluster.block_rank() ^ 1);
  int* own = cluster.map_shared_rank(b, cluster.block_rank());
  far[threadIdx.x] = 3;
  atomicAdd(&far[threadIdx.x], 1);
  int value = far[threadIdx.x];
  atomicAdd(&own[threadIdx.x], 1);
  cluster.sync();
  out[blockIdx.x * 32 + threadIdx.x] = value + a[threadIdx.x];
}

/// Half of the lanes count at home and half of them elsewhere, in one instruction.
__global__ void count_mixed(int* out) {
  __shared__ int a[32];
  auto cluster = cg::this_cluster();
  a[threadIdx.x] = 0;
  cluster.sync();
  int* place = cluster.map_shared_rank(a, threadIdx.x % 2) + threadIdx.x;
  atomicAdd(place, 1);
  cluster.sync();
  out[blockIdx.x * 32 + threadIdx.x] = a[threadIdx.x];
}

template <class... Parameters, class... Arguments>
int launch_clusters(void (*kernel)(Parameters...), dim3 grid, dim3 block, dim3 cluster, size_t shared,
                    Arguments... arguments) {
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared;
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = cluster.x;
  attribute[0].val.clusterDim.y = cluster.y;
  attribute[0].val.clusterDim.z = cluster.z;
  config.attrs = attribute;
  config.numAttrs = 1;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed,
                       cluster.x * cluster.y * cluster.z > 8);
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}

} // namespace

extern "C" {
int run_histogram(const int* in, int n, int* out, int cluster) {
  return launch_clusters(histogram, 32, 64, cluster, 0, in, n, out);
}
int run_ring(int* out, int rounds, int cluster) {
  return launch_clusters(ring, 16, 32, cluster, 0, out, rounds);
}
int run_cluster_sum(const int* in, int* out, int cluster) {
  return launch_clusters(cluster_sum, 16, 64, cluster, 0, in, out);
}
int run_split_barrier(int* out, int cluster) {
  return launch_clusters(split_barrier, 16, 64, cluster, 64 * sizeof(int), out);
}
int run_one_waits_for_all(int* out, int cluster) {
  return launch_clusters(one_waits_for_all, 16, 64, cluster, 0, out);
}
int run_exchange_global(int* values, int* out, bool synchronise) {
  return launch_clusters(exchange_global, 16, 32, 4, 0, values, out, synchronise);
}
int run_ranks(unsigned* out) { return launch_clusters(ranks, dim3(8, 4), 32, dim3(4, 2, 1), 0, out); }
int run_bytes(unsigned char* out, int cluster) { return launch_clusters(bytes, 16, 4, cluster, 0, out); }
void run_four_blocks(unsigned* out) { four_blocks<<<8, 32>>>(out); }
void run_nameless_pairs(unsigned* out) { nameless_pairs<<<4, 32>>>(out); }
int run_nameless_blocks(unsigned* out) {
  nameless_blocks<<<1, 32>>>(out);
  return cudaGetLastError();
}
int run_nameless_with_room(unsigned* out) {
  cudaFuncSetAttribute(nameless_with_room<unsigned>, cudaFuncAttributeMaxDynamicSharedMemorySize, 52000);
  nameless_with_room<<<1, 1, 52000>>>(out);
  return cudaGetLastError();
}
int run_nameless_instances(unsigned* out) { // a large buffer for one, and a small one for the other
  cudaFuncSetAttribute(nameless_with_room<float>, cudaFuncAttributeMaxDynamicSharedMemorySize, 100);
  return run_nameless_with_room(out);
}
void run_template_blocks(unsigned* out) { template_blocks<2><<<8, 32>>>(out); }
void run_template_blocks_by_name(unsigned* out) { template_blocks<8, unsigned><<<8, 32>>>(out); }
int run_count_remote(int* out) { return launch_clusters(count_remote, 4, 32, 2, 0, out); }
int run_count_mixed(int* out) { return launch_clusters(count_mixed, 2, 32, 2, 0, out); }
int run_ex_c(int* out, int rounds) {
  cudaLaunchConfig_t config = {};
  config.gridDim = 16;
  config.blockDim = 32;
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {4, 1, 1};
  config.attrs = &attribute;
  config.numAttrs = 1;
  void* arguments[] = {&out, &rounds};
  return cudaLaunchKernelExC(&config, (const void*)ring, arguments);
}
}
