// Texture fetches, as the appendix "Texture Fetching" of the CUDA programming guide defines them. With N texels in a
// direction, x is the coordinate in texels: given so, or normalised and multiplied by N here. A fetch by point takes texel
// floor(x). A linear one takes the two texels around x - 0.5 and weights them with that number's fraction, which the hardware
// holds in 9 bits, 8 of them behind the point: x - 0.5 is rounded to the nearest multiple of 1/256. Texels of weight 0 are
// not read. The weighted sum is made in double precision here and rounded once, so its last bits may differ from a GPU's.
#include "simt/diagnostics/diagnose_texture.hpp"
#include "simt/runtime/machine/machine.hpp"
#include "simt/runtime/schedule/control.hpp"
#include "simt/runtime/texture/texel_access.hpp"
#include "simt/runtime/texture/texel_call.hpp"

#include "simt_shim/half_bits.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace simt;

namespace {

constexpr int weight_bits = 8;
constexpr int whole_weight = 1 << weight_bits;

/// Where a fetch lies in one direction: texel `first` with the weight that is left, and the next one with `weight`, of 256.
struct Position {
  std::int64_t first = 0;
  int weight = 0;
};

Position position_of(float coordinate, std::size_t texels, const cudaTextureDesc& texture, bool linear,
                     bool wraps) {
  double x = std::isfinite(coordinate) ? static_cast<double>(coordinate) : 0.0;
  if (wraps) x -= std::floor(x); // keeps the fraction's bits
  if (texture.normalizedCoords != 0) x *= static_cast<double>(texels);
  constexpr double farthest = 1 << 30; // beyond every texture
  x = std::clamp(x, -farthest, farthest);
  if (!linear) return {static_cast<std::int64_t>(std::floor(x)), 0};
  const auto fixed = static_cast<std::int64_t>(std::floor((x - 0.5) * whole_weight + 0.5));
  return {fixed >> weight_bits, static_cast<int>(fixed & (whole_weight - 1))};
}

cudaTextureAddressMode mode_of(const cudaTextureDesc& texture, int direction) {
  const cudaTextureAddressMode mode = texture.addressMode[direction];
  const bool repeats = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
  return repeats && texture.normalizedCoords == 0 ? cudaAddressModeClamp : mode;
}

constexpr std::int64_t border = -1;

/// The texel that stands for `index`, or `border`.
std::int64_t addressed(std::int64_t index, std::size_t texels, cudaTextureAddressMode mode) {
  const auto count = static_cast<std::int64_t>(texels);
  const auto modulo = [](std::int64_t a, std::int64_t b) { return (a % b + b) % b; };
  if (index >= 0 && index < count) return index;
  switch (mode) {
  case cudaAddressModeWrap:
    return modulo(index, count);
  case cudaAddressModeMirror: {
    const std::int64_t turn = modulo(index, 2 * count);
    return turn < count ? turn : 2 * count - 1 - turn;
  }
  case cudaAddressModeBorder:
    return border;
  default:
    return std::clamp<std::int64_t>(index, 0, count - 1);
  }
}

/// The channels of a texel, as integers or as floats.
struct Values {
  std::int64_t whole[4] = {};
  double real[4] = {};
};

std::int64_t integer_at(const void* from, const TexelFormat& format) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, from, format.channel_bytes);
  if (format.kind != cudaChannelFormatKindSigned) return bits;
  const unsigned unused = 32 - 8 * format.channel_bytes;
  return static_cast<std::int32_t>(bits << unused) >> unused;
}

double real_at(const void* from, const TexelFormat& format) {
  if (format.kind == cudaChannelFormatKindFloat) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, from, format.channel_bytes);
    if (format.channel_bytes == 2)
      return static_cast<double>(half_bits::to_float(static_cast<std::uint16_t>(bits)));
    return static_cast<double>(__builtin_bit_cast(float, bits));
  }
  // Normalised: the largest integer is 1, and the two lowest signed ones are -1.
  const bool is_signed = format.kind == cudaChannelFormatKindSigned;
  const double largest = std::exp2(8 * format.channel_bytes - (is_signed ? 1 : 0)) - 1;
  return std::max(static_cast<double>(integer_at(from, format)) / largest, -1.0);
}

/// A fetch under way.
class Fetch {
public:
  Fetch(const TexelObject& object, std::uintptr_t site)
      : object_(object), memory_(object.memory), site_(site) {}

  /// The texel with these indices, of which some may be outside; counted and checked.
  Values texel(const std::int64_t (&index)[3]) {
    Values values;
    const std::size_t extents[] = {memory_.width, memory_.height, memory_.depth};
    std::size_t at[3];
    for (int d = 0; d < 3; ++d) {
      const bool is_layer = d == 2 && memory_.shape != simt_texels_3d;
      const std::int64_t place =
          addressed(index[d], extents[d], is_layer ? cudaAddressModeClamp : mode_of(object_.texture, d));
      if (place == border) return border_values();
      at[d] = static_cast<std::size_t>(place);
    }
    read(memory_.address_of(at[0], at[1], at[2]), values);
    return values;
  }

