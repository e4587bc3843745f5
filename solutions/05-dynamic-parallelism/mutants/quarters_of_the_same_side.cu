// mutant: the quarters are as large as their square
// item: mandelbrot_adaptive draws the flat picture
// diagnosis: recursion-without-end
// backends: sim
//
// The mistake: the child gets the side of the square that is divided, not half of it: it finds the same
// mixed border in one quarter, and divides again, without end.
// Read: the handout, "Quarters as a child grid".

  // TODO(7)
  __shared__ bool divided;
  if (threadIdx.x == 0) {
    divided = false;
    if (lowest != highest && side > least_side) {
      squares_kernel<<<dim3(2, 2), blockDim.x, 0, cudaStreamFireAndForget>>>(p, x0, y0, side);
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
