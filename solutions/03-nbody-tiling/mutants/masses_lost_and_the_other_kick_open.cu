// mutant: the drift writes 0 where the mass was, and TODO(4) is still open
// item: leapfrog_step ends with the velocities and accelerations of the new positions
// diagnosis: mass-changed
//
// The mistake: the body is built again from three coordinates and a 0. Without masses no body pulls, so
// that nothing is missing at the end of a step that lacks the second half of the kick.
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
  bodies[i] = make_float4(body.x, body.y, body.z, 0);
  // END TODO(3)

  // TODO(4)
  // END TODO(4)
