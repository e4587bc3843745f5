// mutant: drift with the old velocities
// item: leapfrog_step moves every body by half a kick and a drift
// diagnosis: drift-before-kick
//
// The mistake: the position moves with the velocity from before the kick.
// Read: the handout, "Leapfrog".

  // TODO(3)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 a = acc[i];
  float4 v = velocities[i];
  float4 body = bodies[i];
  body.x += dt * v.x;
  body.y += dt * v.y;
  body.z += dt * v.z;
  bodies[i] = body;
  v.x += dt / 2 * a.x;
  v.y += dt / 2 * a.y;
  v.z += dt / 2 * a.z;
  velocities[i] = v;
  // END TODO(3)
