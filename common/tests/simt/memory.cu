// Mistakes with memory, one kernel each, and correct code that resembles them.
#include <string.h>

namespace {

__global__ void copy(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i]; // copy
}

__global__ void copy_unguarded(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i]; // unguarded
}

__global__ void read_unwritten_shared(float* out) {
  __shared__ float tile[4][8];
  if (threadIdx.x != 13) tile[threadIdx.x / 8][threadIdx.x % 8] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x / 8][threadIdx.x % 8]; // unwritten shared
}

__global__ void shared_past_end(float* out) {
  __shared__ float first[32];
  __shared__ float second[32];
  first[threadIdx.x] = second[threadIdx.x] = 1;
  __syncthreads();
  first[threadIdx.x + 1] = 2; // shared past end
  out[threadIdx.x] = second[threadIdx.x];
}

__global__ void dynamic_shared(float* out, int n) {
  extern __shared__ float buffer[];
  buffer[n] = 1; // dynamic
  out[0] = buffer[n];
}

__global__ void misaligned(const float* in, float* out) {
  float4 v = *reinterpret_cast<const float4*>(in + 1); // misaligned
  out[0] = v.x;
}

int host_variable = 3;
__device__ int device_variable = 4;
__constant__ float weights[3];
__device__ float table[32];

__global__ void read_host_variable(const int* variable, int* out) { out[0] = *variable; }
__global__ void read_device_variable(int* out) { out[0] = device_variable; }
__global__ void read_constants(float* out) {
  out[threadIdx.x] = weights[threadIdx.x % 3] + table[threadIdx.x];
}
__global__ void write_through(int* out) { *out = 1; }

struct Padded {
  char c;
  double d;
};

__global__ void copy_padded(Padded* data) {
  data[threadIdx.x].c = 1;
  data[threadIdx.x].d = 2;
  data[32 + threadIdx.x] = data[threadIdx.x];
}

__global__ void use_local_array(const int* in, int* out) {
  int local[16];
  memset(local, 0, sizeof local);
  for (int i = 0; i < 16; ++i) local[(i * 7 + in[0]) % 16] += i;
  out[threadIdx.x] = local[threadIdx.x % 16];
}

__device__ int overflow(int depth) {
  volatile char ballast[1024];
  ballast[0] = static_cast<char>(depth);
  return overflow(depth + 1) + ballast[0];
}
__global__ void recurse(int* out) { out[0] = overflow(0); }

__global__ void divide(int* out, int by) { out[0] = 7 / by; }

} // namespace
/// Each thread has its own block of the heap for a while, and so have those of all other blocks.
__global__ void use_heap(void** places) {
  __shared__ unsigned* own[64];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  places[i] = own[threadIdx.x] = new unsigned(i);
  __syncthreads();
  if (*own[threadIdx.x] == i) *own[threadIdx.x] += 1;
  if (*own[threadIdx.x] != i + 1) places[i] = nullptr;
  delete own[threadIdx.x];
}
__global__ void use_deleted(int* out) {
  __shared__ int* own;
  own = new int[4];
  own[1] = 7;
  __syncthreads();
  delete[] own;
  *out = own[1]; // deleted
}
__global__ void delete_given(int* given) {
  if (given[0] == 0) delete given; // not of the heap
}

extern "C" {
void run_use_heap(void** places, unsigned blocks) { use_heap<<<blocks, 64>>>(places); }
void run_use_deleted(int* out) { use_deleted<<<1, 1>>>(out); }
void run_delete_given(int* given) { delete_given<<<1, 1>>>(given); }
void run_copy(const float* in, float* out, int n) { copy<<<(n + 31) / 32, 32>>>(in, out, n); }
void run_copy_unguarded(const float* in, float* out, int blocks) { copy_unguarded<<<blocks, 32>>>(in, out); }
void run_read_unwritten_shared(float* out) { read_unwritten_shared<<<2, 32>>>(out); }
void run_shared_past_end(float* out) { shared_past_end<<<1, 32>>>(out); }
void run_dynamic_shared(float* out, int n, int bytes) { dynamic_shared<<<1, 1, bytes>>>(out, n); }
void run_misaligned(const float* in, float* out) { misaligned<<<1, 1>>>(in, out); }
void run_read_host_variable(int* out) { read_host_variable<<<1, 1>>>(&host_variable, out); }
void run_read_device_variable(int* out) { read_device_variable<<<1, 1>>>(out); }
int set_constants(const float* values) {
  cudaMemset(nullptr, 0, 0);
  float ones[32];
  for (float& one : ones) one = 1;
  if (cudaMemcpyToSymbol(table, ones, sizeof ones) != cudaSuccess) return 1;
  return cudaMemcpyToSymbol(weights, values, sizeof weights);
}
void run_read_constants(float* out) { read_constants<<<1, 32>>>(out); }
void run_write_to_local(int*) {
  int local = 0;
  write_through<<<1, 1>>>(&local);
}
void run_write_through(int* pointer) { write_through<<<1, 1>>>(pointer); }
void read_on_host(const int* device, int* out) { *out = device[2]; }
void run_copy_padded(void* data) { copy_padded<<<1, 32>>>(static_cast<Padded*>(data)); }
void run_use_local_array(const int* in, int* out) { use_local_array<<<1, 32>>>(in, out); }
void run_recurse(int* out) { recurse<<<1, 1>>>(out); }
void run_divide(int* out, int by) { divide<<<1, 1>>>(out, by); }
int wrong_symbol() { return cudaMemcpyToSymbol(host_variable, &device_variable, sizeof(int)); }
}
