// Warp functions without a mask, as for the devices before 2017: among the lanes that are active together.
#include <cuda_fp16.h>

namespace {

__device__ int sum_of_warp(int value) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down(value, distance);
  return value;
}

__global__ void sum(const int* in, int* out) {
  __shared__ int of_warp[32];
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  int value = sum_of_warp(in[threadIdx.x]);
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / warpSize ? of_warp[lane] : 0;
  if (warp == 0) value = sum_of_warp(value);
  if (threadIdx.x == 0) *out = value;
}

// Each branch by itself, and all lanes together behind it.
__global__ void branches(unsigned* out) {
  const unsigned lane = threadIdx.x;
  unsigned* row = out + lane * 4;
  if (lane % 2 == 0) row[0] = __ballot(lane < 8);
  row[1] = __ballot(lane < 8);
  if (lane < 4)
    row[2] = __shfl_xor(lane, 1);
  else
    row[2] = __any(lane == 3) + 2 * __all(lane >= 4) + 4 * __any(lane == 31);
  row[3] = __shfl(lane, 31);
}

// Lanes leave the loop one by one, and wait behind it for the others.
__global__ void loops(unsigned* out) {
  const unsigned lane = threadIdx.x;
  unsigned turns = 0;
  while (turns < lane / 8) turns += __popc(__ballot(1)) > 0;
  out[lane] = __ballot(turns == lane / 8) + turns;
}

__global__ void types(double* out) {
  const unsigned lane = threadIdx.x;
  double* row = out + lane * 4;
  row[0] = __shfl(lane * 0.5, 3);
  row[1] = static_cast<double>(__shfl_up(static_cast<long long>(lane) << 40, 1, 8));
  row[2] = __shfl_xor(-1.5f * lane, 2);
  row[3] = __half2float(__shfl_down(__float2half(lane * 0.25f), 1));
}

} // namespace

extern "C" {
void run_sum(const int* in, int* out) { sum<<<1, 256>>>(in, out); }
void run_branches(unsigned* out) { branches<<<1, 32>>>(out); }
void run_loops(unsigned* out) { loops<<<1, 32>>>(out); }
void run_types(double* out) { types<<<1, 32>>>(out); }
}
