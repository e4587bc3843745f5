// Ways to read and write memory. Each kernel makes out[i] = {in[i].y + 1, in[i].x} in a way of its own.
#include <cuComplex.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <new>
#include <thread>
#include <utility>

struct Two {
  float x, y;
};
struct alignas(16) Pixel {
  float x, y;
  int padding[2];
};
struct Large {
  float x, y;
  float rest[14];
};
struct Copied {
  float x, y;
  __device__ Copied(float a, float b) : x(a), y(b) {}
  __device__ Copied(const Copied& other) : x(other.x), y(other.y) {}
  __device__ Copied& operator=(const Copied& other) {
    x = other.x;
    y = other.y;
    return *this;
  }
};
struct alignas(64) Spread {
  Two two;
};
union Either {
  Two two;
  double number;
};
struct Bits {
  unsigned low : 12, high : 20;
};
struct Base {
  __device__ virtual Two of(Two two) const = 0;
  __device__ virtual ~Base() {}
};
struct Swapped : Base {
  __device__ Two of(Two two) const override { return {two.y + 1, two.x}; }
};

__device__ Two by_value(Two two) { return {two.y + 1, two.x}; }
__device__ __noinline__ Two by_value_alone(Two two) { return {two.y + 1, two.x}; }
[[gnu::noinline]] __device__ Two by_value_apart(Two two) { return {two.y + 1, two.x}; }
[[gnu::noinline]] __device__ Two large_by_value_apart(Large large) {
  return {large.y + large.rest[threadIdx.x % 14] + 1, large.x};
}
__device__ Two large_by_value(Large large) { return {large.y + 1, large.x}; }
__device__ Two copied_by_value(Copied copied) { return {copied.y + 1, copied.x}; }
__device__ __noinline__ Two by_reference(const Two& two) { return {two.y + 1, two.x}; }
__device__ Large make_large(float x, float y) { return {x, y, {}}; }
template <class... Parts>
__device__ float sum_of(Parts... parts) {
  return (parts + ...);
}
template <class Function>
__device__ Two applied(Function function) {
  return function();
}
__device__ Two first_of(const Two* in, int depth) { return depth == 0 ? by_value(*in) : first_of(in, depth - 1); }

#define WAY(name, ...)                                                                                      \
  __global__ void name(Two* out, const Two* in, unsigned n) {                                               \
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                               \
    if (i >= n) return;                                                                                      \
    __VA_ARGS__                                                                                              \
  }                                                                                                          \
  extern "C" void run_##name(Two* out, const Two* in, unsigned n) { name<<<(n + 63) / 64, 64>>>(out, in, n); }

WAY(members, out[i].x = in[i].y + 1; out[i].y = in[i].x;)
WAY(structure, const Two two = in[i]; out[i] = Two{two.y + 1, two.x};)
WAY(passed_by_value, out[i] = by_value(in[i]);)
WAY(passed_to_no_inline, out[i] = by_value_alone(in[i]);)
WAY(copied_before, const Two two = in[i]; out[i] = by_value_apart(two);)
WAY(passed_by_reference, out[i] = by_reference(in[i]);)
WAY(large, Large large{}; large.x = in[i].x; large.y = in[i].y; out[i] = large_by_value(large);)
WAY(large_in_shared, __shared__ Large all[64]; all[threadIdx.x] = make_large(in[i].x, in[i].y); out[i] = large_by_value(all[threadIdx.x]);)
WAY(copy_constructor, __shared__ alignas(Copied) unsigned char all[64][sizeof(Copied)];
    Copied* own = new (all[threadIdx.x]) Copied(in[i].x, in[i].y); out[i] = copied_by_value(*own);)
WAY(copy_assignment, __shared__ alignas(Copied) unsigned char all[64][sizeof(Copied)];
    Copied* own = reinterpret_cast<Copied*>(all[threadIdx.x]); *own = Copied(in[i].y + 1, in[i].x); out[i] = Two{own->x, own->y};)
WAY(variadic, out[i] = Two{sum_of(in[i].y, 1.F), sum_of(in[i].x)};)
WAY(unions, Either either; either.number = reinterpret_cast<const Either*>(in)[i].number; reinterpret_cast<Either*>(out)[i].two = by_value(either.two);)
WAY(bit_fields, __shared__ Bits all[64]; all[threadIdx.x].low = threadIdx.x; all[threadIdx.x].high = 7;
    const bool right = all[threadIdx.x].low == threadIdx.x && all[threadIdx.x].high == 7; out[i] = right ? by_value(in[i]) : Two{};)
WAY(complex_numbers, const cuFloatComplex z = reinterpret_cast<const cuFloatComplex*>(in)[i];
    reinterpret_cast<cuFloatComplex*>(out)[i] = make_cuFloatComplex(cuCimagf(z) + 1, cuCrealf(z));)
