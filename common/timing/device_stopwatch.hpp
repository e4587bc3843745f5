#pragma once
/// Device time by events, and the L2 cache emptied of what is to be measured. C++17 over the CUDA runtime
/// API, for .cu and .cpp files.
///
/// On the simulator these calls exist and work runs at once; the times are those of the simulator's own
/// program, and mean nothing about a GPU. There, count (./warpbook bench LAB --backend sim).

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "timing/cuda_error.hpp"

namespace warpbook {

/// A point in the work of the default stream.
class DeviceEvent {
public:
  DeviceEvent() { WARPBOOK_CUDA(cudaEventCreate(&event_)); }
  ~DeviceEvent() { static_cast<void>(cudaEventDestroy(event_)); }
  DeviceEvent(const DeviceEvent&) = delete;
  DeviceEvent& operator=(const DeviceEvent&) = delete;

  /// The event is where the stream's work issued so far ends. Returns at once.
  void record() { WARPBOOK_CUDA(cudaEventRecord(event_, nullptr)); }
  /// Waits until the device has come here.
  void wait() { WARPBOOK_CUDA(cudaEventSynchronize(event_)); }
  /// Device time from `start` to here; both must have been reached. Resolution about half a microsecond.
  double seconds_since(const DeviceEvent& start) const {
    float milliseconds = 0;
    WARPBOOK_CUDA(cudaEventElapsedTime(&milliseconds, start.event_, event_));
    return static_cast<double>(milliseconds) * 1e-3;
  }

private:
  cudaEvent_t event_ = nullptr;
};

/// Overwrites a buffer of four times the L2 cache, so that nothing of what was there before is left in it.
class L2Flush {
public:
  L2Flush() {
    int device = 0;
    int l2_bytes = 0;
    WARPBOOK_CUDA(cudaGetDevice(&device));
    WARPBOOK_CUDA(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device));
    bytes_ = 4 * static_cast<std::size_t>(std::max(l2_bytes, 1 << 20));
    WARPBOOK_CUDA(cudaMalloc(&buffer_, bytes_));
  }
  ~L2Flush() { static_cast<void>(cudaFree(buffer_)); }
  L2Flush(const L2Flush&) = delete;
  L2Flush& operator=(const L2Flush&) = delete;

  std::size_t bytes() const { return bytes_; }
  /// Issues the writes and returns; the device is still at it for tens of microseconds.
  void issue() { WARPBOOK_CUDA(cudaMemsetAsync(buffer_, 0x5A, bytes_, nullptr)); }

private:
  void* buffer_ = nullptr;
  std::size_t bytes_ = 0;
};

/// How long memory that was freed disturbs what runs after it, with room to spare. The driver clears freed memory
/// before any program gets it again, behind the program's back; until that is done, reads of other memory run at about
/// 0.87 of their speed, in other processes too. Measured on an H200 (driver 580): 16 GiB for 40 ms, 4 GiB for 10 ms,
/// 1 GiB for 2.4 ms, that is 430 GB/s, whether the memory had been used and whether the GPU was busy or idle. This is
/// for 200 GB/s. Wait for so long between a cudaFree of many MiB and a measurement.
constexpr std::chrono::nanoseconds scrubbing_time(std::size_t freed_bytes) {
  return std::chrono::nanoseconds(freed_bytes / 200);
}

/// What the L2 cache holds when the timed work begins.
enum class L2 {
  cold, ///< nothing of the work's data: it was flushed
  warm  ///< whatever set-up and the repetition before left there
};

/// Times work on the default stream with events. With a cold L2 the flush is still running while the host
/// records the first event and launches the work; the launch's latency (several microseconds) passes in its
/// shadow and is not in the time. With a warm L2 it is.
class DeviceStopwatch {
public:
  explicit DeviceStopwatch(L2 l2) : is_cold_(l2 == L2::cold) {
    if (is_cold_) flush_ = new L2Flush;
  }
  ~DeviceStopwatch() { delete flush_; }
  DeviceStopwatch(const DeviceStopwatch&) = delete;
  DeviceStopwatch& operator=(const DeviceStopwatch&) = delete;

  /// Of device memory, which the destructor frees.
  std::size_t bytes() const { return is_cold_ ? flush_->bytes() : 0; }

  /// Seconds of device time from the first to the last thing that `work` issues. Waits for the end, so that
  /// an error of a kernel is thrown here.
  template <typename Work>
  double measure(Work&& work) {
    if (is_cold_)
      flush_->issue();
    else
      WARPBOOK_CUDA(cudaDeviceSynchronize()); // set-up that is still running is not the work's time
    start_.record();
    work();
    WARPBOOK_CUDA(cudaGetLastError());
    stop_.record();
    stop_.wait();
    WARPBOOK_CUDA(cudaDeviceSynchronize());
    return stop_.seconds_since(start_);
  }

private:
  bool is_cold_;
  L2Flush* flush_ = nullptr;
  DeviceEvent start_;
  DeviceEvent stop_;
};

} // namespace warpbook
