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
  if (threadIdx.x < 16) data[threadIdx.x] = mine + __shfl_down_sync(0xffff, mine, 16); // from lanes that are not there
}

void toy_kernel_half_a_shuffle(float* data) { half_a_shuffle<<<1, 32>>>(data); }

__global__ void copy(float* out, const float* in, std::size_t n, std::size_t step, unsigned shared_step, bool adds) {
  __shared__ float kept[1024];
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= n) return;
  float value = in[i * step % n];
  if (shared_step != 0) {
    kept[threadIdx.x * shared_step] = value;
    value = kept[threadIdx.x * shared_step];
  }
  if (adds)
    atomicAdd(&out[i * step % n], value);
  else
    out[i * step % n] = value;
}

void toy_kernel_copy(float* out, const float* in, std::size_t n, unsigned threads, std::size_t step,
                     unsigned shared_step, bool adds) {
  copy<<<static_cast<unsigned>((n + threads - 1) / threads), threads>>>(out, in, n, step, shared_step, adds);
}