  void read(std::uintptr_t address, Values& values) {
    const TexelFormat& format = memory_.format;
    const Unit unit = parts_ != 0                                    ? Unit::further_texel
                      : !memory_.is_array() && !is_filtered(object_) ? Unit::linear_texture
                                                                     : Unit::opaque_texture;
    access_texel(address, format.bytes(), Access::read, unit, site_, parts_++);
    for (unsigned c = 0; c < format.channels; ++c) {
      const void* from = reinterpret_cast<const void*>(address + c * format.channel_bytes);
      if (object_.gives_floats())
        values.real[c] = real_at(from, format);
      else
        values.whole[c] = integer_at(from, format);
    }
  }

  static bool is_filtered(const TexelObject& object) {
    return object.texture.filterMode == cudaFilterModeLinear && object.memory.shape != simt_texels_linear;
  }

private:
  Values border_values() const {
    Values values;
    for (int c = 0; c < 4; ++c) values.real[c] = static_cast<double>(object_.texture.borderColor[c]);
    return values; // of integers 0
  }

  const TexelObject& object_;
  const TexelMemory& memory_;
  std::uintptr_t site_;
  unsigned parts_ = 0;
};

unsigned channel_bits(const TexelObject& object, const Values& values, int channel) {
  if (!object.gives_floats()) return static_cast<unsigned>(values.whole[channel]);
  return __builtin_bit_cast(unsigned, static_cast<float>(values.real[channel]));
}

simt_texel fetch_by_index(const TexelObject& object, std::int64_t index, std::uintptr_t site) {
  simt_texel result{};
  if (index < 0 || index >= static_cast<std::int64_t>(object.memory.width)) {
    report_texture_index(index, object, site);
    return result;
  }
  Values values;
  Fetch(object, site).read(object.memory.address_of(static_cast<std::size_t>(index), 0, 0), values);
  for (int c = 0; c < 4; ++c) result.channel[c] = channel_bits(object, values, c);
  return result;
}

/// How many of its directions have coordinates.
int directions_of(simt_texel_shape shape) {
  if (shape == simt_texels_1d || shape == simt_texels_1d_layered) return 1;
  return shape == simt_texels_3d ? 3 : 2;
}

struct Coordinates {
  float x[3];
  int index; ///< a layer, or the channel of a gather
};

/// The place of a fetch in all of its directions.
void locate(const TexelObject& object, const Coordinates& at, bool linear, Position (&position)[3]) {
  const TexelMemory& memory = object.memory;
  const std::size_t extents[] = {memory.width, memory.height, memory.depth};
  for (int d = 0; d < directions_of(memory.shape); ++d) {
    const bool wraps = mode_of(object.texture, d) == cudaAddressModeWrap;
    position[d] = position_of(at.x[d], extents[d], object.texture, linear, wraps);
  }
}

simt_texel fetch(const TexelObject& object, const Coordinates& at, std::uintptr_t site) {
  const TexelMemory& memory = object.memory;
  Position position[3];
  locate(object, at, Fetch::is_filtered(object), position);
  if (memory.shape == simt_texels_1d_layered || memory.shape == simt_texels_2d_layered)
    position[2].first = at.index;
  Fetch reader(object, site);
  simt_texel result{};
  Values sum;
  for (int corner = 0; corner < 8; ++corner) {
    std::int64_t index[3];
    double weight = 1;
    for (int d = 0; d < 3; ++d) {
      const int step = corner >> d & 1;
      index[d] = position[d].first + step;
      weight *= step != 0 ? position[d].weight : whole_weight - position[d].weight;
    }
    if (weight == 0) continue;
    const Values values = reader.texel(index);
    weight /= double{whole_weight} * whole_weight * whole_weight;
    for (int c = 0; c < 4; ++c) {
      sum.whole[c] = values.whole[c]; // integers are not filtered
      sum.real[c] += weight * values.real[c];
    }
  }
  for (int c = 0; c < 4; ++c) result.channel[c] = channel_bits(object, sum, c);
  return result;
}

/// One channel of the four texels that a linear fetch would take, counterclockwise from the lower left (where y is larger).
simt_texel gather(const TexelObject& object, const Coordinates& at, std::uintptr_t site) {
  Position position[3];
  locate(object, at, true, position);
  Fetch reader(object, site);
  constexpr int steps[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  simt_texel result{};
  for (int k = 0; k < 4; ++k) {
    const Values values = reader.texel({position[0].first + steps[k][0], position[1].first + steps[k][1], 0});
    result.channel[k] = channel_bits(object, values, at.index & 3);
  }
  return result;
}

} // namespace

extern "C" simt_texel __simt_fetch_texture(cudaTextureObject_t number, const simt_texel_call* call, float x,
                                           float y, float z, int index) {
  const auto site = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  if (!machine.lane) used_outside_of_kernel(call->function);
  const TexelObject* object = object_for(number, *call, false, site);
  if (!object) return {};
  if (call->shape == simt_texels_linear) return fetch_by_index(*object, index, site);
  const Coordinates at{{x, y, z}, index};
  return call->gathers != 0 ? gather(*object, at, site) : fetch(*object, at, site);
}
