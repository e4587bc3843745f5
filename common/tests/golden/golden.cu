// The kernels of the golden table. Built for the simulator as a module, and for a GPU as a program:
//   nvcc -std=c++20 -arch=native -DGOLDEN_PROGRAM -o golden golden.cu
// (measure.py does that under Nsight Compute and writes golden.csv). A kernel's name is its case's name.

#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdio>

#include "golden.hpp"
#include "matrices.cuh"

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

// ---- more widths, partial warps and branches

__global__ void load_f64_stride_2(const float* in, float* out) { load<double, 0, 2>(in, out); }
__global__ void load_f64_offset_3(const float* in, float* out) { load<double, 3, 1>(in, out); }
__global__ void load_short(const float* in, float* out) { load<short, 0, 1>(in, out); }
__global__ void load_f32_odd_lanes(const float* in, float* out) {
  if (threadIdx.x % 2 == 1) consume(in[grid_index()], out);
}
__global__ void load_f32_one_lane(const float* in, float* out) {
  if (threadIdx.x % 32 == 31) consume(in[grid_index()], out);
}
__global__ void load_float2_stride_3(const float* in, float* out) {
  const float2 v = reinterpret_cast<const float2*>(in)[3 * grid_index()];
  consume(v.x + v.y, out);
}
__global__ void load_float4_lane_pairs(const float* in, float* out) {
  const float4 v = reinterpret_cast<const float4*>(in)[grid_index() / 2];
  consume(v.x + v.y + v.z + v.w, out);
}
__global__ void load_float4_20_lanes(const float* in, float* out) {
  if (threadIdx.x % 32 >= 20) return;
  const float4 v = reinterpret_cast<const float4*>(in)[grid_index()];
  consume(v.x + v.y + v.z + v.w, out);
}
__global__ void store_float2(const float*, float* out) {
  reinterpret_cast<float2*>(out)[grid_index()] = make_float2(1, 2);
}
__global__ void store_float4_stride_2(const float*, float* out) {
  reinterpret_cast<float4*>(out)[2 * grid_index()] = make_float4(1, 2, 3, 4);
}
__global__ void store_f64_stride_3(const float*, float* out) {
  reinterpret_cast<double*>(out)[3 * grid_index()] = 1;
}
__global__ void store_byte(const float*, float* out) {
  reinterpret_cast<signed char*>(out)[grid_index()] = 1;
}
__global__ void store_even_lanes(const float*, float* out) {
  if (threadIdx.x % 2 == 0) out[grid_index()] = 1;
}
__global__ void load_or_store(const float* in, float* out) {
  if (threadIdx.x % 32 < 8)
    consume(in[8 * grid_index()], out);
  else
    out[grid_index()] = 1;
}

// ---- structures, as arrays of them and taken apart

struct Point {
  float x, y, z;
};
struct Quad {
  float x, y, z, w;
};

__global__ void load_points(const float* in, float* out) {
  const Point p = reinterpret_cast<const Point*>(in)[grid_index()];
  consume(p.x + p.y + p.z, out);
}
__global__ void load_quads(const float* in, float* out) {
  const Quad q = reinterpret_cast<const Quad*>(in)[grid_index()];
  consume(q.x + q.y + q.z + q.w, out);
}
__global__ void load_one_field(const float* in, float* out) {
  consume(reinterpret_cast<const Quad*>(in)[grid_index()].y, out);
}
__global__ void store_points(const float*, float* out) {
  reinterpret_cast<Point*>(out)[grid_index()] = Point{1, 2, 3};
}
__global__ void load_three_arrays(const float* in, float* out) {
  consume(in[grid_index()] + in[2048 + grid_index()] + in[4096 + grid_index()], out);
}

// ---- atomic updates of global memory. `in` is zero, which the compiler does not know.

__device__ unsigned zero(const float* in) { return static_cast<unsigned>(in[grid_index()]); }

__global__ void add_i32_distinct(const float*, float* out) {
  atomicAdd(reinterpret_cast<int*>(out) + grid_index(), 1);
}
__global__ void add_i32_one_address(const float* in, float* out) {
  atomicAdd(reinterpret_cast<int*>(out) + zero(in), 1);
}
__global__ void add_i32_stride_8(const float*, float* out) {
  atomicAdd(reinterpret_cast<int*>(out) + 8 * grid_index(), 1);
}
__global__ void add_i32_lane_pairs(const float*, float* out) {
  atomicAdd(reinterpret_cast<int*>(out) + grid_index() / 2, 1);
}
__global__ void add_i32_20_lanes(const float*, float* out) {
  if (threadIdx.x % 32 < 20) atomicAdd(reinterpret_cast<int*>(out) + grid_index(), 1);
}
__global__ void add_f32_distinct(const float*, float* out) { atomicAdd(out + grid_index(), 1.0f); }
__global__ void add_u64_distinct(const float*, float* out) {
  atomicAdd(reinterpret_cast<unsigned long long*>(out) + grid_index(), 1ull);
}
__global__ void add_i32_and_look(const float*, float* out) {
  consume(atomicAdd(reinterpret_cast<int*>(out) + grid_index(), 1), out);
}
__global__ void exchange_i32(const float*, float* out) {
  consume(atomicExch(reinterpret_cast<int*>(out) + 2 * grid_index(), 1), out);
}

// ---- atomic objects of the C++ library for CUDA

template <cuda::thread_scope Scope = cuda::thread_scope_device>
__device__ cuda::atomic_ref<int, Scope> atomic_at(float* out, unsigned i) {
  return cuda::atomic_ref<int, Scope>(reinterpret_cast<int*>(out)[i]);
}

