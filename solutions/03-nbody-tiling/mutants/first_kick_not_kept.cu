// mutant: the half-kicked velocity is thrown away
// item: leapfrog_step ends with the velocities and accelerations of the new positions
// diagnosis: first-kick-missing
//
// The mistake: the first half of the kick moves the body, but the new velocity is not written back.
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
