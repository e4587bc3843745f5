#pragma once

// The contract of lab 04. Your file, dot_product.cu, implements these functions; the build includes this
// header in front of it. Keep the signatures. A function with another result type does not compile. A function
// with other parameters is another function in C++; the check then reports that this one is missing.
//
// Rules of every contract: pointers are device pointers; work goes to the default stream; a function may
// return before the device has finished; n may be 0. Nothing outside the arrays may be read or written, and
// arrays do not overlap.
//
// The device computes the results. In one call, at most 16 bytes may go to the host (a flag, for example) and at most
// 4096 bytes to the device (parameters, for example), by copies or in any other way.
//
// For all functions of this lab:
//
// a, b     device arrays of n elements each, read only. Each begins at any multiple of its element's size (4
//          or 8 bytes); a and b need not lie equally far past a 16-byte boundary.
// n        number of elements, from 0 to as many as fit into the device's memory: they can need more than 32
//          bits. The sum of no products is 0, and is written like any other.
// outputs  lie on a 256-byte boundary. They hold arbitrary values before the call.
//
// The arrays hold finite numbers, and no product or sum of them leaves the range of normal numbers. A sum s of the
// k products a[i] * b[i] may differ from the exact one by
//
//          16 * eps * (1 + log2(k)) * (|a[0] * b[0]| + |a[1] * b[1]| + ...),
//
// where eps is 2^-23 for float and 2^-52 for double. (more.md, "How far the sum may be off", derives it.)

#include <cstddef>

extern "C" {

/// The dot product of every 256 elements: sums[k] = a[256 k] * b[256 k] + ... + a[256 k + 255] * b[256 k + 255].
///
/// sums     device array of n / 256 floats, rounded up, all written. The last sum is that of the rest of n.
void block_dots_f32(float* sums, const float* a, const float* b, std::size_t n);

/// The dot product: *result = a[0] * b[0] + ... + a[n - 1] * b[n - 1].
///
/// result   one float (f32) or double (f64) on the device.
void dot_f32(float* result, const float* a, const float* b, std::size_t n);
void dot_f64(double* result, const double* a, const double* b, std::size_t n);

/// The same, and the same bits whenever it is called with the same numbers, n and device: the order of the
/// additions must not depend on which block or thread is faster. One kernel launch.
void dot_deterministic_f32(float* result, const float* a, const float* b, std::size_t n);

/// Not a task: teaching steps whose grid can be chosen have it, for the bench. dot_f32 with so many blocks, 1 to 2^16.
void dot_in_blocks_f32(float* result, const float* a, const float* b, std::size_t n, unsigned blocks);
}