__global__ void object_add_distinct(const float*, float* out) {
  atomic_at(out, grid_index()).fetch_add(1, cuda::memory_order_relaxed);
}
__global__ void object_add_one_address(const float* in, float* out) {
  atomic_at(out, zero(in)).fetch_add(1, cuda::memory_order_relaxed);
}
__global__ void object_add_stride_8(const float*, float* out) {
  atomic_at(out, 8 * grid_index()).fetch_add(1, cuda::memory_order_relaxed);
}
__global__ void object_add_in_block(const float*, float* out) {
  atomic_at<cuda::thread_scope_block>(out, grid_index()).fetch_add(1, cuda::memory_order_relaxed);
}
__global__ void object_add_in_order(const float*, float* out) { atomic_at(out, grid_index()).fetch_add(1); }
__global__ void object_add_and_look(const float*, float* out) {
  consume(atomic_at(out, grid_index()).fetch_add(1, cuda::memory_order_relaxed), out + 4096);
}
__global__ void object_add_f32(const float*, float* out) {
  cuda::atomic_ref<float, cuda::thread_scope_device>(out[grid_index()])
      .fetch_add(1.0f, cuda::memory_order_relaxed);
}
__global__ void object_max(const float*, float* out) {
  atomic_at(out, grid_index()).fetch_max(5, cuda::memory_order_relaxed);
}
__global__ void object_exchange(const float*, float* out) {
  consume(atomic_at(out, grid_index()).exchange(1, cuda::memory_order_relaxed), out + 4096);
}
__global__ void object_compare_exchange(const float*, float* out) {
  int expected = 0;
  atomic_at(out, grid_index()).compare_exchange_strong(expected, 1, cuda::memory_order_relaxed);
  consume(expected, out + 4096);
}
__global__ void object_load(const float*, float* out) {
  consume(atomic_at(out, grid_index()).load(cuda::memory_order_relaxed), out + 4096);
}
__global__ void object_load_acquire(const float*, float* out) {
  consume(atomic_at(out, grid_index()).load(cuda::memory_order_acquire), out + 4096);
}
__global__ void object_store(const float*, float* out) {
  atomic_at(out, grid_index()).store(1, cuda::memory_order_relaxed);
}
__global__ void object_add_shared(const float* in, float* out) {
  __shared__ int words[block];
  words[threadIdx.x] = 0;
  __syncthreads();
  cuda::atomic_ref<int, cuda::thread_scope_block>(words[threadIdx.x / 2 + zero(in)])
      .fetch_add(2, cuda::memory_order_relaxed);
  __syncthreads();
  if (words[threadIdx.x] == 12345) out[0] = 1;
}

// ---- shared memory: more widths, partial warps, atomic updates

template <typename T>
__device__ T one() {
  return T(1);
}
template <>
__device__ float2 one<float2>() {
  return make_float2(1, 1);
}
template <>
__device__ float4 one<float4>() {
  return make_float4(1, 1, 1, 1);
}

template <typename T, int Lanes>
__device__ void shared_vectors(float* out) {
  __shared__ T items[32];
  if (threadIdx.x >= 32) return;
  items[threadIdx.x] = one<T>();
  __syncwarp();
  if (threadIdx.x >= Lanes) return;
  const T v = items[threadIdx.x ^ 1];
  consume(v.x + v.y, out);
}

__global__ void shared_f32_stride_16(const float*, float* out) { shared_stride<float, 16>(out); }
__global__ void shared_f32_stride_5(const float*, float* out) { shared_stride<float, 5>(out); }
__global__ void shared_f64_stride_3(const float*, float* out) { shared_stride<double, 3>(out); }
__global__ void shared_short(const float*, float* out) { shared_stride<short, 1>(out); }
__global__ void shared_byte_stride_4(const float*, float* out) { shared_stride<signed char, 4>(out); }
__global__ void shared_float2(const float*, float* out) { shared_vectors<float2, 32>(out); }
__global__ void shared_float4(const float*, float* out) {
  __shared__ float4 items[32];
  if (threadIdx.x >= 32) return;
  items[threadIdx.x] = one<float4>();
  __syncwarp();
  const float4 v = items[threadIdx.x ^ 1];
  consume(v.x + v.y + v.z + v.w, out);
}
/// Every thread of the block writes so many of the words.
template <int Count>
__device__ void fill(void* words) {
#pragma unroll
  for (int k = 0; k < Count; ++k) static_cast<float*>(words)[threadIdx.x + k * block] = 1;
  __syncthreads();
}

/// Lanes read 16 bytes each at places of their own; `index` says which of 160.
template <int Lanes = 32, typename Index>
__device__ void shared_wide(float* out, const Index& index) {
  __shared__ float4 items[160];
  fill<5>(items);
  if (threadIdx.x >= Lanes) return;
  const float4 v = items[index(threadIdx.x)];
  consume(v.x + v.y + v.z + v.w, out);
}
struct Backwards {
  __device__ unsigned operator()(unsigned lane) const { return 31 - lane; }
};
template <unsigned Step>
struct Steps {
  __device__ unsigned operator()(unsigned lane) const { return Step * lane; }
};
/// As ldmatrix has them: a lane for a row of 8 halves, in rows of 64 bytes.
struct RowsOf64 {
  __device__ unsigned operator()(unsigned lane) const { return lane % 8 * 4 + lane / 8; }
};
struct SwizzledRows {
  __device__ unsigned operator()(unsigned lane) const { return lane % 8 * 4 + (lane / 8 ^ lane % 8 / 2); }
};
struct Mixed {
  __device__ unsigned operator()(unsigned lane) const { return lane * 7 % 32; }
};
struct Eights {
  __device__ unsigned operator()(unsigned lane) const { return lane / 8; }
};
struct Neighbour {
  __device__ unsigned operator()(unsigned lane) const { return lane ^ 1; }
};
__global__ void shared_float4_backwards(const float*, float* out) { shared_wide(out, Backwards{}); }
__global__ void shared_float4_stride_2(const float*, float* out) { shared_wide(out, Steps<2>{}); }
__global__ void shared_float4_stride_5(const float*, float* out) { shared_wide(out, Steps<5>{}); }
__global__ void shared_float4_rows_of_64(const float*, float* out) { shared_wide(out, RowsOf64{}); }
__global__ void shared_float4_rows_swizzled(const float*, float* out) { shared_wide(out, SwizzledRows{}); }
__global__ void shared_float4_mixed(const float*, float* out) { shared_wide(out, Mixed{}); }
__global__ void shared_float4_broadcast(const float*, float* out) { shared_wide(out, Eights{}); }
__global__ void shared_float4_8_lanes(const float*, float* out) { shared_wide<8>(out, Neighbour{}); }
__global__ void shared_float4_20_lanes(const float*, float* out) { shared_wide<20>(out, Neighbour{}); }
__global__ void shared_float2_20_lanes(const float*, float* out) { shared_vectors<float2, 20>(out); }
__global__ void shared_float2_stride_2(const float*, float* out) {
  __shared__ float2 items[2 * block];
  fill<4>(items);
  const float2 v = items[2 * (threadIdx.x ^ 1)];
  consume(v.x + v.y, out);
}
__global__ void shared_points(const float*, float* out) { // structures of 12 bytes, by words
  __shared__ Point points[block];
  points[threadIdx.x] = {1, 1, 1};
  __syncthreads();
  const Point p = points[threadIdx.x ^ 1];
  consume(p.x + p.y + p.z, out);
}
__global__ void shared_bytes_in_a_row(const float*, float* out) { shared_stride<signed char, 1>(out); }
__global__ void shared_short_stride_2(const float*, float* out) { shared_stride<short, 2>(out); }
__global__ void shared_short_stride_33(const float*, float* out) { shared_stride<short, 33>(out); }

