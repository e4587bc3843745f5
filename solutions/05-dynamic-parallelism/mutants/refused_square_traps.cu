// mutant: a refused launch ends the kernel
// item: mandelbrot_adaptive asks whether its launches succeeded
// diagnosis: refused-square-ends-the-kernel
// backends: sim
//
// The mistake: an error instead of a picture, where the block could compute the pixels of its square itself.
// Read: the handout, "Did it start?".

  // TODO(7)
  if (lowest != highest && side > least_side) {
    if (threadIdx.x == 0) {
      squares_kernel<<<dim3(2, 2), blockDim.x, 0, cudaStreamFireAndForget>>>(p, x0, y0, side / 2);
      if (cudaGetLastError() != cudaSuccess) __trap();
    }
    return;
  }
  for (unsigned k = threadIdx.x; k < (side - 2) * (side - 2); k += blockDim.x) {
    const Pixel at = inner_pixel(k, side);
    if (lowest == highest)
      p.dwells[std::size_t{y0 + at.y} * p.size + x0 + at.x] = lowest;
    else
      compute(p, x0 + at.x, y0 + at.y);
  }
  // END TODO(7)
