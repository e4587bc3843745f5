// mutant: last elements taken for the end
// item: stencil sums all elements within a radius
// diagnosis: end-left-out
//
// The mistake: the index is compared before radius is subtracted from it, so that the last elements are left out.
// Read: the handout, "TODO(2) and TODO(3): a window with a halo".

  // TODO(2)
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x; // in[first - radius] comes first
  for (unsigned k = threadIdx.x; k < blockDim.x + 2 * radius; k += blockDim.x) {
    const std::size_t after = first + k; // radius elements after the one that belongs here
    window[k] = after >= radius && after < n ? in[after - radius] : 0.0f;
  }
  __syncthreads(); // all threads come here: none has returned before
  if (first + threadIdx.x >= n) return;
  float sum = 0;
  for (unsigned k = 0; k <= 2 * radius; ++k) sum += window[threadIdx.x + k];
  out[first + threadIdx.x] = sum;
  // END TODO(2)
