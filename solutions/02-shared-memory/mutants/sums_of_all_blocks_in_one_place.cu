// mutant: sums of all blocks in one place
// item: stencil sums all elements within a radius
// diagnosis: sum-written-twice
// backends: sim
//
// The mistake: the index of the sum lacks the block.
// Read: the handout, "TODO(2) and TODO(3): a window with a halo".

  // TODO(2)
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x; // in[first - radius] comes first
  for (unsigned k = threadIdx.x; k < blockDim.x + 2 * radius; k += blockDim.x) {
    const std::size_t after = first + k; // radius elements after the one that belongs here
    window[k] = after >= radius && after - radius < n ? in[after - radius] : 0.0f;
  }
  __syncthreads(); // all threads come here: none has returned before
  if (first + threadIdx.x >= n) return;
  float sum = 0;
  for (unsigned k = 0; k <= 2 * radius; ++k) sum += window[threadIdx.x + k];
  out[threadIdx.x] = sum;
  // END TODO(2)
