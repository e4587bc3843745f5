// mutant: positions copied
// item: advance_particles moves every particle by dt times its velocity
// diagnosis: not-moved
//
// The mistake: the vectors are unpacked into the three arrays, and the step is left for later.
// Read: the handout, "A structure is 32 bytes".

  // TODO(4)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 p = reinterpret_cast<const float4*>(particles + i)[0];
  x[i] = p.x;
  y[i] = p.y;
  z[i] = p.z;
  // END TODO(4)
