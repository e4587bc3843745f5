#include "simt/runtime/graph/execution.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/api/errors.hpp"
#include "simt/runtime/api/launching.hpp"
#include "simt/runtime/api/stream.hpp"
#include "simt/runtime/graph/capture.hpp"
#include "simt/runtime/graph/conditions.hpp"
#include "simt/runtime/graph/memory_nodes.hpp"
#include "simt/runtime/graph/work.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/reset.hpp"
#include "simt/runtime/schedule/control.hpp"
#include "simt/runtime/schedule/unfinished.hpp"

#include "cuda_runtime_api.h"

#include <algorithm>
#include <set>

using namespace simt;

namespace {

std::map<cudaGraphExec_t, std::unique_ptr<CUgraphExec_st>> executables;
const OnReset destroy_executables([] { executables.clear(); });

constexpr unsigned long long known_flags =
    cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
    cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;

/// Whether it can be run, children included: without circles.
bool has_order(const CUgraph_st& graph) {
  std::vector<CUgraphNode_st*> order;
  return graph.in_order(order, [](std::size_t) { return 0u; }) &&
         std::ranges::all_of(graph.nodes, [](const auto& node) {
           return std::ranges::all_of(graphs_within(node->work),
                                      [](const auto& inner) { return has_order(*inner); });
         });
}

/// Whether bodies of conditional nodes have only nodes that CUDA takes there.
bool has_fitting_bodies(const CUgraph_st& graph) {
  const auto does_not_fit = [](const Work& work) {
    return std::holds_alternative<HostWork>(work) || std::holds_alternative<WaitWork>(work) ||
           std::holds_alternative<RecordWork>(work) || std::holds_alternative<AllocateWork>(work) ||
           std::holds_alternative<FreeWork>(work);
  };
  return std::ranges::all_of(graph.nodes, [&](const auto& node) {
    const bool is_conditional = std::holds_alternative<ConditionalWork>(node->work);
    return std::ranges::all_of(graphs_within(node->work), [&](const auto& inner) {
      return is_conditional ? !inner->has_node(does_not_fit) : has_fitting_bodies(*inner);
    });
  });
}

cudaError_t instantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags,
                        cudaGraphInstantiateResult& result) {
  result = cudaGraphInstantiateError;
  if (!exec || !is_graph(graph) || (flags & ~known_flags) != 0) return cudaErrorInvalidValue;
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) {
    report({"unsupported", "device-graph-launch"}, "", 0);
    result = cudaGraphInstantiateNodeOperationNotSupported;
    return cudaErrorNotSupported;
  }
  if (!has_order(*graph)) {
    result = cudaGraphInstantiateInvalidStructure;
    return cudaErrorInvalidValue;
  }
  if (!has_fitting_bodies(*graph)) {
    result = cudaGraphInstantiateNodeOperationNotSupported;
    return cudaErrorNotSupported;
  }
  if (!all_conditions_are_used(*graph)) {
    result = cudaGraphInstantiateConditionalHandleUnused;
    return cudaErrorInvalidValue;
  }
  auto made = std::make_unique<CUgraphExec_st>();
  made->graph = graph->clone();
  made->made_of = graph_of_program(graph);
  made->flags = flags;
  if (graph->has_memory_nodes()) {
    // Its memory has one address, so that it can be instantiated once at a time.
    const bool is_in_use = std::ranges::any_of(
        executables, [&](const auto& entry) { return entry.second->graph->cloned_from == graph->number; });
    if (is_in_use) return cudaErrorNotSupported;
  }
  *exec = made.get();
  executables[*exec] = std::move(made);
  result = cudaGraphInstantiateSuccess;
  return cudaSuccess;
}

/// Which of the nodes that are ready comes next: the schedule decides, as it does for blocks.
std::size_t choose(std::size_t ready) {
  switch (machine.options.schedule) {
  case Schedule::forward:
    break;
  case Schedule::reverse:
    return ready - 1;
  case Schedule::random:
    return random_below(ready);
  }
  return 0;
}

/// Memory that a node uses is not there (any more): so ends a copy on a device.
cudaError_t fail_at_address(const ApiCall& call, cudaError_t error) {
  if (error == cudaSuccess || sticky_error() != cudaSuccess) return error;
  note_failed_write(call.function, cudaGetErrorName(cudaErrorIllegalAddress), call.site);
  set_sticky_error(cudaErrorIllegalAddress);
  return cudaErrorIllegalAddress;
}

