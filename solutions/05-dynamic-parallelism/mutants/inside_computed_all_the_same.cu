// mutant: the inside is computed all the same
// item: mandelbrot_adaptive computes no more pixels than the rule asks for
// diagnosis: computed-in-vain
//
// The mistake: the border is examined and then every pixel inside computed, although they are known. The
// picture is right, and all the work is done.
// Read: the handout, "How many pixels are computed?".

  // TODO(7)
  __shared__ bool divided;
  if (threadIdx.x == 0) {
    divided = false;
    if (lowest != highest && side > least_side) {
      squares_kernel<<<dim3(2, 2), blockDim.x, 0, cudaStreamFireAndForget>>>(p, x0, y0, side / 2);
      divided = cudaGetLastError() == cudaSuccess;
    }
  }
  __syncthreads();
  if (divided) return;
  for (unsigned k = threadIdx.x; k < (side - 2) * (side - 2); k += blockDim.x) {
    const Pixel at = inner_pixel(k, side);
    compute(p, x0 + at.x, y0 + at.y);
  }
  // END TODO(7)
