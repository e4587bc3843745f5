// mutant: a whole kick before the drift
// item: leapfrog_step moves every body by half a kick and a drift
// diagnosis: whole-kick
//
// The mistake: the first kick is not halved.
// Read: the handout, "Leapfrog".

  // TODO(3)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 a = acc[i];
  float4 v = velocities[i];
  v.x += dt * a.x;
  v.y += dt * a.y;
  v.z += dt * a.z;
  velocities[i] = v;
  float4 body = bodies[i];
  body.x += dt * v.x;
  body.y += dt * v.y;
  body.z += dt * v.z;
  bodies[i] = body;
  // END TODO(3)
