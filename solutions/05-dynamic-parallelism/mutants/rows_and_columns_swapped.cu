// mutant: rows and columns swapped
// item: mandelbrot_adaptive draws the flat picture
// diagnosis: rows-and-columns-swapped
//
// The mistake: the pixel in column x of row y is written to dwells[x * size + y].
// Read: the handout, "The rule of Mariani and Silver".

// GIVEN(compute)
__device__ int compute(const Picture& p, unsigned x, unsigned y) {
  const int value = dwell(p.re[x], p.im[y], p.max_dwell);
  p.dwells[std::size_t{x} * p.size + y] = value;
  return value;
}
// END GIVEN(compute)

  // TODO(7)
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
      p.dwells[std::size_t{x0 + at.x} * p.size + y0 + at.y] = lowest;
    else
      compute(p, x0 + at.x, y0 + at.y);
  }
  // END TODO(7)
