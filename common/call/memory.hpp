#pragma once
/// Shared memory between grader and runner: an anonymous file that both map.

#include <cstddef>
#include <span>

#include "call/file_descriptor.hpp"

namespace warpbook {

/// Of the memory in which a runner counts the progress of its kernels: one 64-bit number.
constexpr std::size_t progress_bytes = 8;

class SharedMemory {
public:
  SharedMemory() = default;
  /// Creates `bytes` of zeroed memory, sealed so that its size cannot change under a mapping.
  /// Throws std::system_error.
  static SharedMemory create(std::size_t bytes);
  /// Maps memory received from the other side, which must be `bytes` long. Throws std::system_error,
  /// or std::runtime_error if its size is another one.
  static SharedMemory open(FileDescriptor file, std::size_t bytes);

  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  ~SharedMemory();

  std::span<std::byte> bytes() const { return {data_, size_}; }
  int file() const { return file_.get(); }
  /// Whether this is the memory behind `file`, which may be another descriptor of it.
  bool is_of(int file) const;

private:
  SharedMemory(FileDescriptor file, std::size_t bytes, int further_flags);

  FileDescriptor file_;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

} // namespace warpbook
