// Cooperative groups within a block and within a warp.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

namespace {

struct Pair {
  int value, index;
};
struct Wide {
  int words[3];
};

template <unsigned Size>
__global__ void reduce_tiles(const int* in, int* out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<Size>(block);
  int value = in[block.thread_rank()];
  int* row = out + block.thread_rank() * 8;
  row[0] = cg::reduce(tile, value, cg::plus<int>());
  row[1] = cg::reduce(tile, value, cg::less<int>());
  row[2] = cg::reduce(tile, value, cg::greater<int>());
  row[3] = cg::reduce(tile, value, cg::bit_xor<int>());
  row[4] = cg::reduce(tile, value, [](int a, int b) { return a & b; });
  row[5] = cg::inclusive_scan(tile, value);
  row[6] = cg::exclusive_scan(tile, value);
  row[7] = static_cast<int>(tile.meta_group_rank() * 1000 + tile.meta_group_size());
}

__global__ void tile_functions(int* out) {
  auto block = cg::this_thread_block();
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  int rank = static_cast<int>(tile.thread_rank()), lane = static_cast<int>(block.thread_rank());
  int* row = out + lane * 16;
  row[0] = tile.shfl(lane, 3);
  row[1] = tile.shfl_up(lane, 2);
  row[2] = tile.shfl_down(lane, 2);
  row[3] = tile.shfl_xor(lane, 5);
  row[4] = static_cast<int>(tile.ballot(rank % 2));
  row[5] = tile.any(rank == 7) * 2 + tile.all(rank < 7);
  row[6] = static_cast<int>(tile.match_any(rank / 3));
  int equal = 0;
  row[7] = static_cast<int>(tile.match_all(7, equal)) * 10 + equal;
  row[8] = tile.shfl(Wide{{lane, lane * 2, lane * 3}}, 2).words[2];
  row[9] = tile.shfl(static_cast<short>(-lane), 1);
  row[10] = static_cast<int>(tile.shfl(lane * 0.5, 7) * 2);
  auto quad = cg::tiled_partition<4>(tile);
  row[11] = static_cast<int>(quad.size() * 100 + quad.meta_group_rank() * 10 + quad.meta_group_size());
  row[12] = quad.shfl(lane, 0);
  float4 four = make_float4(lane, 0, 0, lane + 0.5f);
  row[13] = static_cast<int>(tile.shfl(four, 4).w * 2);
  Pair best =
      cg::reduce(tile, Pair{(lane * 5) % 8, lane}, [](Pair a, Pair b) { return a.value > b.value ? a : b; });
  row[14] = best.index;
  row[15] = static_cast<int>(cg::invoke_one_broadcast(tile, [&] { return lane; }));
}

__global__ void coalesced(int* out) {
  int lane = static_cast<int>(threadIdx.x);
  if (lane % 3 != 0) return;
  cg::coalesced_group group = cg::coalesced_threads();
  int* row = out + lane * 12;
  row[0] = static_cast<int>(group.size());
  row[1] = static_cast<int>(group.thread_rank());
  row[2] = group.shfl(lane, 4);
  row[3] = group.shfl_up(lane, 1);
  row[4] = group.shfl_down(lane, 2);
  row[5] = static_cast<int>(group.ballot(lane % 2));
  row[6] = cg::reduce(group, lane, cg::plus<int>());
  row[7] = cg::inclusive_scan(group, lane, cg::plus<int>());
  row[8] = cg::exclusive_scan(group, lane, cg::greater<int>());
  auto half = cg::tiled_partition(group, 4);
  row[9] = static_cast<int>(half.size() * 100 + half.thread_rank() * 10 + half.meta_group_rank());
  auto parity = cg::binary_partition(group, lane % 2 == 1);
  row[10] = static_cast<int>(parity.size() * 100 + parity.thread_rank());
  auto label = cg::labeled_partition(group, lane / 12);
  row[11] = cg::reduce(label, 1, cg::plus<int>());
}

/// One aggregated atomic for all threads that want a place.
__global__ void aggregated_increment(const int* in, int n, int* out, int* count) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || in[i] % 3 != 0) return;
  auto active = cg::coalesced_threads();
  int first = 0;
  if (active.thread_rank() == 0) first = atomicAdd(count, static_cast<int>(active.size()));
  first = active.shfl(first, 0);
  out[first + active.thread_rank()] = in[i];
}

