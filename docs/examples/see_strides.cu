// Three ways to read an array: how many sectors of global memory does each request of a warp touch?
//
//   ./warpbook sim --see docs/examples/see_strides.cu

#include <cstdio>

constexpr unsigned elements = 1024, side = 32; // the array is also a matrix of 32 rows

// Neighbouring lanes read neighbouring floats: 128 bytes, 4 sectors.
__global__ void in_order(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

// Neighbouring lanes read every second float: 8 sectors, half of whose bytes are not used.
__global__ void every_second(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i < elements) out[i] = in[2 * i];
}

// The lanes of a warp read a column: each float lies in a sector of its own.
__global__ void by_columns(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i % side * side + i / side];
}

int main() {
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, elements * sizeof(float));
  cudaMalloc(&out, elements * sizeof(float));
  float values[elements];
  for (unsigned i = 0; i < elements; ++i) values[i] = static_cast<float>(i);
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  in_order<<<elements / 128, 128>>>(in, out);
  every_second<<<elements / 256, 128>>>(in, out);
  by_columns<<<elements / 128, 128>>>(in, out);
  cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
  const bool right = values[1] == side && values[side] == 1 && values[elements - 1] == elements - 1;
  std::printf("by_columns: %s\n", right ? "right" : "wrong");
  cudaFree(in);
  cudaFree(out);
  return right ? 0 : 1;
}
