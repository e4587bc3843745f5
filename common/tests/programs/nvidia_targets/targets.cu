// Code that asks by <nv/target> on which side it is and for which architecture, beside NVIDIA's library, which asks too; and
// lambdas for the device that the library calls.
#include <cuda/functional>
#include <cuda/std/bit>
#include <cuda/std/functional>
#include <nv/target>

#include <cstdio>
#include <cstdlib>

__device__ int of_device() { return 90; }
int of_host() { return 1; }

struct Side {
  int n;
  __host__ __device__ int level() const {
    NV_IF_ELSE_TARGET(NV_IS_DEVICE, (return n + of_device();), (return n + of_host();))
  }
  template <class T>
  __host__ __device__ T factor(T x) const {
    NV_DISPATCH_TARGET(NV_PROVIDES_SM_100, (return 100 * x;), NV_IS_EXACTLY_SM_90, (return 90 * x;),
                       NV_IS_DEVICE, (return 0;), NV_ANY_TARGET, (return x;))
  }
};

constexpr __host__ __device__ int folded(int x) { NV_IF_TARGET(NV_IS_DEVICE, (return x + 1;), (return x;)) }

template <class F>
__global__ void ask(Side side, F f, int* out) {
  out[0] = side.level();
  out[1] = side.factor(2);
  out[2] = folded(out[0]);
  out[3] = cuda::std::popcount(255u) + cuda::std::countl_zero(1u);
  out[4] = cuda::std::invoke(f, 3);
  out[5] = 0;
  NV_IF_TARGET(NV_PROVIDES_SM_80, (out[5] = 80;))
}

template <class F>
int check(F f, int result) {
  int* out;
  cudaMallocManaged(&out, 6 * sizeof(int));
  ask<<<1, 1>>>(Side{7}, f, out);
  int wrong = cudaDeviceSynchronize() != cudaSuccess;
  const int expected[] = {97, 180, 98, 39, result, 80};
  for (int i = 0; i < 6; ++i) wrong += out[i] != expected[i];
  cudaFree(out);
  return wrong;
}

int main() {
  const Side side{7};
  int wrong = side.level() != 8 || side.factor(2) != 2 || folded(side.n) != 7;
  const int ten = 10;
  wrong += check([=] __device__(int x) { NV_IF_TARGET(NV_IS_DEVICE, (return ten * x;), (return x;)) }, 30);
  wrong += check(cuda::proclaim_return_type<int>([=] __device__(int x) { return 2 * ten * x; }), 60);
  auto both = [=] __host__ __device__(int x) {
    NV_IF_TARGET(NV_IS_HOST, (return ten + x;), (return 2 * ten + x;))
  };
  static_assert(__nv_is_extended_host_device_lambda_closure_type(decltype(both)));
  wrong += check(both, 23) + (both(3) != 13);
  std::printf("%s\n", wrong == 0 ? "PASSED" : "FAILED");
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