/// Rounds of a loop in which no kernel sets the loop's condition: a loop that does not end by itself.
constexpr std::uint64_t most_idle_rounds = 100'000;

cudaError_t run_graph(const CUgraph_st& graph);

struct Run {
  cudaError_t operator()(const KernelWork& work) const { return run_kernel_work(work); }
  cudaError_t operator()(const CopyWork& work) const {
    return fail_at_address(work.call, copy_box(work.box, work.call));
  }
  cudaError_t operator()(const SetWork& work) const {
    return fail_at_address(work.call, set_elements(work.set, work.call));
  }
  cudaError_t operator()(const HostWork& work) const {
    learn_of(record_point());
    const HostPause pause;
    work.host.fn(work.host.userData);
    return cudaSuccess;
  }
  cudaError_t operator()(const ChildWork& work) const { return run_graph(*work.graph); }
  cudaError_t operator()(const EmptyWork&) const { return cudaSuccess; }
  cudaError_t operator()(const WaitWork& work) const {
    if (is_event(work.event)) wait_now(work.event);
    return cudaSuccess;
  }
  cudaError_t operator()(const RecordWork& work) const {
    if (is_event(work.event)) record_now(work.event);
    return cudaSuccess;
  }
  cudaError_t operator()(const AllocateWork& work) const {
    if (allocate_for_graph(work.allocation.dptr)) return cudaSuccess;
    return is_allocated(work.allocation.dptr) ? cudaErrorInvalidValue : cudaErrorMemoryAllocation;
  }
  cudaError_t operator()(const FreeWork& work) const {
    return free_of_graph(work.pointer) ? cudaSuccess : cudaErrorInvalidValue;
  }
  cudaError_t operator()(const ConditionalWork& work) const {
    const std::optional<unsigned> value = value_of_condition(work.handle);
    if (!value) {
      report("graph-condition", work.call.site);
      return cudaSuccess; // as a condition of 0
    }
    if (work.type == cudaGraphCondTypeWhile) return run_loop(work);
    const unsigned body = work.type == cudaGraphCondTypeSwitch ? *value : *value == 0;
    return body < work.bodies.size() ? run_graph(*work.bodies[body]) : cudaSuccess;
  }

private:
  static cudaError_t run_loop(const ConditionalWork& loop) {
    std::uint64_t changes = changes_of_condition(loop.handle), idle_rounds = 0;
    while (value_of_condition(loop.handle).value_or(0) != 0) {
      const cudaError_t error = run_graph(*loop.bodies.front());
      if (error != cudaSuccess || sticky_error() != cudaSuccess) return error;
      idle_rounds =
          std::exchange(changes, changes_of_condition(loop.handle)) == changes ? idle_rounds + 1 : 0;
      if (idle_rounds == most_idle_rounds) {
        report({"graph-condition", "endless"}, loop.call.site);
        set_sticky_error(cudaErrorLaunchTimeout);
        return cudaSuccess;
      }
    }
    return cudaSuccess;
  }
};

