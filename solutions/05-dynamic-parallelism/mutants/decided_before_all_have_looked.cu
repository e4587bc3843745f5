// mutant: no barrier behind the border
// item: mandelbrot_adaptive draws the flat picture
// diagnosis: border-not-awaited
// todo: 6
// backends: sim
//
// The mistake: thread 0 decides when its own pixels are done. The other warps may still find another dwell.
// Read: the handout, "The rule of Mariani and Silver".

  // TODO(6)
  for (unsigned k = threadIdx.x; k < 4 * (side - 1); k += blockDim.x) {
    const Pixel at = border_pixel(k, side);
    const int value = compute(p, x0 + at.x, y0 + at.y);
    atomicMin(&lowest, value);
    atomicMax(&highest, value);
  }
  // END TODO(6)
