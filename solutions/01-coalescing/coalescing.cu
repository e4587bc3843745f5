// Lab 01: coalescing. Complete the TODO regions; README.md beside this file is the handout.
//
//   ./warpbook check 01        grades this file and says what is wrong

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace {

constexpr unsigned threads_per_block = 256;

// Enough blocks for `threads` threads: the division is rounded up.
std::size_t blocks_for(std::size_t threads) { return (threads + threads_per_block - 1) / threads_per_block; }

} // namespace

// ---- offset_add: neighbouring threads on neighbouring elements -----------------------------------------

namespace {

// One thread for one element. a has offset + n elements; the first `offset` stay as they are.
template <typename T>
__global__ void offset_add_kernel(T* a, std::size_t n, std::size_t offset) {
  // TODO(1): add one to this thread's element
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[offset + i] += T{1};
  // END TODO(1)
}

template <typename T>
void offset_add(T* a, std::size_t n, std::size_t offset) {
  if (n == 0) return; // a launch of no blocks is an error
  offset_add_kernel<<<blocks_for(n), threads_per_block>>>(a, n, offset);
}

} // namespace

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { offset_add(a, n, offset); }

void offset_add_f64(double* a, std::size_t n, std::size_t offset) { offset_add(a, n, offset); }

// ---- stride_add: neighbouring threads on elements that lie apart ---------------------------------------

namespace {

// One thread for one element. a has n * stride elements; every stride-th one changes.
template <typename T>
__global__ void stride_add_kernel(T* a, std::size_t n, std::size_t stride) {
  // TODO(2): add one to this thread's element
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[i * stride] += T{1};
  // END TODO(2)
}

template <typename T>
void stride_add(T* a, std::size_t n, std::size_t stride) {
  if (n == 0) return;
  stride_add_kernel<<<blocks_for(n), threads_per_block>>>(a, n, stride);
}

} // namespace

void stride_add_f32(float* a, std::size_t n, std::size_t stride) { stride_add(a, n, stride); }

void stride_add_f64(double* a, std::size_t n, std::size_t stride) { stride_add(a, n, stride); }

// ---- copy_vectorized: sixteen bytes per access ----------------------------------------------------------

namespace {

// One thread for one element, which has 4 bytes if T is float and 16 if T is float4.
template <typename T>
__global__ void copy_kernel(T* out, const T* in, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

// Copies n elements of type T that begin at these two addresses.
template <typename T>
void copy(float* out, const float* in, std::size_t n) {
  if (n == 0) return;
  copy_kernel<<<blocks_for(n), threads_per_block>>>(reinterpret_cast<T*>(out), reinterpret_cast<const T*>(in),
                                                    n);
}

// How many bytes an address lies past a 16-byte boundary: 0, 4, 8 or 12 for an array of floats.
std::size_t past_boundary(const float* address) {
  return reinterpret_cast<std::uintptr_t>(address) % sizeof(float4);
}

} // namespace

void copy_vectorized(float* out, const float* in, std::size_t n) {
  // TODO(3): copy the head one by one, the body in vectors, the tail one by one
  std::size_t head = n; // no vectors, unless both arrays reach their boundaries together
  if (past_boundary(in) == past_boundary(out))
    head = std::min(n, (sizeof(float4) - past_boundary(in)) % sizeof(float4) / sizeof(float));
  const std::size_t vectors = (n - head) / 4;
  const std::size_t tail = head + 4 * vectors;
  copy<float>(out, in, head);
  copy<float4>(out + head, in + head, vectors);
  copy<float>(out + tail, in + tail, n - tail);
  // END TODO(3)
}

// ---- advance_particles: an array of structures in, a structure of arrays out ---------------------------

namespace {

// One thread for one particle: particles are n structures of 32 bytes; x, y and z have n floats each.
__global__ void advance_particles_kernel(float* x, float* y, float* z, const Particle* particles,
                                         std::size_t n, float dt) {
  // TODO(4): read this thread's particle in two pieces of 16 bytes, and write its new position
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4* halves = reinterpret_cast<const float4*>(particles + i);
  const float4 position = halves[0]; // x, y, z, mass
  const float4 velocity = halves[1]; // vx, vy, vz, charge
  x[i] = position.x + dt * velocity.x;
  y[i] = position.y + dt * velocity.y;
  z[i] = position.z + dt * velocity.z;
  // END TODO(4)
}

} // namespace

void advance_particles(float* x, float* y, float* z, const Particle* particles, std::size_t n, float dt) {
  if (n == 0) return;
  advance_particles_kernel<<<blocks_for(n), threads_per_block>>>(x, y, z, particles, n, dt);
}

// ---- column_sums: which way does a thread walk through a matrix? ---------------------------------------

namespace {

// One thread for one column. matrix has rows * cols elements, row after row; sums has cols.
__global__ void column_sums_kernel(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  // TODO(5): sum this thread's column
  const std::size_t c = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float sum = 0;
  for (std::size_t r = 0; r < rows; ++r) sum += matrix[r * cols + c];
  sums[c] = sum;
  // END TODO(5)
}

} // namespace

void column_sums(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  if (cols == 0) return; // rows may be 0: then every sum is 0, and has to be written
  column_sums_kernel<<<blocks_for(cols), threads_per_block>>>(sums, matrix, rows, cols);
}
