// Occupancy queries.
#include "simt/runtime/api/occupancy.hpp"
#include "simt/runtime/api/errors.hpp"
#include "simt/runtime/machine/host_call.hpp"

#include "cuda_runtime_api.h"

#include <algorithm>
#include <bit>

namespace simt {

namespace {

/// Multiprocessors by processor cluster (GPC), whose blocks alone can form a thread block cluster. Found from
/// the answers of an H200 for one block per multiprocessor and cluster sizes 1, 2, 4, 8 and 16.
constexpr unsigned gpc_multiprocessors[] = {18, 18, 18, 18, 18, 18, 16, 8};

bool is_given(const simt_index3& extent) { return extent.x != 0 || extent.y != 0 || extent.z != 0; }

simt_index3 extent_of(const KernelTraits* known) {
  if (!known) return {0, 0, 0};
  return {static_cast<unsigned>(known->cluster[0]), static_cast<unsigned>(known->cluster[1]),
          static_cast<unsigned>(known->cluster[2])};
}

} // namespace

unsigned blocks_per_multiprocessor_for(const KernelTraits* known, unsigned threads,
                                       std::size_t dynamic_bytes) {
  std::size_t limit = known ? known->max_dynamic_shared : default_shared_limit;
  if (threads == 0 || threads > max_threads_per_block || dynamic_bytes > limit) return 0;
  std::size_t shared = dynamic_bytes + (known ? known->static_shared : 0) + reserved_shared_per_block;
  unsigned warps = (threads + lanes_per_warp - 1) / lanes_per_warp;
  unsigned by_threads = threads_per_multiprocessor / (warps * lanes_per_warp);
  unsigned by_shared = static_cast<unsigned>(shared_per_multiprocessor / shared);
  return std::min({by_threads, by_shared, blocks_per_multiprocessor});
}

simt_index3 cluster_extent(const simt_launch_config& config, const KernelTraits* known) {
  if (is_given(config.cluster)) return config.cluster;
  return is_given(extent_of(known)) ? extent_of(known) : simt_index3{1, 1, 1};
}

bool fits_cluster(const KernelTraits* known, const simt_index3& requested, const simt_index3& grid) {
  simt_index3 declared = extent_of(known);
  simt_index3 extent = is_given(requested) ? requested : is_given(declared) ? declared : simt_index3{1, 1, 1};
  bool non_portable = known && known->non_portable_cluster;
  std::uint64_t blocks = volume(extent);
  if (blocks == 0 || blocks > (non_portable ? max_cluster_blocks : portable_cluster_blocks)) return false;
  if (is_given(requested) && is_given(declared) &&
      (requested.x != declared.x || requested.y != declared.y || requested.z != declared.z))
    return false;
  return grid.x % extent.x == 0 && grid.y % extent.y == 0 && grid.z % extent.z == 0;
}

} // namespace simt

using namespace simt;

namespace {

const KernelTraits* known_traits(const void* function) { return find_traits(function, ""); }

struct ClusterQuery {
  simt_index3 cluster{0, 0, 0};
  simt_index3 grid, block;
};

ClusterQuery read(const cudaLaunchConfig_t& config) {
  ClusterQuery query{{0, 0, 0},
                     {config.gridDim.x, config.gridDim.y, config.gridDim.z},
                     {config.blockDim.x, config.blockDim.y, config.blockDim.z}};
  for (unsigned i = 0; i < config.numAttrs; ++i)
    if (config.attrs[i].id == cudaLaunchAttributeClusterDimension)
      query.cluster = {config.attrs[i].val.clusterDim.x, config.attrs[i].val.clusterDim.y,
                       config.attrs[i].val.clusterDim.z};
  return query;
}

} // namespace

extern "C" {

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                   int block_size,
                                                                   size_t dynamic_shared_bytes,
                                                                   unsigned flags) {
  const HostCall turn;
  if (!blocks || block_size <= 0 || flags > cudaOccupancyDisableCachingOverride)
    return api_result(cudaErrorInvalidValue);
  if (!is_function(function)) return api_result(cudaErrorInvalidDeviceFunction);
  *blocks = static_cast<int>(blocks_per_multiprocessor_for(
      known_traits(function), static_cast<unsigned>(block_size), dynamic_shared_bytes));
  return api_result(cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int block_size,
                                                          size_t dynamic_shared_bytes) {
  const HostCall turn;
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size,
                                                                dynamic_shared_bytes, cudaOccupancyDefault);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function, int blocks,
                                                      int block_size) {
  const HostCall turn;
  if (!bytes || blocks <= 0 || static_cast<unsigned>(blocks) > blocks_per_multiprocessor || block_size <= 0 ||
      static_cast<unsigned>(block_size) > max_threads_per_block)
    return api_result(cudaErrorInvalidValue);
  if (!is_function(function)) return api_result(cudaErrorInvalidDeviceFunction);
  // As an H200 answers: in steps of 128 bytes, without what is reserved for each block, and no more than the kernel may ask for.
  const KernelTraits* known = known_traits(function);
  const std::size_t each = shared_per_multiprocessor / static_cast<unsigned>(blocks) / 128 * 128;
  const std::size_t taken = known ? known->static_shared : 0;
  const std::size_t most =
      known && known->opted_in ? known->max_dynamic_shared : default_shared_limit - taken;
  *bytes = each > taken ? std::min(each - taken, most) : 0;
  return api_result(cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                           const cudaLaunchConfig_t* config) {
  const HostCall turn;
  if (!clusters || !config || (config->numAttrs > 0 && !config->attrs))
    return api_result(cudaErrorInvalidValue);
  if (!is_function(function)) return api_result(cudaErrorInvalidDeviceFunction);
  const KernelTraits* known = known_traits(function);
  ClusterQuery query = read(*config);
  if (!fits_cluster(known, query.cluster, query.grid)) return api_result(cudaErrorInvalidClusterSize);
  simt_launch_config launch{};
  launch.cluster = query.cluster;
  unsigned size = std::bit_ceil(static_cast<unsigned>(volume(cluster_extent(launch, known))));
  unsigned per_multiprocessor = blocks_per_multiprocessor_for(
      known, static_cast<unsigned>(volume(query.block)), config->dynamicSmemBytes);
  unsigned count = 0;
  for (unsigned gpc : gpc_multiprocessors) count += gpc / size;
  *clusters = static_cast<int>(count * per_multiprocessor);
  return api_result(cudaSuccess);
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* function,
                                                 const cudaLaunchConfig_t* config) {
  const HostCall turn;
  if (!size || !config) return api_result(cudaErrorInvalidValue);
  if (!is_function(function)) return api_result(cudaErrorInvalidDeviceFunction);
  const KernelTraits* known = known_traits(function);
  ClusterQuery query = read(*config);
  unsigned most = known && known->non_portable_cluster ? max_cluster_blocks : portable_cluster_blocks;
  bool fits = blocks_per_multiprocessor_for(known, static_cast<unsigned>(volume(query.block)),
                                            config->dynamicSmemBytes) > 0;
  *size = fits ? static_cast<int>(most) : 0;
  return api_result(cudaSuccess);
}

} // extern "C"
