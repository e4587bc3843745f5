// Quasirandom numbers: Sobol's sequences of 32 and 64 bits, plain and scrambled, in kernels and from the host API. They fill
// the unit cube evenly: of the first 2^k points each box that a dimension or a pair of the first two cuts into 2^k has one.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <curand.h>
#include <curand_kernel.h>
#include <helper_cuda.h>
#include <vector>

const int points = 256, dimensions = 2;

template <class State>
__global__ void draw(State* states, double* to) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  for (int d = 0; d < dimensions; ++d) {
    State state = states[d];
    skipahead(first * (points / all), &state);
    for (int i = 0; i < points / all; ++i)
      to[d * points + first * (points / all) + i] = curand_uniform_double(&state);
  }
}

__global__ void set_up(curandStateSobol32* plain, curandDirectionVectors32_t* plain_vectors,
                       curandStateScrambledSobol32* mixed, curandDirectionVectors32_t* mixed_vectors,
                       unsigned* constants) {
  const int d = threadIdx.x;
  curand_init(plain_vectors[d], 0, &plain[d]);
  curand_init(mixed_vectors[d], constants[d], 0, &mixed[d]);
}
__global__ void set_up(curandStateSobol64* plain, curandDirectionVectors64_t* plain_vectors,
                       curandStateScrambledSobol64* mixed, curandDirectionVectors64_t* mixed_vectors,
                       unsigned long long* constants) {
  const int d = threadIdx.x;
  curand_init(plain_vectors[d], 0ull, &plain[d]);
  curand_init(mixed_vectors[d], constants[d], 0ull, &mixed[d]);
}

/// The points that share a box, for boxes of all shapes that have one point each.
static int crowded(const double* x, const double* y) {
  int found = 0;
  for (int columns = 1; columns <= points; columns *= 2) {
    std::vector<int> boxes(points);
    const int rows = points / columns;
    for (int i = 0; i < points; ++i) {
      // 1 is in the last box: cuRAND's numbers are above 0 and may be 1.
      const int column = std::min(static_cast<int>(x[i] * columns), columns - 1);
      const int row = std::min(static_cast<int>(y[i] * rows), rows - 1);
      found += boxes[column * rows + row]++;
    }
  }
  return found;
}

template <class State, class Scrambled, class Vectors, class Word, class GetVectors, class GetConstants>
static int check(GetVectors get_vectors, GetConstants get_constants, curandDirectionVectorSet_t plain_set,
                 curandDirectionVectorSet_t mixed_set) {
  Vectors *vectors, *device_vectors, *device_mixed;
  Word *constants, *device_constants;
  State* states;
  Scrambled* mixed;
  double* numbers;
  checkCudaErrors(cudaMalloc(&device_vectors, dimensions * sizeof(Vectors)));
  checkCudaErrors(cudaMalloc(&device_mixed, dimensions * sizeof(Vectors)));
  checkCudaErrors(cudaMalloc(&device_constants, dimensions * sizeof(Word)));
  checkCudaErrors(cudaMalloc(&states, dimensions * sizeof(State)));
  checkCudaErrors(cudaMalloc(&mixed, dimensions * sizeof(Scrambled)));
  checkCudaErrors(cudaMallocManaged(&numbers, 2 * dimensions * points * sizeof(double)));
  if (get_vectors(&vectors, plain_set) != CURAND_STATUS_SUCCESS) return 1;
  checkCudaErrors(cudaMemcpy(device_vectors, vectors, dimensions * sizeof(Vectors), cudaMemcpyHostToDevice));
  if (get_vectors(&vectors, mixed_set) != CURAND_STATUS_SUCCESS) return 1;
  checkCudaErrors(cudaMemcpy(device_mixed, vectors, dimensions * sizeof(Vectors), cudaMemcpyHostToDevice));
  if (get_constants(&constants) != CURAND_STATUS_SUCCESS) return 1;
  checkCudaErrors(cudaMemcpy(device_constants, constants, dimensions * sizeof(Word), cudaMemcpyHostToDevice));
  set_up<<<1, dimensions>>>(states, device_vectors, mixed, device_mixed, device_constants);
  double* of_mixed = numbers + dimensions * points;
  draw<<<2, 16>>>(states, numbers);
  draw<<<1, 64>>>(mixed, of_mixed);
  checkCudaErrors(cudaDeviceSynchronize());
  // The sequence begins with 0, 1/2, 3/4, 1/4 in the first dimension and with 0, 1/2, 1/4, 3/4 in the second.
  const double begin[2][4] = {{0, 0.5, 0.75, 0.25}, {0, 0.5, 0.25, 0.75}};
  for (int d = 0; d < 2; ++d)
    for (int i = 0; i < 4; ++i)
      if (std::fabs(numbers[d * points + i] - begin[d][i]) > 1e-9) return 2;
  if (crowded(numbers, numbers + points) != 0) return 3;
  if (crowded(of_mixed, of_mixed + points) != 0) return 4;
  return of_mixed[0] == numbers[0] || of_mixed[points] == numbers[points] ? 5 : 0;
}

