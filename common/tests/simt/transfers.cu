// Ways in which bytes cross between host and device, and ways that only look like it.
#include <string.h>

#include <thread>

namespace {

__device__ int device_values[64];
__managed__ int managed_values[64];

__global__ void copy(int* to, const int* from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i]; // kernel copies
}

__global__ void raise(int* flag) { *flag = 1; }

__global__ void keep(const int* from, int n) {
  int i = threadIdx.x;
  if (i < n) device_values[i] = managed_values[i] = from[i];
}

__global__ void leave_on_stack(int** where) {
  volatile int local[4] = {1, 2, 3, 4};
  *where = const_cast<int*>(&local[0]);
}

int sum(const int* values, int n) {
  int total = 0;
  for (int i = 0; i < n; ++i) total += values[i]; // host sums
  return total;
}

} // namespace

extern "C" {

/// Rows of one element each; the same at once; or at once into what a kernel then writes.
void copies_within(int* to, const int* from, int n, int way) {
  if (way == 0)
    cudaMemcpy2DAsync(to, 8, from, 4, 4, n / 2, cudaMemcpyDeviceToDevice); // short rows
  else
    cudaMemcpyAsync(to, from, n * sizeof(int), cudaMemcpyDefault); // at once
  if (way == 2) copy<<<1, n>>>(to, from + n, n);
}

void copies(int* device, int* host) {
  cudaMemcpy(host, device, 40, cudaMemcpyDeviceToHost); // down
  cudaMemcpy(device, host, 24, cudaMemcpyHostToDevice); // up
  cudaMemcpyAsync(host, device, 8, cudaMemcpyDefault);  // default
  cudaMemcpy(device, device + 4, 16, cudaMemcpyDeviceToDevice);
  cudaMemcpy(host, host + 4, 16, cudaMemcpyHostToHost);
  cudaMemset(device, 0, 16);
  cudaMemcpy(host, device, 1 << 30, cudaMemcpyDeviceToHost); // an error
  cudaGetLastError();
}

void copies_of_shapes(int* device, int* host) {
  cudaMemcpy2D(host, 16, device, 32, 12, 3, cudaMemcpyDeviceToHost); // rows
  cudaMemcpy2DAsync(device, 32, host, 16, 12, 2, cudaMemcpyHostToDevice, 0);
  cudaMemcpy3DParms box = {};
  box.srcPtr = make_cudaPitchedPtr(device, 32, 8, 2);
  box.dstPtr = make_cudaPitchedPtr(host, 32, 8, 2);
  box.extent = make_cudaExtent(8, 2, 1);
  box.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&box); // box
  cudaMemcpyPeer(device, 0, device + 4, 0, 8);
}

void copies_of_symbols(int* device, int* host) {
  cudaMemcpyToSymbol(device_values, host, 20);
  cudaMemcpyFromSymbol(host, device_values, 12); // symbol
  cudaMemcpyToSymbol(device_values, device, 32, 0, cudaMemcpyDeviceToDevice);
}

int managed_scratch(int* device) {
  int* scratch = nullptr;
  cudaMallocManaged(&scratch, 64 * sizeof(int));
  copy<<<2, 32>>>(scratch, device, 64);
  copy<<<2, 32>>>(device, scratch, 64);
  cudaFree(scratch);
  return 0;
}

int managed_read(int* device) {
  int* values = nullptr;
  cudaMallocManaged(&values, 64 * sizeof(int));
  copy<<<2, 32>>>(values, device, 64);
  cudaDeviceSynchronize();
  int total = sum(values, 64) + sum(values, 64); // the second time they are there
  values[0] = total;                             // host writes
  total = values[0];
  copy<<<1, 32>>>(device, values, 1);
  cudaFree(values);
  return total;
}

int (*volatile compare)(const void*, const void*, size_t) = memcmp;

int managed_compared(int* device) {
  int *values = nullptr, zeros[64] = {};
  cudaMallocManaged(&values, 64 * sizeof(int));
  copy<<<2, 32>>>(values, device, 64);
  cudaDeviceSynchronize();
  const int difference = compare(values, zeros, sizeof zeros); // no hook
  values[1] = 5;
  cudaMemset(values, 0, 8);
  cudaFree(values);
  return difference;
}

int variables_read(int* device) {
  keep<<<1, 64>>>(device, 64);
  cudaDeviceSynchronize();
  return sum(device_values, 64) + // by name
         sum(managed_values, 32);
}

int mapped_written(int* device) {
  int *host = nullptr, *mapped = nullptr;
  cudaHostAlloc(&host, 64 * sizeof(int), cudaHostAllocMapped);
  cudaHostGetDevicePointer(&mapped, host, 0);
  copy<<<2, 32>>>(mapped, device, 64);
  copy<<<1, 8>>>(device, mapped, 8);
  cudaDeviceSynchronize();
  const int total = sum(host, 64);
  cudaFreeHost(host);
  return total;
}

int registered_written(int* device) {
  static int host[64];
  cudaHostRegister(host, sizeof host, cudaHostRegisterMapped);
  copy<<<2, 32>>>(host, device, 64);
  cudaHostUnregister(host);
  return sum(host, 64);
}

void flag_raised() {
  int* flag = nullptr;
  cudaMallocHost(&flag, sizeof *flag);
  *flag = 0;
  raise<<<4, 32>>>(flag);
  cudaFreeHost(flag);
}

void staged(int* device) {
  int* host = nullptr;
  cudaMallocHost(&host, 16 * sizeof(int));
  cudaMemcpy(host, device, 16 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 16; ++i) ++host[i];
  cudaMemcpy(device, host, 16 * sizeof(int), cudaMemcpyHostToDevice);
  cudaFreeHost(host);
}

void copied_by_a_thread(int* device, int* host) {
  std::thread([=] { cudaMemcpy(host, device, 28, cudaMemcpyDeviceToHost); }).join();
}

void stack_read(int** where, int* out) {
  leave_on_stack<<<1, 1>>>(where);
  int* left = nullptr;
  cudaMemcpy(&left, where, sizeof left, cudaMemcpyDeviceToHost);
  *out = left[2]; // stack of a thread
}
void stack_copied(int** where, int* out) {
  leave_on_stack<<<1, 1>>>(where);
  int* left = nullptr;
  cudaMemcpy(&left, where, sizeof left, cudaMemcpyDeviceToHost);
  memcpy(out, left, 16); // stack as a range
}
}
