#include "simt/runtime/machine/host_call.hpp"

#include "simt/runtime/machine/machine.hpp"
#include "simt/runtime/machine/signal_stack.hpp"

#include <chrono>
#include <fcntl.h>
#include <mutex>
#include <sys/stat.h>
#include <utility>

namespace simt {

namespace {

std::timed_mutex runtime_guard;
std::uint64_t times_entered = 0;
thread_local unsigned times_in_runtime = 0; ///< how often this thread is in the runtime
thread_local bool keeps_others_out = false;

} // namespace

HostCall::HostCall() : holds_(!machine.lane) {
  if (!holds_ || times_in_runtime++ > 0) return;
  runtime_guard.lock();
  ++times_entered;
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

std::uint64_t calls_of_runtime() { return times_entered; }

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
  // Opened at once: a program that is confined may not open it, but may put something else in its place. It has a link for each
  // thread, beside two of its own.
  static const int threads = ::open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct stat found = {};
  static const ino_t own = ::fstat(threads, &found) == 0 ? found.st_ino : 0;
  return ::fstat(threads, &found) == 0 && found.st_ino == own && found.st_nlink > 3;
}

} // namespace simt
