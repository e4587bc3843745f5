// Texture fetches, as the appendix "Texture Fetching" of the CUDA programming guide defines them. With N texels in a
// direction, x is the coordinate in texels: given so, or normalised and multiplied by N here. A fetch by point takes texel
// floor(x). A linear one takes the two texels around x - 0.5 and weights them with that number's fraction, which the hardware
// holds in 9 bits, 8 of them behind the point: x - 0.5 is rounded to the nearest multiple of 1/256.
//
// The guide leaves open how weights of several directions are multiplied, and how the result is rounded. Both are what an H200
// does (common/tests/golden/values.csv): weights stay multiples of 1/256, and the sum is rounded once, to the texels' own format.
#include "simt/diagnostics/diagnose_texture.hpp"
#include "simt/runtime/machine/limits.hpp"
#include "simt/runtime/machine/machine.hpp"
#include "simt/runtime/schedule/control.hpp"
#include "simt/runtime/texture/texel_access.hpp"
#include "simt/runtime/texture/texel_call.hpp"

#include "simt_shim/small_float_bits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

using namespace simt;

namespace {

constexpr int weight_bits = 8;
constexpr int whole_weight = 1 << weight_bits;
/// Normalised coordinates are cut off behind so many bits, as an H200 does it: 0.1f of 10 texels is texel 0.
constexpr int normalised_bits = 21;

/// Where a fetch lies in one direction: texel `first` with the weight that is left, and the next one with `weight`, of 256.
struct Position {
  std::int64_t first = 0;
  int weight = 0;
};

Position position_of(float coordinate, std::size_t texels, bool normalised, bool linear, bool wraps) {
  double x = std::isfinite(coordinate) ? static_cast<double>(coordinate) : 0.0;
  if (wraps) x -= std::floor(x); // keeps the fraction's bits
  if (normalised)
    x = std::floor(std::ldexp(x, normalised_bits)) *
        std::ldexp(static_cast<double>(texels), -normalised_bits);
  constexpr double farthest = 1 << 30; // beyond every texture
  x = std::clamp(x, -farthest, farthest);
  if (!linear) return {static_cast<std::int64_t>(std::floor(x)), 0};
  const auto fixed = static_cast<std::int64_t>(std::floor((x - 0.5) * whole_weight + 0.5));
  return {fixed >> weight_bits, static_cast<int>(fixed & (whole_weight - 1))};
}

/// Whether coordinates go from 0 to 1. Those of a cubemap's faces do, whatever the texture's description says.
bool has_normalised_coordinates(const TexelObject& object) {
  return object.texture.normalizedCoords != 0 || object.memory.is_cubemap();
}

cudaTextureAddressMode mode_of(const TexelObject& object, int direction) {
  const cudaTextureAddressMode mode = object.texture.addressMode[direction];
  const bool repeats = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
  return repeats && !has_normalised_coordinates(object) ? cudaAddressModeClamp : mode;
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

/// Whether integers come as fractions of the largest one.
bool is_normalised(const TexelObject& object) {
  return object.gives_floats() && object.memory.format.kind != cudaChannelFormatKindFloat;
}

/// What 1 is in the texture unit, which widens normalised integers to 16 bits.
double one_of(const TexelObject& object) {
  if (!is_normalised(object)) return 1;
  return object.memory.format.kind == cudaChannelFormatKindSigned ? 32767 : 65535;
}

/// The channels of a texel, as integers or as floats. Floats from integers are in units of the 16-bit ones that they become.
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
  // The largest integer is 1, and the two lowest signed ones are -1.
  const bool is_signed = format.kind == cudaChannelFormatKindSigned;
  const double largest = std::exp2(8 * format.channel_bytes - (is_signed ? 1 : 0)) - 1;
  return std::max(static_cast<double>(integer_at(from, format)) / largest, -1.0) *
         (is_signed ? 32767 : 65535);
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
          addressed(index[d], extents[d], is_layer ? cudaAddressModeClamp : mode_of(object_, d));
      if (place == border) return border_values();
      at[d] = static_cast<std::size_t>(place);
    }
    read(memory_.address_of(at[0], at[1], at[2]), values);
    return values;
  }

  void read(std::uintptr_t address, Values& values) {
    const TexelFormat& format = memory_.format;
    const Unit unit = parts_ != 0                                  ? Unit::further_texel
                      : memory_.is_array() || is_filtered(object_) ? Unit::opaque_texture
                      : memory_.shape == simt_texels_linear        ? Unit::linear_texture
                                                                   : Unit::pitched_texture;
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
    for (int c = 0; c < 4; ++c)
      values.real[c] = static_cast<double>(object_.texture.borderColor[c]) * one_of(object_);
    return values; // of integers 0
  }

  const TexelObject& object_;
  const TexelMemory& memory_;
  std::uintptr_t site_;
  unsigned parts_ = 0;
};

/// To the nearest multiple of 2^exponent, and halves away from zero.
double rounded(double value, int exponent) {
  return std::copysign(std::ldexp(std::floor(std::ldexp(std::abs(value), -exponent) + 0.5), exponent), value);
}

/// To a format of so many fraction bits, whose smallest normal number is 2^lowest.
double rounded_to_format(double value, int fraction_bits, int lowest) {
  if (value == 0 || !std::isfinite(value)) return value;
  return rounded(value, std::max(std::ilogb(value), lowest) - fraction_bits);
}