/// The host API: a volume, a normal distribution, and the order of dimensions.
static int check_host() {
  const int n = 4096, many = 40;
  curandGenerator_t generator;
  if (curandCreateGenerator(&generator, CURAND_RNG_QUASI_SCRAMBLED_SOBOL64) != CURAND_STATUS_SUCCESS)
    return 20;
  if (curandSetQuasiRandomGeneratorDimensions(generator, 3) != CURAND_STATUS_SUCCESS) return 21;
  if (curandSetPseudoRandomGeneratorSeed(generator, 1) != CURAND_STATUS_TYPE_ERROR) return 22;
  float* values;
  checkCudaErrors(cudaMallocManaged(&values, 3 * n * sizeof(float)));
  if (curandGenerateUniform(generator, values, 3 * n + 1) != CURAND_STATUS_LENGTH_NOT_MULTIPLE) return 23;
  if (curandGenerateUniform(generator, values, 3 * n) != CURAND_STATUS_SUCCESS) return 24;
  checkCudaErrors(cudaDeviceSynchronize());
  int inside = 0;
  for (int i = 0; i < n; ++i) inside += std::hypot(values[i], values[n + i], values[2 * n + i]) < 1;
  const double volume = 8.0 * inside / n;
  if (std::fabs(volume - 4.18879) > 0.03) return 25;
  curandDestroyGenerator(generator);

  std::vector<double> normal(many * n);
  if (curandCreateGeneratorHost(&generator, CURAND_RNG_QUASI_SOBOL32) != CURAND_STATUS_SUCCESS) return 26;
  if (curandSetQuasiRandomGeneratorDimensions(generator, 20001) != CURAND_STATUS_OUT_OF_RANGE) return 27;
  if (curandSetQuasiRandomGeneratorDimensions(generator, many) != CURAND_STATUS_SUCCESS) return 28;
  if (curandSetGeneratorOffset(generator, 4096) != CURAND_STATUS_SUCCESS) return 29;
  if (curandSetGeneratorOrdering(generator, CURAND_ORDERING_QUASI_DEFAULT) != CURAND_STATUS_SUCCESS)
    return 30;
  if (curandGenerateNormalDouble(generator, normal.data(), normal.size(), 5, 2) != CURAND_STATUS_SUCCESS)
    return 31;
  for (int d = 0; d < many; ++d) {
    double sum = 0, squares = 0;
    for (int i = 0; i < n; ++i) {
      sum += normal[d * n + i];
      squares += (normal[d * n + i] - 5) * (normal[d * n + i] - 5);
    }
    if (std::fabs(sum / n - 5) > 0.01 || std::fabs(squares / n - 4) > 0.03) return 32;
  }
  curandDestroyGenerator(generator);
  return 0;
}

int main() {
  const int of_32 =
      check<curandStateSobol32, curandStateScrambledSobol32, curandDirectionVectors32_t, unsigned>(
          curandGetDirectionVectors32, curandGetScrambleConstants32, CURAND_DIRECTION_VECTORS_32_JOEKUO6,
          CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6);
  const int of_64 =
      check<curandStateSobol64, curandStateScrambledSobol64, curandDirectionVectors64_t, unsigned long long>(
          curandGetDirectionVectors64, curandGetScrambleConstants64, CURAND_DIRECTION_VECTORS_64_JOEKUO6,
          CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6);
  const int host = check_host();
  std::printf("%d %d %d\n", of_32, of_64, host);
  return of_32 + of_64 + host;
}
