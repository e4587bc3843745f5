// Where a submission calls a function of the simulator.
#pragma once

#include <cstdint>

/// In the body of a function that submissions call: the call's place, as the address to return to.
#define SIMT_SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))
