// Cooperative groups that are at least a block: the block, the cluster and the grid.
#ifndef SIMT_INCLUDE_SIMT_SHIM_GROUPS_BLOCK_H
#define SIMT_INCLUDE_SIMT_SHIM_GROUPS_BLOCK_H

#include "simt_shim/cluster.h"

namespace cooperative_groups {

/// The threads of the calling thread's block.
class thread_block {
public:
  SIMT_INLINE static void sync(SIMT_CALLER) {
    __simt_block_barrier(simt_barrier_plain, 0, simt_file, simt_line);
  }
  SIMT_INLINE static unsigned thread_rank() {
    return ::simt::linear(::simt::thread_index(), ::simt::block_extent());
  }
  SIMT_INLINE static unsigned num_threads() { return ::simt::volume(::simt::block_extent()); }
  SIMT_INLINE static unsigned size() { return num_threads(); }
  SIMT_INLINE static dim3 group_index() { return ::simt::block_index(); }
  SIMT_INLINE static dim3 thread_index() { return ::simt::thread_index(); }
  SIMT_INLINE static dim3 group_dim() { return ::simt::block_extent(); }
  SIMT_INLINE static dim3 dim_threads() { return ::simt::block_extent(); }

  struct arrival_token {
    unsigned long phase;
  };
  SIMT_INLINE static arrival_token barrier_arrive() { return {__simt_tile_arrive(0, num_threads())}; }
  SIMT_INLINE static void barrier_wait(arrival_token&& token, SIMT_CALLER) {
    __simt_tile_wait(0, num_threads(), token.phase, simt_file, simt_line);
  }
};

SIMT_INLINE thread_block this_thread_block() { return {}; }

/// Shared memory by which old GPUs synchronise tiles of several warps. The simulator needs none.
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {
  unsigned char simt_unused[MaxBlockSize / 32 * 24];
};
template <unsigned MaxBlockSize>
SIMT_INLINE thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  return {};
}

/// The threads of the calling thread's cluster, which can use each other's shared memory.
class cluster_group {
public:
  struct arrival_token {};

  SIMT_INLINE static void sync(SIMT_CALLER) { __simt_group_sync(simt_group_cluster, simt_file, simt_line); }
  SIMT_INLINE static arrival_token barrier_arrive(SIMT_CALLER) {
    __simt_group_arrive(simt_group_cluster, simt_file, simt_line);
    return {};
  }
  SIMT_INLINE static void barrier_wait(SIMT_CALLER) {
    __simt_group_wait(simt_group_cluster, simt_file, simt_line);
  }
  SIMT_INLINE static void barrier_wait(const arrival_token&, SIMT_CALLER) {
    __simt_group_wait(simt_group_cluster, simt_file, simt_line);
  }

  SIMT_INLINE static unsigned block_rank() { return __clusterRelativeBlockRank(); }
  SIMT_INLINE static unsigned num_blocks() { return __clusterSizeInBlocks(); }
  SIMT_INLINE static dim3 block_index() { return __clusterRelativeBlockIdx(); }
  SIMT_INLINE static dim3 dim_blocks() { return __clusterDim(); }
  SIMT_INLINE static unsigned thread_rank() {
    return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
  }
  SIMT_INLINE static unsigned num_threads() { return num_blocks() * thread_block::num_threads(); }
  SIMT_INLINE static unsigned size() { return num_threads(); }
  SIMT_INLINE static dim3 dim_threads() {
    dim3 blocks = dim_blocks();
    return {blocks.x * ::simt::block_extent().x, blocks.y * ::simt::block_extent().y,
            blocks.z * ::simt::block_extent().z};
  }
  SIMT_INLINE static dim3 thread_index() {
    dim3 block = block_index();
    return {block.x * ::simt::block_extent().x + ::simt::thread_index().x,
            block.y * ::simt::block_extent().y + ::simt::thread_index().y,
            block.z * ::simt::block_extent().z + ::simt::thread_index().z};
  }

  /// The variable of block `rank` that corresponds to the calling block's own at `address`.
  template <class T>
  SIMT_INLINE static T* map_shared_rank(T* address, int rank, SIMT_CALLER) {
    return static_cast<T*>(
        __simt_map_shared(const_cast<const void*>(static_cast<const volatile void*>(address)),
                          static_cast<unsigned>(rank), simt_file, simt_line));
  }
  SIMT_INLINE static unsigned query_shared_rank(const void* address, SIMT_CALLER) {
    return __simt_query_shared(address, simt_file, simt_line);
  }
};

SIMT_INLINE cluster_group this_cluster() { return {}; }

/// The threads of the grid. Only a cooperative launch can synchronise them.
class grid_group {
public:
  struct arrival_token {};

  SIMT_INLINE static bool is_valid() { return __simt_grid_is_cooperative(); }
  SIMT_INLINE static void sync(SIMT_CALLER) { __simt_group_sync(simt_group_grid, simt_file, simt_line); }
  SIMT_INLINE static arrival_token barrier_arrive(SIMT_CALLER) {
    __simt_group_arrive(simt_group_grid, simt_file, simt_line);
    return {};
  }
  SIMT_INLINE static void barrier_wait(const arrival_token&, SIMT_CALLER) {
    __simt_group_wait(simt_group_grid, simt_file, simt_line);
  }

  SIMT_INLINE static unsigned long long block_rank() {
    return ::simt::block_index().x +
           ::simt::grid_extent().x *
               (::simt::block_index().y +
                static_cast<unsigned long long>(::simt::grid_extent().y) * ::simt::block_index().z);
  }
  SIMT_INLINE static unsigned long long num_blocks() {
    return static_cast<unsigned long long>(::simt::grid_extent().x) * ::simt::grid_extent().y *
           ::simt::grid_extent().z;
  }
  SIMT_INLINE static unsigned long long thread_rank() {
    return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
  }
  SIMT_INLINE static unsigned long long num_threads() { return num_blocks() * thread_block::num_threads(); }
  SIMT_INLINE static unsigned long long size() { return num_threads(); }
  SIMT_INLINE static dim3 group_dim() { return ::simt::grid_extent(); }
  SIMT_INLINE static dim3 dim_blocks() { return ::simt::grid_extent(); }
  SIMT_INLINE static dim3 block_index() { return ::simt::block_index(); }
  SIMT_INLINE static dim3 dim_clusters() { return __clusterGridDimInClusters(); }
  SIMT_INLINE static dim3 cluster_index() { return __clusterIdx(); }
  SIMT_INLINE static unsigned long long num_clusters() { return num_blocks() / __clusterSizeInBlocks(); }
  SIMT_INLINE static unsigned long long cluster_rank() {
    return ::simt::linear(::simt::cluster_index(), ::simt::grid_extent_in_clusters());
  }
};

SIMT_INLINE grid_group this_grid() { return {}; }

} // namespace cooperative_groups

#endif
