// mutant: moved backwards
// item: advance_particles moves every particle by dt times its velocity
// diagnosis: moved-backwards
//
// The mistake: the step is subtracted, as for a particle that is traced back to where it came from.
// Read: the handout, "A structure is 32 bytes".

  // TODO(4)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4* halves = reinterpret_cast<const float4*>(particles + i);
  const float4 p = halves[0], v = halves[1];
  x[i] = p.x - dt * v.x;
  y[i] = p.y - dt * v.y;
  z[i] = p.z - dt * v.z;
  // END TODO(4)
