// Kernel launches: the device's checks, then the run; function attributes and occupancy.
#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/api/errors.hpp"
#include "simt/runtime/api/launching.hpp"
#include "simt/runtime/api/occupancy.hpp"
#include "simt/runtime/api/repetition.hpp"
#include "simt/runtime/api/stream.hpp"
#include "simt/runtime/graph/capture.hpp"
#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/machine/counting.hpp"
#include "simt/runtime/machine/device_limits.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/kernels.hpp"
#include "simt/runtime/machine/reset.hpp"
#include "simt/runtime/machine/running_launch.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/host_symbols.hpp"
#include "simt/runtime/memory/joined.hpp"
#include "simt/runtime/memory/place.hpp"
#include "simt/runtime/memory/transfers.hpp"
#include "simt/runtime/schedule/device_launch.hpp"
#include "simt/runtime/schedule/scheduler.hpp"
#include "simt/runtime/schedule/unfinished.hpp"
#include "text/demangle.hpp"

#include "cuda_runtime_api.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <map>
#include <span>

namespace simt {

namespace {

std::map<const void*, KernelTraits> traits;
std::map<const void*, KernelTraits> registered_traits; ///< before the program has set any attribute
const OnReset forget_attributes([] { traits = registered_traits; });
std::map<const void*, simt_kernel_entry> kernel_entries;
std::map<std::string, unsigned long long, std::less<>> restricted_parameters; ///< by the kernel's name
std::map<const void*, std::string> names; ///< of kernels in modules that launch some through variables

/// "scale" from "ns::scale<float>" as it stands at a launch.
std::string without_arguments(std::string name) {
  name = name.substr(0, name.find('<'));
  std::size_t start = name.find_last_of(" :&");
  return start == std::string::npos ? name : name.substr(start + 1);
}

/// The kernel as the launch calls it, unless that is the name of a variable.
std::string name_at(const simt_launch_site& site, const void* kernel) {
  auto known = names.find(kernel);
  return known == names.end() || known->second == without_arguments(site.kernel) ? site.kernel
                                                                                 : known->second;
}

/// "scale" from "void scale<float>(float*, int)".
std::string base_name(const void* function) {
  Dl_info info;
  if (!dladdr(function, &info) || !info.dli_sname) return {};
  std::string name = warpbook::demangled(info.dli_sname);
  name = name.substr(0, name.find_first_of("<("));
  std::size_t start = name.find_last_of(" :");
  return start == std::string::npos ? name : name.substr(start + 1);
}

bool is_larger(const simt_index3& extent, const Extent& most) {
  return extent.x > most[0] || extent.y > most[1] || extent.z > most[2];
}

/// Clusters and cooperative launches; the errors are those of CUDA 13 on an H200.
Refusal check_groups(const simt_launch_config& config, const KernelTraits* known,
                     const simt_index3& cluster) {
  const simt_index3& grid = config.grid;
  if (config.unknown_attribute != 0)
    return {cudaErrorNotSupported, "unknown-attribute", static_cast<std::uint64_t>(config.unknown_attribute)};
  if (!fits_cluster(known, config.cluster, grid)) {
    const cudaError_t error = cudaErrorInvalidClusterSize;
    const std::uint64_t blocks = volume(cluster);
    if (blocks == 0) return {error, "empty-cluster"};
    if (blocks > max_cluster_blocks) return {error, "cluster-size", blocks, max_cluster_blocks};
    if (blocks > portable_cluster_blocks && !(known && known->non_portable_cluster))
      return {error, "portable-cluster-size", blocks, portable_cluster_blocks};
    if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
      return {error, "grid-of-whole-clusters"};
    return {error, "declared-cluster"};
  }
  if (!config.cooperative) return {};
  if (machine.lane) return {cudaErrorNotSupported, "cooperative-from-device"};
  const auto threads = static_cast<unsigned>(volume(config.block));
  const std::uint64_t blocks = volume(grid);
  const std::uint64_t resident =
      std::uint64_t{multiprocessors} * blocks_per_multiprocessor_for(known, threads, config.shared_bytes);
  if (blocks > resident) return {cudaErrorCooperativeLaunchTooLarge, "resident-grid", blocks, resident};
  return {};
}

/// The error is cudaErrorInvalidValue where no other is given: so answers CUDA 13 on an H200 (older versions
/// say cudaErrorInvalidConfiguration to the first three).
Refusal check_launch(const simt_launch_config& config, const KernelTraits* known) {
  const cudaError_t error = cudaErrorInvalidValue;
  const std::uint64_t threads = volume(config.block);
  if (threads == 0 || volume(config.grid) == 0) return {error, "empty-grid"};
  if (threads > max_threads_per_block) return {error, "block-size", threads, max_threads_per_block};
  if (is_larger(config.block, max_block_extent)) return {error, "block-extent"};
  if (is_larger(config.grid, max_grid_extent)) return {error, "grid-size"};
  const auto bound = static_cast<std::uint64_t>(known ? std::max(known->max_threads, 0) : 0);
  if (bound > 0 && threads > bound) return {error, "launch-bounds", threads, bound};
  if (Refusal refusal = check_groups(config, known, cluster_extent(config, known));
      refusal.error != cudaSuccess)
    return refusal;
  const std::size_t limit = known ? known->max_dynamic_shared : default_shared_limit;
  if (config.shared_bytes > limit) return {error, "dynamic-shared-memory", config.shared_bytes, limit};
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
  // A kernel in an unnamed namespace has no name at run time. Where the pre-pass could not give it one, it may be
  // the one that is launched, so its allowances count, and its restrictions do not. Of a template that is launched
  // without its arguments, any instance of that name may be meant: what one of them is allowed counts, too.
  static thread_local KernelTraits generous, shared_name;
  const KernelTraits* nameless = nullptr;
  const KernelTraits* same_name = nullptr;
  for (const auto& [function, known] : traits) {
    const auto named = names.find(function);
    const std::string found = named == names.end() ? base_name(function) : named->second;
    if (found == wanted) {
      if (same_name) {
        if (same_name != &shared_name) shared_name = *same_name;
        shared_name.max_dynamic_shared = std::max(shared_name.max_dynamic_shared, known.max_dynamic_shared);
        shared_name.opted_in = shared_name.opted_in || known.opted_in;
        shared_name.non_portable_cluster = shared_name.non_portable_cluster || known.non_portable_cluster;
      }
      same_name = same_name ? &shared_name : &known;
    }
    if (!found.empty() || (nameless && known.max_dynamic_shared <= nameless->max_dynamic_shared)) continue;
    generous = KernelTraits{};
    generous.max_dynamic_shared = known.max_dynamic_shared;
    generous.opted_in = known.opted_in;
    generous.non_portable_cluster = known.non_portable_cluster;
    nameless = &generous;
  }
  if (same_name) return same_name;
  return nameless;
}

void set_up_grid(Grid& grid, const simt_launch_site& site, const simt_launch_config& config,
                 const KernelTraits* known, const simt_closure_operations* operations, void* closure) {
  grid.record.name = site.kernel;
  grid.record.grid = extent_of(config.grid);
  grid.record.block = extent_of(config.block);
  grid.record.shared_bytes = config.shared_bytes;
  grid.extent = config.grid;
  grid.block_extent = config.block;
  grid.cluster_extent = cluster_extent(config, known);
  grid.cooperative = config.cooperative;
  grid.record.cluster = extent_of(grid.cluster_extent);
  grid.dynamic_bytes = config.shared_bytes;
  // Static and dynamic memory share one budget. The opt-in limits the dynamic part, which has been checked, and leaves
  // to static arrays what else a block may have.
  grid.shared_limit = known && known->opted_in ? opt_in_shared_limit : default_shared_limit;
  grid.operations = operations;
  grid.closure = closure;
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
    known.fixed_cluster = true;
  }
  registered_traits[kernel] = known;
}

extern "C" void __simt_name_kernel(const void* kernel, const char* name) { names[kernel] = name; }

extern "C" void __simt_note_restricted(const char* kernel, unsigned long long parameters) {
  // Of kernels that share a name, what all have.
  const auto [known, is_new] = restricted_parameters.try_emplace(kernel, parameters);
  if (!is_new) known->second &= parameters;
}

namespace {

/// What messages tell of an argument.
Argument told(const simt_argument& argument) {
  const auto address = static_cast<std::uintptr_t>(argument.bits);
  switch (argument.kind) {
  case simt_signed:
    return {.value = std::to_string(static_cast<long long>(argument.bits))};
  case simt_unsigned:
    return {.value = std::to_string(argument.bits)};
  case simt_real: {
    char text[32];
    std::snprintf(text, sizeof text, "%g", __builtin_bit_cast(double, argument.bits));
    return {.value = text};
  }
  case simt_pointer: {
    if (address == 0) return {.value = "nullptr"};
    if (!in_global(address)) return {};
    Place place = find_place(nullptr, address);
    if (place.variable.empty()) place = nearest_place(nullptr, address).place;
    return {.variable = place.variable,
            .element = place.element.empty() ? 0 : place.element.front(),
            .element_bytes = argument.pointed};
  }
  case simt_other:
    break;
  }
  return {};
}

/// Which parameters of a kernel are __restrict__. `name` may have template arguments.
unsigned long long restricted_by(const std::string& name) {
  const auto known = restricted_parameters.find(without_arguments(name));
  return known == restricted_parameters.end() ? 0 : known->second;
}

/// What a device would say to the launch.
Refusal check(const simt_launch_config& config, const KernelTraits* known) {
  Refusal refusal = check_launch(config, known);
  const simt_index3 cluster = cluster_extent(config, known);
  const auto stream = static_cast<cudaStream_t>(config.stream);
  if (!machine.lane && refusal.error == cudaSuccess && !is_stream(stream))
    refusal = where_destroyed(stream) != 0 ? Refusal{cudaErrorInvalidResourceHandle, "destroyed-stream"}
                                           : Refusal{cudaErrorInvalidResourceHandle, "stream"};
  refusal.broken.grid = extent_of(config.grid);
  refusal.broken.block = extent_of(config.block);
  refusal.broken.cluster = extent_of(cluster);
  return refusal;
}

/// What the device would refuse is reported; so is a grid that would take too long.
cudaError_t refuse(const simt_launch_site& site, const simt_launch_config& config, const Refusal& refusal) {
  if (refusal.error != cudaSuccess) {
    report_invalid_launch(site, refusal.fact(), where_destroyed(static_cast<cudaStream_t>(config.stream)));
    if (!config.returns_error) note_refused_launch(site, refusal.fact());
    return api_result(refusal.error);
  }
  const std::uint64_t threads = volume(config.grid) * volume(config.block);
  if (threads <= machine.options.most_threads.value_or(machine.options.step_budget) ||
      machine.options.last_block_only)
    return cudaSuccess;
  report_grid_too_large(site, threads);
  set_sticky_error(cudaErrorLaunchTimeout);
  return cudaErrorLaunchTimeout;
}

void run(const simt_launch_site& site, const simt_launch_config& config, const KernelTraits* known,
         const void* kernel, const simt_closure_operations* operations, void* closure,
         std::span<const simt_argument> arguments) {
  Grid grid;
  set_up_grid(grid, site, config, known, operations, closure);
  grid.record.name = name_at(site, kernel);
  if (machine.options.left_out.has(machine.launches++, grid.record)) return;
  CallCopy own;
  if (machine.options.unseen !=
      UnseenAccess::passes) { // then kernels cannot reach it on the stack of host code
    own = CallCopy(operations, closure);
    grid.closure = own.get();
  }
  forget_crossed_bytes();
  begin_launch(grid, site);
  check_symbols_in_arguments(site, *operations, closure);
  std::fflush(stdout);
  const std::uint64_t printed_before = printed_so_far();
  begin_kernel_work({grid.record.name, site.file, site.line});
  bool has_run = false;
  watch_limits();
  note_joinable(arguments, restricted_by(grid.record.name));
  {
    const OpenMemory open;
    const RepeatedLaunch launch(grid, kernel, arguments);
    if (const KernelRecord* known = launch.known()) {
      grid.record.shared_bytes = known->shared_bytes;
      grid.record.counters = known->counters;
      grid.record.sites = known->sites;
      launch.spare();
    } else {
      run_grid(grid);
      report_deep_stack();
      complete_record(grid);
      launch.has_run(grid);
      has_run = true;
    }
  }
  end_kernel_work(has_run, printed_so_far() != printed_before && !has_other_threads());
  if (kernel) traits_of(kernel).static_shared = std::max(traits_of(kernel).static_shared, grid.static_bytes);
  std::fflush(stdout); // what kernels have printed must not be lost if the program crashes later
  keep_record(grid);
  end_launch();
}

/// Whether records of launches are kept apart, so that each has the place that it was launched from.
bool has_records_of_launches() { return machine.options.sites && !machine.options.merge_launches; }

void tell(const HostLaunch& by_host) {
  tell_launch(by_host);
  if (has_records_of_launches()) tell_record_launch(by_host);
}

HostLaunch launch_from(const void* caller, const simt_argument* arguments, unsigned count) {
  constexpr std::size_t most_callers = 16;
  HostLaunch by_host{callers_at(host_frames(reinterpret_cast<std::uintptr_t>(caller), most_callers)), {}};
  const auto is_same = [&](unsigned i, unsigned k) {
    return arguments[i].kind == simt_pointer && arguments[k].kind == simt_pointer &&
           arguments[i].bits == arguments[k].bits &&
           in_global(static_cast<std::uintptr_t>(arguments[i].bits));
  };
  for (unsigned i = 0; i < count; ++i) {
    by_host.arguments.push_back(told(arguments[i]));
    for (unsigned k = 0; k < i && !by_host.same_memory; ++k)
      if (is_same(k, i)) by_host.same_memory = {k, i};
  }
  return by_host;
}

/// A launch by the host, whose call returns to `caller`.
cudaError_t launch_by_host(const simt_launch_site& site, const simt_launch_config& config, const void* kernel,
                           const simt_closure_operations* operations, void* closure,
                           const simt_argument* arguments, unsigned count, const void* caller) {
  const KernelTraits* known = find_traits(kernel, site.kernel);
  if (const cudaError_t error = refuse(site, config, check(config, known)); error != cudaSuccess) {
    if (has_records_of_launches() || lack_launch()) tell(launch_from(caller, arguments, count));
    return error;
  }
  const auto stream = static_cast<cudaStream_t>(config.stream);
  const Issued issued = issue_into(stream);
  if (issued.error != cudaSuccess) return api_result(issued.error);
  if (issued.how == Issue::record) {
    KernelWork work{kernel, name_at(site, kernel),        site.file, site.line,
                    config, CallCopy(operations, closure)};
    work.arguments.assign(arguments, arguments + count);
    work.by_host = launch_from(caller, arguments, count);
    work.config.stream = nullptr;
    record_work(stream, std::move(work));
    return cudaSuccess;
  }
  const IntoStream into(number_of(stream));
  run(site, config, known, kernel, operations, closure, {arguments, count});
  if (has_records_of_launches() || lack_launch()) tell(launch_from(caller, arguments, count));
  return cudaSuccess; // errors of the kernel itself show in the calls that come later
}

} // namespace

const simt_kernel_entry* simt::find_entry(const void* kernel) {
  const auto found = kernel_entries.find(kernel);
  return found == kernel_entries.end() ? nullptr : &found->second;
}

void simt::forget_entry(const void* kernel) { kernel_entries.erase(kernel); }

cudaError_t simt::check_kernel_work(const KernelWork& work) {
  return check(work.config, find_traits(work.address, work.name)).error;
}

cudaError_t simt::run_kernel_work(const KernelWork& work) {
  if (sticky_error() != cudaSuccess) return sticky_error();
  const simt_launch_site site = work.site();
  const KernelTraits* known = find_traits(work.address, work.name);
  if (const cudaError_t error = refuse(site, work.config, check(work.config, known)); error != cudaSuccess) {
    if (has_records_of_launches() || lack_launch()) tell(work.by_host);
    return error;
  }
  CallCopy call = work.call;
  run(site, work.config, known, work.address, call.operations(), call.get(), work.arguments);
  if (has_records_of_launches() || lack_launch()) tell(work.by_host);
  return cudaSuccess;
}

void simt::tell_caller(KernelWork& work, const void* caller) {
  work.by_host = launch_from(caller, work.arguments.data(), static_cast<unsigned>(work.arguments.size()));
}

extern "C" cudaError_t __simt_launch(const simt_launch_site* site, const simt_launch_config* config,
                                     const void* kernel, const simt_closure_operations* operations,
                                     void* closure, const simt_argument* arguments, unsigned count) {
  const HostCall turn;
  initialise_machine();
  if (sticky_error() != cudaSuccess) return sticky_error();
  if (machine.lane) {
    const KernelTraits* known = find_traits(kernel, site->kernel);
    return launch_from_device(*site, *config, known, check(*config, known), operations, closure);
  }
  return launch_by_host(*site, *config, kernel, operations, closure, arguments, count,
                        __builtin_return_address(0));
}

extern "C" cudaError_t __simt_launch_by_address(const simt_launch_site* site,
                                                const simt_launch_config* config, const void* kernel,
                                                void** arguments) {
  const HostCall turn;
  initialise_machine();
  if (sticky_error() != cudaSuccess) return sticky_error();
  const simt_kernel_entry* entry = find_entry(kernel);
  if (!entry) {
    report({"unsupported", "untyped-launch"}, site->file, site->line);
    return api_result(cudaErrorNotSupported);
  }
  if (entry->count > 0 && !arguments) return api_result(cudaErrorInvalidValue);
  std::vector<simt_argument> described;
  const CallCopy call(*entry, arguments, described);
  if (machine.lane) {
    const KernelTraits* known = find_traits(kernel, entry->name);
    return launch_from_device(*site, *config, known, check(*config, known), call.operations(), call.get());
  }
  return launch_by_host(*site, *config, kernel, call.operations(), call.get(), described.data(), entry->count,
                        __builtin_return_address(0));
}

extern "C" cudaError_t __simt_refuse_launch(cudaError_t error) {
  const HostCall turn;
  return api_result(error);
}

extern "C" void __simt_register_entry(const simt_kernel_entry* entry) {
  kernel_entries[entry->kernel] = *entry;
}

extern "C" cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  const HostCall turn;
  if (!is_function(function)) return api_result(cudaErrorInvalidDeviceFunction);
  switch (attribute) {
  case cudaFuncAttributeMaxDynamicSharedMemorySize:
    if (value < 0 || static_cast<std::size_t>(value) > opt_in_shared_limit)
      return api_result(cudaErrorInvalidValue);
    traits_of(function).max_dynamic_shared = static_cast<std::size_t>(value);
    traits_of(function).opted_in = true;
    return api_result(cudaSuccess);
  case cudaFuncAttributePreferredSharedMemoryCarveout:
    return api_result(value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue);
  case cudaFuncAttributeNonPortableClusterSizeAllowed:
    traits_of(function).non_portable_cluster = value != 0;
    return api_result(cudaSuccess);
  case cudaFuncAttributeRequiredClusterWidth:
  case cudaFuncAttributeRequiredClusterHeight:
  case cudaFuncAttributeRequiredClusterDepth: {
    KernelTraits& known = traits_of(function);
    if (known.fixed_cluster || value < 0) return api_result(cudaErrorInvalidValue);
    known.cluster[attribute - cudaFuncAttributeRequiredClusterWidth] = value;
    return api_result(cudaSuccess);
  }
  case cudaFuncAttributeClusterSchedulingPolicyPreference:
    return api_result(value >= 0 && value <= 2 ? cudaSuccess : cudaErrorInvalidValue);
  default:
    return api_result(cudaErrorInvalidValue);
  }
}

