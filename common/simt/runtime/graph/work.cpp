#include "simt/runtime/graph/work.hpp"

#include "simt/runtime/graph/conditions.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/api/launching.hpp"
#include "simt/runtime/api/stream.hpp"
#include "simt/runtime/graph/memory_nodes.hpp"
#include "simt/runtime/machine/kernels.hpp"

#include "cuda_runtime_api.h"

#include <algorithm>
#include <cstring>

namespace simt {

namespace {

// The ends and the keys of `extra`, as the driver API has them.
void* const end_of_extra = nullptr;
void* const buffer_pointer = reinterpret_cast<void*>(1);
void* const buffer_size = reinterpret_cast<void*>(2);

/// The arguments in a buffer in which each has the alignment of its type; empty if it is too small, or there is none.
std::vector<void*> arguments_in_buffer(void** extra, const std::vector<simt_argument>& parameters) {
  char* buffer = nullptr;
  std::size_t bytes = 0;
  for (; *extra != end_of_extra; extra += 2) {
    if (*extra == buffer_pointer) buffer = static_cast<char*>(extra[1]);
    if (*extra == buffer_size) bytes = *static_cast<std::size_t*>(extra[1]);
  }
  std::vector<void*> found;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::size_t offset = offset_of(parameters, i);
    if (!buffer || offset + parameters[i].size > bytes) return {};
    found.push_back(buffer + offset);
  }
  return found;
}

/// What messages tell of a value that has changed.
void tell_value(simt_argument& argument, const void* value) {
  if (argument.kind == simt_other || argument.size > sizeof argument.bits) return;
  if (argument.kind == simt_real) {
    double real = 0;
    float narrow = 0;
    if (argument.size == sizeof narrow) {
      std::memcpy(&narrow, value, sizeof narrow);
      real = narrow;
    } else {
      std::memcpy(&real, value, std::min<std::size_t>(argument.size, sizeof real));
    }
    argument.bits = __builtin_bit_cast(unsigned long long, real);
    return;
  }
  argument.bits = 0;
  std::memcpy(&argument.bits, value, argument.size);
  const unsigned unused = static_cast<unsigned>(8 * (sizeof argument.bits - argument.size));
  if (argument.kind == simt_signed)
    argument.bits =
        static_cast<unsigned long long>(static_cast<long long>(argument.bits << unused) >> unused);
}

/// The same kernel with other arguments, whose bytes are copied, as CUDA does.
void give_arguments(KernelWork& work, const KernelWork& former, const std::vector<void*>& arguments) {
  work.call = former.call;
  work.arguments = former.arguments;
  const std::vector<void*> places = work.call.addresses(work.arguments.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] != arguments[i]) std::memmove(places[i], arguments[i], work.arguments[i].size);
    tell_value(work.arguments[i], places[i]);
  }
}

bool is_row(const cudaMemcpy3DParms& box) {
  return !box.srcArray && !box.dstArray && box.extent.height <= 1 && box.extent.depth <= 1;
}

} // namespace

std::size_t offset_of(const std::vector<simt_argument>& parameters, std::size_t index) {
  std::size_t offset = 0;
  for (std::size_t i = 0;; offset += parameters[i++].size) {
    const std::size_t alignment = parameters[i].alignment;
    offset = (offset + alignment - 1) / alignment * alignment;
    if (i == index) return offset;
  }
}

cudaError_t make_kernel_work(KernelWork& work, const cudaKernelNodeParams* params, const KernelWork* former,
                             const void* caller) {
  const cudaError_t error = fill_kernel_work(work, params, former, caller);
  return error == cudaSuccess ? check_kernel_work(work) : error;
}

cudaError_t fill_kernel_work(KernelWork& work, const cudaKernelNodeParams* params, const KernelWork* former,
                             const void* caller) {
  if (!params) return cudaErrorInvalidValue;
  const simt_kernel_entry* entry = find_entry(params->func);
  const bool is_former = former && params->func == former->function();
  if (!entry && !is_former) {
    if (!is_function(params->func)) return cudaErrorInvalidDeviceFunction;
    report({"unsupported", "untyped-launch"}, reinterpret_cast<std::uintptr_t>(caller));
    return cudaErrorNotSupported;
  }
  std::vector<simt_argument> parameters;
  if (is_former) {
    parameters = former->arguments;
  } else {
    parameters.resize(entry->count + 1);
    entry->describe(parameters.data());
    parameters.resize(entry->count);
  }
  std::vector<void*> arguments;
  if (params->kernelParams)
    arguments.assign(params->kernelParams, params->kernelParams + parameters.size());
  else if (params->extra)
    arguments = arguments_in_buffer(params->extra, parameters);
  if (arguments.size() != parameters.size() || std::ranges::count(arguments, nullptr) > 0)
    return cudaErrorInvalidValue;

  work.config = former ? former->config : simt_launch_config{};
  const dim3 &grid = params->gridDim, &block = params->blockDim;
  work.config.grid = {grid.x, grid.y, grid.z};
  work.config.block = {block.x, block.y, block.z};
  work.config.shared_bytes = params->sharedMemBytes;
  work.config.returns_error = true;
  if (former) work.attributes = former->attributes;
  if (is_former) {
    work.address = former->address;
    work.name = former->name, work.file = former->file, work.line = former->line;
    give_arguments(work, *former, arguments);
  } else {
    work.address = entry->kernel;
    work.name = entry->name;
    work.call = CallCopy(*entry, arguments.data(), work.arguments);
  }
  tell_caller(work, caller);
  return cudaSuccess;
}

