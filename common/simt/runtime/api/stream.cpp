// Streams and events. Work runs when it is issued, whatever its stream: of all orders that streams allow this
// is the simplest. So waiting for streams and events returns at once; what the host has not waited for is kept in unfinished.hpp.
#include "simt/runtime/api/stream.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/api/errors.hpp"
#include "simt/runtime/graph/capture.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/reset.hpp"
#include "simt/runtime/schedule/device_launch.hpp"
#include "simt/runtime/schedule/unfinished.hpp"

#include "cuda_runtime_api.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

using namespace simt;

struct CUevent_st {
  std::uintptr_t created_at = 0;
  bool timed = true;
  bool recorded = false;
  std::chrono::steady_clock::time_point when{};
  StreamPoint point{};                     ///< what has to be done before it comes
  bool was_not_ready = false;              ///< it was asked once
  std::optional<CapturedPoint> captured{}; ///< if a capture has recorded it last
};

struct CUstream_st {
  unsigned flags = cudaStreamDefault;
  int priority = 0;
  std::map<cudaStreamAttrID, cudaStreamAttrValue> attributes{}; // hints, which nothing here follows
  unsigned long long number = 0;
  unsigned place = legacy_stream; ///< number_of()
};

namespace {

// As an H200 answers; lower numbers come first.
constexpr int least_priority = 0, greatest_priority = -5;

std::set<cudaEvent_t> events;
std::set<cudaStream_t> streams;

/// What was destroyed lately, and where. As long as it is here, nothing new has its address.
template <class Object>
class Destroyed {
public:
  void add(Object* object, std::uintptr_t site) {
    constexpr std::size_t most = 256;
    if (all_.size() == most) all_.pop_front();
    all_.emplace_back(object, site);
  }
  /// Where that was; 0 if it was not.
  std::uintptr_t site_of(const Object* object) const {
    const auto found =
        std::ranges::find_if(all_, [=](const auto& each) { return each.first.get() == object; });
    return found == all_.end() ? 0 : found->second;
  }
  void clear() { all_.clear(); }

private:
  std::deque<std::pair<std::unique_ptr<Object>, std::uintptr_t>> all_;
};
Destroyed<CUevent_st> destroyed_events;
Destroyed<CUstream_st> destroyed_streams;

// The streams that are always there have the numbers of their handles, and null is the legacy one.
unsigned long long last_stream_number = 2;

/// Of streams that were asked whether their work is done: up to where the answer was that it is not.
std::map<unsigned, std::uint64_t> questions;

const OnReset destroy_streams([] {
  questions.clear();
  destroyed_events.clear();
  destroyed_streams.clear();
  for (const cudaEvent_t event : std::exchange(events, {})) delete event;
  for (const cudaStream_t stream : std::exchange(streams, {})) delete stream;
});

cudaError_t create_stream(cudaStream_t* stream, unsigned flags, int priority) {
  if (machine.lane) return create_device_stream(stream, flags);
  if (!stream || flags > cudaStreamNonBlocking) return api_result(cudaErrorInvalidValue);
  *stream =
      *streams.insert(new CUstream_st{flags, std::clamp(priority, greatest_priority, least_priority)}).first;
  (*stream)->number = ++last_stream_number;
  (*stream)->place = open_stream(flags != cudaStreamNonBlocking);
  return api_result(cudaSuccess);
}

/// Why a call fails that is given the handle: it is destroyed, or none.
void note_handle(std::uintptr_t destroyed_at, FindingKind<fact::Subject, fact::Error> destroyed,
                 FindingKind<fact::Subject, fact::Error> none) {
  destroyed_at != 0 ? note_reason(destroyed, destroyed_at) : note_reason(none);
}

void note_stream(cudaStream_t stream) {
  note_handle(destroyed_streams.site_of(stream), {"unheard-error", "destroyed-stream"},
              {"unheard-error", "no-stream"});
}

cudaError_t create_event(cudaEvent_t* event, unsigned flags, std::uintptr_t site) {
  constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  bool needs_untimed = flags & cudaEventInterprocess;
  if (!event || (flags & ~known) || (needs_untimed && !(flags & cudaEventDisableTiming)))
    return api_result(cudaErrorInvalidValue);
  *event = *events.insert(new CUevent_st{.created_at = site}).first;
  (*event)->timed = !(flags & cudaEventDisableTiming);
  return api_result(cudaSuccess);
}

/// Whether a time can be taken between an event, of which this is the number in the call, and another one; if not, why.
bool has_time(cudaEvent_t event, std::uint64_t number) {
  if (!is_event(event)) return false;
  if (event->recorded && event->timed) return true;
  using Kind = FindingKind<fact::Subject, fact::Error, fact::Amount>;
  const Kind kind = event->timed ? Kind{"unheard-error", "not-recorded"} : Kind{"unheard-error", "untimed"};
  note_reason([=, creator = host_at(event->created_at)](fact::Subject function, fact::Error error) {
    Finding finding = diagnostic_of<fact::Subject, fact::Error, fact::Amount>(
        kind, std::move(function), std::move(error), fact::Amount{number});
    finding.participants = {creator};
    return finding;
  });
  return false;
}

cudaError_t record_event(cudaEvent_t event, cudaStream_t stream, unsigned flags = cudaEventRecordDefault) {
  if (!is_event(event) || !is_stream(stream)) return api_result(cudaErrorInvalidResourceHandle);
  const Issued issued = issue_into(stream);
  if (issued.error != cudaSuccess) return api_result(issued.error);
  const IntoStream into(number_of(stream));
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
  if (issued.error != cudaSuccess) return issued.error;
  if (issued.how == Issue::run) {
    const IntoStream into(number_of(stream));
    wait_now(event);
    return cudaSuccess;
  }
  if (flags != cudaEventWaitExternal) return invalidate(capture_of(stream), cudaErrorStreamCaptureIsolation);
  record_work(stream, WaitWork{event});
  return cudaSuccess;
}

/// What a question about an event, or a wait for it, gives: one that is part of a capture has never come.
cudaError_t ask_event(cudaEvent_t event) {
  if (!is_event(event)) return cudaErrorInvalidResourceHandle;
  if (event->captured) return invalidate(event->captured->capture.lock(), cudaErrorCapturedEvent);
  return refuse_unsafe_call();
}

/// The host knows of all that comes before a function of its own in the stream.
void tell_host(cudaStream_t stream) {
  const IntoStream into(number_of(stream));
  learn_of(record_point());
}

/// What a device says that is not ready yet. It is no error that is recorded.
cudaError_t not_ready() {
  return sticky_error() != cudaSuccess ? api_result(sticky_error()) : cudaErrorNotReady;
}

cudaError_t call_host_function(cudaStream_t stream, cudaHostFn_t function, void* data) {
  const Issued issued = issue_into(stream);
  if (issued.error != cudaSuccess) return issued.error;
  if (issued.how == Issue::record)
    record_work(stream, HostWork{{function, data}});
  else if (sticky_error() ==
           cudaSuccess) // after a kernel has failed, functions that come after it do not run
  {
    tell_host(stream);
    const HostPause pause;
    function(data);
  }
  return cudaSuccess;
}

} // namespace

