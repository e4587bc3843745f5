// mutant: the barrier stands in the loop over the border
// item: mandelbrot_adaptive draws the flat picture
// diagnosis: border-awaited-by-some
// todo: 6
// backends: sim
//
// The mistake: the barrier stands one line too early. 252 border pixels are three turns of 64 threads and one of 60.
// Read: the handout, "The rule of Mariani and Silver".

  // TODO(6)
  for (unsigned k = threadIdx.x; k < 4 * (side - 1); k += blockDim.x) {
    const Pixel at = border_pixel(k, side);
    const int value = compute(p, x0 + at.x, y0 + at.y);
    atomicMin(&lowest, value);
    atomicMax(&highest, value);
    __syncthreads();
  }
  // END TODO(6)
