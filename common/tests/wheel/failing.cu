// Mistakes in accesses that go through headers of the simulator. The report has to name their lines here.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void moves_vectors(float4* a, double2* b) {
  a[threadIdx.x + 90] = make_float4(1, 2, 3, 4);
  b[threadIdx.x + 90].x = 1;
}
__global__ void adds(int* a) { atomicAdd(&a[threadIdx.x + 90], 1); }
__global__ void reads(const int* a, int* b) { b[threadIdx.x] = __ldg(&a[threadIdx.x + 90]); }
__global__ void copies(int* a, const int* b) { memcpy(a + threadIdx.x + 90, b, sizeof(int)); }
__global__ void stops() {
  if (threadIdx.x == 3) __trap();
}
__global__ void waits(int* a) {
  const cg::thread_block block = cg::this_thread_block();
  if (threadIdx.x < 40) block.sync();
  a[threadIdx.x] = 1;
}
__global__ void __cluster_dims__(2) shares(int* a) {
  __shared__ int counts[32];
  const cg::cluster_group cluster = cg::this_cluster();
  counts[threadIdx.x] = 0;
  int* other = cluster.map_shared_rank(counts, 1 - cluster.block_rank());
  atomicAdd(&other[threadIdx.x], 1);
  cluster.sync();
  a[threadIdx.x] = counts[threadIdx.x];
}

template <class Launch>
void run(const char* name, Launch launch) {
  float* memory = nullptr;
  cudaMalloc(&memory, 100 * sizeof(float4));
  cudaMemset(memory, 0, 100 * sizeof(float4));
  launch(memory);
  std::printf("%s: %s\n", name, cudaGetErrorString(cudaDeviceSynchronize()));
  cudaDeviceReset();
}

int main() {
  run("vectors", [](float* a) {
    moves_vectors<<<1, 32>>>(reinterpret_cast<float4*>(a), reinterpret_cast<double2*>(a));
  });
  run("adds", [](float* a) { adds<<<1, 512>>>(reinterpret_cast<int*>(a)); });
  run("reads", [](float* a) { reads<<<1, 512>>>(reinterpret_cast<int*>(a), reinterpret_cast<int*>(a)); });
  run("copies", [](float* a) { copies<<<1, 512>>>(reinterpret_cast<int*>(a), reinterpret_cast<int*>(a)); });
  run("stops", [](float*) { stops<<<1, 32>>>(); });
  run("waits", [](float* a) { waits<<<1, 64>>>(reinterpret_cast<int*>(a)); });
  run("shares", [](float* a) { shares<<<4, 32>>>(reinterpret_cast<int*>(a)); });
  void* much = nullptr;
  cudaMalloc(&much, std::size_t{1} << 50);
  run("crosses", [](float* a) { cudaMemcpy(a, nullptr, 4, cudaMemcpyHostToDevice); });
}
