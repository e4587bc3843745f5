// mutant: difference of two sums
// item: stencil sums all elements within a radius
// backends: sim
// diagnosis: digits-cancelled
//
// The mistake: a sum is the difference of two longer ones, which both begin at the beginning of the window.
//   They are rounded to their own size, and the difference keeps what that took away.
// Read: labs/02-shared-memory/lab.hpp: a sum is that of its own elements.

  // TODO(2)
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x; // in[first - radius] comes first
  for (unsigned k = threadIdx.x; k < blockDim.x + 2 * radius; k += blockDim.x) {
    const std::size_t after = first + k; // radius elements after the one that belongs here
    window[k] = after >= radius && after - radius < n ? in[after - radius] : 0.0f;
  }
  __syncthreads(); // all threads come here: none has returned before
  if (first + threadIdx.x >= n) return;
  float to_last = 0, before_first = 0;
  for (unsigned k = 0; k <= threadIdx.x + 2 * radius; ++k) to_last += window[k];
  for (unsigned k = 0; k < threadIdx.x; ++k) before_first += window[k];
  out[first + threadIdx.x] = to_last - before_first;
  // END TODO(2)
