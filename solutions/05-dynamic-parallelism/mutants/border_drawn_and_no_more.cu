// mutant: the border is drawn, and no more
// item: mandelbrot_adaptive computes the border of every square
// diagnosis: lowest-not-updated
// backends: sim
//
// The mistake: each thread computes its pixels and leaves it at that. The picture has its borders, and no thread has
// updated lowest and highest; TODO(7) is still empty.
// Read: the handout, "The rule of Mariani and Silver".

  // TODO(6)
  for (unsigned k = threadIdx.x; k < 4 * (side - 1); k += blockDim.x) {
    const Pixel at = border_pixel(k, side);
    compute(p, x0 + at.x, y0 + at.y);
  }
  // END TODO(6)
  // TODO(7)
  // END TODO(7)
