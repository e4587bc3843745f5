// Lab 05: dynamic parallelism. Complete the TODO regions; README.md beside this file is the handout.
//
//   ./warpbook check 05        grades this file and says what is wrong

#include <cuda_runtime.h>

#include <cstdio>

namespace {

// The number of blocks for `count` elements or threads, part_size per block: the division is rounded up.
__host__ __device__ std::size_t parts_of(std::size_t count) { return (count + part_size - 1) / part_size; }

} // namespace

// ---- flat: one block of 256 threads adds up a part -----------------------------------------------------

namespace {

// Every thread of the block copies its element of the part to `part`, or 0 where `in` has ended. After the
// barrier each thread may read all of them.
__device__ void load_part(int* part, const int* in, std::size_t n) {
  const std::size_t i = blockIdx.x * part_size + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
}

// One block per part, in this kernel and in the next two.
__global__ void neighbored_kernel(int* sums, int* work, const int* in, std::size_t n) {
  int* part = work + blockIdx.x * part_size;
  const unsigned t = threadIdx.x;
  load_part(part, in, n);
  // TODO(1): neighbours pair up, at distances of 1, 2, 4 … 128; thread 0 writes the sum
  for (unsigned distance = 1; distance < part_size; distance *= 2) {
    if (t % (2 * distance) == 0) part[t] += part[t + distance];
    __syncthreads(); // what the next round reads has been written
  }
  if (t == 0) sums[blockIdx.x] = part[0];
  // END TODO(1)
}

__global__ void neighbored_less_kernel(int* sums, int* work, const int* in, std::size_t n) {
  int* part = work + blockIdx.x * part_size;
  const unsigned t = threadIdx.x;
  load_part(part, in, n);
  // TODO(2): the same additions by threads without gaps between them
  for (unsigned distance = 1; distance < part_size; distance *= 2) {
    const unsigned first = 2 * distance * t; // of the pair that this thread adds
    if (first < part_size) part[first] += part[first + distance];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
  // END TODO(2)
}

__global__ void interleaved_kernel(int* sums, int* work, const int* in, std::size_t n) {
  int* part = work + blockIdx.x * part_size;
  const unsigned t = threadIdx.x;
  load_part(part, in, n);
  // TODO(3): add the second half to the first, then the second quarter to the first
  for (unsigned half = part_size / 2; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
  // END TODO(3)
}

} // namespace

void reduce_neighbored(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return; // a launch of no blocks is an error
  neighbored_kernel<<<parts_of(n), part_size>>>(sums, work, in, n);
}

void reduce_neighbored_less(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  neighbored_less_kernel<<<parts_of(n), part_size>>>(sums, work, in, n);
}

void reduce_interleaved(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  interleaved_kernel<<<parts_of(n), part_size>>>(sums, work, in, n);
}

// ---- nested: every block launches the next half of its own part ----------------------------------------

namespace {

// from[i], or 0 where `from`, which has n elements, has ended.
__device__ int element(const int* from, std::size_t n, std::size_t i) { return i < n ? from[i] : 0; }

// For a launch that was refused: one thread adds up the part's first `count` elements and writes the sum.
__device__ void finish_alone(int* sum, const int* part, unsigned count) {
  int total = 0;
  for (unsigned i = 0; i < count; ++i) total += part[i];
  *sum = total;
}

// One block of `half` threads per part: `from` has n elements, and of those in its part the block adds the
// second `half` to the first. The host launches it for all parts with `from` = in; every block launches it
// for its own part alone with `from` = what it has written to work.
__global__ void nested_kernel(int* sums, int* work, const int* from, std::size_t n) {
  const unsigned t = threadIdx.x, half = blockDim.x;
  const std::size_t begin = blockIdx.x * part_size;
  int* part = work + begin;
  int* sum = sums + blockIdx.x;
  // TODO(4): add the second half to the first, which a child grid then adds up
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  __syncthreads(); // the child sees what thread 0 knows of, which is now the work of the whole block
  if (t != 0) return;
  if (half == 1) {
    *sum = part[0];
    return;
  }
  nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, part, part, half);
  if (cudaGetLastError() != cudaSuccess) finish_alone(sum, part, half);
  // END TODO(4)
}

} // namespace

void reduce_nested(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  nested_kernel<<<parts_of(n), part_size / 2>>>(sums, work, in, n);
}

// ---- by level: one launch for the same half of all parts -----------------------------------------------

namespace {

// One thread per addition: of the first 2 * half elements in each of `parts` parts, the second half is added
// to the first. The host launches it with `from` = in, which has n elements; every level launches the next.
__global__ void level_kernel(int* sums, int* work, const int* from, std::size_t n, std::size_t parts,
                             unsigned half) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // TODO(5): this thread's addition; one thread of the whole grid launches the next level
  if (i < parts * half) {
    const std::size_t first = i / half * part_size + i % half;
    const int added = element(from, n, first) + element(from, n, first + half);
    if (half == 1)
      sums[i] = added;
    else
      work[first] = added;
  }
  if (i != 0 || half == 1) return;
  level_kernel<<<parts_of(parts * (half / 2)), blockDim.x, 0, cudaStreamTailLaunch>>>(
      sums, work, work, parts * part_size, parts, half / 2);
  if (cudaGetLastError() != cudaSuccess)
    __trap(); // no thread can do a whole level: end with an error, not with wrong sums
  // END TODO(5)
}

} // namespace

void reduce_nested_by_level(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  const std::size_t parts = parts_of(n);
  const unsigned half = part_size / 2;
  level_kernel<<<parts_of(parts * half), part_size>>>(sums, work, in, n, parts, half);
}

// ---- Mandelbrot: a square is divided where its border is not all the same ------------------------------

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
  // TODO(6): compute the border, and find its lowest and its highest dwell
  for (unsigned k = threadIdx.x; k < 4 * (side - 1); k += blockDim.x) {
    const Pixel at = border_pixel(k, side);
    const int value = compute(p, x0 + at.x, y0 + at.y);
    atomicMin(&lowest, value);
    atomicMax(&highest, value);
  }
  __syncthreads();
  // END TODO(6)
  // TODO(7): launch a child grid for the four quarters, or fill the inside, or compute it
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
  // END TODO(7)
}

} // namespace

void mandelbrot_adaptive(int* dwells, const float* re, const float* im, unsigned size, int max_dwell) {
  if (size == 0) return;
  const unsigned squares = size / first_side, threads_per_square = 64;
  squares_kernel<<<dim3(squares, squares), threads_per_square>>>({dwells, re, im, size, max_dwell}, 0, 0,
                                                                 first_side);
}
