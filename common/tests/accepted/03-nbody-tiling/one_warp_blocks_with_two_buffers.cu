// A right solution of lab 03 in another style: a block is one warp with two bodies per lane, and waits by __syncwarp; two
// buffers of four arrays each, filled member by member, and two waits a tile.

#include <cuda_runtime.h>

namespace {

constexpr unsigned lanes = 32;
constexpr unsigned size = 2 * lanes; // bodies of a block, and of a tile

struct Tile {
  float x[size], y[size], z[size], mass[size];

  __device__ void put(unsigned k, const float4& body) {
    x[k] = body.x;
    y[k] = body.y;
    z[k] = body.z;
    mass[k] = body.w;
  }
  __device__ float4 get(unsigned k) const { return make_float4(x[k], y[k], z[k], mass[k]); }
};

// The place of a body, and what pulls it.
struct Pulled {
  float4 at;
  float x, y, z;

  __device__ void add(const float4& other, float eps2) {
    const float dx = other.x - at.x, dy = other.y - at.y, dz = other.z - at.z;
    const float r2 = dx * dx + dy * dy + dz * dz + eps2;
    if (r2 == 0) return;
    const float inverse = rsqrtf(r2), pull = other.w * (inverse * inverse * inverse);
    x += pull * dx;
    y += pull * dy;
    z += pull * dz;
  }
};

__device__ void fetch(Tile& tile, const float4* bodies, std::size_t n, std::size_t first) {
  for (unsigned k = threadIdx.x; k < size; k += lanes) {
    if (first + k < n)
      tile.put(k, bodies[first + k]);
    else
      tile.put(k, float4{0, 0, 0, 0});
  }
}

__global__ void __launch_bounds__(lanes) pulls(float4* acc, const float4* bodies, std::size_t n, float eps2) {
  __shared__ Tile buffers[2];
  const std::size_t left = std::size_t{blockIdx.x} * size + threadIdx.x, right = left + lanes;
  Pulled a{}, b{};
  if (left < n) a.at = bodies[left];
  if (right < n) b.at = bodies[right];
  fetch(buffers[0], bodies, n, 0);
  unsigned now = 0;
  for (std::size_t first = 0; first < n; first += size, now = 1 - now) {
    fetch(buffers[1 - now], bodies, n, first + size);
    __syncwarp();
    for (unsigned k = 0; k < size; ++k) {
      const float4 other = buffers[now].get(k);
      a.add(other, eps2);
      b.add(other, eps2);
    }
    __syncwarp();
  }
  if (left < n) acc[left] = make_float4(a.x, a.y, a.z, 0);
  if (right < n) acc[right] = make_float4(b.x, b.y, b.z, 0);
}

__device__ void kick(float4& v, const float4& a, float dt) {
  v.x += dt * a.x;
  v.y += dt * a.y;
  v.z += dt * a.z;
}

template <bool drifts>
__global__ void half_step(float4* bodies, float4* velocities, const float4* acc, std::size_t n, float dt) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= n) return;
  kick(velocities[i], acc[i], 0.5f * dt);
  if (drifts) kick(bodies[i], velocities[i], dt); // the same sum, of velocities
}

unsigned blocks(std::size_t n, unsigned of) { return unsigned((n + of - 1) / of); }

} // namespace

void accelerations(float4* acc, const float4* bodies, std::size_t n, float softening) {
  if (n != 0) pulls<<<blocks(n, size), lanes>>>(acc, bodies, n, softening * softening);
}

void leapfrog_step(float4* bodies, float4* velocities, float4* acc, std::size_t n, float dt,
                   float softening) {
  if (n == 0) return;
  half_step<true><<<blocks(n, 128), 128>>>(bodies, velocities, acc, n, dt);
  accelerations(acc, bodies, n, softening);
  half_step<false><<<blocks(n, 128), 128>>>(bodies, velocities, acc, n, dt);
}
