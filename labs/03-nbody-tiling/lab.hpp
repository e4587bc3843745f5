#pragma once

// The contract of lab 03. Your file, nbody.cu, implements these functions; the build includes this header
// in front of it. Keep the signatures: with another result type a function does not compile, and with other
// parameters it is another function in C++, which the check reports.
//
// Rules of every contract: pointers are device pointers; work goes to the default stream; a function may return
// before the device has finished; n may be 0. Nothing outside the arrays may be read or written, and arrays do
// not overlap. Every array begins on a 256-byte boundary.
//
// The device computes the results. In one call at most 16 bytes to the host (a flag, say) and at most 4096 bytes to the
// device (parameters, say) may cross between the two, by copies or in any other way.
//
// A body is a float4: x, y and z are its position, w is its mass. Units are such that the constant of gravity is 1.
// The caller guarantees: coordinates between -2^20 and 2^20; masses 0, or between 2^-20 and 2^20; softening 0, or
// between 2^-20 and 2^20; with softening 0 two bodies are at the same place or at least 2^-20 apart.

#include <cstddef>

#if defined(__CUDACC__)
#include <vector_types.h>
#else
/// The grader is plain C++ and has no CUDA headers; this is the same 16 bytes.
struct alignas(16) float4 {
  float x, y, z, w;
};
#endif

extern "C" {

/// The acceleration of every body under the gravity of all others:
///
///   acc[i] = sum over all j of  mass_j * d / (|d|^2 + softening^2)^(3/2),   d = position_j - position_i
///
/// A body adds nothing to its own acceleration, nor does another one at exactly the same place: d is zero, and
/// the term counts as zero whatever the softening is, 0 included. The sum may be taken in any order, in single precision.
/// A square root's reciprocal may be the hardware's approximate one (rsqrtf); half precision is not enough.
///
/// acc        device array of n float4, all written: x, y, z are the acceleration, w is 0.
/// bodies     device array of n bodies, read only.
/// n          number of bodies, 0 to 2^24.
/// softening  a length that keeps close pairs from pulling without limit; 0 for none.
void accelerations(float4* acc, const float4* bodies, std::size_t n, float softening);

/// One time step of the leapfrog method (kick, drift, kick):
///
///   v += dt/2 * a(x)        half a kick, with the accelerations that were passed in
///   x += dt * v             a drift with the velocity just reached
///   a  = a(x)               the accelerations at the new positions, computed once
///   v += dt/2 * a(x)        the other half, with those
///
/// Calls in a row pass the accelerations on, so that a step computes them only once.
///
/// bodies         device array of n bodies. x, y, z move; the mass w must not change.
/// velocities     device array of n float4: x, y, z are the velocity; w is not ours and must not change.
/// acc            device array of n float4: on entry the accelerations of `bodies`, as accelerations() leaves
///                them; on return those at the new positions.
/// n, softening   as above.
/// dt             length of the time step; finite, may be negative.
void leapfrog_step(float4* bodies, float4* velocities, float4* acc, std::size_t n, float dt, float softening);

/// Not a task and not graded: accelerations() with these many bodies in a tile (and threads in a block) and these
/// many bodies per thread. One of the teaching steps has it, for the bench's sweep over both.
///
/// tile              64, 128, 256 or 512
/// bodies_per_thread 1, 2, 4 or 8
void accelerations_tuned(float4* acc, const float4* bodies, std::size_t n, float softening, int tile,
                         int bodies_per_thread);
}
