// mutant: only one thread knows of the launch
// item: mandelbrot_adaptive draws the flat picture
// diagnosis: divided-and-drawn
// backends: sim
//
// The mistake: `divided` is a local variable, and each thread has its own. The launching thread ends, and the
// others draw the inside of a square that has been divided, while the child grid does so, too.
// Read: the handout, "Quarters as a child grid".

  // TODO(7)
  bool divided = false;
  if (threadIdx.x == 0) {
    if (lowest != highest && side > least_side) {
      squares_kernel<<<dim3(2, 2), blockDim.x, 0, cudaStreamFireAndForget>>>(p, x0, y0, side / 2);
      divided = cudaGetLastError() == cudaSuccess;
    }
  }
  __syncthreads();
  if (divided) return;
  for (unsigned k = threadIdx.x; k < (side - 2) * (side - 2); k += blockDim.x) {
    const Pixel at = inner_pixel(k, side);
    if (lowest == highest)
      p.dwells[std::size_t{y0 + at.y} * p.size + x0 + at.x] = lowest;
    else
      compute(p, x0 + at.x, y0 + at.y);
  }
  // END TODO(7)
