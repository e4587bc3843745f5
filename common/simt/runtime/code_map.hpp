// Which module an address of code or data belongs to.
#pragma once

#include "simt/report/report.hpp"

#include <cstdint>

namespace simt {

enum class HostRange { read_only, writable, stack, elsewhere };

/// What kind of host memory `address` is: constants and code of a loaded module, its variables, the stack of
/// the host thread, or anything else (mostly the heap).
HostRange classify_host_address(std::uintptr_t address);

} // namespace simt
