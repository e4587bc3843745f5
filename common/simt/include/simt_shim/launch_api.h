// Launches through functions of the API instead of <<<...>>>. The pre-pass puts the kernel's name and the
// place of the call in front of the arguments, as a LaunchSite.
#ifndef SIMT_INCLUDE_SIMT_SHIM_LAUNCH_API_H
#define SIMT_INCLUDE_SIMT_SHIM_LAUNCH_API_H

#include "cuda_runtime_api.h"
#include "simt_shim/launch.h"

namespace simt::detail {

/// Reads a configuration's attributes; those that change nothing here are accepted.
inline LaunchConfig read_config(const cudaLaunchConfig_t& config) {
  LaunchConfig result(config.gridDim, config.blockDim, config.dynamicSmemBytes, config.stream);
  result.returns_error = true;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttributeValue& value = config.attrs[i].val;
    switch (config.attrs[i].id) {
    case cudaLaunchAttributeClusterDimension:
      result.cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
      break;
    case cudaLaunchAttributeCooperative:
      result.cooperative = value.cooperative != 0;
      break;
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributeProgrammaticStreamSerialization:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
      break;
    default:
      result.unknown_attribute = config.attrs[i].id;
    }
  }
  return result;
}

/// A call of a kernel whose arguments are given as an array of pointers to them.
template <class... Parameters>
struct ArrayCall {
  void (*kernel)(Parameters...);
  template <std::size_t... I>
  cudaError_t launch(const LaunchSite& site, const LaunchConfig& config, void** arguments,
                     std::index_sequence<I...>) const {
    return launch_function<Parameters...>(
        site, config, kernel,
        Kept<Parameters>::keep(*static_cast<std::remove_cv_t<Parameters>*>(arguments[I]))...);
  }
};

template <class... Parameters>
cudaError_t launch_array(const LaunchSite& site, LaunchConfig config, void (*kernel)(Parameters...),
                         void** arguments) {
  if (sizeof...(Parameters) > 0 && !arguments) return __simt_refuse_launch(cudaErrorInvalidValue);
  config.returns_error = true;
  return ArrayCall<Parameters...>{kernel}.launch(site, config, arguments,
                                                 std::index_sequence_for<Parameters...>{});
}

/// What lies behind a pointer without a type, its entry tells, if the kernel has one.
inline cudaError_t launch_untyped(const LaunchSite& site, LaunchConfig config, const void* kernel,
                                  void** arguments) {
  config.returns_error = true;
  return __simt_launch_by_address(&site, &config, kernel, arguments);
}

} // namespace simt::detail

template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(simt::LaunchSite site, const cudaLaunchConfig_t* config,
                               void (*kernel)(Parameters...), Arguments&&... arguments) {
  if (!config || !kernel) return __simt_refuse_launch(cudaErrorInvalidValue);
  return simt::detail::launch_function<Parameters...>(
      site, simt::detail::read_config(*config), kernel,
      simt::detail::Kept<Parameters>::keep(static_cast<Parameters>(std::forward<Arguments>(arguments)))...);
}

template <class... Parameters>
cudaError_t cudaLaunchKernelExC(simt::LaunchSite site, const cudaLaunchConfig_t* config,
                                void (*kernel)(Parameters...), void** arguments) {
  if (!config || !kernel) return __simt_refuse_launch(cudaErrorInvalidValue);
  return simt::detail::launch_array(site, simt::detail::read_config(*config), kernel, arguments);
}
inline cudaError_t cudaLaunchKernelExC(simt::LaunchSite site, const cudaLaunchConfig_t* config,
                                       const void* kernel, void** arguments) {
  if (!config || !kernel) return __simt_refuse_launch(cudaErrorInvalidValue);
  return simt::detail::launch_untyped(site, simt::detail::read_config(*config), kernel, arguments);
}

template <class... Parameters>
cudaError_t cudaLaunchKernel(simt::LaunchSite site, void (*kernel)(Parameters...), dim3 grid, dim3 block,
                             void** arguments, size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
  if (!kernel) return __simt_refuse_launch(cudaErrorInvalidValue);
  return simt::detail::launch_array(site, simt::LaunchConfig(grid, block, shared_bytes, stream), kernel,
                                    arguments);
}
inline cudaError_t cudaLaunchKernel(simt::LaunchSite site, const void* kernel, dim3 grid, dim3 block,
                                    void** arguments, size_t shared_bytes = 0,
                                    cudaStream_t stream = nullptr) {
  if (!kernel) return __simt_refuse_launch(cudaErrorInvalidDeviceFunction);
  return simt::detail::launch_untyped(site, simt::LaunchConfig(grid, block, shared_bytes, stream), kernel,
                                      arguments);
}

template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(simt::LaunchSite site, void (*kernel)(Parameters...), dim3 grid,
                                        dim3 block, void** arguments, size_t shared_bytes = 0,
                                        cudaStream_t stream = nullptr) {
  if (!kernel) return __simt_refuse_launch(cudaErrorInvalidValue);
  simt::LaunchConfig config(grid, block, shared_bytes, stream);
  config.cooperative = true;
  return simt::detail::launch_array(site, config, kernel, arguments);
}
inline cudaError_t cudaLaunchCooperativeKernel(simt::LaunchSite site, const void* kernel, dim3 grid,
                                               dim3 block, void** arguments, size_t shared_bytes = 0,
                                               cudaStream_t stream = nullptr) {
  if (!kernel) return __simt_refuse_launch(cudaErrorInvalidDeviceFunction);
  simt::LaunchConfig config(grid, block, shared_bytes, stream);
  config.cooperative = true;
  return simt::detail::launch_untyped(site, config, kernel, arguments);
}

#endif
