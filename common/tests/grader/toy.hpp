#pragma once
/// A contract with every kind of parameter that a lab may use; no lab's, only for tests. Its functions may copy at most
/// 1,000,000 bytes to the host and at most 1,000,000 bytes to the device in a call, unless one says otherwise.

#include <cstddef>
#include <cstdint>

enum class ToyMode : std::uint8_t { add = 1, multiply = 7 };

struct ToyBody {
  float x, y, mass;
  bool operator==(const ToyBody&) const = default;
};

extern "C" {

/// Writes, as doubles, every scalar it was given to out[0..12], in order.
void toy_scalars(double* out, bool truth, char letter, std::int8_t i8, std::uint8_t u8, std::int16_t i16,
                 std::uint16_t u16, std::int32_t i32, std::uint32_t u32, std::int64_t i64, std::uint64_t u64,
                 float f32, double f64, ToyMode mode);

/// Sixteen arguments of mixed types: out[0] is the weighted sum 1*a0 + 2*a1 + ... of the scalars, plus x[0].
void toy_sixteen(double* out, const double* x, float a0, double a1, int a2, float a3, std::int64_t a4,
                 double a5, std::uint8_t a6, float a7, double a8, std::int16_t a9, float a10, double a11,
                 std::size_t a12, bool a13);

/// sum[i] = a[i] + b[i], and a copy of `a` is left in `seen`; `b` is doubled in place.
void toy_buffers(const float* a, float* b, float* sum, double* seen, std::size_t n);

/// *remainder = address of `data` modulo 256.
void toy_alignment(const float* data, std::uint64_t* remainder);

/// out[i] = bodies[i] with its mass doubled. In a call at most 120 bytes to the host may cross.
void toy_bodies(const ToyBody* bodies, ToyBody* out, std::size_t n);

/// Returns the value that its name says.
std::int32_t toy_minus_five();
std::uint8_t toy_two_hundred();
std::size_t toy_huge();
float toy_half();
double toy_third();
bool toy_true();
ToyMode toy_multiply();

/// out[0] = number of calls of this function in this process so far.
void toy_count_calls(int* out);

/// data[i] += 1.
void toy_increment(int* data, std::size_t n);

/// Does the wrong thing that `how` names; see toys/misbehaving.cpp.
void toy_misbehave(int how, const int* input, int* output, std::size_t n);

/// Declared here, defined by no submission.
void toy_missing(int* out);

/// Kernels, for the simulator's diagnostics: adds 1 to n elements; with `past_end` also to one more.
void toy_kernel_increment(float* data, std::size_t n, bool past_end);

/// *sum = the sum of n values, by `threads` threads of one block of which thread t takes element t and every `step`-th
/// after it.
void toy_kernel_sum(float* sum, const float* in, std::size_t n, unsigned threads, unsigned step);

/// out[i] = in[i] + in[i + 1], through shared memory; `in` has n + 1 elements. `mistake` 0: none; others: see
/// toys/kernels.cu.
void toy_kernel_neighbours(float* out, const float* in, std::size_t n, int mistake);

/// data[i] += what the lane 16 further on holds, of 32 elements; the upper half takes no part.
void toy_kernel_half_a_shuffle(float* data);

/// Copies n floats by blocks of so many threads, neighbouring ones `step` elements apart; step is prime to n. By way of
/// shared memory, to places `shared_step` apart, if that is not 0. With `adds` by atomic additions to `out`.
void toy_kernel_copy(float* out, const float* in, std::size_t n, unsigned threads, std::size_t step,
                     unsigned shared_step, bool adds);
}
