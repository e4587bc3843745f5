// Functions of the API that begin, end and change captures.
#include "simt/runtime/api/errors.hpp"
#include "simt/runtime/api/stream.hpp"
#include "simt/runtime/graph/capture.hpp"
#include "simt/runtime/machine/host_call.hpp"

#include "cuda_runtime_api.h"

#include <algorithm>

using namespace simt;

namespace {

bool is_mode(cudaStreamCaptureMode mode) {
  return mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed;
}

/// Nodes of the graph as what a stream's next work follows; false if they are none.
bool read_edges(const CUgraph_st& graph, const cudaGraphNode_t* nodes, const cudaGraphEdgeData* data,
                std::size_t count, std::vector<Edge>& edges) {
  if (count > 0 && !nodes) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_node(nodes[i]) || nodes[i]->graph != &graph) return false;
    edges.push_back({nodes[i], data ? data[i] : cudaGraphEdgeData{}});
  }
  return true;
}

cudaStreamCaptureStatus status_of(const std::shared_ptr<Capture>& capture) {
  return !capture           ? cudaStreamCaptureStatusNone
         : capture->invalid ? cudaStreamCaptureStatusInvalidated
                            : cudaStreamCaptureStatusActive;
}

/// The status of a stream; asking for that of the legacy one, while a stream that blocks it records, is illegal.
cudaError_t find_status(cudaStream_t stream, cudaStreamCaptureStatus& status) {
  if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
  const std::shared_ptr<Capture> capture = capture_of(stream);
  if (!capture)
    if (const cudaError_t error = refuse_stream_wait(stream); error != cudaSuccess) return error;
  status = status_of(capture);
  return cudaSuccess;
}

// What cudaStreamGetCaptureInfo points to.
std::vector<cudaGraphNode_t> nodes_told;
std::vector<cudaGraphEdgeData> data_told;

} // namespace

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  const HostCall turn;
  if (!is_mode(mode)) return api_result(cudaErrorInvalidValue);
  if (!is_stream(stream)) return api_result(cudaErrorInvalidResourceHandle);
  return api_result(begin_capture(stream, is_blocking(stream), mode, nullptr, {}));
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* data,
                                          size_t count, cudaStreamCaptureMode mode) {
  const HostCall turn;
  // A body of a conditional node belongs to its node, and can be recorded into all the same.
  const std::shared_ptr<CUgraph_st> into = is_graph(graph) ? graph->weak_from_this().lock() : nullptr;
  std::vector<Edge> after;
  if (!is_mode(mode) || !into || !read_edges(*into, dependencies, data, count, after))
    return api_result(cudaErrorInvalidValue);
  if (!is_stream(stream)) return api_result(cudaErrorInvalidResourceHandle);
  return api_result(begin_capture(stream, is_blocking(stream), mode, into, std::move(after)));
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  const HostCall turn;
  if (!mode || !is_mode(*mode)) return api_result(cudaErrorInvalidValue);
  *mode = exchange_capture_mode(*mode);
  return api_result(cudaSuccess);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  const HostCall turn;
  if (!is_stream(stream)) return api_result(cudaErrorInvalidResourceHandle);
  const std::shared_ptr<Capture> capture = capture_of(stream);
  if (!graph && !(capture && !capture->makes_graph)) return api_result(cudaErrorInvalidValue);
  std::shared_ptr<CUgraph_st> recorded;
  const cudaError_t error = end_capture(stream, recorded);
  if (graph) *graph = recorded.get();
  if (recorded && !recorded->is_child) give_to_program(std::move(recorded));
  return api_result(error);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  const HostCall turn;
  if (!status) return api_result(cudaErrorInvalidValue);
  return api_result(find_status(stream, *status));
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** data,
                                     size_t* count) {
  const HostCall turn;
  if (!status) return api_result(cudaErrorInvalidValue);
  if (const cudaError_t error = find_status(stream, *status); error != cudaSuccess) return api_result(error);
  if (*status != cudaStreamCaptureStatusActive) return api_result(cudaSuccess);
  const std::shared_ptr<Capture> capture = capture_of(stream);
  nodes_told.clear();
  data_told.clear();
  bool has_data = false;
  for (const Edge& edge : recorded_so_far(stream)) {
    nodes_told.push_back(edge.from);
    data_told.push_back(edge.data);
    has_data |= edge.data.type != 0 || edge.data.from_port != 0;
  }
  if (dependencies && !data && has_data) return api_result(cudaErrorLossyQuery);
  if (id) *id = capture->id;
  if (graph) *graph = capture->graph.get();
  if (dependencies) *dependencies = nodes_told.data();
  if (data) *data = data_told.data();
  if (count) *count = nodes_told.size();
  return api_result(cudaSuccess);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData* data, size_t count, unsigned flags) {
  const HostCall turn;
  if (flags > cudaStreamSetCaptureDependencies) return api_result(cudaErrorInvalidValue);
  if (!is_stream(stream)) return api_result(cudaErrorInvalidResourceHandle);
  const std::shared_ptr<Capture> capture = capture_of(stream);
  if (!capture) return api_result(cudaErrorIllegalState);
  if (capture->invalid) return api_result(cudaErrorStreamCaptureInvalidated);
  std::vector<Edge> edges;
  if (!read_edges(*capture->graph, dependencies, data, count, edges))
    return api_result(cudaErrorInvalidValue);
  if (flags == cudaStreamAddCaptureDependencies)
    for (const Edge& known : recorded_so_far(stream))
      if (std::ranges::none_of(edges, [&](const Edge& edge) { return edge.from == known.from; }))
        edges.push_back(known);
  set_recorded_so_far(stream, std::move(edges));
  return api_result(cudaSuccess);
}
}
