// Every function of cuda_fp16.h that the simulator has, against the same thing in float or double.
#include <cuda_fp16.h>
#include <cmath>
#include <cstdio>

__device__ __host__ inline bool same(float a, float b) { return a == b || (a != a && b != b); }
#define T(condition) (wrong += !(condition))

__device__ __host__ int check() {
  int wrong = 0;
  const half a = 1.5f, b = -0.25f, c = 3.0f, nan = __ushort_as_half(0x7e00);
  const half2 p(a, b), q(c, a);
  T(float(a + b) == 1.25f && float(a - b) == 1.75f && float(a * b) == -0.375f && float(a / b) == -6.0f);
  T(same(__hadd_rn(a, b), 1.25f) && same(__hsub(a, b), 1.75f) && same(__hsub_rn(a, b), 1.75f));
  T(same(__hmul(a, c), 4.5f) && same(__hmul_rn(a, c), 4.5f) && same(__hdiv(c, a), 2.0f));
  T(same(__hadd_sat(a, a), 1.0f) && same(__hsub_sat(b, a), 0.0f) && same(__hmul_sat(a, b), 0.0f) && same(__hadd_sat(nan, a), 0.0f));
  T(same(__hneg(a), -1.5f) && same(__habs(b), 0.25f) && same(-b, 0.25f) && same(+a, 1.5f));
  half m = a;
  m += c; m -= b; m *= c; m /= a; ++m; --m;
  T(float(m) == 9.5f);
  const half2 s = __hadd2(p, q), d = __hsub2(p, q), f = __hmul2(p, q), e = __h2div(q, p), g = p + q, h = p * q;
  T(same(s.x, 4.5f) && same(s.y, 1.25f) && same(d.x, -1.5f) && same(f.y, -0.375f) && same(e.y, -6.0f) && g == s && h == f);
  T(__hbeq2(__hadd2_rn(p, q), s) && __hbeq2(__hsub2_rn(p, q), d) && __hbeq2(__hmul2_rn(p, q), f));

  T(__heq(a, a) && __hne(a, b) && __hlt(b, a) && __hle(a, a) && __hgt(a, b) && __hge(a, a));
  T(!__heq(nan, nan) && !__hne(nan, a) && __hequ(nan, a) && __hneu(nan, a) && __hltu(nan, a) && __hleu(nan, a) && __hgtu(nan, a) && __hgeu(a, nan));
  T(same(__heq2(p, p).x, 1) && same(__hne2(p, p).x, 0) && same(__hlt2(p, q).y, 1) && same(__hle2(p, q).x, 1) && same(__hgt2(p, q).x, 0) && same(__hge2(p, q).y, 0));
  T(!__hbne2(p, half2(c, b)) && __hbne2(p, q) && __hblt2(p, q) && __hble2(p, q) && __hbgt2(q, p) && __hbge2(q, p));
  const half2 half_nan(a, nan);
  T(same(__hequ2(half_nan, p).y, 1) && same(__heq2(half_nan, p).y, 0) && __heq2_mask(half_nan, p) == 0xffffu && __hneu2_mask(half_nan, p) == 0xffff0000u);
  T(__hbequ2(half_nan, p) && !__hbgtu2(p, q) && p < q && p != q && q >= p && __hisnan(__hmax2_nan(half_nan, p).y) && same(__hmin2_nan(p, q).x, 1.5f));
  T(__half2char_rz(half(-2.5f)) == -2 && __half2uchar_rz(c) == 3);
  T(__hisnan(nan) && same(__hisnan2(half2(nan, a)).x, 1) && __hisinf(__ushort_as_half(0xfc00)) == -1);
  T(same(__hmax(a, b), 1.5f) && same(__hmin(a, nan), 1.5f) && __hisnan(__hmax_nan(a, nan)) && __hisnan(__hmin_nan(nan, a)));
  T(same(__hmax2(p, q).x, 3) && same(__hmin2(p, q).y, -0.25f) && __half_as_ushort(__hmax(half(0.0f), half(-0.0))) == 0);

  T(same(__low2half(p), 1.5f) && same(__high2half(p), -0.25f) && same(__low2half2(p).y, 1.5f) && same(__high2half2(p).x, -0.25f));
  T(same(__lowhigh2highlow(p).x, -0.25f) && same(__lows2half2(p, q).y, 3) && same(__highs2half2(p, q).y, 1.5f));
  T(same(__half2half2(a).y, 1.5f) && same(make_half2(a, b).y, -0.25f) && __half22float2(p).y == -0.25f && same(__float22half2_rn(make_float2(2, 4)).y, 4));
  T(__half_as_short(b) < 0 && same(__short_as_half(0x3c00), 1));
  T(same(__double2half(0.1), 0.0999755859375f) && same(__float2half_rd(0.1f), 0.0999755859375f) && same(__float2half_ru(0.1f), 0.10003662109375f));
  T(same(__int2half_rz(2049), 2048) && same(__int2half_ru(2049), 2050) && same(__int2half_rd(-2049), -2050));
  T(same(__uint2half_rn(7u), 7) && same(__uint2half_rz(7u), 7) && same(__short2half_rn(short(-3)), -3) && same(__ushort2half_rn((unsigned short)9), 9));
  const half x = -2.5f;
#ifdef __CUDA_ARCH__ // for device code alone
  T(same(__hfma_sat(a, b, b), 0.0f) && same(__hfma_relu(a, b, b), 0.0f) && same(__hfma_relu(a, a, b), 2.0f));
  T(__hbeq2(__hfma2(p, q, s), h + s) && __hbeq2(__hadd2_sat(p, q), __floats2half2_rn(1, 1)));
  T(__hbeq2(__hsub2_sat(p, q), __float2half2_rn(0)) && same(__hmul2_sat(p, q).y, 0) && same(__hfma2_sat(p, q, p).x, 1.0f));
  T(same(__hfma2_relu(p, q, p).y, 0.0f) && __hbeq2(__hneg2(p), -p) && same(__habs2(p).y, 0.25f));
  T(__half2int_rn(x) == -2 && __half2int_rz(x) == -2 && __half2int_rd(x) == -3 && __half2int_ru(x) == -2);
  T(__half2uint_rz(c) == 3u && __half2uint_rn(x) == 0u && __half2short_rz(x) == -2 && __half2ushort_rn(c) == 3 && __half2ll_rd(x) == -3 && __half2ull_ru(c) == 3);
  T(same(hsqrt(half(9.0f)), 3) && same(hrsqrt(half(4.0f)), 0.5f) && same(hrcp(half(4.0f)), 0.25f) && same(hexp(half(0.0f)), 1) && same(hexp2(c), 8));
  T(same(hexp10(half(2.0f)), 100) && same(hlog(half(1.0f)), 0) && same(hlog2(half(8.0f)), 3) && same(hlog10(half(100.0f)), 2));
  T(same(hsin(half(0.0f)), 0) && same(hcos(half(0.0f)), 1) && same(htanh(half(0.0f)), 0));
  T(same(hceil(x), -2) && same(hfloor(x), -3) && same(htrunc(x), -2) && same(hrint(x), -2));
  T(same(h2sqrt(half2(half(4.0f), half(16.0f))).y, 4) && same(h2floor(half2(x, a)).y, 1) && same(h2exp(half2(b - b, a)).x, 1));
#endif
  return wrong;
}

