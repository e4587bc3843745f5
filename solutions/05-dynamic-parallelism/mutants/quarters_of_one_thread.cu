// mutant: quarters of one thread
// item: mandelbrot_adaptive launches one child grid for the quarters of a square
// diagnosis: quarters-of-few-threads
// backends: sim
//
// The mistake: the blocks of child grids have one thread, which draws a quarter alone.
// Read: the handout, "Quarters as a child grid".

  // TODO(7)
  __shared__ bool divided;
  if (threadIdx.x == 0) {
    divided = false;
    if (lowest != highest && side > least_side) {
      squares_kernel<<<dim3(2, 2), 1, 0, cudaStreamFireAndForget>>>(p, x0, y0, side / 2);
      divided = cudaGetLastError() == cudaSuccess; // if the launch was refused, the pixels are computed here
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
