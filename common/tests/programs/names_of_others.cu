// Names that the simulator has, too, and functions that devices have no more: the program's own. What nvcc defines beside.
namespace simt {
inline int stored(int x) { return x + 1; }
namespace detail {
__device__ int three() { return 3; }
} // namespace detail
} // namespace simt

__device__ float2 __shfl_down(float2 v, unsigned delta) {
  v.x = __shfl_down_sync(0xffffffff, v.x, delta);
  v.y = __shfl_down_sync(0xffffffff, v.y, delta);
  return v;
}

__global__ void sum(float2* out) {
  float2 v = make_float2(threadIdx.x, 2 * threadIdx.x);
  for (int d = 16; d; d /= 2) {
    const float2 w = __shfl_down(v, d);
    v.x += w.x;
    v.y += w.y;
  }
  if (threadIdx.x == 0) *out = make_float2(v.x + simt::detail::three(), v.y);
}

#if __CUDACC_VER_MAJOR__ < 12 || __CUDA_API_VER_MAJOR__ < 12
#error "the branch for a toolkit of yesterday"
#endif
constexpr int architectures[] = {__CUDA_ARCH_LIST__, __CUDACC_VER_MINOR__, __CUDACC_VER_BUILD__, __CUDA_API_VER_MINOR__};

int main() {
  float2* out;
  cudaMallocManaged(&out, sizeof(float2));
  sum<<<1, 32>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  return out->x == 499 && out->y == 992 && simt::stored(1) == 2 && architectures[0] >= 900 ? 0 : 1;
}
