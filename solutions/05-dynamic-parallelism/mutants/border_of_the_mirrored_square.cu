// mutant: the border of the mirrored square
// item: mandelbrot_adaptive draws the flat picture
// diagnosis: border-of-another-square
// todo: 6
// backends: sim
//
// The mistake: compute() gets the row where it wants the column. All borders are drawn, each by the block of another
// square, which then decides by the wrong border what becomes of its own square.
// Read: the handout, "The rule of Mariani and Silver".

  // TODO(6)
  for (unsigned k = threadIdx.x; k < 4 * (side - 1); k += blockDim.x) {
    const Pixel at = border_pixel(k, side);
    const int value = compute(p, y0 + at.y, x0 + at.x);
    atomicMin(&lowest, value);
    atomicMax(&highest, value);
  }
  __syncthreads();
  // END TODO(6)
