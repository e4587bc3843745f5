#pragma once

// The contract of lab @NUMBER@. Your file, @KERNEL@.cu, implements these functions; the build includes this
// header in front of it. Keep names, parameters and result types as they are here: the check names a function
// that has other ones.
//
// Rules of every contract: pointers are device pointers; work goes to the default stream; a
// function may return before the device has finished; n may be 0. Nothing outside the arrays may
// be read or written, and arrays do not overlap. Unless a function says otherwise, its arrays begin
// on a 256-byte boundary.
//
// The device computes the results. In one call at most 16 bytes to the host (a flag, say) and at most 4096 bytes to the
// device (parameters, say) may cross between the two, by copies or in any other way.

#include <cstddef>

extern "C" {

/// Doubles n floats: out[i] = 2 * in[i] for i in [0, n).
///
/// out   device array of n floats, all elements written.
/// in    device array of n floats, read only.
/// n     number of elements, 0 to 2^31 - 1.
void @KERNEL@_f32(float* out, const float* in, std::size_t n);

} // extern "C"