/// A weighted sum in the texels' own format.
double filtered(double sum, const TexelObject& object) {
  if (is_normalised(object)) return rounded(sum, 0);
  return object.memory.format.channel_bytes == 2 ? rounded_to_format(sum, 10, -14)
                                                 : rounded_to_format(sum, 23, -126);
}

unsigned channel_bits(const TexelObject& object, const Values& values, int channel) {
  if (!object.gives_floats()) return static_cast<unsigned>(values.whole[channel]);
  return __builtin_bit_cast(unsigned, static_cast<float>(values.real[channel] / one_of(object)));
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

/// The place on a face of a cubemap, as a layer of a 2-D texture, that lies in the direction of a fetch: the appendix "Cubemap
/// Textures" of the programming guide has the table. It leaves open which face has an edge; here z goes before y, and y before x.
Coordinates on_face(const TexelMemory& memory, const Coordinates& at) {
  const auto [x, y, z] = at.x;
  const float ax = std::abs(x), ay = std::abs(y), az = std::abs(z);
  int face;
  float s, t, m;
  if (az >= ax && az >= ay) {
    face = z < 0 ? 5 : 4, m = az, s = z < 0 ? -x : x, t = -y;
  } else if (ay >= ax) {
    face = y < 0 ? 3 : 2, m = ay, s = x, t = y < 0 ? -z : z;
  } else {
    face = x < 0 ? 1 : 0, m = ax, s = x < 0 ? z : -z, t = -y;
  }
  if (m == 0) m = 1; // no direction at all
  const int last_layer = static_cast<int>(memory.depth / cubemap_faces) - 1;
  const int layer = memory.shape == simt_texels_cubemap ? 0 : std::clamp(at.index, 0, last_layer);
  constexpr float most = 0x1.fffffep-1f; // the edge itself belongs to the last texel, also where coordinates wrap
  return {{std::min((s / m + 1) / 2, most), std::min((t / m + 1) / 2, most), 0}, layer * static_cast<int>(cubemap_faces) + face};
}

/// The place of a fetch in all of its directions.
void locate(const TexelObject& object, const Coordinates& at, bool linear, Position (&position)[3]) {
  const TexelMemory& memory = object.memory;
  const std::size_t extents[] = {memory.width, memory.height, memory.depth};
  for (int d = 0; d < directions_of(memory.shape); ++d) {
    const bool wraps = mode_of(object, d) == cudaAddressModeWrap;
    position[d] = position_of(at.x[d], extents[d], has_normalised_coordinates(object), linear, wraps);
  }
}

/// Beyond the centres of a clamped texture's outermost texels there is nothing to weight.
void hold_at_edges(const TexelObject& object, Position (&position)[3]) {
  const std::size_t extents[] = {object.memory.width, object.memory.height, object.memory.depth};
  for (int d = 0; d < directions_of(object.memory.shape); ++d) {
    if (mode_of(object, d) != cudaAddressModeClamp) continue;
    const auto last = static_cast<std::int64_t>(extents[d]) - 1;
    if (position[d].first < 0) position[d] = {0, 0};
    if (position[d].first >= last) position[d] = {last, 0};
  }
}

/// Weights of the eight texels around a place, of 256: bit d of a corner's number says whether it is the second texel of direction
/// d. They are halved by z after x, and by y last; the second texel's share is rounded, down from halves, and the first one has
/// the rest.
std::array<int, 8> corner_weights(const Position (&position)[3]) {
  std::array<int, 8> weights{whole_weight};
  for (const int d : {0, 2, 1})
    for (unsigned corner = 0; corner < 8; ++corner) {
      if ((corner >> d & 1) != 0 || weights[corner] == 0) continue;
      const int second = (weights[corner] * position[d].weight + whole_weight / 2 - 1) / whole_weight;
      weights[corner | 1u << d] = second;
      weights[corner] -= second;
    }
  return weights;
}

simt_texel fetch(const TexelObject& object, const Coordinates& place, std::uintptr_t site) {
  const TexelMemory& memory = object.memory;
  const Coordinates at = memory.is_cubemap() ? on_face(memory, place) : place;
  const bool filters = Fetch::is_filtered(object);
  Position position[3];
  locate(object, at, filters, position);
  if (memory.shape == simt_texels_1d_layered || memory.shape == simt_texels_2d_layered || memory.is_cubemap())
    position[2].first = at.index;
  if (filters) hold_at_edges(object, position);
  // A line is a plane of one row to the texture unit, read at its upper edge: half of it is the second direction's border.
  if (filters && memory.shape == simt_texels_1d && mode_of(object, 1) == cudaAddressModeBorder)
    position[1] = {-1, whole_weight / 2};
  const std::array<int, 8> weights = corner_weights(position);
  Fetch reader(object, site);
  simt_texel result{};
  Values sum;
  for (unsigned corner = 0; corner < 8; ++corner) {
    if (weights[corner] == 0) continue;
    std::int64_t index[3];
    for (int d = 0; d < 3; ++d) index[d] = position[d].first + (corner >> d & 1);
    const Values values = reader.texel(index);
    for (int c = 0; c < 4; ++c) {
      sum.whole[c] = values.whole[c]; // integers are not filtered
      sum.real[c] += weights[corner] * values.real[c];
    }
  }
  for (int c = 0; c < 4; ++c) {
    sum.real[c] /= whole_weight;
    if (filters) sum.real[c] = filtered(sum.real[c], object);
    result.channel[c] = channel_bits(object, sum, c);
  }
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
