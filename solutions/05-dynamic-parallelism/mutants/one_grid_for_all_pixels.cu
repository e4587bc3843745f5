// mutant: one grid for all pixels
// item: mandelbrot_adaptive launches one child grid for the quarters of a square
// diagnosis: no-child-grids
//
// The mistake: a thread for every pixel, and no rule: the flat picture, computed in full.
// Read: the handout, "Quarters as a child grid".

  // TODO(7)
  for (unsigned k = threadIdx.x; k < (side - 2) * (side - 2); k += blockDim.x) {
    const Pixel at = inner_pixel(k, side);
    if (lowest == highest)
      p.dwells[std::size_t{y0 + at.y} * p.size + x0 + at.x] = lowest;
    else
      compute(p, x0 + at.x, y0 + at.y);
  }
  // END TODO(7)
