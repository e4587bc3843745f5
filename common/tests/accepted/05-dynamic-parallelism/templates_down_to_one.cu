// Recursions over template arguments, written out loops, the last warp by itself with __syncwarp, and the
// last thread of a block as the one that launches.

#include <cuda_runtime.h>

namespace {

unsigned parts_of(std::size_t n) { return static_cast<unsigned>((n + part_size - 1) / part_size); }

// The upper half of what is left goes to the lower one; from 32 threads on they are one warp.
template <unsigned Half>
__device__ void halve(int* part) {
  const unsigned t = threadIdx.x;
  if constexpr (Half >= 64) {
    if (t < Half) part[t] += part[t + Half];
    __syncthreads();
  } else {
    if (t >= 32) return;
    int value = part[t];
    if (t < Half) value += part[t + Half];
    __syncwarp(); // read before any lane writes
    if (t < Half) part[t] = value;
    __syncwarp();
  }
  if constexpr (Half > 1) halve<Half / 2>(part);
}

__global__ void tree_kernel(int* sums, const int* in, std::size_t n) {
  __shared__ int part[part_size];
  const std::size_t i = std::size_t{blockIdx.x} * part_size + threadIdx.x;
  int value = 0;
  if (i < n) value = in[i];
  part[threadIdx.x] = value;
  __syncthreads();
  halve<part_size / 2>(part);
  if (threadIdx.x == 0) sums[blockIdx.x] = *part;
}

template <unsigned Half>
__global__ void nested_kernel(int* sums, int* work, const int* from, std::size_t n) {
  int* part = work + std::size_t{blockIdx.x} * part_size;
  const std::size_t first = std::size_t{blockIdx.x} * part_size + threadIdx.x;
  int value = 0;
  if (first < n) value += from[first];
  if (first + Half < n) value += from[first + Half];
  if constexpr (Half == 1) {
    sums[blockIdx.x] = value;
  } else {
    part[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x == Half - 1) {
      nested_kernel<Half / 2><<<1, Half / 2>>>(sums + blockIdx.x, part, part, Half);
      if (cudaGetLastError() == cudaErrorLaunchPendingCountExceeded) {
        for (unsigned k = 1; k < Half; ++k) part[0] += part[k];
        sums[blockIdx.x] = part[0];
      }
    }
  }
}

// A block of Half threads for a part.
template <unsigned Half>
__global__ void level_kernel(int* sums, int* work, const int* from, std::size_t n) {
  const std::size_t first = std::size_t{blockIdx.x} * part_size + threadIdx.x;
  int value = 0;
  if (first < n) value = from[first];
  if (first + Half < n) value += from[first + Half];
  if constexpr (Half == 1) {
    sums[blockIdx.x] = value;
  } else {
    work[first] = value;
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == Half - 1) {
      const std::size_t length = gridDim.x * part_size;
      level_kernel<Half / 2><<<gridDim.x, Half / 2, 0, cudaStreamTailLaunch>>>(sums, work, work, length);
      if (cudaGetLastError() != cudaSuccess) __trap();
    }
  }
}

struct Picture {
  int* dwells;
  const float* re;
  const float* im;
  unsigned size;
  int max_dwell;
};

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

__device__ int compute(const Picture& p, unsigned x, unsigned y) {
  const int value = dwell(p.re[x], p.im[y], p.max_dwell);
  p.dwells[std::size_t{y} * p.size + x] = value;
  return value;
}

// A thread for each column and row of the square: it has four pixels of the border, and a column of the
// inside.
template <unsigned Side>
__global__ void square_kernel(Picture p, unsigned left, unsigned top) {
  const unsigned t = threadIdx.x, x0 = left + blockIdx.x * Side, y0 = top + blockIdx.y * Side;
  const int above = compute(p, x0 + t, y0), below = compute(p, x0 + t, y0 + Side - 1);
  int before = above, behind = above;
  if (t != 0 && t != Side - 1) {
    before = compute(p, x0, y0 + t);
    behind = compute(p, x0 + Side - 1, y0 + t);
  }
  __shared__ int corner, refused;
  if (t == 0) corner = above;
  __syncthreads();
  const bool mine = above == corner && below == corner && before == corner && behind == corner;
  const bool uniform = __syncthreads_and(mine) != 0;
  if constexpr (Side > least_side) {
    if (!uniform) {
      if (t == 0) {
        square_kernel<Side / 2><<<dim3(2, 2), Side / 2, 0, cudaStreamFireAndForget>>>(p, x0, y0);
        refused = cudaGetLastError() != cudaSuccess;
      }
      __syncthreads();
      if (!refused) return;
    }
  }
  if (t == 0 || t == Side - 1) return;
  for (unsigned y = 1; y < Side - 1; ++y) {
    if (uniform)
      p.dwells[std::size_t{y0 + y} * p.size + x0 + t] = corner;
    else
      compute(p, x0 + t, y0 + y);
  }
}

} // namespace

void reduce_neighbored(int* sums, int*, const int* in, std::size_t n) {
  if (n > 0) tree_kernel<<<parts_of(n), part_size>>>(sums, in, n);
}
void reduce_neighbored_less(int* sums, int* work, const int* in, std::size_t n) {
  reduce_neighbored(sums, work, in, n);
}
void reduce_interleaved(int* sums, int* work, const int* in, std::size_t n) {
  reduce_neighbored(sums, work, in, n);
}
void reduce_nested(int* sums, int* work, const int* in, std::size_t n) {
  if (n > 0) nested_kernel<part_size / 2><<<parts_of(n), part_size / 2>>>(sums, work, in, n);
}
void reduce_nested_by_level(int* sums, int* work, const int* in, std::size_t n) {
  if (n > 0) level_kernel<part_size / 2><<<parts_of(n), part_size / 2>>>(sums, work, in, n);
}
void mandelbrot_adaptive(int* dwells, const float* re, const float* im, unsigned size, int max_dwell) {
  const Picture picture{dwells, re, im, size, max_dwell};
  const dim3 squares(size / first_side, size / first_side);
  if (size > 0) square_kernel<first_side><<<squares, first_side>>>(picture, 0, 0);
}
