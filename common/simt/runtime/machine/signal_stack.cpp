#include "simt/runtime/machine/signal_stack.hpp"

#include <csignal>
#include <cstddef>
#include <sys/mman.h>

namespace simt {

namespace {

/// The stack of a thread that has none yet; it ends with the thread.
class SignalStack {
public:
  SignalStack() {
    stack_t known = {};
    if (sigaltstack(nullptr, &known) != 0 || (known.ss_flags & SS_DISABLE) == 0) return;
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    memory_ = memory;
    stack_t own = {};
    own.ss_sp = memory_;
    own.ss_size = bytes;
    sigaltstack(&own, nullptr);
  }
  ~SignalStack() {
    if (!memory_) return;
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    munmap(memory_, bytes);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

private:
  static constexpr std::size_t bytes = 256 * 1024;
  void* memory_ = nullptr;
};

} // namespace

void prepare_thread_for_signals() { thread_local const SignalStack stack; }

} // namespace simt
