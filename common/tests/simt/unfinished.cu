// Work that the host, or another stream, does not wait for, and the same with all that may order it.
#include <atomic>
#include <cuda_runtime.h>

namespace {

constexpr int n = 256;

__global__ void add_one(int* values) { values[threadIdx.x] += 1; } // adds
__global__ void add_up(const int* values, int* sum) { atomicAdd(sum, values[threadIdx.x]); } // adds up
__global__ void set_half(int* values, int from) { values[from + threadIdx.x] = 1; }
__global__ void raise(volatile int* flag, int* value) {
  *value = 7;
  __threadfence_system();
  *flag = 1;
}

__managed__ int count;
__global__ void count_threads() { atomicAdd(&count, 1); } // counts

int* managed(int value) {
  int* values = nullptr;
  cudaMallocManaged(&values, n * sizeof(int));
  for (int i = 0; i < n; ++i) values[i] = value;
  return values;
}
int* page_locked() {
  int* values = nullptr;
  cudaMallocHost(&values, n * sizeof(int));
  for (int i = 0; i < n; ++i) values[i] = i;
  return values;
}
int* on_device() {
  int* values = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMemset(values, 0, n * sizeof(int));
  cudaDeviceSynchronize();
  return values;
}
cudaStream_t stream_of(unsigned flags = cudaStreamNonBlocking) {
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, flags);
  return stream;
}
cudaEvent_t event_in(cudaStream_t stream) {
  cudaEvent_t event = nullptr;
  cudaEventCreate(&event);
  cudaEventRecord(event, stream);
  return event;
}
void tell(void* told) { *static_cast<bool*>(told) = true; }

} // namespace

