// mutant: one border pixel per thread
// item: mandelbrot_adaptive computes the border of every square
// diagnosis: border-not-drawn
//
// The mistake: a border of 64 pixels a side has 252 pixels, and the block 64 threads: three of four pixels
// have no thread.
// Read: the handout, "The rule of Mariani and Silver".

  // TODO(6)
  if (threadIdx.x < 4 * (side - 1)) {
    const Pixel at = border_pixel(threadIdx.x, side);
    const int value = compute(p, x0 + at.x, y0 + at.y);
    atomicMin(&lowest, value);
    atomicMax(&highest, value);
  }
  __syncthreads();
  // END TODO(6)
