// What a program for several devices asks for where there is one: peers, links, pools that others may read.
#include <cstdio>
#include <cstring>
#include <helper_cuda.h>

__global__ void fill(int* a, int value) { a[threadIdx.x] = value + threadIdx.x; }

/// The error of a call that must fail, and nothing left behind.
static bool gives(cudaError_t got, cudaError_t wanted) {
  if (got != wanted) std::printf("%s in place of %s\n", cudaGetErrorName(got), cudaGetErrorName(wanted));
  cudaGetLastError();
  return got == wanted;
}

int main() {
  int devices = 0, value = 7, device = 7;
  checkCudaErrors(cudaGetDeviceCount(&devices));
  if (devices != 1) return 1;
  checkCudaErrors(cudaInitDevice(0, 0, 0));
  checkCudaErrors(cudaSetValidDevices(&(device = 0), 1));

  // A device and itself are no pair, and there is no other device.
  checkCudaErrors(cudaDeviceCanAccessPeer(&value, 0, 0));
  if (value != 0) return 2;
  value = 7;
  const bool peers =
      gives(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrPerformanceRank, 0, 1), cudaErrorInvalidDevice) &&
      gives(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0), cudaErrorInvalidDevice) &&
      gives(cudaDeviceGetP2PAttribute(nullptr, cudaDevP2PAttrAccessSupported, 0, 1), cudaErrorInvalidValue) &&
      gives(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice) &&
      gives(cudaDeviceEnablePeerAccess(1, 0), cudaErrorInvalidDevice) &&
      gives(cudaInitDevice(1, 0, 0), cudaErrorInvalidDevice) && value == 7;
  if (!peers) return 3;

  char bus[32];
  checkCudaErrors(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
  device = 7;
  checkCudaErrors(cudaDeviceGetByPCIBusId(&device, bus));
  if (device != 0 || !gives(cudaDeviceGetByPCIBusId(&device, "0000:ff:00.0"), cudaErrorInvalidDevice))
    return 4;

  // A pool is open to its own device for reading and writing, and that cannot be taken back.
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.handleTypes = cudaMemHandleTypeNone;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t pool;
  checkCudaErrors(cudaMemPoolCreate(&pool, &properties));
  cudaMemAccessDesc access = {};
  access.location = properties.location;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  checkCudaErrors(cudaMemPoolSetAccess(pool, &access, 1));
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  checkCudaErrors(cudaMemPoolGetAccess(&flags, pool, &access.location));
  if (flags != cudaMemAccessFlagsProtReadWrite) return 5;
  access.flags = cudaMemAccessFlagsProtNone;
  if (!gives(cudaMemPoolSetAccess(pool, &access, 1), cudaErrorInvalidValue)) return 6;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  access.location.id = 1;
  if (!gives(cudaMemPoolSetAccess(pool, &access, 1), cudaErrorInvalidValue)) return 7;
  if (!gives(cudaMemPoolGetAccess(&flags, pool, &access.location), cudaErrorInvalidValue)) return 8;

  cudaStream_t one, two;
  checkCudaErrors(cudaStreamCreate(&one));
  checkCudaErrors(cudaStreamCreate(&two));
  unsigned long long first = 0, second = 0;
  checkCudaErrors(cudaStreamGetId(one, &first));
  checkCudaErrors(cudaStreamGetId(two, &second));
  checkCudaErrors(cudaStreamGetDevice(one, &device));
  if (first == second || device != 0) return 9;

  int *a, *b, host[64];
  checkCudaErrors(cudaMallocFromPoolAsync(&a, sizeof host, pool, one));
  checkCudaErrors(cudaMallocAsync(&b, sizeof host, one));
  fill<<<1, 64, 0, one>>>(a, 100);
  checkCudaErrors(cudaMemcpyPeer(b, 0, a, 0, sizeof host));
  checkCudaErrors(cudaMemcpyAsync(host, b, sizeof host, cudaMemcpyDeviceToHost, one));
  checkCudaErrors(cudaFreeAsync(a, one));
  checkCudaErrors(cudaFreeAsync(b, one));
  checkCudaErrors(cudaStreamSynchronize(one));
  checkCudaErrors(cudaMemPoolDestroy(pool));
  std::printf("%d %d\n", host[0], host[63]);
  return host[0] != 100 || host[63] != 163;
}
