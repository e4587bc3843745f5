#pragma once

// The contract of lab 05. Your file, dynamic_parallelism.cu, implements these functions; the build includes
// this header in front of it. Keep the signatures: with another result type a function does not compile,
// and with other parameters it is another function in C++, which the check reports.
//
// Rules of every contract: pointers are device pointers; work goes to the default stream; a function may
// return before the device has finished; n may be 0. Nothing outside the arrays may be read or written, and
// arrays do not overlap. All arrays begin on a 256-byte boundary.
//
// The device computes the results. In one call at most 16 bytes to the host (a flag, say) and at most 4096 bytes to the
// device (parameters, say) may cross between the two, by copies or in any other way.

#include <cstddef>

/// Elements of a part: what one sum is the sum of.
constexpr std::size_t part_size = 256;

/// Squares that a picture is divided into at first, and squares that are not divided any more: pixels a side.
constexpr unsigned first_side = 64;
constexpr unsigned least_side = 8;

extern "C" {

// Five functions with one result: sums[k] = in[256 k] + in[256 k + 1] + … + in[256 k + 255]. They differ in
// who adds what, and in who launches.
//
// sums   device array of n / 256 ints, rounded up, all written. The last one has what is left of n.
// work   device array of n ints, rounded up to whole parts. It is yours: what it holds before the call is of
//        no use, and what you leave there nobody looks at.
// in     device array of n ints, read only. No sum of some of a part's elements leaves the range of an int.
// n      number of elements, from 0 to as many as fit into the device's memory.

/// A block of 256 threads for a part. Neighbours pair up: in round r, r = 0 … 7, every thread whose number
/// is a multiple of 2^(r+1) adds to its element the one 2^r further on.
void reduce_neighbored(int* sums, int* work, const int* in, std::size_t n);

/// The same additions, by threads that are neighbours: in each round the first 128, 64, 32 … 1 threads work.
void reduce_neighbored_less(int* sums, int* work, const int* in, std::size_t n);

/// The first half of the elements gets the second half added, then the first quarter the second one, and so
/// on: neighbouring threads on neighbouring elements.
void reduce_interleaved(int* sums, int* work, const int* in, std::size_t n);

/// The host launches one block of 128 threads for every part, which adds the second half of its part to the
/// first. The block then launches the next half itself, as a child grid of one block of half as many
/// threads, and so on down to one thread: seven child grids for every part, each launched by the one
/// before. No part waits for another one. Any launch may be refused, a part's first one or a later one:
/// device code can have 2,048 launches pending, unless the host has asked for more, and there may be more
/// parts than that. The sums must be right all the same.
void reduce_nested(int* sums, int* work, const int* in, std::size_t n);

/// The host launches the first level only, that is the first addition in all parts. Each level launches the
/// next one, for all parts together, and only when all of its own blocks have finished: seven child grids
/// in a chain. If a level is refused, the sums must be right all the same, or the call must end with a CUDA
/// error: never with wrong sums and none.
void reduce_nested_by_level(int* sums, int* work, const int* in, std::size_t n);

/// Draws the Mandelbrot set, computing as few pixels as the rule of Mariani and Silver allows.
///
/// The dwell of the point c = (re[x], im[y]) is the number of steps z = z * z + c, from z = 0 on, before
/// |z|^2 is larger than 4, and max_dwell if that takes longer. `dwell` in dynamic_parallelism.cu computes
/// it in single precision, rounding every operation: use that one, so that the last bit is the same
/// everywhere.
///
/// The picture is divided into squares of 64 x 64 pixels. Of a square, the border's pixels are computed. If
/// all have the same dwell, the inside is filled with it. Otherwise the square is divided into four, each
/// of which is treated in the same way; a square of 8 x 8 is not divided, and all of its pixels are
/// computed.
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
