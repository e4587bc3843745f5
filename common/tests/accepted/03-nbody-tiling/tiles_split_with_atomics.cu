// A right solution of lab 03 in another style: cooperative groups, blocks of 512 threads, and two blocks for the same
// bodies, each with every other tile; their sums meet in atomic additions.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

namespace {

constexpr unsigned tile_size = 512;
constexpr unsigned shares = 2;

__device__ float3 pull(float3 from, float4 by, float eps2) {
  const float3 d = make_float3(by.x - from.x, by.y - from.y, by.z - from.z);
  float s = d.x * d.x + d.y * d.y + d.z * d.z;
  s = s == 0.0f ? 0.0f : by.w * powf(s + eps2, -1.5f);
  return make_float3(s * d.x, s * d.y, s * d.z);
}

__global__ void add_pulls(float4* acc, const float4* bodies, std::size_t n, float eps2) {
  __shared__ float4 tile[tile_size];
  const cg::thread_block block = cg::this_thread_block();
  const unsigned rank = block.thread_rank();
  const std::size_t i = std::size_t{blockIdx.x} * tile_size + rank;
  const bool is_mine = i < n;
  float3 me = make_float3(0, 0, 0), sum = make_float3(0, 0, 0);
  if (is_mine) {
    const float4 body = bodies[i];
    me = make_float3(body.x, body.y, body.z);
  }
  const std::size_t tiles = (n + tile_size - 1) / tile_size;
  for (std::size_t t = blockIdx.y; t < tiles; t += shares) {
    const std::size_t j = t * tile_size + rank;
    tile[rank] = j < n ? bodies[j] : float4{0, 0, 0, 0};
    block.sync();
    for (const float4* other = tile; other != tile + tile_size; ++other) {
      const float3 p = pull(me, *other, eps2);
      sum.x += p.x, sum.y += p.y, sum.z += p.z;
    }
    block.sync();
  }
  if (!is_mine) return;
  atomicAdd(&acc[i].x, sum.x);
  atomicAdd(&acc[i].y, sum.y);
  atomicAdd(&acc[i].z, sum.z);
}

__global__ void kick(float4* v, const float4* a, unsigned n, float dt) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  v[i].x += dt * a[i].x;
  v[i].y += dt * a[i].y;
  v[i].z += dt * a[i].z;
}

} // namespace

void accelerations(float4* acc, const float4* bodies, std::size_t n, float softening) {
  if (n == 0) return;
  cudaMemsetAsync(acc, 0, n * sizeof *acc);
  const dim3 grid(static_cast<unsigned>((n + tile_size - 1) / tile_size), shares);
  add_pulls<<<grid, tile_size>>>(acc, bodies, n, softening * softening);
}

void leapfrog_step(float4* bodies, float4* velocities, float4* acc, std::size_t n, float dt,
                   float softening) {
  if (n == 0) return;
  const auto count = static_cast<unsigned>(n);
  const unsigned blocks = (count + 31) / 32;
  kick<<<blocks, 32>>>(velocities, acc, count, dt / 2);
  kick<<<blocks, 32>>>(bodies, velocities, count, dt);
  accelerations(acc, bodies, n, softening);
  kick<<<blocks, 32>>>(velocities, acc, count, dt / 2);
}
