// What cudaDeviceSetLimit limits beside the heap: the stack of a thread, and the buffer for what a launch prints. The simulator gives
// more of both, and says where a device would not.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt {

struct DeviceLimits {
  std::size_t stack = 1024;
  std::size_t printed = 1 << 20;
};
extern DeviceLimits device_limits;

/// A launch by the host begins.
void watch_limits();

/// The running lane's stack is deeper than Machine::deep_stack says, which is looked at once in a launch: it counts if it comes from
/// recursion. Of arrays a device knows how much a kernel takes.
void note_deep_stack(std::uintptr_t site);
/// A stack is full, which says more.
void forget_deep_stack();
/// The launch has ended: reports a stack that was deep.
void report_deep_stack();

} // namespace simt