WAY(vectors, const float2 v = reinterpret_cast<const float2*>(in)[i]; reinterpret_cast<float2*>(out)[i] = make_float2(v.y + 1, v.x);)
WAY(wide_vectors, if (i % 2 == 1) return; if (i + 1 == n) { out[i] = by_value(in[i]); return; }
    const float4 v = reinterpret_cast<const float4*>(in)[i / 2]; reinterpret_cast<float4*>(out)[i / 2] = make_float4(v.y + 1, v.x, v.w + 1, v.z);)
WAY(vectors_in_unions, union { float2 v; float f[2]; } own = {reinterpret_cast<const float2*>(in)[i]}, copy = own;
    copy.v = make_float2(own.f[1] + 1, own.v.x); own = copy; reinterpret_cast<decltype(own)*>(out)[i] = own;)
WAY(lambda_by_reference, const auto swap = [&] { return Two{in[i].y + 1, in[i].x}; }; out[i] = swap();)
WAY(lambda_by_value, const Two two = in[i]; out[i] = applied([two] { return Two{two.y + 1, two.x}; });)
WAY(placement_new, new (out + i) Two{in[i].y + 1, in[i].x};)
WAY(device_heap, Base* base = new Swapped; Two* two = static_cast<Two*>(malloc(sizeof(Two))); *two = in[i];
    Two* all = new Two[2]; const Two copied = *two; all[1] = base->of(copied); Spread* spread = new Spread; spread->two = all[1]; Spread* more = new Spread[2];
    more[1].two = spread->two; void* plain = ::operator new(sizeof(Two)); memcpy(plain, &more[1].two, sizeof(Two));
    out[i] = reinterpret_cast<size_t>(spread) % alignof(Spread) == 0 ? *static_cast<Two*>(plain) : Two{};
    two = i < n ? two : nullptr; delete base; free(two); delete[] all; delete spread; delete[] more; ::operator delete(plain);
    two = nullptr; delete two; delete[] two; free(two);)
WAY(memory_copy, Two two; memcpy(&two, in + i, sizeof two); two = by_value(two); memcpy(out + i, &two, sizeof two);)
WAY(memory_set, memset(out + i, 0, sizeof *out); out[i].x += in[i].y + 1; out[i].y += in[i].x;)
WAY(swapped, out[i] = Two{in[i].x, in[i].y + 1}; std::swap(out[i].x, out[i].y);)
WAY(binding, const auto [x, y] = in[i]; out[i] = {y + 1, x};)
WAY(choice, out[i] = by_value(i % 2 == 0 ? in[i] : in[i / 2 * 2 + 1]);)
WAY(member_pointers, float Two::*x = i < n ? &Two::x : &Two::y; out[i].*x = in[i].y + 1; out[i].y = in[i].*x;)
WAY(volatile_members, const volatile Two* from = in + i; volatile Two* to = out + i; to->x = from->y + 1; to->y = from->x;)
WAY(read_only_loads, out[i] = Two{__ldg(&in[i].y) + 1, __ldcs(&in[i].x)};)
WAY(atomics, out[i] = {1, 0}; atomicAdd(&out[i].x, in[i].y); atomicExch(&out[i].y, in[i].x);)
WAY(through_function_pointer, Two (*f)(Two) = i < n ? by_value : by_value_alone; const Two two = in[i]; out[i] = f(two);)
WAY(virtual_call, const Swapped swapped; const Base* base = &swapped; const Two two = in[i]; out[i] = base->of(two);)
WAY(recursion, out[i] = first_of(in + i, threadIdx.x % 4);)
WAY(bytes, const unsigned char* from = reinterpret_cast<const unsigned char*>(in + i); Two two;
    for (unsigned k = 0; k < sizeof two; ++k) reinterpret_cast<unsigned char*>(&two)[k] = from[k];
    two = by_value(two);
    for (unsigned k = 0; k < sizeof two; ++k) reinterpret_cast<unsigned char*>(out + i)[k] = reinterpret_cast<unsigned char*>(&two)[k];)
WAY(in_arrays, __shared__ Two tile[8][8]; Two(&row)[8] = tile[threadIdx.x / 8]; row[threadIdx.x % 8] = in[i]; out[i] = by_value(row[threadIdx.x % 8]);)

// What the simulator does not see: no function of the compiler's own, and with g++ no structure that lies in memory and is passed by
// value to a function of its own.
__global__ void unseen_builtin(Two* out, const Two* in, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = 0;
  volatile std::size_t one = 1;
  for (unsigned k = 0; k < sizeof x; ++k)
    __builtin_strncpy(reinterpret_cast<char*>(&x) + k, reinterpret_cast<const char*>(&in[i].x) + k, one); // builtin
  out[i] = Two{in[i].y + 1, x};
}
extern "C" void run_unseen_builtin(Two* out, const Two* in, unsigned n) { unseen_builtin<<<(n + 63) / 64, 64>>>(out, in, n); }

