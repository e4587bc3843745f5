// mutant: both halves are divisions of whole numbers
// item: leapfrog_step ends with the velocities and accelerations of the new positions
// diagnosis[sim]: kick-is-zero
// diagnosis[cuda]: output-unwritten
// todo[sim]: 3 4
//
// The mistake: 1 / 2 is a division of whole numbers, and gives 0.
// Read: the handout, "Leapfrog".

  // TODO(3)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 a = acc[i];
  float4 v = velocities[i];
  v.x += 1 / 2 * dt * a.x;
  v.y += 1 / 2 * dt * a.y;
  v.z += 1 / 2 * dt * a.z;
  velocities[i] = v;
  float4 body = bodies[i];
  body.x += dt * v.x;
  body.y += dt * v.y;
  body.z += dt * v.z;
  bodies[i] = body;
  // END TODO(3)

  // TODO(4)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  velocities[i].x += (1 / 2) * dt * acc[i].x;
  velocities[i].y += (1 / 2) * dt * acc[i].y;
  velocities[i].z += (1 / 2) * dt * acc[i].z;
  // END TODO(4)