// ---- shared memory of other blocks of a cluster

constexpr unsigned cluster = 4;

/// Calls use() with the words of the block `Distance` ranks further on, modulo the size of the cluster.
template <unsigned Distance, typename Use>
__device__ void with_words_of_another(const Use& use) {
  namespace cg = cooperative_groups;
  __shared__ int words[block];
  words[threadIdx.x] = 1;
  cg::this_cluster().sync();
  use(cg::this_cluster().map_shared_rank(words, (cg::this_cluster().block_rank() + Distance) % cluster));
  cg::this_cluster().sync();
}
struct LoadOf {
  float* out;
  int lanes = 32;
  __device__ void operator()(const int* words) const {
    if (static_cast<int>(threadIdx.x % 32) < lanes) consume(words[threadIdx.x ^ 1], out);
  }
};
struct StoreTo {
  __device__ void operator()(int* words) const { words[threadIdx.x ^ 1] = 2; }
};
struct AddTo {
  unsigned divisor, none; ///< `none` is 0
  __device__ void operator()(int* words) const { atomicAdd(words + threadIdx.x / divisor + none, 2); }
};
struct AddAndLook {
  float* out;
  __device__ void operator()(int* words) const { consume(atomicAdd(words + threadIdx.x, 2), out); }
};
#define CLUSTER_KERNEL __global__ __cluster_dims__(cluster, 1, 1) void
CLUSTER_KERNEL remote_load_1(const float*, float* out) { with_words_of_another<1>(LoadOf{out}); }
CLUSTER_KERNEL remote_load_2(const float*, float* out) { with_words_of_another<2>(LoadOf{out}); }
CLUSTER_KERNEL remote_load_3_20_lanes(const float*, float* out) { with_words_of_another<3>(LoadOf{out, 20}); }
CLUSTER_KERNEL remote_store_1(const float*, float*) { with_words_of_another<1>(StoreTo{}); }
CLUSTER_KERNEL remote_add_1(const float* in, float*) { with_words_of_another<1>(AddTo{1, zero(in)}); }
CLUSTER_KERNEL remote_add_2_lane_pairs(const float* in, float*) { with_words_of_another<2>(AddTo{2, zero(in)}); }
CLUSTER_KERNEL remote_add_1_and_look(const float*, float* out) { with_words_of_another<1>(AddAndLook{out}); }

// ---- copies from global to shared memory that no register sees

template <typename T, int Lanes = 32, int Stride = 1>
__device__ void copy_asynchronously(const float* in, float* out) {
  __shared__ alignas(16) T items[block * Stride];
  T* const own = &items[Stride * threadIdx.x];
  if (threadIdx.x % 32 < Lanes)
    __pipeline_memcpy_async(own, reinterpret_cast<const T*>(in) + grid_index(), sizeof(T));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (threadIdx.x % 32 < Lanes) consume(*reinterpret_cast<const float*>(own), out);
}
__global__ void copy_async_4(const float* in, float* out) { copy_asynchronously<float>(in, out); }
__global__ void copy_async_8(const float* in, float* out) { copy_asynchronously<float2>(in, out); }
__global__ void copy_async_16(const float* in, float* out) { copy_asynchronously<float4>(in, out); }
__global__ void copy_async_4_20_lanes(const float* in, float* out) { copy_asynchronously<float, 20>(in, out); }
__global__ void copy_async_4_stride_2(const float* in, float* out) { copy_asynchronously<float, 32, 2>(in, out); }
__global__ void copy_async_16_stride_2(const float* in, float* out) { copy_asynchronously<float4, 32, 2>(in, out); }

__global__ void shared_f32_lane_pairs(const float* in, float* out) {
  __shared__ float words[block];
  words[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  consume(words[threadIdx.x / 2], out);
}
__global__ void shared_f32_20_lanes(const float* in, float* out) {
  __shared__ float words[2 * block];
  words[2 * threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x % 32 < 20) consume(words[2 * (threadIdx.x ^ 1)], out);
}

template <int Divisor>
__device__ void shared_add(const float* in, float* out) {
  __shared__ int bins[block];
  bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x / Divisor + zero(in)], 1);
  __syncthreads();
  if (bins[threadIdx.x] == 12345) out[0] = 1;
}
__global__ void shared_add_distinct(const float* in, float* out) { shared_add<1>(in, out); }
__global__ void shared_add_lane_pairs(const float* in, float* out) { shared_add<2>(in, out); }
__global__ void shared_add_one_word(const float* in, float* out) { shared_add<32>(in, out); }

// What does not add the constant 1 is done one lane after the other where words are shared.
template <typename Update>
__device__ void shared_update(const float* in, float* out, Update update) {
  __shared__ int words[block];
  words[threadIdx.x] = 0;
  __syncthreads();
  update(&words[threadIdx.x / 2 + zero(in)]);
  __syncthreads();
  if (words[threadIdx.x] == 12345) out[0] = 1;
}
__global__ void shared_add_two(const float* in, float* out) {
  shared_update(in, out, [](int* word) { atomicAdd(word, 2); });
}
__global__ void shared_max(const float* in, float* out) {
  shared_update(in, out, [](int* word) { atomicMax(word, static_cast<int>(threadIdx.x)); });
}
__global__ void shared_add_one_and_look(const float* in, float* out) {
  shared_update(in, out, [=](int* word) { consume(atomicAdd(word, 1), out); });
}

// What lies between two equal conditions is there once.
__global__ void shared_sum_between_conditions(const float* in, float* out) {
  __shared__ int sums[block / 32];
  int& sum = sums[threadIdx.x / 32 + zero(in)];
  if (threadIdx.x % 32 == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, static_cast<int>(in[grid_index()]) + 2);
  __syncthreads();
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = static_cast<float>(sum);
}

