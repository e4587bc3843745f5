// mutant: a grid for every quarter
// item: mandelbrot_adaptive launches one child grid for the quarters of a square
// diagnosis: too-many-child-grids
//
// The mistake: four launches of one block each. A launch costs the same whether it has one block or four
// thousand.
// Read: the handout, "Quarters as a child grid".

  // TODO(7)
  __shared__ bool divided;
  if (threadIdx.x == 0) {
    divided = false;
    if (lowest != highest && side > least_side) {
      divided = true;
      for (unsigned quarter = 0; quarter < 4; ++quarter) {
        squares_kernel<<<1, blockDim.x, 0, cudaStreamFireAndForget>>>(
            p, x0 + quarter % 2 * (side / 2), y0 + quarter / 2 * (side / 2), side / 2);
        divided = divided && cudaGetLastError() == cudaSuccess;
      }
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
