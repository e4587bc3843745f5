// mutant: squares of 16 are not divided
// item: mandelbrot_adaptive computes no more pixels than the rule asks for
// diagnosis: not-divided-to-the-end
//
// The mistake: `least_side` is taken for the side of the quarters: a mixed square of 16 is computed whole,
// with those of its quarters that the rule would fill.
// Read: the handout, "How many pixels are computed?".

  // TODO(7)
  __shared__ bool divided;
  if (threadIdx.x == 0) {
    divided = false;
    if (lowest != highest && side > 2 * least_side) {
      squares_kernel<<<dim3(2, 2), blockDim.x, 0, cudaStreamFireAndForget>>>(p, x0, y0, side / 2);
      divided = cudaGetLastError() == cudaSuccess; // if it was refused, the pixels are computed here
    }
  }
  __syncthreads();
  if (divided) return;
  for (unsigned k = threadIdx.x; k < (side - 2) * (side - 2); k += blockDim.x) {
    const Pixel at = inner_pixel(k, side);
    if (lowest == highest)
      p.dwells[std::size_t{y0 + at.y} * p.size + x0 + at.x] = lowest;
    else
      compute(p, x0 + at.x, y0 + at.y);
  }
  // END TODO(7)