cudaKernelNodeParams params_of(const KernelWork& work) {
  work.addresses = work.call.addresses(work.arguments.size());
  const simt_launch_config& config = work.config;
  return {const_cast<void*>(work.function()),
          dim3(config.grid.x, config.grid.y, config.grid.z),
          dim3(config.block.x, config.block.y, config.block.z),
          static_cast<unsigned>(config.shared_bytes),
          work.addresses.data(),
          nullptr};
}

cudaError_t set_attribute(KernelWork& work, cudaLaunchAttributeID attribute,
                          const cudaLaunchAttributeValue& value) {
  switch (attribute) {
  case cudaLaunchAttributeCooperative:
    work.config.cooperative = value.cooperative != 0;
    return cudaSuccess;
  case cudaLaunchAttributeClusterDimension:
    work.config.cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
    return cudaSuccess;
  case cudaLaunchAttributeAccessPolicyWindow:
  case cudaLaunchAttributePriority:
  case cudaLaunchAttributeClusterSchedulingPolicyPreference:
  case cudaLaunchAttributeMemSyncDomainMap:
  case cudaLaunchAttributeMemSyncDomain:
  case cudaLaunchAttributePreferredSharedMemoryCarveout:
    work.attributes[attribute] = value;
    return cudaSuccess;
  default:
    return cudaErrorInvalidValue;
  }
}

cudaError_t get_attribute(const KernelWork& work, cudaLaunchAttributeID attribute,
                          cudaLaunchAttributeValue& value) {
  KernelWork ignored;
  if (const cudaError_t error = set_attribute(ignored, attribute, {}); error != cudaSuccess) return error;
  value = {};
  const simt_index3& cluster = work.config.cluster;
  if (attribute == cudaLaunchAttributeCooperative)
    value.cooperative = work.config.cooperative;
  else if (attribute == cudaLaunchAttributeClusterDimension)
    value.clusterDim = {cluster.x, cluster.y, cluster.z};
  else if (const auto found = work.attributes.find(attribute); found != work.attributes.end())
    value = found->second;
  return cudaSuccess;
}

cudaError_t make_copy_work(CopyWork& work, const cudaMemcpy3DParms* params, const ApiCall& call) {
  if (!params) return cudaErrorInvalidValue;
  work = {*params, call};
  return check_box(*params);
}

cudaError_t make_set_work(SetWork& work, const cudaMemsetParams* params, const ApiCall& call) {
  if (!params) return cudaErrorInvalidValue;
  work = {*params, call};
  return check_set(*params);
}

cudaError_t make_host_work(HostWork& work, const cudaHostNodeParams* params) {
  if (!params || !params->fn) return cudaErrorInvalidValue;
  work.host = *params;
  return cudaSuccess;
}

cudaError_t make_child_work(ChildWork& work, cudaGraph_t child, cudaGraphChildGraphNodeOwnership ownership) {
  if (!is_graph(child)) return cudaErrorInvalidValue;
  const bool is_cloned = ownership == cudaGraphChildGraphOwnershipClone;
  if (child->has_memory_nodes() || (is_cloned && child->has_conditional_nodes()))
    return cudaErrorNotSupported;
  work.graph = child->clone();
  work.graph->is_child = true;
  return cudaSuccess;
}

cudaError_t make_conditional_work(ConditionalWork& work, cudaGraphConditionalHandle handle,
                                  cudaGraphConditionalNodeType type, unsigned size, const ApiCall& call) {
  const bool fits = type == cudaGraphCondTypeIf       ? size == 1 || size == 2
                    : type == cudaGraphCondTypeWhile  ? size == 1
                    : type == cudaGraphCondTypeSwitch ? size > 0
                                                      : false;
  if (!fits || !use_condition(handle)) return cudaErrorInvalidValue;
  work = {handle, type, {}, {}, call};
  for (unsigned i = 0; i < size; ++i) {
    work.bodies.push_back(std::make_shared<CUgraph_st>());
    work.bodies.back()->is_child = true;
    work.told.push_back(work.bodies.back().get());
  }
  return cudaSuccess;
}

