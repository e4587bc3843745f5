// mutant: the sum is multiplied by dt
// item: advance_particles moves every particle by dt times its velocity
// diagnosis: dt-on-both
//
// The mistake: dt belongs to the velocity, and the parentheses are in the wrong place.
// Read: the handout, "A structure is 32 bytes".

  // TODO(4)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4* halves = reinterpret_cast<const float4*>(particles + i);
  const float4 position = halves[0], velocity = halves[1];
  x[i] = dt * (position.x + velocity.x);
  y[i] = dt * (position.y + velocity.y);
  z[i] = dt * (position.z + velocity.z);
  // END TODO(4)
