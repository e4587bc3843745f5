// Kernel launches: the device's checks, then the run; function attributes and occupancy.
#include "simt/runtime/code_map.hpp"
#include "simt/runtime/counting.hpp"
#include "simt/runtime/diagnose.hpp"
#include "simt/runtime/errors.hpp"
#include "simt/runtime/kernels.hpp"
#include "simt/runtime/place.hpp"
#include "simt/runtime/records.hpp"
#include "simt/runtime/scheduler.hpp"

#include "cuda_runtime_api.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <dlfcn.h>
#include <map>

namespace simt {

namespace {

std::map<const void*, KernelTraits> traits;

/// "scale" from "void scale<float>(float*, int)".
std::string base_name(const void* function) {
  Dl_info info;
  if (!dladdr(function, &info) || !info.dli_sname) return {};
  int status = 0;
  char* demangled = abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status);
  std::string name = demangled ? demangled : info.dli_sname;
  std::free(demangled);
  name = name.substr(0, name.find_first_of("<("));
  std::size_t start = name.find_last_of(" :");
  return start == std::string::npos ? name : name.substr(start + 1);
}

struct Refusal {
  cudaError_t error = cudaSuccess;
  std::string reason;
  std::string suggestion;
};

std::string triple(const simt_index3& v) {
  return "(" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + ")";
}

/// The error is cudaErrorInvalidValue in every case: so answers CUDA 13 on an H200 (older versions say
/// cudaErrorInvalidConfiguration to the first three).
Refusal check_launch(const simt_launch_config& config, const KernelTraits* known) {
  const simt_index3 &grid = config.grid, &block = config.block;
  std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  if (threads == 0 || std::uint64_t{grid.x} * grid.y * grid.z == 0)
    return {cudaErrorInvalidValue,
            "grid " + triple(grid) + " with blocks " + triple(block) + " has a zero in it",
            "do not launch when there is nothing to do, as in `if (n == 0) return;`."};
  if (threads > max_threads_per_block || block.x > 1024 || block.y > 1024 || block.z > 64)
    return {cudaErrorInvalidValue,
            "a block of " + triple(block) + " has " + std::to_string(threads) +
                " threads; 1024 are the most, and (1024,1024,64) in each direction",
            "use smaller blocks and more of them."};
  if (grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535)
    return {cudaErrorInvalidValue,
            "a grid of " + triple(grid) + " is too large; (2147483647,65535,65535) is the most",
            "put the longest dimension into x, or let each thread do more work."};
  if (known && known->max_threads > 0 && threads > static_cast<std::uint64_t>(known->max_threads))
    return {cudaErrorInvalidValue,
            "a block has " + std::to_string(threads) +
                " threads, and the kernel's __launch_bounds__ allows " + std::to_string(known->max_threads),
            "launch within the bounds, or raise them."};
  std::size_t limit = known ? known->max_dynamic_shared : default_shared_limit;
  if (config.shared_bytes > limit)
    return {
        cudaErrorInvalidValue,
        std::to_string(config.shared_bytes) + " bytes of dynamic shared memory are more than this kernel's " +
            std::to_string(limit),
        "above 49152 bytes, call cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, "
        "bytes) before the launch; a block can have up to 232448."};
  return {};
}

} // namespace

KernelTraits& traits_of(const void* kernel) { return traits[kernel]; }

const KernelTraits* find_traits(const void* kernel, const std::string& name) {
  if (kernel) {
    auto known = traits.find(kernel);
    return known == traits.end() ? nullptr : &known->second;
  }
  std::size_t start = name.find_last_of(" :");
  std::string wanted = start == std::string::npos ? name : name.substr(start + 1);
  // Kernels in an unnamed namespace have no name at run time; the most generous of them may be the one.
  const KernelTraits* nameless = nullptr;
  for (const auto& [function, known] : traits) {
    std::string found = base_name(function);
    if (found == wanted) return &known;
    if (found.empty() && (!nameless || known.max_dynamic_shared > nameless->max_dynamic_shared))
      nameless = &known;
  }
  return nameless;
}

bool is_function(const void* kernel) {
  return kernel && classify_host_address(reinterpret_cast<std::uintptr_t>(kernel)) == HostRange::read_only;
}

} // namespace simt

using namespace simt;

extern "C" void __simt_register_kernel(const void* kernel, int max_threads, int min_blocks, int cluster_x,
                                       int cluster_y, int cluster_z) {
  KernelTraits& known = traits_of(kernel);
  if (max_threads > 0) known.max_threads = max_threads;
  if (min_blocks > 0) known.min_blocks = min_blocks;
  if (cluster_x > 0) {
    known.cluster[0] = cluster_x;
    known.cluster[1] = std::max(cluster_y, 1);
    known.cluster[2] = std::max(cluster_z, 1);
  }
}

