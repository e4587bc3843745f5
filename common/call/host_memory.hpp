#pragma once
/// Memory for the contents of large buffers.

#include <cstddef>
#include <span>

namespace warpbook {

/// Bytes with no value of their own: a large std::vector is cleared before it is filled. In large pages, where the system
/// has them: else the first touch of every 4 KiB costs more than the copy into it.
class HostMemory {
public:
  HostMemory() = default;
  explicit HostMemory(std::size_t bytes);
  HostMemory(HostMemory&& other) noexcept;
  HostMemory& operator=(HostMemory&& other) noexcept;
  ~HostMemory();

  std::span<std::byte> bytes() { return {data_, size_}; }
  std::span<const std::byte> bytes() const { return {data_, size_}; }

private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Copies by several threads where it is worth it; both are as long.
void copy_bytes(std::span<std::byte> to, std::span<const std::byte> from);

} // namespace warpbook
