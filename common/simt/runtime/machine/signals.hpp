// Crashes of submissions: in a kernel they end the grid with a diagnostic, in host code they end the program
// with a sentence.
#pragma once

namespace simt {

/// Handles SIGSEGV, SIGBUS, SIGFPE and SIGILL on a stack of its own.
void install_signal_handlers();

/// While a grid runs, a thread that computes for a second of CPU time without using memory or synchronising
/// is ended with a diagnostic, and memory that is closed can be opened for one instruction.
void watch_grid(bool on);

} // namespace simt
