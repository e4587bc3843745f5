// What nodes are to do, made from the API's parameters and checked as the API does.
#pragma once

#include "simt/runtime/graph/graph.hpp"

namespace simt {

/// `former`: the kernel whose place it takes, or null. `caller`: where the API was called.
cudaError_t make_kernel_work(KernelWork& work, const cudaKernelNodeParams* params, const KernelWork* former,
                             const void* caller);
/// The same without asking whether the device would take the launch.
cudaError_t fill_kernel_work(KernelWork& work, const cudaKernelNodeParams* params, const KernelWork* former,
                             const void* caller);
/// Pointers in it live as long as the node, and until it gets others.
cudaKernelNodeParams params_of(const KernelWork& work);

/// Where a parameter lies in a buffer in which each has the alignment of its type.
std::size_t offset_of(const std::vector<simt_argument>& parameters, std::size_t index);

/// Attributes of a kernel node; cudaErrorInvalidValue if kernels have none such.
cudaError_t set_attribute(KernelWork& work, cudaLaunchAttributeID attribute,
                          const cudaLaunchAttributeValue& value);
cudaError_t get_attribute(const KernelWork& work, cudaLaunchAttributeID attribute,
                          cudaLaunchAttributeValue& value);

cudaError_t make_copy_work(CopyWork& work, const cudaMemcpy3DParms* params, const ApiCall& call);
cudaError_t make_set_work(SetWork& work, const cudaMemsetParams* params, const ApiCall& call);
cudaError_t make_host_work(HostWork& work, const cudaHostNodeParams* params);
/// Graphs with conditional nodes cannot be cloned into a child, only moved.
cudaError_t make_child_work(ChildWork& work, cudaGraph_t child,
                            cudaGraphChildGraphNodeOwnership ownership = cudaGraphChildGraphOwnershipClone);
/// With `size` empty bodies. The handle is one of make_condition() that no other node has.
cudaError_t make_conditional_work(ConditionalWork& work, cudaGraphConditionalHandle handle,
                                  cudaGraphConditionalNodeType type, unsigned size, const ApiCall& call);

/// Any of them, from the parameters of cudaGraphAddNode. Reserves the memory of allocations.
cudaError_t make_work(Work& work, cudaGraphNodeParams* params, const Work* former, const ApiCall& call,
                      const void* caller);

/// Whether a graph that has been instantiated can do the one in the place of the other.
bool can_replace(const CopyWork& former, const CopyWork& work);
bool can_replace(const SetWork& former, const SetWork& work);

} // namespace simt
