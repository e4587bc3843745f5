// Fetches through texture objects. Without mipmaps there is only level 0: a level of detail changes nothing.
#ifndef __TEXTURE_INDIRECT_FUNCTIONS_H__
#define __TEXTURE_INDIRECT_FUNCTIONS_H__

#include "simt_shim/entry_points.h"
#include "simt_shim/texel_entry_points.h"
#include "simt_shim/texel_types.h"

namespace simt::detail {

template <class T>
SIMT_INLINE T texel_as(const simt_texel& texel) {
  using Channel = typename Texel<T>::Channel;
  return Texel<T>::make([&](int channel) {
    if constexpr (std::is_floating_point_v<Channel>)
      return __builtin_bit_cast(float, texel.channel[channel]);
    else
      return static_cast<Channel>(texel.channel[channel]);
  });
}

template <class T>
constexpr simt_texel_call texel_call(const char* function, simt_texel_shape shape, bool gathers = false) {
  return {function,
          shape,
          gathers,
          Texel<T>::kind,
          Texel<T>::channels,
          static_cast<int>(sizeof(typename Texel<T>::Channel))};
}

} // namespace simt::detail

// In brackets: the function's parameters, and the coordinates and the index that it hands on. The type is identified by the
// call's description.
#define SIMT_UNPACK(...) __VA_ARGS__
#define SIMT_FETCH(name, shape, gathers, parameters, arguments, coordinates)                                 \
  template <class T>                                                                                         \
  SIMT_INLINE T name(cudaTextureObject_t object, SIMT_UNPACK parameters) {                                   \
    static constexpr simt_texel_call call = ::simt::detail::texel_call<T>(#name, shape, gathers);            \
    return ::simt::detail::texel_as<T>(__simt_fetch_texture(object, &call, SIMT_UNPACK coordinates));        \
  }                                                                                                          \
  template <class T>                                                                                         \
  SIMT_INLINE void name(T* value, cudaTextureObject_t object, SIMT_UNPACK parameters) {                      \
    *value = name<T>(object, SIMT_UNPACK arguments);                                                         \
  }

SIMT_FETCH(tex1Dfetch, simt_texels_linear, false, (int i), (i), (0, 0, 0, i))
SIMT_FETCH(tex1D, simt_texels_1d, false, (float x), (x), (x, 0, 0, 0))
SIMT_FETCH(tex1DLod, simt_texels_1d, false, (float x, float), (x, 0), (x, 0, 0, 0))
SIMT_FETCH(tex1DGrad, simt_texels_1d, false, (float x, float, float), (x, 0, 0), (x, 0, 0, 0))
SIMT_FETCH(tex2D, simt_texels_2d, false, (float x, float y), (x, y), (x, y, 0, 0))
SIMT_FETCH(tex2DLod, simt_texels_2d, false, (float x, float y, float), (x, y, 0), (x, y, 0, 0))
SIMT_FETCH(tex2DGrad, simt_texels_2d, false, (float x, float y, float2 dx, float2 dy), (x, y, dx, dy),
           (x, y, 0, 0))
SIMT_FETCH(tex3D, simt_texels_3d, false, (float x, float y, float z), (x, y, z), (x, y, z, 0))
SIMT_FETCH(tex3DLod, simt_texels_3d, false, (float x, float y, float z, float), (x, y, z, 0), (x, y, z, 0))
SIMT_FETCH(tex3DGrad, simt_texels_3d, false, (float x, float y, float z, float4 dx, float4 dy),
           (x, y, z, dx, dy), (x, y, z, 0))
SIMT_FETCH(tex1DLayered, simt_texels_1d_layered, false, (float x, int layer), (x, layer), (x, 0, 0, layer))
SIMT_FETCH(tex1DLayeredLod, simt_texels_1d_layered, false, (float x, int layer, float), (x, layer, 0),
           (x, 0, 0, layer))
SIMT_FETCH(tex1DLayeredGrad, simt_texels_1d_layered, false, (float x, int layer, float, float),
           (x, layer, 0, 0), (x, 0, 0, layer))
SIMT_FETCH(tex2DLayered, simt_texels_2d_layered, false, (float x, float y, int layer), (x, y, layer),
           (x, y, 0, layer))
SIMT_FETCH(tex2DLayeredLod, simt_texels_2d_layered, false, (float x, float y, int layer, float),
           (x, y, layer, 0), (x, y, 0, layer))
SIMT_FETCH(tex2DLayeredGrad, simt_texels_2d_layered, false,
           (float x, float y, int layer, float2 dx, float2 dy), (x, y, layer, dx, dy), (x, y, 0, layer))
SIMT_FETCH(texCubemap, simt_texels_cubemap, false, (float x, float y, float z), (x, y, z), (x, y, z, 0))
SIMT_FETCH(texCubemapLod, simt_texels_cubemap, false, (float x, float y, float z, float), (x, y, z, 0),
           (x, y, z, 0))
SIMT_FETCH(texCubemapGrad, simt_texels_cubemap, false, (float x, float y, float z, float4 dx, float4 dy),
           (x, y, z, dx, dy), (x, y, z, 0))
SIMT_FETCH(texCubemapLayered, simt_texels_cubemap_layered, false, (float x, float y, float z, int layer),
           (x, y, z, layer), (x, y, z, layer))
SIMT_FETCH(texCubemapLayeredLod, simt_texels_cubemap_layered, false,
           (float x, float y, float z, int layer, float), (x, y, z, layer, 0), (x, y, z, layer))
SIMT_FETCH(texCubemapLayeredGrad, simt_texels_cubemap_layered, false,
           (float x, float y, float z, int layer, float4 dx, float4 dy), (x, y, z, layer, dx, dy),
           (x, y, z, layer))
SIMT_FETCH(tex2Dgather, simt_texels_2d, true, (float x, float y, int channel = 0), (x, y, channel),
           (x, y, 0, channel))

#undef SIMT_FETCH
#undef SIMT_UNPACK

#endif
