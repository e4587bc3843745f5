// Streams and events. Work runs when it is issued, whatever its stream: of all orders that streams allow this
// is the simplest. So streams and events have always come, and waiting for them returns at once.
#include "simt/runtime/api/stream.hpp"

#include "simt/runtime/api/errors.hpp"
#include "simt/runtime/graph/capture.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/reset.hpp"
#include "simt/runtime/schedule/device_launch.hpp"

#include "cuda_runtime_api.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <utility>

using namespace simt;

struct CUevent_st {
  bool timed = true;
  bool recorded = false;
  std::chrono::steady_clock::time_point when;
  std::optional<CapturedPoint> captured{}; ///< if a capture has recorded it last
};

struct CUstream_st {
  unsigned flags = cudaStreamDefault;
  int priority = 0;
  std::map<cudaStreamAttrID, cudaStreamAttrValue> attributes{}; // hints, which nothing here follows
  unsigned long long number = 0;
};

namespace {

// As an H200 answers; lower numbers come first.
constexpr int least_priority = 0, greatest_priority = -5;

std::set<cudaEvent_t> events;
std::set<cudaStream_t> streams;

// The streams that are always there have the numbers of their handles, and null is the legacy one.
unsigned long long last_stream_number = 2;

const OnReset destroy_streams([] {
  for (const cudaEvent_t event : std::exchange(events, {})) delete event;
  for (const cudaStream_t stream : std::exchange(streams, {})) delete stream;
});

cudaError_t create_stream(cudaStream_t* stream, unsigned flags, int priority) {
  if (machine.lane) return create_device_stream(stream, flags);
  if (!stream || flags > cudaStreamNonBlocking) return api_result(cudaErrorInvalidValue);
  *stream =
      *streams.insert(new CUstream_st{flags, std::clamp(priority, greatest_priority, least_priority)}).first;
  (*stream)->number = ++last_stream_number;
  return api_result(cudaSuccess);
}

cudaError_t record_event(cudaEvent_t event, cudaStream_t stream, unsigned flags = cudaEventRecordDefault) {
  if (!events.count(event) || !is_stream(stream)) return api_result(cudaErrorInvalidResourceHandle);
  const Issued issued = issue_into(stream);
  if (issued.error != cudaSuccess) return api_result(issued.error);
  if (issued.how == Issue::run)
    record_now(event);
  else if (flags == cudaEventRecordExternal)
    record_work(stream, RecordWork{event});
  else
    event->captured = CapturedPoint{capture_of(stream), recorded_so_far(stream)};
  return api_result(cudaSuccess);
}

cudaError_t wait_for_event(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  if (event->captured) return follow_point(stream, is_blocking(stream), *event->captured);
  const Issued issued = issue_into(stream);
  if (issued.error != cudaSuccess || issued.how == Issue::run) return issued.error;
  if (flags != cudaEventWaitExternal) return invalidate(capture_of(stream), cudaErrorStreamCaptureIsolation);
  record_work(stream, WaitWork{event});
  return cudaSuccess;
}

/// What a question about an event, or a wait for it, gives: one that is part of a capture has never come.
cudaError_t ask_event(cudaEvent_t event) {
  if (!events.count(event)) return cudaErrorInvalidResourceHandle;
  if (event->captured) return invalidate(event->captured->capture.lock(), cudaErrorCapturedEvent);
  return refuse_unsafe_call();
}

cudaError_t call_host_function(cudaStream_t stream, cudaHostFn_t function, void* data) {
  const Issued issued = issue_into(stream);
  if (issued.error != cudaSuccess) return issued.error;
  if (issued.how == Issue::record)
    record_work(stream, HostWork{{function, data}});
  else if (sticky_error() ==
           cudaSuccess) // after a kernel has failed, functions that come after it do not run
  {
    const HostPause pause;
    function(data);
  }
  return cudaSuccess;
}

} // namespace

bool simt::is_stream(cudaStream_t stream) {
  return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread || streams.count(stream) != 0;
}

bool simt::is_blocking(cudaStream_t stream) {
  return !streams.contains(stream) || stream->flags != cudaStreamNonBlocking;
}

bool simt::is_event(cudaEvent_t event) { return events.contains(event); }

