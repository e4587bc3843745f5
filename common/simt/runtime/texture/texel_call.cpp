#include "simt/runtime/texture/texel_call.hpp"

#include "simt/diagnostics/diagnose_texture.hpp"

namespace simt {

namespace {

/// Whether texels of the object have values of the type that a call asks for. Integers may be wider than the channels;
/// a vector may leave channels out.
bool gives_type(const TexelObject& object, const simt_texel_call& call) {
  const TexelFormat& format = object.memory.format;
  const bool wants_float = call.kind == cudaChannelFormatKindFloat;
  if (wants_float != object.gives_floats()) return false;
  if (!wants_float && static_cast<unsigned>(call.channel_bytes) < format.channel_bytes) return false;
  return call.gathers != 0 || static_cast<unsigned>(call.channels) <= format.channels;
}

bool is_layered_plane(simt_texel_shape shape) {
  return shape == simt_texels_2d_layered || shape == simt_texels_cubemap ||
         shape == simt_texels_cubemap_layered;
}

} // namespace

const TexelObject* object_for(unsigned long long number, const simt_texel_call& call, bool surface,
                              std::uintptr_t site) {
  const TexelObject* object = find_texel_object(number);
  if (!object) return report("texture-object", site, fact::Subject{call.function}), nullptr;
  if (object->is_surface != surface) {
    if (surface)
      report({"texture-object", "texture"}, site, fact::Subject{call.function});
    else
      report({"texture-object", "surface"}, site, fact::Subject{call.function});
    return nullptr;
  }
  if (object->is_destroyed)
    return report({"texture-object", "destroyed"}, site, fact::Subject{call.function}), nullptr;
  const simt_texel_shape shape = object->memory.shape;
  const bool is_read_by_tex2d =
      shape == simt_texels_pitched && call.shape == simt_texels_2d && call.gathers == 0;
  // To a surface the faces of a cubemap are layers.
  const bool are_layers = surface && is_layered_plane(shape) && is_layered_plane(call.shape);
  if (shape != call.shape && !is_read_by_tex2d && !are_layers)
    return report_texel_call("texture-function", call, *object, site), nullptr;
  if (call.gathers != 0 && !object->memory.gathers)
    return report_texel_call({"texture-function", "gather"}, call, *object, site), nullptr;
  if (surface) {
    if (static_cast<unsigned>(call.channels * call.channel_bytes) == object->memory.format.bytes())
      return object;
    return report_texel_call({"texture-type", "surface"}, call, *object, site), nullptr;
  }
  if (!gives_type(*object, call)) return report_texel_call("texture-type", call, *object, site), nullptr;
  return object;
}

} // namespace simt
