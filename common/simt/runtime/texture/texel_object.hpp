// Texture and surface objects: the memory that they stand for, and how it is read.
#pragma once

#include "simt/report/report.hpp"
#include "simt/runtime/texture/cuda_array.hpp"

#include "simt_shim/texel_entry_points.h"

namespace simt {

/// What an object stands for. It may be freed while the object lives; the accesses tell.
struct TexelMemory {
  simt_texel_shape shape = simt_texels_linear;
  TexelFormat format;
  std::uintptr_t begin = 0;
  std::size_t width = 0, height = 1, depth = 1; ///< in texels, rows, and slices or layers
  std::size_t row_bytes = 0, slice_bytes = 0;
  bool gathers = false; ///< an array made for tex2Dgather

  std::uintptr_t address_of(std::size_t x, std::size_t y, std::size_t z) const {
    return begin + z * slice_bytes + y * row_bytes + x * format.bytes();
  }
  bool is_cubemap() const { return shape == simt_texels_cubemap || shape == simt_texels_cubemap_layered; }
  bool is_array() const { return shape != simt_texels_linear && shape != simt_texels_pitched; }
};

struct TexelObject {
  bool is_surface = false;
  bool is_destroyed = false;
  cudaResourceDesc resource{};
  cudaTextureDesc texture{}; ///< of textures
  TexelMemory memory{};

  /// Whether a fetch gives floats.
  bool gives_floats() const {
    const TexelFormat& format = memory.format;
    return format.kind == cudaChannelFormatKindFloat ||
           (texture.readMode == cudaReadModeNormalizedFloat && format.channel_bytes < 4);
  }
};

/// The object with this number, destroyed or not; null if there was never one.
const TexelObject* find_texel_object(unsigned long long number);

/// What an object is made of, for messages.
Texels texels_of(const TexelObject& object);

} // namespace simt