cudaError_t run_graph(const CUgraph_st& graph) {
  std::vector<CUgraphNode_st*> order;
  graph.in_order(order, choose);
  for (const CUgraphNode_st* node : order) {
    if (sticky_error() != cudaSuccess)
      return cudaSuccess; // which later calls tell, as of a kernel that fails
    if (!node->enabled) continue;
    if (const cudaError_t error = std::visit(Run{}, node->work); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

/// Calls `with` for each pointer that the graph allocates.
template <class With>
void for_each_allocation(const CUgraph_st& graph, const With& with) {
  for (const auto& node : graph.nodes)
    if (const auto* work = std::get_if<AllocateWork>(&node->work)) with(work->allocation.dptr);
}

cudaError_t launch(CUgraphExec_st& exec, cudaStream_t stream) {
  const Issued issued = issue_into(stream);
  if (issued.error != cudaSuccess) return issued.error;
  if (issued.how == Issue::record) {
    ChildWork child;
    const cudaError_t error = make_child_work(child, exec.graph.get());
    if (error == cudaSuccess) record_work(stream, std::move(child));
    return error;
  }
  if (sticky_error() != cudaSuccess) return sticky_error();
  bool is_left = false;
  for_each_allocation(*exec.graph, [&](void* pointer) {
    if ((exec.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0) free_of_graph(pointer);
    is_left |= is_allocated(pointer);
  });
  if (is_left) return cudaErrorInvalidValue; // what it allocated the last time was never freed
  begin_conditions(*exec.graph);
  const IntoStream into(number_of(stream));
  return run_graph(*exec.graph);
}

// Updates.

/// Where a node stands in its graph.
std::map<const CUgraphNode_st*, std::size_t> places_in(const CUgraph_st& graph) {
  std::map<const CUgraphNode_st*, std::size_t> places;
  for (const auto& node : graph.nodes) places[node.get()] = places.size() - 1;
  return places;
}

std::set<std::pair<std::size_t, int>>
dependencies_of(const CUgraphNode_st& node, const std::map<const CUgraphNode_st*, std::size_t>& places) {
  std::set<std::pair<std::size_t, int>> found;
  for (const Edge& edge : node.incoming) found.emplace(places.at(edge.from), edge.data.type);
  return found;
}

cudaGraphExecUpdateResultInfo compare(const CUgraph_st& now, const CUgraph_st& wanted);

/// Why the one work cannot take the place of the other, if so.
cudaGraphExecUpdateResultInfo compare(const Work& now, const Work& wanted, CUgraphNode_st* node) {
  const auto because = [&](cudaGraphExecUpdateResult result) {
    return cudaGraphExecUpdateResultInfo{result, node, nullptr};
  };
  if (now.index() != wanted.index()) return because(cudaGraphExecUpdateErrorNodeTypeChanged);
  if (const auto* child = std::get_if<ChildWork>(&now))
    return compare(*child->graph, *std::get<ChildWork>(wanted).graph);
  if (const auto* condition = std::get_if<ConditionalWork>(&now)) {
    const auto& other = std::get<ConditionalWork>(wanted);
    if (condition->type != other.type || condition->bodies.size() != other.bodies.size())
      return because(cudaGraphExecUpdateErrorParametersChanged);
    for (std::size_t i = 0; i < other.bodies.size(); ++i)
      if (const auto info = compare(*condition->bodies[i], *other.bodies[i]);
          info.result != cudaGraphExecUpdateSuccess)
        return info;
  }
  if (const auto* copy = std::get_if<CopyWork>(&now); copy && !can_replace(*copy, std::get<CopyWork>(wanted)))
    return because(cudaGraphExecUpdateErrorParametersChanged);
  if (const auto* set = std::get_if<SetWork>(&now); set && !can_replace(*set, std::get<SetWork>(wanted)))
    return because(cudaGraphExecUpdateErrorParametersChanged);
  if (const auto* kernel = std::get_if<KernelWork>(&now);
      kernel && kernel->config.cooperative != std::get<KernelWork>(wanted).config.cooperative)
    return because(cudaGraphExecUpdateErrorAttributesChanged);
  if (const auto* memory = std::get_if<AllocateWork>(&now);
      memory && memory->allocation.dptr != std::get<AllocateWork>(wanted).allocation.dptr)
    return because(cudaGraphExecUpdateErrorNotSupported);
  if (const auto* memory = std::get_if<FreeWork>(&now);
      memory && memory->pointer != std::get<FreeWork>(wanted).pointer)
    return because(cudaGraphExecUpdateErrorNotSupported);
  return {cudaGraphExecUpdateSuccess, nullptr, nullptr};
}

cudaGraphExecUpdateResultInfo compare(const CUgraph_st& now, const CUgraph_st& wanted) {
  if (now.nodes.size() != wanted.nodes.size())
    return {cudaGraphExecUpdateErrorTopologyChanged, nullptr, nullptr};
  const auto places_now = places_in(now), places_wanted = places_in(wanted);
  for (std::size_t i = 0; i < now.nodes.size(); ++i) {
    CUgraphNode_st& node = *wanted.nodes[i];
    const auto info = compare(now.nodes[i]->work, node.work, &node);
    if (info.result != cudaGraphExecUpdateSuccess) return info;
    if (dependencies_of(*now.nodes[i], places_now) == dependencies_of(node, places_wanted)) continue;
    CUgraphNode_st* from = node.incoming.empty() ? nullptr : node.incoming.front().from;
    return {cudaGraphExecUpdateErrorTopologyChanged, &node, from};
  }
  return {cudaGraphExecUpdateSuccess, nullptr, nullptr};
}

void take_work(CUgraph_st& now, const CUgraph_st& wanted) {
  for (std::size_t i = 0; i < now.nodes.size(); ++i) {
    Work& work = now.nodes[i]->work;
    const Work& other = wanted.nodes[i]->work;
    const auto graphs = graphs_within(work), others = graphs_within(other);
    for (std::size_t k = 0; k < graphs.size(); ++k) take_work(*graphs[k], *others[k]);
    if (auto* condition = std::get_if<ConditionalWork>(&work))
      condition->handle = std::get<ConditionalWork>(other).handle;
    else if (graphs.empty())
      work = copy_of(other);
  }
}

bool can_be_disabled(const Work& work) {
  return std::holds_alternative<KernelWork>(work) || std::holds_alternative<CopyWork>(work) ||
         std::holds_alternative<SetWork>(work);
}

} // namespace

cudaGraphExecUpdateResultInfo simt::update(CUgraph_st& now, const CUgraph_st& wanted) {
  const cudaGraphExecUpdateResultInfo info = compare(now, wanted);
  if (info.result == cudaGraphExecUpdateSuccess) take_work(now, wanted);
  return info;
}

bool simt::is_executable(cudaGraphExec_t exec) { return executables.contains(exec); }

CUgraphNode_st* simt::node_in(cudaGraphExec_t exec, cudaGraphNode_t node) {
  return is_executable(exec) && is_node(node) ? exec->graph->find_copy(node->number) : nullptr;
}

extern "C" {

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  const HostCall turn;
  cudaGraphInstantiateResult result;
  return api_result(instantiate(exec, graph, flags, result));
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  const HostCall turn;
  cudaGraphInstantiateResult result;
  return api_result(instantiate(exec, graph, flags, result));
}
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* params) {
  const HostCall turn;
  if (!params) return api_result(cudaErrorInvalidValue);
  params->errNode_out = nullptr;
  return api_result(instantiate(exec, graph, params->flags, params->result_out));
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
  const HostCall turn;
  if (!is_executable(exec) || !flags) return api_result(cudaErrorInvalidValue);
  *flags = exec->flags & ~static_cast<unsigned long long>(cudaGraphInstantiateFlagUpload);
  return api_result(cudaSuccess);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  const HostCall turn;
  return api_result(executables.erase(exec) > 0 ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  const HostCall turn;
  if (!is_executable(exec)) return api_result(cudaErrorInvalidValue);
  if (!is_stream(stream)) return api_result(cudaErrorInvalidResourceHandle);
  if (const std::shared_ptr<Capture> capture = capture_of(stream))
    return api_result(invalidate(capture, cudaErrorStreamCaptureUnsupported));
  return api_result(issue_into(stream).error);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  const HostCall turn;
  if (machine.lane) {
    report({"unsupported", "device-graph-launch"},
           reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
    return cudaErrorNotSupported;
  }
  if (!is_executable(exec)) return api_result(cudaErrorInvalidValue);
  if (!is_stream(stream)) return api_result(cudaErrorInvalidResourceHandle);
  return api_result(launch(*exec, stream));
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  const HostCall turn;
  if (!is_executable(exec) || !is_graph(graph) || !info) return api_result(cudaErrorInvalidValue);
  *info = update(*exec->graph, *graph);
  return api_result(info->result == cudaGraphExecUpdateSuccess ? cudaSuccess
                                                               : cudaErrorGraphExecUpdateFailure);
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled) {
  const HostCall turn;
  CUgraphNode_st* found = node_in(exec, node);
  if (!found || !can_be_disabled(found->work)) return api_result(cudaErrorInvalidValue);
  found->enabled = enabled != 0;
  return api_result(cudaSuccess);
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* enabled) {
  const HostCall turn;
  const CUgraphNode_st* found = node_in(exec, node);
  if (!found || !enabled || !can_be_disabled(found->work)) return api_result(cudaErrorInvalidValue);
  *enabled = found->enabled;
  return api_result(cudaSuccess);
}
}
