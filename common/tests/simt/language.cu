// Language and library features whose results are checked.
#include <stdio.h>

namespace {

__device__ float4 operator+(const float4& a, const float4& b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void vectors(const float4* in, float4* out) {
  __shared__ float4 tile[32];
  float4 v{1, 2, 3, 4};
  float4 w;
  w.x = w.y = w.z = w.w = 1;
  tile[threadIdx.x] = in[threadIdx.x] + v;
  __syncthreads();
  float4 sum = tile[31 - threadIdx.x] + w;
  out[threadIdx.x] = sum;
}

template <int N, class T>
__global__ void template_kernel(T* out, T value) {
  __shared__ T parts[N];
  parts[threadIdx.x % N] = value;
  out[threadIdx.x] = parts[threadIdx.x % N] + T(N);
}

__global__ void indices(int* out) {
  int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * (blockDim.x * blockDim.y * blockDim.z) + thread] = block * 1000 + thread;
}

__global__ void arithmetic(float* f, int* i) {
  f[0] = rsqrtf(4.0f);
  f[1] = __fmaf_rn(2.0f, 3.0f, 4.0f);
  f[2] = min(1.0f, 2.0f) + max(3, 4);
  f[3] = __ldg(&f[1]);
  i[0] = __popc(0xf0f0u);
  i[1] = __clz(1);
  i[2] = __ffs(8);
  i[3] = max(-1, 2) + min(3u, 4u);
  i[4] = __float_as_int(1.0f);
  i[5] = static_cast<int>(__brev(1u) >> 31);
}

__global__ void atomics(int* i, unsigned* u, unsigned long long* l, float* f, double* d) {
  atomicAdd(&i[0], 2);
  atomicSub(&i[1], 1);
  atomicMin(&i[2], -static_cast<int>(threadIdx.x));
  atomicMax(&i[3], static_cast<int>(threadIdx.x));
  atomicExch(&i[4], 9);
  atomicOr(&u[0], 1u << threadIdx.x);
  atomicXor(&u[1], 1u);
  atomicInc(&u[2], 9u);
  atomicDec(&u[3], 9u);
  atomicAdd(l, 1ull << 33);
  atomicAdd(f, 0.5f);
  atomicAdd(d, 0.25);
}

struct Matrix {
  int rows, columns;
  float* data;
};

__global__ void structure_argument(Matrix m, uint3 by, float4 scale) {
  if (threadIdx.x < m.rows * m.columns) m.data[threadIdx.x] = threadIdx.x * scale.w + by.y;
}

__global__ void limits(long long* out, unsigned n, long long l) {
  __builtin_assume(n > 0);
  out[0] = umin(n, 7u);
  out[1] = umax(n, 7u);
  out[2] = llmin(l, 2);
  out[3] = llmax(l, 2);
  out[4] = ullmin(static_cast<unsigned long long>(l), 5);
  out[5] = ullmax(1ull << 40, n);
}

// Classes that come in registers, in memory, from a template, from an operator and from a lambda.
struct Small {
  short value;
  Small() = default;
  __device__ Small(float f) : value(static_cast<short>(f)) {}
};
struct Triple {
  float x, y, z;
  Triple() = default;
  __device__ Triple(float f) : x(f), y(f), z(f) {}
  __device__ Triple operator+(Triple o) const {
    o.x += x, o.y += y, o.z += z;
    return o;
  }
};
struct Five {
  float values[5];
};
struct Pinned { // is made where it stays
  int value;
  __device__ Pinned(int i) : value(i) {}
  Pinned(const Pinned&) = delete;
};
__device__ __noinline__ Small small(float f) { return Small(f); }
__device__ __noinline__ Triple triple(float f) { return Triple(f); }
__device__ __noinline__ Pinned pinned(int i) { return Pinned(i); }
__device__ __noinline__ Five five(float f) {
  Five result;
  for (float& value : result.values) value = f;
  return result;
}
template <typename T>
__device__ __noinline__ T same(T value) {
  return value;
}

__global__ void store_results(Small* smalls, Triple* triples, Five* fives) {
  const int i = threadIdx.x;
  const Pinned two = pinned(2);
  const auto doubled = [](float f) { return Triple(2 * f); };
  smalls[i] = small(1.0f);
  triples[i] = triple(2.0f);
  triples[32 + i] = same<Triple>(triple(3.0f));
  triples[64 + i] = triple(1.0f) + triple(3.0f);
  triples[96 + i] = doubled(static_cast<float>(two.value));
  *(fives + i) = i < 7 ? five(5.0f) : five(6.0f);
}

__global__ void print() { printf("thread %d prints\n", static_cast<int>(threadIdx.x)); }

} // namespace

extern "C" {
void run_vectors(const void* in, void* out) {
  vectors<<<1, 32>>>(static_cast<const float4*>(in), static_cast<float4*>(out));
}
void run_templates(int* a, double* b) {
  template_kernel<4><<<1, 32>>>(a, 5);
  template_kernel<8, double><<<1, 32>>>(b, 5);
}
void run_indices(int* out) { indices<<<dim3(2, 3, 2), dim3(4, 3, 5)>>>(out); }
void run_arithmetic(float* f, int* i) { arithmetic<<<1, 1>>>(f, i); }
void run_limits(long long* out) { limits<<<1, 1>>>(out, 3, -1); }
void run_atomics(int* i, unsigned* u, unsigned long long* l, float* f, double* d) {
  atomics<<<1, 32>>>(i, u, l, f, d);
}
void run_structure_argument(float* data) {
  Matrix m{2, 3, data};
  structure_argument<<<1, 32>>>(m, make_uint3(1, 2, 3), make_float4(0, 0, 0, 10));
}
void run_store_results(Small* smalls, Triple* triples, Five* fives) {
  store_results<<<1, 32>>>(smalls, triples, fives);
}
void run_print() { print<<<1, 2>>>(); }
}
