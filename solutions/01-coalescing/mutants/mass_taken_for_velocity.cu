// mutant: mass taken for velocity
// item: advance_particles moves every particle by dt times its velocity
// diagnosis: mass-taken-for-velocity
//
// The mistake: the velocity is taken to follow right after x, y and z, where the mass is.
// Read: the handout, "A structure is 32 bytes".

  // TODO(4)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4* halves = reinterpret_cast<const float4*>(particles + i);
  const float4 p = halves[0], v = halves[1];
  x[i] = p.x + dt * p.w;
  y[i] = p.y + dt * v.x;
  z[i] = p.z + dt * v.y;
  // END TODO(4)
