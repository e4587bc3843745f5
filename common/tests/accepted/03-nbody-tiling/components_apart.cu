// A right solution of lab 03 in another style: the tile is four arrays in dynamic shared memory, blocks have 192
// threads, a fixed number of blocks goes through all bodies, and the step is three kernels of one line each.

#include <cuda_runtime.h>

#include <algorithm>

namespace {

constexpr int width = 192;

int blocks_for(std::size_t n) {
  return static_cast<int>(std::min<std::size_t>((n + width - 1) / width, 4096));
}

__global__ void pulls(float4* acc, const float4* bodies, std::size_t n, float eps) {
  extern __shared__ float components[];
  float* x = components;
  float* y = x + width;
  float* z = y + width;
  float* m = z + width;
  const std::size_t stride = std::size_t{gridDim.x} * width;
  for (std::size_t base = std::size_t{blockIdx.x} * width; base < n;
       base += stride) { // the same for the whole block
    const std::size_t i = base + threadIdx.x;
    float4 me{};
    if (i < n) me = bodies[i];
    float ax = 0, ay = 0, az = 0;
    for (std::size_t first = 0; first < n; first += width) {
      float4 other{};
      if (first + threadIdx.x < n) other = bodies[first + threadIdx.x];
      x[threadIdx.x] = other.x;
      y[threadIdx.x] = other.y;
      z[threadIdx.x] = other.z;
      m[threadIdx.x] = other.w;
      __syncthreads();
#pragma unroll 8
      for (int k = 0; k < width; ++k) {
        const float dx = x[k] - me.x, dy = y[k] - me.y, dz = z[k] - me.z;
        const float r2 = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, eps * eps)));
        const float pull = r2 > 0 ? m[k] / (r2 * sqrtf(r2)) : 0;
        ax = fmaf(pull, dx, ax);
        ay = fmaf(pull, dy, ay);
        az = fmaf(pull, dz, az);
      }
      __syncthreads();
    }
    if (i < n) acc[i] = make_float4(ax, ay, az, 0);
  }
}

// a += s * b, in the first three components.
__global__ void add_scaled(float4* a, const float4* b, std::size_t n, float s) {
  for (std::size_t i = std::size_t{blockIdx.x} * width + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * width) {
    float4 sum = a[i];
    const float4 term = b[i];
    sum.x = fmaf(s, term.x, sum.x);
    sum.y = fmaf(s, term.y, sum.y);
    sum.z = fmaf(s, term.z, sum.z);
    a[i] = sum;
  }
}

} // namespace

void accelerations(float4* acc, const float4* bodies, std::size_t n, float softening) {
  if (n == 0) return;
  pulls<<<blocks_for(n), width, 4 * width * sizeof(float)>>>(acc, bodies, n, softening);
}

void leapfrog_step(float4* bodies, float4* velocities, float4* acc, std::size_t n, float dt,
                   float softening) {
  if (n == 0) return;
  const int blocks = blocks_for(n);
  add_scaled<<<blocks, width>>>(velocities, acc, n, dt / 2);
  add_scaled<<<blocks, width>>>(bodies, velocities, n, dt);
  accelerations(acc, bodies, n, softening);
  add_scaled<<<blocks, width>>>(velocities, acc, n, dt / 2);
}
