// mutant: every thread asks for itself
// item: mandelbrot_adaptive asks whether its launches succeeded
// diagnosis: refused-square-missing
// backends: sim
//
// The mistake: the error belongs to the thread that has launched. All others get no error
// and end; the one that knows draws its own pixels of the square, and those of the others stay empty.
// Read: the handout, "Did it start?".

  // TODO(7)
  if (lowest != highest && side > least_side) {
    if (threadIdx.x == 0)
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
