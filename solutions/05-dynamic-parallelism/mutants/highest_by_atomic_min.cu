// mutant: highest by atomicMin, found in TODO(7)
// item: mandelbrot_adaptive draws the flat picture
// diagnosis: lowest-by-atomic-max
// todo: 6
// backends: sim
//
// The mistake: a line was copied, and one word of it not changed. No border seems to have one dwell.
// Read: the handout, "The rule of Mariani and Silver".

  // TODO(6)
  for (unsigned k = threadIdx.x; k < 4 * (side - 1); k += blockDim.x) {
    const Pixel at = border_pixel(k, side);
    const int value = compute(p, x0 + at.x, y0 + at.y);
    atomicMin(&lowest, value);
    atomicMin(&highest, value);
  }
  __syncthreads();
  // END TODO(6)
