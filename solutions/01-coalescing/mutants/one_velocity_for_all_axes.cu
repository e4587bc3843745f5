// mutant: one velocity for all axes
// item: advance_particles moves every particle by dt times its velocity
// diagnosis: axis-mixed-up
//
// The mistake: a copied line kept its vx, so every axis moves by the velocity along x.
// Read: the handout, "TODO(4): an array of structures".

  // TODO(4)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4* halves = reinterpret_cast<const float4*>(particles + i);
  const float4 p = halves[0], v = halves[1];
  x[i] = p.x + dt * v.x;
  y[i] = p.y + dt * v.x;
  z[i] = p.z + dt * v.x;
  // END TODO(4)
