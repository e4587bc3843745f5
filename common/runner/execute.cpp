#include "runner/execute.hpp"

#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <iterator>
#include <thread>
#include <vector>

#include "runner/backend.hpp"
#include "runner/crash_note.hpp"
#include "runner/device_buffer.hpp"
#include "runner/dispatch.hpp"
#include "timing/benchmark.hpp"
#include "timing/device_stopwatch.hpp"

namespace warpbook {
namespace {

/// The function under grading threw; what() is its message.
struct FunctionThrew : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Whether the call's times are looked at, or may do so right after it.
bool is_measured(const Call& call) {
  return call.cold || call.warm_ups > 0 || std::max(call.repetitions, call.most_repetitions) > 1;
}

/// Keeps what calls have freed from disturbing measured ones, of other processes too (scrubbing_time).
class Scrubbing {
public:
  void begin(std::size_t freed_bytes) {
    done_ = std::max(done_, std::chrono::steady_clock::now()) + scrubbing_time(freed_bytes);
  }
  void wait() const { std::this_thread::sleep_until(done_); }

private:
  std::chrono::steady_clock::time_point done_;
};

bool has_children() { return ::waitpid(-1, nullptr, WNOHANG | __WALL) >= 0; }

std::uint64_t call_function(const Dispatch& function) {
  const backend::Copies copies(backend::Copies::of_submission);
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
    const bool restored = is_measured(call) && argument.buffer.direction != Direction::in;
    buffers.emplace_back(argument.buffer, memory, restored);
  }
  return buffers;
}

/// Returns how many bytes of device memory it has freed in the end.
std::size_t run(void* function, const Call& call, std::span<std::byte> memory, RawReply& reply) {
  std::vector<DeviceBuffer> buffers = make_buffers(call, memory);
  std::vector<void*> addresses;
  for (const DeviceBuffer& buffer : buffers) addresses.push_back(buffer.payload());
  const Dispatch dispatch(function, call, addresses);
  WARPBOOK_CUDA(cudaDeviceSynchronize());
  arm_crash_note();

  BenchmarkOptions loop;
  loop.warm_ups = backend::measures_time() ? call.warm_ups : 0; // they would be counted
  loop.at_least = call.repetitions;
  loop.at_most =
      backend::measures_time() ? std::max(call.repetitions, call.most_repetitions) : call.repetitions;
  loop.uncertainty = call.uncertainty;
  bool is_first = true;
  loop.set_up = [&] {
    // In-out buffers get their contents back, outputs their poison.
    for (DeviceBuffer& buffer : buffers) {
      if (!is_first) buffer.restore();
    }
    is_first = false;
  };
  DeviceStopwatch stopwatch(call.cold && backend::measures_time() ? L2::cold : L2::warm);
  const std::vector<double> seconds = repeat(
      stopwatch, [&] { reply.returned_bits = call_function(dispatch); }, loop);
  if (backend::measures_time()) {
    for (const double time : seconds) reply.times_ms.push_back(1e3 * time);
  }
  std::size_t freed = stopwatch.bytes();
  auto buffer = buffers.begin();
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    if (!call.arguments[i].is_buffer) continue;
    buffer->fetch(memory);
    std::ranges::move(buffer->strays(i), std::back_inserter(reply.strays));
    freed += buffer->bytes();
    ++buffer;
  }
  return freed;
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
  static Scrubbing scrubbing;
  const bool has_to_wait = backend::measures_time() && is_measured(call);
  if (has_to_wait) scrubbing.wait();
  backend::begin_call(call);
  try {
    scrubbing.begin(run(function, call, memory, reply));
    if (has_to_wait) scrubbing.wait();
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
  reply.trace = backend::take_trace();
  if (!call.watched.empty()) reply.diaries = backend::take_diaries();
  reply.left_processes = !had_children && has_children();
  std::fflush(nullptr);
  return reply;
}

} // namespace warpbook
