// mutant: a whole kick after the drift
// item: leapfrog_step ends with the velocities and accelerations of the new positions
// diagnosis: whole-kick
//
// The mistake: the second kick is not halved.
// Read: the handout, "Leapfrog".

  // TODO(4)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 a = acc[i];
  float4 v = velocities[i];
  v.x += dt * a.x;
  v.y += dt * a.y;
  v.z += dt * a.z;
  velocities[i] = v;
  // END TODO(4)
