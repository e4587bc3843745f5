// mutant: lowest by atomicMax, highest by atomicMin
// item: mandelbrot_adaptive computes the border of every square
// diagnosis: lowest-by-atomic-max
// backends: sim
//
// The mistake: the two operations are swapped, and each variable keeps its first value. TODO(7) is still empty.
// Read: the handout, "The rule of Mariani and Silver".

  // TODO(6)
  for (unsigned k = threadIdx.x; k < 4 * (side - 1); k += blockDim.x) {
    const Pixel at = border_pixel(k, side);
    const int value = compute(p, x0 + at.x, y0 + at.y);
    atomicMax(&lowest, value);
    atomicMin(&highest, value);
  }
  __syncthreads();
  // END TODO(6)
  // TODO(7)
  // END TODO(7)
