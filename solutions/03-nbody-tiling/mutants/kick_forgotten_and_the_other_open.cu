// mutant: the new velocity is not kept, and TODO(4) is still open
// item: leapfrog_step moves every body by half a kick and a drift
// diagnosis: first-kick-missing
//
// The mistake: the drift takes the half-kicked velocity, and that one is never written back. There is no
// second half yet, whose item would tell: the first half must be missed all the same.
// Read: the handout, "Leapfrog".

  // TODO(3)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 a = acc[i];
  float4 v = velocities[i];
  v.x += dt / 2 * a.x;
  v.y += dt / 2 * a.y;
  v.z += dt / 2 * a.z;
  float4 body = bodies[i];
  body.x += dt * v.x;
  body.y += dt * v.y;
  body.z += dt * v.z;
  bodies[i] = body;
  // END TODO(3)

  // TODO(4)
  // END TODO(4)
