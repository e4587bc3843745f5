// mutant: the lowest dwell is left out, and found in TODO(7)
// item: mandelbrot_adaptive draws the flat picture
// diagnosis: lowest-not-updated
// todo: 6
// backends: sim
//
// The mistake: only the highest dwell is looked for; lowest keeps its first value, max_dwell. Almost every border is
// then mixed, which shows only where squares are divided.
// Read: the handout, "The rule of Mariani and Silver".

  // TODO(6)
  for (unsigned k = threadIdx.x; k < 4 * (side - 1); k += blockDim.x) {
    const Pixel at = border_pixel(k, side);
    atomicMax(&highest, compute(p, x0 + at.x, y0 + at.y));
  }
  __syncthreads();
  // END TODO(6)
