// mutant: every thread computes the border
// item: mandelbrot_adaptive computes the border of every square
// diagnosis: border-by-every-thread
// backends: sim
//
// The mistake: the loop over the border begins with 0 in every thread and goes on by 1: 64 threads compute
// the same 252 pixels.
// Read: the handout, "The rule of Mariani and Silver".

  // TODO(6)
  for (unsigned k = 0; k < 4 * (side - 1); ++k) {
    const Pixel at = border_pixel(k, side);
    const int value = compute(p, x0 + at.x, y0 + at.y);
    atomicMin(&lowest, value);
    atomicMax(&highest, value);
  }
  __syncthreads();
  // END TODO(6)
