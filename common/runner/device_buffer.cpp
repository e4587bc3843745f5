#include "runner/device_buffer.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "call/generate.hpp"
#include "runner/backend.hpp"
#include "timing/cuda_error.hpp"

namespace warpbook {
namespace {

std::byte* allocate(std::size_t bytes) {
  void* memory = nullptr;
  WARPBOOK_CUDA(cudaMalloc(&memory, std::max<std::size_t>(bytes, 1)));
  return static_cast<std::byte*>(memory);
}

void to_device(std::byte* device, std::span<const std::byte> bytes) {
  if (!bytes.empty()) WARPBOOK_CUDA(cudaMemcpy(device, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
}

void to_host(std::span<std::byte> bytes, const std::byte* device) {
  if (!bytes.empty()) WARPBOOK_CUDA(cudaMemcpy(bytes.data(), device, bytes.size(), cudaMemcpyDeviceToHost));
}

// An element may be a struct of several generated values.
std::size_t values_in(const BufferArgument& argument) {
  const std::size_t size = size_of(argument.generator.type);
  if (argument.element_size % size != 0) throw std::invalid_argument("generated elements have another size");
  return argument.payload_bytes() / size;
}

} // namespace

std::byte* allocate(const BufferArgument& argument) {
  if (!argument.is_sparse()) return allocate(argument.image_bytes());
  std::byte* memory = backend::allocate_sparse(argument.image_bytes());
  if (memory == nullptr) throw std::runtime_error("there is no room for the sparse buffer " + argument.name);
  return memory;
}

DeviceBuffer::DeviceBuffer(const BufferArgument& argument, std::span<const std::byte> memory,
                           bool keep_original)
    : argument_(argument), base_(allocate(argument)) {
  const auto travelled = memory.subspan(argument.image_offset, argument.travelling_bytes());
  if (argument.generated) {
    to_device(base_, travelled.first(argument.front));
    make_contents();
    to_device(base_ + argument.front + argument.payload_bytes(), travelled.last(argument.back));
  } else {
    to_device(base_, travelled);
    if (keep_original) {
      original_ = allocate(argument.payload_bytes());
      WARPBOOK_CUDA(cudaMemcpy(original_, payload(), argument.payload_bytes(), cudaMemcpyDeviceToDevice));
    }
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

std::size_t DeviceBuffer::bytes() const {
  return argument_.image_bytes() + (original_ != nullptr ? argument_.payload_bytes() : 0);
}

void DeviceBuffer::restore() {
  if (argument_.direction == Direction::in) return;
  if (argument_.generated) {
    make_contents();
  } else if (original_ != nullptr) {
    WARPBOOK_CUDA(cudaMemcpy(payload(), original_, argument_.payload_bytes(), cudaMemcpyDeviceToDevice));
  }
}

// Of a sparse buffer its elements one by one.
void DeviceBuffer::make_contents() {
  const Generator& generator = argument_.generator;
  if (!argument_.is_sparse()) return backend::generate(generator, payload(), values_in(argument_));
  const std::size_t size = argument_.element_size, values = size / size_of(generator.type);
  std::vector<std::byte> element(size);
  for (std::size_t k = 0; k < argument_.samples; ++k) {
    const std::size_t index = returned_index(argument_, k);
    generate(generator, element.data(), index * values, values);
    to_device(static_cast<std::byte*>(payload()) + index * size, element);
  }
}

std::vector<Stray> DeviceBuffer::strays(std::size_t position) const {
  std::vector<Stray> found;
  if (!argument_.is_sparse() || argument_.element_size > sizeof(Stray::bits)) return found;
  for (const std::size_t index : backend::strays(argument_, base_ + argument_.front)) {
    Stray stray{position, index, 0};
    to_host(std::as_writable_bytes(std::span(&stray.bits, 1)).first(argument_.element_size),
            base_ + argument_.front + index * argument_.element_size);
    found.push_back(stray);
  }
  return found;
}

void DeviceBuffer::fetch(std::span<std::byte> memory) const {
  if (!argument_.generated && !argument_.returned) return;
  const auto target = memory.subspan(argument_.image_offset, argument_.travelling_bytes());
  if (!argument_.generated) return to_host(target, base_);

  to_host(target.first(argument_.front), base_);
  to_host(target.last(argument_.back), base_ + argument_.front + argument_.payload_bytes());
  const auto middle = target.subspan(argument_.front, argument_.element_size * argument_.returned_count());
  if (argument_.returned_count() == argument_.count && !argument_.is_sparse())
    return to_host(middle, base_ + argument_.front);
  std::vector<std::size_t> indices(argument_.returned_count());
  for (std::size_t k = 0; k < indices.size(); ++k) indices[k] = returned_index(argument_, k);
  if (!indices.empty()) backend::gather(payload(), argument_.element_size, indices, middle.data());
}

} // namespace warpbook
