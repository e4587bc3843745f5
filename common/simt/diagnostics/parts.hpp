// What diagnostics are put together from.
#pragma once

#include "simt/runtime/machine/machine.hpp"

#include <cstdint>
#include <string>

namespace simt {

/// A diagnostic about the kernel of the running grid; in host code, about none.
Diagnostic diagnostic_of(const char* id);

/// "writes 4 bytes"
std::string access_text(Access access, unsigned size);

/// The running thread, or host code, at a call given by its return address.
Participant running_thread(std::string action, std::uintptr_t site);
/// The same, which accesses memory.
Participant accessing_thread(Access access, unsigned size, std::string action, std::uintptr_t site);
/// Somebody at a source line; the running thread, if there is one.
Participant at_line(std::string action, const char* file, int line);
/// A lane of a block at a source line.
Participant lane_at_line(const Block& block, const Lane& lane, std::string action, const char* file,
                         int line);
/// Host code at a source line.
Participant host_at_line(std::string action, const char* file, int line);

/// A stand-in for a return address where a source line says more.
std::uintptr_t site_of(const char* file, int line);

} // namespace simt
