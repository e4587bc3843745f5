// mutant: the highest dwell is left out
// item: mandelbrot_adaptive computes the border of every square
// diagnosis: lowest-not-updated
// backends: sim
//
// The mistake: only the lowest dwell is looked for; highest keeps its first value, 0. TODO(7) is still empty.
// Read: the handout, "The rule of Mariani and Silver".

  // TODO(6)
  for (unsigned k = threadIdx.x; k < 4 * (side - 1); k += blockDim.x) {
    const Pixel at = border_pixel(k, side);
    atomicMin(&lowest, compute(p, x0 + at.x, y0 + at.y));
  }
  __syncthreads();
  // END TODO(6)
  // TODO(7)
  // END TODO(7)
