// cuda_bf16.h: conversions against a table of all bfloat16 numbers, and each function against the same in float or double.
#include <cuda_bf16.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <vector>

using bf16 = __nv_bfloat16;
using bf162 = __nv_bfloat162;

__device__ __host__ inline bool same(float a, float b) { return a == b || (a != a && b != b); }
#define T(condition) (wrong += !(condition))

__device__ __host__ int check() {
  int wrong = 0;
  const bf16 a = 1.5f, b = -0.25f, c = 3.0f, nan = __ushort_as_bfloat16(0x7fc0);
  const bf162 p(a, b), q(c, a);
  T(float(a + b) == 1.25f && float(a - b) == 1.75f && float(a * b) == -0.375f && float(a / b) == -6.0f);
  T(same(__hadd_rn(a, b), 1.25f) && same(__hsub(a, b), 1.75f) && same(__hsub_rn(a, b), 1.75f));
  T(same(__hmul(a, c), 4.5f) && same(__hmul_rn(a, c), 4.5f) && same(__hdiv(c, a), 2.0f));
  T(same(__hadd_sat(a, a), 1.0f) && same(__hsub_sat(b, a), 0.0f) && same(__hmul_sat(a, b), 0.0f) && same(__hadd_sat(nan, a), 0.0f));
  T(same(__hneg(a), -1.5f) && same(__habs(b), 0.25f) && same(-b, 0.25f) && same(+a, 1.5f));
  bf16 m = a;
  m += c; m -= b; m *= c; m /= a; ++m; --m;
  T(float(m) == 9.5f);
  const bf162 s = __hadd2(p, q), d = __hsub2(p, q), f = __hmul2(p, q), e = __h2div(q, p), g = p + q, h = p * q;
  T(same(s.x, 4.5f) && same(s.y, 1.25f) && same(d.x, -1.5f) && same(f.y, -0.375f) && same(e.y, -6.0f) && g == s && h == f);
  T(__hbeq2(__hneg2(p), -p) && same(__habs2(p).y, 0.25f));
  T(__hbeq2(__hadd2_rn(p, q), s) && __hbeq2(__hsub2_rn(p, q), d) && __hbeq2(__hmul2_rn(p, q), f));

  T(__heq(a, a) && __hne(a, b) && __hlt(b, a) && __hle(a, a) && __hgt(a, b) && __hge(a, a));
  T(!__heq(nan, nan) && !__hne(nan, a) && __hequ(nan, a) && __hneu(nan, a) && __hltu(nan, a) && __hleu(nan, a) && __hgtu(nan, a) && __hgeu(a, nan));
  T(same(__heq2(p, p).x, 1) && same(__hne2(p, p).x, 0) && same(__hlt2(p, q).y, 1) && same(__hle2(p, q).x, 1) && same(__hgt2(p, q).x, 0) && same(__hge2(p, q).y, 0));
  const bf162 half_nan(a, nan);
  T(same(__hequ2(half_nan, p).y, 1) && same(__heq2(half_nan, p).y, 0) && __heq2_mask(half_nan, p) == 0xffffu && __hequ2_mask(half_nan, p) == 0xffffffffu);
  T(__hlt2_mask(p, q) == 0xffffffffu && __hgtu2_mask(p, q) == 0 && __hneu2_mask(half_nan, p) == 0xffff0000u && __hbequ2(half_nan, p) && !__hbgtu2(p, q));
  T(!__hbne2(p, bf162(c, b)) && __hbne2(p, q) && __hblt2(p, q) && __hble2(p, q) && __hbgt2(q, p) && __hbge2(q, p) && p < q && p != q && q >= p);
  T(__hisnan(nan) && same(__hisnan2(bf162(nan, a)).x, 1) && __hisinf(__ushort_as_bfloat16(0xff80)) == -1);
  T(same(__hmax(a, b), 1.5f) && same(__hmin(a, nan), 1.5f) && __hisnan(__hmax_nan(a, nan)) && __hisnan(__hmin_nan(nan, a)));
  T(same(__hmax2(p, q).x, 3) && same(__hmin2(p, q).y, -0.25f) && __bfloat16_as_ushort(__hmax(bf16(0.0f), bf16(-0.0))) == 0);
  T(__hisnan(__hmax2_nan(half_nan, p).y) && same(__hmin2_nan(p, q).x, 1.5f));

  T(same(__low2bfloat16(p), 1.5f) && same(__high2bfloat16(p), -0.25f) && same(__low2bfloat162(p).y, 1.5f) && same(__high2bfloat162(p).x, -0.25f));
  T(same(__lowhigh2highlow(p).x, -0.25f) && same(__lows2bfloat162(p, q).y, 3) && same(__highs2bfloat162(p, q).y, 1.5f));
  T(same(__bfloat162bfloat162(a).y, 1.5f) && same(make_bfloat162(a, b).y, -0.25f) && __bfloat1622float2(p).y == -0.25f && same(__float22bfloat162_rn(make_float2(2, 4)).y, 4));
  T(same(__halves2bfloat162(a, b).y, -0.25f) && __low2float(p) == 1.5f && __high2float(p) == -0.25f);
  T(__bfloat16_as_short(b) < 0 && same(__short_as_bfloat16(0x3f80), 1) && same(bf16(__float2half(2.5f)), 2.5f));
  T(same(__double2bfloat16(0.1), 0.10009765625f) && same(__float2bfloat16_rd(0.1f), 0.099609375f) && same(__float2bfloat16_ru(0.1f), 0.10009765625f));
  T(same(__uint2bfloat16_rn(7u), 7) && same(__short2bfloat16_rn(short(-3)), -3) && same(__ushort2bfloat16_rn((unsigned short)9), 9));
  const bf16 x = -2.5f;
  T(__bfloat162int_rz(x) == -2 && __bfloat162ull_rz(c) == 3 && same(__ll2bfloat16_rn(-3), -3) && same(__int2bfloat16_rn(257), 256));
  T(__bfloat162char_rz(x) == -2 && __bfloat162uchar_rz(c) == 3 && int(x) == -2);
  return wrong;
}

