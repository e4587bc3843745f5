// Reads and writes through surface objects: x is in bytes.
#ifndef __SURFACE_INDIRECT_FUNCTIONS_H__
#define __SURFACE_INDIRECT_FUNCTIONS_H__

#include "simt_shim/entry_points.h"
#include "simt_shim/texel_entry_points.h"
#include "simt_shim/texel_types.h"

namespace simt::detail {

// Of texels of 64 bits in a channel surfaces have the bytes alone.
template <class T>
struct WideTexel {
  using Channel = T;
  static constexpr int channels = 1;
  static constexpr cudaChannelFormatKind kind = cudaChannelFormatKindUnsigned;
};
template <>
struct Texel<long long> : WideTexel<long long> {};
template <>
struct Texel<unsigned long long> : WideTexel<unsigned long long> {};
template <>
struct Texel<longlong1> : WideTexel<longlong1> {};
template <>
struct Texel<ulonglong1> : WideTexel<ulonglong1> {};
template <>
struct Texel<longlong2> : WideTexel<longlong2> {};
template <>
struct Texel<ulonglong2> : WideTexel<ulonglong2> {};

template <class T>
constexpr simt_texel_call surface_call(const char* function, simt_texel_shape shape) {
  return {function,
          shape,
          0,
          Texel<T>::kind,
          Texel<T>::channels,
          static_cast<int>(sizeof(typename Texel<T>::Channel))};
}

} // namespace simt::detail

#define SIMT_UNPACK(...) __VA_ARGS__
#define SIMT_SURFACE(name, shape, parameters, arguments, coordinates)                                        \
  template <class T>                                                                                         \
  SIMT_INLINE T name##read(cudaSurfaceObject_t object, SIMT_UNPACK parameters,                               \
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                            \
    static constexpr simt_texel_call call = ::simt::detail::surface_call<T>(#name "read", shape);            \
    T value;                                                                                                 \
    __simt_read_surface(object, &call, SIMT_UNPACK coordinates, mode, &value);                               \
    return value;                                                                                            \
  }                                                                                                          \
  template <class T>                                                                                         \
  SIMT_INLINE void name##read(T* value, cudaSurfaceObject_t object, SIMT_UNPACK parameters,                  \
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                         \
    *value = name##read<T>(object, SIMT_UNPACK arguments, mode);                                             \
  }                                                                                                          \
  template <class T>                                                                                         \
  SIMT_INLINE void name##write(T value, cudaSurfaceObject_t object, SIMT_UNPACK parameters,                  \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                        \
    static constexpr simt_texel_call call = ::simt::detail::surface_call<T>(#name "write", shape);           \
    __simt_write_surface(object, &call, SIMT_UNPACK coordinates, mode, &value);                              \
  }

SIMT_SURFACE(surf1D, simt_texels_1d, (int x), (x), (x, 0, 0))
SIMT_SURFACE(surf2D, simt_texels_2d, (int x, int y), (x, y), (x, y, 0))
SIMT_SURFACE(surf3D, simt_texels_3d, (int x, int y, int z), (x, y, z), (x, y, z))
SIMT_SURFACE(surf1DLayered, simt_texels_1d_layered, (int x, int layer), (x, layer), (x, 0, layer))
SIMT_SURFACE(surf2DLayered, simt_texels_2d_layered, (int x, int y, int layer), (x, y, layer), (x, y, layer))
SIMT_SURFACE(surfCubemap, simt_texels_cubemap, (int x, int y, int face), (x, y, face), (x, y, face))
SIMT_SURFACE(surfCubemapLayered, simt_texels_cubemap_layered, (int x, int y, int layer_face),
             (x, y, layer_face), (x, y, layer_face))

#undef SIMT_SURFACE
#undef SIMT_UNPACK

#endif