cudaError_t make_work(Work& work, cudaGraphNodeParams* params, const Work* former, const ApiCall& call,
                      const void* caller) {
  if (!params) return cudaErrorInvalidValue;
  const auto made = [&](auto&& node, cudaError_t error) {
    if (error == cudaSuccess) work = std::move(node);
    return error;
  };
  switch (params->type) {
  case cudaGraphNodeTypeKernel: {
    const auto& p = params->kernel;
    const cudaKernelNodeParams kernel = {p.func,           p.gridDim,      p.blockDim,
                                         p.sharedMemBytes, p.kernelParams, p.extra};
    KernelWork node;
    const cudaError_t error =
        make_kernel_work(node, &kernel, former ? std::get_if<KernelWork>(former) : nullptr, caller);
    return made(std::move(node), error);
  }
  case cudaGraphNodeTypeMemcpy: {
    CopyWork node;
    const cudaError_t error = make_copy_work(node, &params->memcpy.copyParams, call);
    return made(node, error);
  }
  case cudaGraphNodeTypeMemset: {
    const auto& p = params->memset;
    const cudaMemsetParams set = {p.dst, p.pitch, p.value, p.elementSize, p.width, p.height};
    SetWork node;
    const cudaError_t error = make_set_work(node, &set, call);
    return made(node, error);
  }
  case cudaGraphNodeTypeHost: {
    const cudaHostNodeParams host = {params->host.fn, params->host.userData};
    HostWork node;
    const cudaError_t error = make_host_work(node, &host);
    return made(node, error);
  }
  case cudaGraphNodeTypeGraph: {
    ChildWork node;
    const cudaError_t error = make_child_work(node, params->graph.graph, params->graph.ownership);
    if (error == cudaSuccess && params->graph.ownership == cudaGraphChildGraphOwnershipMove)
      take_from_program(params->graph.graph);
    return made(std::move(node), error);
  }
  case cudaGraphNodeTypeEmpty:
    return made(EmptyWork{}, cudaSuccess);
  case cudaGraphNodeTypeWaitEvent: {
    const cudaEvent_t event = params->eventWait.event;
    return made(WaitWork{event}, is_event(event) ? cudaSuccess : cudaErrorInvalidValue);
  }
  case cudaGraphNodeTypeEventRecord: {
    const cudaEvent_t event = params->eventRecord.event;
    return made(RecordWork{event}, is_event(event) ? cudaSuccess : cudaErrorInvalidValue);
  }
  case cudaGraphNodeTypeMemAlloc: {
    auto& p = params->alloc;
    cudaMemAllocNodeParams allocation = {p.poolProps, p.accessDescs, p.accessDescCount, p.bytesize, nullptr};
    const cudaError_t error = former ? cudaErrorNotSupported : reserve_memory_of(allocation, call.site);
    p.dptr = allocation.dptr;
    return made(AllocateWork{allocation}, error);
  }
  case cudaGraphNodeTypeMemFree: {
    void* const pointer = params->free.dptr;
    return made(FreeWork{pointer}, former                        ? cudaErrorNotSupported
                                   : is_memory_of_graph(pointer) ? cudaSuccess
                                                                 : cudaErrorInvalidValue);
  }
  case cudaGraphNodeTypeConditional: {
    auto& p = params->conditional;
    if (former) return cudaErrorNotSupported;
    ConditionalWork node;
    const cudaError_t error = make_conditional_work(node, p.handle, p.type, p.size, call);
    if (error == cudaSuccess) p.phGraph_out = node.told.data(); // where it stays when the node is moved
    return made(std::move(node), error);
  }
  case cudaGraphNodeTypeExtSemaphoreSignal:
  case cudaGraphNodeTypeExtSemaphoreWait:
    return cudaErrorNotSupported;
  default:
    return cudaErrorInvalidValue;
  }
}

bool can_replace(const CopyWork& former, const CopyWork& work) {
  const cudaMemcpy3DParms &a = former.box, &b = work.box;
  const auto is_same_kind = [](const void* one, const void* other) {
    return is_on_the_device(one, 1) == is_on_the_device(other, 1);
  };
  return a.srcArray == b.srcArray && a.dstArray == b.dstArray && is_row(a) == is_row(b) &&
         (a.srcArray || is_same_kind(a.srcPtr.ptr, b.srcPtr.ptr)) &&
         (a.dstArray || is_same_kind(a.dstPtr.ptr, b.dstPtr.ptr));
}

bool can_replace(const SetWork& former, const SetWork& work) {
  const cudaMemsetParams &a = former.set, &b = work.set;
  return (a.height <= 1 && b.height <= 1) ||
         (a.height == b.height && a.width * a.elementSize == b.width * b.elementSize);
}

} // namespace simt
