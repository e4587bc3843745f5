// mutant: the inside goes on beyond the square
// item: mandelbrot_adaptive draws the flat picture
// diagnosis: inside-too-large
// backends: sim
//
// The mistake: the pixels inside are taken for side * side. inner_pixel goes on counting below the square: into
// the next one, and below the picture.
// Read: the handout, "The rule of Mariani and Silver".

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
  for (unsigned k = threadIdx.x; k < side * side; k += blockDim.x) {
    const Pixel at = inner_pixel(k, side);
    if (lowest == highest)
      p.dwells[std::size_t{y0 + at.y} * p.size + x0 + at.x] = lowest;
    else
      compute(p, x0 + at.x, y0 + at.y);
  }
  // END TODO(7)
