// mutant: a mixed border is divided until a launch is refused
// item: mandelbrot_adaptive draws the flat picture
// diagnosis: recursion-without-end
// backends: sim
//
// The mistake: a mixed border is always divided, also that of a square of 8, and a refusal ends the kernel.
// Read: the handout, "Quarters as a child grid".

  // TODO(7)
  __shared__ bool divided;
  if (threadIdx.x == 0) {
    divided = false;
    if (lowest != highest) {
      squares_kernel<<<dim3(2, 2), blockDim.x, 0, cudaStreamFireAndForget>>>(p, x0, y0, side / 2);
      if (cudaGetLastError() != cudaSuccess) __trap();
      divided = true;
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
