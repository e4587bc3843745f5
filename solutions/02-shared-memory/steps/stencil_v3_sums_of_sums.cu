// Step 3 of stencil: sums of sums.
// Beyond what the lab asks for.
//
// Idea        whoever brings four elements adds them up at once and keeps that sum beside them. A window is then a few
//             elements at both ends and sums of four between them. Where those are many, the block adds up eight
//             of them from every place on, then eight of those sums, and so on: a window of any size is a few
//             words. Sums are never subtracted, so nothing is lost to rounding. A thread moves 16 bytes per access.
// Bottleneck  memory bandwidth up to a radius of some hundreds; beyond, the halos, which neighbouring blocks bring again.
// Counters    radius 16: for 4 sums 2 requests of 16 bytes per lane and 7 of 4 bytes, without conflicts.
// Measured    H200, 2^24 floats, radius 1, 64 and 1024: 3,586, 3,288 and 2,594 GB/s.

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;
constexpr unsigned eight = 8;       // sums that make one of the next level
constexpr unsigned few = 4 * eight; // are added one by one: a level costs barriers
constexpr unsigned far_away = 1024; // from this radius on larger blocks pay, because they share halos

// Four elements from `at` on, which may lie before the array or behind it.
__device__ float4 four_elements(const float* in, long long n, long long at) {
  if (at >= 0 && at + 4 <= n) return *reinterpret_cast<const float4*>(in + at);
  float part[4];
#pragma unroll
  for (int p = 0; p < 4; ++p) part[p] = at + p >= 0 && at + p < n ? in[at + p] : 0.0f;
  return make_float4(part[0], part[1], part[2], part[3]);
}

__device__ void store_four(float* out, std::size_t n, std::size_t i, const float (&sum)[4]) {
  if (i + 4 <= n) {
    *reinterpret_cast<float4*>(out + i) = make_float4(sum[0], sum[1], sum[2], sum[3]);
  } else {
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
      if (i + k < n) out[i + k] = sum[k];
    }
  }
}

// A halo of one vector, of which `radius` elements count: the window lies in three vectors.
template <int radius, unsigned vectors_per_thread>
__global__ void near_kernel(float* out, const float* in, std::size_t n) {
  __shared__ float4 window[vectors_per_thread * threads_per_block + 2];
  constexpr unsigned vectors = vectors_per_thread * threads_per_block;
  const std::size_t first = std::size_t{blockIdx.x} * vectors * 4;
  const auto in_window = [&](unsigned k) {
    return four_elements(in, static_cast<long long>(n), static_cast<long long>(first + 4 * k) - 4);
  };
#pragma unroll
  for (unsigned q = 0; q < vectors_per_thread; ++q) {
    const unsigned k = threadIdx.x + q * threads_per_block;
    window[k] = in_window(k);
  }
  if (threadIdx.x < 2) window[vectors + threadIdx.x] = in_window(vectors + threadIdx.x);
  __syncthreads();
#pragma unroll
  for (unsigned q = 0; q < vectors_per_thread; ++q) {
    const unsigned v = threadIdx.x + q * threads_per_block;
    const float4 a = window[v], b = window[v + 1], c = window[v + 2];
    const float near[12] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w};
    float sum[4] = {};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
#pragma unroll
      for (int p = 4 + k - radius; p <= 4 + k + radius; ++p) sum[k] += near[p];
    }
    store_four(out, n, first + 4 * v, sum);
  }
}

// A halo of `halo` vectors, two or more, whose outermost `unused` elements on each side are beyond the radius.
template <int unused, unsigned vectors_per_thread>
__global__ void far_kernel(float* out, const float* in, std::size_t n, unsigned halo) {
  constexpr unsigned vectors = vectors_per_thread * threads_per_block;
  constexpr int edge =
      unused < 2 ? 1 : 2; // vectors on each side that not all of a thread's four sums have as a whole
  extern __shared__ float4 window[];
  const unsigned held = vectors + 2 * halo;
  float* const of_four = reinterpret_cast<float*>(window + held);
  const std::size_t first = std::size_t{blockIdx.x} * vectors * 4;
  const auto bring = [&](unsigned k) {
    const long long at =
        static_cast<long long>(first + std::size_t{4} * k) - 4 * static_cast<long long>(halo);
    return four_elements(in, static_cast<long long>(n), at);
  };
  const auto keep = [&](unsigned k, float4 v) {
    window[k] = v;
    of_four[k] = (v.x + v.y) + (v.z + v.w);
  };
  float4 brought[vectors_per_thread]; // in registers: all are asked for before the first is there
#pragma unroll
  for (unsigned q = 0; q < vectors_per_thread; ++q) brought[q] = bring(threadIdx.x + q * threads_per_block);
#pragma unroll
  for (unsigned q = 0; q < vectors_per_thread; ++q) keep(threadIdx.x + q * threads_per_block, brought[q]);
  for (unsigned k = threadIdx.x + vectors; k < held; k += threads_per_block) keep(k, bring(k));
  __syncthreads();

  // Both ends of the windows. The four sums of a thread are those around the elements of its vector.
  float sum[vectors_per_thread][4] = {};
#pragma unroll
  for (unsigned q = 0; q < vectors_per_thread; ++q) {
    const unsigned v = threadIdx.x + q * threads_per_block;
#pragma unroll
    for (int e = 0; e < edge; ++e) {
      const float4 a = window[v + e], b = window[v + 2 * halo - e];
      const float before[4] = {a.x, a.y, a.z, a.w}, after[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
      for (int p = 0; p < 4; ++p) {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
          if (4 * e + p >= k + unused) sum[q][k] += before[p];
          if (p - 4 * e <= k - unused) sum[q][k] += after[p];
        }
      }
    }
  }

  // What is between them: `left` sums of four, `step` places apart, from `place` on. Each round adds the few that make
  // no whole eight, and has the rest summed in eights. The window's place is free for that after the first barrier.
  float between[vectors_per_thread] = {};
  unsigned left = 2 * halo + 1 - 2 * edge, place = threadIdx.x + edge, step = 1, known = held;
  float *level = of_four, *next = reinterpret_cast<float*>(window);
  while (left > 0) {
    const unsigned now = left < few ? left : left % eight;
    for (unsigned j = 0; j < now; ++j) {
#pragma unroll
      for (unsigned q = 0; q < vectors_per_thread; ++q)
        between[q] += level[place + j * step + q * threads_per_block];
    }
    place += now * step;
    left = (left - now) / eight;
    if (left == 0) break;
    known -= (eight - 1) * step;
    __syncthreads(); // all have read what the next level replaces
    for (unsigned k = threadIdx.x; k < known; k += threads_per_block) {
      float of_eight = 0;
#pragma unroll
      for (unsigned j = 0; j < eight; ++j) of_eight += level[k + j * step];
      next[k] = of_eight;
    }
    __syncthreads(); // the next level is there
    float* const before = level;
    level = next;
    next = before;
    step *= eight;
  }
#pragma unroll
  for (unsigned q = 0; q < vectors_per_thread; ++q) {
#pragma unroll
    for (float& one : sum[q]) one += between[q];
    store_four(out, n, first + 4 * (threadIdx.x + q * threads_per_block), sum[q]);
  }
}

