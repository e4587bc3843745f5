// mutant: the host adds the pulls
// item: accelerations are the sums of all pulls at any n
// diagnosis: computed-by-host
// backends: sim
//
// The mistake: a CPU program between two copies. It is right, and takes n * n steps on one processor.
// Read: the contract, labs/03-nbody-tiling/lab.hpp: what may cross between host and device.

#include <cuda_runtime.h>

#include <cmath>
#include <vector>

void accelerations(float4* acc, const float4* bodies, std::size_t n, float softening) {
  std::vector<float4> host(n), sums(n);
  cudaMemcpy(host.data(), bodies, n * sizeof(float4), cudaMemcpyDeviceToHost);
  for (std::size_t i = 0; i < n; ++i) {
    double x = 0, y = 0, z = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double dx = double{host[j].x} - host[i].x, dy = double{host[j].y} - host[i].y,
                   dz = double{host[j].z} - host[i].z;
      const double distance2 = dx * dx + dy * dy + dz * dz;
      if (distance2 == 0) continue;
      const double softened = distance2 + double{softening} * softening;
      const double pull = host[j].w / (softened * std::sqrt(softened));
      x += pull * dx;
      y += pull * dy;
      z += pull * dz;
    }
    sums[i] = make_float4(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z), 0);
  }
  cudaMemcpy(acc, sums.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
}
