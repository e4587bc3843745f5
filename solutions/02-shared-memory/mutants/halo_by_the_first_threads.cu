// mutant: halo by the first threads
// item: stencil sums all elements within a radius
// diagnosis: halo-larger-than-block
//
// The mistake: the first `radius` threads bring one element of the halo on each side. A block has 256
//   threads, and the radius may be larger.
// Read: the handout, "TODO(2) and TODO(3): a window with a halo".

  // TODO(2)
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x; // in[first - radius] comes first
  const std::size_t i = first + threadIdx.x;
  window[radius + threadIdx.x] = i < n ? in[i] : 0.0f;
  if (threadIdx.x < radius) {
    window[threadIdx.x] = i >= radius && i - radius < n ? in[i - radius] : 0.0f;
    window[radius + blockDim.x + threadIdx.x] = i + blockDim.x < n ? in[i + blockDim.x] : 0.0f;
  }
  __syncthreads(); // all threads come here: none has returned before
  if (first + threadIdx.x >= n) return;
  float sum = 0;
  for (unsigned k = 0; k <= 2 * radius; ++k) sum += window[threadIdx.x + k];
  out[first + threadIdx.x] = sum;
  // END TODO(2)
