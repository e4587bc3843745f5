// The built-in functions about thread block clusters. A launch without a cluster size makes every block a
// cluster of its own.
#ifndef SIMT_INCLUDE_SIMT_SHIM_CLUSTER_H
#define SIMT_INCLUDE_SIMT_SHIM_CLUSTER_H

#include "simt_shim/sync.h"

namespace simt {

SIMT_INLINE Index cluster_extent() { return __simt_cluster_extent(); }
SIMT_INLINE Index block_index_in_cluster() {
  Index extent = cluster_extent();
  return simt_index3{::simt::block_index().x % extent.x, ::simt::block_index().y % extent.y,
                     ::simt::block_index().z % extent.z};
}
SIMT_INLINE Index cluster_index() {
  Index extent = cluster_extent();
  return simt_index3{::simt::block_index().x / extent.x, ::simt::block_index().y / extent.y,
                     ::simt::block_index().z / extent.z};
}
SIMT_INLINE Index grid_extent_in_clusters() {
  Index extent = cluster_extent();
  return simt_index3{::simt::grid_extent().x / extent.x, ::simt::grid_extent().y / extent.y,
                     ::simt::grid_extent().z / extent.z};
}

/// Position and volume of an index within an extent, x running fastest.
SIMT_INLINE unsigned linear(Index index, Index extent) {
  return index.x + extent.x * (index.y + extent.y * index.z);
}
SIMT_INLINE unsigned volume(Index extent) { return extent.x * extent.y * extent.z; }

// Special registers that only PTX names. Blocks are dealt out to the multiprocessors one by one.
inline constexpr unsigned multiprocessor_count = 132;
SIMT_INLINE unsigned thread_number() { return linear(thread_index(), block_extent()); }
SIMT_INLINE unsigned lane_id() { return thread_number() % 32; }
SIMT_INLINE unsigned warp_id() { return thread_number() / 32; }
SIMT_INLINE unsigned multiprocessor_id() { return linear(block_index(), grid_extent()) % multiprocessor_count; }

} // namespace simt

SIMT_INLINE dim3 __clusterDim() { return ::simt::cluster_extent(); }
SIMT_INLINE dim3 __clusterRelativeBlockIdx() { return ::simt::block_index_in_cluster(); }
SIMT_INLINE dim3 __clusterGridDimInClusters() { return ::simt::grid_extent_in_clusters(); }
SIMT_INLINE dim3 __clusterIdx() { return ::simt::cluster_index(); }
SIMT_INLINE unsigned __clusterRelativeBlockRank() {
  return ::simt::linear(::simt::block_index_in_cluster(), ::simt::cluster_extent());
}
SIMT_INLINE unsigned __clusterSizeInBlocks() { return ::simt::volume(::simt::cluster_extent()); }
SIMT_INLINE unsigned __clusterDimIsSpecified() { return __clusterSizeInBlocks() > 1; }

SIMT_INLINE void __cluster_barrier_arrive(SIMT_CALLER) {
  __simt_group_arrive(simt_group_cluster, simt_file, simt_line);
}
/// Orders memory here as the other form does.
SIMT_INLINE void __cluster_barrier_arrive_relaxed(SIMT_CALLER) {
  __simt_group_arrive(simt_group_cluster, simt_file, simt_line);
}
SIMT_INLINE void __cluster_barrier_wait(SIMT_CALLER) {
  __simt_group_wait(simt_group_cluster, simt_file, simt_line);
}
SIMT_INLINE void* __cluster_map_shared_rank(const void* address, unsigned rank, SIMT_CALLER) {
  return __simt_map_shared(address, rank, simt_file, simt_line);
}
SIMT_INLINE unsigned __cluster_query_shared_rank(const void* address, SIMT_CALLER) {
  return __simt_query_shared(address, simt_file, simt_line);
}

#endif