/// Works with any group, as in a library.
__device__ int sum_of(const cg::thread_group& group, int* scratch, int value) {
  unsigned rank = group.thread_rank();
  for (unsigned step = group.size() / 2; step > 0; step /= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank < step) value += scratch[rank + step];
    group.sync();
  }
  return value;
}

__global__ void any_group(int* out, unsigned size) {
  __shared__ int scratch[128];
  auto block = cg::this_thread_block();
  int whole = sum_of(block, scratch, 1);
  cg::thread_group tile = cg::tiled_partition(block, size);
  int part = sum_of(tile, scratch + block.thread_rank() / size * size, static_cast<int>(block.thread_rank()));
  if (block.thread_rank() == 0) out[128] = whole;
  if (tile.thread_rank() == 0) out[block.thread_rank() / size] = part;
}

__global__ void block_functions(unsigned* out) {
  auto block = cg::this_thread_block();
  if (block.thread_rank() != 7 || block.group_index().x != 1) return;
  unsigned values[] = {block.size(),
                       block.num_threads(),
                       block.thread_index().x,
                       block.thread_index().y,
                       block.group_dim().x,
                       block.dim_threads().y,
                       cg::this_grid().size() > 0,
                       static_cast<unsigned>(cg::this_grid().thread_rank()),
                       static_cast<unsigned>(cg::this_grid().num_blocks()),
                       cg::thread_block::thread_rank(),
                       cg::this_grid().dim_blocks().x};
  for (unsigned i = 0; i < sizeof values / sizeof *values; ++i) out[i] = values[i];
}

__global__ void copy_ahead(const int* in, int* out, bool wait) {
  __shared__ int tile[100];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in + blockIdx.x * 100, sizeof(int) * 100);
  if (wait) cg::wait(block);
  for (unsigned i = threadIdx.x; i < 100; i += blockDim.x)
    out[blockIdx.x * 100 + i] = tile[99 - i]; // read of the copy
}

__global__ void copy_stages(const int* in, int* out, int stages) {
  __shared__ int tile[2][64];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile[0], 64, in, 64 * stages);
  for (int stage = 0; stage < stages; ++stage) {
    if (stage + 1 < stages) {
      cg::memcpy_async(block, tile[(stage + 1) % 2], in + (stage + 1) * 64, cg::aligned_size_t<16>(256));
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    out[stage * 64 + threadIdx.x] = tile[stage % 2][63 - threadIdx.x];
    block.sync();
  }
}

} // namespace

extern "C" {
void run_reduce_tiles(const int* in, int* out, int size) {
  if (size == 1) reduce_tiles<1><<<1, 64>>>(in, out);
  if (size == 2) reduce_tiles<2><<<1, 64>>>(in, out);
  if (size == 4) reduce_tiles<4><<<1, 64>>>(in, out);
  if (size == 8) reduce_tiles<8><<<1, 64>>>(in, out);
  if (size == 16) reduce_tiles<16><<<1, 64>>>(in, out);
  if (size == 32) reduce_tiles<32><<<1, 64>>>(in, out);
}
void run_tile_functions(int* out) { tile_functions<<<1, 64>>>(out); }
void run_coalesced(int* out) { coalesced<<<1, 32>>>(out); }
void run_aggregated_increment(const int* in, int n, int* out, int* count) {
  aggregated_increment<<<4, 64>>>(in, n, out, count);
}
void run_any_group(int* out, unsigned size) { any_group<<<1, 128>>>(out, size); }
void run_block_functions(unsigned* out) { block_functions<<<3, dim3(4, 8)>>>(out); }
void run_copy_ahead(const int* in, int* out, bool wait) { copy_ahead<<<2, 32>>>(in, out, wait); }
void run_copy_stages(const int* in, int* out, int stages) { copy_stages<<<1, 64>>>(in, out, stages); }
}