// Compare-and-swaps, and what the device makes loops of loads and of them of. Each warp has words of its own: others would make for
// more rounds.
template <typename T, typename Index, typename Update>
__device__ void shared_swap(const float* in, float* out, Index index, Update update) {
  constexpr unsigned words_of_warp = 256, turns = words_of_warp / 32;
  __shared__ T words[turns * block];
#pragma unroll
  for (unsigned turn = 0; turn < turns; ++turn) words[turn * block + threadIdx.x] = T{};
  __syncthreads();
  update(&words[threadIdx.x / 32 * words_of_warp + index(threadIdx.x % 32) + zero(in)]);
  __syncthreads();
  if (*reinterpret_cast<const int*>(&words[threadIdx.x]) == 12345) out[0] = 1;
}
template <typename T, typename Index>
__device__ void shared_sum(const float* in, float* out, Index index) {
  shared_swap<T>(in, out, index, [](T* word) { atomicAdd(word, T(1)); });
}
template <typename T, typename Index>
__device__ void shared_compare(const float* in, float* out, Index index) {
  shared_swap<T>(in, out, index, [](T* word) { atomicCAS(word, T{}, static_cast<T>(threadIdx.x + 1)); });
}
struct OwnWord {
  __device__ unsigned operator()(unsigned lane) const { return lane; }
};
struct OneWord {
  __device__ unsigned operator()(unsigned) const { return 0; }
};
struct WordOfPair {
  __device__ unsigned operator()(unsigned lane) const { return lane / 2; }
};
struct EverySecondWord {
  __device__ unsigned operator()(unsigned lane) const { return 2 * lane; }
};
struct FourWords {
  __device__ unsigned operator()(unsigned lane) const { return lane % 4; }
};
struct OneBank {
  __device__ unsigned operator()(unsigned lane) const { return lane % 8 * 32; }
};
struct HalfOnOneWord {
  __device__ unsigned operator()(unsigned lane) const { return lane < 16 ? 0 : lane; }
};
__global__ void shared_sum_float_own(const float* in, float* out) { shared_sum<float>(in, out, OwnWord{}); }
__global__ void shared_sum_float_one_word(const float* in, float* out) { shared_sum<float>(in, out, OneWord{}); }
__global__ void shared_sum_float_pairs(const float* in, float* out) { shared_sum<float>(in, out, WordOfPair{}); }
__global__ void shared_sum_float_every_second(const float* in, float* out) { shared_sum<float>(in, out, EverySecondWord{}); }
__global__ void shared_sum_float_one_bank(const float* in, float* out) { shared_sum<float>(in, out, OneBank{}); }
__global__ void shared_sum_float_half_on_one(const float* in, float* out) { shared_sum<float>(in, out, HalfOnOneWord{}); }
__global__ void shared_sum_double_own(const float* in, float* out) { shared_sum<double>(in, out, OwnWord{}); }
__global__ void shared_sum_double_one_word(const float* in, float* out) { shared_sum<double>(in, out, OneWord{}); }
__global__ void shared_sum_double_four_words(const float* in, float* out) { shared_sum<double>(in, out, FourWords{}); }
__global__ void shared_sum_double_one_bank(const float* in, float* out) { shared_sum<double>(in, out, OneBank{}); }
__global__ void shared_sum_double_half_on_one(const float* in, float* out) { shared_sum<double>(in, out, HalfOnOneWord{}); }
__global__ void shared_sum_long_pairs(const float* in, float* out) { shared_sum<unsigned long long>(in, out, WordOfPair{}); }
__global__ void shared_sum_halves_pairs(const float* in, float* out) {
  shared_swap<__half2>(in, out, WordOfPair{}, [](__half2* word) { atomicAdd(word, __half2(1, 1)); });
}
__global__ void shared_compare_int_own(const float* in, float* out) { shared_compare<int>(in, out, OwnWord{}); }
__global__ void shared_compare_int_pairs(const float* in, float* out) { shared_compare<int>(in, out, WordOfPair{}); }
__global__ void shared_compare_int_one_bank(const float* in, float* out) { shared_compare<int>(in, out, OneBank{}); }
__global__ void shared_compare_long_four_words(const float* in, float* out) { shared_compare<unsigned long long>(in, out, FourWords{}); }

// ---- textures and surfaces: of memory, by number and by row; of an array

template <typename T, int Offset, int Stride>
__device__ void fetch(cudaTextureObject_t texture, float* out) {
  consume(tex1Dfetch<T>(texture, static_cast<int>(Offset + grid_index() * Stride)), out);
}

__global__ void fetch_f32_offset_0(cudaTextureObject_t texture, float* out) {
  fetch<float, 0, 1>(texture, out);
}
__global__ void fetch_f32_offset_1(cudaTextureObject_t texture, float* out) {
  fetch<float, 1, 1>(texture, out);
}
__global__ void fetch_f32_stride_2(cudaTextureObject_t texture, float* out) {
  fetch<float, 0, 2>(texture, out);
}
__global__ void fetch_f32_stride_3(cudaTextureObject_t texture, float* out) {
  fetch<float, 0, 3>(texture, out);
}
__global__ void fetch_f32_stride_8(cudaTextureObject_t texture, float* out) {
  fetch<float, 0, 8>(texture, out);
}
__global__ void fetch_f32_stride_33(cudaTextureObject_t texture, float* out) {
  fetch<float, 0, 33>(texture, out);
}
__global__ void fetch_byte(cudaTextureObject_t texture, float* out) {
  fetch<unsigned char, 0, 1>(texture, out);
}
__global__ void fetch_f32_broadcast(cudaTextureObject_t texture, float* out) {
  consume(tex1Dfetch<float>(texture, static_cast<int>(blockIdx.x)), out);
}
__global__ void fetch_f32_backwards(cudaTextureObject_t texture, float* out) {
  consume(tex1Dfetch<float>(texture, static_cast<int>(4095 - grid_index())), out);
}
__global__ void fetch_f32_lane_pairs(cudaTextureObject_t texture, float* out) {
  consume(tex1Dfetch<float>(texture, static_cast<int>(grid_index() / 2)), out);
}
__global__ void fetch_f32_20_lanes(cudaTextureObject_t texture, float* out) {
  if (threadIdx.x % 32 < 20) consume(tex1Dfetch<float>(texture, static_cast<int>(grid_index())), out);
}
__global__ void fetch_float2(cudaTextureObject_t texture, float* out) {
  const float2 v = tex1Dfetch<float2>(texture, static_cast<int>(grid_index()));
  consume(v.x + v.y, out);
}
__global__ void fetch_float4(cudaTextureObject_t texture, float* out) {
  const float4 v = tex1Dfetch<float4>(texture, static_cast<int>(grid_index()));
  consume(v.x + v.y + v.z + v.w, out);
}

