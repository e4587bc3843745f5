#pragma once

// The contract of lab 05. Your file, dynamic_parallelism.cu, implements these functions; the build includes
// this header in front of it. Keep the signatures: another result type does not compile, and a function with
// other parameters is another function in C++, so the check reports that the one declared here is missing.
//
// Rules of every contract: pointers are device pointers; work goes to the default stream; a function may
// return before the device has finished; n may be 0. Nothing outside the arrays may be read or written, and
// arrays do not overlap. All arrays begin on a 256-byte boundary.
//
// The device computes the results. In one call, at most 16 bytes may go to the host (a flag, say) and at most
// 4096 bytes to the device (parameters, say), by copies or in any other way.

#include <cstddef>

/// Elements of a part: what one sum is the sum of.
constexpr std::size_t part_size = 256;

/// Sides, in pixels, of the squares that a picture is divided into at first, and of those that are not divided.
constexpr unsigned first_side = 64;
constexpr unsigned least_side = 8;

extern "C" {

// Five functions with one result: sums[k] = in[256 k] + in[256 k + 1] + … + in[256 k + 255]. They differ in
// who adds what, and in who launches.
//
// sums   device array of n / 256 ints, rounded up, all written. The last one is the sum of what is left of n.
// work   device array of n ints, rounded up to whole parts, for any use. Its contents before the call are
//        arbitrary, and those after it are not graded.
// in     device array of n ints, read only. No sum of some of a part's elements leaves the range of an int.
// n      number of elements, from 0 to as many as fit into the device's memory.

/// A block of 256 threads per part. Neighbours pair up: in round r, r = 0 … 7, every thread whose number is
/// a multiple of 2^(r+1) adds the element 2^r further on to its own.
void reduce_neighbored(int* sums, int* work, const int* in, std::size_t n);

/// The same additions, by threads that are neighbours: in each round the first 128, 64, 32 … 1 threads work.
void reduce_neighbored_less(int* sums, int* work, const int* in, std::size_t n);

/// Adds the second half of the elements to the first half, then the second quarter to the first quarter, and
/// so on: neighbouring threads on neighbouring elements.
void reduce_interleaved(int* sums, int* work, const int* in, std::size_t n);

/// The host launches one block of 128 threads per part, which adds the second half of its part to the first.
/// The block then launches the next half itself, as a child grid of one block of half as many threads, and
/// so on down to one thread: seven child grids per part, each launched by the one before. No part waits for
/// another one. Any launch may be refused, a part's first one or a later one: device code can have 2,048
/// launches pending, unless the host has asked for more, and there may be more parts than that. The sums
/// must be right all the same.
void reduce_nested(int* sums, int* work, const int* in, std::size_t n);

/// The host launches the first level only, that is the first addition in all parts. Each level launches the
/// next one, for all parts together, which starts only when all blocks of the level have finished: seven
/// child grids in a chain. If a level is refused, the sums must be right all the same, or the call must end
/// with a CUDA error; wrong sums without an error are a failure.
void reduce_nested_by_level(int* sums, int* work, const int* in, std::size_t n);

/// Draws the Mandelbrot set, computing as few pixels as the rule of Mariani and Silver allows.
///
/// The dwell of the point c = (re[x], im[y]) is the number of steps z = z * z + c, from z = 0 on, before
/// |z|^2 is larger than 4, and max_dwell if that takes longer. `dwell` in dynamic_parallelism.cu computes
/// it in single precision and rounds every operation: use that one, so that the last bit is the same
/// everywhere.
///
/// The picture is divided into squares of 64 x 64 pixels. The pixels on the border of each square are
/// computed. If all of them have the same dwell, the inside is filled with it. Otherwise the square is divided
/// into four, each of which is treated in the same way; a square of 8 x 8 is not divided, and all of its
/// pixels are computed.
///
/// The host launches once. A block that divides its square launches one child grid of four blocks. Where a
/// launch is refused, the square must be drawn all the same: its pixels can be computed one by one, which is
/// never wrong. (The device has room for at least four pending launches.)
///
/// dwells     device array of size * size ints, row after row, all written: dwells[y * size + x] is the
///            dwell of the pixel in column x of row y, or the dwell that the rule fills in.
/// re, im     device arrays of `size` floats each, read only; finite, and at most 1e9 in absolute value.
/// size       pixels in a row and in a column: 0, or a multiple of 64 up to 32,768.
/// max_dwell  at least 1.
void mandelbrot_adaptive(int* dwells, const float* re, const float* im, unsigned size, int max_dwell);
}
