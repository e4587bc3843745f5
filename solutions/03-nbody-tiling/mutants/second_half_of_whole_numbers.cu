// mutant: the second half is a division of whole numbers
// item: leapfrog_step ends with the velocities and accelerations of the new positions
// diagnosis[sim]: kick-is-zero
// diagnosis[cuda]: second-kick-missing
// todo: 4
//
// The mistake: 1 / 2 is a division of whole numbers, and gives 0.
// Read: the handout, "Leapfrog".

  // TODO(4)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  velocities[i].x += (1 / 2) * dt * acc[i].x;
  velocities[i].y += (1 / 2) * dt * acc[i].y;
  velocities[i].z += (1 / 2) * dt * acc[i].z;
  // END TODO(4)
