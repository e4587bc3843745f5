#include "simulation.hpp"

#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace simt;

namespace {

constexpr const char* texture_source = "textures.cu";
constexpr cudaChannelFormatDesc one_float{32, 0, 0, 0, cudaChannelFormatKindFloat};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A CUDA array of floats for the time of a test; height or depth 0 as in the API.
class Array {
public:
  Array(std::size_t width, std::size_t height, std::size_t depth = 0, unsigned flags = 0) {
    REQUIRE(cudaMalloc3DArray(&array_, &one_float, {width, height, depth}, flags) == cudaSuccess);
  }
  explicit Array(const std::vector<float>& values, unsigned flags = 0) : Array(values.size(), 0, 0, flags) {
    const std::size_t bytes = values.size() * sizeof(float);
    REQUIRE(cudaMemcpy2DToArray(array_, 0, 0, values.data(), bytes, bytes, 1, cudaMemcpyHostToDevice) ==
            cudaSuccess);
  }
  ~Array() { cudaFreeArray(array_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  cudaArray_t get() const { return array_; }

private:
  cudaArray_t array_ = nullptr;
};

cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

cudaResourceDesc resource_of(void* memory, std::size_t bytes, const cudaChannelFormatDesc& desc = one_float) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {memory, desc, bytes};
  return resource;
}

cudaTextureDesc sampling(cudaTextureAddressMode mode, cudaTextureFilterMode filter, bool normalised) {
  cudaTextureDesc texture{};
  for (auto& direction : texture.addressMode) direction = mode;
  texture.filterMode = filter;
  texture.normalizedCoords = normalised;
  texture.borderColor[0] = -5;
  return texture;
}
cudaTextureDesc plain() { return sampling(cudaAddressModeClamp, cudaFilterModePoint, false); }

cudaTextureObject_t texture_of(const cudaResourceDesc& resource, const cudaTextureDesc& texture = plain()) {
  cudaTextureObject_t object = 0;
  REQUIRE(cudaCreateTextureObject(&object, &resource, &texture, nullptr) == cudaSuccess);
  return object;
}

cudaSurfaceObject_t surface_of(const Array& array) {
  const cudaResourceDesc resource = resource_of(array.get());
  cudaSurfaceObject_t object = 0;
  REQUIRE(cudaCreateSurfaceObject(&object, &resource) == cudaSuccess);
  return object;
}

/// What tex1D gives at these coordinates.
std::vector<float> sampled(const Array& line, const cudaTextureDesc& texture,
                           const std::vector<float>& coordinates) {
  const cudaTextureObject_t object = texture_of(resource_of(line.get()), texture);
  Buffer<float> at(coordinates), out(coordinates.size());
  const Report report = SIMT_RUN("run_fetch_line", object, static_cast<const float*>(at.get()), out.get(),
                                 int(coordinates.size()));
  CHECK(report.diagnostics.empty());
  cudaDestroyTextureObject(object);
  return out.values();
}

std::vector<unsigned> at_lines(const std::vector<std::string>& marks) {
  std::vector<unsigned> lines;
  for (const std::string& mark : marks) lines.push_back(marked_line(texture_source, mark));
  return lines;
}

/// The finding of a call that its object does not fit.
Finding check_call(Report report, const std::string& id, const std::string& kind, const std::string& mark,
                   const std::string& words) {
  Finding found = the_only(std::move(report), id);
  CHECK(found.kind == kind);
  CHECK(lines_of(found) == at_lines({mark}));
  const std::string text = message_of(found);
  CAPTURE(text);
  CHECK(contains(text, words));
  CHECK_FALSE(cure_of(found).empty());
  const nlohmann::json json = found;
  CHECK(json.contains("texels") == (found.get<Texels>() != nullptr));
  CHECK(json.get<Finding>().facts == found.facts);
  return found;
}

} // namespace

TEST_CASE("a linear filter weights two texels in steps of 1/256, rounded to the nearest") {
  const Array line(std::vector<float>{0, 256});
  const auto weights =
      sampled(line, sampling(cudaAddressModeClamp, cudaFilterModeLinear, false),
              {0.5f, 0.5f + 0.3f, 0.75f, 0.5f + 1.4f / 256, 0.5f + 1.6f / 256, 1.4999f, 1.5f, 0.1f, 9});
  CHECK(weights == std::vector<float>{0, 77, 64, 1, 2, 256, 256, 0, 256});
}

TEST_CASE("texels of weight 0 are not read") {
  Array line(4, 0); // never written, but for the one in the middle
  const float value = 3;
  REQUIRE(cudaMemcpy2DToArray(line.get(), 4, 0, &value, 4, 4, 1, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(sampled(line, sampling(cudaAddressModeClamp, cudaFilterModeLinear, false), {1.5f}) ==
        std::vector<float>{3});
}

TEST_CASE("coordinates beyond the edge are wrapped, clamped, mirrored or give the border") {
  const Array line(std::vector<float>{10, 20, 30, 40});
  const std::vector<float> at = {-1.125f, -0.875f, -0.125f, 0.125f, 0.875f, 1.125f, 1.875f, 2.125f};
  const auto by_point = [&](cudaTextureAddressMode mode) {
    return sampled(line, sampling(mode, cudaFilterModePoint, true), at);
  };
  CHECK(by_point(cudaAddressModeWrap) == std::vector<float>{40, 10, 40, 10, 40, 10, 40, 10});
  CHECK(by_point(cudaAddressModeClamp) == std::vector<float>{10, 10, 10, 10, 40, 40, 40, 40});
  CHECK(by_point(cudaAddressModeMirror) == std::vector<float>{40, 40, 10, 10, 40, 40, 10, 10});
  CHECK(by_point(cudaAddressModeBorder) == std::vector<float>{-5, -5, -5, 10, 40, -5, -5, -5});
  // Between the last texel and what follows it, half of each.
  const auto at_end = [&](cudaTextureAddressMode mode) {
    return sampled(line, sampling(mode, cudaFilterModeLinear, true), {1.0f})[0];
  };
  CHECK(at_end(cudaAddressModeWrap) == 25);
  CHECK(at_end(cudaAddressModeClamp) == 40);
  CHECK(at_end(cudaAddressModeMirror) == 40);
  // To the texture unit a line is a plane of one row, read at its upper edge; the border's colour is -5.
  CHECK(at_end(cudaAddressModeBorder) == 0.5f * 17.5f + 0.5f * -5);
  cudaTextureDesc border_at_ends = sampling(cudaAddressModeBorder, cudaFilterModeLinear, true);
  border_at_ends.addressMode[1] = cudaAddressModeClamp;
  CHECK(sampled(line, border_at_ends, {1.0f})[0] == 17.5f);
}

TEST_CASE("without normalised coordinates wrapping and mirroring are clamping") {
  const Array line(std::vector<float>{10, 20, 30, 40});
  for (const auto mode : {cudaAddressModeWrap, cudaAddressModeMirror})
    CHECK(sampled(line, sampling(mode, cudaFilterModePoint, false), {-1, 0, 3.5f, 4.5f}) ==
          std::vector<float>{10, 10, 40, 40});
}

TEST_CASE("coordinates that are no numbers or endless stay inside") {
  const Array line(std::vector<float>{10, 20});
  CHECK(sampled(line, plain(), {NAN, 1e30f, -1e30f}) == std::vector<float>{10, 20, 10});
}

TEST_CASE("integers keep their sign and may be fetched as wider ones") {
  const std::vector<signed char> bytes = {-128, -1, 0, 127};
  Buffer<signed char> memory(bytes);
  const cudaTextureObject_t texels =
      texture_of(resource_of(memory.get(), 4, {8, 0, 0, 0, cudaChannelFormatKindSigned}));
  Buffer<int> out(4);
  CHECK(SIMT_RUN("run_fetch_integers", texels, out.get(), 4).diagnostics.empty());
  CHECK(out.values() == std::vector<int>{-128, -1, 0, 127});
}

TEST_CASE("bytes read as normalised floats are fractions of the largest") {
  Buffer<unsigned char> memory(std::vector<unsigned char>{0, 51, 255, 102});
  cudaTextureDesc texture = plain();
  texture.readMode = cudaReadModeNormalizedFloat;
  const cudaTextureObject_t texels =
      texture_of(resource_of(memory.get(), 4, {8, 0, 0, 0, cudaChannelFormatKindUnsigned}), texture);
  Buffer<float> out(4);
  CHECK(SIMT_RUN("run_fetch_floats", texels, out.get()).diagnostics.empty());
  CHECK(out.values() == std::vector<float>{0, 0.2f, 1, 0.4f});
}

TEST_CASE("objects that the device has no texels for are not created") {
  Buffer<float> memory(256);
  const cudaTextureDesc texture = plain(),
                        linear = sampling(cudaAddressModeClamp, cudaFilterModeLinear, false);
  cudaTextureObject_t object = 0;
  const auto error_of = [&](const cudaResourceDesc& resource, const cudaTextureDesc& desc) {
    const cudaError_t error = cudaCreateTextureObject(&object, &resource, &desc, nullptr);
    cudaGetLastError();
    return error;
  };
  CHECK(error_of(resource_of(memory.get(), 1024), texture) == cudaSuccess);
  CHECK(error_of(resource_of(memory.get(), 1028), texture) ==
        cudaErrorInvalidValue); // longer than the memory
  CHECK(error_of(resource_of(memory.get() + 1, 512), texture) == cudaErrorInvalidValue); // not aligned
  CHECK(error_of(resource_of(memory.get(), 1024, {32, 32, 32, 0, cudaChannelFormatKindFloat}), texture) ==
        cudaErrorInvalidChannelDescriptor);
  cudaArray_t integers = nullptr;
  const cudaChannelFormatDesc whole{32, 0, 0, 0, cudaChannelFormatKindSigned};
  REQUIRE(cudaMallocArray(&integers, &whole, 4, 4, 0) == cudaSuccess);
  CHECK(error_of(resource_of(integers), texture) == cudaSuccess);
  CHECK(error_of(resource_of(integers), linear) == cudaErrorInvalidFilterSetting);
  CHECK(error_of(resource_of(integers), sampling(cudaAddressModeBorder, cudaFilterModePoint, false)) ==
        cudaErrorNotSupported); // the border has a colour
  const cudaResourceDesc resource = resource_of(integers);
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateSurfaceObject(&surface, &resource) ==
        cudaErrorInvalidValue); // without cudaArraySurfaceLoadStore
  CHECK(cudaFreeArray(integers) == cudaSuccess);
  CHECK(error_of(resource_of(integers), texture) == cudaErrorInvalidResourceHandle);
  CHECK(cudaFreeArray(integers) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

TEST_CASE("an object tells what it was made of, until it is destroyed") {
  const Array line(std::vector<float>{1, 2});
  const cudaTextureObject_t object = texture_of(resource_of(line.get()));
  cudaResourceDesc resource{};
  cudaTextureDesc texture{};
  CHECK(cudaGetTextureObjectResourceDesc(&resource, object) == cudaSuccess);
  CHECK(cudaGetTextureObjectTextureDesc(&texture, object) == cudaSuccess);
  CHECK(resource.res.array.array == line.get());
  CHECK(texture.addressMode[0] == cudaAddressModeClamp);
  CHECK(cudaDestroyTextureObject(object) == cudaSuccess);
  CHECK(cudaGetTextureObjectResourceDesc(&resource, object) == cudaErrorInvalidValue);
  CHECK(cudaDestroyTextureObject(object) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("copies to and from arrays keep to their room") {
  std::vector<float> image(24), part(4), all(24);
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<float>(i);
  Array from(6, 4), to(6, 4);
  CHECK(cudaMemcpy2DToArray(from.get(), 0, 0, image.data(), 24, 24, 4, cudaMemcpyHostToDevice) ==
        cudaSuccess);
  CHECK(cudaMemcpy2DFromArray(part.data(), 8, from.get(), 8, 1, 8, 2, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(part == std::vector<float>{8, 9, 14, 15});
  CHECK(cudaMemcpy2DArrayToArray(to.get(), 0, 0, from.get(), 0, 2, 24, 2, cudaMemcpyDeviceToDevice) ==
        cudaSuccess);
  CHECK(cudaMemcpyToArray(to.get(), 0, 2, image.data(), 48, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpyFromArray(all.data(), to.get(), 0, 0, 96, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(all[0] == 12);
  CHECK(all[11] == 23);
  CHECK(all[12] == 0);
  CHECK(all[23] == 11);
  CHECK(cudaMemcpy2DToArray(to.get(), 4, 0, image.data(), 24, 24, 1, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpy2DToArray(to.get(), 0, 3, image.data(), 24, 24, 2, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpyToArray(to.get(), 0, 3, image.data(), 28, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("cudaMemcpy3D counts in texels where an array takes part") {
  std::vector<float> volume(60), back(8);
  for (std::size_t i = 0; i < volume.size(); ++i) volume[i] = static_cast<float>(i);
  Array array(5, 4, 3);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(volume.data(), 20, 5, 4);
  copy.dstArray = array.get();
  copy.extent = make_cudaExtent(5, 4, 3);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
  cudaMemcpy3DParms part{};
  part.srcArray = array.get();
  part.srcPos = make_cudaPos(3, 1, 1);
  part.dstPtr = make_cudaPitchedPtr(back.data(), 8, 2, 2);
  part.extent = make_cudaExtent(2, 2, 2);
  part.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&part) == cudaSuccess);
  CHECK(back == std::vector<float>{28, 29, 33, 34, 48, 49, 53, 54});
  part.srcPos = make_cudaPos(4, 1, 1);
  CHECK(cudaMemcpy3D(&part) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("fetches count as texture requests, with sectors for linear memory alone") {
  Buffer<float> memory(256), out(32);
  const cudaTextureObject_t texels = texture_of(resource_of(memory.get(), 1024));
  const Counters next = total(SIMT_RUN("run_fetch_strided", texels, out.get(), 1));
  CHECK(next.texture_requests == 1);
  CHECK(next.texture_lanes == 32);
  CHECK(next.texture_linear_requests == 1);
  CHECK(next.texture_linear_sectors == 4);
  CHECK(next.texture_linear_bytes == 128);
  CHECK(next.global_load_requests == 0);
  CHECK(next.global_store_requests == 1);
  CHECK(total(SIMT_RUN("run_fetch_strided", texels, out.get(), 8)).texture_linear_sectors == 32);

  const Array line(std::vector<float>(32));
  Buffer<float> at(std::vector<float>(32, 1.25f));
  const cudaTextureObject_t filtered =
      texture_of(resource_of(line.get()), sampling(cudaAddressModeClamp, cudaFilterModeLinear, false));
  const Counters array =
      total(SIMT_RUN("run_fetch_line", filtered, static_cast<const float*>(at.get()), out.get(), 32));
  CHECK(array.texture_requests == 1); // of two texels
  CHECK(array.texture_linear_requests == 0);
  CHECK(array.texture_linear_sectors == 0);
  CHECK(array.approximate == 0);

  const Array array_with_surface(32, 0, 0, cudaArraySurfaceLoadStore);
  const Counters written = total(SIMT_RUN("run_write_surface", surface_of(array_with_surface), 32, 4));
  CHECK(written.surface_store_requests == 1);
  CHECK(written.surface_store_lanes == 32);
  CHECK(written.global_store_requests == 0);
}

TEST_CASE("surfaces clamp, or give 0, beyond their edge") {
  const Array line(std::vector<float>{1, 2, 3, 4}, cudaArraySurfaceLoadStore);
  const cudaSurfaceObject_t surface = surface_of(line);
  Buffer<float> out(8);
  CHECK(SIMT_RUN("run_read_surface", surface, out.get(), int(cudaBoundaryModeZero)).diagnostics.empty());
  CHECK(out.values() == std::vector<float>{0, 0, 1, 2, 3, 4, 0, 0});
  CHECK(SIMT_RUN("run_read_surface", surface, out.get(), int(cudaBoundaryModeClamp)).diagnostics.empty());
  CHECK(out.values() == std::vector<float>{1, 1, 1, 2, 3, 4, 4, 4});
}

TEST_CASE("texture-object: a number that is none, one that is destroyed, and one of the other kind") {
  Buffer<float> memory(4), out(4);
  check_call(SIMT_RUN("run_fetch_floats", cudaTextureObject_t{0}, out.get()), "texture-object", "",
             "destroyed", "is no texture or surface object");
  const cudaTextureObject_t texels = texture_of(resource_of(memory.get(), 16));
  CHECK(SIMT_RUN("run_fetch_floats", texels, out.get()).diagnostics.empty());
  const Array line(std::vector<float>{1}, cudaArraySurfaceLoadStore);
  check_call(SIMT_RUN("run_write_surface", texels, 1, 4), "texture-object", "texture", "surface",
             "a texture object");
  check_call(SIMT_RUN("run_fetch_floats", surface_of(line), out.get()), "texture-object", "surface",
             "destroyed", "a surface object");
  cudaDestroyTextureObject(texels);
  const Finding found = check_call(SIMT_RUN("run_fetch_floats", texels, out.get()), "texture-object",
                                   "destroyed", "destroyed", "that the host has destroyed");
  CHECK(found.count == 4);
  CHECK(found.has(fact::Subject{"tex1Dfetch"}));
}

TEST_CASE("texture-function: a fetch that is not for this kind of texture") {
  Buffer<float> memory(64), out(4);
  const cudaTextureObject_t texels = texture_of(resource_of(memory.get(), 256));
  check_call(SIMT_RUN("run_fetch_plane", texels, out.get(), 4), "texture-function", "", "plane",
             "tex2D for linear memory of 64 texels of type float");
  const Array volume(4, 4, 4);
  check_call(SIMT_RUN("run_fetch_plane", texture_of(resource_of(volume.get())), out.get(), 4),
             "texture-function", "", "plane", "a 3-D array of 4 x 4 x 4 texels of type float");
  const Array plane(4, 4);
  Buffer<float4> vectors(1);
  check_call(SIMT_RUN("run_gather", texture_of(resource_of(plane.get())), vectors.get()), "texture-function",
             "gather", "gather", "cudaArrayTextureGather");
}

TEST_CASE("texture-type: a fetch of other values than the texels have") {
  Buffer<float> memory(64);
  Buffer<int> out(4);
  check_call(SIMT_RUN("run_fetch_integers", texture_of(resource_of(memory.get(), 256)), out.get(), 4),
             "texture-type", "", "integers", "tex1Dfetch for linear memory of 64 texels of type float");
  const Array plane(4, 4);
  Buffer<float4> vectors(1);
  check_call(SIMT_RUN("run_fetch_vector", texture_of(resource_of(plane.get())), vectors.get()),
             "texture-type", "", "too many channels", "texels of type float");
  const Array line(4, 0, 0, cudaArraySurfaceLoadStore);
  check_call(SIMT_RUN("run_write_doubles", surface_of(line)), "texture-type", "surface", "wider",
             "with 8 bytes for a 1-D array of 4 texels of type float, which have 4 bytes each");
}

TEST_CASE("texture-index: tex1Dfetch beyond the memory gives 0 and a warning") {
  Buffer<float> memory(std::vector<float>(64, 2.0f)), out(32);
  const Report report =
      SIMT_RUN("run_fetch_strided", texture_of(resource_of(memory.get(), 256)), out.get(), 3);
  const Finding found = the_only(report, "texture-index");
  CHECK(found.severity == Severity::warning);
  CHECK(found.count == 10); // 66, 69 ... 93
  CHECK(found.element == std::vector<std::int64_t>{66});
  CHECK(lines_of(found) == at_lines({"outside"}));
  CHECK(contains(message_of(found), "which has 64 texels"));
  CHECK(out.values()[21] == 2);
  CHECK(out.values()[22] == 0);
}

TEST_CASE("texture-written: a kernel writes what it reads through a texture, in either order") {
  for (const Schedule schedule : all_schedules) {
    Buffer<float> values(32), out(32);
    const cudaTextureObject_t texels = texture_of(resource_of(values.get(), 128));
    const Finding shifted =
        the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_shift_left", texels, values.get(), 32),
                 "texture-written");
    CHECK(lines_of(shifted) == at_lines({"through a texture", "through a texture"}));
    CHECK(shifted.severity == Severity::error);
    CHECK(shifted.participants[0].access != shifted.participants[1].access);
    // A barrier orders the accesses, and the value read is undefined all the same.
    const Finding ordered = the_only(
        SIMT_RUN_WITH(with_schedule(schedule), "run_read_after_barrier", texels, values.get(), out.get()),
        "texture-written");
    CHECK(lines_of(ordered) == at_lines({"written", "read back"}));
    const Array line(32, 0, 0, cudaArraySurfaceLoadStore);
    const Finding exchanged =
        the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_exchange", surface_of(line), out.get()),
                 "texture-written");
    CHECK(lines_of(exchanged) == at_lines({"surface written", "surface read"}));
  }
}

TEST_CASE("what an earlier kernel wrote, and what a thread reads before it writes it, is no mistake") {
  for (const Schedule schedule : all_schedules) {
    Buffer<float> values(32);
    const cudaTextureObject_t texels = texture_of(resource_of(values.get(), 128));
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_add_one_twice", texels, values.get())
              .diagnostics.empty());
    CHECK(values.values() == std::vector<float>(32, 2.0f));
  }
}

TEST_CASE("global-race: threads that write one texel of a surface") {
  const Array line(32, 0, 0, cudaArraySurfaceLoadStore);
  const Finding found = the_only(SIMT_RUN("run_all_write_first", surface_of(line)), "global-race");
  CHECK(lines_of(found) == at_lines({"same texel", "same texel"}));
}

TEST_CASE("surface-coordinate: beyond the edge, and x that is not in bytes") {
  const Array line(16, 0, 0, cudaArraySurfaceLoadStore);
  const Finding outside =
      check_call(SIMT_RUN("run_write_surface", surface_of(line), 17, 4), "surface-coordinate", "", "surface",
                 "surf1Dwrite at x = 64, outside of a 1-D array of 16 texels");
  CHECK(outside.element == std::vector<std::int64_t>{64});
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  cudaDeviceReset();
  cudaGetLastError();
  const Array other(16, 0, 0, cudaArraySurfaceLoadStore);
  check_call(SIMT_RUN("run_write_surface", surface_of(other), 16, 1), "surface-coordinate", "bytes",
             "surface", "at x = 1, and x is in bytes");
  cudaDeviceReset();
  cudaGetLastError();
}

TEST_CASE("uninitialised-read: a texel that was never set") {
  cudaArray_t heights = nullptr;
  reinterpret_cast<void (*)(cudaArray_t*)>(find_function("allocate_named_array"))(&heights);
  Buffer<float> out(4);
  const cudaTextureObject_t plane = texture_of(resource_of(heights));
  const Finding found = the_only(SIMT_RUN("run_fetch_plane", plane, out.get(), 4), "uninitialised-read");
  CHECK(found.variable == "heights");
  CHECK(found.element == std::vector<std::int64_t>{1, 0});
  CHECK(lines_of(found) == at_lines({"plane"}));
  CHECK(contains(message_of(found), "heights[1][0], which no thread has written: a CUDA array starts with"));
  CHECK(contains(cure_of(found), "cudaMemcpy2DToArray"));
  cudaFreeArray(heights);
  const Finding freed = the_only(SIMT_RUN("run_fetch_plane", plane, out.get(), 4), "use-after-free");
  CHECK(freed.kind == "array");
  CHECK(contains(message_of(freed), "cudaFreeArray"));
}
