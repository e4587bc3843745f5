// Functions of the API that make nodes, and that ask for and change what they do, in graphs and in graphs for launching.
#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/api/errors.hpp"
#include "simt/runtime/api/launching.hpp"
#include "simt/runtime/api/stream.hpp"
#include "simt/runtime/graph/execution.hpp"
#include "simt/runtime/graph/memory_nodes.hpp"
#include "simt/runtime/graph/work.hpp"
#include "simt/runtime/machine/host_call.hpp"

#include "cuda_runtime_api.h"

#include <cstring>

using namespace simt;

namespace {

/// Where a node is to be added.
struct NewNode {
  cudaGraphNode_t* node;
  cudaGraph_t graph;
  const cudaGraphNode_t* dependencies;
  std::size_t count;
  const cudaGraphEdgeData* data = nullptr;
};

/// `error` is what the node's own parameters gave.
cudaError_t add(const NewNode& place, Work work, cudaError_t error) {
  if (!place.node || !is_graph(place.graph) || (place.count > 0 && !place.dependencies))
    return cudaErrorInvalidValue;
  std::vector<Edge> incoming;
  for (std::size_t i = 0; i < place.count; ++i) {
    const cudaGraphNode_t from = place.dependencies[i];
    if (!is_node(from) || from->graph != place.graph) return cudaErrorInvalidValue;
    incoming.push_back({from, place.data ? place.data[i] : cudaGraphEdgeData{}});
  }
  if (error == cudaSuccess) *place.node = place.graph->add(std::move(work), incoming);
  return error;
}

/// The node's work if it is of that type.
template <class Kind>
Kind* work_in(CUgraphNode_st* node) {
  return node ? std::get_if<Kind>(&node->work) : nullptr;
}
template <class Kind>
Kind* work_of(cudaGraphNode_t node) {
  return is_node(node) ? work_in<Kind>(node) : nullptr;
}

/// Gives the node other work of its type, made by `make`, which gets what it did before.
template <class Kind, class Make>
cudaError_t change(Kind* former, const Make& make) {
  if (!former) return cudaErrorInvalidValue;
  Kind work;
  const cudaError_t error = make(work, *former);
  if (error == cudaSuccess) *former = std::move(work);
  return error;
}

cudaError_t set_kernel(KernelWork* former, const cudaKernelNodeParams* params, const void* caller) {
  return change(former, [&](KernelWork& work, const KernelWork& before) {
    return make_kernel_work(work, params, &before, caller);
  });
}
cudaError_t set_copy(CopyWork* former, const cudaMemcpy3DParms* params, const ApiCall& call) {
  return change(former, [&](CopyWork& work, const CopyWork&) { return make_copy_work(work, params, call); });
}
/// In a graph for launching a copy stays what it is, but for its addresses and sizes.
cudaError_t replace_copy(CopyWork* former, const cudaMemcpy3DParms* params, const ApiCall& call) {
  return change(former, [&](CopyWork& work, const CopyWork& before) {
    const cudaError_t error = make_copy_work(work, params, call);
    return error == cudaSuccess && !can_replace(before, work) ? cudaErrorInvalidValue : error;
  });
}
cudaError_t set_copy_1d(CopyWork* former, bool is_instance, void* to, const void* from, std::size_t bytes,
                        cudaMemcpyKind kind, const ApiCall& call) {
  const cudaMemcpy3DParms box = linear_box(to, from, bytes, kind);
  return is_instance ? replace_copy(former, &box, call) : set_copy(former, &box, call);
}
cudaError_t set_copy_to_symbol(CopyWork* former, bool is_instance, const void* symbol, const void* from,
                               std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                               const ApiCall& call) {
  cudaMemcpy3DParms box = {};
  const cudaError_t error = box_to_symbol(box, symbol, from, bytes, offset, kind);
  if (error != cudaSuccess) return error;
  return is_instance ? replace_copy(former, &box, call) : set_copy(former, &box, call);
}
cudaError_t set_copy_from_symbol(CopyWork* former, bool is_instance, void* to, const void* symbol,
                                 std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                 const ApiCall& call) {
  cudaMemcpy3DParms box = {};
  const cudaError_t error = box_from_symbol(box, to, symbol, bytes, offset, kind);
  if (error != cudaSuccess) return error;
  return is_instance ? replace_copy(former, &box, call) : set_copy(former, &box, call);
}
cudaError_t set_set(SetWork* former, const cudaMemsetParams* params, const ApiCall& call) {
  return change(former, [&](SetWork& work, const SetWork&) { return make_set_work(work, params, call); });
}
cudaError_t replace_set(SetWork* former, const cudaMemsetParams* params, const ApiCall& call) {
  return change(former, [&](SetWork& work, const SetWork& before) {
    const cudaError_t error = make_set_work(work, params, call);
    return error == cudaSuccess && !can_replace(before, work) ? cudaErrorInvalidValue : error;
  });
}
cudaError_t set_host(HostWork* former, const cudaHostNodeParams* params) {
  return change(former, [&](HostWork& work, const HostWork&) { return make_host_work(work, params); });
}
template <class Kind>
cudaError_t set_event(Kind* former, cudaEvent_t event) {
  if (!former || !is_event(event)) return cudaErrorInvalidValue;
  former->event = event;
  return cudaSuccess;
}
template <class Kind>
cudaError_t get_event(const Kind* work, cudaEvent_t* event) {
  if (!work || !event) return cudaErrorInvalidValue;
  *event = work->event;
  return cudaSuccess;
}

/// In a graph for launching the child graph stays the same, but for its nodes' parameters.
cudaError_t replace_child(ChildWork* former, cudaGraph_t child) {
  if (!former || !is_graph(child)) return cudaErrorInvalidValue;
  return update(*former->graph, *child).result == cudaGraphExecUpdateSuccess
             ? cudaSuccess
             : cudaErrorGraphExecUpdateFailure;
}

} // namespace

