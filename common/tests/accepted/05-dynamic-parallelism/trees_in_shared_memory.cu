// Trees in shared memory, with the barrier at the head of each round; the picture's parameters in a variable
// of the device, which every thread reads again; a block whose launch is refused divides its square itself.
// A part of the contract.

#include <cuda_runtime.h>

namespace {

__host__ __device__ std::size_t parts_of(std::size_t n) { return (n + part_size - 1) / part_size; }

// Every thread of the block copies its element of the part to `part`.
__device__ void load_part(int* part, const int* in, std::size_t n) {
  const std::size_t i = blockIdx.x * part_size + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
}

// Neighbours pair up: the sums move together, so that each round has them side by side.
__global__ void neighbours_kernel(int* sums, int* work, const int* in, std::size_t n) {
  __shared__ int s[part_size];
  const unsigned t = threadIdx.x;
  int* part = work + blockIdx.x * part_size;
  load_part(part, in, n);
  s[t] = part[t];
  for (unsigned left = part_size / 2; left > 0; left /= 2) {
    __syncthreads(); // the round before has written
    const int sum = t < left ? s[2 * t] + s[2 * t + 1] : 0;
    __syncthreads(); // this one has read
    if (t < left) s[t] = sum;
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}

__global__ void halves_kernel(int* sums, int* work, const int* in, std::size_t n) {
  __shared__ int s[part_size];
  const unsigned t = threadIdx.x;
  int* part = work + blockIdx.x * part_size;
  load_part(part, in, n);
  s[t] = part[t];
  for (unsigned half = part_size / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) s[t] += s[t + half];
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}

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

struct Picture {
  int* dwells;
  const float* re;
  const float* im;
  unsigned size;
  int max_dwell;
};

__device__ Picture picture;

struct Square {
  unsigned x, y, side;
};

__device__ int* pixel(unsigned x, unsigned y) { return picture.dwells + std::size_t{y} * picture.size + x; }

__device__ int compute(unsigned x, unsigned y) {
  const int value = dwell(picture.re[x], picture.im[y], picture.max_dwell);
  *pixel(x, y) = value;
  return value;
}

__global__ void squares_kernel(unsigned left, unsigned top, unsigned side) {
  __shared__ Square to_do[16]; // squares of 64, 32 and 16 leave three each, and the last one four
  __shared__ unsigned count;
  __shared__ int lowest, highest;
  const unsigned t = threadIdx.x;
  if (t == 0) {
    to_do[0] = {left + blockIdx.x * side, top + blockIdx.y * side, side};
    count = 1;
  }
  __syncthreads();
  while (count > 0) {
    const Square s = to_do[count - 1];
    __syncthreads(); // all know it
    if (t == 0) {
      --count;
      lowest = picture.max_dwell;
      highest = 0;
    }
    __syncthreads();
    const unsigned last = s.side - 1;
    for (unsigned k = t; k < 4 * last; k += blockDim.x) {
      const unsigned edge = k / last, along = k % last;
      const unsigned x = edge == 0 ? along : edge == 1 ? last : edge == 2 ? last - along : 0;
      const unsigned y = edge == 0 ? 0 : edge == 1 ? along : edge == 2 ? last : last - along;
      const int value = compute(s.x + x, s.y + y);
      atomicMin(&lowest, value);
      atomicMax(&highest, value);
    }
    __syncthreads();
    if (lowest != highest && s.side > least_side) {
      if (t == 0) {
        squares_kernel<<<dim3(2, 2), blockDim.x, 0, cudaStreamFireAndForget>>>(s.x, s.y, s.side / 2);
        const bool is_refused = cudaGetLastError() != cudaSuccess;
        const unsigned half = s.side / 2;
        for (unsigned q = 0; is_refused && q < 4; ++q)
          to_do[count++] = {s.x + q % 2 * half, s.y + q / 2 * half, half};
      }
    } else {
      const unsigned inner = s.side - 2;
      for (unsigned k = t; k < inner * inner; k += blockDim.x) {
        const unsigned x = s.x + 1 + k % inner, y = s.y + 1 + k / inner;
        if (lowest == highest)
          *pixel(x, y) = lowest;
        else
          compute(x, y);
      }
    }
    __syncthreads(); // the list is complete, and no thread needs lowest and highest any more
  }
}

void reduce_neighbours(int* sums, int* work, const int* in, std::size_t n) {
  if (n != 0) neighbours_kernel<<<parts_of(n), part_size>>>(sums, work, in, n);
}

} // namespace

void reduce_neighbored(int* sums, int* work, const int* in, std::size_t n) {
  reduce_neighbours(sums, work, in, n);
}
void reduce_neighbored_less(int* sums, int* work, const int* in, std::size_t n) {
  reduce_neighbours(sums, work, in, n);
}
void reduce_interleaved(int* sums, int* work, const int* in, std::size_t n) {
  if (n != 0) halves_kernel<<<parts_of(n), part_size>>>(sums, work, in, n);
}

void mandelbrot_adaptive(int* dwells, const float* re, const float* im, unsigned size, int max_dwell) {
  if (size == 0) return;
  const Picture here{dwells, re, im, size, max_dwell};
  cudaMemcpyToSymbolAsync(picture, &here, sizeof here, 0, cudaMemcpyHostToDevice);
  const unsigned squares = size / first_side;
  squares_kernel<<<dim3(squares, squares), 64>>>(0, 0, first_side);
}
