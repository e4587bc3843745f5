// Launches of kernels that are known as data: nodes of graphs, and what the driver API launches.
#pragma once

#include "simt/runtime/graph/graph.hpp"

namespace simt {

/// How a kernel is called that the program uses by its address; null if it is none.
const simt_kernel_entry* find_entry(const void* kernel);
/// The kernel is unloaded: its address stands for nothing from now on.
void forget_entry(const void* kernel);

/// What the device would say to the launch.
cudaError_t check_kernel_work(const KernelWork& work);
/// Runs it; a refusal is reported and recorded as the last error.
cudaError_t run_kernel_work(const KernelWork& work);

/// A launch of a kernel that is known by its address: with pointers to its arguments, or with `extra`, which tells of a buffer
/// that has them. Into a stream that is captured it becomes a node. `caller` is where the program calls the API.
cudaError_t launch_entry(const void* kernel, const simt_launch_config& config, cudaStream_t stream,
                         void** arguments, void** extra, const void* caller);

/// Says of a node that it was made by a call that returns to `caller`.
void tell_caller(KernelWork& work, const void* caller);

} // namespace simt