__global__ void functions_of_the_device(int* result) {
  int wrong = check();
  const bf16 a = 1.5f, b = -0.25f, c = 3.0f, x = -2.5f;
  const bf162 p(a, b), q(c, a), s = __hadd2(p, q), h = p * q;
  T(same(__hfma_sat(a, b, b), 0.0f) && same(__hfma(a, a, b), 2.0f));
  T(__hbeq2(__hfma2(p, q, s), h + s) && __hbeq2(__hadd2_sat(p, q), __floats2bfloat162_rn(1, 1)));
  T(__hbeq2(__hsub2_sat(p, q), __float2bfloat162_rn(0)) && same(__hmul2_sat(p, q).y, 0) && same(__hfma2_sat(p, q, p).x, 1.0f));
  T(same(__int2bfloat16_rz(257), 256) && same(__int2bfloat16_ru(257), 258) && same(__int2bfloat16_rd(-257), -258) && same(__int2bfloat16_rn(257), 256));
  T(same(__ll2bfloat16_rn(0x4040000000000001ll), 0x1.02p62f) && same(__ull2bfloat16_rz(~0ull), 0x1.fep63f) && same(__ull2bfloat16_ru(~0ull), 0x1p64f));
  T(__bfloat162int_rn(x) == -2 && __bfloat162int_rz(x) == -2 && __bfloat162int_rd(x) == -3 && __bfloat162int_ru(x) == -2);
  T(__bfloat162uint_rz(c) == 3u && __bfloat162uint_rn(x) == 0u && __bfloat162short_rz(x) == -2 && __bfloat162ushort_rn(c) == 3 && __bfloat162ll_rd(x) == -3 && __bfloat162ull_ru(c) == 3);
  T(same(__hfma_relu(a, b, b), 0.0f) && same(__hfma_relu(a, a, b), 2.0f) && same(__hfma2_relu(p, q, p).y, 0.0f));
  const bf162 product = __hcmadd(p, q, p);  // (1.5 - 0.25i)(3 + 1.5i) + (1.5 - 0.25i)
  T(same(product.x, 6.375f) && same(product.y, 1.25f));
  T(same(hsqrt(bf16(9.0f)), 3) && same(hrsqrt(bf16(4.0f)), 0.5f) && same(hrcp(bf16(4.0f)), 0.25f) && same(hexp(bf16(0.0f)), 1) && same(hexp2(c), 8));
  T(same(hexp10(bf16(2.0f)), 100) && same(hlog(bf16(1.0f)), 0) && same(hlog2(bf16(8.0f)), 3) && same(hlog10(bf16(100.0f)), 2));
  T(same(hsin(bf16(0.0f)), 0) && same(hcos(bf16(0.0f)), 1) && same(htanh(bf16(0.0f)), 0));
  T(same(hceil(x), -2) && same(hfloor(x), -3) && same(htrunc(x), -2) && same(hrint(x), -2));
  T(same(h2sqrt(bf162(bf16(4.0f), bf16(16.0f))).y, 4) && same(h2floor(bf162(x, a)).y, 1) && same(h2exp(bf162(b - b, a)).x, 1));
  *result = wrong;
}

