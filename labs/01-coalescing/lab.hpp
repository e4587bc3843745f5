#pragma once

// The contract of lab 01. Your file, coalescing.cu, implements these functions; the build includes this
// header in front of it. Keep the signatures. A function with another result type does not compile. A function
// with other parameters is another function in C++; the check then reports that this one is missing.
//
// Rules of every contract: pointers are device pointers; work goes to the default stream; a
// function may return before the device has finished; n may be 0. Nothing outside the arrays may
// be read or written, and arrays do not overlap. Unless a function says otherwise, its arrays begin
// on a 256-byte boundary.
//
// The device computes the results. In one call, at most 16 bytes may go to the host (a flag, for example) and at most
// 4096 bytes to the device (parameters, for example), by copies or in any other way.

#include <cstddef>

extern "C" {

/// Adds one to n elements of `a`, starting at element `offset`: a[offset + i] += 1 for i in [0, n).
///
/// a        device array of offset + n floats (f32) or doubles (f64). Elements before `offset` must
///          not change. a[0] lies on a 256-byte boundary, so a[offset] need not.
/// n        number of elements to change, 0 to 2^31 - 1.
/// offset   index of the first one; 0 to 32 in most calls. offset + n may exceed 2^32.
void offset_add_f32(float* a, std::size_t n, std::size_t offset);
void offset_add_f64(double* a, std::size_t n, std::size_t offset);

/// Adds one to every stride-th element of `a`: a[i * stride] += 1 for i in [0, n).
///
/// a        device array of n * stride floats (f32) or doubles (f64). The elements in between must
///          not change.
/// n        number of elements to change, 0 to 2^31 - 1. n * stride may exceed 2^32.
/// stride   distance from one changed element to the next, in elements, at least 1; 1 to 32 in most calls.
void stride_add_f32(float* a, std::size_t n, std::size_t stride);
void stride_add_f64(double* a, std::size_t n, std::size_t stride);

/// Copies n floats from `in` to `out`, 16 bytes per access wherever that is possible.
///
/// out, in  device arrays of n floats, each at any address that is a multiple of 4 bytes. Only where
///          both are equally far past a 16-byte boundary can one 16-byte access on each side serve
///          the same elements; otherwise any coalesced copy is right.
/// n        number of elements, 0 to 2^31 - 1.
void copy_vectorized(float* out, const float* in, std::size_t n);

/// One particle of an array of structures: 8 floats, 32 bytes.
struct alignas(16) Particle {
  float x, y, z;    ///< position
  float mass;       ///< not needed to move it
  float vx, vy, vz; ///< velocity
  float charge;     ///< not needed to move it
};

/// Moves particles by one time step, and changes their layout: reads an array of structures, writes
/// a structure of arrays. x[i] = particles[i].x + dt * particles[i].vx, and the same for y and z. Product and sum may
/// be rounded separately, or together as in a fused multiply-add.
///
/// x, y, z    device arrays of n floats each: the new positions, all elements written.
/// particles  device array of n particles, read only.
/// n          number of particles, 0 to 2^31 - 1.
/// dt         length of the time step; finite.
void advance_particles(float* x, float* y, float* z, const Particle* particles, std::size_t n, float dt);

/// Sums every column of a row-major matrix: sums[c] = matrix[0 * cols + c] + … + matrix[(rows - 1) * cols +
/// c].
///
/// sums     device array of cols floats, all elements written (0 where rows is 0). Each may differ from
///          the exact sum by the rounding of rows - 1 additions of floats, in any order.
/// matrix   device array of rows * cols floats, row after row, read only.
/// rows     0 to 2^20; cols: 0 to 2^20; rows * cols may exceed 2^31.
void column_sums(float* sums, const float* matrix, std::size_t rows, std::size_t cols);
}
