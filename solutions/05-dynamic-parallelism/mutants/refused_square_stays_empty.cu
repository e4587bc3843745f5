// mutant: the answer to the question is not used
// item: mandelbrot_adaptive asks whether its launches succeeded
// diagnosis: refused-square-missing
// backends: sim
//
// The mistake: cudaGetLastError() is called, and what it says goes nowhere: a square whose launch is refused
// stays empty.
// Read: the handout, "Did it start?".

  // TODO(7)
  if (lowest != highest && side > least_side) {
    if (threadIdx.x == 0) {
      squares_kernel<<<dim3(2, 2), blockDim.x, 0, cudaStreamFireAndForget>>>(p, x0, y0, side / 2);
      cudaGetLastError();
    }
    return;
  }
  for (unsigned k = threadIdx.x; k < (side - 2) * (side - 2); k += blockDim.x) {
    const Pixel at = inner_pixel(k, side);
    if (lowest == highest)
      p.dwells[std::size_t{y0 + at.y} * p.size + x0 + at.x] = lowest;
    else
      compute(p, x0 + at.x, y0 + at.y);
  }
  // END TODO(7)