extern "C" {

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                             const cudaGraphEdgeData* data, size_t count, cudaGraphNodeParams* params) {
  const HostCall turn;
  Work work;
  const cudaError_t error = make_work(work, params, nullptr, SIMT_CALL, __builtin_return_address(0));
  return api_result(add({node, graph, dependencies, count, data}, std::move(work), error));
}
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* params) {
  const HostCall turn;
  if (!is_node(node) || !params || params->type != type_of(node->work))
    return api_result(cudaErrorInvalidValue);
  Work work;
  const cudaError_t error = make_work(work, params, &node->work, SIMT_CALL, __builtin_return_address(0));
  if (error == cudaSuccess) node->work = std::move(work);
  return api_result(error);
}
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       cudaGraphNodeParams* params) {
  const HostCall turn;
  CUgraphNode_st* now = node_in(exec, node);
  if (!now || !params || params->type != type_of(now->work)) return api_result(cudaErrorInvalidValue);
  if (auto* child = work_in<ChildWork>(now)) return api_result(replace_child(child, params->graph.graph));
  Work work;
  cudaError_t error = make_work(work, params, &now->work, SIMT_CALL, __builtin_return_address(0));
  if (error == cudaSuccess) {
    const auto* copy = work_in<CopyWork>(now);
    const auto* set = work_in<SetWork>(now);
    if ((copy && !can_replace(*copy, std::get<CopyWork>(work))) ||
        (set && !can_replace(*set, std::get<SetWork>(work))))
      error = cudaErrorInvalidValue;
  }
  if (error == cudaSuccess) now->work = std::move(work);
  return api_result(error);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* params) {
  const HostCall turn;
  KernelWork work;
  const cudaError_t error = make_kernel_work(work, params, nullptr, __builtin_return_address(0));
  return api_result(add({node, graph, dependencies, count}, std::move(work), error));
}
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* params) {
  const HostCall turn;
  const KernelWork* work = work_of<KernelWork>(node);
  if (!work || !params) return api_result(cudaErrorInvalidValue);
  *params = params_of(*work);
  return api_result(cudaSuccess);
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* params) {
  const HostCall turn;
  return api_result(set_kernel(work_of<KernelWork>(node), params, __builtin_return_address(0)));
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* params) {
  const HostCall turn;
  return api_result(
      set_kernel(work_in<KernelWork>(node_in(exec, node)), params, __builtin_return_address(0)));
}
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  const HostCall turn;
  KernelWork* target = work_of<KernelWork>(to);
  const KernelWork* source = work_of<KernelWork>(from);
  if (!target || !source) return api_result(cudaErrorInvalidValue);
  target->attributes = source->attributes;
  target->config.cooperative = source->config.cooperative;
  target->config.cluster = source->config.cluster;
  return api_result(cudaSuccess);
}
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            cudaLaunchAttributeValue* value) {
  const HostCall turn;
  const KernelWork* work = work_of<KernelWork>(node);
  return api_result(work && value ? get_attribute(*work, attribute, *value) : cudaErrorInvalidValue);
}
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            const cudaLaunchAttributeValue* value) {
  const HostCall turn;
  KernelWork* work = work_of<KernelWork>(node);
  return api_result(work && value ? set_attribute(*work, attribute, *value) : cudaErrorInvalidValue);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* params) {
  const HostCall turn;
  CopyWork work;
  const cudaError_t error = make_copy_work(work, params, SIMT_CALL);
  return api_result(add({node, graph, dependencies, count}, work, error));
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind) {
  const HostCall turn;
  const cudaMemcpy3DParms box = linear_box(to, from, bytes, kind);
  CopyWork work;
  const cudaError_t error = make_copy_work(work, &box, SIMT_CALL);
  return api_result(add({node, graph, dependencies, count}, work, error));
}
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, size_t count,
                                           const void* symbol, const void* from, size_t bytes, size_t offset,
                                           cudaMemcpyKind kind) {
  const HostCall turn;
  CopyWork work;
  const cudaError_t error = set_copy_to_symbol(&work, false, symbol, from, bytes, offset, kind, SIMT_CALL);
  return api_result(add({node, graph, dependencies, count}, work, error));
}
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count, void* to,
                                             const void* symbol, size_t bytes, size_t offset,
                                             cudaMemcpyKind kind) {
  const HostCall turn;
  CopyWork work;
  const cudaError_t error = set_copy_from_symbol(&work, false, to, symbol, bytes, offset, kind, SIMT_CALL);
  return api_result(add({node, graph, dependencies, count}, work, error));
}
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* params) {
  const HostCall turn;
  const CopyWork* work = work_of<CopyWork>(node);
  if (!work || !params) return api_result(cudaErrorInvalidValue);
  *params = work->box;
  return api_result(cudaSuccess);
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* params) {
  const HostCall turn;
  return api_result(set_copy(work_of<CopyWork>(node), params, SIMT_CALL));
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t bytes,
                                           cudaMemcpyKind kind) {
  const HostCall turn;
  return api_result(set_copy_1d(work_of<CopyWork>(node), false, to, from, bytes, kind, SIMT_CALL));
}
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol, const void* from,
                                                 size_t bytes, size_t offset, cudaMemcpyKind kind) {
  const HostCall turn;
  return api_result(
      set_copy_to_symbol(work_of<CopyWork>(node), false, symbol, from, bytes, offset, kind, SIMT_CALL));
}
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to, const void* symbol,
                                                   size_t bytes, size_t offset, cudaMemcpyKind kind) {
  const HostCall turn;
  return api_result(
      set_copy_from_symbol(work_of<CopyWork>(node), false, to, symbol, bytes, offset, kind, SIMT_CALL));
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* params) {
  const HostCall turn;
  return api_result(replace_copy(work_in<CopyWork>(node_in(exec, node)), params, SIMT_CALL));
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes, cudaMemcpyKind kind) {
  const HostCall turn;
  return api_result(
      set_copy_1d(work_in<CopyWork>(node_in(exec, node)), true, to, from, bytes, kind, SIMT_CALL));
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const void* symbol, const void* from, size_t bytes,
                                                     size_t offset, cudaMemcpyKind kind) {
  const HostCall turn;
  return api_result(set_copy_to_symbol(work_in<CopyWork>(node_in(exec, node)), true, symbol, from, bytes,
                                       offset, kind, SIMT_CALL));
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                                       const void* symbol, size_t bytes, size_t offset,
                                                       cudaMemcpyKind kind) {
  const HostCall turn;
  return api_result(set_copy_from_symbol(work_in<CopyWork>(node_in(exec, node)), true, to, symbol, bytes,
                                         offset, kind, SIMT_CALL));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* params) {
  const HostCall turn;
  SetWork work;
  const cudaError_t error = make_set_work(work, params, SIMT_CALL);
  return api_result(add({node, graph, dependencies, count}, work, error));
}
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* params) {
  const HostCall turn;
  const SetWork* work = work_of<SetWork>(node);
  if (!work || !params) return api_result(cudaErrorInvalidValue);
  *params = work->set;
  return api_result(cudaSuccess);
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* params) {
  const HostCall turn;
  return api_result(set_set(work_of<SetWork>(node), params, SIMT_CALL));
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* params) {
  const HostCall turn;
  return api_result(replace_set(work_in<SetWork>(node_in(exec, node)), params, SIMT_CALL));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* params) {
  const HostCall turn;
  HostWork work;
  const cudaError_t error = make_host_work(work, params);
  return api_result(add({node, graph, dependencies, count}, work, error));
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* params) {
  const HostCall turn;
  const HostWork* work = work_of<HostWork>(node);
  if (!work || !params) return api_result(cudaErrorInvalidValue);
  *params = work->host;
  return api_result(cudaSuccess);
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* params) {
  const HostCall turn;
  return api_result(set_host(work_of<HostWork>(node), params));
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* params) {
  const HostCall turn;
  return api_result(set_host(work_in<HostWork>(node_in(exec, node)), params));
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count, cudaGraph_t child) {
  const HostCall turn;
  ChildWork work;
  const cudaError_t error = child == graph ? cudaErrorInvalidValue : make_child_work(work, child);
  return api_result(add({node, graph, dependencies, count}, std::move(work), error));
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* child) {
  const HostCall turn;
  const ChildWork* work = work_of<ChildWork>(node);
  if (!work || !child) return api_result(cudaErrorInvalidValue);
  *child = work->graph.get();
  return api_result(cudaSuccess);
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  const HostCall turn;
  return api_result(replace_child(work_in<ChildWork>(node_in(exec, node)), child));
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
  const HostCall turn;
  return api_result(add({node, graph, dependencies, count}, EmptyWork{}, cudaSuccess));
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, size_t count,
                                        cudaEvent_t event) {
  const HostCall turn;
  return api_result(add({node, graph, dependencies, count}, RecordWork{event},
                        is_event(event) ? cudaSuccess : cudaErrorInvalidValue));
}
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  const HostCall turn;
  return api_result(get_event(work_of<RecordWork>(node), event));
}
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  const HostCall turn;
  return api_result(set_event(work_of<RecordWork>(node), event));
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  const HostCall turn;
  return api_result(set_event(work_in<RecordWork>(node_in(exec, node)), event));
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count, cudaEvent_t event) {
  const HostCall turn;
  return api_result(add({node, graph, dependencies, count}, WaitWork{event},
                        is_event(event) ? cudaSuccess : cudaErrorInvalidValue));
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  const HostCall turn;
  return api_result(get_event(work_of<WaitWork>(node), event));
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  const HostCall turn;
  return api_result(set_event(work_of<WaitWork>(node), event));
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  const HostCall turn;
  return api_result(set_event(work_in<WaitWork>(node_in(exec, node)), event));
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     cudaMemAllocNodeParams* params) {
  const HostCall turn;
  if (!params) return api_result(cudaErrorInvalidValue);
  const cudaError_t error = reserve_memory_of(*params, SIMT_CALL.site);
  return api_result(add({node, graph, dependencies, count}, AllocateWork{*params}, error));
}
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* params) {
  const HostCall turn;
  const AllocateWork* work = work_of<AllocateWork>(node);
  if (!work || !params) return api_result(cudaErrorInvalidValue);
  *params = work->allocation;
  return api_result(cudaSuccess);
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, size_t count, void* pointer) {
  const HostCall turn;
  return api_result(add({node, graph, dependencies, count}, FreeWork{pointer},
                        is_memory_of_graph(pointer) ? cudaSuccess : cudaErrorInvalidValue));
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
  const HostCall turn;
  const FreeWork* work = work_of<FreeWork>(node);
  if (!work || !pointer) return api_result(cudaErrorInvalidValue);
  std::memcpy(pointer, &work->pointer, sizeof work->pointer);
  return api_result(cudaSuccess);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* symbol) {
  const HostCall turn;
  if (!function) return api_result(cudaErrorInvalidValue);
  if (!find_entry(symbol)) return api_result(cudaErrorInvalidDeviceFunction);
  *function = static_cast<cudaFunction_t>(const_cast<void*>(symbol));
  return api_result(cudaSuccess);
}
cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* symbol) {
  const HostCall turn;
  if (!kernel) return api_result(cudaErrorInvalidValue);
  if (!find_entry(symbol)) return api_result(cudaErrorInvalidDeviceFunction);
  *kernel = static_cast<cudaKernel_t>(const_cast<void*>(symbol));
  return api_result(cudaSuccess);
}
cudaError_t cudaFuncGetName(const char** name, const void* function) {
  const HostCall turn;
  const simt_kernel_entry* entry = find_entry(function);
  if (!name || !entry) return api_result(name ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue);
  *name = entry->name;
  return api_result(cudaSuccess);
}
cudaError_t cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset, size_t* size) {
  const HostCall turn;
  const simt_kernel_entry* entry = find_entry(function);
  if (!entry) return api_result(cudaErrorInvalidDeviceFunction);
  if (!offset || index >= entry->count) return api_result(cudaErrorInvalidValue);
  std::vector<simt_argument> parameters(entry->count + 1);
  entry->describe(parameters.data());
  *offset = offset_of(parameters, index);
  if (size) *size = parameters[index].size;
  return api_result(cudaSuccess);
}
}
