// What becomes of a kernel's by-value argument whose class counts its copies and destructions: the host copies it once
// for a launch and destroys that copy once; threads get its bits, and run neither its constructors nor its destructor.
#include <cstdio>
#include <cstdlib>

struct Counted {
  static int copies, destructions;
  int value;
  int* of_device; // [0]: copies made by threads, [1]: destructions

  Counted(int value, int* of_device) : value(value), of_device(of_device) {}
  __host__ __device__ Counted(const Counted& other) : value(other.value), of_device(other.of_device) {
#ifdef __CUDA_ARCH__
    atomicAdd(&of_device[0], 1);
#else
    ++copies;
#endif
  }
  __host__ __device__ ~Counted() {
#ifdef __CUDA_ARCH__
    atomicAdd(&of_device[1], 1);
#else
    ++destructions;
#endif
  }
};
int Counted::copies = 0;
int Counted::destructions = 0;

__global__ void sum(Counted a, int factor, const Counted b, int* out) {
  if (threadIdx.x == 0) atomicAdd(out, factor * (a.value + b.value));
}

/// A thread may change its own argument, and make copies of it.
__global__ void change(Counted a, int* out) {
  a.value += threadIdx.x;
  Counted copy = a;
  atomicAdd(out, copy.value);
}

bool counts_are(const char* what, int copies, int destructions) {
  const bool ok = Counted::copies == copies && Counted::destructions == destructions;
  std::printf("%s: %d copies, %d destructions%s\n", what, Counted::copies, Counted::destructions,
              ok ? "" : " (WRONG)");
  Counted::copies = Counted::destructions = 0;
  return ok;
}

int main() {
  int *of_device, *out;
  cudaMallocManaged(&of_device, 2 * sizeof(int));
  cudaMallocManaged(&out, sizeof(int));
  of_device[0] = of_device[1] = *out = 0;
  bool ok = true;
  {
    const Counted a(3, of_device), b(4, of_device);
    sum<<<2, 64>>>(a, 10, b, out);
    ok &= counts_are("two variables", 2, 2);
    sum<<<2, 64>>>(a, 10, Counted(5, of_device), out);
    ok &= counts_are("a variable and a temporary", 1, 2);
    int factor = 10;
    void* arguments[] = {(void*)&a, &factor, (void*)&b, &out};
    cudaLaunchKernel((const void*)sum, dim3(2), dim3(64), arguments, 0, 0);
    ok &= counts_are("by addresses", 0, 0);
    cudaDeviceSynchronize();
    ok &= *out == 2 * 10 * (7 + 8 + 7) && of_device[0] == 0 && of_device[1] == 0;
    std::printf("by threads: %d copies, %d destructions\n", of_device[0], of_device[1]);
  }
  ok &= counts_are("the variables themselves", 0, 2);
  *out = 0;
  {
    const Counted a(1, of_device);
    change<<<1, 32>>>(a, out);
    ok &= counts_are("a changed one", 1, 1);
    cudaDeviceSynchronize();
    ok &= *out == 32 + 31 * 32 / 2 && of_device[0] == 32 && of_device[1] == 32 && a.value == 1;
    std::printf("by threads themselves: %d copies, %d destructions\n", of_device[0], of_device[1]);
  }
  std::printf(ok ? "ok\n" : "WRONG\n");
  cudaFree(of_device);
  cudaFree(out);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