extern "C" cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  const HostCall turn;
  if (!attributes) return api_result(cudaErrorInvalidValue);
  if (!is_function(function)) return api_result(cudaErrorInvalidDeviceFunction);
  const KernelTraits& known = traits_of(function);
  *attributes = {};
  attributes->maxThreadsPerBlock = known.max_threads > 0 ? known.max_threads : int(max_threads_per_block);
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(known.max_dynamic_shared);
  attributes->preferredShmemCarveout = -1;
  attributes->numRegs = 32;                          // registers are not modelled
  attributes->sharedSizeBytes = known.static_shared; // as far as it has been used
  attributes->clusterDimMustBeSet = known.fixed_cluster;
  attributes->requiredClusterWidth = known.cluster[0];
  attributes->requiredClusterHeight = known.cluster[1];
  attributes->requiredClusterDepth = known.cluster[2];
  attributes->nonPortableClusterSizeAllowed = known.non_portable_cluster;
  attributes->ptxVersion = attributes->binaryVersion = 90;
  return api_result(cudaSuccess);
}

extern "C" cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  const HostCall turn;
  return api_result(is_function(function) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

// For files that the host's compiler compiles; in CUDA files simtcc calls __simt_launch_by_address, with the line.
namespace {

simt_launch_config config_of(dim3 grid, dim3 block, std::size_t shared_bytes, cudaStream_t stream) {
  simt_launch_config config{};
  config.grid = {grid.x, grid.y, grid.z};
  config.block = {block.x, block.y, block.z};
  config.shared_bytes = shared_bytes;
  config.stream = stream;
  config.returns_error = true;
  return config;
}

} // namespace

extern "C" cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes, cudaStream_t stream) {
  const HostCall turn;
  initialise_machine();
  if (!kernel) return api_result(cudaErrorInvalidDeviceFunction);
  return api_result(launch_entry(kernel, config_of(grid, block, shared_bytes, stream), stream, arguments,
                                 nullptr, __builtin_return_address(0)));
}
extern "C" cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block,
                                                   void** arguments, size_t shared_bytes,
                                                   cudaStream_t stream) {
  const HostCall turn;
  initialise_machine();
  if (!kernel) return api_result(cudaErrorInvalidDeviceFunction);
  simt_launch_config config = config_of(grid, block, shared_bytes, stream);
  config.cooperative = true;
  return api_result(launch_entry(kernel, config, stream, arguments, nullptr, __builtin_return_address(0)));
}
