#pragma once
// Small kernels whose counters were read on hardware with Nsight Compute (golden.csv). The simulator must
// count the same. Each case is one launch of one kernel.

#include <cstddef>

inline constexpr int golden_name_bytes = 64;

extern "C" {

/// Number of cases.
int golden_cases();

/// Writes the name of the kernel of case `index`, filled up with zeros, to golden_name_bytes chars on the device.
void golden_name(int index, char* name);

/// Launches case `index`, 0 <= index < golden_cases(), once. in: 65,536 floats to read; out: 65,536 floats to
/// write. Both lie on 256-byte boundaries.
void golden_case(int index, const float* in, float* out);
}
