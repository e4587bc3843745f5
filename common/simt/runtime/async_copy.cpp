// Copies that run in the background until a thread waits for them. They are made then, as late as possible.
#include "simt/runtime/memory_access.hpp"
#include "simt/runtime/scheduler.hpp"

#include <cstring>

using namespace simt;

extern "C" {

void __simt_copy_async(void* to, const void* from, unsigned bytes) {
  require_kernel("memcpy_async()");
  machine.lane->copies.push_back({to, from, bytes, machine.lane->copy_batch,
                                  reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))});
}

void __simt_copy_commit(void) {
  require_kernel("memcpy_async()");
  ++machine.lane->copy_batch;
}

void __simt_copy_wait(unsigned pending) {
  require_kernel("wait()");
  std::vector<PendingCopy> copies;
  std::swap(copies, machine.lane->copies);
  unsigned part = 0;
  for (const PendingCopy& copy : copies) {
    if (copy.batch + pending >= machine.lane->copy_batch) {
      machine.lane->copies.push_back(copy);
      continue;
    }
    access_memory(reinterpret_cast<std::uintptr_t>(copy.from), copy.bytes, Access::read, copy.site, part);
    access_memory(reinterpret_cast<std::uintptr_t>(copy.to), copy.bytes, Access::write, copy.site, part);
    std::memmove(copy.to, copy.from, copy.bytes);
    ++part;
  }
}

} // extern "C"
