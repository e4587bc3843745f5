// cudaCreateChannelDesc: the texels that hold a value of a type.
#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__

#include "simt_shim/texel_types.h"
#include "texture_types.h"

inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
  using Texel = simt::detail::Texel<T>;
  const int bits = 8 * static_cast<int>(sizeof(typename Texel::Channel));
  return {bits, Texel::channels > 1 ? bits : 0, Texel::channels > 2 ? bits : 0,
          Texel::channels > 3 ? bits : 0, Texel::kind};
}

// Half precision, whose type may not be known here.
inline cudaChannelFormatDesc cudaCreateChannelDescHalf() { return {16, 0, 0, 0, cudaChannelFormatKindFloat}; }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
  return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return {16, 16, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return {16, 16, 16, 16, cudaChannelFormatKindFloat};
}

#endif