extern "C" void __simt_launch(const simt_launch_site* site, const simt_launch_config* config,
                              const void* kernel, const simt_closure_operations* operations, void* closure) {
  initialise_machine();
  if (machine.lane) {
    Diagnostic diagnostic;
    diagnostic.id = "unsupported";
    diagnostic.kernel = site->kernel;
    diagnostic.message =
        "A kernel launches another kernel; this simulator does not run device-side launches yet.";
    diagnostic.suggestion = "launch from the host.";
    record(std::move(diagnostic), reinterpret_cast<std::uintptr_t>(site->file) + site->line);
    abandon_grid(cudaErrorNotSupported);
  }
  if (sticky_error() != cudaSuccess) return;
  const KernelTraits* known = find_traits(kernel, site->kernel);
  Refusal refusal = check_launch(*config, known);
  if (refusal.error == cudaSuccess && known && known->cluster[0] > 0)
    refusal = {cudaErrorNotSupported, "this simulator does not run thread block clusters yet", ""};
  if (refusal.error != cudaSuccess) {
    report_invalid_launch(*site, refusal.reason, refusal.suggestion);
    api_result(refusal.error);
    return;
  }

  Grid grid;
  grid.record.name = site->kernel;
  grid.record.grid = {config->grid.x, config->grid.y, config->grid.z};
  grid.record.block = {config->block.x, config->block.y, config->block.z};
  grid.record.shared_bytes = config->shared_bytes;
  grid.extent = config->grid;
  grid.block_extent = config->block;
  grid.dynamic_bytes = config->shared_bytes;
  // Static and dynamic memory share one budget, and the opt-in raises it.
  grid.shared_limit = std::max(default_shared_limit, known ? known->max_dynamic_shared : 0);
  grid.operations = operations;
  grid.closure = closure;
  run_grid(grid);
  std::fflush(stdout); // what kernels have printed must not be lost if the program crashes later
  finish_record(grid);
}

extern "C" cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  if (!is_function(function)) return api_result(cudaErrorInvalidDeviceFunction);
  switch (attribute) {
  case cudaFuncAttributeMaxDynamicSharedMemorySize:
    if (value < 0 || static_cast<std::size_t>(value) > opt_in_shared_limit)
      return api_result(cudaErrorInvalidValue);
    traits_of(function).max_dynamic_shared = static_cast<std::size_t>(value);
    return api_result(cudaSuccess);
  case cudaFuncAttributePreferredSharedMemoryCarveout:
    return api_result(value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue);
  case cudaFuncAttributeNonPortableClusterSizeAllowed:
    traits_of(function).non_portable_cluster = value != 0;
    return api_result(cudaSuccess);
  default:
    return api_result(cudaErrorInvalidValue);
  }
}

extern "C" cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  if (!attributes) return api_result(cudaErrorInvalidValue);
  if (!is_function(function)) return api_result(cudaErrorInvalidDeviceFunction);
  const KernelTraits& known = traits_of(function);
  *attributes = {};
  attributes->maxThreadsPerBlock = known.max_threads > 0 ? known.max_threads : int(max_threads_per_block);
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(known.max_dynamic_shared);
  attributes->preferredShmemCarveout = -1;
  attributes->numRegs = 32; // registers are not modelled
  attributes->ptxVersion = attributes->binaryVersion = 90;
  return api_result(cudaSuccess);
}

extern "C" cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return api_result(is_function(function) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

extern "C" cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                                     int block_size,
                                                                     size_t dynamic_shared_bytes) {
  if (!blocks || block_size <= 0) return api_result(cudaErrorInvalidValue);
  if (!is_function(function)) return api_result(cudaErrorInvalidDeviceFunction);
  *blocks = 0;
  if (static_cast<unsigned>(block_size) > max_threads_per_block ||
      dynamic_shared_bytes > traits_of(function).max_dynamic_shared)
    return api_result(cudaSuccess);
  std::size_t shared = dynamic_shared_bytes + reserved_shared_per_block;
  unsigned by_threads = threads_per_multiprocessor / (static_cast<unsigned>(block_size + 31) / 32 * 32);
  unsigned by_shared = static_cast<unsigned>(shared_per_multiprocessor / shared);
  *blocks = static_cast<int>(std::min({by_threads, by_shared, blocks_per_multiprocessor}));
  return api_result(cudaSuccess);
}
