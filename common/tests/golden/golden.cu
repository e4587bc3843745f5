// The kernels of the golden table. Built for the simulator as a module, and for a GPU as a program:
//   nvcc -std=c++20 -arch=native -DGOLDEN_PROGRAM -o golden golden.cu
// (measure.py does that under Nsight Compute and writes golden.csv). A kernel's name is its case's name.

#include <cuda_runtime.h>

#include <cstdio>

#include "golden.hpp"

namespace {

constexpr unsigned block = 128;

// Keeps a loaded value alive without a store that would be counted: no input is ever this value.
template <typename T>
__device__ void consume(T value, float* out) {
  if (value == T(-12345)) out[0] = 1;
}

__device__ unsigned grid_index() { return blockIdx.x * blockDim.x + threadIdx.x; }

// ---- global loads

template <typename T, int Offset, int Stride>
__device__ void load(const float* in, float* out) {
  consume(reinterpret_cast<const T*>(in)[Offset + grid_index() * Stride], out);
}

__global__ void load_f32_offset_0(const float* in, float* out) { load<float, 0, 1>(in, out); }
__global__ void load_f32_offset_1(const float* in, float* out) { load<float, 1, 1>(in, out); }
__global__ void load_f32_offset_7(const float* in, float* out) { load<float, 7, 1>(in, out); }
__global__ void load_f32_offset_8(const float* in, float* out) { load<float, 8, 1>(in, out); }
__global__ void load_f32_stride_2(const float* in, float* out) { load<float, 0, 2>(in, out); }
__global__ void load_f32_stride_3(const float* in, float* out) { load<float, 0, 3>(in, out); }
__global__ void load_f32_stride_8(const float* in, float* out) { load<float, 0, 8>(in, out); }
__global__ void load_f32_stride_33(const float* in, float* out) { load<float, 0, 33>(in, out); }
__global__ void load_f64_offset_0(const float* in, float* out) { load<double, 0, 1>(in, out); }
__global__ void load_f64_offset_1(const float* in, float* out) { load<double, 1, 1>(in, out); }
__global__ void load_f64_stride_4(const float* in, float* out) { load<double, 0, 4>(in, out); }
__global__ void load_byte(const float* in, float* out) { load<signed char, 0, 1>(in, out); }

__global__ void load_f32_broadcast(const float* in, float* out) { consume(in[blockIdx.x], out); }
__global__ void load_f32_backwards(const float* in, float* out) { consume(in[4095 - grid_index()], out); }
__global__ void load_f32_lane_pairs(const float* in, float* out) { consume(in[grid_index() / 2], out); }
__global__ void load_f32_20_lanes(const float* in, float* out) {
  if (threadIdx.x % 32 < 20) consume(in[grid_index()], out);
}
__global__ void load_float4(const float* in, float* out) {
  const float4 v = reinterpret_cast<const float4*>(in)[grid_index()];
  consume(v.x + v.y + v.z + v.w, out);
}
__global__ void load_float2(const float* in, float* out) {
  const float2 v = reinterpret_cast<const float2*>(in)[grid_index()];
  consume(v.x + v.y, out);
}
__global__ void load_float4_stride_2(const float* in, float* out) {
  const float4 v = reinterpret_cast<const float4*>(in)[2 * grid_index()];
  consume(v.x + v.y + v.z + v.w, out);
}

// ---- global stores, and both

__global__ void store_f32_offset_0(const float*, float* out) { out[grid_index()] = 1; }
__global__ void store_f32_offset_1(const float*, float* out) { out[1 + grid_index()] = 1; }
__global__ void store_f32_stride_5(const float*, float* out) { out[5 * grid_index()] = 1; }
__global__ void store_f64_offset_0(const float*, float* out) {
  reinterpret_cast<double*>(out)[grid_index()] = 1;
}
__global__ void store_float4(const float*, float* out) {
  reinterpret_cast<float4*>(out)[grid_index()] = make_float4(1, 2, 3, 4);
}
__global__ void add_one_offset_3(const float*, float* out) { out[3 + grid_index()] += 1; }
__global__ void copy_loop(const float* in, float* out) {
  for (unsigned i = grid_index(); i < 8192; i += gridDim.x * blockDim.x) out[i] = in[i];
}
__global__ void copy_half_of_the_block(const float* in, float* out) {
  if (threadIdx.x >= block / 2 + 8) return;
  out[grid_index()] = in[grid_index()];
}

// ---- shared memory. Each lane stores what it will load, so that nothing is uninitialised.

template <typename T, int Stride>
__device__ void shared_stride(float* out) {
  __shared__ T words[32 * Stride];
  if (threadIdx.x >= 32) return;
  volatile T* mine = words + threadIdx.x * Stride;
  *mine = T(1);
  consume(T(*mine), out);
}

__global__ void shared_f32_stride_1(const float*, float* out) { shared_stride<float, 1>(out); }
__global__ void shared_f32_stride_2(const float*, float* out) { shared_stride<float, 2>(out); }
__global__ void shared_f32_stride_3(const float*, float* out) { shared_stride<float, 3>(out); }
__global__ void shared_f32_stride_8(const float*, float* out) { shared_stride<float, 8>(out); }
__global__ void shared_f32_stride_32(const float*, float* out) { shared_stride<float, 32>(out); }
__global__ void shared_f32_stride_33(const float*, float* out) { shared_stride<float, 33>(out); }
__global__ void shared_f64_stride_1(const float*, float* out) { shared_stride<double, 1>(out); }
__global__ void shared_f64_stride_2(const float*, float* out) { shared_stride<double, 2>(out); }

__global__ void shared_f32_broadcast(const float* in, float* out) {
  __shared__ float words[block];
  words[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  consume(words[threadIdx.x / 32], out);
}

template <int Pad>
__device__ void transpose_tile(const float* in, float* out) {
  __shared__ float tile[32][32 + Pad];
  const unsigned row = threadIdx.x / 32, column = threadIdx.x % 32;
#pragma unroll 1 // an unrolled loop ends in predicated-off instructions, which are no requests
  for (unsigned r = row; r < 32; r += block / 32) tile[r][column] = in[r * 32 + column];
  __syncthreads();
#pragma unroll 1
  for (unsigned r = row; r < 32; r += block / 32) out[r * 32 + column] = tile[column][r];
}

__global__ void transpose_tile_unpadded(const float* in, float* out) { transpose_tile<0>(in, out); }
__global__ void transpose_tile_padded(const float* in, float* out) { transpose_tile<1>(in, out); }

using Kernel = void (*)(const float*, float*);
struct Case {
  Kernel kernel;
  unsigned blocks;
  char name[golden_name_bytes];
};

const Case cases[] = {
    {load_f32_offset_0, 4, "load_f32_offset_0"},
    {load_f32_offset_1, 4, "load_f32_offset_1"},
    {load_f32_offset_7, 4, "load_f32_offset_7"},
    {load_f32_offset_8, 4, "load_f32_offset_8"},
    {load_f32_stride_2, 4, "load_f32_stride_2"},
    {load_f32_stride_3, 4, "load_f32_stride_3"},
    {load_f32_stride_8, 4, "load_f32_stride_8"},
    {load_f32_stride_33, 4, "load_f32_stride_33"},
    {load_f64_offset_0, 4, "load_f64_offset_0"},
    {load_f64_offset_1, 4, "load_f64_offset_1"},
    {load_f64_stride_4, 4, "load_f64_stride_4"},
    {load_byte, 4, "load_byte"},
    {load_f32_broadcast, 4, "load_f32_broadcast"},
    {load_f32_backwards, 4, "load_f32_backwards"},
    {load_f32_lane_pairs, 4, "load_f32_lane_pairs"},
    {load_f32_20_lanes, 4, "load_f32_20_lanes"},
    {load_float4, 4, "load_float4"},
    {load_float2, 4, "load_float2"},
    {load_float4_stride_2, 4, "load_float4_stride_2"},
    {store_f32_offset_0, 4, "store_f32_offset_0"},
    {store_f32_offset_1, 4, "store_f32_offset_1"},
    {store_f32_stride_5, 4, "store_f32_stride_5"},
    {store_f64_offset_0, 4, "store_f64_offset_0"},
    {store_float4, 4, "store_float4"},
    {add_one_offset_3, 4, "add_one_offset_3"},
    {copy_loop, 3, "copy_loop"},
    {copy_half_of_the_block, 4, "copy_half_of_the_block"},
    {shared_f32_stride_1, 1, "shared_f32_stride_1"},
    {shared_f32_stride_2, 1, "shared_f32_stride_2"},
    {shared_f32_stride_3, 1, "shared_f32_stride_3"},
    {shared_f32_stride_8, 1, "shared_f32_stride_8"},
    {shared_f32_stride_32, 1, "shared_f32_stride_32"},
    {shared_f32_stride_33, 1, "shared_f32_stride_33"},
    {shared_f64_stride_1, 1, "shared_f64_stride_1"},
    {shared_f64_stride_2, 1, "shared_f64_stride_2"},
    {shared_f32_broadcast, 1, "shared_f32_broadcast"},
    {transpose_tile_unpadded, 1, "transpose_tile_unpadded"},
    {transpose_tile_padded, 1, "transpose_tile_padded"},
};

} // namespace

void golden_name(int index, char* name) {
  cudaMemcpy(name, cases[index].name, golden_name_bytes, cudaMemcpyHostToDevice);
}

int golden_cases() { return static_cast<int>(sizeof cases / sizeof cases[0]); }

void golden_case(int index, const float* in, float* out) {
  cases[index].kernel<<<cases[index].blocks, block>>>(in, out);
}

#ifdef GOLDEN_PROGRAM
int main() {
  constexpr std::size_t bytes = 65536 * sizeof(float);
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMemset(in, 0, bytes);
  for (int i = 0; i < golden_cases(); ++i) golden_case(i, in, out);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
#endif
