// mutant: all four components drift
// item: leapfrog_step moves every body by half a kick and a drift
// diagnosis: mass-changed
//
// The mistake: the fourth component of a body is its mass; here it grows by dt times the fourth component
// of the velocity.
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
  body.x += dt * v.x;
  body.y += dt * v.y;
  body.z += dt * v.z;
  body.w += dt * v.w;
  bodies[i] = body;
  // END TODO(3)
