// mutant: array as a ring
// item: stencil sums all elements within a radius
// diagnosis: ends-wrapped
//
// The mistake: beyond one end of the array its other end is taken.
// Read: labs/02-shared-memory/lab.hpp: what lies before in[0] or after in[n - 1] counts as 0.

  // TODO(2)
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x; // in[first - radius] comes first
  for (unsigned k = threadIdx.x; k < blockDim.x + 2 * radius; k += blockDim.x) {
    const std::size_t after = first + k;            // radius elements after the one that belongs here
    window[k] = in[(after + radius * (n - 1)) % n]; // n - 1 is -1, as remainders go
  }
  __syncthreads(); // all threads come here: none has returned before
  if (first + threadIdx.x >= n) return;
  float sum = 0;
  for (unsigned k = 0; k <= 2 * radius; ++k) sum += window[threadIdx.x + k];
  out[first + threadIdx.x] = sum;
  // END TODO(2)
