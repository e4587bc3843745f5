// mutant: quarters begin at the grid's corner
// item: mandelbrot_adaptive draws the flat picture
// diagnosis: quarters-elsewhere
// backends: sim
//
// The mistake: the child grid gets the corner of its parent's grid, not that of the square that is divided:
// some quarters are drawn again and again, and others never.
// Read: the handout, "Quarters as a child grid".

  // TODO(7)
  __shared__ bool divided;
  if (threadIdx.x == 0) {
    divided = false;
    if (lowest != highest && side > least_side) {
      squares_kernel<<<dim3(2, 2), blockDim.x, 0, cudaStreamFireAndForget>>>(p, left, top, side / 2);
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
