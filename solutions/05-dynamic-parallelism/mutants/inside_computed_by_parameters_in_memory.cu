// mutant: the inside is computed all the same, by parameters in device memory
// item: mandelbrot_adaptive computes no more pixels than the rule asks for
// diagnosis: computed-in-vain
// backends: sim
//
// The mistake: the border is examined and then every pixel inside computed, although they are known. That the
// threads also read the picture's parameters from device memory is none.
// Read: the handout, "How many pixels are computed?".

// GIVEN(compute)
__device__ Picture picture;

__device__ int compute(unsigned x, unsigned y) {
  const int value = dwell(picture.re[x], picture.im[y], picture.max_dwell);
  picture.dwells[std::size_t{y} * picture.size + x] = value;
  return value;
}
// END GIVEN(compute)

// GIVEN(squares_kernel)
__global__ void squares_kernel(unsigned left, unsigned top, unsigned side) {
  const unsigned x0 = left + blockIdx.x * side, y0 = top + blockIdx.y * side;
  __shared__ int lowest, highest;
  if (threadIdx.x == 0) {
    lowest = picture.max_dwell;
    highest = 0;
  }
  __syncthreads();
  for (unsigned k = threadIdx.x; k < 4 * (side - 1); k += blockDim.x) {
    const Pixel at = border_pixel(k, side);
    const int value = compute(x0 + at.x, y0 + at.y);
    atomicMin(&lowest, value);
    atomicMax(&highest, value);
  }
  __syncthreads();
  __shared__ bool divided;
  if (threadIdx.x == 0) {
    divided = false;
    if (lowest != highest && side > least_side) {
      squares_kernel<<<dim3(2, 2), blockDim.x, 0, cudaStreamFireAndForget>>>(x0, y0, side / 2);
      divided = cudaGetLastError() == cudaSuccess;
    }
  }
  __syncthreads();
  if (divided) return;
  for (unsigned k = threadIdx.x; k < (side - 2) * (side - 2); k += blockDim.x) {
    const Pixel at = inner_pixel(k, side);
    if (lowest == highest) {
      const unsigned x = x0 + at.x, y = y0 + at.y;
      picture.dwells[std::size_t{y} * picture.size + x] =
          dwell(picture.re[x], picture.im[y], picture.max_dwell);
    } else {
      compute(x0 + at.x, y0 + at.y);
    }
  }
}
// END GIVEN(squares_kernel)

// GIVEN(mandelbrot_adaptive)
void mandelbrot_adaptive(int* dwells, const float* re, const float* im, unsigned size, int max_dwell) {
  if (size == 0) return;
  const unsigned squares = size / first_side;
  const Picture here{dwells, re, im, size, max_dwell};
  cudaMemcpyToSymbolAsync(picture, &here, sizeof here, 0, cudaMemcpyHostToDevice);
  squares_kernel<<<dim3(squares, squares), 64>>>(0, 0, first_side);
}
// END GIVEN(mandelbrot_adaptive)
