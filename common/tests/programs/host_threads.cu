// Several threads of the host use the device: each has a stream, allocates, copies, launches and checks its own; a kernel
// waits for a flag that another thread sets; errors are each thread's own; a callback starts a thread.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

__global__ void scale(const int* in, int* out, int factor, int n) {
  __shared__ int piece[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  piece[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (i < n) out[i] = factor * piece[threadIdx.x];
}

__global__ void wait_and_copy(volatile int* flag, int* out) {
  while (*flag == 0) {
  }
  *out = *flag;
}

bool work(int number) {
  const int n = 500;
  bool ok = true;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int turn = 0; turn < 4; ++turn) {
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[i] = i + number;
    int *in, *out;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMemcpyAsync(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream);
    scale<<<(n + 63) / 64, 64, 0, stream>>>(in, out, number + 2, n);
    cudaMemcpyAsync(values.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    for (int i = 0; i < n; ++i) ok = ok && values[i] == (i + number) * (number + 2);
    cudaFree(in);
    cudaFree(out);
  }
  // Even threads make a mistake, which no other thread hears of.
  if (number % 2 == 0) cudaMemcpy(nullptr, nullptr, 4, cudaMemcpyKind(77));
  std::this_thread::yield();
  ok = ok && cudaGetLastError() == (number % 2 == 0 ? cudaErrorInvalidMemcpyDirection : cudaSuccess);
  cudaStreamDestroy(stream);
  return ok;
}

struct Callback {
  std::thread thread;
  int result = 0;
};

void CUDART_CB start_thread(void* data) {
  Callback* callback = static_cast<Callback*>(data);
  callback->thread = std::thread([callback] {
    int* value;
    cudaMallocManaged(&value, sizeof(int));
    *value = 0;
    scale<<<1, 1>>>(value, value, 1, 1);
    cudaDeviceSynchronize();
    callback->result = *value + 1;
    cudaFree(value);
  });
}

int main() {
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int number = 0; number < 6; ++number)
    threads.emplace_back([number, &right] { right += work(number); });
  for (std::thread& thread : threads) thread.join();
  std::printf("%d of 6 threads are right\n", right.load());

  int *flag, *out;
  cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped);
  cudaMallocManaged(&out, sizeof(int));
  *flag = *out = 0;
  std::thread setter([flag] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    *static_cast<volatile int*>(flag) = 42;
  });
  wait_and_copy<<<1, 1>>>(flag, out);
  cudaDeviceSynchronize();
  setter.join();
  std::printf("the kernel has waited for %d\n", *out);

  Callback callback;
  cudaLaunchHostFunc(nullptr, start_thread, &callback);
  cudaDeviceSynchronize();
  callback.thread.join();
  std::printf("the callback's thread has %d\n", callback.result);
  const bool ok = right == 6 && *out == 42 && callback.result == 1;
  cudaFreeHost(flag);
  cudaFree(out);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
