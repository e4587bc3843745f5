#pragma once

// The contract of lab 01. Your file, coalescing.cu, implements these functions; the build
// includes this header in front of it, so a wrong signature is a compile error.
//
// Rules of every contract: pointers are device pointers; work goes to the default stream; a
// function may return before the device has finished; n may be 0.

#include <cstddef>

extern "C" {

/// Adds one to n elements of `a`, starting at element `offset`: a[offset + i] += 1 for i in [0, n).
///
/// a        device array of offset + n floats (f32) or doubles (f64). a[0] lies on a 256-byte
///          boundary, so a[offset] need not. Elements before `offset` must not change, and nothing
///          outside the array may be read or written.
/// n        number of elements to change, 0 to 2^31 - 1.
/// offset   index of the first one, 0 to 32.
void offset_add_f32(float* a, std::size_t n, std::size_t offset);
void offset_add_f64(double* a, std::size_t n, std::size_t offset);

}
