// Functions of statistics and physics that CUDA has beyond C: inverse error functions, norms, Bessel functions.
#include <cmath>
#include <cstdio>

constexpr int count = 41;

struct Results {
  double there_and_back, complement, scaled, bessel0, bessel1;
  float single, single_complement;
};

__global__ void evaluate(Results* results) {
  const int i = threadIdx.x;
  if (i >= count) return;
  const double x = (i - count / 2) * 0.2; // -4 ... 4
  Results r;
  r.there_and_back = erfinv(erf(x));
  r.complement = erfcinv(erfc(x));
  r.scaled = erfcx(x + 4) / (exp((x + 4) * (x + 4)) * erfc(x + 4));
  r.bessel0 = cyl_bessel_i0(x);
  r.bessel1 = cyl_bessel_i1(x);
  r.single = erfinvf(0.75f);
  r.single_complement = erfcinvf(0.25f);
  results[i] = r;
}

__global__ void norms(const double* numbers, double* results) {
  results[0] = norm(4, numbers);
  results[1] = rnorm(4, numbers);
  results[2] = norm4d(numbers[0], numbers[1], numbers[2], numbers[3]);
  results[3] = rnorm3d(numbers[0], numbers[1], numbers[2]);
  results[4] = rnorm4df(1, 2, 2, 4);
}

bool near(double value, double expected, double tolerance) { return std::fabs(value - expected) <= tolerance * (1 + std::fabs(expected)); }

int main() {
  Results* results;
  double *numbers, *lengths;
  cudaMallocManaged(&results, count * sizeof(Results));
  cudaMallocManaged(&numbers, 4 * sizeof(double));
  cudaMallocManaged(&lengths, 5 * sizeof(double));
  evaluate<<<1, 64>>>(results);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    const double x = (i - count / 2) * 0.2;
    // The series of I0 and I1, summed from the smallest term.
    double first = 0, second = 0;
    for (int k = 40; k >= 0; --k) {
      first += std::exp(k * std::log(x * x / 4 + 1e-300) - 2 * std::lgamma(k + 1.0));
      second += std::exp(k * std::log(x * x / 4 + 1e-300) - std::lgamma(k + 1.0) - std::lgamma(k + 2.0));
    }
    if (std::fabs(x) < 2.5) wrong += !near(results[i].there_and_back, x, 1e-12);
    if (x > -2.5) wrong += !near(results[i].complement, x, 1e-9);
    wrong += !near(results[i].scaled, 1, 1e-12) || !near(results[i].bessel0, first, 1e-12) || !near(results[i].bessel1, x / 2 * second, 1e-12);
    wrong += !near(results[i].single, 0.8134198f, 1e-6) || !near(results[i].single_complement, 0.8134198f, 1e-6);
  }
  const double given[4] = {1, 2, 2, 4};
  for (int i = 0; i < 4; ++i) numbers[i] = given[i];
  norms<<<1, 1>>>(numbers, lengths);
  cudaDeviceSynchronize();
  wrong += !near(lengths[0], 5, 1e-14) || !near(lengths[1], 0.2, 1e-14) || !near(lengths[2], 5, 1e-14) || !near(lengths[3], 1.0 / 3, 1e-14) ||
           !near(lengths[4], 0.2, 1e-6);
  std::printf("%d wrong results; erfinv(0.75) is %.6f\n", wrong, results[0].single);
  cudaFree(results);
  cudaFree(numbers);
  cudaFree(lengths);
  return wrong ? 1 : 0;
}
