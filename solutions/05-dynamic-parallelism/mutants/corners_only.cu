// mutant: only the corners are compared
// item: mandelbrot_adaptive draws the flat picture
// diagnosis: filled-though-mixed
//
// The mistake: four equal corners are taken for an equal border. Between them anything may lie.
// Read: the handout, "The rule of Mariani and Silver".

  // TODO(7)
  if (threadIdx.x == 0) {
    const auto at = [&](unsigned x, unsigned y) { return p.dwells[std::size_t{y0 + y} * p.size + x0 + x]; };
    lowest = min(min(at(0, 0), at(side - 1, 0)), min(at(0, side - 1), at(side - 1, side - 1)));
    highest = max(max(at(0, 0), at(side - 1, 0)), max(at(0, side - 1), at(side - 1, side - 1)));
  }
  __syncthreads();
  __shared__ bool divided;
  if (threadIdx.x == 0) {
    divided = false;
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
