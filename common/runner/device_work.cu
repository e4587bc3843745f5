#include "runner/device_work.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <stdexcept>

#include "call/generate.hpp"
#include "timing/device_provenance.cuh"

namespace warpbook::device_work {
namespace {

constexpr unsigned threads_per_block = 256;
constexpr std::size_t most_blocks = 16384; // each strides over the rest

unsigned blocks_for(std::size_t n) {
  return static_cast<unsigned>(std::min((n + threads_per_block - 1) / threads_per_block, most_blocks));
}

// The file is compiled without fused multiply-add, which rounds otherwise than the host does.
template <typename T>
__global__ void generate_kernel(Distribution distribution, std::uint64_t seed, T* target, std::size_t count) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    target[i] = generated_element<T>(distribution, seed, i);
  }
}

template <typename T>
void launch(const Generator& generator, void* device, std::size_t count) {
  if (count == 0) return;
  generate_kernel<T><<<blocks_for(count), threads_per_block>>>(generator.distribution, generator.seed,
                                                               static_cast<T*>(device), count);
  WARPBOOK_CUDA(cudaGetLastError());
}

__global__ void gather_kernel(const std::byte* source, std::size_t element_size, const std::size_t* indices,
                              std::size_t bytes, std::byte* target) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < bytes; i += step) {
    target[i] = source[indices[i / element_size] * element_size + i % element_size];
  }
}

/// Device memory for as long as it is in scope.
class Scratch {
public:
  explicit Scratch(std::size_t bytes) { WARPBOOK_CUDA(cudaMalloc(&memory_, bytes)); }
  ~Scratch() { static_cast<void>(cudaFree(memory_)); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  void* get() const { return memory_; }

private:
  void* memory_ = nullptr;
};

} // namespace

void generate(const Generator& generator, void* device, std::size_t count) {
  switch (generator.type) {
  case ScalarType::boolean:
  case ScalarType::u8:
    return launch<std::uint8_t>(generator, device, count);
  case ScalarType::i8:
    return launch<std::int8_t>(generator, device, count);
  case ScalarType::i16:
    return launch<std::int16_t>(generator, device, count);
  case ScalarType::u16:
    return launch<std::uint16_t>(generator, device, count);
  case ScalarType::i32:
    return launch<std::int32_t>(generator, device, count);
  case ScalarType::u32:
    return launch<std::uint32_t>(generator, device, count);
  case ScalarType::i64:
    return launch<std::int64_t>(generator, device, count);
  case ScalarType::u64:
    return launch<std::uint64_t>(generator, device, count);
  case ScalarType::f32:
    return launch<float>(generator, device, count);
  case ScalarType::f64:
    return launch<double>(generator, device, count);
  }
  throw std::invalid_argument("unknown element type of a generated buffer");
}

void gather(const void* device, std::size_t element_size, const std::vector<std::size_t>& indices,
            std::byte* target) {
  const std::size_t bytes = indices.size() * element_size;
  if (bytes == 0) return;
  const Scratch places(indices.size() * sizeof(std::size_t));
  const Scratch gathered(bytes);
  WARPBOOK_CUDA(
      cudaMemcpy(places.get(), indices.data(), indices.size() * sizeof(std::size_t), cudaMemcpyHostToDevice));
  gather_kernel<<<blocks_for(bytes), threads_per_block>>>(static_cast<const std::byte*>(device), element_size,
                                                          static_cast<const std::size_t*>(places.get()),
                                                          bytes, static_cast<std::byte*>(gathered.get()));
  WARPBOOK_CUDA(cudaGetLastError());
  WARPBOOK_CUDA(cudaMemcpy(target, gathered.get(), bytes, cudaMemcpyDeviceToHost));
}

Provenance provenance() { return device_provenance(); }

} // namespace warpbook::device_work
