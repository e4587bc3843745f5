// mutant: summed in the output
// item: stencil reads each element once per block and halo
// diagnosis: written-more-than-once
//
// The mistake: the running sum is kept in out[i], and goes to global memory and back for every element of
//   the window.
// Read: the handout of lab 01, "Which way through a matrix?".

  // TODO(2)
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x; // in[first - radius] comes first
  for (unsigned k = threadIdx.x; k < blockDim.x + 2 * radius; k += blockDim.x) {
    const std::size_t after = first + k; // radius elements after the one that belongs here
    window[k] = after >= radius && after - radius < n ? in[after - radius] : 0.0f;
  }
  __syncthreads(); // all threads come here: none has returned before
  if (first + threadIdx.x >= n) return;
  volatile float* const sum = out + first + threadIdx.x;
  *sum = 0;
  for (unsigned k = 0; k <= 2 * radius; ++k) *sum = *sum + window[threadIdx.x + k];
  // END TODO(2)
