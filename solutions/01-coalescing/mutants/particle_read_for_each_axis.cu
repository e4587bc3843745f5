// mutant: particle read for each axis
// item: advance_particles reads a particle in pieces of 16 bytes
// diagnosis: read-more-than-once
//
// The mistake: both halves of the particle are fetched once for every axis; volatile keeps the compiler from correcting it.
// Read: the handout, "A structure is 32 bytes": two loads, into variables.

  // TODO(4)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const volatile float* p = &particles[i].x;
  float* const moved[] = {x, y, z};
  for (int axis = 0; axis < 3; ++axis) {
    float copy[8];
    for (int k = 0; k < 8; ++k) copy[k] = p[k];
    moved[axis][i] = copy[axis] + dt * copy[4 + axis];
  }
  // END TODO(4)
