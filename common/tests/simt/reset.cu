// Runs that fail and leave as much behind as they can, and one that would notice.
namespace {

__global__ void reverse_without_barrier(const int* in, int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void add_all(int* sum, const int* values) { atomicAdd(sum, values[threadIdx.x]); }

__global__ void take_from_heap(int* out, int bytes) {
  char* taken = static_cast<char*>(malloc(bytes));
  *out = taken != nullptr;
  free(taken);
}

__global__ void child(int* out) { atomicAdd(out, 1); }
__global__ void parent(int* out) { child<<<2, 32>>>(out); }

__global__ void stray(int* out, int n) { out[threadIdx.x * n] = 1; }
__global__ void part_of_block_waits() {
  if (threadIdx.x < 32) __syncthreads();
}
__global__ void endless(volatile int* flag) {
  for (int i = 0; *flag == 0; ++i) flag[1] = i;
}
__global__ void conflict_and_trap(int* out) {
  __shared__ int last;
  last = threadIdx.x;
  if (threadIdx.x == 1) __trap();
  out[threadIdx.x] = last;
}
__global__ void keep_heap(void** kept) { *kept = malloc(6 << 20); }
__global__ void many_children(int* out) {
  for (int i = 0; i < 40; ++i) child<<<1, 1>>>(out);
  stray<<<1, 64>>>(out, 1 << 20);
}
__global__ void copy_and_trap(int* out) {
  if (threadIdx.x < 7) out[threadIdx.x] = 1;
  if (threadIdx.x == 40) __trap();
}

} // namespace

/// `results` gets what the device answers, in eight numbers.
extern "C" void run_probe(int* results) {
  int *in = nullptr, *out = nullptr;
  *results++ = cudaPeekAtLastError();
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 1, 64 * sizeof(int));
  reverse_without_barrier<<<2, 64>>>(in, out);
  *results++ = cudaGetLastError();
  cudaMemset(out, 0, 64 * sizeof(int));
  add_all<<<1, 64>>>(out, in);
  take_from_heap<<<1, 1>>>(out + 1, 7 << 20);
  parent<<<1, 1>>>(out + 2);
  cudaMemcpy(results, out, 3 * sizeof(int), cudaMemcpyDeviceToHost);
  results += 3;
  size_t limit = 0;
  cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount);
  *results++ = static_cast<int>(limit);
  cudaMemPool_t current, usual;
  cudaDeviceGetMemPool(&current, 0);
  cudaDeviceGetDefaultMemPool(&usual, 0);
  *results++ = current == usual;
  stray<<<1, 1, 60000>>>(out, 1); // more shared memory than without the attribute
  *results++ = cudaPeekAtLastError();
}

extern "C" {
void fail_stray(int* out) { stray<<<1, 64>>>(out, 1 << 20); }
void fail_barrier(int*) { part_of_block_waits<<<1, 64>>>(); }
void fail_endless(int* out) { endless<<<1, 32>>>(out); }
void fail_pending(int* out) { conflict_and_trap<<<1, 32>>>(out); }
void fail_children(int* out) { many_children<<<4, 1>>>(out); }
void fail_partly(int* out) { copy_and_trap<<<3, 64>>>(out); }
void fail_refused(int* out) { stray<<<1, 4000>>>(out, 1); }
void fail_settings(int* out) {
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);
  cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 5);
  cudaFuncSetAttribute(stray, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  cudaMemPool_t pool;
  cudaMemPoolCreate(&pool, &properties);
  cudaDeviceSetMemPool(0, pool);
  keep_heap<<<1, 1, 0, stream>>>(reinterpret_cast<void**>(out));
  cudaFree(out + 1);
}
}
