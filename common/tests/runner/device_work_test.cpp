// What the CUDA runner makes on the device is what the host would have made, bit for bit.
#include <doctest/doctest.h>

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "call/generate.hpp"
#include "runner/device_work.hpp"
#include "timing/cuda_error.hpp"
#include "timing/device_stopwatch.hpp"

using namespace warpbook;

// What an H200 was seen to need: 16 GiB for 40 ms, 1 GiB for 2.4 ms.
static_assert(scrubbing_time(std::size_t{16} << 30) > std::chrono::milliseconds(40));
static_assert(scrubbing_time(std::size_t{1} << 30) > std::chrono::microseconds(2400));
static_assert(scrubbing_time(0) == std::chrono::nanoseconds(0));

namespace {

void need_gpu() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess && count > 0) return;
  std::printf("skipped: no usable GPU\n");
  std::fflush(stdout);
  std::_Exit(77);
}

struct DeviceMemory {
  explicit DeviceMemory(std::size_t bytes) { WARPBOOK_CUDA(cudaMalloc(&memory, bytes)); }
  ~DeviceMemory() { static_cast<void>(cudaFree(memory)); }
  void* memory = nullptr;
};

} // namespace

TEST_CASE("every type and distribution has the same bits on host and device") {
  need_gpu();
  using Shape = Distribution::Shape;
  const Distribution distributions[] = {{Shape::uniform, 0, 1},       {Shape::uniform, 3, 90},
                                        {Shape::uniform, 0.1, 100.7}, {Shape::whole, 2, 117},
                                        {Shape::constant, 77, 0},     {Shape::sequence, 1, 1},
                                        {Shape::sequence, 0.1, 0.3},  {Shape::whole, 2, 117, 65'521}};
  const ScalarType types[] = {ScalarType::boolean, ScalarType::i8,  ScalarType::u8,  ScalarType::i16,
                              ScalarType::u16,     ScalarType::i32, ScalarType::u32, ScalarType::i64,
                              ScalarType::u64,     ScalarType::f32, ScalarType::f64};
  const std::size_t n = 3'000'001;
  const DeviceMemory device(n * 8);
  std::vector<std::byte> by_host(n * 8);
  std::vector<std::byte> by_device(n * 8);
  for (const ScalarType type : types) {
    for (const Distribution& distribution : distributions) {
      const Generator generator{type, distribution, 12345};
      const std::size_t bytes = n * size_of(type);
      generate(generator, by_host.data(), 0, n);
      device_work::generate(generator, device.memory, n);
      WARPBOOK_CUDA(cudaMemcpy(by_device.data(), device.memory, bytes, cudaMemcpyDeviceToHost));
      CAPTURE(name_of(type));
      CAPTURE(distribution.low);
      CAPTURE(distribution.high);
      CHECK(std::memcmp(by_host.data(), by_device.data(), bytes) == 0);
    }
  }
}

TEST_CASE("negative ranges have the same bits on host and device") {
  need_gpu();
  const std::size_t n = 1'000'003;
  const DeviceMemory device(n * 8);
  std::vector<std::byte> by_host(n * 8);
  std::vector<std::byte> by_device(n * 8);
  for (const ScalarType type :
       {ScalarType::i8, ScalarType::i32, ScalarType::i64, ScalarType::f32, ScalarType::f64}) {
    for (const auto shape : {Distribution::Shape::uniform, Distribution::Shape::whole}) {
      const Generator generator{type, {shape, -100, 100}, 99};
      generate(generator, by_host.data(), 0, n);
      device_work::generate(generator, device.memory, n);
      WARPBOOK_CUDA(cudaMemcpy(by_device.data(), device.memory, n * size_of(type), cudaMemcpyDeviceToHost));
      CHECK(std::memcmp(by_host.data(), by_device.data(), n * size_of(type)) == 0);
    }
  }
}

TEST_CASE("gathered elements are those asked for, of any size") {
  need_gpu();
  const std::size_t n = 1000;
  const Generator generator{ScalarType::u8, {Distribution::Shape::uniform, 0, 255}, 3};
  for (const std::size_t size : {1, 4, 12, 32}) {
    const DeviceMemory device(n * size);
    std::vector<std::byte> host(n * size);
    generate(generator, host.data(), 0, host.size());
    device_work::generate(generator, device.memory, n * size);
    const std::vector<std::size_t> indices = {0, 999, 17, 17, 500};
    std::vector<std::byte> found(indices.size() * size);
    device_work::gather(device.memory, size, indices, found.data());
    for (std::size_t k = 0; k < indices.size(); ++k) {
      CHECK(std::memcmp(found.data() + k * size, host.data() + indices[k] * size, size) == 0);
    }
  }
}

TEST_CASE("the provenance tells a clock of some hundred to some thousand MHz") {
  need_gpu();
  for (const auto& [key, value] : device_work::provenance()) {
    if (key != "SM clock") continue;
    const double clock = std::stod(value);
    CHECK(clock > 200);
    CHECK(clock < 5000);
    return;
  }
  FAIL("there is no SM clock in the provenance");
}