__device__ void fetch_2d(cudaTextureObject_t texture, unsigned x, unsigned y, float* out) {
  consume(tex2D<float>(texture, static_cast<float>(x), static_cast<float>(y)), out);
}
__global__ void fetch_rows(cudaTextureObject_t texture, float* out) {
  fetch_2d(texture, threadIdx.x % 32, grid_index() / 32, out);
}
__global__ void fetch_columns(cudaTextureObject_t texture, float* out) {
  fetch_2d(texture, grid_index() / 32, threadIdx.x % 32, out);
}
__global__ void fetch_tiles(cudaTextureObject_t texture, float* out) {
  fetch_2d(texture, threadIdx.x % 8, grid_index() / 8, out);
}
__global__ void fetch_rows_float4(cudaTextureObject_t texture, float* out) {
  const float4 v =
      tex2D<float4>(texture, static_cast<float>(threadIdx.x % 32), static_cast<float>(grid_index() / 32));
  consume(v.x + v.y + v.z + v.w, out);
}
__global__ void fetch_rows_byte(cudaTextureObject_t texture, float* out) {
  consume(tex2D<unsigned char>(texture, static_cast<float>(threadIdx.x % 32),
                               static_cast<float>(grid_index() / 32)),
          out);
}
__global__ void fetch_rows_of_array(cudaTextureObject_t texture, float* out) {
  fetch_2d(texture, threadIdx.x % 32, grid_index() / 32, out);
}
__global__ void fetch_array_20_lanes(cudaTextureObject_t texture, float* out) {
  if (threadIdx.x % 32 < 20) fetch_2d(texture, threadIdx.x % 32, grid_index() / 32, out);
}

__global__ void read_surface(cudaSurfaceObject_t surface, float* out) {
  consume(surf2Dread<float>(surface, static_cast<int>(threadIdx.x % 32 * sizeof(float)),
                            static_cast<int>(grid_index() / 32)),
          out);
}
__global__ void write_surface(cudaSurfaceObject_t surface, float*) {
  surf2Dwrite(1.0f, surface, static_cast<int>(threadIdx.x % 32 * sizeof(float)),
              static_cast<int>(grid_index() / 32));
}
__global__ void write_surface_20_lanes(cudaSurfaceObject_t surface, float*) {
  if (threadIdx.x % 32 < 20)
    surf2Dwrite(1.0f, surface, static_cast<int>(threadIdx.x % 32 * sizeof(float)),
                static_cast<int>(grid_index() / 32));
}

// ---- what the labs do

__global__ void add_neighbours(const float* in, float* out) {
  const unsigned i = 1 + grid_index();
  out[i] = in[i - 1] + in[i] + in[i + 1];
}

