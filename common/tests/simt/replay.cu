// Kernels of which diaries are read. A line is found by the mark at its end.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

struct Vector {
  float x, y, z;
};
class Pair {
public:
  int first, second;
};
struct Named {
  const char* name;
  int number;
};
enum Colour { red, green = 7 };
enum Level { below = -1, above = 1 };
enum class Small : unsigned char { off, on = 200 };

__global__ void types_kernel(int* out, const float* in, int n, Vector vector, Pair pair, Named named) {
  int i = -5;
  unsigned u = 4000000000u;
  long long wide = -5000000000;
  unsigned long long widest = 1ull << 63;
  short s = -3;
  unsigned short us = 65535;
  bool yes = true, no = false;
  char letter = 'A';
  signed char tiny = -2;
  unsigned char byte = 255;
  Colour colour = green;
  Level level = below;
  Small small = Small::on;
  float f = 0.1f;
  double d = -2.5e-10;
  float third = 1.0f / 3;
  const int* const pointer = out;
  uint3 three = make_uint3(1, 2, 3);
  dim3 extent(4, 5);
  int3 negative = make_int3(-1, 0, 1);
  float4 four = make_float4(1, 2.5f, -3, 4);
  const int fixed = 12;
  const int at_run_time = n + 1;
  constexpr int known = -7;
  constexpr unsigned long long large = 1ull << 63;
  constexpr bool is_known = true;
  int array[5] = {};
  int& reference = i;
  const Vector& vector_reference = vector;
  out[0] = i + array[0] + fixed + at_run_time + known + is_known + static_cast<int>(u + wide + widest + large); // types
  out[1] = s + us + yes + no + letter + tiny + byte + colour + level + static_cast<int>(small) + static_cast<int>(f + d + third);
  out[2] = *pointer + three.x + extent.x + negative.x + static_cast<int>(four.x) + reference + static_cast<int>(vector_reference.x);
  out[3] = static_cast<int>(in[0]) + pair.first + named.number;
}

__global__ void scopes_kernel(int* out) {
  int i = 1;
  {
    int i = 2;
    out[0] = i; // inner
    for (int i = 30; i < 31; ++i) {
      const int j = i + 1;
      out[1] = j; // innermost
    }
    const int later = 5;
    out[2] = later;
  }
  out[3] = i; // outer
}

__device__ int deepest(int* out, int a, int b, int c, int d, int e, long long f, int g, float h, double k, int l, Vector v,
                       unsigned char m) {
  out[a] = b + c + d + e + static_cast<int>(f) + g + static_cast<int>(h + k + v.x) + l + m; // ten parameters
  return a;
}
__global__ void parameters_kernel(int* out, int n) {
  const int mine = 11;
  out[3] = deepest(out, n, mine, 3, 4, 5, -6, 7, 8.5f, 9.25, 10, Vector{1, 2, 3}, 12); // call
}

template <typename T, int width>
__global__ void template_kernel(T* out, T factor) {
  const T x = factor * width;
  out[threadIdx.x] = x; // template
}

template <typename F>
__global__ void functor_kernel(F function) {
  function(threadIdx.x);
}
struct Fill {
  int* out;
  int value;
  __device__ void operator()(int i) const { out[i] = value; } // functor
};

__global__ void lambda_kernel(int* out, int n) {
  const int offset = n - 1;
  const auto store = [=](int i) {
    out[i] = offset + n; // lambda
  };
  store(2);
}

__global__ void comparisons_kernel(int* out, int n, unsigned m, long long big, unsigned char byte, int minus) {
  const int i = static_cast<int>(threadIdx.x);
  const unsigned u = threadIdx.x;
  out += 3 * i;
  constexpr int limit = 10;
  const unsigned char other = 100;
  const bool is_last = i == 7;
  if (i < n / 2) out[0] = 1;                                // signed
  if (u >= m) out[0] = 1;                                   // unsigned
  if (big > i) out[0] = 1;                                  // 64 bits
  if (i < 3) out[0] = 1;                                    // below 3
  if (3 <= i) out[0] = 1;                                   // 3 at the left
  if (i == 5) out[0] = 1;                                   // equal
  if (i != 5) out[0] = 1;                                   // unequal
  if (i > 1 && i < n) out[0] = 1;                           // two of a line
  if (!(i < n)) out[0] = 1;                                 // negated
  if (minus < limit) out[0] = 1;                            // below a constant
  if (limit > minus) out[0] = 1;                            // constant at the left
  if (byte < other) out[0] = 1;                             // bytes
  if (minus < m) out[0] = 1;                                // mixed
  if (threadIdx.x - 6 < 32) out[0] = 1;                     // below zero
  if (i - 6 < n) out[0] = 1;                                // signed difference
  if (minus >= 0 && minus < n) out[0] = 1;                  // the first turns away
  if (u - 6u > 100u) out[0] = 1;                            // unsigned literal
  out[1] = i < n ? 1 : 0;                                   // conditional
  for (int k = 0; k < 3; ++k) out[2] = k;                   // loop
  while (out[2] > 2 && is_last) out[2] = 0;                 // no turn
}

