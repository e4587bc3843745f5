// mutant: a copied line
// item: leapfrog_step moves every body by half a kick and a drift
// diagnosis: one-component
//
// The mistake: the kick of z was copied from y and not changed everywhere: z is kicked by the
// acceleration in y.
// Read: the handout, "Leapfrog".

  // TODO(3)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 a = acc[i];
  float4 v = velocities[i];
  v.x += dt / 2 * a.x;
  v.y += dt / 2 * a.y;
  v.z += dt / 2 * a.y;
  velocities[i] = v;
  float4 body = bodies[i];
  body.x += dt * v.x;
  body.y += dt * v.y;
  body.z += dt * v.z;
  bodies[i] = body;
  // END TODO(3)