__global__ void baxpy(int n, bf16 a, const bf16* x, bf16* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bf162* x2 = reinterpret_cast<const bf162*>(x);
  bf162* y2 = reinterpret_cast<bf162*>(y);
  if (i < n / 2) y2[i] = __hfma2(__bfloat162bfloat162(a), __ldg(&x2[i]), y2[i]);
  if (i == 0 && n % 2 == 1) y[n - 1] = __hfma(a, x[n - 1], y[n - 1]);
}

__global__ void sum(const bf16* x, bf16* total, bf162* pairs) {
  bf16 mine = x[threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_down_sync(0xffffffff, mine, offset);
  const bf162 other = __shfl_xor_sync(0xffffffff, bf162(mine, mine), 1);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(total, mine);
    atomicAdd(pairs, __floats2bfloat162_rn(float(other.x) < 1e9f ? 1.0f : 0.0f, -1.0f));
  }
}

int main() {
  int wrong = 0;
  // All that are not negative, in order: their bits count them.
  std::vector<double> values;
  for (int bits = 0; bits < 0x7f80; ++bits) values.push_back(__bfloat162float(__ushort_as_bfloat16(bits)));
  wrong += !std::is_sorted(values.begin(), values.end()) || values[1] != 0x1p-133 || values[0x3f80] != 1.0 || values.back() != 0x1.fep127;
  for (int bits = 0; bits < 0x7f7f; ++bits) {
    const double middle = (values[bits] + values[bits + 1]) / 2;
    const int even = bits % 2 == 0 ? bits : bits + 1;
    wrong += __bfloat16_as_ushort(__double2bfloat16(middle)) != even || __bfloat16_as_ushort(__double2bfloat16(-middle)) != (even | 0x8000);
    wrong += __bfloat16_as_ushort(__double2bfloat16(std::nextafter(middle, 0.0))) != bits;
    wrong += __bfloat16_as_ushort(__double2bfloat16(std::nextafter(middle, 1e39))) != bits + 1;
    const float single = static_cast<float>(middle);
    if (single != middle) continue;  // below the smallest normal float
    wrong += __bfloat16_as_ushort(__float2bfloat16(single)) != even || __bfloat16_as_ushort(__float2bfloat16_rz(single)) != bits;
    wrong += __bfloat16_as_ushort(__float2bfloat16_ru(single)) != bits + 1 || __bfloat16_as_ushort(__float2bfloat16_rd(-single)) != ((bits + 1) | 0x8000);
    wrong += __bfloat16_as_ushort(__float2bfloat16_rn(std::nextafter(single, 0.0f))) != bits;
    wrong += __bfloat16_as_ushort(__float2bfloat16_rn(std::nextafter(single, INFINITY))) != bits + 1;
  }
  wrong += __bfloat16_as_ushort(bf16(3.4e38f)) != 0x7f80 || __bfloat16_as_ushort(__float2bfloat16_rz(3.4e38f)) != 0x7f7f;
  wrong += __bfloat16_as_ushort(bf16(std::nanf(""))) != 0x7fff || __bfloat16_as_ushort(bf16(-0.0f)) != 0x8000;
  wrong += check();

  const int n = 1001;
  bf16 *x, *y, *total;
  bf162* pairs;
  int* found;
  cudaMallocManaged(&x, n * sizeof(bf16));
  cudaMallocManaged(&y, n * sizeof(bf16));
  cudaMallocManaged(&total, sizeof(bf16));
  cudaMallocManaged(&pairs, sizeof(bf162));
  cudaMallocManaged(&found, sizeof(int));
  for (int i = 0; i < n; ++i) {
    x[i] = __float2bfloat16(0.5f * (i % 32));
    y[i] = __int2bfloat16_rn(i % 7);
  }
  *total = 0.0f;
  *pairs = bf162(bf16(0.0f), bf16(0.0f));
  functions_of_the_device<<<1, 1>>>(found);
  baxpy<<<8, 64>>>(n, __float2bfloat16(2.0f), x, y);
  sum<<<1, 64>>>(x, total, pairs);
  cudaDeviceSynchronize();
  wrong += *found;
  for (int i = 0; i < n; ++i) wrong += float(y[i]) != (i % 32) + i % 7;
  wrong += float(*total) != 496.0f || float(pairs->x) != 2.0f || float(pairs->y) != -2.0f;
  std::printf("%d wrong, sum %g\n", wrong, float(*total));
  for (void* buffer : {(void*)x, (void*)y, (void*)total, (void*)pairs, (void*)found}) cudaFree(buffer);
  return wrong != 0;
}
