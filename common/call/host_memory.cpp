#include "call/host_memory.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "call/parallel.hpp"

namespace warpbook {
namespace {

constexpr std::size_t small_page = 4096;
constexpr std::size_t large_page = std::size_t{2} << 20;
constexpr std::size_t bytes_at_a_time =
    large_page; // of a thread: two would each clear a page that they share

} // namespace

HostMemory::HostMemory(std::size_t bytes) : size_(bytes) {
  if (bytes == 0) return;
  const std::size_t page = bytes >= large_page ? large_page : small_page;
  const std::size_t room = (bytes + page - 1) / page * page;
  void* memory = std::aligned_alloc(page, room);
  if (memory == nullptr) throw std::bad_alloc();
  if (page == large_page)
    static_cast<void>(::madvise(memory, room, MADV_HUGEPAGE)); // without, it is only slower
  data_ = static_cast<std::byte*>(memory);
}

HostMemory::HostMemory(HostMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

HostMemory& HostMemory::operator=(HostMemory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

HostMemory::~HostMemory() { std::free(data_); }

void copy_bytes(std::span<std::byte> to, std::span<const std::byte> from) {
  for_each_piece(
      from.size(),
      [&](std::size_t, std::size_t first, std::size_t last) {
        std::memcpy(to.data() + first, from.data() + first, last - first);
      },
      bytes_at_a_time);
}

} // namespace warpbook