__global__ void histogram_in_shared(const float* in, float* out) {
  __shared__ int bins[block]; // as many as threads: a branch would become predicated-off instructions
  bins[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll 1
  for (unsigned i = grid_index(); i < 4096; i += gridDim.x * block)
    atomicAdd(&bins[(static_cast<unsigned>(in[i]) + i * i / 16) % block], 1);
  __syncthreads();
  atomicAdd(reinterpret_cast<int*>(out) + threadIdx.x, bins[threadIdx.x]);
}

__global__ void interact_by_tiles(const float* in, float* out) {
  __shared__ float4 tile[block];
  const float4 mine = reinterpret_cast<const float4*>(in)[grid_index()];
  float sum = 0;
#pragma unroll 1
  for (unsigned first = 0; first < 4 * block; first += block) {
    tile[threadIdx.x] = reinterpret_cast<const float4*>(in)[first + threadIdx.x];
    __syncthreads();
#pragma unroll 1
    for (unsigned k = 0; k < block; ++k) {
      const float4 other = tile[k];
      sum += (other.x - mine.x) * (other.y - mine.y) + (other.z - mine.z) * other.w;
    }
    __syncthreads();
  }
  out[grid_index()] = sum;
}

__global__ void column_sums(const float* in, float* out) {
  float sum = 0;
#pragma unroll 1
  for (unsigned row = 0; row < 32; ++row) sum += in[row * 512 + grid_index()];
  out[grid_index()] = sum;
}

__global__ void row_sums(const float* in, float* out) {
  float sum = 0;
#pragma unroll 1
  for (unsigned column = 0; column < 32; ++column) sum += in[grid_index() * 32 + column];
  out[grid_index()] = sum;
}

__global__ void dot_by_tree(const float* in, float* out) {
  __shared__ float s[block];
  float sum = in[grid_index()] * in[4096 + grid_index()];
  s[threadIdx.x] = sum;
#pragma unroll 1
  for (unsigned step = block / 2; step >= 32; step /= 2) {
    __syncthreads();
    if (threadIdx.x >= step) return; // whole warps leave
    sum += s[threadIdx.x + step];
    s[threadIdx.x] = sum;
  }
#pragma unroll 1
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

__global__ void sum_by_shuffles(const float* in, float* out) {
  float sum = in[grid_index()];
#pragma unroll 1
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (threadIdx.x % 32 == 0) out[grid_index() / 32] = sum;
}

__global__ void transpose_naive(const float* in, float* out) {
  const unsigned column = threadIdx.x % 32, row = blockIdx.x * (block / 32) + threadIdx.x / 32;
  out[column * 32 + row] = in[row * 32 + column];
}

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
    {load_f64_stride_2, 4, "load_f64_stride_2"},
    {load_f64_offset_3, 4, "load_f64_offset_3"},
    {load_short, 4, "load_short"},
    {load_f32_odd_lanes, 4, "load_f32_odd_lanes"},
    {load_f32_one_lane, 4, "load_f32_one_lane"},
    {load_float2_stride_3, 4, "load_float2_stride_3"},
    {load_float4_lane_pairs, 4, "load_float4_lane_pairs"},
    {load_float4_20_lanes, 4, "load_float4_20_lanes"},
    {store_float2, 4, "store_float2"},
    {store_float4_stride_2, 4, "store_float4_stride_2"},
    {store_f64_stride_3, 4, "store_f64_stride_3"},
    {store_byte, 4, "store_byte"},
    {store_even_lanes, 4, "store_even_lanes"},
    {load_or_store, 4, "load_or_store"},
    {load_points, 4, "load_points"},
    {load_quads, 4, "load_quads"},
    {load_one_field, 4, "load_one_field"},
    {store_points, 4, "store_points"},
    {load_three_arrays, 4, "load_three_arrays"},
    {add_i32_distinct, 4, "add_i32_distinct"},
    {add_i32_one_address, 4, "add_i32_one_address"},
    {add_i32_stride_8, 4, "add_i32_stride_8"},
    {add_i32_lane_pairs, 4, "add_i32_lane_pairs"},
    {add_i32_20_lanes, 4, "add_i32_20_lanes"},
    {add_f32_distinct, 4, "add_f32_distinct"},
    {add_u64_distinct, 4, "add_u64_distinct"},
    {add_i32_and_look, 4, "add_i32_and_look"},
    {exchange_i32, 4, "exchange_i32"},
    {shared_f32_stride_16, 1, "shared_f32_stride_16"},
    {shared_f32_stride_5, 1, "shared_f32_stride_5"},
    {shared_f64_stride_3, 1, "shared_f64_stride_3"},
    {shared_short, 1, "shared_short"},
    {shared_byte_stride_4, 1, "shared_byte_stride_4"},
    {shared_float2, 1, "shared_float2"},
    {shared_float4, 1, "shared_float4"},
    {shared_float4_backwards, 1, "shared_float4_backwards"},
    {shared_float4_stride_2, 1, "shared_float4_stride_2"},
    {shared_float4_stride_5, 1, "shared_float4_stride_5"},
    {shared_float4_rows_of_64, 1, "shared_float4_rows_of_64"},
    {shared_float4_rows_swizzled, 1, "shared_float4_rows_swizzled"},
    {shared_float4_mixed, 1, "shared_float4_mixed"},
    {shared_float4_broadcast, 1, "shared_float4_broadcast"},
    {shared_float4_8_lanes, 1, "shared_float4_8_lanes"},
    {shared_float4_20_lanes, 1, "shared_float4_20_lanes"},
    {shared_float2_20_lanes, 1, "shared_float2_20_lanes"},
    {shared_float2_stride_2, 1, "shared_float2_stride_2"},
    {shared_points, 1, "shared_points"},
    {shared_bytes_in_a_row, 1, "shared_bytes_in_a_row"},
    {shared_short_stride_2, 1, "shared_short_stride_2"},
    {shared_short_stride_33, 1, "shared_short_stride_33"},
    {copy_async_4, 4, "copy_async_4"},
    {copy_async_8, 4, "copy_async_8"},
    {copy_async_16, 4, "copy_async_16"},
    {copy_async_4_20_lanes, 4, "copy_async_4_20_lanes"},
    {copy_async_4_stride_2, 4, "copy_async_4_stride_2"},
    {copy_async_16_stride_2, 4, "copy_async_16_stride_2"},
    {remote_load_1, 4, "remote_load_1"},
    {remote_load_2, 4, "remote_load_2"},
    {remote_load_3_20_lanes, 4, "remote_load_3_20_lanes"},
    {remote_store_1, 4, "remote_store_1"},
    {remote_add_1, 4, "remote_add_1"},
    {remote_add_2_lane_pairs, 4, "remote_add_2_lane_pairs"},
    {remote_add_1_and_look, 4, "remote_add_1_and_look"},
    {shared_f32_lane_pairs, 1, "shared_f32_lane_pairs"},
    {shared_f32_20_lanes, 1, "shared_f32_20_lanes"},
    {shared_add_distinct, 1, "shared_add_distinct"},
    {shared_add_lane_pairs, 1, "shared_add_lane_pairs"},
    {shared_add_one_word, 1, "shared_add_one_word"},
    {shared_add_two, 1, "shared_add_two"},
    {shared_max, 1, "shared_max"},
    {shared_add_one_and_look, 1, "shared_add_one_and_look"},
    {shared_sum_between_conditions, 1, "shared_sum_between_conditions"},
    {shared_sum_float_own, 1, "shared_sum_float_own"},
    {shared_sum_float_one_word, 1, "shared_sum_float_one_word"},
    {shared_sum_float_pairs, 1, "shared_sum_float_pairs"},
    {shared_sum_float_every_second, 1, "shared_sum_float_every_second"},
    {shared_sum_float_one_bank, 1, "shared_sum_float_one_bank"},
    {shared_sum_float_half_on_one, 1, "shared_sum_float_half_on_one"},
    {shared_sum_double_own, 1, "shared_sum_double_own"},
    {shared_sum_double_one_word, 1, "shared_sum_double_one_word"},
    {shared_sum_double_four_words, 1, "shared_sum_double_four_words"},
    {shared_sum_double_one_bank, 1, "shared_sum_double_one_bank"},
    {shared_sum_double_half_on_one, 1, "shared_sum_double_half_on_one"},
    {shared_sum_long_pairs, 1, "shared_sum_long_pairs"},
    {shared_sum_halves_pairs, 1, "shared_sum_halves_pairs"},
    {shared_compare_int_own, 1, "shared_compare_int_own"},
    {shared_compare_int_pairs, 1, "shared_compare_int_pairs"},
    {shared_compare_int_one_bank, 1, "shared_compare_int_one_bank"},
    {shared_compare_long_four_words, 1, "shared_compare_long_four_words"},
    {add_neighbours, 4, "add_neighbours"},
    {histogram_in_shared, 4, "histogram_in_shared"},
    {interact_by_tiles, 4, "interact_by_tiles"},
    {column_sums, 4, "column_sums"},
    {row_sums, 4, "row_sums"},
    {dot_by_tree, 4, "dot_by_tree"},
    {sum_by_shuffles, 4, "sum_by_shuffles"},
    {transpose_naive, 8, "transpose_naive"},
    {object_add_distinct, 4, "object_add_distinct"},
    {object_add_one_address, 4, "object_add_one_address"},
    {object_add_stride_8, 4, "object_add_stride_8"},
    {object_add_in_block, 4, "object_add_in_block"},
    {object_add_in_order, 4, "object_add_in_order"},
    {object_add_and_look, 4, "object_add_and_look"},
    {object_add_f32, 4, "object_add_f32"},
    {object_max, 4, "object_max"},
    {object_exchange, 4, "object_exchange"},
    {object_compare_exchange, 4, "object_compare_exchange"},
    {object_load, 4, "object_load"},
    {object_load_acquire, 4, "object_load_acquire"},
    {object_store, 4, "object_store"},
    {object_add_shared, 4, "object_add_shared"},
    {matrix_a_half_rows, 1, "matrix_a_half_rows"},
    {matrix_a_half_rows_shared, 1, "matrix_a_half_rows_shared"},
    {matrix_a_half_ldm_24_rows, 1, "matrix_a_half_ldm_24_rows"},
    {matrix_a_half_ldm_24_rows_shared, 1, "matrix_a_half_ldm_24_rows_shared"},
    {matrix_a_byte_rows, 1, "matrix_a_byte_rows"},
    {matrix_a_byte_rows_shared, 1, "matrix_a_byte_rows_shared"},
    {matrix_a_tf32_rows, 1, "matrix_a_tf32_rows"},
    {matrix_a_tf32_rows_shared, 1, "matrix_a_tf32_rows_shared"},
    {matrix_a_double_rows, 1, "matrix_a_double_rows"},
    {matrix_a_double_rows_shared, 1, "matrix_a_double_rows_shared"},
    {matrix_a_half_32_8_16_rows, 1, "matrix_a_half_32_8_16_rows"},
    {matrix_a_half_32_8_16_rows_shared, 1, "matrix_a_half_32_8_16_rows_shared"},
    {matrix_a_half_8_32_16_rows, 1, "matrix_a_half_8_32_16_rows"},
    {matrix_a_half_8_32_16_rows_shared, 1, "matrix_a_half_8_32_16_rows_shared"},
    {matrix_a_half_columns, 1, "matrix_a_half_columns"},
    {matrix_a_half_columns_shared, 1, "matrix_a_half_columns_shared"},
    {matrix_a_half_ldm_24_columns, 1, "matrix_a_half_ldm_24_columns"},
    {matrix_a_half_ldm_24_columns_shared, 1, "matrix_a_half_ldm_24_columns_shared"},
    {matrix_a_byte_columns, 1, "matrix_a_byte_columns"},
    {matrix_a_byte_columns_shared, 1, "matrix_a_byte_columns_shared"},
    {matrix_a_tf32_columns, 1, "matrix_a_tf32_columns"},
    {matrix_a_tf32_columns_shared, 1, "matrix_a_tf32_columns_shared"},
    {matrix_a_double_columns, 1, "matrix_a_double_columns"},
    {matrix_a_double_columns_shared, 1, "matrix_a_double_columns_shared"},
    {matrix_a_half_32_8_16_columns, 1, "matrix_a_half_32_8_16_columns"},
    {matrix_a_half_32_8_16_columns_shared, 1, "matrix_a_half_32_8_16_columns_shared"},
    {matrix_a_half_8_32_16_columns, 1, "matrix_a_half_8_32_16_columns"},
    {matrix_a_half_8_32_16_columns_shared, 1, "matrix_a_half_8_32_16_columns_shared"},
    {matrix_b_half_rows, 1, "matrix_b_half_rows"},
    {matrix_b_half_rows_shared, 1, "matrix_b_half_rows_shared"},
    {matrix_b_half_ldm_24_rows, 1, "matrix_b_half_ldm_24_rows"},
    {matrix_b_half_ldm_24_rows_shared, 1, "matrix_b_half_ldm_24_rows_shared"},
    {matrix_b_byte_rows, 1, "matrix_b_byte_rows"},
    {matrix_b_byte_rows_shared, 1, "matrix_b_byte_rows_shared"},
    {matrix_b_tf32_rows, 1, "matrix_b_tf32_rows"},
    {matrix_b_tf32_rows_shared, 1, "matrix_b_tf32_rows_shared"},
    {matrix_b_double_rows, 1, "matrix_b_double_rows"},
    {matrix_b_double_rows_shared, 1, "matrix_b_double_rows_shared"},
    {matrix_b_half_32_8_16_rows, 1, "matrix_b_half_32_8_16_rows"},
    {matrix_b_half_32_8_16_rows_shared, 1, "matrix_b_half_32_8_16_rows_shared"},
    {matrix_b_half_8_32_16_rows, 1, "matrix_b_half_8_32_16_rows"},
    {matrix_b_half_8_32_16_rows_shared, 1, "matrix_b_half_8_32_16_rows_shared"},
    {matrix_b_half_columns, 1, "matrix_b_half_columns"},
    {matrix_b_half_columns_shared, 1, "matrix_b_half_columns_shared"},
    {matrix_b_half_ldm_24_columns, 1, "matrix_b_half_ldm_24_columns"},
    {matrix_b_half_ldm_24_columns_shared, 1, "matrix_b_half_ldm_24_columns_shared"},
    {matrix_b_byte_columns, 1, "matrix_b_byte_columns"},
    {matrix_b_byte_columns_shared, 1, "matrix_b_byte_columns_shared"},
    {matrix_b_tf32_columns, 1, "matrix_b_tf32_columns"},
    {matrix_b_tf32_columns_shared, 1, "matrix_b_tf32_columns_shared"},
    {matrix_b_double_columns, 1, "matrix_b_double_columns"},
    {matrix_b_double_columns_shared, 1, "matrix_b_double_columns_shared"},
    {matrix_b_half_32_8_16_columns, 1, "matrix_b_half_32_8_16_columns"},
    {matrix_b_half_32_8_16_columns_shared, 1, "matrix_b_half_32_8_16_columns_shared"},
    {matrix_b_half_8_32_16_columns, 1, "matrix_b_half_8_32_16_columns"},
    {matrix_b_half_8_32_16_columns_shared, 1, "matrix_b_half_8_32_16_columns_shared"},
    {matrix_c_float_rows, 1, "matrix_c_float_rows"},
    {matrix_c_float_rows_shared, 1, "matrix_c_float_rows_shared"},
    {matrix_c_float_columns, 1, "matrix_c_float_columns"},
    {matrix_c_float_columns_shared, 1, "matrix_c_float_columns_shared"},
    {matrix_c_half_rows, 1, "matrix_c_half_rows"},
    {matrix_c_half_rows_shared, 1, "matrix_c_half_rows_shared"},
    {matrix_c_half_columns, 1, "matrix_c_half_columns"},
    {matrix_c_half_columns_shared, 1, "matrix_c_half_columns_shared"},
    {matrix_c_int_rows, 1, "matrix_c_int_rows"},
    {matrix_c_int_rows_shared, 1, "matrix_c_int_rows_shared"},
    {matrix_c_int_columns, 1, "matrix_c_int_columns"},
    {matrix_c_int_columns_shared, 1, "matrix_c_int_columns_shared"},
    {matrix_c_double_rows, 1, "matrix_c_double_rows"},
    {matrix_c_double_rows_shared, 1, "matrix_c_double_rows_shared"},
    {matrix_c_double_columns, 1, "matrix_c_double_columns"},
    {matrix_c_double_columns_shared, 1, "matrix_c_double_columns_shared"},
    {matrix_c_float_32_8_16_rows, 1, "matrix_c_float_32_8_16_rows"},
    {matrix_c_float_32_8_16_rows_shared, 1, "matrix_c_float_32_8_16_rows_shared"},
    {matrix_c_float_32_8_16_columns, 1, "matrix_c_float_32_8_16_columns"},
    {matrix_c_float_32_8_16_columns_shared, 1, "matrix_c_float_32_8_16_columns_shared"},
    {matrix_c_float_8_32_16_rows, 1, "matrix_c_float_8_32_16_rows"},
    {matrix_c_float_8_32_16_rows_shared, 1, "matrix_c_float_8_32_16_rows_shared"},
    {matrix_c_float_8_32_16_columns, 1, "matrix_c_float_8_32_16_columns"},
    {matrix_c_float_8_32_16_columns_shared, 1, "matrix_c_float_8_32_16_columns_shared"},
    {matrix_c_float_ldm_20_rows, 1, "matrix_c_float_ldm_20_rows"},
    {matrix_c_float_ldm_20_rows_shared, 1, "matrix_c_float_ldm_20_rows_shared"},
    {matrix_c_float_ldm_20_columns, 1, "matrix_c_float_ldm_20_columns"},
    {matrix_c_float_ldm_20_columns_shared, 1, "matrix_c_float_ldm_20_columns_shared"},
};
constexpr int plain_cases = sizeof cases / sizeof cases[0];

/// What a texture or surface is made of: elements in a line, rows of 128 floats, or an array of as many.
enum class Texels { bytes, floats, float2s, float4s, rows, byte_rows, float4_rows, array, surface };
struct TexelCase {
  void (*kernel)(unsigned long long object, float* out);
  Texels texels;
  char name[golden_name_bytes];
};

const TexelCase texel_cases[] = {
    {fetch_f32_offset_0, Texels::floats, "fetch_f32_offset_0"},
    {fetch_f32_offset_1, Texels::floats, "fetch_f32_offset_1"},
    {fetch_f32_stride_2, Texels::floats, "fetch_f32_stride_2"},
    {fetch_f32_stride_3, Texels::floats, "fetch_f32_stride_3"},
    {fetch_f32_stride_8, Texels::floats, "fetch_f32_stride_8"},
    {fetch_f32_stride_33, Texels::floats, "fetch_f32_stride_33"},
    {fetch_f32_broadcast, Texels::floats, "fetch_f32_broadcast"},
    {fetch_f32_backwards, Texels::floats, "fetch_f32_backwards"},
    {fetch_f32_lane_pairs, Texels::floats, "fetch_f32_lane_pairs"},
    {fetch_f32_20_lanes, Texels::floats, "fetch_f32_20_lanes"},
    {fetch_byte, Texels::bytes, "fetch_byte"},
    {fetch_float2, Texels::float2s, "fetch_float2"},
    {fetch_float4, Texels::float4s, "fetch_float4"},
    {fetch_rows, Texels::rows, "fetch_rows"},
    {fetch_columns, Texels::rows, "fetch_columns"},
    {fetch_tiles, Texels::rows, "fetch_tiles"},
    {fetch_rows_float4, Texels::float4_rows, "fetch_rows_float4"},
    {fetch_rows_byte, Texels::byte_rows, "fetch_rows_byte"},
    {fetch_rows_of_array, Texels::array, "fetch_rows_of_array"},
    {fetch_array_20_lanes, Texels::array, "fetch_array_20_lanes"},
    {read_surface, Texels::surface, "read_surface"},
    {write_surface, Texels::surface, "write_surface"},
    {write_surface_20_lanes, Texels::surface, "write_surface_20_lanes"},
};

/// An object over 65,536 floats of its own, all 0.
class TexelObject {
public:
  explicit TexelObject(Texels texels) : is_surface_(texels == Texels::surface) {
    constexpr std::size_t columns = 128, rows = 512, pitch = columns * sizeof(float);
    cudaResourceDesc resource{};
    if (texels == Texels::array || is_surface_) {
      const auto desc = cudaCreateChannelDesc<float>();
      cudaMallocArray(&array_, &desc, columns, rows,
                      is_surface_ ? cudaArraySurfaceLoadStore : cudaArrayDefault);
      float zeros[columns] = {};
      for (std::size_t row = 0; row < rows; ++row)
        cudaMemcpy2DToArray(array_, 0, row, zeros, pitch, pitch, 1, cudaMemcpyHostToDevice);
      resource.resType = cudaResourceTypeArray;
      resource.res.array.array = array_;
    } else {
      cudaMalloc(&memory_, rows * pitch);
      cudaMemset(memory_, 0, rows * pitch);
      const bool is_byte = texels == Texels::bytes || texels == Texels::byte_rows;
      const bool is_float4 = texels == Texels::float4s || texels == Texels::float4_rows;
      const cudaChannelFormatDesc desc = is_byte                     ? cudaCreateChannelDesc<unsigned char>()
                                         : is_float4                 ? cudaCreateChannelDesc<float4>()
                                         : texels == Texels::float2s ? cudaCreateChannelDesc<float2>()
                                                                     : cudaCreateChannelDesc<float>();
      if (texels >= Texels::rows) {
        resource.resType = cudaResourceTypePitch2D;
        const std::size_t width = pitch / (is_byte ? 1 : is_float4 ? 16 : 4);
        resource.res.pitch2D = {memory_, desc, width, rows, pitch};
      } else {
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear = {memory_, desc, rows * pitch};
      }
    }
    cudaTextureDesc texture{};
    if (is_surface_)
      cudaCreateSurfaceObject(&object_, &resource);
    else
      cudaCreateTextureObject(&object_, &resource, &texture, nullptr);
  }
  ~TexelObject() {
    is_surface_ ? cudaDestroySurfaceObject(object_) : cudaDestroyTextureObject(object_);
    cudaFree(memory_);
    cudaFreeArray(array_);
  }
  TexelObject(const TexelObject&) = delete;
  TexelObject& operator=(const TexelObject&) = delete;

  unsigned long long number() const { return object_; }

private:
  bool is_surface_;
  void* memory_ = nullptr;
  cudaArray_t array_ = nullptr;
  unsigned long long object_ = 0;
};

} // namespace

void golden_name(int index, char* name) {
  const char* chosen = index < plain_cases ? cases[index].name : texel_cases[index - plain_cases].name;
  cudaMemcpy(name, chosen, golden_name_bytes, cudaMemcpyHostToDevice);
}

int golden_cases() { return plain_cases + static_cast<int>(sizeof texel_cases / sizeof texel_cases[0]); }

void golden_case(int index, const float* in, float* out) {
  if (index < plain_cases) {
    cases[index].kernel<<<cases[index].blocks, block>>>(in, out);
    return;
  }
  const TexelCase& chosen = texel_cases[index - plain_cases];
  const TexelObject object(chosen.texels);
  chosen.kernel<<<4, block>>>(object.number(), out);
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
