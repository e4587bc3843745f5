#include "simt/runtime/machine/host_call.hpp"

#include "simt/runtime/machine/machine.hpp"
#include "simt/runtime/machine/signal_stack.hpp"

#include <chrono>
#include <dirent.h>
#include <mutex>
#include <utility>

namespace simt {

namespace {

std::timed_mutex runtime_guard;
thread_local unsigned times_in_runtime = 0; ///< how often this thread is in the runtime
thread_local bool keeps_others_out = false;

} // namespace

HostCall::HostCall() : holds_(!machine.lane) {
  if (!holds_ || times_in_runtime++ > 0) return;
  runtime_guard.lock();
  prepare_thread_for_signals();
}

HostCall::~HostCall() {
  if (holds_ && --times_in_runtime == 0) runtime_guard.unlock();
}

HostPause::HostPause() : depth_(std::exchange(times_in_runtime, 0)) {
  if (depth_ > 0) runtime_guard.unlock();
}

HostPause::~HostPause() {
  if (depth_ == 0) return;
  runtime_guard.lock();
  times_in_runtime = depth_;
}

bool in_runtime() { return times_in_runtime != 0; }

void keep_runtime(bool keep) {
  if (std::exchange(keeps_others_out, keep) == keep) return;
  if (keep) {
    if (times_in_runtime++ == 0) runtime_guard.lock();
  } else if (--times_in_runtime == 0) {
    runtime_guard.unlock();
  }
}

bool enter_for_good(unsigned milliseconds) {
  if (times_in_runtime == 0 && !runtime_guard.try_lock_for(std::chrono::milliseconds(milliseconds)))
    return false;
  ++times_in_runtime;
  return true;
}

bool has_other_threads() {
  DIR* const threads = opendir("/proc/self/task");
  if (!threads) return false;
  unsigned count = 0;
  while (const dirent* entry = readdir(threads)) count += entry->d_name[0] != '.';
  closedir(threads);
  return count > 1;
}

} // namespace simt
