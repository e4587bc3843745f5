// CUDA graphs as data: nodes, what they are to do, and their dependencies. Handles of the API are pointers to these.
#pragma once

#include "simt/report/report.hpp"
#include "simt/runtime/api/copies.hpp"
#include "simt/runtime/graph/call_copy.hpp"
#include "simt_shim/graph_types.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace simt {

struct KernelWork {
  const void* address = nullptr; ///< of the kernel; null where a launch deduced its template arguments
  std::string name, file;        ///< the launch's place in the source, if it has one
  int line = 0;
  simt_launch_config config{};
  CallCopy call{};
  std::vector<simt_argument> arguments{};
  HostLaunch by_host{};
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes{};
  mutable std::vector<void*> addresses{}; ///< handed out by the API

  /// As the API tells it.
  const void* function() const { return address ? address : call.operations(); }
  simt_launch_site site() const { return {name.c_str(), file.c_str(), line}; }
};
struct CopyWork {
  cudaMemcpy3DParms box{};
  ApiCall call{};
};
struct SetWork {
  cudaMemsetParams set{};
  ApiCall call{};
};
struct HostWork {
  cudaHostNodeParams host{};
};
struct ChildWork {
  std::shared_ptr<CUgraph_st> graph; ///< of this node alone
};
struct EmptyWork {};
struct WaitWork {
  cudaEvent_t event = nullptr;
};
struct RecordWork {
  cudaEvent_t event = nullptr;
};
struct AllocateWork {
  cudaMemAllocNodeParams allocation{};
};
struct FreeWork {
  void* pointer = nullptr;
};
struct ConditionalWork {
  cudaGraphConditionalHandle handle = 0;
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::vector<std::shared_ptr<CUgraph_st>> bodies{}; ///< of this node alone
  std::vector<cudaGraph_t> told{};                   ///< the bodies, as the API hands them out
  ApiCall call{};
};

/// What a node does, in the order of cudaGraphNodeType (but for its gaps).
using Work = std::variant<KernelWork, CopyWork, SetWork, HostWork, ChildWork, EmptyWork, WaitWork, RecordWork,
                          AllocateWork, FreeWork, ConditionalWork>;

cudaGraphNodeType type_of(const Work& work);

/// The same work for another graph: graphs of child nodes, and bodies of conditional ones, are cloned.
Work copy_of(const Work& work);
/// The graphs that are part of a node: that of a child, or the bodies of a conditional one.
std::vector<std::shared_ptr<CUgraph_st>> graphs_within(const Work& work);

struct Edge {
  CUgraphNode_st* from = nullptr;
  cudaGraphEdgeData data{};
};

/// Reference-counted data of the program that graphs keep alive.
class UserObjects {
public:
  UserObjects() = default;
  UserObjects(const UserObjects&) = delete;
  UserObjects& operator=(const UserObjects&) = delete;
  ~UserObjects();
  void add(cudaUserObject_t object, unsigned count) { held_[object] += count; }
  void hold_as(const UserObjects& other);
  /// False if fewer are held.
  bool release(cudaUserObject_t object, unsigned count);

private:
  std::map<cudaUserObject_t, unsigned> held_;
};

/// The graphs that the program has been given, and has to destroy.
cudaGraph_t give_to_program(std::shared_ptr<CUgraph_st> graph);
/// Null if it is no such graph.
std::shared_ptr<CUgraph_st> graph_of_program(cudaGraph_t graph);
void take_from_program(cudaGraph_t graph);

/// What live objects there are, so that a handle that is none is noticed.
bool is_graph(cudaGraph_t graph);
bool is_node(cudaGraphNode_t node);
bool is_user_object(cudaUserObject_t object);

} // namespace simt

struct CUuserObject_st {
  CUuserObject_st(void* data, cudaHostFn_t destroy, unsigned references);
  void retain(unsigned count) { references_ += count; }
  /// The last one destroys it, and the object. False if there are fewer references.
  bool release(unsigned count);

private:
  void* data_;
  cudaHostFn_t destroy_;
  unsigned references_;
};

struct CUgraphNode_st {
  explicit CUgraphNode_st(CUgraph_st* owner, simt::Work what);
  CUgraphNode_st(const CUgraphNode_st&) = delete;
  CUgraphNode_st& operator=(const CUgraphNode_st&) = delete;
  ~CUgraphNode_st();

  CUgraph_st* graph;
  simt::Work work;
  std::uint64_t number;               ///< of no other node
  std::uint64_t cloned_from = 0;      ///< the number of the node that it is a copy of
  bool enabled = true;                ///< in a graph that can be launched
  std::vector<simt::Edge> incoming{}; ///< its dependencies

  bool depends_on(const CUgraphNode_st* node) const;
};

struct CUgraph_st : std::enable_shared_from_this<CUgraph_st> {
  CUgraph_st();
  CUgraph_st(const CUgraph_st&) = delete;
  CUgraph_st& operator=(const CUgraph_st&) = delete;
  ~CUgraph_st();

  std::vector<std::unique_ptr<CUgraphNode_st>> nodes{}; ///< in the order in which they were added
  simt::UserObjects objects{};
  bool is_child = false;         ///< part of a node, which owns it
  unsigned instances = 0;        ///< graphs for launching that have been made of it and live
  std::uint64_t cloned_from = 0; ///< the number of the graph that it is a copy of
  std::uint64_t number;

  CUgraphNode_st* add(simt::Work work, const std::vector<simt::Edge>& incoming);
  void remove(CUgraphNode_st* node);
  /// Whether it, or a graph within it, has a node to which this applies.
  bool has_node(bool (*applies)(const simt::Work& work)) const;
  /// Whether it, or a graph within it, allocates or frees memory.
  bool has_memory_nodes() const;
  bool has_conditional_nodes() const;
  std::unique_ptr<CUgraph_st> clone() const;
  /// The copy of the node with that number, here or in a graph within it.
  CUgraphNode_st* find_copy(std::uint64_t number) const;
  /// The nodes in an order that dependencies allow, chosen by `pick` among those that are ready (it gets their number); empty
  /// and false if there is a circle.
  template <class Pick>
  bool in_order(std::vector<CUgraphNode_st*>& order, const Pick& pick) const {
    std::vector<CUgraphNode_st*> waiting, ready;
    for (const auto& node : nodes) waiting.push_back(node.get());
    std::map<const CUgraphNode_st*, bool> done;
    order.clear();
    for (;;) {
      std::erase_if(waiting, [&](CUgraphNode_st* node) {
        for (const simt::Edge& edge : node->incoming)
          if (!done[edge.from]) return false;
        ready.push_back(node);
        return true;
      });
      if (ready.empty()) break;
      const std::size_t chosen = pick(ready.size());
      order.push_back(ready[chosen]);
      done[ready[chosen]] = true;
      ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(chosen));
    }
    return waiting.empty();
  }
};
