// Copies that run in the background until a thread waits for them. They are made then, as late as possible.
#include "simt/runtime/memory/memory_access.hpp"
#include "simt/runtime/schedule/control.hpp"

#include <cstring>

using namespace simt;

namespace {

BackgroundCopies& copies_of_lane() {
  Block& block = *machine.block;
  if (block.copies.empty()) block.copies.resize(block.lanes.size());
  return block.copies[machine.lane->thread];
}

/// Makes those of the lane's copies that `is_due` holds for.
template <class IsDue>
void make_copies(BackgroundCopies& copies, const IsDue& is_due) {
  std::vector<PendingCopy> started;
  std::swap(started, copies.pending);
  unsigned part = 0;
  for (const PendingCopy& copy : started) {
    if (!is_due(copy)) {
      copies.pending.push_back(copy);
      continue;
    }
    access_memory(reinterpret_cast<std::uintptr_t>(copy.from), copy.bytes, Access::read, copy.site, part);
    char read[16];
    std::memcpy(read, copy.from, copy.bytes);
    access_memory(reinterpret_cast<std::uintptr_t>(copy.to), copy.bytes, Access::write, copy.site, part);
    std::memcpy(copy.to, read, copy.bytes);
    ++part;
  }
}

} // namespace

void simt::complete_copies_for(std::uintptr_t barrier) {
  if (machine.block->copies.empty()) return;
  make_copies(copies_of_lane(), [&](const PendingCopy& copy) { return copy.barrier == barrier; });
}

extern "C" {

void __simt_copy_async(void* to, const void* from, unsigned bytes) {
  require_kernel("memcpy_async()");
  BackgroundCopies& copies = copies_of_lane();
  copies.pending.push_back(
      {to, from, bytes, copies.next_batch, 0, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))});
}

void __simt_copy_async_for(void* barrier, void* to, const void* from, unsigned bytes) {
  require_kernel("memcpy_async()");
  copies_of_lane().pending.push_back({to, from, bytes, 0, reinterpret_cast<std::uintptr_t>(barrier),
                                      reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))});
}

void __simt_copy_commit(void) {
  require_kernel("memcpy_async()");
  ++copies_of_lane().next_batch;
}

void __simt_copy_wait(unsigned allowed) {
  require_kernel("wait()");
  BackgroundCopies& copies = copies_of_lane();
  make_copies(copies, [&](const PendingCopy& copy) {
    return copy.barrier == 0 && copy.batch + allowed < copies.next_batch;
  });
}

} // extern "C"
