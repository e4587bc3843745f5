// mutant: halves taken for particles
// item: advance_particles moves every particle by dt times its velocity
// diagnosis: halves-taken-for-particles
//
// The mistake: the array is cast first and indexed then: a float4 is half a particle, so i counts halves.
// Read: the handout, "A structure is 32 bytes".

  // TODO(4)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4* halves = reinterpret_cast<const float4*>(particles);
  const float4 p = halves[i], v = halves[i + 1];
  x[i] = p.x + dt * v.x;
  y[i] = p.y + dt * v.y;
  z[i] = p.z + dt * v.z;
  // END TODO(4)