bool simt::is_stream(cudaStream_t stream) {
  const bool is_usable =
      !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread || streams.count(stream) != 0;
  if (!is_usable) note_stream(stream);
  return is_usable;
}

Issued simt::issue_if_stream(cudaStream_t stream) {
  if (!machine.lane && !is_stream(stream)) return {Issue::run, cudaErrorInvalidResourceHandle};
  return issue_into(stream);
}

std::uintptr_t simt::where_destroyed(cudaStream_t stream) { return destroyed_streams.site_of(stream); }

bool simt::is_blocking(cudaStream_t stream) {
  return !streams.contains(stream) || stream->flags != cudaStreamNonBlocking;
}

unsigned simt::number_of(cudaStream_t stream) {
  if (streams.contains(stream)) return stream->place;
  return stream == cudaStreamPerThread ? per_thread_stream : legacy_stream;
}

bool simt::is_event(cudaEvent_t event) {
  if (events.contains(event)) return true;
  note_handle(destroyed_events.site_of(event), {"unheard-error", "destroyed-event"},
              {"unheard-error", "no-event"});
  return false;
}

void simt::record_now(cudaEvent_t event) {
  event->captured.reset();
  event->recorded = true;
  event->when = std::chrono::steady_clock::now();
  event->point = record_point();
  event->was_not_ready = false;
}

void simt::wait_now(cudaEvent_t event) { follow(event->point); }

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
  if (streams.erase(stream) == 0) {
    note_stream(stream);
    return api_result(cudaErrorInvalidResourceHandle);
  }
  forget_stream(stream);
  close_stream(stream->place);
  questions.erase(stream->place);
  destroyed_streams.add(stream, SIMT_SITE);
  return api_result(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  const HostCall turn;
  if (!is_stream(stream)) return api_result(cudaErrorInvalidResourceHandle);
  const cudaError_t error = refuse_stream_wait(stream);
  if (error == cudaSuccess) wait_for(end_of(number_of(stream)));
  return api_result(error);
}

// As on a device that takes its time, the first question comes too early, unless the host has waited. The next one does not.
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  const HostCall turn;
  if (!is_stream(stream)) return api_result(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = refuse_stream_wait(stream); error != cudaSuccess) return api_result(error);
  const StreamPoint end = end_of(number_of(stream));
  std::uint64_t all = end.number;
  for (const std::uint64_t others : end.before) all += others;
  if (!is_done(end) && std::exchange(questions[end.stream], all) != all) return not_ready();
  learn_of(end);
  return api_result(cudaSuccess);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  const HostCall turn;
  if (flags > cudaEventWaitExternal) return api_result(cudaErrorInvalidValue);
  if (!is_stream(stream) || !is_event(event)) return api_result(cudaErrorInvalidResourceHandle);
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
    tell_host(stream);
    const HostPause pause;
    callback(stream, status, data);
  }
  return api_result(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  const HostCall turn;
  return create_event(event, cudaEventDefault, SIMT_SITE);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  const HostCall turn;
  return create_event(event, flags, SIMT_SITE);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const HostCall turn;
  if (!is_event(event)) return api_result(cudaErrorInvalidResourceHandle);
  events.erase(event);
  destroyed_events.add(event, SIMT_SITE);
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
  const cudaError_t error = ask_event(event);
  if (error == cudaSuccess) wait_for(event->point);
  return api_result(error);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  const HostCall turn;
  if (const cudaError_t error = ask_event(event); error != cudaSuccess) return api_result(error);
  if (!is_done(event->point) && !std::exchange(event->was_not_ready, true)) return not_ready();
  learn_of(event->point);
  return api_result(cudaSuccess);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  const HostCall turn;
  if (!milliseconds) return api_result(cudaErrorInvalidValue);
  for (const cudaEvent_t event : {start, end})
    if (events.count(event) && event->captured) return api_result(ask_event(event));
  if (!has_time(start, 1) || !has_time(end, 2)) return api_result(cudaErrorInvalidResourceHandle);
  if (!is_done(start->point) || !is_done(end->point)) {
    note_reason({"unheard-error", "not-ready"});
    return not_ready();
  }
  *milliseconds = std::chrono::duration<float, std::milli>(end->when - start->when).count();
  return api_result(cudaSuccess);
}

} // extern "C"
