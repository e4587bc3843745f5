// mutant: no thread asks whether the square was divided
// item: mandelbrot_adaptive asks whether its launches succeeded
// diagnosis: launch-not-checked
//
// The mistake: if the launch is refused, the square has a border and no inside.
// Read: the handout, "Did it start?".

  // TODO(7)
  __shared__ bool divided;
  if (threadIdx.x == 0) {
    divided = false;
    if (lowest != highest && side > least_side) {
      squares_kernel<<<dim3(2, 2), blockDim.x, 0, cudaStreamFireAndForget>>>(p, x0, y0, side / 2);
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
