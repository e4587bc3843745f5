// Which memory a pointer leads to, and addresses within one memory: __isShared and the like, __cvta_generic_to_shared and the
// like.
#include <cstdio>

enum Space : int { global = 1, shared = 2, constant = 4, local = 8, grid_constant = 16 };

struct Coefficients {
  int scale, shift;
};

__constant__ int table[4];
__device__ int counter;
__managed__ int both;

__device__ int spaces_of(const void* p) {
  return (__isGlobal(p) ? global : 0) | (__isShared(p) ? shared : 0) | (__isConstant(p) ? constant : 0) |
         (__isLocal(p) ? local : 0) | (__isGridConstant(p) ? grid_constant : 0);
}

__global__ void look(int* spaces, const int* pinned, const __grid_constant__ Coefficients coefficients) {
  __shared__ int tile[32];
  extern __shared__ int dynamic[];
  int own[2] = {int(threadIdx.x), 0};
  tile[threadIdx.x] = own[0];
  if (threadIdx.x != 0) return;
  spaces[0] = spaces_of(spaces);
  spaces[1] = spaces_of(&counter);
  spaces[2] = spaces_of(&both);
  spaces[3] = spaces_of(pinned);
  spaces[4] = spaces_of(&tile[5]);
  spaces[5] = spaces_of(dynamic);
  spaces[6] = spaces_of(&table[2]);
  spaces[7] = spaces_of(&own[1]);
  spaces[8] = spaces_of(&coefficients.shift) & ~global;
}

/// Sums what lies in shared memory, if it lies there, by its 32-bit address.
__device__ int sum(const int* values, int n) {
  if (!__isShared(values)) return -1;
  const unsigned begin = static_cast<unsigned>(__cvta_generic_to_shared(values));
  int result = 0;
  for (int i = 0; i < n; ++i) result += *static_cast<const int*>(__cvta_shared_to_generic(begin + 4 * i));
  return result;
}

__global__ void convert(int* out, const __grid_constant__ Coefficients coefficients) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x + blockIdx.x;
  __syncthreads();
  if (threadIdx.x != 0) return;
  int own = 0;
  int* const result = out + 6 * blockIdx.x;
  result[0] = sum(tile, 64);
  result[1] = sum(out, 64);
  result[2] = __cvta_generic_to_shared(&tile[3]) - __cvta_generic_to_shared(&tile[0]) == 12;
  result[3] = __cvta_global_to_generic(__cvta_generic_to_global(out)) == out;
  result[4] = __cvta_constant_to_generic(__cvta_generic_to_constant(&table[1])) == &table[1];
  result[5] =
      __cvta_local_to_generic(__cvta_generic_to_local(&own)) == &own &&
      __cvta_grid_constant_to_generic(__cvta_generic_to_grid_constant(&coefficients)) == &coefficients;
}

int main() {
  int *spaces, *pinned, *out;
  cudaMallocManaged(&spaces, 9 * sizeof(int));
  cudaMallocManaged(&out, 12 * sizeof(int));
  cudaHostAlloc((void**)&pinned, sizeof(int), cudaHostAllocMapped);
  look<<<1, 32, 64>>>(spaces, pinned, Coefficients{2, 3});
  convert<<<2, 64>>>(out, Coefficients{2, 3});
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;

  const int expected[9] = {global, global, global, global, shared, shared, constant, local, grid_constant};
  bool right = true;
  for (int i = 0; i < 9; ++i) right = right && spaces[i] == expected[i];
  for (int block = 0; block < 2; ++block) {
    const int* const result = out + 6 * block;
    right = right && result[0] == 64 * 63 / 2 + 64 * block && result[1] == -1;
    for (int i = 2; i < 6; ++i) right = right && result[i] == 1;
  }
  std::printf("spaces:");
  for (int i = 0; i < 9; ++i) std::printf(" %d", spaces[i]);
  std::printf("\nsums: %d %d\n%s\n", out[0], out[6], right ? "right" : "wrong");
  cudaFree(spaces);
  cudaFree(out);
  cudaFreeHost(pinned);
  return right ? 0 : 1;
}
