// Functions of the runtime that small programs call now and then, each with what it has to answer.
#include <cstdio>
#include <cstring>
#include <string>

static int wrong = 0;
#define EXPECT(condition)                                             \
  do {                                                                \
    if (!(condition)) {                                               \
      std::printf("line %d: %s is not so\n", __LINE__, #condition);   \
      ++wrong;                                                        \
    }                                                                 \
  } while (0)
#define OK(call) EXPECT((call) == cudaSuccess)

__constant__ double coefficients[5];
__device__ int number = 3;

__global__ void touch(int* p) { p[threadIdx.x] += number; }
__global__ void __launch_bounds__(256) plain(int* p, int v) { *p = v; }

void devices() {
  cudaDeviceProp properties;
  int device = 7, peer = 7;
  unsigned flags = 0;
  char bus[20];
  OK(cudaGetDeviceProperties(&properties, 0));
  OK(cudaChooseDevice(&device, &properties));
  EXPECT(device == 0);
  OK(cudaGetDeviceFlags(&flags));
  OK(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
  EXPECT(std::strlen(bus) == 12);
  EXPECT(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorInvalidDevice);
  EXPECT(cudaDeviceDisablePeerAccess(1) == cudaErrorInvalidDevice);
  EXPECT(cudaDeviceCanAccessPeer(&peer, 0, 1) == cudaErrorInvalidDevice);
  cudaFuncCache cache;
  cudaSharedMemConfig banks;
  OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
  OK(cudaDeviceGetCacheConfig(&cache));
  OK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeFourByte));
  OK(cudaDeviceGetSharedMemConfig(&banks));
  EXPECT(banks == cudaSharedMemBankSizeFourByte);
  OK(cudaFuncSetSharedMemConfig(plain, cudaSharedMemBankSizeDefault));
  OK(cudaFuncSetCacheConfig(plain, cudaFuncCachePreferL1));
  static_cast<void>(cudaGetLastError());
}

void memory() {
  int *device, *copy, host[32], *page_locked;
  OK(cudaMallocAsync(&device, sizeof host, nullptr));
  OK(cudaMalloc(&copy, sizeof host));
  for (int i = 0; i < 32; ++i) host[i] = i;
  OK(cudaHostRegister(host, sizeof host, cudaHostRegisterDefault));
  EXPECT(cudaHostRegister(host, sizeof host, 0) == cudaErrorHostMemoryAlreadyRegistered);
  touch<<<1, 32>>>(host); // registered memory is the device's, too
  OK(cudaDeviceSynchronize());
  EXPECT(host[31] == 34);
  OK(cudaHostUnregister(host));
  EXPECT(cudaHostUnregister(host) == cudaErrorHostMemoryNotRegistered);
  OK(cudaMemcpyAsync(device, host, sizeof host, cudaMemcpyHostToDevice));
  OK(cudaMemcpyPeer(copy, 0, device, 0, sizeof host));
  OK(cudaMemcpyPeerAsync(copy, 0, device, 0, sizeof host, nullptr));
  std::memset(host, 0, sizeof host);
  OK(cudaMemcpy(host, copy, sizeof host, cudaMemcpyDefault));
  EXPECT(host[31] == 34 && host[0] == 3);

  unsigned flags = 0;
  cudaPointerAttributes attributes;
  OK(cudaHostAlloc(&page_locked, 64, cudaHostAllocPortable));
  OK(cudaHostGetFlags(&flags, page_locked));
  OK(cudaPointerGetAttributes(&attributes, page_locked));
  EXPECT(attributes.type == cudaMemoryTypeHost && attributes.hostPointer == page_locked);
  OK(cudaPointerGetAttributes(&attributes, device + 3));
  EXPECT(attributes.type == cudaMemoryTypeDevice && attributes.device == 0);
  OK(cudaPointerGetAttributes(&attributes, &flags));
  EXPECT(attributes.type == cudaMemoryTypeUnregistered);
  int* managed;
  OK(cudaMallocManaged(&managed, 64, cudaMemAttachHost));
  OK(cudaStreamAttachMemAsync(nullptr, managed, 0, cudaMemAttachGlobal));
  OK(cudaPointerGetAttributes(&attributes, managed));
  EXPECT(attributes.type == cudaMemoryTypeManaged);

  const cudaExtent extent = make_cudaExtent(8 * sizeof(int), 2, 2);
  cudaPitchedPtr block;
  OK(cudaMalloc3D(&block, extent));
  OK(cudaMemset3DAsync(block, 0, extent, nullptr));
  cudaMemcpy3DParms parameters = {};
  parameters.srcPtr = block;
  parameters.srcPos = make_cudaPos(4 * sizeof(int), 1, 1);
  parameters.dstPtr = make_cudaPitchedPtr(host, 8 * sizeof(int), 8, 2);
  parameters.extent = make_cudaExtent(4 * sizeof(int), 1, 1);
  parameters.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3DAsync(&parameters, nullptr));
  EXPECT(host[0] == 0 && host[3] == 0 && host[4] == 7);
  OK(cudaFree(block.ptr));
  OK(cudaFree(managed));
  OK(cudaFreeHost(page_locked));
  OK(cudaFree(copy));
  OK(cudaFreeAsync(device, nullptr));
}

void symbols() {
  const double values[5] = {1, 2, 3, 4, 5};
  double back[2] = {};
  size_t bytes = 0;
  OK(cudaGetSymbolSize(&bytes, coefficients));
  EXPECT(bytes == sizeof values);
  OK(cudaMemcpyToSymbolAsync(coefficients, values, sizeof values, 0, cudaMemcpyHostToDevice, nullptr));
  OK(cudaMemcpyFromSymbolAsync(back, coefficients, sizeof back, 3 * sizeof(double), cudaMemcpyDeviceToHost, nullptr));
  EXPECT(back[0] == 4 && back[1] == 5);
  EXPECT(cudaMemcpyToSymbol(coefficients, values, sizeof values, 8) == cudaErrorInvalidValue);
  int local;
  EXPECT(cudaMemcpyToSymbol(local, values, 4) == cudaErrorInvalidSymbol);
  static_cast<void>(cudaGetLastError());
}

void launches() {
  int *p, v = 41, grid = 0, block = 0, blocks = 0;
  size_t shared = 0;
  OK(cudaMallocManaged(&p, sizeof(int)));
  void* arguments[] = {&p, &v};
  OK(cudaLaunchKernel((void*)plain, dim3(1), dim3(1), arguments, 0, nullptr));
  OK(cudaDeviceSynchronize());
  EXPECT(*p == 41);
  OK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, plain, [](int threads) { return size_t(4 * threads); }));
  EXPECT(block == 256 && grid > 0);
  OK(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, touch, 2, 128));
  EXPECT(shared == 48 * 1024); // what a kernel may use that has asked for nothing else
  OK(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, touch, 8, 128));
  EXPECT(shared == 228 * 1024 / 8);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 256, 0));
  EXPECT(blocks == 8);
  EXPECT(std::string(cudaGetErrorString(cudaErrorInvalidConfiguration)) == "invalid configuration argument");
  cudaFree(p);
}

int main() {
  devices();
  memory();
  symbols();
  launches();
  std::printf("%d answers are wrong\n", wrong);
  return wrong;
}
