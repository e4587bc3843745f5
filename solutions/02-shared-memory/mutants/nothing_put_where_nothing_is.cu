// mutant: nothing put where nothing is
// item: stencil sums all elements within a radius
// diagnosis: window-not-filled
// backends: sim
//
// The mistake: what lies outside of the array is not brought, and no zero takes its place: what happened to be in
//   shared memory is summed instead.
// Read: the handout, "TODO(2) and TODO(3): a window with a halo".

  // TODO(2)
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x; // in[first - radius] comes first
  for (unsigned k = threadIdx.x; k < blockDim.x + 2 * radius; k += blockDim.x) {
    const std::size_t after = first + k; // radius elements after the one that belongs here
    if (after >= radius && after - radius < n) window[k] = in[after - radius];
  }
  __syncthreads(); // all threads come here: none has returned before
  if (first + threadIdx.x >= n) return;
  float sum = 0;
  for (unsigned k = 0; k <= 2 * radius; ++k) sum += window[threadIdx.x + k];
  out[first + threadIdx.x] = sum;
  // END TODO(2)
