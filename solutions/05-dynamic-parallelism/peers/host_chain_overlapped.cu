// reduce_nested_by_level, two levels launched by the host such that they overlap: the second kernel is launched while the
// first one runs, and waits for it before it reads (programmatic dependent launch). Loads of 16 bytes on both levels; those
// of the ints, which are read once, leave the L2 cache to the results of the first level (__ldcs).

#include <cuda_runtime.h>

namespace {

constexpr unsigned all_lanes = 0xffffffff;
constexpr unsigned threads_per_block = 256;
constexpr unsigned per_load = 4;                        // ints
constexpr unsigned quarter = part_size / 4;             // results of the first level per part
constexpr unsigned lanes_per_part = quarter / per_load; // each has four results, 16 bytes
constexpr unsigned loads = 4; // of each thread of the second level, each for another part
constexpr unsigned parts_apart = threads_per_block / lanes_per_part;
constexpr unsigned parts_per_block = parts_apart * loads;

std::size_t blocks_for(std::size_t count, unsigned per_block) { return (count + per_block - 1) / per_block; }

__device__ int added(int4 v) { return v.x + v.y + (v.z + v.w); }

__device__ int element(const int* from, std::size_t n, std::size_t i) { return i < n ? from[i] : 0; }

__device__ int4 four_elements(const int* from, std::size_t n, std::size_t i) {
  if (i + per_load <= n) return __ldcs(reinterpret_cast<const int4*>(from + i));
  return {element(from, n, i), element(from, n, i + 1), element(from, n, i + 2), element(from, n, i + 3)};
}

__device__ void wait_for_the_kernel_before() {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

__device__ void let_the_next_kernel_begin() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

__global__ void quarters_kernel(int* work, const int* in, std::size_t n, std::size_t parts) {
  let_the_next_kernel_begin();
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; // of four results side by side
  const std::size_t k = i / lanes_per_part;
  if (k >= parts) return;
  const std::size_t first = k * part_size + i % lanes_per_part * per_load;
  const int4 a = four_elements(in, n, first), b = four_elements(in, n, first + quarter);
  const int4 c = four_elements(in, n, first + 2 * quarter), d = four_elements(in, n, first + 3 * quarter);
  reinterpret_cast<int4*>(work)[i] = int4{a.x + b.x + (c.x + d.x), a.y + b.y + (c.y + d.y),
                                          a.z + b.z + (c.z + d.z), a.w + b.w + (c.w + d.w)};
}

__global__ void last_kernel(int* sums, const int* work, std::size_t parts) {
  wait_for_the_kernel_before();
  const unsigned lane = threadIdx.x % lanes_per_part;
  const std::size_t first = std::size_t{blockIdx.x} * parts_per_block + threadIdx.x / lanes_per_part;
  const int4* results = reinterpret_cast<const int4*>(work);
  int4 loaded[loads];
  for (unsigned j = 0; j < loads; ++j) {
    const std::size_t k = first + j * parts_apart;
    loaded[j] = k < parts ? results[k * lanes_per_part + lane] : int4{0, 0, 0, 0};
  }
  for (unsigned j = 0; j < loads; ++j) {
    const std::size_t k = first + j * parts_apart;
    int value = added(loaded[j]);
    for (unsigned distance = lanes_per_part / 2; distance > 0; distance /= 2) // by all lanes of the warp
      value += __shfl_down_sync(all_lanes, value, distance, lanes_per_part);
    if (k < parts && lane == 0) sums[k] = value;
  }
}

bool can_overlap() {
  int device = 0, major = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  return major >= 9;
}

} // namespace

void reduce_nested_by_level(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  const std::size_t parts = (n + part_size - 1) / part_size;
  quarters_kernel<<<blocks_for(parts * lanes_per_part, threads_per_block), threads_per_block>>>(work, in, n,
                                                                                                parts);
  static const bool overlaps = can_overlap();
  cudaLaunchAttribute may_begin{};
  may_begin.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  may_begin.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = static_cast<unsigned>(blocks_for(parts, parts_per_block));
  config.blockDim = threads_per_block;
  config.attrs = &may_begin;
  config.numAttrs = overlaps ? 1 : 0;
  cudaLaunchKernelEx(&config, last_kernel, sums, static_cast<const int*>(work), parts);
}
