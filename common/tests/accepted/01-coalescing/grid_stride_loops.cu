// A right solution of lab 01 in another style: few blocks, whose threads go on by the size of the whole grid.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

namespace {

constexpr int block_size = 512;

int grid_size(std::size_t n) {
  return static_cast<int>(std::clamp<std::size_t>((n + block_size - 1) / block_size, 1, 13));
}

__device__ std::size_t first() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ std::size_t step() { return std::size_t{gridDim.x} * blockDim.x; }

template <typename T>
__global__ void add_kernel(T* a, std::size_t n, std::size_t stride) {
  for (std::size_t i = first(); i < n; i += step()) a[i * stride] = a[i * stride] + 1;
}

template <typename T>
__global__ void copy_kernel(T* __restrict__ out, const T* __restrict__ in, std::size_t n) {
  for (std::size_t i = first(); i < n; i += step()) out[i] = __ldg(&in[i]);
}

__global__ void particles_kernel(float* __restrict__ x, float* __restrict__ y, float* __restrict__ z,
                                 const Particle* __restrict__ particles, std::size_t n, float dt) {
  for (std::size_t i = first(); i < n; i += step()) { // two loads of 16 bytes for nvcc, since nothing else is written through `particles`
    x[i] = fmaf(dt, particles[i].vx, particles[i].x);
    y[i] = fmaf(dt, particles[i].vy, particles[i].y);
    z[i] = fmaf(dt, particles[i].vz, particles[i].z);
  }
}

__global__ void columns_kernel(float* __restrict__ sums, const float* __restrict__ matrix, std::size_t rows,
                               std::size_t cols) {
  for (std::size_t c = first(); c < cols; c += step()) {
    double sum = 0; // better than asked for
    for (std::size_t r = rows; r-- > 0;) sum += matrix[r * cols + c];
    sums[c] = static_cast<float>(sum);
  }
}

} // namespace

void offset_add_f32(float* a, std::size_t n, std::size_t offset) {
  add_kernel<<<grid_size(n), block_size>>>(a + offset, n, 1);
}
void offset_add_f64(double* a, std::size_t n, std::size_t offset) {
  add_kernel<<<grid_size(n), block_size>>>(a + offset, n, 1);
}
void stride_add_f32(float* a, std::size_t n, std::size_t stride) {
  add_kernel<<<grid_size(n), block_size>>>(a, n, stride);
}
void stride_add_f64(double* a, std::size_t n, std::size_t stride) {
  add_kernel<<<grid_size(n), block_size>>>(a, n, stride);
}

void copy_vectorized(float* out, const float* in, std::size_t n) {
  while (n > 0 && reinterpret_cast<std::uintptr_t>(in) % 16 != 0 &&
         reinterpret_cast<std::uintptr_t>(in) % 16 == reinterpret_cast<std::uintptr_t>(out) % 16) {
    cudaMemcpyAsync(out++, in++, sizeof(float), cudaMemcpyDeviceToDevice);
    --n;
  }
  const bool wide =
      reinterpret_cast<std::uintptr_t>(in) % 16 == 0 && reinterpret_cast<std::uintptr_t>(out) % 16 == 0;
  const std::size_t body = wide ? n / 4 * 4 : 0;
  if (body > 0) {
    copy_kernel<<<grid_size(body / 4), block_size>>>(reinterpret_cast<float4*>(out),
                                                     reinterpret_cast<const float4*>(in), body / 4);
  }
  if (body < n) copy_kernel<<<grid_size(n - body), block_size>>>(out + body, in + body, n - body);
}

void advance_particles(float* x, float* y, float* z, const Particle* particles, std::size_t n, float dt) {
  particles_kernel<<<grid_size(n), block_size>>>(x, y, z, particles, n, dt);
}

void column_sums(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  columns_kernel<<<grid_size(cols), block_size>>>(sums, matrix, rows, cols);
}
