// mutant: half a drift
// item: leapfrog_step moves every body by half a kick and a drift
// diagnosis: half-drift
//
// The mistake: the drift is halved like the kicks, but there is only one of it.
// Read: the handout, "Leapfrog".

  // TODO(3)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 a = acc[i];
  float4 v = velocities[i];
  v.x += dt / 2 * a.x;
  v.y += dt / 2 * a.y;
  v.z += dt / 2 * a.z;
  velocities[i] = v;
  float4 body = bodies[i];
  body.x += dt / 2 * v.x;
  body.y += dt / 2 * v.y;
  body.z += dt / 2 * v.z;
  bodies[i] = body;
  // END TODO(3)
