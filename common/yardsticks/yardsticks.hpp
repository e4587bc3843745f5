#pragma once

// The contract of the yardsticks: what this machine's memory can do, for comparison with what a submission
// reaches in the same run. Trusted code; built and called as submissions are. The rules of every contract
// hold (see labs/01-coalescing/lab.hpp).

#include <cstddef>
#include <cstdint>

extern "C" {

/// out[i] = in[i] for i in [0, n), with a kernel that moves 16 bytes per thread. Useful bytes: 8 n.
///
/// out, in  device arrays of n floats, on 16-byte boundaries.
void yardstick_copy(float* out, const float* in, std::size_t n);

/// The same with cudaMemcpyAsync, device to device. Useful bytes: 8 n.
void yardstick_memcpy(float* out, const float* in, std::size_t n);

/// Adds the sum of n words, modulo 2^64, to *sum; every word is read once, 16 bytes per access. Useful bytes:
/// 4 n.
///
/// sum  one device value.
/// in   device array of n words, on a 16-byte boundary.
void yardstick_read(std::uint64_t* sum, const std::uint32_t* in, std::size_t n);

/// Copies whole sectors of 32 bytes that lie apart: those of in[i * distance] for i in [0, n). Bytes that move: 64 n. The L2
/// cache is asked, for the rest of the process, to fetch single sectors.
///
/// out, in   device arrays of n * distance floats, on 32-byte boundaries.
/// distance  in floats, 8 or more: each element has a sector of its own.
void yardstick_sectors(float* out, const float* in, std::size_t n, std::size_t distance);

/// Moves the tiles of a square matrix as a transpose does, without turning any: element (r, c) of the tile in row i and column
/// j of tiles goes to (r, c) of the tile in row j and column i. Tiles of 64 x 64 floats. Useful bytes: 8 side^2.
///
/// out, in  device arrays of side^2 floats, row-major, on 16-byte boundaries.
/// side     a multiple of 64.
void yardstick_tiles(float* out, const float* in, std::size_t side);

/// What the arithmetic units can do instead: n threads, each with 8 numbers in registers that begin at in[i] and go
/// through x = x / 2 + 1 until 4,096 fused multiply-adds are made; out[i] is their sum. All in come to 2, so out[i] = 16.
/// Floating-point operations: 8,192 n.
///
/// out, in  device arrays of n floats, in between -1 and 1.
void yardstick_fma(float* out, const float* in, std::size_t n);
}
