#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "call/call.hpp"

namespace warpbook {

/// One buffer argument in device memory, with its guard zones. Errors are thrown as CudaError.
class DeviceBuffer {
public:
  /// Allocates the buffer, fills it (from `memory` or from its generator) and describes it to the
  /// backend. `keep_original` allows restore().
  DeviceBuffer(const BufferArgument& argument, std::span<const std::byte> memory, bool keep_original);
  ~DeviceBuffer();
  DeviceBuffer(DeviceBuffer&& other) noexcept;
  DeviceBuffer& operator=(DeviceBuffer&&) = delete;

  /// Of device memory, which the destructor frees.
  std::size_t bytes() const;
  /// The address that the function receives.
  void* payload() const { return base_ + argument_.front; }
  /// Puts the contents from before the first repetition back, of the payload alone: damage to a guard zone
  /// stays to be seen. The device may still be at it when this returns.
  void restore();
  /// Copies what is to be returned into `memory`.
  void fetch(std::span<std::byte> memory) const;
  /// Of a sparse buffer, the `position`-th argument, elements that were written and not made.
  std::vector<Stray> strays(std::size_t position) const;

private:
  void make_contents();

  BufferArgument argument_;
  std::byte* base_ = nullptr;
  std::byte* original_ = nullptr; ///< the payload; generated ones are made again instead
};

} // namespace warpbook
