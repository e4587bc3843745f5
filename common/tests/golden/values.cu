// The kernels of values.csv. Built for the simulator as a module, and for a GPU as a program that prints the table:
//   nvcc -std=c++20 -arch=native -DGOLDEN_PROGRAM -o values values.cu
// (measure.py does that). Each of 64 threads gives one word.

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <type_traits>
#include <vector>

#include "values.hpp"

namespace {

// ---- textures. Extents are odd, so that edges do not fall on powers of two.

constexpr int width = 7, height = 5, depth = 3;

/// A coordinate of thread `i`: in steps of 11/64 of a texel from below the first texel to beyond the last.
__device__ float coordinate(int i, int extent, bool is_normalized) {
  const float texel = -3.3125f + static_cast<float>(i) * (static_cast<float>(extent) + 6.0f) / 64.0f;
  return is_normalized ? texel / static_cast<float>(extent) : texel;
}

template <typename T>
__device__ std::uint32_t bits_of(T value) {
  static_assert(sizeof(T) == 4);
  std::uint32_t bits;
  memcpy(&bits, &value, 4);
  return bits;
}

struct View {
  cudaTextureObject_t texture;
  bool is_normalized;
};

__device__ float x_of(View view) {
  return coordinate(static_cast<int>(threadIdx.x), width, view.is_normalized);
}
__device__ float y_of(View view) {
  return coordinate(static_cast<int>(threadIdx.x * 5 % 64), height, view.is_normalized);
}
__device__ float z_of(View view) {
  return coordinate(static_cast<int>(threadIdx.x * 3 % 64), depth, view.is_normalized);
}

__global__ void sample_1d(View view, std::uint32_t* values) {
  values[threadIdx.x] = bits_of(tex1D<float>(view.texture, x_of(view)));
}
__global__ void sample_2d(View view, std::uint32_t* values) {
  values[threadIdx.x] = bits_of(tex2D<float>(view.texture, x_of(view), y_of(view)));
}
__global__ void sample_3d(View view, std::uint32_t* values) {
  values[threadIdx.x] = bits_of(tex3D<float>(view.texture, x_of(view), y_of(view), z_of(view)));
}
__global__ void sample_layers(View view, std::uint32_t* values) {
  values[threadIdx.x] =
      bits_of(tex2DLayered<float>(view.texture, x_of(view), y_of(view), static_cast<int>(threadIdx.x % 5)));
}
__global__ void sample_layered_lines(View view, std::uint32_t* values) {
  values[threadIdx.x] =
      bits_of(tex1DLayered<float>(view.texture, x_of(view), static_cast<int>(threadIdx.x % 5)));
}
__global__ void fetch_elements(View view, std::uint32_t* values) {
  values[threadIdx.x] = bits_of(tex1Dfetch<float>(view.texture, static_cast<int>(threadIdx.x) - 14));
}
__global__ void gather(View view, std::uint32_t* values) {
  const float4 four = tex2Dgather<float4>(view.texture, x_of(view), y_of(view));
  const float parts[] = {four.x, four.y, four.z, four.w};
  values[threadIdx.x] = bits_of(parts[threadIdx.x % 4]);
}

enum class Shape { line, plane, volume, lines, layers, memory };
enum class Texel { floats, halves, bytes, signed_bytes, shorts, signed_shorts };
enum class Coordinates { in_texels, normalised };

struct TextureCase {
  void (*kernel)(View, std::uint32_t*);
  Shape shape;
  Texel texel;
  cudaTextureAddressMode mode;
  cudaTextureFilterMode filter;
  Coordinates coordinates;
  char name[value_name_bytes];
};

const TextureCase texture_cases[] = {
    {sample_1d, Shape::line, Texel::floats, cudaAddressModeClamp, cudaFilterModePoint, Coordinates::in_texels,
     "line_clamp_point"},
    {sample_1d, Shape::line, Texel::floats, cudaAddressModeClamp, cudaFilterModeLinear,
     Coordinates::in_texels, "line_clamp_linear"},
    {sample_1d, Shape::line, Texel::floats, cudaAddressModeBorder, cudaFilterModePoint,
     Coordinates::in_texels, "line_border_point"},
    {sample_1d, Shape::line, Texel::floats, cudaAddressModeBorder, cudaFilterModeLinear,
     Coordinates::in_texels, "line_border_linear"},
    {sample_1d, Shape::line, Texel::floats, cudaAddressModeWrap, cudaFilterModePoint, Coordinates::normalised,
     "line_wrap_point"},
    {sample_1d, Shape::line, Texel::floats, cudaAddressModeWrap, cudaFilterModeLinear,
     Coordinates::normalised, "line_wrap_linear"},
    {sample_1d, Shape::line, Texel::floats, cudaAddressModeMirror, cudaFilterModePoint,
     Coordinates::normalised, "line_mirror_point"},
    {sample_1d, Shape::line, Texel::floats, cudaAddressModeMirror, cudaFilterModeLinear,
     Coordinates::normalised, "line_mirror_linear"},
    {sample_2d, Shape::plane, Texel::floats, cudaAddressModeClamp, cudaFilterModePoint,
     Coordinates::in_texels, "plane_clamp_point"},
    {sample_2d, Shape::plane, Texel::floats, cudaAddressModeClamp, cudaFilterModeLinear,
     Coordinates::in_texels, "plane_clamp_linear"},
    {sample_2d, Shape::plane, Texel::floats, cudaAddressModeBorder, cudaFilterModeLinear,
     Coordinates::in_texels, "plane_border_linear"},
    {sample_2d, Shape::plane, Texel::floats, cudaAddressModeWrap, cudaFilterModePoint,
     Coordinates::normalised, "plane_wrap_point"},
    {sample_2d, Shape::plane, Texel::floats, cudaAddressModeWrap, cudaFilterModeLinear,
     Coordinates::normalised, "plane_wrap_linear"},
    {sample_2d, Shape::plane, Texel::floats, cudaAddressModeMirror, cudaFilterModeLinear,
     Coordinates::normalised, "plane_mirror_linear"},
    {sample_2d, Shape::plane, Texel::halves, cudaAddressModeClamp, cudaFilterModePoint,
     Coordinates::in_texels, "halves_clamp_point"},
    {sample_2d, Shape::plane, Texel::halves, cudaAddressModeClamp, cudaFilterModeLinear,
     Coordinates::in_texels, "halves_clamp_linear"},
    {sample_2d, Shape::plane, Texel::bytes, cudaAddressModeClamp, cudaFilterModePoint, Coordinates::in_texels,
     "bytes_clamp_point"},
    {sample_2d, Shape::plane, Texel::bytes, cudaAddressModeClamp, cudaFilterModeLinear,
     Coordinates::in_texels, "bytes_clamp_linear"},
    {sample_2d, Shape::plane, Texel::bytes, cudaAddressModeWrap, cudaFilterModeLinear,
     Coordinates::normalised, "bytes_wrap_linear"},
    {sample_2d, Shape::plane, Texel::signed_shorts, cudaAddressModeClamp, cudaFilterModePoint,
     Coordinates::in_texels, "shorts_clamp_point"},
    {sample_2d, Shape::plane, Texel::signed_shorts, cudaAddressModeClamp, cudaFilterModeLinear,
     Coordinates::in_texels, "shorts_clamp_linear"},
    {sample_3d, Shape::volume, Texel::floats, cudaAddressModeClamp, cudaFilterModePoint,
     Coordinates::in_texels, "volume_clamp_point"},
    {sample_3d, Shape::volume, Texel::floats, cudaAddressModeClamp, cudaFilterModeLinear,
     Coordinates::in_texels, "volume_clamp_linear"},
    {sample_3d, Shape::volume, Texel::floats, cudaAddressModeWrap, cudaFilterModeLinear,
     Coordinates::normalised, "volume_wrap_linear"},
    {sample_3d, Shape::volume, Texel::bytes, cudaAddressModeMirror, cudaFilterModeLinear,
     Coordinates::normalised, "volume_bytes_mirror_linear"},
    {sample_layers, Shape::layers, Texel::floats, cudaAddressModeClamp, cudaFilterModePoint,
     Coordinates::in_texels, "layers_clamp_point"},
    {sample_layers, Shape::layers, Texel::floats, cudaAddressModeClamp, cudaFilterModeLinear,
     Coordinates::in_texels, "layers_clamp_linear"},
    {fetch_elements, Shape::memory, Texel::floats, cudaAddressModeClamp, cudaFilterModePoint,
     Coordinates::in_texels, "memory_fetch"},
    {fetch_elements, Shape::memory, Texel::bytes, cudaAddressModeClamp, cudaFilterModePoint,
     Coordinates::in_texels, "memory_fetch_bytes"},
    {gather, Shape::plane, Texel::floats, cudaAddressModeClamp, cudaFilterModePoint, Coordinates::in_texels,
     "plane_gather"},
    {sample_1d, Shape::line, Texel::signed_bytes, cudaAddressModeClamp, cudaFilterModePoint,
     Coordinates::in_texels, "line_signed_bytes"},
    {sample_1d, Shape::line, Texel::signed_bytes, cudaAddressModeClamp, cudaFilterModeLinear,
     Coordinates::in_texels, "line_signed_bytes_linear"},
    {sample_1d, Shape::line, Texel::shorts, cudaAddressModeBorder, cudaFilterModeLinear,
     Coordinates::in_texels, "line_shorts_border_linear"},
    {sample_2d, Shape::plane, Texel::signed_bytes, cudaAddressModeClamp, cudaFilterModeLinear,
     Coordinates::in_texels, "signed_bytes_clamp_linear"},
    {sample_2d, Shape::plane, Texel::signed_bytes, cudaAddressModeMirror, cudaFilterModeLinear,
     Coordinates::normalised, "signed_bytes_mirror_linear"},
    {sample_2d, Shape::plane, Texel::shorts, cudaAddressModeClamp, cudaFilterModePoint,
     Coordinates::in_texels, "shorts_unsigned_clamp_point"},
    {sample_2d, Shape::plane, Texel::shorts, cudaAddressModeWrap, cudaFilterModeLinear,
     Coordinates::normalised, "shorts_unsigned_wrap_linear"},
    {sample_2d, Shape::plane, Texel::bytes, cudaAddressModeBorder, cudaFilterModeLinear,
     Coordinates::in_texels, "bytes_border_linear"},
    {sample_2d, Shape::plane, Texel::floats, cudaAddressModeClamp, cudaFilterModePoint,
     Coordinates::normalised, "plane_normalised_clamp_point"},
    {sample_2d, Shape::plane, Texel::floats, cudaAddressModeClamp, cudaFilterModeLinear,
     Coordinates::normalised, "plane_normalised_clamp_linear"},
    {sample_2d, Shape::plane, Texel::floats, cudaAddressModeBorder, cudaFilterModeLinear,
     Coordinates::normalised, "plane_normalised_border_linear"},
    {sample_2d, Shape::plane, Texel::halves, cudaAddressModeWrap, cudaFilterModeLinear,
     Coordinates::normalised, "halves_wrap_linear"},
    {sample_2d, Shape::plane, Texel::halves, cudaAddressModeBorder, cudaFilterModeLinear,
     Coordinates::in_texels, "halves_border_linear"},
    {sample_3d, Shape::volume, Texel::floats, cudaAddressModeBorder, cudaFilterModeLinear,
     Coordinates::in_texels, "volume_border_linear"},
    {sample_3d, Shape::volume, Texel::floats, cudaAddressModeMirror, cudaFilterModeLinear,
     Coordinates::normalised, "volume_mirror_linear"},
    {sample_3d, Shape::volume, Texel::halves, cudaAddressModeMirror, cudaFilterModeLinear,
     Coordinates::normalised, "volume_halves_mirror_linear"},
    {sample_3d, Shape::volume, Texel::signed_shorts, cudaAddressModeWrap, cudaFilterModeLinear,
     Coordinates::normalised, "volume_shorts_wrap_linear"},
    {sample_layered_lines, Shape::lines, Texel::floats, cudaAddressModeClamp, cudaFilterModeLinear,
     Coordinates::in_texels, "lines_clamp_linear"},
    {sample_layered_lines, Shape::lines, Texel::floats, cudaAddressModeBorder, cudaFilterModeLinear,
     Coordinates::in_texels, "lines_border_linear"},
    {sample_layers, Shape::layers, Texel::bytes, cudaAddressModeWrap, cudaFilterModeLinear,
     Coordinates::normalised, "layers_bytes_wrap_linear"},
    {gather, Shape::plane, Texel::floats, cudaAddressModeWrap, cudaFilterModePoint, Coordinates::normalised,
     "plane_gather_wrap"},
    {gather, Shape::plane, Texel::bytes, cudaAddressModeBorder, cudaFilterModePoint, Coordinates::in_texels,
     "bytes_gather_border"},
};

template <typename T>
std::vector<char> texels(int count) {
  std::vector<char> all(static_cast<std::size_t>(count) * sizeof(T));
  for (int i = 0; i < count; ++i) {
    const int number = i * 37 % 101; // irregular, so that no two neighbours are alike
    T value;
    if constexpr (std::is_same_v<T, unsigned char>)
      value = static_cast<T>(number * 2 + 17);
    else if constexpr (std::is_same_v<T, signed char>)
      value = static_cast<T>(number * 2 - 100);
    else if constexpr (sizeof(T) == 4)
      value = static_cast<T>(static_cast<float>(number) / 7.0f - 5.0f);
    else if constexpr (std::is_same_v<T, short>)
      value = static_cast<short>(number * 643 - 32700);
    else if constexpr (std::is_same_v<T, unsigned short>)
      value = static_cast<unsigned short>(number * 643 + 200);
    else
      value = __float2half(static_cast<float>(number) / 8.0f - 5.0f);
    memcpy(all.data() + static_cast<std::size_t>(i) * sizeof(T), &value, sizeof(T));
  }
  return all;
}

void run(const TextureCase& chosen, std::uint32_t* values) {
  const int count = width * height * depth;
  std::vector<char> data;
  cudaChannelFormatDesc desc{};
  switch (chosen.texel) {
  case Texel::floats:
    data = texels<float>(count), desc = cudaCreateChannelDesc<float>();
    break;
  case Texel::halves:
    data = texels<__half>(count), desc = cudaCreateChannelDescHalf();
    break;
  case Texel::bytes:
    data = texels<unsigned char>(count), desc = cudaCreateChannelDesc<unsigned char>();
    break;
  case Texel::signed_bytes:
    data = texels<signed char>(count), desc = cudaCreateChannelDesc<signed char>();
    break;
  case Texel::shorts:
    data = texels<unsigned short>(count), desc = cudaCreateChannelDesc<unsigned short>();
    break;
  case Texel::signed_shorts:
    data = texels<short>(count), desc = cudaCreateChannelDesc<short>();
    break;
  }
  const std::size_t texel_bytes = data.size() / static_cast<std::size_t>(count);
  cudaResourceDesc resource{};
  cudaArray_t array = nullptr;
  void* memory = nullptr;
  if (chosen.shape == Shape::memory) {
    cudaMalloc(&memory, data.size());
    cudaMemcpy(memory, data.data(), data.size(), cudaMemcpyHostToDevice);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {memory, desc, 31 * texel_bytes};
  } else {
    const bool is_layered = chosen.shape == Shape::lines || chosen.shape == Shape::layers;
    const bool is_line = chosen.shape == Shape::line || chosen.shape == Shape::lines;
    const bool is_deep = chosen.shape == Shape::volume || is_layered;
    const cudaExtent extent = {width, is_line ? 0u : height, is_deep ? depth : 0u};
    if (is_deep) {
      cudaMalloc3DArray(&array, &desc, extent, is_layered ? cudaArrayLayered : cudaArrayDefault);
      cudaMemcpy3DParms copy{};
      copy.srcPtr = {data.data(), width * texel_bytes, width, is_line ? 1u : height};
      copy.dstArray = array;
      copy.extent = {width, is_line ? 1u : height, depth};
      copy.kind = cudaMemcpyHostToDevice;
      cudaMemcpy3D(&copy);
    } else {
      cudaMallocArray(&array, &desc, extent.width, extent.height,
                      chosen.kernel == gather ? cudaArrayTextureGather : cudaArrayDefault);
      cudaMemcpy2DToArray(array, 0, 0, data.data(), width * texel_bytes, width * texel_bytes,
                          is_line ? 1 : height, cudaMemcpyHostToDevice);
    }
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
  }
  cudaTextureDesc texture{};
  for (cudaTextureAddressMode& mode : texture.addressMode) mode = chosen.mode;
  texture.filterMode = chosen.filter;
  const bool is_float = chosen.texel == Texel::floats || chosen.texel == Texel::halves;
  texture.readMode = is_float ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
  texture.normalizedCoords = chosen.coordinates == Coordinates::normalised;
  View view{0, texture.normalizedCoords != 0};
  cudaCreateTextureObject(&view.texture, &resource, &texture, nullptr);
  chosen.kernel<<<1, values_per_case>>>(view, values);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(view.texture);
  cudaFreeArray(array);
  cudaFree(memory);
}

// ---- atomic functions. Each thread has a cell of its own, so that no order matters. Its word is a mix of what the function
// returns and what it leaves in the cell.

template <typename T>
__device__ std::uint64_t wide(T value) {
  std::uint64_t bits = 0;
  memcpy(&bits, &value, sizeof(T));
  return bits;
}

__device__ std::uint32_t mixed(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t sum = (a + 1) * 0x9e3779b97f4a7c15u + b;
  return static_cast<std::uint32_t>(sum ^ (sum >> 32));
}

/// Numbers around the edges of their type; `i` below 8.
template <typename T>
__device__ T edge(unsigned i) {
  constexpr T lowest_bit = 1, highest_bit = static_cast<T>(lowest_bit << (8 * sizeof(T) - 1));
  const T numbers[] = {
      0, 1, 2, 77, static_cast<T>(-1), static_cast<T>(-2), highest_bit, static_cast<T>(~highest_bit)};
  return numbers[i];
}
template <>
__device__ float edge<float>(unsigned i) {
  const float numbers[] = {0.0f, -0.0f, 1e-40f, -3e-39f, 1.17549435e-38f, -1.0f, 16777216.0f, 0.1f};
  return numbers[i];
}
template <>
__device__ double edge<double>(unsigned i) {
  const double numbers[] = {0.0, -0.0, 1e-310, -3e-309, 2.2250738585072014e-308, -1.0, 9007199254740992.0,
                            0.1};
  return numbers[i];
}
template <>
__device__ __half edge<__half>(unsigned i) {
  const float numbers[] = {0.0f, -0.0f, 6e-8f, -3e-5f, 6.104e-5f, -1.0f, 2048.0f, 0.1f};
  return __float2half(numbers[i]);
}
template <>
__device__ __half2 edge<__half2>(unsigned i) {
  return __halves2half2(edge<__half>(i), edge<__half>(7 - i));
}

struct Add {
  template <typename T>
  __device__ T operator()(T* cell, T value) const {
    return atomicAdd(cell, value);
  }
};
struct Subtract {
  template <typename T>
  __device__ T operator()(T* cell, T value) const {
    return atomicSub(cell, value);
  }
};
struct Exchange {
  template <typename T>
  __device__ T operator()(T* cell, T value) const {
    return atomicExch(cell, value);
  }
};
struct Minimum {
  template <typename T>
  __device__ T operator()(T* cell, T value) const {
    return atomicMin(cell, value);
  }
};
struct Maximum {
  template <typename T>
  __device__ T operator()(T* cell, T value) const {
    return atomicMax(cell, value);
  }
};
struct Increment {
  __device__ unsigned operator()(unsigned* cell, unsigned value) const { return atomicInc(cell, value); }
};
struct Decrement {
  __device__ unsigned operator()(unsigned* cell, unsigned value) const { return atomicDec(cell, value); }
};
struct And {
  template <typename T>
  __device__ T operator()(T* cell, T value) const {
    return atomicAnd(cell, value);
  }
};
struct Or {
  template <typename T>
  __device__ T operator()(T* cell, T value) const {
    return atomicOr(cell, value);
  }
};
struct ExclusiveOr {
  template <typename T>
  __device__ T operator()(T* cell, T value) const {
    return atomicXor(cell, value);
  }
};
/// Of the lanes, those with an even number expect what is there.
struct CompareAndSwap {
  template <typename T>
  __device__ T operator()(T* cell, T value) const {
    const T expected = static_cast<T>(*cell + threadIdx.x % 2);
    return atomicCAS(cell, expected, value);
  }
};

template <typename T, typename Update>
__global__ void update_global(std::uint64_t* cells, std::uint32_t* values) {
  T* const cell = reinterpret_cast<T*>(cells + threadIdx.x);
  *cell = edge<T>(threadIdx.x % 8);
  const T returned = Update{}(cell, edge<T>(threadIdx.x / 8));
  values[threadIdx.x] = mixed(wide(returned), wide(*cell));
}

template <typename T, typename Update>
__global__ void update_shared(std::uint64_t*, std::uint32_t* values) {
  __shared__ std::uint64_t cells[values_per_case];
  T* const cell = reinterpret_cast<T*>(cells + threadIdx.x);
  *cell = edge<T>(threadIdx.x % 8);
  const T returned = Update{}(cell, edge<T>(threadIdx.x / 8));
  values[threadIdx.x] = mixed(wide(returned), wide(*cell));
}

struct AtomicCase {
  void (*kernel)(std::uint64_t*, std::uint32_t*);
  char name[value_name_bytes];
};

using u64 = unsigned long long;
using i64 = long long;

const AtomicCase atomic_cases[] = {
    {update_global<int, Add>, "add_i32_global"},
    {update_shared<int, Add>, "add_i32_shared"},
    {update_global<unsigned, Add>, "add_u32_global"},
    {update_shared<unsigned, Add>, "add_u32_shared"},
    {update_global<u64, Add>, "add_u64_global"},
    {update_shared<u64, Add>, "add_u64_shared"},
    {update_global<float, Add>, "add_f32_global"},
    {update_shared<float, Add>, "add_f32_shared"},
    {update_global<double, Add>, "add_f64_global"},
    {update_shared<double, Add>, "add_f64_shared"},
    {update_global<__half, Add>, "add_f16_global"},
    {update_shared<__half, Add>, "add_f16_shared"},
    {update_global<__half2, Add>, "add_f16x2_global"},
    {update_shared<__half2, Add>, "add_f16x2_shared"},
    {update_global<int, Subtract>, "sub_i32_global"},
    {update_shared<int, Subtract>, "sub_i32_shared"},
    {update_global<unsigned, Subtract>, "sub_u32_global"},
    {update_shared<unsigned, Subtract>, "sub_u32_shared"},
    {update_global<int, Exchange>, "exchange_i32_global"},
    {update_shared<int, Exchange>, "exchange_i32_shared"},
    {update_global<u64, Exchange>, "exchange_u64_global"},
    {update_shared<u64, Exchange>, "exchange_u64_shared"},
    {update_global<float, Exchange>, "exchange_f32_global"},
    {update_shared<float, Exchange>, "exchange_f32_shared"},
    {update_global<int, Minimum>, "min_i32_global"},
    {update_shared<int, Minimum>, "min_i32_shared"},
    {update_global<unsigned, Minimum>, "min_u32_global"},
    {update_shared<unsigned, Minimum>, "min_u32_shared"},
    {update_global<u64, Minimum>, "min_u64_global"},
    {update_shared<u64, Minimum>, "min_u64_shared"},
    {update_global<i64, Minimum>, "min_i64_global"},
    {update_shared<i64, Minimum>, "min_i64_shared"},
    {update_global<int, Maximum>, "max_i32_global"},
    {update_shared<int, Maximum>, "max_i32_shared"},
    {update_global<unsigned, Maximum>, "max_u32_global"},
    {update_shared<unsigned, Maximum>, "max_u32_shared"},
    {update_global<u64, Maximum>, "max_u64_global"},
    {update_shared<u64, Maximum>, "max_u64_shared"},
    {update_global<i64, Maximum>, "max_i64_global"},
    {update_shared<i64, Maximum>, "max_i64_shared"},
    {update_global<unsigned, Increment>, "inc_u32_global"},
    {update_shared<unsigned, Increment>, "inc_u32_shared"},
    {update_global<unsigned, Decrement>, "dec_u32_global"},
    {update_shared<unsigned, Decrement>, "dec_u32_shared"},
    {update_global<unsigned, And>, "and_u32_global"},
    {update_shared<unsigned, And>, "and_u32_shared"},
    {update_global<u64, And>, "and_u64_global"},
    {update_shared<u64, And>, "and_u64_shared"},
    {update_global<int, Or>, "or_i32_global"},
    {update_shared<int, Or>, "or_i32_shared"},
    {update_global<u64, Or>, "or_u64_global"},
    {update_shared<u64, Or>, "or_u64_shared"},
    {update_global<int, ExclusiveOr>, "xor_i32_global"},
    {update_shared<int, ExclusiveOr>, "xor_i32_shared"},
    {update_global<u64, ExclusiveOr>, "xor_u64_global"},
    {update_shared<u64, ExclusiveOr>, "xor_u64_shared"},
    {update_global<unsigned short, CompareAndSwap>, "cas_u16_global"},
    {update_shared<unsigned short, CompareAndSwap>, "cas_u16_shared"},
    {update_global<int, CompareAndSwap>, "cas_i32_global"},
    {update_shared<int, CompareAndSwap>, "cas_i32_shared"},
    {update_global<u64, CompareAndSwap>, "cas_u64_global"},
    {update_shared<u64, CompareAndSwap>, "cas_u64_shared"},
};

constexpr int texture_count = sizeof texture_cases / sizeof texture_cases[0];
constexpr int atomic_count = sizeof atomic_cases / sizeof atomic_cases[0];

} // namespace

