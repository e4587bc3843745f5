// mutant: double precision
// item: accelerations is as fast as tiles make it
// diagnosis: too-slow
// backends: cuda
//
// The mistake: everything is computed in double. The result is better than was asked for, and takes many
// times as long: the root is a program of its own, and a GPU of another kind has few units for doubles.
// Read: the handout, "Precision".

// GIVEN(add_pull)
__device__ void add_pull(double3& sum, float4 me, float4 other, double softening2) {
  const double dx = static_cast<double>(other.x) - me.x;
  const double dy = static_cast<double>(other.y) - me.y;
  const double dz = static_cast<double>(other.z) - me.z;
  const double distance2 = dx * dx + dy * dy + dz * dz + softening2;
  if (distance2 == 0) return;
  const double inverse = rsqrt(distance2);
  const double pull = other.w * inverse * inverse * inverse;
  sum.x += pull * dx;
  sum.y += pull * dy;
  sum.z += pull * dz;
}
// END GIVEN(add_pull)

// GIVEN(accelerations_kernel)
__global__ void accelerations_kernel(float4* acc, const float4* bodies, std::size_t n, float softening2) {
  __shared__ float4 tile[threads_per_block];
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  double3 sum = make_double3(0, 0, 0);
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  if (i < n)
    acc[i] = make_float4(static_cast<float>(sum.x), static_cast<float>(sum.y), static_cast<float>(sum.z), 0);
}
// END GIVEN(accelerations_kernel)
