#pragma once

// The contract of lab 02. Your file, shared_memory.cu, implements these functions; the build includes this
// header in front of it. Keep names, parameters and result types as they are here: the check names a function
// that has other ones.
//
// Rules of every contract: pointers are device pointers; work goes to the default stream; a
// function may return before the device has finished; sizes may be 0. Nothing outside the arrays may
// be read or written, and arrays do not overlap. Arrays begin on a 256-byte boundary.
//
// The device computes the results. In one call at most 16 bytes to the host (a flag, say) and at most 4096 bytes to the
// device (parameters, say) may cross between the two, by copies or in any other way.

#include <cstddef>

extern "C" {

/// Elements in a piece of reverse_blocks.
constexpr std::size_t reverse_piece = 256;

/// Reverses every piece of 256 elements in place, through a buffer in shared memory whose size is known when
/// the program is compiled: the new a[p * 256 + k] is the old a[p * 256 + 255 - k]. A last piece of fewer
/// elements is reversed within itself.
///
/// a   device array of n ints, read and written.
/// n   number of elements, 0 to 2^31 - 1.
void reverse_blocks(int* a, std::size_t n);

/// Sums, for every element, all those that lie at most `radius` places from it:
/// out[i] = in[i - radius] + … + in[i] + … + in[i + radius]. What lies before in[0] or after in[n - 1] counts as
/// 0. The additions may be made in any order.
///
/// out     device array of n floats, all elements written.
/// in      device array of n floats, read only.
/// n       number of elements, 0 to 2^31 - 1.
/// radius  0 to 20,000, as far as a block's window of up to 1024 + 2 * radius floats fits into the device's shared
///         memory; may be larger than n.
void stencil(float* out, const float* in, std::size_t n, unsigned radius);

/// The most shared memory that the two arrays of one row may need in two_arrays:
/// 8 * numbers_per_row + letters_per_row.
constexpr std::size_t most_row_bytes = 221'184; // 216 KiB

/// Reverses every row of two arrays in place. A row has doubles in one array and chars in the other; a block
/// keeps both in one dynamic shared buffer.
///
/// numbers           device array of rows * numbers_per_row doubles, row after row.
/// letters           device array of rows * letters_per_row chars, row after row.
/// rows              0 to 2^20.
/// numbers_per_row   0 to 27,648: any, also odd.
/// letters_per_row   0 to 221,184: any, also odd. 8 * numbers_per_row + letters_per_row is at most
///                   most_row_bytes, and at most what the device has for a block.
void two_arrays(double* numbers, char* letters, std::size_t rows, std::size_t numbers_per_row,
                std::size_t letters_per_row);

/// Sixteen bytes as one word of gather_strided_f32x4.
struct alignas(16) Four {
  float x, y, z, w;
};

/// Gathers what lies `stride` words apart: out[k * n + i] = in[i * stride + k] for i in [0, n), k in [0, stride).
/// In other words: n records of `stride` words each become `stride` arrays of n words each. A word has 4 bytes
/// (f32), 8 (f64) or 16 (f32x4). Reads and writes of global memory are coalesced; the words change places in
/// shared memory.
///
/// out      device array of stride * n words, all elements written.
/// in       device array of n * stride words, read only.
/// n        number of records, 0 to 2^31 - 1; n * stride may exceed 2^32.
/// stride   words in a record, 1 to 32.
void gather_strided_f32(float* out, const float* in, std::size_t n, std::size_t stride);
void gather_strided_f64(double* out, const double* in, std::size_t n, std::size_t stride);
void gather_strided_f32x4(Four* out, const Four* in, std::size_t n, std::size_t stride);

/// Transposes a row-major matrix: out[c * rows + r] = in[r * cols + c].
///
/// out    device array of cols * rows floats, row after row of the transposed matrix, all elements written.
/// in     device array of rows * cols floats, row after row, read only.
/// rows   0 to 2^24; cols: 0 to 2^24; rows * cols at most 2^40.
void transpose(float* out, const float* in, std::size_t rows, std::size_t cols);
}
