// mutant: return before the work
// item: stencil sums all elements within a radius
// diagnosis: share-not-brought
// backends: sim
//
// The mistake: threads without an element of `out` return first. They were to bring a part of the halo.
// Read: the handout, "Barriers".

  // TODO(2)
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x; // in[first - radius] comes first
  if (first + threadIdx.x >= n) return;
  for (unsigned k = threadIdx.x; k < blockDim.x + 2 * radius; k += blockDim.x) {
    const std::size_t after = first + k; // radius elements after the one that belongs here
    window[k] = after >= radius && after - radius < n ? in[after - radius] : 0.0f;
  }
  __syncthreads();
  float sum = 0;
  for (unsigned k = 0; k <= 2 * radius; ++k) sum += window[threadIdx.x + k];
  out[first + threadIdx.x] = sum;
  // END TODO(2)
