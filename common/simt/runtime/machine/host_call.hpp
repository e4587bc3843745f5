// The threads of the host. One at a time is in the runtime API, and so one at a time launches a kernel and runs it: the
// machine is plain global data. Who comes meanwhile waits. Code of the host that uses memory, and not the API, does not wait.
#pragma once

#include <cstdint>

namespace simt {

/// While one lives, the calling thread of the host is in the runtime. Functions of the API call each other, so a thread may be
/// in it several times. Device code is in it by its launch, and needs no turn of its own. Stands at the beginning of each
/// function of the API (unit.host-calls).
class HostCall {
public:
  HostCall();
  ~HostCall();
  HostCall(const HostCall&) = delete;
  HostCall& operator=(const HostCall&) = delete;

private:
  bool holds_;
};

/// While one lives, the calling thread is not in the runtime, however often it was: a function of the program runs, which may
/// wait for other threads that use the API.
class HostPause {
public:
  HostPause();
  ~HostPause();
  HostPause(const HostPause&) = delete;
  HostPause& operator=(const HostPause&) = delete;

private:
  unsigned depth_;
};

/// How often threads have come into the runtime.
std::uint64_t calls_of_runtime();

/// Whether the calling thread is in the runtime, or keeps others out of it.
bool in_runtime();

/// Keeps all other threads out of the runtime from now on, or no longer: between the calls of a submission's functions, threads
/// that these have left cannot use the device.
void keep_runtime(bool keep);

/// At the end of the program: keeps all other threads out for good. False if one of them stays in for longer than that.
bool enter_for_good(unsigned milliseconds);

/// Whether the process has other threads, as far as the system tells.
bool has_other_threads();

} // namespace simt
