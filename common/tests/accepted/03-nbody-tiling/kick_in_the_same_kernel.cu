// A right solution of lab 03 in another style: two bodies per thread, two buffers and one barrier a tile, inner loop to the
// last body only (no padding), and the second half of the kick at the end of the kernel that computes the accelerations.

#include <cuda_runtime.h>

#include <cstdint>

namespace {

template <int tile_size, bool with_kick>
__launch_bounds__(tile_size)
    __global__ void forces(float4* __restrict__ acc, float4* __restrict__ velocities,
                           const float4* __restrict__ bodies, std::int64_t n, float eps2, float half_dt) {
  __shared__ float4 tiles[2][tile_size];
  const std::int64_t one = std::int64_t{blockIdx.x} * 2 * tile_size + threadIdx.x;
  const std::int64_t two = one + tile_size;
  const float4 p = bodies[one < n ? one : n - 1]; // beyond the end: any body; its result is not kept
  const float4 q = bodies[two < n ? two : n - 1];
  float4 a = make_float4(0, 0, 0, 0), b = make_float4(0, 0, 0, 0);
  auto interact = [eps2](float4& sum, const float4& me, const float4& other) {
    const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    const float d2 = dx * dx + dy * dy + dz * dz;
    if (d2 > 0) {
      const float r = 1.0f / sqrtf(d2 + eps2);
      const float s = other.w * r * r * r;
      sum.x += dx * s;
      sum.y += dy * s;
      sum.z += dz * s;
    }
  };
  int now = 0;
  if (threadIdx.x < n) tiles[0][threadIdx.x] = bodies[threadIdx.x];
  __syncthreads();
  for (std::int64_t first = 0; first < n; first += tile_size) {
    const std::int64_t ahead = first + tile_size + threadIdx.x;
    if (ahead < n) tiles[now ^ 1][threadIdx.x] = bodies[ahead];
    const int here = static_cast<int>(n - first < tile_size ? n - first : tile_size);
    for (int k = 0; k < here; ++k) {
      const float4 other = tiles[now][k];
      interact(a, p, other);
      interact(b, q, other);
    }
    __syncthreads();
    now ^= 1;
  }
  auto finish = [=](std::int64_t i, const float4& sum) {
    if (i >= n) return;
    acc[i] = sum;
    if constexpr (with_kick) {
      float4 v = velocities[i];
      v.x += half_dt * sum.x;
      v.y += half_dt * sum.y;
      v.z += half_dt * sum.z;
      velocities[i] = v;
    }
  };
  finish(one, a);
  finish(two, b);
}

__global__ void kick_drift(float4* bodies, float4* velocities, const float4* acc, std::int64_t n, float dt) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) {
    const float4 a = acc[i], v = velocities[i], x = bodies[i];
    const float4 u = make_float4(v.x + 0.5f * dt * a.x, v.y + 0.5f * dt * a.y, v.z + 0.5f * dt * a.z, v.w);
    velocities[i] = u;
    bodies[i] = make_float4(x.x + dt * u.x, x.y + dt * u.y, x.z + dt * u.z, x.w);
  }
}

constexpr int tile = 64;
unsigned blocks(std::size_t n, int per_block) {
  return static_cast<unsigned>((n + per_block - 1) / per_block);
}

} // namespace

void accelerations(float4* acc, const float4* bodies, std::size_t n, float softening) {
  if (n > 0)
    forces<tile, false><<<blocks(n, 2 * tile), tile>>>(acc, nullptr, bodies, static_cast<std::int64_t>(n),
                                                       softening * softening, 0);
}

void leapfrog_step(float4* bodies, float4* velocities, float4* acc, std::size_t n, float dt,
                   float softening) {
  if (n == 0) return;
  kick_drift<<<blocks(n, 256), 256>>>(bodies, velocities, acc, static_cast<std::int64_t>(n), dt);
  forces<tile, true><<<blocks(n, 2 * tile), tile>>>(acc, velocities, bodies, static_cast<std::int64_t>(n),
                                                    softening * softening, dt / 2);
}
