// Every construct that the translator rewrites, for a build with the simulator's own headers
// (driver_test.cpp).
#include <cstdint>
#define LAUNCH(k, n, ...) k<<<(n), 32>>>(__VA_ARGS__)
struct __align__(16) P {
  float x, y;
  __host__ __device__ P(float a = 0) : x{a}, y(a) {}
  __device__ float operator()(int i) const { return x * i; }
  __device__ P operator+(const P& o) const { return P(x + o.x); }
};
struct Plain {
  float x;
  int y;
};
__constant__ float coefficients[4];
__constant__ const float fixed[2] = {1.0f, 2.0f};
static __constant__ int limit = 3;
__device__ const int table_size = 4;
__device__ const int table[table_size] = {1, 2, 3, 4};
__device__ constexpr int width = 8;
__device__ float accumulators[width], total = 2.5f, *pointer;
inline __device__ int shared_count;
__managed__ int managed_value = 1;
__device__ __managed__ int managed2;
extern __device__ int later[];
__device__ int later[3];
__device__ Plain plain = {1, 2};
static inline __device__ int in_line = 4;
extern __shared__ float dynamic_ns[];
__shared__ int ns_static[4], ns_scalar;
__device__ __forceinline__ float helper(float v) {
  dynamic_ns[0] = v;
  return v + ns_static[1];
}
template <class T, int N = 4>
__global__ void __launch_bounds__(256) tiled(T* out, const T* __restrict__ in, int n) {
  __shared__ T tile[N][N + 1], scalar;
  static __shared__ __align__(8) volatile int flags[2];
  __shared__ alignas(16) float4 vec[2];
  volatile __shared__ int v2;
  __shared__ struct { int a, b; } pair;
  __shared__ union U {
    int i;
    float f;
  } u;
  __shared__ float(*rows)[4];
  __shared__ Plain plains[3];
  extern __shared__ __align__(16) unsigned char raw[];
  T* typed = reinterpret_cast<T*>(raw);
  {
    __shared__ int tile[3];
    tile[0] = 1;
    flags[0] = tile[0];
  }
  auto f = [=] __device__(int i) mutable {
    tile[i][0] = scalar;
    return i;
  };
  auto g = [](int i) { return flags[i]; };
  auto h = [&, n] { return tile[0][0] + n; };
  tile[0][0] = in[0];
  pair.a = f(1) + g(0);
  u.i = h();
  rows = nullptr;
  plains[0].x = 1;
  v2 = 0;
  vec[0].x = 1;
  out[n] = typed[0] + tile[0][0] + dynamic_ns[0];
#pragma unroll 4
  for (int i = 0; i < 4; ++i) out[i] += i << 2 >> 1;
}
namespace a::b {
template <typename T>
__global__ void deduced(T* p, int n) {
  if (n > 0) deduced<<<1, 1>>>(p, n - 1);
}
__launch_bounds__(128, 2) __global__ void bounded(int* p) { p[0] = 1; }
__global__ void __cluster_dims__(2, 1, 1) clustered(int* p) { p[0] = 1; }
__global__ void over(int* p) { p[0] = 1; }
__global__ void __launch_bounds__(64) over(float* p) { p[0] = 1; }
} // namespace a::b
extern "C" {
__global__ void plain_c(int* p, float s) { p[0] = int(s); }
}
__global__ void index(int* p) { p[1] = 1; }
static __global__ void local_kernel(P p, int n) { total = p(n); }
template <>
__global__ void tiled<double, 2>(double* out, const double* __restrict__ in, int n) {
  out[0] = in[n];
}
template __global__ void tiled<int, 3>(int*, const int*, int);
template <int... Is>
__global__ void pack(int* p) {
  ((p[Is] = Is), ...);
}
template <class T, class U>
__global__ void partial(U* p) {
  p[0] = T(1);
}
template <class F>
__global__ void functor(F f, int n) {
  f(n);
}
template <class T>
requires(sizeof(T) > 2) __global__ void constrained(T* p) { p[0] = 1; }
__global__ void with_grid_constant(const __grid_constant__ Plain p, int* out) { out[0] = p.y; }
template <int N>
__global__ void loops_with_barriers(int n, int* out) {
  for (int i = 0, j = n; i < N && (j > 0 || i < n); ++i, --j) __syncthreads();
  while (n-- > N) {
    if (!(n & 1)) continue;
    for (auto k = threadIdx.x; k < blockDim.x; k += N) {
      out[k] = 1;
      __syncthreads();
    }
  }
  for (int i = 0; auto p = i < n ? out : nullptr; ++i) p[__syncthreads_count(1)] = 1;
}
template __global__ void loops_with_barriers<3>(int, int*);
template <class T>
struct Dispatch {
  template <int N>
  void run(T* p) {
    tiled<T, N><<<dim3{1, 1, 1}, N * N>>>(p, p, N);
    a::b::deduced<<<1, 1>>>(p, 1);
  }
};
typedef void (*kernel_pointer)(int*, float);
template <class T, class U>
struct vec2 {
  T a;
  U b;
};
template <class T>
constexpr int block_size(int n) {
  return n + sizeof(T);
}
extern "C" void host(float* p, int* q, cudaStream_t stream, int n) {
  const dim3 grid((n + 31) / 32), block(32);
  tiled<float, (4 > 2)><<<grid, block, sizeof(float) * n, stream>>>(p, p, n);
  // clang-format off
  tiled<float><<<n > 3 ? 1 : 2, n < 4 ? 32 : 64>>>(p, p, 3);
  // clang-format on
  tiled<<<1, block_size<vec2<int, vec2<int, int>>>(3)>>>(p, p, 1);
  tiled<<<1, block_size<vec2<int, int>>(n >> 1)>>>(p, p, 1);
  tiled<float, sizeof(vec2<int, vec2<int, int>>)><<<1, 1, sizeof(vec2<int, vec2<int, int>>)>>>(p, p, 1);
  LAUNCH(plain_c, n + 1, q, 2);
  LAUNCH(index, 1, q);
  if (n)
    plain_c<<<1, 1>>>(q, 1);
  else
    ::plain_c<<<1, 1>>>(q, 2.5);
  for (int i = 0; i < 2; ++i) plain_c<<<1, 1>>>(nullptr, i);
  kernel_pointer kernels[2] = {plain_c, &plain_c};
  kernels[1]<<<1, 1>>>(q, 3);
  (n ? plain_c : plain_c)<<<1, 1>>>(q, 3);
  a::b::over<<<1, 1>>>(p);
  a::b::over<<<1, 1>>>(q);
  a::b::bounded<<<[&] { return dim3(n); }(), [](int a) { return a >> 1; }(64)>>>(q);
  a::b::clustered<<<2, 32>>>(q);
  pack<1, 2, 3><<<1, 1>>>(q);
  partial<float><<<1, 1>>>(q);
  partial<float, int><<<1, 1>>>(q);
  functor<<<1, 1>>>([=] __device__(int i) { q[i] = i; }, 3);
  constrained<<<1, 1>>>(p);
  local_kernel<<<1, 1>>>(P(1.5f), 1'000);
  with_grid_constant<<<1, 1>>>(Plain{1, 2}, q);
  Dispatch<float>().template run<4>(p);
  const char* text = "k<<<1, 2>>>(3) __shared__";
  const char* raw = R"x(k<<<1,2>>>(" )")x";
  (void)text;
  (void)raw;
  cudaMemcpyToSymbol(coefficients, p, 16);
  cudaMemcpyToSymbol(fixed, p, 8);
  auto s = static_cast<int>(n << 1);
  (void)s;
}
