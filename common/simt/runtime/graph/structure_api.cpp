// Functions of the API about graphs as a whole: nodes, edges, clones, and data of the program that they keep.
#include "simt/runtime/api/errors.hpp"
#include "simt/runtime/graph/conditions.hpp"
#include "simt/runtime/machine/host_call.hpp"

#include "cuda_runtime_api.h"

#include <algorithm>
#include <cstring>

using namespace simt;

namespace {

bool is_default(const cudaGraphEdgeData& data) {
  return data.from_port == 0 && data.to_port == 0 && data.type == 0;
}

/// The API's way to hand out lists: how many there are, or as many as there is room for, and nulls in what is left.
template <class Item, class Get>
void hand_out(const std::vector<Item>& items, std::size_t* count, bool is_wanted, const Get& put) {
  if (is_wanted)
    for (std::size_t i = 0; i < *count; ++i) put(i, i < items.size() ? &items[i] : nullptr);
  *count = is_wanted ? std::min(*count, items.size()) : items.size();
}

cudaError_t hand_out_nodes(const std::vector<cudaGraphNode_t>& found, cudaGraphNode_t* nodes,
                           std::size_t* count) {
  if (!count) return cudaErrorInvalidValue;
  hand_out(found, count, nodes != nullptr,
           [&](std::size_t i, const cudaGraphNode_t* node) { nodes[i] = node ? *node : nullptr; });
  return cudaSuccess;
}

/// Nodes with what their edges say; a caller who does not ask for that must not miss anything.
cudaError_t hand_out_edges(const std::vector<Edge>& found, cudaGraphNode_t* nodes, cudaGraphEdgeData* data,
                           std::size_t* count) {
  if (!count || (data && !nodes)) return cudaErrorInvalidValue;
  if (nodes && !data && !std::ranges::all_of(found, [](const Edge& edge) { return is_default(edge.data); }))
    return cudaErrorLossyQuery;
  hand_out(found, count, nodes != nullptr, [&](std::size_t i, const Edge* edge) {
    nodes[i] = edge ? edge->from : nullptr;
    if (data) data[i] = edge ? edge->data : cudaGraphEdgeData{};
  });
  return cudaSuccess;
}

} // namespace

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  const HostCall turn;
  if (!graph || flags != 0) return api_result(cudaErrorInvalidValue);
  *graph = give_to_program(std::make_shared<CUgraph_st>());
  return api_result(cudaSuccess);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  const HostCall turn;
  if (!graph_of_program(graph)) return api_result(cudaErrorInvalidValue);
  take_from_program(graph);
  return api_result(cudaSuccess);
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  const HostCall turn;
  if (!clone || !is_graph(graph)) return api_result(cudaErrorInvalidValue);
  if (graph->has_memory_nodes() || graph->has_conditional_nodes()) return api_result(cudaErrorNotSupported);
  *clone = give_to_program(graph->clone());
  return api_result(cudaSuccess);
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned value, unsigned flags) {
  const HostCall turn;
  if (!handle || !is_graph(graph) || (flags & ~unsigned{cudaGraphCondAssignDefault}) != 0)
    return api_result(cudaErrorInvalidValue);
  *handle = make_condition(*graph, value, flags != 0);
  return api_result(cudaSuccess);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t clone) {
  const HostCall turn;
  if (!node || !is_node(original) || !is_graph(clone)) return api_result(cudaErrorInvalidValue);
  *node = clone->find_copy(original->number);
  return api_result(*node ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  const HostCall turn;
  if (!is_node(node)) return api_result(cudaErrorInvalidValue);
  if (node->graph->has_memory_nodes()) return api_result(cudaErrorNotSupported);
  node->graph->remove(node);
  return api_result(cudaSuccess);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  const HostCall turn;
  if (!is_node(node) || !type) return api_result(cudaErrorInvalidValue);
  *type = type_of(node->work);
  return api_result(cudaSuccess);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  const HostCall turn;
  if (!is_graph(graph)) return api_result(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t> found;
  for (const auto& node : graph->nodes) found.push_back(node.get());
  return api_result(hand_out_nodes(found, nodes, count));
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  const HostCall turn;
  if (!is_graph(graph)) return api_result(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t> found;
  for (const auto& node : graph->nodes)
    if (node->incoming.empty()) found.push_back(node.get());
  return api_result(hand_out_nodes(found, nodes, count));
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, size_t* count) {
  const HostCall turn;
  if (!is_graph(graph) || !count || (from == nullptr) != (to == nullptr))
    return api_result(cudaErrorInvalidValue);
  std::vector<Edge> edges;
  std::vector<cudaGraphNode_t> ends;
  for (const auto& node : graph->nodes)
    for (const Edge& edge : node->incoming) {
      edges.push_back(edge);
      ends.push_back(node.get());
    }
  std::size_t room = *count;
  const cudaError_t error = hand_out_edges(edges, from, data, count);
  if (error == cudaSuccess && to) hand_out_nodes(ends, to, &room);
  return api_result(error);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                         cudaGraphEdgeData* data, size_t* count) {
  const HostCall turn;
  if (!is_node(node)) return api_result(cudaErrorInvalidValue);
  return api_result(hand_out_edges(node->incoming, dependencies, data, count));
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                           cudaGraphEdgeData* data, size_t* count) {
  const HostCall turn;
  if (!is_node(node)) return api_result(cudaErrorInvalidValue);
  std::vector<Edge> found;
  for (const auto& other : node->graph->nodes)
    for (const Edge& edge : other->incoming)
      if (edge.from == node) found.push_back({other.get(), edge.data});
  return api_result(hand_out_edges(found, dependents, data, count));
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData* data, size_t count) {
  const HostCall turn;
  if (!is_graph(graph) || (count > 0 && (!from || !to))) return api_result(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i) {
    const bool fits = is_node(from[i]) && is_node(to[i]) && from[i]->graph == graph &&
                      to[i]->graph == graph && from[i] != to[i] && !to[i]->depends_on(from[i]);
    if (!fits) return api_result(cudaErrorInvalidValue);
  }
  for (std::size_t i = 0; i < count; ++i)
    to[i]->incoming.push_back({from[i], data ? data[i] : cudaGraphEdgeData{}});
  return api_result(cudaSuccess);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*, size_t count) {
  const HostCall turn;
  if (!is_graph(graph) || (count > 0 && (!from || !to))) return api_result(cudaErrorInvalidValue);
  if (count > 0 && graph->has_memory_nodes()) return api_result(cudaErrorNotSupported);
  for (std::size_t i = 0; i < count; ++i)
    if (!is_node(to[i]) || to[i]->graph != graph || !to[i]->depends_on(from[i]))
      return api_result(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i)
    std::erase_if(to[i]->incoming, [&](const Edge& edge) { return edge.from == from[i]; });
  return api_result(cudaSuccess);
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* data, cudaHostFn_t destroy,
                                 unsigned references, unsigned flags) {
  const HostCall turn;
  if (!object || !destroy || references == 0 || flags != cudaUserObjectNoDestructorSync)
    return api_result(cudaErrorInvalidValue);
  *object = new CUuserObject_st(data, destroy, references);
  return api_result(cudaSuccess);
}
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
  const HostCall turn;
  if (!is_user_object(object) || count == 0) return api_result(cudaErrorInvalidValue);
  object->retain(count);
  return api_result(cudaSuccess);
}
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
  const HostCall turn;
  const bool is_released = is_user_object(object) && count > 0 && object->release(count);
  return api_result(is_released ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count,
                                      unsigned flags) {
  const HostCall turn;
  if (!is_graph(graph) || !is_user_object(object) || count == 0 || (flags & ~cudaGraphUserObjectMove) != 0)
    return api_result(cudaErrorInvalidValue);
  if (flags != cudaGraphUserObjectMove)
    object->retain(count); // else the caller's references become the graph's
  graph->objects.add(object, count);
  return api_result(cudaSuccess);
}
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count) {
  const HostCall turn;
  const bool is_released =
      is_graph(graph) && is_user_object(object) && count > 0 && graph->objects.release(object, count);
  return api_result(is_released ? cudaSuccess : cudaErrorInvalidValue);
}
}
