// mutant: blockIdx is missing
// item: advance_particles moves every particle by dt times its velocity
// diagnosis: block-index-missing
//
// The mistake: threadIdx.x counts inside one block only, so every block moves the first 256 particles.
// Read: the handout, "Which element is mine?".

  // TODO(4)
  const std::size_t i = threadIdx.x;
  if (i >= n) return;
  const float4* halves = reinterpret_cast<const float4*>(particles + i);
  const float4 position = halves[0], velocity = halves[1];
  x[i] = position.x + dt * velocity.x;
  y[i] = position.y + dt * velocity.y;
  z[i] = position.z + dt * velocity.z;
  // END TODO(4)
