// mutant: squares as tail launches
// item: mandelbrot_adaptive launches one child grid for the quarters of a square
// diagnosis: tail-launches-wait
//
// The mistake: tail launches of a grid run one after the other: a square is not divided before the one
// launched earlier is complete, down to its last pixel.
// Read: more.md, "Four streams for a launch".

  // TODO(7)
  __shared__ bool divided;
  if (threadIdx.x == 0) {
    divided = false;
    if (lowest != highest && side > least_side) {
      squares_kernel<<<dim3(2, 2), blockDim.x, 0, cudaStreamTailLaunch>>>(p, x0, y0, side / 2);
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