__global__ void run(int* result) {
  int wrong = check();
  const half2 product = __hcmadd(half2(1.5f, -0.25f), half2(3.0f, 1.5f), half2(1.5f, -0.25f));
  T(same(product.x, 6.375f) && same(product.y, 1.25f));
  T(same(__ll2half_rn(2049), 2048) && same(__ull2half_ru(2049ull), 2050));
  *result = wrong;
}

__global__ void exchange(half2* pairs, half* sum) {
  half2 mine(half(float(threadIdx.x)), half(1.0f));
  mine = __hadd2(mine, __shfl_xor_sync(0xffffffff, mine, 1));
  mine = __hadd2(mine, __shfl_up_sync(0xffffffff, mine, 2, 4));
  pairs[threadIdx.x] = __shfl_sync(0xffffffff, mine, threadIdx.x);
  const half first = __shfl_sync(0xffffffff, half(2.5f), 0);
  if (threadIdx.x == 0) *sum = first + __shfl_down_sync(1, first, 0);
}

int main() {
  int* wrong;
  half2* pairs;
  half* sum;
  cudaMallocManaged(&wrong, sizeof(int));
  cudaMallocManaged(&pairs, 32 * sizeof(half2));
  cudaMallocManaged(&sum, sizeof(half));
  run<<<1, 1>>>(wrong);
  exchange<<<1, 32>>>(pairs, sum);
  if (cudaDeviceSynchronize() != cudaSuccess) return 100;
  const int host = check();
  const bool exchanged = float(pairs[0].x) == 2 && float(pairs[2].x) == 5 + 1 && float(*sum) == 5;
  printf("%d and %d wrong, pairs %s\n", *wrong, host, exchanged ? "right" : "wrong");
  const int status = *wrong + host + !exchanged;
  cudaFree(wrong);
  cudaFree(pairs);
  cudaFree(sum);
  return status;
}
