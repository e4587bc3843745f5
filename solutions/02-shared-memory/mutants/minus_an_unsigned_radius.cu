// mutant: minus an unsigned radius
// item: stencil sums all elements within a radius
// diagnosis: nothing-summed
// backends: sim
//
// The mistake: the loop counts from -radius to radius. `radius` is unsigned, and k is compared as unsigned:
//   -3 is more than 4 billion, and the loop is never entered.
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
  for (int k = -radius; k <= radius; ++k) sum += window[threadIdx.x + radius + k];
  out[first + threadIdx.x] = sum;
  // END TODO(2)
