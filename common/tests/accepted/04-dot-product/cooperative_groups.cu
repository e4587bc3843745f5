// Another style: cooperative groups; warps take whole pieces of the arrays; doubles are added for floats.
// A part of the contract.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

namespace {

constexpr int block_size = 128;
constexpr std::size_t most_blocks = 512;

unsigned blocks_for(std::size_t n) {
  const std::size_t blocks = n / block_size + 1; // one at least
  return static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks);
}

template <typename Out, typename In>
__device__ Out products(const In* a, const In* b, std::size_t n, std::size_t first, std::size_t step) {
  Out sum = 0;
  for (std::size_t i = first; i < n; i += step) sum = fma(Out(a[i]), Out(b[i]), sum);
  return sum;
}

__global__ void width_256(float* __restrict__ sums, const float* __restrict__ a, const float* __restrict__ b,
                          std::size_t n) {
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  __shared__ float part[block_size / 32];
  const std::size_t first = std::size_t{blockIdx.x} * 256;
  const std::size_t last = first + 256 < n ? first + 256 : n;
  const float sum = cg::reduce(warp, products<float>(a, b, last, first + block.thread_rank(), block_size),
                               cg::plus<float>());
  if (warp.thread_rank() == 0) part[warp.meta_group_rank()] = sum;
  block.sync();
  if (block.thread_rank() == 0) sums[blockIdx.x] = (part[0] + part[1]) + (part[2] + part[3]);
}

template <typename T>
__global__ void everything(T* result, const T* __restrict__ a, const T* __restrict__ b, std::size_t n) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  __shared__ double part;
  if (threadIdx.x == 0) part = 0;
  __syncthreads();
  const std::size_t me = blockIdx.x * std::size_t{block_size} + threadIdx.x;
  const double sum = cg::reduce(warp, products<double>(a, b, n, me, gridDim.x * std::size_t{block_size}),
                                cg::plus<double>());
  if (warp.thread_rank() == 0) atomicAdd(&part, sum);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(result, static_cast<T>(part));
}

__device__ double parts[most_blocks];
__device__ unsigned finished;

__global__ void in_order(float* result, const float* a, const float* b, std::size_t n) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  __shared__ double part[block_size / 32];
  __shared__ unsigned before;
  const std::size_t me = blockIdx.x * std::size_t{block_size} + threadIdx.x;
  const double sum = cg::reduce(warp, products<double>(a, b, n, me, gridDim.x * std::size_t{block_size}),
                                cg::plus<double>());
  if (warp.thread_rank() == 0) part[warp.meta_group_rank()] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
    __threadfence();
    before = atomicInc(&finished, gridDim.x - 1); // wraps to 0 by itself
  }
  __syncthreads();
  if (before + 1 < gridDim.x || threadIdx.x != 0) return;
  double total = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) total += parts[block];
  *result = static_cast<float>(total);
}

} // namespace

void block_dots_f32(float* sums, const float* a, const float* b, std::size_t n) {
  if (n > 0) width_256<<<(n + 255) / 256, block_size>>>(sums, a, b, n);
}

void dot_f32(float* result, const float* a, const float* b, std::size_t n) {
  cudaMemset(result, 0, sizeof *result);
  everything<<<most_blocks, block_size>>>(result, a, b, n);
}

void dot_deterministic_f32(float* result, const float* a, const float* b, std::size_t n) {
  in_order<<<blocks_for(n), block_size>>>(result, a, b, n);
}
