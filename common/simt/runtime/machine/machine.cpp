#include "simt/runtime/machine/machine.hpp"

#include "simt/runtime/machine/reset.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/resource.h>
#include <vector>

namespace simt {

Machine machine;

namespace {

std::vector<void (*)()>& reset_actions() {
  static std::vector<void (*)()> actions; // files add theirs before main, in any order
  return actions;
}

// What threads find in shared memory and in variables that were not set.
const OnReset clear_memory([] {
  if (machine.arena == 0) return;
  madvise(reinterpret_cast<void*>(machine.arena), shared_span, MADV_DONTNEED);
  madvise(reinterpret_cast<void*>(stacks.begin), stacks.bytes, MADV_DONTNEED);
});

/// A limit on memory is one on what the submission takes; address space that is only reserved is none of
/// that.
void raise_data_limit(std::size_t bytes) {
  rlimit limit = {};
  if (getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  limit.rlim_cur = std::min(limit.rlim_max, limit.rlim_cur + bytes);
  setrlimit(RLIMIT_DATA, &limit);
}

} // namespace

void* reserve_memory(std::size_t bytes, std::uintptr_t wish) {
  raise_data_limit(bytes);
  void* memory = mmap(reinterpret_cast<void*>(wish), bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::runtime_error("the simulator cannot reserve " + std::to_string(bytes >> 20) +
                             " MiB of address space (is there a limit on virtual memory?)");
  return memory;
}

void end_for_want_of_memory() {
  if (const std::new_handler tell = std::get_new_handler()) tell();
  std::abort();
}

OnReset::OnReset(void (*action)()) { reset_actions().push_back(action); }

void reset_device() {
  for (void (*action)() : reset_actions()) action();
}

} // namespace simt
