// mutant: a step computes its accelerations on the host
// item: leapfrog_step computes the accelerations once
// diagnosis: accelerations-not-counted
//
// The mistake: the step copies the bodies to the host and computes there what accelerations() is for. The GPU waits.
// Read: the handout, "Leapfrog".

// GIVEN(leapfrog_step)
void leapfrog_step(float4* bodies, float4* velocities, float4* acc, std::size_t n, float dt,
                   float softening) {
  if (n == 0) return;
  kick_and_drift_kernel<<<blocks_for(n), threads_per_block>>>(bodies, velocities, acc, n, dt);
  float4* const host = new float4[2 * n];
  cudaMemcpy(host, bodies, n * sizeof(float4), cudaMemcpyDeviceToHost);
  for (std::size_t i = 0; i < n; ++i) {
    float4 sum = make_float4(0, 0, 0, 0);
    for (std::size_t j = 0; j < n; ++j) {
      const float dx = host[j].x - host[i].x, dy = host[j].y - host[i].y, dz = host[j].z - host[i].z;
      const float distance2 = dx * dx + dy * dy + dz * dz + softening * softening;
      if (distance2 == 0) continue;
      const float inverse = 1 / sqrtf(distance2), pull = host[j].w * inverse * inverse * inverse;
      sum.x += pull * dx;
      sum.y += pull * dy;
      sum.z += pull * dz;
    }
    host[n + i] = sum;
  }
  cudaMemcpy(acc, host + n, n * sizeof(float4), cudaMemcpyHostToDevice);
  delete[] host;
  kick_kernel<<<blocks_for(n), threads_per_block>>>(velocities, acc, n, dt);
}
// END GIVEN(leapfrog_step)
