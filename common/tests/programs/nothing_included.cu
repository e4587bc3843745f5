// A file without an #include has what nvcc puts in front of it: C's headers, std::pair, the runtime API. Headers of
// others ask for the toolkit's guards before they declare anything.
#ifndef __CUDA_RUNTIME_H__
#error "cuda_runtime.h is part of every .cu file"
#endif
#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_API_H__) || !defined(__VECTOR_TYPES_H__) ||      \
    !defined(__DEVICE_LAUNCH_PARAMETERS_H__) || !defined(__HOST_DEFINES_H__) ||                              \
    !defined(__LIBRARY_TYPES_H__)
#error "and so are these"
#endif
#ifdef CURAND_H_
#error "a library's header is not"
#endif

__global__ void measure(long long* ticks, char* letters) {
  const clock_t begin = clock();
  letters[threadIdx.x] = static_cast<char>('a' + threadIdx.x);
  ticks[threadIdx.x] = clock() - begin;
}

int main() {
  const time_t day = 86400;
  struct tm parts;
  gmtime_r(&day, &parts);
  const clock_t begin = clock();

  long long* ticks;
  char* letters;
  if (cudaMallocManaged(&ticks, 26 * sizeof *ticks) != cudaSuccess) return EXIT_FAILURE;
  if (cudaMallocManaged(&letters, 27) != cudaSuccess) return EXIT_FAILURE;
  memset(letters, 0, 27);
  measure<<<1, 26>>>(ticks, letters);
  cudaDeviceSynchronize();

  const std::pair<int, int> found{static_cast<int>(strlen(letters)), toupper(letters[25])};
  const cudaDataType_t type = CUDA_R_32F;
  return found.first != 26 || found.second != 'Z' || parts.tm_mday != 2 || ticks[0] < 0 || clock() < begin ||
         INT_MAX < 1 || fabs(-1.0) != 1.0 || parts.tm_year != 70 || type != 0;
}
