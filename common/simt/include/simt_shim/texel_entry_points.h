// The simulator's entry points for texture fetches and for accesses to surfaces; see entry_points.h.
#ifndef SIMT_INCLUDE_SIMT_SHIM_TEXEL_ENTRY_POINTS_H
#define SIMT_INCLUDE_SIMT_SHIM_TEXEL_ENTRY_POINTS_H

#include "surface_types.h"
#include "texture_types.h"

extern "C" {

/// What a function of textures or surfaces works on: memory that is addressed by one index, or an array of so many
/// dimensions and layers.
enum simt_texel_shape {
  simt_texels_linear, ///< by an index: tex1Dfetch
  simt_texels_pitched,
  simt_texels_1d,
  simt_texels_2d,
  simt_texels_3d,
  simt_texels_1d_layered,
  simt_texels_2d_layered,
  simt_texels_cubemap, ///< six faces, as layers
  simt_texels_cubemap_layered
};

/// A call of such a function, but for its coordinates. The last three say what it was asked for.
struct simt_texel_call {
  const char* function;        ///< "tex2D<float4>"
  enum simt_texel_shape shape; ///< of what the function is for; tex2D also takes memory with a pitch
  int gathers;                 ///< tex2Dgather
  enum cudaChannelFormatKind kind;
  int channels;
  int channel_bytes;
};

/// The channels of a texel as a texture unit gives them: 32 bits each, of a float or an integer.
struct simt_texel {
  unsigned channel[4];
};

/// A fetch at coordinates x, y and z, as many as the shape has (of a cubemap they are a direction); `index` is tex1Dfetch's index, a layer, or tex2Dgather's
/// channel.
struct simt_texel __simt_fetch_texture(cudaTextureObject_t object, const struct simt_texel_call* call,
                                       float x, float y, float z, int index);
/// Reads or writes a texel at byte x of row y in slice or layer z.
void __simt_read_surface(cudaSurfaceObject_t object, const struct simt_texel_call* call, int x, int y, int z,
                         enum cudaSurfaceBoundaryMode mode, void* to);
void __simt_write_surface(cudaSurfaceObject_t object, const struct simt_texel_call* call, int x, int y, int z,
                          enum cudaSurfaceBoundaryMode mode, const void* from);
}

#endif
