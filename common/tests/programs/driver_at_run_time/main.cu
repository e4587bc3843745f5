// Vectors are added by a kernel that the driver API launches. The program finds the driver's functions at run time, as
// one does that has to start on machines without a driver, too.
#include <cuda.h>
#include <dlfcn.h>

#include <cstdio>
#include <vector>

__global__ void add(float* sum, const float* a, const float* b, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

namespace {

template <typename Function>
Function find(void* library, const char* name) {
  void* const function = dlsym(library, name);
  if (!function) std::printf("FAILED: the driver has no %s\n", name);
  return reinterpret_cast<Function>(function);
}

} // namespace

int main() {
  if (dlopen("libno_such_library.so.1", RTLD_NOW)) return std::puts("FAILED: a library that does not exist"), 1;
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver) return std::printf("FAILED: %s\n", dlerror()), 1;

  const auto init = find<CUresult (*)(unsigned)>(driver, "cuInit");
  const auto get_device = find<CUresult (*)(CUdevice*, int)>(driver, "cuDeviceGet");
  const auto retain = find<CUresult (*)(CUcontext*, CUdevice)>(driver, "cuDevicePrimaryCtxRetain");
  const auto set_current = find<CUresult (*)(CUcontext)>(driver, "cuCtxSetCurrent");
  const auto allocate = find<CUresult (*)(CUdeviceptr*, std::size_t)>(driver, "cuMemAlloc_v2");
  const auto to_device = find<CUresult (*)(CUdeviceptr, const void*, std::size_t)>(driver, "cuMemcpyHtoD_v2");
  const auto to_host = find<CUresult (*)(void*, CUdeviceptr, std::size_t)>(driver, "cuMemcpyDtoH_v2");
  const auto release = find<CUresult (*)(CUdeviceptr)>(driver, "cuMemFree_v2");
  if (!init || !get_device || !retain || !set_current || !allocate || !to_device || !to_host || !release) return 1;

  CUdevice device = 0;
  CUcontext context = nullptr;
  if (init(0) || get_device(&device, 0) || retain(&context, device) || set_current(context))
    return std::puts("FAILED: no context"), 1;

  constexpr unsigned n = 1000;
  std::vector<float> a(n), b(n), sum(n);
  for (unsigned i = 0; i < n; ++i) a[i] = static_cast<float>(i), b[i] = static_cast<float>(2 * i);
  CUdeviceptr memory[3] = {};
  for (CUdeviceptr& array : memory) {
    if (allocate(&array, n * sizeof(float))) return std::puts("FAILED: no memory"), 1;
  }
  if (to_device(memory[1], a.data(), n * sizeof(float)) || to_device(memory[2], b.data(), n * sizeof(float)))
    return std::puts("FAILED: a copy to the device"), 1;
  add<<<(n + 255) / 256, 256>>>(reinterpret_cast<float*>(memory[0]), reinterpret_cast<float*>(memory[1]),
                                reinterpret_cast<float*>(memory[2]), n);
  if (to_host(sum.data(), memory[0], n * sizeof(float))) return std::puts("FAILED: a copy to the host"), 1;
  for (CUdeviceptr array : memory) release(array);
  for (unsigned i = 0; i < n; ++i) {
    if (sum[i] != static_cast<float>(3 * i)) return std::printf("FAILED: sum[%u] = %g\n", i, sum[i]), 1;
  }
  dlclose(driver);
  std::puts("PASSED");
}
