// CUDA arrays. Their memory is device memory like any other, row after row and slice after slice, so that what is written of
// it is known and races are found in it; programs get no pointer to it. (A GPU lays the texels out in its own way.)
#pragma once

#include "texture_types.h"

#include <cstddef>
#include <cstdint>
#include <optional>

struct cudaArray {
  char* memory = nullptr;
  std::size_t width = 0, height = 0, depth = 0; ///< as asked for: 0 where there is no such dimension
  cudaChannelFormatDesc desc{};
  unsigned flags = 0;

  bool is_layered() const { return (flags & cudaArrayLayered) != 0; }
  bool is_cubemap() const { return (flags & cudaArrayCubemap) != 0; }
  std::size_t rows() const { return height == 0 ? 1 : height; }
  std::size_t slices() const {
    return depth == 0 ? 1 : depth;
  } ///< or layers; a cubemap has one for each face
  std::size_t texel_bytes() const { return static_cast<std::size_t>(desc.x + desc.y + desc.z + desc.w) / 8; }
  std::size_t row_bytes() const { return width * texel_bytes(); }
  std::size_t slice_bytes() const { return rows() * row_bytes(); }
  char* texel_at(std::size_t x, std::size_t y, std::size_t z) const {
    return memory + z * slice_bytes() + y * row_bytes() + x * texel_bytes();
  }
};

namespace simt {

/// The array of a handle; null if it is none, or has been freed.
const cudaArray* find_array(cudaArray_const_t handle);

/// What texels a channel descriptor is of; nothing if the device has no such texels.
struct TexelFormat {
  cudaChannelFormatKind kind = cudaChannelFormatKindNone;
  unsigned channels = 0;
  unsigned channel_bytes = 0;
  unsigned bytes() const { return channels * channel_bytes; }
};
std::optional<TexelFormat> format_of(const cudaChannelFormatDesc& desc);

} // namespace simt
