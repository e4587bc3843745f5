// Interval arithmetic: sums, products, quotients and roots rounded down and up enclose the exact result, tightly.
#include <cmath>
#include <cstdio>

template <typename T>
struct Interval {
  T low, high;
};

template <typename T>
struct Rounded;
template <>
struct Rounded<float> {
  static __device__ float add_down(float a, float b) { return __fadd_rd(a, b); }
  static __device__ float add_up(float a, float b) { return __fadd_ru(a, b); }
  static __device__ float mul_down(float a, float b) { return __fmul_rd(a, b); }
  static __device__ float mul_up(float a, float b) { return __fmul_ru(a, b); }
  static __device__ float div_down(float a, float b) { return __fdiv_rd(a, b); }
  static __device__ float div_up(float a, float b) { return __fdiv_ru(a, b); }
  static __device__ float sqrt_down(float a) { return __fsqrt_rd(a); }
  static __device__ float sqrt_up(float a) { return __fsqrt_ru(a); }
};
template <>
struct Rounded<double> {
  static __device__ double add_down(double a, double b) { return __dadd_rd(a, b); }
  static __device__ double add_up(double a, double b) { return __dadd_ru(a, b); }
  static __device__ double mul_down(double a, double b) { return __dmul_rd(a, b); }
  static __device__ double mul_up(double a, double b) { return __dmul_ru(a, b); }
  static __device__ double div_down(double a, double b) { return __ddiv_rd(a, b); }
  static __device__ double div_up(double a, double b) { return __ddiv_ru(a, b); }
  static __device__ double sqrt_down(double a) { return __dsqrt_rd(a); }
  static __device__ double sqrt_up(double a) { return __dsqrt_ru(a); }
};

/// The sum of 1 / k for k = 1 ... 32 and the square root of it, as intervals.
template <typename T>
__global__ void harmonic(Interval<T>* sum, Interval<T>* root) {
  using R = Rounded<T>;
  Interval<T> s = {0, 0};
  for (int k = 1; k <= 32; ++k) {
    s.low = R::add_down(s.low, R::div_down(1, T(k)));
    s.high = R::add_up(s.high, R::div_up(1, T(k)));
  }
  *sum = s;
  *root = {R::sqrt_down(s.low), R::sqrt_up(s.high)};
}

/// One operation each, in three directions: down, up, towards zero.
__global__ void directions(float x, float y, float results[9][3], double wide, long long whole, float conversions[3][3]) {
  const float all[9][3] = {{__fadd_rd(x, y), __fadd_ru(x, y), __fadd_rz(x, y)},
                           {__fsub_rd(x, y), __fsub_ru(x, y), __fsub_rz(x, y)},
                           {__fmul_rd(x, y), __fmul_ru(x, y), __fmul_rz(x, y)},
                           {__fdiv_rd(x, y), __fdiv_ru(x, y), __fdiv_rz(x, y)},
                           {__frcp_rd(y), __frcp_ru(y), __frcp_rz(y)},
                           {__fmaf_rd(x, x, y), __fmaf_ru(x, x, y), __fmaf_rz(x, x, y)},
                           {float(__dsub_rd(x, y)), float(__dsub_ru(x, y)), float(__dsub_rz(x, y))},
                           {float(__drcp_rd(0.5)), float(__drcp_ru(0.5)), float(__drcp_rz(0.5))},
                           {float(__fma_rd(x, 2, y)), float(__fma_ru(x, 2, y)), float(__fma_rz(x, 2, y))}};
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 3; ++j) results[i][j] = all[i][j];
  const float converted[3][3] = {{__double2float_rd(wide), __double2float_ru(wide), __double2float_rz(wide)},
                                 {__ll2float_rd(whole), __ll2float_ru(whole), __ll2float_rz(whole)},
                                 {__int2float_rd(int(-whole)), __int2float_ru(int(-whole)), __int2float_rz(int(-whole))}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) conversions[i][j] = converted[i][j];
}

template <typename T>
bool encloses(const char* what) {
  Interval<T>*sum, *root;
  cudaMallocManaged(&sum, sizeof *sum);
  cudaMallocManaged(&root, sizeof *root);
  harmonic<T><<<1, 1>>>(sum, root);
  cudaDeviceSynchronize();
  long double exact = 0;
  for (int k = 32; k > 0; --k) exact += 1.0L / k;
  const bool right = sum->low < exact && exact < sum->high && root->low < sqrtl(exact) && sqrtl(exact) < root->high &&
                     sum->high - sum->low < 64 * (std::nextafter(sum->low, T(9)) - sum->low);
  std::printf("%s: the sum lies in [%.17g, %.17g]\n", what, double(sum->low), double(sum->high));
  cudaFree(sum);
  cudaFree(root);
  return right;
}

/// Whether the three results are the neighbours of `exact`, or `exact` itself.
bool neighbours(const float* results, double exact) {
  const float down = double(float(exact)) > exact ? std::nextafterf(float(exact), -INFINITY) : float(exact);
  const float up = double(float(exact)) < exact ? std::nextafterf(float(exact), INFINITY) : float(exact);
  return results[0] == down && results[1] == up && results[2] == (exact < 0 ? up : down);
}

int main() {
  float(*results)[3], (*conversions)[3];
  cudaMallocManaged(&results, 9 * sizeof *results);
  cudaMallocManaged(&conversions, 3 * sizeof *conversions);
  bool right = true;
  const float pairs[][2] = {{0.1f, 0.3f}, {-7.7f, 3.3f}, {1e-3f, -3e5f}, {16777216.0f, 1.5f}};
  for (const auto& [x, y] : pairs) {
    const double a = x, b = y, wide = 1.0 + a * 1e-9;
    const long long whole = 123456789;
    directions<<<1, 1>>>(x, y, results, wide, whole, conversions);
    cudaDeviceSynchronize();
    right = right && neighbours(results[0], a + b) && neighbours(results[1], a - b) && neighbours(results[2], a * b) &&
            neighbours(results[3], a / b) && neighbours(results[4], 1 / b) && neighbours(results[5], a * a + b);
    right = right && results[7][0] == 2 && results[7][1] == 2 && results[7][2] == 2;
    right = right && neighbours(conversions[0], wide) && neighbours(conversions[1], double(whole)) &&
            neighbours(conversions[2], -double(whole));
  }
  right = encloses<float>("float") && right;
  right = encloses<double>("double") && right;
  cudaFree(results);
  cudaFree(conversions);
  std::printf("%s\n", right ? "All results are the nearest below and above." : "A result is wrong.");
  return right ? 0 : 1;
}