void simt::record_now(cudaEvent_t event) {
  event->captured.reset();
  event->recorded = true;
  event->when = std::chrono::steady_clock::now();
}

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  const HostCall turn;
  return create_stream(stream, cudaStreamDefault, 0);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  const HostCall turn;
  return create_stream(stream, flags, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  const HostCall turn;
  return create_stream(stream, flags, priority);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  const HostCall turn;
  if (least) *least = least_priority;
  if (greatest) *greatest = greatest_priority;
  return api_result(cudaSuccess);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  const HostCall turn;
  if (!flags) return api_result(cudaErrorInvalidValue);
  if (!is_stream(stream)) return api_result(cudaErrorInvalidResourceHandle);
  *flags = streams.count(stream) ? stream->flags : cudaStreamDefault;
  return api_result(cudaSuccess);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  const HostCall turn;
  if (!priority) return api_result(cudaErrorInvalidValue);
  if (!is_stream(stream)) return api_result(cudaErrorInvalidResourceHandle);
  *priority = streams.count(stream) ? stream->priority : 0;
  return api_result(cudaSuccess);
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  const HostCall turn;
  if (!device) return api_result(cudaErrorInvalidValue);
  if (!is_stream(stream)) return api_result(cudaErrorInvalidResourceHandle);
  *device = 0;
  return api_result(cudaSuccess);
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* number) {
  const HostCall turn;
  if (!number) return api_result(cudaErrorInvalidValue);
  if (!is_stream(stream)) return api_result(cudaErrorInvalidResourceHandle);
  *number = streams.count(stream) ? stream->number : stream == cudaStreamPerThread ? 2 : 1;
  return api_result(cudaSuccess);
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
  const HostCall turn;
  if (!streams.contains(stream))
    return api_result(is_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
  if (!value) return api_result(cudaErrorInvalidValue);
  stream->attributes[attribute] = *value;
  if (attribute == cudaStreamAttributePriority)
    stream->priority = std::clamp(value->priority, greatest_priority, least_priority);
  return api_result(cudaSuccess);
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value) {
  const HostCall turn;
  if (!is_stream(stream)) return api_result(cudaErrorInvalidResourceHandle);
  if (!value) return api_result(cudaErrorInvalidValue);
  *value = {};
  if (!streams.contains(stream)) return api_result(cudaSuccess);
  const auto found = stream->attributes.find(attribute);
  if (found != stream->attributes.end()) *value = found->second;
  if (attribute == cudaStreamAttributePriority) value->priority = stream->priority;
  return api_result(cudaSuccess);
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  const HostCall turn;
  if (!is_stream(to) || !is_stream(from)) return api_result(cudaErrorInvalidResourceHandle);
  if (streams.contains(to) && streams.contains(from)) to->attributes = from->attributes;
  return api_result(cudaSuccess);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const HostCall turn;
  if (machine.lane) return destroy_device_stream(stream);
  if (streams.erase(stream) == 0) return api_result(cudaErrorInvalidResourceHandle);
  forget_stream(stream);
  delete stream;
  return api_result(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  const HostCall turn;
  return api_result(is_stream(stream) ? refuse_stream_wait(stream) : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  const HostCall turn;
  return cudaStreamSynchronize(stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  const HostCall turn;
  if (flags > cudaEventWaitExternal) return api_result(cudaErrorInvalidValue);
  if (!is_stream(stream) || !events.count(event)) return api_result(cudaErrorInvalidResourceHandle);
  return api_result(wait_for_event(stream, event, flags));
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  const HostCall turn;
  if (!is_stream(stream)) return api_result(cudaErrorInvalidResourceHandle);
  if (!function) return api_result(cudaErrorInvalidValue);
  return api_result(call_host_function(stream, function, data));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned flags) {
  const HostCall turn;
  if (!callback || flags != 0) return api_result(cudaErrorInvalidValue);
  if (!is_stream(stream)) return api_result(cudaErrorInvalidResourceHandle);
  // Graphs have no callbacks with a status.
  if (const std::shared_ptr<Capture> capture = capture_of(stream))
    return api_result(invalidate(capture, cudaErrorStreamCaptureUnsupported));
  if (const cudaError_t error = issue_into(stream).error; error != cudaSuccess) return api_result(error);
  const cudaError_t status = sticky_error();
  {
    const HostPause pause;
    callback(stream, status, data);
  }
  return api_result(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  const HostCall turn;
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  const HostCall turn;
  constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  bool needs_untimed = flags & cudaEventInterprocess;
  if (!event || (flags & ~known) || (needs_untimed && !(flags & cudaEventDisableTiming)))
    return api_result(cudaErrorInvalidValue);
  *event = *events.insert(new CUevent_st).first;
  (*event)->timed = !(flags & cudaEventDisableTiming);
  return api_result(cudaSuccess);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const HostCall turn;
  if (events.erase(event) == 0) return api_result(cudaErrorInvalidResourceHandle);
  delete event;
  return api_result(cudaSuccess);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const HostCall turn;
  return record_event(event, stream);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  const HostCall turn;
  if (flags > cudaEventRecordExternal) return api_result(cudaErrorInvalidValue);
  return record_event(event, stream, flags);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const HostCall turn;
  return api_result(ask_event(event));
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  const HostCall turn;
  return cudaEventSynchronize(event);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  const HostCall turn;
  if (!milliseconds) return api_result(cudaErrorInvalidValue);
  for (const cudaEvent_t event : {start, end})
    if (events.count(event) && event->captured) return api_result(ask_event(event));
  if (!events.count(start) || !events.count(end) || !start->recorded || !end->recorded || !start->timed ||
      !end->timed)
    return api_result(cudaErrorInvalidResourceHandle);
  *milliseconds = std::chrono::duration<float, std::milli>(end->when - start->when).count();
  return api_result(cudaSuccess);
}

} // extern "C"
