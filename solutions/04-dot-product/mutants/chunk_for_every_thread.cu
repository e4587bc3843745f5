// mutant: a chunk for every thread
// item: dot_f32 reads every byte of both arrays once
// diagnosis: uncoalesced
//
// The mistake: each thread has a chunk of neighbouring elements, as one would write it for a CPU. The lanes
// of a warp are far apart.
// Read: the handout, "One thread, many products".

  // TODO(2)
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t chunk = (n + threads - 1) / threads;
  const std::size_t first = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * chunk;
  for (std::size_t i = first; i < n && i < first + chunk; ++i) sum += a[i] * b[i];
  // END TODO(2)
