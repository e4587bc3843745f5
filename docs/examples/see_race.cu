// A barrier is missing: a thread reads its neighbour's element of shared memory before that has been written.
//
//   ./warpbook sim --see docs/examples/see_race.cu
//
// The simulator reports the race, and the page shows its two accesses. With __syncthreads() between them there is none.

#include <cstdio>

constexpr unsigned threads = 64;

__global__ void differences(const float* in, float* out) {
  __shared__ float cache[threads];
  cache[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = threadIdx.x == 0 ? 0 : cache[threadIdx.x] - cache[threadIdx.x - 1];
}

int main() {
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, threads * sizeof(float));
  cudaMalloc(&out, threads * sizeof(float));
  float values[threads];
  for (unsigned i = 0; i < threads; ++i) values[i] = static_cast<float>(i * i);
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  differences<<<1, threads>>>(in, out);
  cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
  std::printf("3 * 3 - 2 * 2 = %g\n", values[3]);
  cudaFree(in);
  cudaFree(out);
}
