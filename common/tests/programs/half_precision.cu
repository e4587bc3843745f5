// cuda_fp16.h: conversions against a table of all halves, arithmetic, pairs, atomics and shuffles.
#include <cuda_fp16.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void haxpy(int n, half a, const half *x, half *y) {
  const int start = threadIdx.x + blockDim.x * blockIdx.x;
  const int stride = blockDim.x * gridDim.x;
  int n2 = n / 2;
  const half2 *x2 = (const half2 *)x;
  half2 *y2 = (half2 *)y;
  for (int i = start; i < n2; i += stride) y2[i] = __hfma2(__halves2half2(a, a), x2[i], y2[i]);
  if (start == 0 && (n % 2)) y[n - 1] = __hfma(a, x[n - 1], y[n - 1]);
}

__global__ void sum_halves(const half *x, int n, half *sum, half2 *pairs) {
  half v = threadIdx.x < n ? x[threadIdx.x] : __float2half(0.0f);
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(sum, v);
    atomicAdd(pairs, __floats2half2_rn(1.0f, -1.0f));
  }
}

/// The halves as a sorted table of numbers, and rounding by searching it.
struct Table {
  std::vector<double> values;
  Table() {
    for (int bits = 0; bits < 0x7c00; ++bits) values.push_back(__half2float(__ushort_as_half(bits)));
  }
  unsigned short nearest(double magnitude) const {
    const auto above = std::lower_bound(values.begin(), values.end(), magnitude);
    if (above == values.end()) return magnitude < 65520.0 ? 0x7bff : 0x7c00;
    const auto index = static_cast<unsigned short>(above - values.begin());
    if (*above == magnitude) return index;
    const double up = *above - magnitude, down = magnitude - values[index - 1];
    if (up == down) return index % 2 == 0 ? index : index - 1;
    return up < down ? index : index - 1;
  }
};

// What is for device code alone.
__global__ void fused(int* wrong) {
  // A sum that two roundings would get wrong: 1 + 2^-11 + 2^-30 lies above the tie.
  *wrong = __half_as_ushort(__hfma(__float2half(0x1p-15f), __float2half(0x1p-15f), __float2half(1.0f))) != 0x3c00;
  *wrong += float(__hfma(half(1 + 0x1p-10), half(1 + 0x1p-10), half(-1))) != float(half(0x1p-9 + 0x1p-20));
  *wrong += float(hsqrt(half(2.25f))) != 1.5f || __half2int_rd(half(-0.5f)) != -1;
}

int main() {
  int wrong = 0;
  const Table table;
  wrong += !std::is_sorted(table.values.begin(), table.values.end()) || table.values[1] != 0x1p-24 ||
           table.values[0x3c00] != 1.0 || table.values.back() != 65504.0;
  unsigned random = 12345;
  for (int i = 0; i < 200000; ++i) {
    random = random * 1664525u + 1013904223u;
    const float value = std::bit_cast<float>(0x31000000u + random % 0x17000000u); // 2^-29 to beyond 2^16
    wrong += __half_as_ushort(__float2half(value)) != table.nearest(value);
    wrong += __half_as_ushort(__float2half(-value)) != (table.nearest(value) | 0x8000);
  }
  wrong += __half_as_ushort(half(0.0f)) != 0 || __half_as_ushort(half(-0.0)) != 0x8000;
  for (int bits = 0; bits < 0x7c00; ++bits) { // between two halves, ties and just beside
    const double low = table.values[bits], high = bits + 1 < 0x7c00 ? table.values[bits + 1] : 65536.0;
    const float middle = static_cast<float>((low + high) / 2);
    for (const float value : {middle, std::nextafter(middle, 0.0f), std::nextafter(middle, 1e9f)})
      wrong += __half_as_ushort(__float2half_rn(value)) != table.nearest(value);
    wrong += __half_as_ushort(__float2half_rz(middle)) != bits;
    wrong += __half_as_ushort(__float2half_ru(middle)) != bits + 1;
  }
  wrong += !__hisnan(half(0.0f) / half(0.0f)) || __hisinf(half(1.0f) / half(0.0f)) != 1;
  wrong += float(__hmax(__ushort_as_half(0x7e00), half(2.0f))) != 2.0f || int(half(-2.75f)) != -2;
  wrong += !(half(1.5f) < half(2.0f));

  int *d_wrong, wrong_on_device = -1;
  cudaMalloc(&d_wrong, sizeof(int));
  fused<<<1, 1>>>(d_wrong);
  cudaMemcpy(&wrong_on_device, d_wrong, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_wrong);
  wrong += wrong_on_device;

  const int n = 1001;
  std::vector<half> x(n), y(n);
  for (int i = 0; i < n; i++) {
    x[i] = __float2half(0.5f * (i % 32));
    y[i] = __int2half_rn(i % 7);
  }
  half *d_x, *d_y, *d_sum;
  half2 *d_pairs;
  cudaMalloc(&d_x, n * sizeof(half));
  cudaMalloc(&d_y, n * sizeof(half));
  cudaMalloc(&d_sum, sizeof(half));
  cudaMalloc(&d_pairs, sizeof(half2));
  cudaMemcpy(d_x, x.data(), n * sizeof(half), cudaMemcpyHostToDevice);
  cudaMemcpy(d_y, y.data(), n * sizeof(half), cudaMemcpyHostToDevice);
  haxpy<<<4, 64>>>(n, __float2half(2.0f), d_x, d_y);
  cudaMemset(d_sum, 0, sizeof(half));
  cudaMemset(d_pairs, 0, sizeof(half2));
  sum_halves<<<1, 64>>>(d_x, 64, d_sum, d_pairs);
  half sum;
  half2 pairs;
  std::vector<half> result(n);
  cudaMemcpy(result.data(), d_y, n * sizeof(half), cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
  cudaMemcpy(&pairs, d_pairs, sizeof pairs, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++) wrong += __half2float(result[i]) != (i % 32) + i % 7;
  wrong += float(sum) != 496.0f || __low2float(pairs) != 2.0f || __high2float(pairs) != -2.0f;
  std::printf("%d wrong, sum %g\n", wrong, float(sum));
  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_sum);
  cudaFree(d_pairs);
  return wrong != 0;
}
