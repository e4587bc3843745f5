// Stream-ordered memory from pools, and hints to the cache and to streams, which change no result.
#include <climits>
#include <cstdint>
#include <cstdio>
#include <helper_cuda.h>

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main() {
  const int n = 5000;
  const size_t bytes = n * sizeof(float);
  float* host;
  checkCudaErrors(cudaMallocHost(&host, bytes));
  for (int i = 0; i < n; ++i) host[i] = i;

  cudaStream_t stream, other;
  checkCudaErrors(cudaStreamCreate(&stream));
  checkCudaErrors(cudaStreamCreate(&other));
  int supported = 0;
  checkCudaErrors(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
  if (!supported) return EXIT_WAIVED;

  cudaMemPool_t pool, mine;
  checkCudaErrors(cudaDeviceGetDefaultMemPool(&pool, 0));
  uint64_t threshold = ULONG_MAX, got = 0;
  checkCudaErrors(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  checkCudaErrors(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &got));
  if (got != threshold) return 1;
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  checkCudaErrors(cudaMemPoolCreate(&mine, &properties));
  checkCudaErrors(cudaDeviceSetMemPool(0, mine));
  cudaMemPool_t current;
  checkCudaErrors(cudaDeviceGetMemPool(&current, 0));
  if (current != mine) return 1;

  float *a, *b, *c;
  checkCudaErrors(cudaMallocAsync(&a, bytes, stream));
  checkCudaErrors(cudaMallocFromPoolAsync(&b, bytes, mine, stream));
  checkCudaErrors(cudaMallocAsync(&c, bytes, pool, stream));
  checkCudaErrors(cudaMemPoolGetAttribute(mine, cudaMemPoolAttrUsedMemCurrent, &got));
  if (got < 3 * bytes) return 1;

  cudaDeviceProp device;
  checkCudaErrors(cudaGetDeviceProperties(&device, 0));
  int most = 0;
  checkCudaErrors(cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, 0));
  if (most <= 0 || most != device.persistingL2CacheMaxSize || device.accessPolicyMaxWindowSize <= 0) return 1;
  checkCudaErrors(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20));
  cudaStreamAttrValue value = {};
  value.accessPolicyWindow.base_ptr = a;
  value.accessPolicyWindow.num_bytes = bytes;
  value.accessPolicyWindow.hitRatio = 0.5f;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  checkCudaErrors(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
  checkCudaErrors(cudaStreamCopyAttributes(other, stream));
  cudaStreamAttrValue copied = {};
  checkCudaErrors(cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &copied));
  if (copied.accessPolicyWindow.base_ptr != a || copied.accessPolicyWindow.hitRatio != 0.5f) return 1;

  checkCudaErrors(cudaMemcpyAsync(a, host, bytes, cudaMemcpyHostToDevice, stream));
  checkCudaErrors(cudaMemcpyAsync(b, host, bytes, cudaMemcpyHostToDevice, stream));
  add<<<(n + 255) / 256, 256, 0, stream>>>(a, b, c, n);
  checkCudaErrors(cudaFreeAsync(a, stream));
  checkCudaErrors(cudaFreeAsync(b, stream));
  checkCudaErrors(cudaMemcpyAsync(host, c, bytes, cudaMemcpyDeviceToHost, stream));
  checkCudaErrors(cudaFreeAsync(c, stream));
  checkCudaErrors(cudaStreamSynchronize(stream));
  checkCudaErrors(cudaCtxResetPersistingL2Cache());
  for (int i = 0; i < n; ++i)
    if (host[i] != 2.0f * i) {
      printf("element %d is %g\n", i, host[i]);
      return 1;
    }

  checkCudaErrors(cudaMemPoolTrimTo(mine, 0));
  checkCudaErrors(cudaMemPoolDestroy(mine));
  if (cudaMemPoolDestroy(mine) != cudaErrorInvalidValue || cudaGetLastError() != cudaErrorInvalidValue)
    return 1;
  checkCudaErrors(cudaStreamDestroy(stream));
  checkCudaErrors(cudaStreamDestroy(other));
  checkCudaErrors(cudaFreeHost(host));
  printf("%d sums\n", n);
}