int value_cases() { return texture_count + atomic_count; }

void value_name(int index, char* name) {
  const char* chosen =
      index < texture_count ? texture_cases[index].name : atomic_cases[index - texture_count].name;
  cudaMemcpy(name, chosen, value_name_bytes, cudaMemcpyHostToDevice);
}

void value_case(int index, std::uint32_t* values) {
  if (index < texture_count) return run(texture_cases[index], values);
  std::uint64_t* cells = nullptr;
  cudaMalloc(&cells, values_per_case * sizeof *cells);
  atomic_cases[index - texture_count].kernel<<<1, values_per_case>>>(cells, values);
  cudaFree(cells);
}

#ifdef GOLDEN_PROGRAM
int main() {
  char* name = nullptr;
  std::uint32_t* values = nullptr;
  cudaMallocManaged(&name, value_name_bytes);
  cudaMallocManaged(&values, values_per_case * sizeof *values);
  for (int i = 0; i < value_cases(); ++i) {
    value_name(i, name);
    value_case(i, values);
    if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
      std::fprintf(stderr, "%s: %s\n", name, cudaGetErrorString(error));
      return 1;
    }
    std::printf("%s", name);
    for (int thread = 0; thread < values_per_case; ++thread) std::printf(",%08x", values[thread]);
    std::printf("\n");
  }
}
#endif
