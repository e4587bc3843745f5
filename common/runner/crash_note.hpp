#pragma once

namespace warpbook {

/// Where the note goes that the process sends before it dies of a stack overflow of its main thread;
/// a signal alone would not tell that from any other bad address. Call it on the main thread.
void prepare_crash_note(int channel_file);

/// Puts the note's signal handler in front of the one that is installed now; for use before every
/// entry into a submission, since the simulator installs a handler of its own when it wakes up.
void arm_crash_note();

/// The text of the note.
inline constexpr const char* stack_overflow_note = R"({"event":"stack-overflow"})";

} // namespace warpbook
