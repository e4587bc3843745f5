// mutant: a chunk for every thread, timed
// item: dot_f32 is as fast as one element per step can be
// diagnosis: too-slow
// backends: cuda
//
// The mistake: each thread has a chunk of neighbouring elements. The caches cannot keep what the lanes, far
// apart, ask for again.
// Read: the handout, "One thread, many products".

  // TODO(2)
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t chunk = (n + threads - 1) / threads;
  const std::size_t first = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * chunk;
  for (std::size_t i = first; i < n && i < first + chunk; ++i) sum += a[i] * b[i];
  // END TODO(2)
