#include "simt/runtime/graph/capture.hpp"

#include "simt/runtime/machine/reset.hpp"

#include "driver_types.h"

#include <algorithm>
#include <set>

namespace simt {

namespace {

struct Recording {
  std::shared_ptr<Capture> capture;
  std::vector<Edge> after; ///< what the stream's next work follows
};
std::map<cudaStream_t, Recording> recordings;
unsigned long long last_id = 0;
thread_local cudaStreamCaptureMode mode_of_thread = cudaStreamCaptureModeGlobal;

const OnReset end_captures([] { recordings.clear(); });

bool is_legacy(cudaStream_t stream) { return !stream || stream == cudaStreamLegacy; }

/// Invalidates the captures that `applies` to; true if there were any.
template <class Applies>
bool invalidate_those(const Applies& applies) {
  bool any = false;
  for (auto& [stream, recording] : recordings) {
    if (recording.capture->invalid || !applies(*recording.capture)) continue;
    recording.capture->invalid = true;
    any = true;
  }
  return any;
}

void merge(std::vector<Edge>& into, const std::vector<Edge>& edges) {
  for (const Edge& edge : edges)
    if (std::ranges::none_of(into, [&](const Edge& known) { return known.from == edge.from; }))
      into.push_back(edge);
}

/// The nodes from which `edges` lead on, and all that those depend on.
std::set<const CUgraphNode_st*> reached_from(const std::vector<Edge>& edges) {
  std::set<const CUgraphNode_st*> found;
  std::vector<const CUgraphNode_st*> left;
  for (const Edge& edge : edges) left.push_back(edge.from);
  while (!left.empty()) {
    const CUgraphNode_st* node = left.back();
    left.pop_back();
    if (!found.insert(node).second) continue;
    for (const Edge& edge : node->incoming) left.push_back(edge.from);
  }
  return found;
}

cudaError_t refuse_for_legacy() {
  return invalidate_those([](const Capture& capture) { return capture.blocking; })
             ? cudaErrorStreamCaptureImplicit
             : cudaSuccess;
}

} // namespace

Issued issue_into(cudaStream_t stream) {
  if (recordings.empty()) return {};
  if (const auto found = recordings.find(stream); found != recordings.end()) {
    if (found->second.capture->invalid) return {Issue::run, cudaErrorStreamCaptureInvalidated};
    return {Issue::record};
  }
  return {Issue::run, is_legacy(stream) ? refuse_for_legacy() : cudaSuccess};
}

CUgraphNode_st* record_work(cudaStream_t stream, Work work) {
  Recording& recording = recordings.at(stream);
  CUgraphNode_st* node = recording.capture->graph->add(std::move(work), recording.after);
  recording.after = {{node, {}}};
  return node;
}

cudaError_t refuse_unsafe_call() {
  if (recordings.empty() || mode_of_thread == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  const bool forbidden = invalidate_those([](const Capture& capture) {
    if (capture.thread == std::this_thread::get_id()) return capture.mode != cudaStreamCaptureModeRelaxed;
    return mode_of_thread == cudaStreamCaptureModeGlobal && capture.mode == cudaStreamCaptureModeGlobal;
  });
  return forbidden ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

cudaError_t refuse_device_wait() {
  return invalidate_those([](const Capture&) { return true; }) ? cudaErrorStreamCaptureUnsupported
                                                               : cudaSuccess;
}

cudaError_t refuse_stream_wait(cudaStream_t stream) {
  if (recordings.empty()) return cudaSuccess;
  if (const auto found = recordings.find(stream); found != recordings.end())
    return invalidate(found->second.capture, cudaErrorStreamCaptureUnsupported);
  return is_legacy(stream) ? refuse_for_legacy() : cudaSuccess;
}

std::shared_ptr<Capture> capture_of(cudaStream_t stream) {
  const auto found = recordings.find(stream);
  return found == recordings.end() ? nullptr : found->second.capture;
}

const std::vector<Edge>& recorded_so_far(cudaStream_t stream) { return recordings.at(stream).after; }

void set_recorded_so_far(cudaStream_t stream, std::vector<Edge> edges) {
  recordings.at(stream).after = std::move(edges);
}

void forget_stream(cudaStream_t stream) {
  const auto found = recordings.find(stream);
  if (found == recordings.end()) return;
  const std::shared_ptr<Capture> capture = found->second.capture;
  if (capture->origin == stream) {
    std::erase_if(recordings, [&](const auto& entry) { return entry.second.capture == capture; });
    return;
  }
  merge(capture->loose_ends, found->second.after);
  recordings.erase(found);
}

bool is_going_on(const CapturedPoint& point) { return point.capture.lock() != nullptr; }

cudaError_t invalidate(const std::shared_ptr<Capture>& capture, cudaError_t why) {
  if (!capture) return why;
  if (capture->invalid) return cudaErrorStreamCaptureInvalidated;
  capture->invalid = true;
  return why;
}

cudaError_t follow_point(cudaStream_t stream, bool is_blocking, const CapturedPoint& point) {
  const std::shared_ptr<Capture> capture = point.capture.lock();
  if (!capture) return cudaErrorCapturedEvent;
  if (capture->invalid) return cudaErrorStreamCaptureInvalidated;
  if (is_legacy(stream)) return invalidate(capture, cudaErrorStreamCaptureImplicit);
  const auto found = recordings.find(stream);
  if (found == recordings.end()) {
    recordings[stream] = {capture, point.after};
    capture->blocking |= is_blocking;
    return cudaSuccess;
  }
  if (found->second.capture != capture) {
    invalidate(found->second.capture, cudaErrorStreamCaptureMerge);
    return invalidate(capture, cudaErrorStreamCaptureMerge);
  }
  merge(found->second.after, point.after);
  return cudaSuccess;
}

cudaError_t begin_capture(cudaStream_t stream, bool is_blocking, cudaStreamCaptureMode mode,
                          std::shared_ptr<CUgraph_st> into, std::vector<Edge> after) {
  if (is_legacy(stream)) return cudaErrorStreamCaptureUnsupported;
  if (recordings.contains(stream)) return cudaErrorIllegalState;
  auto capture = std::make_shared<Capture>();
  capture->id = ++last_id;
  capture->origin = stream;
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->blocking = is_blocking;
  capture->makes_graph = !into;
  capture->graph = into ? std::move(into) : std::make_shared<CUgraph_st>();
  recordings[stream] = {std::move(capture), std::move(after)};
  return cudaSuccess;
}

cudaError_t end_capture(cudaStream_t stream, std::shared_ptr<CUgraph_st>& graph) {
  graph = nullptr;
  const auto found = recordings.find(stream);
  if (found == recordings.end()) return cudaErrorIllegalState;
  const std::shared_ptr<Capture> capture = found->second.capture;
  if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id())
    return cudaErrorStreamCaptureWrongThread;
  if (capture->origin != stream) return invalidate(capture, cudaErrorStreamCaptureUnmatched);
  const std::set<const CUgraphNode_st*> joined = reached_from(found->second.after);
  std::vector<Edge> ends = capture->loose_ends;
  for (const auto& [other, recording] : recordings)
    if (recording.capture == capture) merge(ends, recording.after);
  const bool unjoined =
      std::ranges::any_of(ends, [&](const Edge& edge) { return !joined.contains(edge.from); });
  std::erase_if(recordings, [&](const auto& entry) { return entry.second.capture == capture; });
  if (capture->invalid) return cudaErrorStreamCaptureInvalidated;
  if (unjoined) return cudaErrorStreamCaptureUnjoined;
  graph = capture->graph;
  return cudaSuccess;
}

cudaStreamCaptureMode exchange_capture_mode(cudaStreamCaptureMode mode) {
  return std::exchange(mode_of_thread, mode);
}

} // namespace simt
