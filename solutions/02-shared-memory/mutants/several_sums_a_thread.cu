// mutant: several sums a thread
// item: stencil sums out of shared memory without conflicts
// diagnosis: bank-conflict
//
// The mistake: a thread makes eight neighbouring sums, which saves threads. Its lanes then read every
//   eighth word of the window.
// Read: the handout, "TODO(7): banks".

  // TODO(2)
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x; // in[first - radius] comes first
  for (unsigned k = threadIdx.x; k < blockDim.x + 2 * radius; k += blockDim.x) {
    const std::size_t after = first + k; // radius elements after the one that belongs here
    window[k] = after >= radius && after - radius < n ? in[after - radius] : 0.0f;
  }
  __syncthreads(); // all threads come here: none has returned before
  for (unsigned mine = 8 * threadIdx.x; mine < 8 * threadIdx.x + 8 && mine < blockDim.x; ++mine) {
    if (first + mine >= n) return;
    float sum = 0;
    for (unsigned k = 0; k <= 2 * radius; ++k) sum += window[mine + k];
    out[first + mine] = sum;
  }
  // END TODO(2)