// A window that does not fit together with its sums of four: step 2.
constexpr unsigned sums_per_block = 4 * threads_per_block;

__global__ void large_kernel(float* out, const float* in, std::size_t n, unsigned radius, unsigned halo) {
  extern __shared__ float4 window[]; // (sums_per_block + 2 * halo) / 4
  float* const words = reinterpret_cast<float*>(window);
  const std::size_t first = std::size_t{blockIdx.x} * sums_per_block;
  for (unsigned k = threadIdx.x; k < sums_per_block + 2 * halo; k += blockDim.x) {
    const std::size_t after = first + k;
    words[k] = after >= halo && after - halo < n ? in[after - halo] : 0.0f;
  }
  __syncthreads();
  const int r = static_cast<int>(radius);
  float common = 0, sum[4] = {};
  for (int place = -static_cast<int>(halo); place <= r + 3; place += 4) {
    const float4 v = window[threadIdx.x + static_cast<unsigned>(place + static_cast<int>(halo)) / 4];
    if (place >= 3 - r && place + 3 <= r) {
      common += (v.x + v.y) + (v.z + v.w);
    } else {
      const float part[4] = {v.x, v.y, v.z, v.w};
      for (int p = 0; p < 4; ++p) {
        for (int q = 0; q < 4; ++q) {
          if (place + p >= q - r && place + p <= q + r) sum[q] += part[p];
        }
      }
    }
  }
  for (float& one : sum) one += common;
  store_four(out, n, first + 4 * threadIdx.x, sum);
}

std::size_t most_shared_bytes() {
  static const int bytes = [] {
    int device = 0, value = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    return value;
  }();
  return static_cast<std::size_t>(bytes);
}

template <typename Kernel, typename... Arguments>
void launch(Kernel kernel, std::size_t sums, std::size_t bytes, float* out, const float* in, std::size_t n,
            Arguments... arguments) {
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  kernel<<<(n + sums - 1) / sums, threads_per_block, bytes>>>(out, in, n, arguments...);
}

// What a block keeps: its elements, the halos, and sums of four.
std::size_t bytes_for(unsigned vectors_per_thread, unsigned halo) {
  return (vectors_per_thread * threads_per_block + 2 * std::size_t{halo}) * (sizeof(float4) + sizeof(float));
}

template <unsigned vectors_per_thread>
void launch_far(float* out, const float* in, std::size_t n, unsigned halo, unsigned unused) {
  constexpr std::size_t sums = vectors_per_thread * sums_per_block;
  const std::size_t bytes = bytes_for(vectors_per_thread, halo);
  switch (unused) {
  case 0:
    return launch(far_kernel<0, vectors_per_thread>, sums, bytes, out, in, n, halo);
  case 1:
    return launch(far_kernel<1, vectors_per_thread>, sums, bytes, out, in, n, halo);
  case 2:
    return launch(far_kernel<2, vectors_per_thread>, sums, bytes, out, in, n, halo);
  default:
    return launch(far_kernel<3, vectors_per_thread>, sums, bytes, out, in, n, halo);
  }
}

template <int radius>
void launch_near(float* out, const float* in, std::size_t n) {
  launch(near_kernel<radius, 2>, 2 * sums_per_block, 0, out, in, n);
}

} // namespace

void stencil(float* out, const float* in, std::size_t n, unsigned radius) {
  if (n == 0) return;
  switch (radius) {
  case 0:
    return launch_near<0>(out, in, n);
  case 1:
    return launch_near<1>(out, in, n);
  case 2:
    return launch_near<2>(out, in, n);
  case 3:
    return launch_near<3>(out, in, n);
  case 4:
    return launch_near<4>(out, in, n);
  default:
    break;
  }
  const unsigned halo = (radius + 3) / 4; // vectors
  if (radius >= far_away && bytes_for(4, halo) <= most_shared_bytes())
    return launch_far<4>(out, in, n, halo, 4 * halo - radius);
  if (bytes_for(2, halo) <= most_shared_bytes()) return launch_far<2>(out, in, n, halo, 4 * halo - radius);
  const std::size_t window = (sums_per_block + 8 * std::size_t{halo}) * sizeof(float);
  launch(large_kernel, sums_per_block, window, out, in, n, radius, 4 * halo);
}