extern "C" {

// The host reads or writes what a kernel uses.

int managed_read_early() {
  int* values = managed(1);
  add_one<<<1, n>>>(values); // launch
  return values[3];          // host
}
int managed_written_early() {
  int *values = managed(1), *sum = managed(0);
  add_up<<<1, n>>>(values, sum); // launch to read
  values[4] = 2;                 // host writes
  return 0;
}
int mapped_read_early() {
  int *values = page_locked(), *mapped = nullptr;
  cudaHostGetDevicePointer(&mapped, values, 0);
  add_one<<<1, n>>>(mapped);                 // launch mapped
  for (int i = 0; i < n; ++i) values[i] = 0; // host clears
  return 0;
}
int variable_read_early() {
  count_threads<<<1, n>>>(); // launch to count
  return count;              // host counts
}

int read_in_time(int way) {
  int* values = managed(1);
  cudaStream_t stream = way < 4 ? nullptr : stream_of();
  add_one<<<1, n, 0, stream>>>(values);
  bool told = false;
  int* other = nullptr;
  switch (way) {
  case 0: cudaDeviceSynchronize(); break;
  case 1: cudaStreamSynchronize(nullptr); break;
  case 2: cudaMemcpy(&told, values, 1, cudaMemcpyDeviceToHost); break;
  case 3: cudaMalloc(&other, 4), cudaFree(other); break;
  case 4: cudaStreamSynchronize(stream); break;
  case 5: cudaEventSynchronize(event_in(stream)); break;
  case 6:
    while (cudaStreamQuery(stream) == cudaErrorNotReady) {}
    break;
  case 7:
    for (cudaEvent_t event = event_in(stream); cudaEventQuery(event) == cudaErrorNotReady;) {}
    break;
  case 8: cudaMemcpyAsync(&told, values, 1, cudaMemcpyDeviceToHost, stream); break; // to pageable memory
  case 9: cudaLaunchHostFunc(stream, tell, &told); break;
  }
  return values[3];
}

// Nothing is shared, or it is by volatile and atomic accesses.
int kept_apart(int way) {
  int* values = managed(1);
  if (way == 0) {
    set_half<<<1, n / 2>>>(values, 0);
    values[n / 2] = 3;
    return values[n - 1];
  }
  if (way == 1) {
    int* sum = managed(0);
    add_up<<<1, n>>>(values, sum);
    return values[5]; // both read
  }
  raise<<<1, 1>>>(values, values + 1);
  if (way == 2) {
    while (*const_cast<volatile int*>(values) == 0) {}
  } else {
    while (std::atomic_ref<int>(*values).load() == 0) {}
  }
  return values[1];
}

// Copies of page-locked memory.

int buffer_used_early() {
  int *host = page_locked(), *device = on_device();
  cudaMemcpyAsync(device, host, n * sizeof(int), cudaMemcpyHostToDevice); // copies buffer
  host[7] = 8;                                                            // next value
  return 0;
}
int result_read_early() {
  int *host = page_locked(), *device = on_device();
  cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost); // copies back
  return host[9];                                                         // reads result
}
int buffer_given_to_two() {
  int *host = page_locked(), *device = on_device(), *other = on_device();
  cudaMemcpyAsync(device, host, n * sizeof(int), cudaMemcpyHostToDevice, stream_of()); // first copy
  cudaMemcpyAsync(host, other, 4, cudaMemcpyDeviceToHost, stream_of());                // second copy
  return 0;
}
int buffer_used_in_time() {
  int *host = page_locked(), *device = on_device(), pageable[n] = {};
  for (int turn = 0; turn < 3; ++turn) {
    host[7] = turn;
    cudaMemcpyAsync(device, host, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaStreamSynchronize(nullptr);
  }
  cudaMemcpyAsync(device, pageable, n * sizeof(int), cudaMemcpyHostToDevice); // from a copy of it
  pageable[7] = 9;
  cudaMemcpy(host, device, n * sizeof(int), cudaMemcpyDeviceToHost);
  return host[7];
}

// Streams.

int overtaken() {
  int *device = on_device(), back = 0;
  add_one<<<1, n, 0, stream_of()>>>(device);                // non-blocking
  cudaMemcpy(&back, device, 4, cudaMemcpyDeviceToHost);     // overtakes
  return back;
}
/// Memory of the device alone is set while the host goes on, and streams that do not wait for the default one.
int set_too_late() {
  int* device = nullptr;
  cudaMalloc(&device, n * sizeof(int));
  cudaMemset(device, 0, n * sizeof(int));    // sets
  add_one<<<1, n, 0, stream_of()>>>(device); // does not wait
  return 0;
}
int copied_in_another_stream() {
  int *device = on_device(), *host = page_locked();
  cudaMemcpyAsync(device, host, n * sizeof(int), cudaMemcpyHostToDevice, stream_of()); // copied
  add_one<<<1, n, 0, stream_of()>>>(device);                                           // used
  return 0;
}
int two_kernels() {
  int* device = on_device();
  add_one<<<1, n, 0, stream_of(cudaStreamDefault)>>>(device);        // one kernel
  set_half<<<1, n / 2, 0, stream_of(cudaStreamDefault)>>>(device, 9); // other kernel
  return 0;
}

int streams_in_order(int way) {
  int *device = on_device(), *host = page_locked(), back = 0;
  cudaStream_t one = stream_of(way < 2 ? cudaStreamDefault : cudaStreamNonBlocking);
  cudaStream_t other = stream_of(way < 2 ? cudaStreamDefault : cudaStreamNonBlocking);
  cudaMemcpyAsync(device, host, n * sizeof(int), cudaMemcpyHostToDevice, one);
  add_one<<<1, n, 0, one>>>(device);
  switch (way) {
  case 0: add_one<<<1, n>>>(device); break; // the default stream waits for both, and they for it
  case 1: event_in(nullptr); break;
  case 2: cudaStreamWaitEvent(other, event_in(one)); break;
  case 3: cudaStreamSynchronize(one); break;
  case 4: cudaLaunchHostFunc(one, [](void*) {}, nullptr); break;
  case 5: cudaDeviceSynchronize(); break;
  }
  add_one<<<1, n, 0, other>>>(device);
  cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, other);
  cudaStreamSynchronize(other);
  for (int i = 0; i < n; ++i) back += host[i];
  return back;
}

/// Each stream has its own part.
int pipeline() {
  int *device = on_device(), *host = page_locked(), sum = 0;
  for (int part = 0; part < 8; ++part) {
    static const cudaStream_t streams[] = {stream_of(), stream_of()};
    const cudaStream_t stream = streams[part % 2];
    int* const own = device + part * 32;
    cudaMemcpyAsync(own, host + part * 32, 128, cudaMemcpyHostToDevice, stream);
    add_one<<<1, 32, 0, stream>>>(own);
    cudaMemcpyAsync(host + part * 32, own, 128, cudaMemcpyDeviceToHost, stream);
  }
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) sum += host[i];
  return sum;
}
}
