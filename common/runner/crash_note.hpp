#pragma once

namespace warpbook {

/// Where the notes go that the process sends before it dies of a stack overflow of its main thread, or when
/// `new` finds no memory; a signal alone would not tell those from any other death. Call it on the main
/// thread.
void prepare_crash_note(int channel_file);

/// Puts the stack overflow's signal handler in front of the one that is installed now; for use before every
/// entry into a submission, since the simulator installs a handler of its own when it wakes up.
void arm_crash_note();

/// The texts of the notes.
inline constexpr const char* stack_overflow_note = R"({"event":"stack-overflow"})";
inline constexpr const char* out_of_memory_note = R"({"event":"out-of-memory"})";

} // namespace warpbook
