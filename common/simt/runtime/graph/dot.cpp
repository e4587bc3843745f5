// cudaGraphDebugDotPrint: a graph in the language of Graphviz.
#include "simt/runtime/api/errors.hpp"
#include "simt/runtime/graph/graph.hpp"
#include "simt/runtime/machine/host_call.hpp"

#include "cuda_runtime_api.h"

#include <fstream>
#include <sstream>

using namespace simt;

namespace {

std::string quoted(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string extent(const simt_index3& e) {
  return std::to_string(e.x) + ", " + std::to_string(e.y) + ", " + std::to_string(e.z);
}

/// What the node does, in lines of a label; details where they are asked for.
struct Label {
  unsigned flags;
  bool tells(unsigned flag) const { return (flags & (flag | cudaGraphDebugDotFlagsVerbose)) != 0; }

  std::string operator()(const KernelWork& work) const {
    std::ostringstream text;
    text << "KERNEL\\n" << quoted(work.name);
    if (tells(cudaGraphDebugDotFlagsKernelNodeParams))
      text << "\\ngrid (" << extent(work.config.grid) << ") block (" << extent(work.config.block)
           << ") shared " << work.config.shared_bytes;
    if (tells(cudaGraphDebugDotFlagsKernelNodeAttributes))
      text << "\\ncooperative " << work.config.cooperative << " cluster (" << extent(work.config.cluster)
           << ")";
    return text.str();
  }
  std::string operator()(const CopyWork& work) const {
    constexpr const char* kinds[] = {"HtoH", "HtoD", "DtoH", "DtoD", "by address"};
    std::ostringstream text;
    text << "MEMCPY\\n" << kinds[work.box.kind];
    if (tells(cudaGraphDebugDotFlagsMemcpyNodeParams))
      text << "\\n"
           << work.box.srcPtr.ptr << " -> " << work.box.dstPtr.ptr << "\\nextent (" << work.box.extent.width
           << ", " << work.box.extent.height << ", " << work.box.extent.depth << ")";
    return text.str();
  }
  std::string operator()(const SetWork& work) const {
    std::ostringstream text;
    text << "MEMSET";
    if (tells(cudaGraphDebugDotFlagsMemsetNodeParams))
      text << "\\n"
           << work.set.dst << "\\nvalue " << work.set.value << ", " << work.set.width << " x "
           << work.set.height << " elements of " << work.set.elementSize << " bytes";
    return text.str();
  }
  std::string operator()(const HostWork& work) const {
    std::ostringstream text;
    text << "HOST";
    if (tells(cudaGraphDebugDotFlagsHostNodeParams))
      text << "\\n" << reinterpret_cast<const void*>(work.host.fn) << "(" << work.host.userData << ")";
    return text.str();
  }
  std::string operator()(const ChildWork&) const { return "GRAPH"; }
  std::string operator()(const EmptyWork&) const { return "EMPTY"; }
  std::string operator()(const WaitWork& work) const { return "EVENT WAIT" + event(work.event); }
  std::string operator()(const RecordWork& work) const { return "EVENT RECORD" + event(work.event); }
  std::string operator()(const AllocateWork& work) const {
    return "MEM ALLOC\\n" + std::to_string(work.allocation.bytesize) + " bytes";
  }
  std::string operator()(const FreeWork&) const { return "MEM FREE"; }
  std::string operator()(const ConditionalWork& work) const {
    const char* const type = work.type == cudaGraphCondTypeIf      ? "IF"
                             : work.type == cudaGraphCondTypeWhile ? "WHILE"
                                                                   : "SWITCH";
    std::string text = std::string("CONDITIONAL ") + type;
    if (tells(cudaGraphDebugDotFlagsConditionalNodeParams))
      text += "\\nhandle " + std::to_string(work.handle) + ", bodies " + std::to_string(work.bodies.size());
    return text;
  }

  std::string event(cudaEvent_t event) const {
    if (!tells(cudaGraphDebugDotFlagsEventNodeParams)) return "";
    std::ostringstream text;
    text << "\\n" << event;
    return text.str();
  }
};

void print(std::ostream& out, const CUgraph_st& graph, unsigned flags) {
  out << "subgraph cluster_" << graph.number << " {\nlabel=\"graph_" << graph.number << "\"\n";
  for (const auto& node : graph.nodes) {
    out << "node_" << node->number << " [shape=box, label=\"" << std::visit(Label{flags}, node->work);
    if ((flags & (cudaGraphDebugDotFlagsHandles | cudaGraphDebugDotFlagsVerbose)) != 0)
      out << "\\n" << static_cast<const void*>(node.get());
    out << "\"]\n";
    for (const Edge& edge : node->incoming)
      out << "node_" << edge.from->number << " -> node_" << node->number << "\n";
  }
  out << "}\n";
  for (const auto& node : graph.nodes)
    for (const auto& inner : graphs_within(node->work)) {
      print(out, *inner, flags);
      if (!inner->nodes.empty())
        out << "node_" << node->number << " -> node_" << inner->nodes.front()->number << " [style=dotted]\n";
    }
}

} // namespace

extern "C" cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned flags) {
  const HostCall turn;
  if (!is_graph(graph) || !path) return api_result(cudaErrorInvalidValue);
  std::ofstream out(path);
  out << "digraph dot {\n";
  print(out, *graph, flags);
  out << "}\n";
  return api_result(out ? cudaSuccess : cudaErrorOperatingSystem);
}
