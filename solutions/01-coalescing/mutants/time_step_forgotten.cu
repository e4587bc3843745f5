// mutant: time step forgotten
// item: advance_particles moves every particle by dt times its velocity
// diagnosis: dt-forgotten
//
// The mistake: the velocity is added as it is, as if the time step were 1.
// Read: the handout, "TODO(4): an array of structures".

  // TODO(4)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4* halves = reinterpret_cast<const float4*>(particles + i);
  const float4 p = halves[0], v = halves[1];
  x[i] = p.x + v.x;
  y[i] = p.y + v.y;
  z[i] = p.z + v.z;
  // END TODO(4)
