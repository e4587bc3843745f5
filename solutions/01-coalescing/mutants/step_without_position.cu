// mutant: step without position
// item: advance_particles moves every particle by dt times its velocity
// diagnosis: position-forgotten
//
// The mistake: only the step is written: x[i] is taken to hold the old position, and = overwrites it.
// Read: the handout, "A structure is 32 bytes".

  // TODO(4)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 v = reinterpret_cast<const float4*>(particles + i)[1];
  x[i] = dt * v.x;
  y[i] = dt * v.y;
  z[i] = dt * v.z;
  // END TODO(4)
