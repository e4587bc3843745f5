// Streams that record their work in a graph instead of doing it. A capture begins in one stream; others join it by waiting
// for an event that was recorded in it, and have to come back before it ends.
#pragma once

#include "simt/runtime/graph/graph.hpp"

#include <memory>
#include <thread>
#include <vector>

namespace simt {

struct Capture {
  unsigned long long id = 0;
  cudaStream_t origin = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  bool blocking = false;   ///< a stream of it waits for the legacy stream, and that one for it
  bool invalid = false;    ///< something illegal has happened
  bool makes_graph = true; ///< and does not record into one that the program has
  std::shared_ptr<CUgraph_st> graph;
  std::vector<Edge> loose_ends{}; ///< what streams that were destroyed have recorded last
};

/// What an event stands for that was recorded in a capture.
struct CapturedPoint {
  std::weak_ptr<Capture> capture;
  std::vector<Edge> after;
};

/// What work that is issued into a stream has to do.
enum class Issue { run, record };
/// How the stream takes work, if it takes it: an error, which has invalidated captures where it does, otherwise.
struct Issued {
  Issue how = Issue::run;
  cudaError_t error = cudaSuccess;
};
Issued issue_into(cudaStream_t stream);

/// Adds a node behind all that the stream has recorded; it has to record.
CUgraphNode_st* record_work(cudaStream_t stream, Work work);

/// Of a call that is no work for a stream: cudaSuccess, or why it must not be made while something is captured. `waits`: for
/// the whole device, or the legacy stream.
cudaError_t refuse_unsafe_call();
cudaError_t refuse_device_wait();
/// Of a call that waits for a stream, or asks it.
cudaError_t refuse_stream_wait(cudaStream_t stream);

// About single streams.
std::shared_ptr<Capture> capture_of(cudaStream_t stream); ///< null: it does not record
const std::vector<Edge>& recorded_so_far(cudaStream_t stream);
void set_recorded_so_far(cudaStream_t stream, std::vector<Edge> edges);
/// The stream is destroyed. What it has recorded stays; a capture that began in it ends.
void forget_stream(cudaStream_t stream);

/// Whether the point's capture still goes on.
bool is_going_on(const CapturedPoint& point);
/// Makes the stream go on behind the point, too: it joins the capture if it records nothing.
cudaError_t follow_point(cudaStream_t stream, bool is_blocking, const CapturedPoint& point);
/// Someone has asked for an event that only a capture knows, or waits from within a capture for work outside.
cudaError_t invalidate(const std::shared_ptr<Capture>& capture, cudaError_t why);

cudaError_t begin_capture(cudaStream_t stream, bool is_blocking, cudaStreamCaptureMode mode,
                          std::shared_ptr<CUgraph_st> into, std::vector<Edge> after);
/// `graph` gets what was recorded, or null.
cudaError_t end_capture(cudaStream_t stream, std::shared_ptr<CUgraph_st>& graph);

cudaStreamCaptureMode exchange_capture_mode(cudaStreamCaptureMode mode);

} // namespace simt
