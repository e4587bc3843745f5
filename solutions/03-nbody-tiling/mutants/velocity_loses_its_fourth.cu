// mutant: the new velocity is put together from three components
// item: leapfrog_step moves every body by half a kick and a drift
// diagnosis: fourth-component
//
// The mistake: the velocity is written with w = 0, which is not the step's to change. TODO(4) is still open,
// so that it cannot have been the second half of the kick.
// Read: the handout, "Leapfrog".

  // TODO(3)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 a = acc[i];
  float4 v = velocities[i];
  v.x += dt / 2 * a.x;
  v.y += dt / 2 * a.y;
  v.z += dt / 2 * a.z;
  velocities[i] = make_float4(v.x, v.y, v.z, 0);
  float4 body = bodies[i];
  body.x += dt * v.x;
  body.y += dt * v.y;
  body.z += dt * v.z;
  bodies[i] = body;
  // END TODO(3)

  // TODO(4)
  // END TODO(4)
