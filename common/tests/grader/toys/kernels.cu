// A submission with kernels, for what the simulator counts and diagnoses.
#include "toy.hpp"

__global__ void increment(float* data, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < n) data[i] += 1;
}

void toy_kernel_increment(float* data, std::size_t n, bool past_end) {
  const std::size_t count = past_end ? n + 1 : n;
  if (count == 0) return;
  increment<<<static_cast<unsigned>((count + 127) / 128), 128>>>(data, count);
}

__global__ void half_a_shuffle(float* data) {
  const float mine = data[threadIdx.x];
  if (threadIdx.x < 16)
    data[threadIdx.x] = mine + __shfl_down_sync(0xffff, mine, 16); // from lanes that are not there
}

void toy_kernel_half_a_shuffle(float* data) { half_a_shuffle<<<1, 32>>>(data); }

enum Mistake { none, blocks_too_near, last_left_out, next_but_one, minus };

__global__ void neighbours(float* out, const float* in, std::size_t n, int mistake) {
  __shared__ float piece[129];
  const unsigned block = mistake == blocks_too_near ? 67 : blockDim.x;
  const std::size_t first = std::size_t{blockIdx.x} * block;
  const std::size_t further = mistake == next_but_one ? 2 : 1;
  for (unsigned k = threadIdx.x; k < 129; k += blockDim.x) {
    const std::size_t from = k == 0 ? first : first + k - 1 + further;
    piece[k] = from <= n ? in[from] : 0.0f;
  }
  __syncthreads();
  const std::size_t i = first + threadIdx.x;
  const std::size_t end = mistake == last_left_out ? n - 1 : n;
  if (i >= end || (mistake == blocks_too_near && threadIdx.x >= 67)) return;
  const float sum = mistake == minus ? piece[threadIdx.x] - piece[threadIdx.x + 1]
                                     : piece[threadIdx.x] + piece[threadIdx.x + 1];
  out[i] = sum;
}

void toy_kernel_neighbours(float* out, const float* in, std::size_t n, int mistake) {
  neighbours<<<static_cast<unsigned>((n + 127) / 128), 128>>>(out, in, n, mistake);
}

__global__ void copy(float* out, const float* in, std::size_t n, std::size_t step, unsigned shared_step,
                     bool adds) {
  __shared__ float kept[1024];
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= n) return;
  float value = in[i * step % n];
  if (shared_step != 0) {
    kept[threadIdx.x * shared_step] = value;
    value = *const_cast<volatile float*>(&kept[threadIdx.x * shared_step]); // a thread needs no load of its own store
  }
  if (adds)
    atomicAdd(&out[i * step % n], value);
  else
    out[i * step % n] = value;
}

void toy_kernel_copy(float* out, const float* in, std::size_t n, unsigned threads, std::size_t step,
                     unsigned shared_step, bool adds) {
  // TODO(1)
  copy<<<static_cast<unsigned>((n + threads - 1) / threads), threads>>>(out, in, n, step, shared_step, adds);
  // END TODO(1)
}

__global__ void sum_of(float* sum, const float* in, std::size_t n, unsigned step) {
  for (std::size_t i = threadIdx.x; i < n; i += step) atomicAdd(sum, in[i]);
}

void toy_kernel_sum(float* sum, const float* in, std::size_t n, unsigned threads, unsigned step) {
  cudaMemset(sum, 0, sizeof(float));
  sum_of<<<1, threads>>>(sum, in, n, step);
}
