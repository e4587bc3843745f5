#include "runner/execute.hpp"

#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <vector>

#include "runner/backend.hpp"
#include "runner/crash_note.hpp"
#include "runner/cuda_error.hpp"
#include "runner/device_buffer.hpp"
#include "runner/dispatch.hpp"

namespace warpbook {
namespace {

/// The function under grading threw; what() is its message.
struct FunctionThrew : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Event {
public:
  Event() { WARPBOOK_CUDA(cudaEventCreate(&event_)); }
  ~Event() { static_cast<void>(cudaEventDestroy(event_)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record() { WARPBOOK_CUDA(cudaEventRecord(event_, nullptr)); }
  double milliseconds_since(const Event& start) const {
    float milliseconds = 0;
    WARPBOOK_CUDA(cudaEventElapsedTime(&milliseconds, start.event_, event_));
    return milliseconds;
  }

private:
  cudaEvent_t event_ = nullptr;
};

bool has_children() { return ::waitpid(-1, nullptr, WNOHANG | __WALL) >= 0; }

std::uint64_t call_function(const Dispatch& function) {
  const pid_t own = ::getpid();
  std::uint64_t result = 0;
  try {
    result = function();
  } catch (const std::exception& error) {
    throw FunctionThrew(error.what());
  } catch (...) {
    throw FunctionThrew("an exception that is no std::exception");
  }
  // A copy of this process that the function made must not answer in its name.
  if (::getpid() != own) ::_exit(0);
  return result;
}

std::vector<DeviceBuffer> make_buffers(const Call& call, std::span<std::byte> memory) {
  std::vector<DeviceBuffer> buffers;
  buffers.reserve(call.arguments.size());
  for (const Argument& argument : call.arguments) {
    if (!argument.is_buffer) continue;
    const bool restored = call.repetitions > 1 && argument.buffer.direction == Direction::inout;
    buffers.emplace_back(argument.buffer, memory, restored);
  }
  return buffers;
}

void run(void* function, const Call& call, std::span<std::byte> memory, RawReply& reply) {
  std::vector<DeviceBuffer> buffers = make_buffers(call, memory);
  std::vector<void*> addresses;
  for (const DeviceBuffer& buffer : buffers) addresses.push_back(buffer.payload());
  const Dispatch dispatch(function, call, addresses);
  WARPBOOK_CUDA(cudaDeviceSynchronize());
  arm_crash_note();

  Event start;
  Event stop;
  for (int repetition = 0; repetition < call.repetitions; ++repetition) {
    if (repetition > 0) {
      for (DeviceBuffer& buffer : buffers) buffer.restore();
      WARPBOOK_CUDA(cudaDeviceSynchronize());
    }
    start.record();
    reply.returned_bits = call_function(dispatch);
    // A failed launch leaves no trace but this; later calls would only repeat it or hide it.
    WARPBOOK_CUDA(cudaGetLastError());
    stop.record();
    WARPBOOK_CUDA(cudaDeviceSynchronize());
    if (backend::measures_time()) reply.times_ms.push_back(stop.milliseconds_since(start));
  }
  for (const DeviceBuffer& buffer : buffers) buffer.fetch(memory);
}

} // namespace

RawReply execute(const Module& module, const Call& call, std::span<std::byte> memory) {
  RawReply reply;
  reply.token = call.token;
  void* function = module.find(call.function);
  if (function == nullptr) {
    reply.status = RawReply::Status::missing_function;
    return reply;
  }
  const bool had_children = has_children();
  backend::begin_call(call);
  try {
    run(function, call, memory, reply);
  } catch (const FunctionThrew& error) {
    reply.status = RawReply::Status::exception;
    reply.error_text = error.what();
  } catch (const CudaError& error) {
    reply.status = RawReply::Status::cuda_error;
    reply.error_name = cudaGetErrorName(error.code);
    reply.error_text = cudaGetErrorString(error.code);
    reply.error_origin = error.origin;
  }
  reply.report = backend::take_report();
  reply.left_processes = !had_children && has_children();
  std::fflush(nullptr);
  return reply;
}

} // namespace warpbook
