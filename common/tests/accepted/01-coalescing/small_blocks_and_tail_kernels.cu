// A right solution of lab 01 in another style, close to C: blocks of one warp, macros, a kernel of one thread for
// whatever is left over at either end.

#include <cuda_runtime.h>

#include <stdint.h>

#define WARP 32
#define BLOCKS(n) (unsigned)(((n) + WARP - 1) / WARP)

#define ADD(T, NAME)                                                                                         \
  static __global__ void NAME##_k(T* a, size_t n, size_t stride) {                                           \
    size_t i = (size_t)blockIdx.x * WARP + threadIdx.x;                                                      \
    if (i >= n) return;                                                                                      \
    T value = a[i * stride];                                                                                 \
    value += 1;                                                                                              \
    a[i * stride] = value;                                                                                   \
  }
ADD(float, addf)
ADD(double, addd)

extern "C" void offset_add_f32(float* a, size_t n, size_t offset) {
  if (n) addf_k<<<BLOCKS(n), WARP>>>(a + offset, n, 1);
}
extern "C" void offset_add_f64(double* a, size_t n, size_t offset) {
  if (n) addd_k<<<BLOCKS(n), WARP>>>(a + offset, n, 1);
}
extern "C" void stride_add_f32(float* a, size_t n, size_t stride) {
  if (n) addf_k<<<BLOCKS(n), WARP>>>(a, n, stride);
}
extern "C" void stride_add_f64(double* a, size_t n, size_t stride) {
  if (n) addd_k<<<BLOCKS(n), WARP>>>(a, n, stride);
}

static __global__ void copy_one_by_one(float* out, const float* in, int n) {
  for (int i = 0; i < n; ++i) out[i] = in[i];
}
static __global__ void copy_float(float* out, const float* in, size_t n) {
  size_t i = (size_t)blockIdx.x * WARP + threadIdx.x;
  if (i < n) out[i] = in[i];
}
static __global__ void copy_int4(int4* out, const int4* in, size_t n) {
  size_t i = (size_t)blockIdx.x * WARP + threadIdx.x;
  if (i < n) out[i] = in[i];
}

extern "C" void copy_vectorized(float* out, const float* in, size_t n) {
  if (((uintptr_t)out ^ (uintptr_t)in) & 15) {
    if (n) copy_float<<<BLOCKS(n), WARP>>>(out, in, n);
    return;
  }
  int head = (int)(-((uintptr_t)in / 4) & 3);
  if ((size_t)head > n) head = (int)n;
  if (head) copy_one_by_one<<<1, 1>>>(out, in, head);
  out += head, in += head, n -= head;
  if (n / 4) copy_int4<<<BLOCKS(n / 4), WARP>>>((int4*)out, (const int4*)in, n / 4);
  if (n % 4) copy_one_by_one<<<1, 1>>>(out + n / 4 * 4, in + n / 4 * 4, (int)(n % 4));
}

static __global__ void move_particle(float* x, float* y, float* z, const Particle* p, size_t n, float dt) {
  size_t i = (size_t)blockIdx.x * WARP + threadIdx.x;
  union {
    float4 halves[2];
    float f[8];
  } u = {};
  if (i >= n) return;
  u.halves[0] = ((const float4*)p)[2 * i];
  u.halves[1] = ((const float4*)p)[2 * i + 1];
  x[i] = u.f[0] + dt * u.f[4];
  y[i] = u.f[1] + dt * u.f[5];
  z[i] = u.f[2] + dt * u.f[6];
}

extern "C" void advance_particles(float* x, float* y, float* z, const Particle* particles, size_t n,
                                  float dt) {
  if (n) move_particle<<<BLOCKS(n), WARP>>>(x, y, z, particles, n, dt);
}

static __global__ void zero(float* sums, size_t cols) {
  size_t c = (size_t)blockIdx.x * WARP + threadIdx.x;
  if (c < cols) sums[c] = 0;
}
static __global__ void column_part(float* sums, const float* matrix, size_t rows, size_t cols) {
  size_t c = (size_t)blockIdx.x * WARP + threadIdx.x;
  size_t r = (size_t)blockIdx.y * 64, end = r + 64;
  float sum = 0;
  if (c >= cols) return;
  for (; r < end && r < rows; ++r) sum += matrix[r * cols + c];
  atomicAdd(sums + c, sum);
}

extern "C" void column_sums(float* sums, const float* matrix, size_t rows, size_t cols) {
  size_t r;
  if (!cols) return;
  zero<<<BLOCKS(cols), WARP>>>(sums, cols);
  for (r = 0; r < rows; r += 64 * 65535) { /* a grid has at most 65,535 blocks along y */
    size_t n = rows - r < 64 * 65535 ? rows - r : 64 * 65535;
    dim3 grid(BLOCKS(cols), (unsigned)((n + 63) / 64));
    column_part<<<grid, WARP>>>(sums, matrix + r * cols, n, cols);
  }
}
