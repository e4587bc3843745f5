#pragma once

namespace simt {

/// The order in which the simulator runs lanes, warps and blocks. All are legal on hardware, which has one of its own.
enum class Schedule { forward, reverse, random };

} // namespace simt
