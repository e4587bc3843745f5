// The values by which conditional nodes of CUDA graphs decide. Kernels set them with cudaGraphSetConditional.
#pragma once

#include "simt/runtime/graph/graph.hpp"

namespace simt {

/// Makes a condition for a node of the graph, or of a graph within it.
cudaGraphConditionalHandle make_condition(const CUgraph_st& graph, unsigned first_value,
                                          bool has_first_value);
/// Lets a node decide by it; false if there is none such, or another node has it.
bool use_condition(cudaGraphConditionalHandle handle);
/// Whether all conditions that were made for the graph decide something in it.
bool all_conditions_are_used(const CUgraph_st& graph);

/// The graph's launch begins: conditions have their first value, or none.
void begin_conditions(const CUgraph_st& graph);
/// The value; none if no kernel has set it in this launch, and it has no first one.
std::optional<unsigned> value_of_condition(cudaGraphConditionalHandle handle);
/// How often kernels have set it.
std::uint64_t changes_of_condition(cudaGraphConditionalHandle handle);

} // namespace simt