__global__ void unseen_by_value(Two* out, const Two* in, unsigned n) {
  __shared__ Large all[64];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  all[threadIdx.x] = make_large(in[i].x, in[i].y);
  reinterpret_cast<volatile float&>(out[i].x) = 0; // up to the next access what was announced is open
  out[i] = large_by_value_apart(all[threadIdx.x]); // by value
}
extern "C" void run_unseen_by_value(Two* out, const Two* in, unsigned n) { unseen_by_value<<<(n + 63) / 64, 64>>>(out, in, n); }

// The last threads read beyond the array's end what they do not use.
[[gnu::noipa]] __device__ float first_of_large(Large large) { return large.x; }
__global__ void beyond_by_value(Two* out, const Two* in, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float next = first_of_large(reinterpret_cast<const Large*>(in)[i / 8 + 1]); // beyond by value
  out[i] = Two{in[i].y + (i + 1 < n ? 1 + 0 * next : 1), in[i].x};
}
extern "C" void run_beyond_by_value(Two* out, const Two* in, unsigned n) { beyond_by_value<<<(n + 63) / 64, 64>>>(out, in, n); }

// Local memory is each thread's own, whoever has its address.
__global__ void of_another_thread(Two* out, const Two* in, unsigned n) {
  __shared__ Two* values[64];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  Two mine = i < n ? Two{in[i].y + 1, in[i].x} : Two{};
  values[t] = &mine;
  __syncthreads();
  const Two theirs = *values[t ^ 1]; // another's
  __syncthreads();
  if (i < n) out[i ^ 1] = theirs;
}
extern "C" void run_of_another_thread(Two* out, const Two* in, unsigned n) { of_another_thread<<<(n + 63) / 64, 64>>>(out, in, n); }

// Two launches, of which each is needed.
__global__ void work(Two* out, const Two* from, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = Two{from[i].y + 1, from[i].x};
}
__global__ void copies(Two* to, const Two* from, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}
extern "C" void run_by_two_launches(Two* out, const Two* in, unsigned n) {
  Two* scratch;
  cudaMalloc(&scratch, n * sizeof(Two));
  copies<<<(n + 63) / 64, 64>>>(scratch, in, n);
  work<<<(n + 63) / 64, 64>>>(out, scratch, n);
  cudaFree(scratch);
}

// Memory of the host. Kernels may use what is registered, where they say so.
static Two of_the_host[1024];
__device__ Two beside;
__attribute__((section("simt_mine"))) static Two in_the_same_page[186] = {{1, 1}};
__global__ void copies_all(Two* to, const Two* from, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
  if (i == 0) beside = from[0];
}
static Two* registered() {
  Two* memory = nullptr;
  cudaHostRegister(of_the_host, sizeof of_the_host, cudaHostRegisterMapped);
  cudaHostGetDevicePointer(reinterpret_cast<void**>(&memory), of_the_host, 0);
  return memory;
}
extern "C" void run_registered(Two* out, const Two* in, unsigned n) {
  Two* const there = registered();
  copies_all<<<(n + 63) / 64, 64>>>(there, in, n);
  cudaDeviceSynchronize();
  of_the_host[0].x += 0;
  members<<<(n + 63) / 64, 64>>>(out, there, n);
  cudaHostUnregister(of_the_host);
}

// A kernel waits for a thread of the host, which uses its own memory meanwhile.
static unsigned answer = 0, asked = 0;
__global__ void waits(Two* out, const Two* in, unsigned n, volatile unsigned* answered) {
  while (*answered == 0) {}
  if (threadIdx.x < n) out[threadIdx.x] = Two{in[threadIdx.x].y + 1, in[threadIdx.x].x};
}
// The hooks take what a thread of the host does for the running lane's.
__attribute__((no_sanitize("thread"))) static void answers() {
  for (asked = 0; asked < 1000; ++asked) ::operator delete(::operator new(asked));
  answer = 1;
}
extern "C" void run_with_a_thread(Two* out, const Two* in, unsigned n) {
  answer = 0;
  cudaHostRegister(&answer, sizeof answer, cudaHostRegisterMapped);
  std::thread host(answers);
  waits<<<1, 256>>>(out, in, n, &answer);
  host.join();
  cudaHostUnregister(&answer);
}

__global__ void unseen_on_host(Two* on_host, const Two* in, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Two two = by_value(in[i]);
  volatile std::size_t one = 1;
  for (unsigned k = 0; k < sizeof two; ++k)
    __builtin_strncpy(reinterpret_cast<char*>(on_host + i) + k, reinterpret_cast<const char*>(&two) + k, one); // on the host
}
static void by_way_of_the_host(Two* there, Two* out, const Two* in, unsigned n) {
  for (unsigned i = 0; i < n; ++i) there[i] = {};
  unseen_on_host<<<(n + 63) / 64, 64>>>(there, in, n);
  cudaMemcpy(out, there, n * sizeof *out, cudaMemcpyHostToDevice);
}
extern "C" void run_unseen_beside(Two* out, const Two* in, unsigned n) { by_way_of_the_host(in_the_same_page, out, in, n); }
extern "C" void run_unseen_on_host(Two* out, const Two* in, unsigned n) { by_way_of_the_host(of_the_host + 1024 - n, out, in, n); }
