// One reset for the state of the device, wherever it is kept.
#pragma once

namespace simt {

/// Whoever keeps state of the device that outlives a launch has one of these, at namespace scope: what puts that state back
/// as it was when the process began.
struct OnReset {
  explicit OnReset(void (*action)());
};

/// Puts all of it back: cudaDeviceReset. What is recorded already stays, for take_report(); the variables of a module are
/// the module's own.
void reset_device();

} // namespace simt
