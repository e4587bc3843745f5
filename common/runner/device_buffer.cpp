#include "runner/device_buffer.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "call/generate.hpp"
#include "runner/backend.hpp"
#include "runner/cuda_error.hpp"

namespace warpbook {
namespace {

// Generated contents pass through host memory in pieces, so that a buffer may be larger than it.
constexpr std::size_t staging_bytes = std::size_t{64} << 20;

std::byte* allocate(std::size_t bytes) {
  void* memory = nullptr;
  WARPBOOK_CUDA(cudaMalloc(&memory, std::max<std::size_t>(bytes, 1)));
  return static_cast<std::byte*>(memory);
}

} // namespace

DeviceBuffer::DeviceBuffer(const BufferArgument& argument, std::span<const std::byte> memory,
                           bool keep_original)
    : argument_(argument), base_(allocate(argument.image_bytes())) {
  if (argument.generated) {
    generate_payload();
  } else {
    const auto image = memory.subspan(argument.image_offset, argument.image_bytes());
    WARPBOOK_CUDA(cudaMemcpy(base_, image.data(), image.size(), cudaMemcpyHostToDevice));
  }
  if (keep_original) {
    original_ = allocate(argument.image_bytes());
    WARPBOOK_CUDA(cudaMemcpy(original_, base_, argument.image_bytes(), cudaMemcpyDeviceToDevice));
  }
  backend::describe(base_, argument.front, argument_);
}

DeviceBuffer::~DeviceBuffer() {
  // After a failed call the context may be gone; the process is about to end then.
  if (base_ != nullptr) static_cast<void>(cudaFree(base_));
  if (original_ != nullptr) static_cast<void>(cudaFree(original_));
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : argument_(std::move(other.argument_)), base_(std::exchange(other.base_, nullptr)),
      original_(std::exchange(other.original_, nullptr)) {}

void DeviceBuffer::generate_payload() {
  const std::size_t element = argument_.element_size;
  if (element != size_of(argument_.generator.type))
    throw std::invalid_argument("generated elements have another size");
  const std::size_t piece = staging_bytes / element;
  std::vector<std::byte> staging(std::min(piece, argument_.count) * element);
  for (std::size_t first = 0; first < argument_.count; first += piece) {
    const std::size_t count = std::min(piece, argument_.count - first);
    generate(argument_.generator, staging.data(), first, count);
    WARPBOOK_CUDA(cudaMemcpy(base_ + argument_.front + first * element, staging.data(), count * element,
                             cudaMemcpyHostToDevice));
  }
}

void DeviceBuffer::restore() {
  if (original_ == nullptr) return;
  WARPBOOK_CUDA(cudaMemcpy(base_, original_, argument_.image_bytes(), cudaMemcpyDeviceToDevice));
}

void DeviceBuffer::fetch(std::span<std::byte> memory) const {
  if (!argument_.returned) return;
  const std::size_t skipped = argument_.generated ? argument_.front : 0;
  const std::size_t bytes = argument_.generated ? argument_.payload_bytes() : argument_.image_bytes();
  const auto target = memory.subspan(argument_.image_offset, bytes);
  WARPBOOK_CUDA(cudaMemcpy(target.data(), base_ + skipped, bytes, cudaMemcpyDeviceToHost));
}

} // namespace warpbook
