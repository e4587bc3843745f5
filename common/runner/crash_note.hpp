#pragma once

#include <cstdint>

namespace warpbook {

/// Where the notes go that the process sends before it dies of a stack overflow of its main thread, or when
/// `new` finds no memory; a signal alone would not tell those from any other death. Call it on the main
/// thread.
void prepare_crash_note(int channel_file);

/// Puts the stack overflow's signal handler in front of the one that is installed now; for use before every
/// entry into a submission, since the simulator installs a handler of its own when it wakes up.
void arm_crash_note();

/// Notes a crash of the submission's host code: why (a clause without quotation marks), and at which instruction. For
/// use in a signal handler.
void send_crash_note(const char* cause, std::uintptr_t instruction);

/// The texts of the notes; that of a crash has the event "host-crash", "cause", "module" and "offset".
inline constexpr const char* stack_overflow_note = R"({"event":"stack-overflow"})";
inline constexpr const char* out_of_memory_note = R"({"event":"out-of-memory"})";

} // namespace warpbook
