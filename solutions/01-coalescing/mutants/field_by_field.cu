// mutant: field by field
// item: advance_particles reads a particle in pieces of 16 bytes
// diagnosis: field-by-field
//
// The mistake: each member is read where it is used: six requests of 4 bytes per lane, and each asks for all 32 sectors again.
// Read: the handout, "A structure is 32 bytes".

  // TODO(4)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] = particles[i].x + dt * particles[i].vx;
  y[i] = particles[i].y + dt * particles[i].vy;
  z[i] = particles[i].z + dt * particles[i].vz;
  // END TODO(4)
