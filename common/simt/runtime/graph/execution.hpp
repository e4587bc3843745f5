// Graphs that can be launched: a copy of the graph that they were made of, whose nodes' parameters can change.
#pragma once

#include "simt/runtime/graph/graph.hpp"

namespace simt {

bool is_executable(cudaGraphExec_t exec);
/// The node of `exec` that was made of `node`; null if none was.
CUgraphNode_st* node_in(cudaGraphExec_t exec, cudaGraphNode_t node);

/// Gives the nodes of `now` the parameters that those of `wanted` have, or none of them if the graphs differ in more.
cudaGraphExecUpdateResultInfo update(CUgraph_st& now, const CUgraph_st& wanted);

} // namespace simt

struct CUgraphExec_st {
  std::unique_ptr<CUgraph_st> graph;
  std::weak_ptr<CUgraph_st> made_of;
  unsigned long long flags = 0;
};