__global__ void place_kernel(int* out, int width) {
  __shared__ int tile[4][8];
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = x; // to shared memory
  __syncthreads();
  out[y * width + x] = tile[threadIdx.y][threadIdx.x]; // to global memory
  atomicAdd(out + 128, 1); // atomic
}

__global__ void cube_kernel(int* out) {
  const int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[t] = 1; // in a cube
}

__global__ void child_kernel(int* out, int value) { out[threadIdx.x] = value; } // child
__global__ void parent_kernel(int* out) {
  child_kernel<<<1, 4>>>(out, 10 + threadIdx.x);
}

__global__ void __cluster_dims__(2, 1, 1) cluster_kernel(int* out) {
  __shared__ int own;
  const auto cluster = cooperative_groups::this_cluster();
  own = 0;
  cluster.sync();
  *cluster.map_shared_rank(&own, 1 - cluster.block_rank()) = 5; // to the other block
  cluster.sync();
  out[blockIdx.x] = own;
}

__global__ void long_kernel(int* out, int turns) {
  out[0] = 41; // first write
  int sum = 0;
  for (int k = 0; k < turns; ++k) sum += out[k % 4];
  out[1] = sum;
  out[2] = turns; // last write
}
__global__ void many_writes_kernel(int* out, int turns) {
  for (int k = 0; k < turns; ++k) out[k % 4] = k; // many writes
}

__global__ void large_kernel(int* out, int n) {
  int near = n;
  volatile int large[10000];
  for (int k = 0; k < 10000; k += 1000) large[k] = k;
  out[0] = near + large[9000]; // large frame
}

__device__ int descend(int* out, int depth) {
  if (depth == 0) {
    out[0] = 1; // bottom
    return 0;
  }
  return 1 + descend(out, depth - 1);
}
__global__ void recursive_kernel(int* out, int depth) { out[1] = descend(out, depth); }

__device__ int endless(int* out, int depth) {
  volatile int mine[64];
  mine[depth % 64] = depth;
  out[0] = depth; // endless
  return endless(out, depth + 1) + mine[depth % 64];
}
__global__ void endless_kernel(int* out) { out[1] = endless(out, 0); }

__global__ void beyond_kernel(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int to = i + 2;
  if (i < n) out[to] = i; // beyond
}
__global__ void null_kernel(int* out, int n) {
  int* const nothing = n > 0 ? nullptr : out;
  nothing[n] = 1; // null
}

extern "C" {
void run_types(int* out, const float* in) {
  types_kernel<<<1, 1>>>(out, in, 41, {1.5f, -2, 3e20f}, {4, -6}, {"x", 3});
}
void run_scopes(int* out) { scopes_kernel<<<1, 1>>>(out); }
void run_parameters(int* out) { parameters_kernel<<<1, 1>>>(out, 2); }
void run_template(float* out) { template_kernel<float, 6><<<1, 8>>>(out, 1.5f); }
void run_functor(int* out) { functor_kernel<<<1, 4>>>(Fill{out, 23}); }
void run_lambda(int* out) { lambda_kernel<<<1, 1>>>(out, 5); }
void run_comparisons(int* out) { comparisons_kernel<<<1, 8>>>(out, 8, 3, 5000000000, 200, -1); }
void run_places(int* out) { place_kernel<<<dim3(2, 2), dim3(8, 4)>>>(out, 16); }
void run_cube(int* out) { cube_kernel<<<1, dim3(2, 3, 4)>>>(out); }
void run_children(int* out) { parent_kernel<<<1, 2>>>(out); }
void run_cluster(int* out) { cluster_kernel<<<4, 1>>>(out); }
void run_long(int* out, int turns) { long_kernel<<<1, 1>>>(out, turns); }
void run_many_writes(int* out, int turns) { many_writes_kernel<<<1, 1>>>(out, turns); }
void run_often(int* out, int times) {
  for (int k = 0; k < times; ++k) long_kernel<<<1, 1>>>(out, k);
}
void run_large(int* out) { large_kernel<<<1, 1>>>(out, 77); }
void run_recursive(int* out, int depth) { recursive_kernel<<<1, 1>>>(out, depth); }
void run_endless(int* out) { endless_kernel<<<1, 1>>>(out); }
void run_beyond(int* out, int n) { beyond_kernel<<<2, 16>>>(out, n); }
void run_null(int* out) { null_kernel<<<1, 1>>>(out, 1); }
}
