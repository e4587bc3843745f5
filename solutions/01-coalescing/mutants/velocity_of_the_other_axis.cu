// mutant: y and z are exchanged
// item: advance_particles moves every particle by dt times its velocity
// diagnosis: other-members
//
// The mistake: the members of the two halves are in the order x, y, z.
// Read: the handout, "A structure is 32 bytes".

  // TODO(4)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4* halves = reinterpret_cast<const float4*>(particles + i);
  const float4 position = halves[0], velocity = halves[1];
  x[i] = position.x + dt * velocity.x;
  y[i] = position.z + dt * velocity.z;
  z[i] = position.y + dt * velocity.y;
  // END TODO(4)
