// Tiles of more than a warp: reductions and scans over tiles of 64 and 128 threads, tiles of tiles, groups that work on
// different things between their own barriers, and a block's barrier in two halves.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace cg = cooperative_groups;

template <int Size>
__device__ void sum_of_tile(cg::thread_block block, const int* in, int* sums) {
  const auto tile = cg::tiled_partition<Size>(block);
  const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  const int sum = cg::reduce(tile, value, cg::plus<int>());
  if (tile.thread_rank() == 0) sums[blockIdx.x * tile.meta_group_size() + tile.meta_group_rank()] = sum;
}

template <int Size>
__global__ void sums_of_tiles(const int* in, int* sums) {
  __shared__ cg::block_tile_memory<256> memory; // for GPUs before compute capability 8.0
  sum_of_tile<Size>(cg::this_thread_block(memory), in, sums);
}

// Each tile reverses its part in shared memory as often as its number says: they come to their barriers at different times.
__global__ void reverse_in_tiles(int* data) {
  __shared__ int values[256];
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  const unsigned rank = tile.thread_rank(), first = tile.meta_group_rank() * 64;
  values[first + rank] = data[first + rank];
  for (unsigned turn = 0; turn <= tile.meta_group_rank(); ++turn) {
    tile.sync();
    const int mine = values[first + 63 - rank];
    tile.sync();
    values[first + rank] = mine;
  }
  data[first + rank] = values[first + rank];
}

__global__ void tiles_of_tiles(const int* in, int* out) {
  const auto wide = cg::tiled_partition<128>(cg::this_thread_block());
  const auto middle = cg::tiled_partition<64>(wide);
  const auto warp = cg::tiled_partition<32>(middle);
  const int value = in[threadIdx.x];
  const int scan = cg::inclusive_scan(wide, value);
  const int before = cg::exclusive_scan(middle, value);
  const int largest = cg::reduce(warp, value, cg::greater<int>());
  const bool any = middle.any(value > 250), all = middle.all(value >= 0);
  out[threadIdx.x] = scan * 1000 + before + largest + any + 2 * all + wide.shfl(value, 100) +
                     static_cast<int>(warp.meta_group_rank());
}

__global__ void split_barrier(int* data) {
  __shared__ int values[256];
  const auto block = cg::this_thread_block();
  values[threadIdx.x] = data[threadIdx.x];
  auto token = block.barrier_arrive();
  const int own = 2 * data[threadIdx.x]; // needs no other thread
  block.barrier_wait(std::move(token));
  data[threadIdx.x] = own + values[255 - threadIdx.x];
}

int main() {
  const int n = 512;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  int wrong = 0;
  for (int i = 0; i < n; ++i) in[i] = i * 37 % 256;
  auto finish = [&wrong](const char* what) {
    const cudaError_t status = cudaDeviceSynchronize();
    if (status != cudaSuccess) std::printf("%s: %s\n", what, cudaGetErrorString(status));
    wrong += status != cudaSuccess;
  };
  auto check_sums = [&](int size) {
    for (int tile = 0; tile < n / size; ++tile) {
      int sum = 0;
      for (int i = 0; i < size; ++i) sum += in[tile * size + i];
      wrong += out[tile] != sum;
    }
  };
  sums_of_tiles<64><<<2, 256>>>(in, out);
  finish("tiles of 64");
  check_sums(64);
  sums_of_tiles<128><<<2, 256>>>(in, out);
  finish("tiles of 128");
  check_sums(128);
  sums_of_tiles<16><<<2, 256>>>(in, out);
  finish("tiles of 16");
  check_sums(16);

  tiles_of_tiles<<<1, 256>>>(in, out);
  finish("tiles of tiles");
  for (int i = 0; i < 256; ++i) {
    int scan = 0, before = 0, largest = 0, any = 0;
    for (int k = i / 128 * 128; k <= i; ++k) scan += in[k];
    for (int k = i / 64 * 64; k < i; ++k) before += in[k];
    for (int k = i / 32 * 32; k < i / 32 * 32 + 32; ++k) largest = in[k] > largest ? in[k] : largest;
    for (int k = i / 64 * 64; k < i / 64 * 64 + 64; ++k) any |= in[k] > 250;
    wrong += out[i] != scan * 1000 + before + largest + any + 2 + in[i / 128 * 128 + 100] + i % 64 / 32;
  }

  for (int i = 0; i < 256; ++i) out[i] = i;
  reverse_in_tiles<<<1, 256>>>(out);
  finish("reverse");
  for (int i = 0; i < 256; ++i) wrong += out[i] != (i / 64 % 2 == 0 ? i / 64 * 64 + 63 - i % 64 : i);
  split_barrier<<<1, 256>>>(out);
  finish("split barrier");
  for (int i = 0; i < 256; ++i) {
    auto reversed = [](int k) { return k / 64 % 2 == 0 ? k / 64 * 64 + 63 - k % 64 : k; };
    wrong += out[i] != 2 * reversed(i) + reversed(255 - i);
  }
  cudaFree(in);
  cudaFree(out);
  std::printf("%s\n", wrong == 0 ? "PASSED" : "FAILED");
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
