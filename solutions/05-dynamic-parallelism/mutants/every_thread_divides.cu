// mutant: every thread divides the square
// item: mandelbrot_adaptive draws the flat picture
// diagnosis: too-many-child-grids
// backends: sim
//
// The mistake: 64 threads find that the square is to be divided, and 64 child grids draw the same four
// quarters: at the next level there are 64 times as many.
// Read: the handout, "Quarters as a child grid".

  // TODO(7)
  if (lowest != highest && side > least_side) {
    squares_kernel<<<dim3(2, 2), blockDim.x, 0, cudaStreamFireAndForget>>>(p, x0, y0, side / 2);
    if (cudaGetLastError() == cudaSuccess) return;
  }
  for (unsigned k = threadIdx.x; k < (side - 2) * (side - 2); k += blockDim.x) {
    const Pixel at = inner_pixel(k, side);
    if (lowest == highest)
      p.dwells[std::size_t{y0 + at.y} * p.size + x0 + at.x] = lowest;
    else
      compute(p, x0 + at.x, y0 + at.y);
  }
  // END TODO(7)
