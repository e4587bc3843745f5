// mutant: the two halves of a particle are exchanged
// item: advance_particles moves every particle by dt times its velocity
// diagnosis: other-members
//
// The mistake: the position lies in the first 16 bytes of a particle, and the velocity in the second.
// Read: the handout, "A structure is 32 bytes".

  // TODO(4)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4* halves = reinterpret_cast<const float4*>(particles + i);
  const float4 position = halves[1], velocity = halves[0];
  x[i] = position.x + dt * velocity.x;
  y[i] = position.y + dt * velocity.y;
  z[i] = position.z + dt * velocity.z;
  // END TODO(4)
