// The yardsticks: what memory and arithmetic can do on this machine. No lesson and nothing to grade; every ratio that the
// workbook reports is a ratio to one of these, measured in the same run.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

namespace {

constexpr unsigned threads_per_block = 256;

// One 16-byte access on either side for each thread; the last thread also moves the up to three elements
// behind.
__global__ void copy_kernel(float* out, const float* in, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t quads = n / 4;
  if (i < quads) reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
  if (i == quads) {
    for (std::size_t k = 4 * quads; k < n; ++k) out[k] = in[k];
  }
}

// Several loads in flight for each thread: a read alone has no stores to overlap with. One atomic addition a
// block, for additions to one address come one after the other.
constexpr unsigned loads_per_thread = 8;
constexpr unsigned warps_per_block = threads_per_block / 32;
constexpr std::size_t most_blocks = 8192; // many times what any GPU holds at once, and few enough to add up

__global__ void read_kernel(unsigned long long* sum, const uint4* in, std::size_t quads,
                            const std::uint32_t* tail, unsigned tail_words) {
  __shared__ unsigned long long of_warp[warps_per_block];
  const std::size_t piece = std::size_t{blockDim.x} * loads_per_thread;
  unsigned long long own = 0;
  for (std::size_t first = blockIdx.x * piece + threadIdx.x; first < quads; first += gridDim.x * piece) {
#pragma unroll
    for (unsigned k = 0; k < loads_per_thread; ++k) {
      const std::size_t i = first + std::size_t{k} * blockDim.x;
      if (i < quads) {
        const uint4 words = in[i];
        own += static_cast<unsigned long long>(words.x) + words.y + words.z + words.w;
      }
    }
  }
  if (blockIdx.x == 0 && threadIdx.x < tail_words) own += tail[threadIdx.x];
  for (unsigned distance = 16; distance > 0; distance /= 2)
    own += __shfl_down_sync(0xFFFFFFFFu, own, distance);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned warp = 1; warp < warps_per_block; ++warp) own += of_warp[warp];
  atomicAdd(sum, own);
}

// Two lanes for each sector, 16 bytes each.
__global__ void sectors_kernel(float4* out, const float4* in, std::size_t n, std::size_t distance) {
  constexpr unsigned floats_per_sector = 8;
  const std::size_t t = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (t / 2 >= n) return;
  const std::size_t half = t / 2 * distance / floats_per_sector * 2 + t % 2;
  out[half] = in[half];
}

// A tile for each block, 16 bytes at a time. Blocks that run together read down a column of tiles and so write along a row of
// them: of all orders, shapes and numbers of threads that were tried, the fastest on an H200.
constexpr unsigned tile_side = 64;
constexpr unsigned vectors_per_side = tile_side / 4;
constexpr unsigned threads_per_tile = 512;
constexpr unsigned vectors_per_thread = tile_side * vectors_per_side / threads_per_tile;

__global__ void tiles_kernel(float4* out, const float4* in, std::size_t side, unsigned tiles_per_side) {
  const std::size_t pitch = side / 4; // in vectors
  const std::size_t i = blockIdx.x % tiles_per_side, j = blockIdx.x / tiles_per_side;
  const float4* const from = in + i * tile_side * pitch + j * vectors_per_side;
  float4* const to = out + j * tile_side * pitch + i * vectors_per_side;
  float4 held[vectors_per_thread];
#pragma unroll
  for (unsigned k = 0; k < vectors_per_thread; ++k) {
    const unsigned v = threadIdx.x + k * threads_per_tile;
    held[k] = from[v / vectors_per_side * pitch + v % vectors_per_side];
  }
#pragma unroll
  for (unsigned k = 0; k < vectors_per_thread; ++k) {
    const unsigned v = threadIdx.x + k * threads_per_tile;
    to[v / vectors_per_side * pitch + v % vectors_per_side] = held[k];
  }
}

// Independent chains for each thread: the next multiply-add never waits for the last.
constexpr unsigned chains = 8;
constexpr unsigned links = 512; // of each chain

__global__ void fma_kernel(float* out, const float* in, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x[chains];
  for (unsigned c = 0; c < chains; ++c) x[c] = in[i] + static_cast<float>(c) / chains;
#pragma unroll 8
  for (unsigned link = 0; link < links; ++link) {
#pragma unroll
    for (unsigned c = 0; c < chains; ++c) x[c] = fmaf(x[c], 0.5F, 1.0F);
  }
  float sum = 0;
  for (unsigned c = 0; c < chains; ++c) sum += x[c];
  out[i] = sum;
}

} // namespace

void yardstick_copy(float* out, const float* in, std::size_t n) {
  if (n == 0) return;
  const std::size_t blocks = (n / 4 + threads_per_block) / threads_per_block; // one thread more than quads
  copy_kernel<<<blocks, threads_per_block>>>(out, in, n);
}

void yardstick_memcpy(float* out, const float* in, std::size_t n) {
  cudaMemcpyAsync(out, in, n * sizeof(float), cudaMemcpyDeviceToDevice, nullptr);
}

void yardstick_read(std::uint64_t* sum, const std::uint32_t* in, std::size_t n) {
  if (n == 0) return;
  const std::size_t quads = n / 4;
  const std::size_t quads_per_block = std::size_t{threads_per_block} * loads_per_thread;
  const std::size_t blocks = std::min(quads / quads_per_block + 1, most_blocks);
  read_kernel<<<blocks, threads_per_block>>>(reinterpret_cast<unsigned long long*>(sum),
                                             reinterpret_cast<const uint4*>(in), quads, in + 4 * quads,
                                             static_cast<unsigned>(n % 4));
}

void yardstick_sectors(float* out, const float* in, std::size_t n, std::size_t distance) {
  if (n == 0) return;
  // A hint: what moves besides is no part of the copy. Once, as asking takes longer than the copy does, and is no part of it.
  [[maybe_unused]] static const cudaError_t asked = cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 32);
  sectors_kernel<<<(2 * n + threads_per_block - 1) / threads_per_block, threads_per_block>>>(
      reinterpret_cast<float4*>(out), reinterpret_cast<const float4*>(in), n, distance);
}

void yardstick_tiles(float* out, const float* in, std::size_t side) {
  if (side == 0) return;
  const auto tiles_per_side = static_cast<unsigned>(side / tile_side);
  tiles_kernel<<<tiles_per_side * tiles_per_side, threads_per_tile>>>(
      reinterpret_cast<float4*>(out), reinterpret_cast<const float4*>(in), side, tiles_per_side);
}

void yardstick_fma(float* out, const float* in, std::size_t n) {
  if (n == 0) return;
  fma_kernel<<<(n + threads_per_block - 1) / threads_per_block, threads_per_block>>>(out, in, n);
}
